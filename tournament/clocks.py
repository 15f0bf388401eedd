"""What a clock says at an instant: from stored instants, whatever was restarted in between.

Pure. The same stands in `static/js/time.js` for screens and phones; tests/vectors/clocks.json holds
cases for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

NOTHING = timedelta()


class ClockState(StrEnum):
    NONE = "none"  # no start is known
    ANNOUNCED = "announced"
    OPEN = "open"  # begun, and without an end
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"  # this table alone
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Clock:
    """Of a round. `starts_at`: from then on the time runs; `length`: None where it has no end;
    `paused_for`: all pauses that are over."""

    starts_at: datetime | None = None
    length: timedelta | None = None
    paused_at: datetime | None = None
    paused_for: timedelta = NOTHING


@dataclass(frozen=True, slots=True)
class TableClock:
    """What differs at one table. `stood`: all its stops that are over, which `extra` makes good."""

    extra: timedelta = NOTHING
    stopped_at: datetime | None = None
    stood: timedelta = NOTHING


AS_ALL = TableClock()


@dataclass(frozen=True, slots=True)
class Reading:
    """`left`: to the start, to the end, or since the end (`OVER`), or since the start (`OPEN`)."""

    state: ClockState
    left: timedelta = NOTHING


def read_clock(clock: Clock, now: datetime, table: TableClock = AS_ALL) -> Reading:
    """What the clock says, at this table."""
    if clock.starts_at is None:
        return Reading(ClockState.NONE)
    if now < clock.starts_at:
        return Reading(ClockState.ANNOUNCED, clock.starts_at - now)
    if clock.length is None:
        return Reading(ClockState.OPEN, now - clock.starts_at)
    until = min(one for one in (now, clock.paused_at, table.stopped_at) if one is not None)
    # A table may have been stopped before the start: nothing has passed then, and not less.
    until = max(until, clock.starts_at)
    left = clock.length + table.extra - (until - clock.starts_at - clock.paused_for)
    if left <= NOTHING:
        return Reading(ClockState.OVER, -left)
    if table.stopped_at is not None:
        return Reading(ClockState.STOPPED, left)
    state = ClockState.RUNNING if clock.paused_at is None else ClockState.PAUSED
    return Reading(state, left)


def stood_still(clock: Clock, now: datetime, table: TableClock = AS_ALL) -> timedelta:
    """How long the table's time has not run since the start: pauses and stops, over or not."""
    if clock.starts_at is None:
        return NOTHING
    until = min(one for one in (now, clock.paused_at, table.stopped_at) if one is not None)
    return clock.paused_for + table.stood + max(NOTHING, now - max(until, clock.starts_at))


def ends_at(clock: Clock, table: TableClock = AS_ALL) -> datetime | None:
    """When the time ends if nothing more happens; None while it stands, or has no end."""
    if clock.starts_at is None or clock.length is None:
        return None
    if clock.paused_at is not None or table.stopped_at is not None:
        return None
    return clock.starts_at + clock.paused_for + clock.length + table.extra
