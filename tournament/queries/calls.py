"""Which tables have called a judge, and who goes there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from tournament.clocks import ClockState
from tournament.models import Event, JudgeCall, Seat, Table
from tournament.models.rounds import RoundStatus
from tournament.models.scoresheets import SheetStatus
from tournament.queries.clocks import EventClock, clock_of
from tournament.queries.names import namesakes_in

A_MOMENT = timedelta(minutes=10)  # so long a table reads that its call is done
# From its start on a table's time can be lengthened, also when it has come to its end.
WITH_TIME = (ClockState.RUNNING, ClockState.PAUSED, ClockState.STOPPED, ClockState.OVER)


@dataclass(frozen=True, slots=True)
class CallRow:
    """A call as judges see it. `players`: in sitting order, as they stand on the sheet, each with
    the name in which they are entered, where it is another one; `minutes`: offered as extra time
    when it is done, None where the table can have none; `lost_since`: from when on they grow, None
    while the table's clock stands."""

    call: JudgeCall
    table: Table
    players: tuple[tuple[str, str], ...]
    age: timedelta
    minutes: int | None
    lost_since: datetime | None

    @property
    def judge(self) -> str:
        """Who goes there."""
        return str(self.call.answered_by or "")


def open_call(table: Table) -> JudgeCall | None:
    """The table's own, while a judge is asked for or is on the way."""
    return JudgeCall.objects.open().filter(table=table).select_related("answered_by").first()


def last_done(table: Table, now: datetime) -> JudgeCall | None:
    """The table's call that was done a moment ago, if none was made since."""
    last = JudgeCall.objects.filter(table=table).select_related("ended_by").last()
    done = last is not None and last.ended_at is not None and now - last.ended_at < A_MOMENT
    return last if done else None


def call_rows(event: Event, now: datetime) -> tuple[CallRow, ...]:
    """The oldest first, in a fixed number of queries."""
    calls = list(
        JudgeCall.objects.waiting()
        .filter(event=event)
        .select_related("table__round", "table__sheet", "answered_by")
    )
    if not calls:
        return ()
    clock = clock_of(event, now)
    players = _players_at(event, [call.table_id for call in calls])
    return tuple(_row(call, players.get(call.table_id, ()), clock, now) for call in calls)


def _row(
    call: JudgeCall, players: tuple[tuple[str, str], ...], clock: EventClock, now: datetime
) -> CallRow:
    has_time = _has_time(call.table, clock, now)
    lost = lost_time(call, clock, now)
    return CallRow(
        call=call,
        table=call.table,
        players=players,
        age=max(timedelta(), now - call.created_at),
        minutes=in_minutes(lost) if has_time else None,
        lost_since=now - lost if has_time and _runs(call.table, clock, now) else None,
    )


def _players_at(event: Event, tables: Iterable[int]) -> dict[int, tuple[tuple[str, str], ...]]:
    same = namesakes_in(event)
    found: dict[int, tuple[tuple[str, str], ...]] = {}
    seats = Seat.objects.filter(table__in=tables).select_related("player")
    for seat in seats.order_by("table", "position"):
        shown = same.public_name_of(seat.player)
        own = same.staff_name(seat.player.name, seat.player.number)
        pair = (shown, own if own != shown else "")
        found[seat.table_id] = (*found.get(seat.table_id, ()), pair)
    return found


def may_call(table: Table) -> bool:
    """Whether the table may call a judge. It comes with its round and sheet."""
    return (
        table.round.status == RoundStatus.PUBLISHED and table.sheet.status != SheetStatus.CONFIRMED
    )


def may_have_time(table: Table, now: datetime) -> bool:
    """Whether extra time means anything there. `table` comes with its round, event and sheet."""
    return _has_time(table, clock_of(table.round.event, now), now)


def _has_time(table: Table, clock: EventClock, now: datetime) -> bool:
    if not may_call(table):
        return False
    return clock.round == table.round and clock.read(now, table.number).state in WITH_TIME


def _runs(table: Table, clock: EventClock, now: datetime) -> bool:
    return clock.read(now, table.number).state not in (ClockState.PAUSED, ClockState.STOPPED)


def lost_time(call: JudgeCall, clock: EventClock, now: datetime) -> timedelta:
    """Since the call, but for the time in which the table's clock stood or had not begun."""
    began = clock.clock.starts_at or call.created_at
    before = timedelta(seconds=call.stood_seconds) if call.created_at >= began else timedelta()
    stood = clock.stood_still(now, call.table.number) - before
    return max(timedelta(), now - max(call.created_at, began) - stood)


def in_minutes(lost: timedelta) -> int:
    """Rounded up."""
    return -(-lost // timedelta(minutes=1))


def called_tables(round_id: int) -> dict[int, str]:
    """Table number -> "open" or "answered", of a round: what everybody's pulse tells."""
    rows = JudgeCall.objects.waiting().filter(table__round=round_id)
    return {
        number: "open" if answered is None else "answered"
        for number, answered in rows.values_list("table__number", "answered_at")
    }
