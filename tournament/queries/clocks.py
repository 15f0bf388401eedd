"""The time of the round that is played, and of breaks, as pages and the pulse show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from tournament.clocks import (
    AS_ALL,
    Clock,
    Reading,
    TableClock,
    ends_at,
    read_clock,
    stood_still,
)
from tournament.models import Break, Event, Round, RoundClock, TableTime
from tournament.models.events import EventStatus
from tournament.models.rounds import RoundStatus
from tournament.queries.seats import current_round


@dataclass(frozen=True, slots=True)
class EventClock:
    """`round`: the one that is played; `tables`: those with a time of their own, by number;
    `pause`: the break that is announced."""

    round: Round | None = None
    clock: Clock = field(default_factory=Clock)
    tables: Mapping[int, TableClock] = field(default_factory=dict)
    pause: Break | None = None

    def read(self, now: datetime, table: int | None = None) -> Reading:
        return read_clock(self.clock, now, self._of(table))

    def ends_at(self, table: int | None = None) -> datetime | None:
        return ends_at(self.clock, self._of(table))

    def stood_still(self, now: datetime, table: int | None = None) -> timedelta:
        return stood_still(self.clock, now, self._of(table))

    def _of(self, table: int | None) -> TableClock:
        return self.tables.get(table or 0, AS_ALL)

    def as_json(self) -> dict[str, Any] | None:
        """For `static/js/time.js`: instants and lengths in ms. None without any clock."""
        if self.round is None and self.pause is None:
            return None
        return {
            "round": self.round.pk if self.round else None,
            "starts": _instant(self.clock.starts_at),
            "length": _length(self.clock.length),
            "paused": _instant(self.clock.paused_at),
            "pausedFor": _length(self.clock.paused_for),
            "tables": {
                number: {"extra": _length(own.extra), "stopped": _instant(own.stopped_at)}
                for number, own in self.tables.items()
            },
            "break": {"until": _instant(self.pause.ends_at), "text": self.pause.text}
            if self.pause
            else None,
        }


def clock_of(event: Event, now: datetime | None = None) -> EventClock:
    """In three queries."""
    return clock_of_round(event, current_round(event), now)


def clock_of_round(event: Event, round_: Round | None, now: datetime | None = None) -> EventClock:
    """`round_`: the event's current one, with its clock. Nothing is announced once the event is
    over."""
    if event.status == EventStatus.FINISHED:
        return EventClock()
    now = now or timezone.now()
    announced = event.breaks.first()
    pause = announced if announced and _holds(announced, now) else None
    if round_ is None or round_.status != RoundStatus.PUBLISHED:
        return EventClock(pause=pause)
    clock: RoundClock | None = getattr(round_, "clock", None)
    if clock is None:
        return EventClock(pause=pause)
    tables = TableTime.objects.filter(table__round=round_).select_related("table")
    own = {one.table.number: one.value for one in tables}
    return EventClock(round_, clock.value, own, pause)


def _holds(announced: Break, now: datetime) -> bool:
    return announced.withdrawn_at is None and announced.ends_at > now


def _instant(moment: datetime | None) -> int | None:
    return None if moment is None else round(moment.timestamp() * 1000)


def _length(length: timedelta | None) -> int | None:
    return None if length is None else round(length.total_seconds() * 1000)
