"""Who is not at the table, for how long since the announced start or since they left, and which
infraction it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, OuterRef, Subquery

from scoring.penalties import lateness_code
from tournament.models import Event, LateArrival, Penalty, Round, Seat, Table
from tournament.queries.clocks import clock_of_round
from tournament.queries.names import namesakes_in

LATE_CODES = ("2.1", "2.2")


@dataclass(frozen=True, slots=True)
class LateRow:
    """`late`: since `starts_at`, up to now or to the arrival; None where no start is known, or it
    is still to come. `starts_at`: the announced start, or for somebody who `left` after the table
    had begun when that was reported. `seat`: of a table, from 1."""

    pk: int
    number: int
    name: str
    table: int
    table_id: int
    seat: int
    reported_at: datetime
    arrived: bool
    left: bool
    starts_at: datetime | None
    late: timedelta | None

    @property
    def code(self) -> str:
        """The infraction that this is; "" where nobody is late yet."""
        return lateness_code(self.late // timedelta(seconds=1)) if self.late is not None else ""


def late_rows(round_: Round, now: datetime) -> tuple[LateRow, ...]:
    """Of the round that is being played: those who are missing, by table; then those who came late
    and have no penalty for it. In a fixed number of queries."""
    found = list(_marks(round_))
    if not found:
        return ()
    event = round_.event
    starts_at = clock_of_round(event, round_, now).clock.starts_at
    same = namesakes_in(event)
    settled = _penalised(event, found)
    rows = [
        LateRow(
            pk=mark.pk,
            number=mark.player.number,
            name=same.staff_name(mark.player.name, mark.player.number),
            table=mark.table_number,  # type: ignore[attr-defined]
            table_id=mark.table_id,  # type: ignore[attr-defined]
            seat=mark.position,  # type: ignore[attr-defined]
            reported_at=mark.reported_at,
            arrived=mark.arrived_at is not None,
            left=mark.left,
            starts_at=counted_from(mark, starts_at),
            late=_late(counted_from(mark, starts_at), mark.arrived_at or now),
        )
        for mark in found
        if mark.arrived_at is None or mark.pk not in settled
    ]
    return tuple(sorted(rows, key=lambda row: (row.arrived, row.table, row.seat)))


def _marks(round_: Round) -> Iterable[LateArrival]:
    """With their seats; who has none any more is not expected."""
    seat = Seat.objects.filter(round=round_, player=OuterRef("player"))
    return (
        LateArrival.objects.in_force()
        .filter(round=round_)
        .select_related("player")
        .annotate(
            table_id=Subquery(seat.values("table")),
            table_number=Subquery(seat.values("table__number")),
            position=Subquery(seat.values("position")),
        )
        .filter(table_id__isnull=False)
        .order_by(F("table_number"), F("position"))
    )


def _penalised(event: Event, marks: Iterable[LateArrival]) -> frozenset[int]:
    """The marks after which a judge has recorded a lateness of that player."""
    given = Penalty.objects.filter(
        event=event, withdrawn_at__isnull=True, infraction__in=LATE_CODES
    ).values_list("player_id", "created_at")
    last: dict[int, datetime] = {}
    for player, at in given:
        last[player] = max(at, last.get(player, at))
    return frozenset(
        mark.pk
        for mark in marks
        if mark.player_id in last and last[mark.player_id] >= mark.reported_at
    )


def counted_from(mark: LateArrival, starts_at: datetime | None) -> datetime | None:
    """Whoever was there when the table began is not late since its start."""
    return mark.reported_at if mark.left else starts_at


def _late(starts_at: datetime | None, until: datetime) -> timedelta | None:
    if starts_at is None or until <= starts_at:
        return None
    return until - starts_at


def missing_by_table(round_: Round) -> dict[int, tuple[str, ...]]:
    """Table number -> who is not there yet."""
    same = namesakes_in(round_.event)
    found: dict[int, tuple[str, ...]] = {}
    for mark in _marks(round_):
        if mark.arrived_at is None:
            table: int = mark.table_number  # type: ignore[attr-defined]
            name = same.staff_name(mark.player.name, mark.player.number)
            found[table] = (*found.get(table, ()), name)
    return found


def missing_at(table: Table) -> dict[int, LateArrival]:
    """Position -> the mark, of those who are not at this table yet."""
    seats = dict(table.seats.values_list("player_id", "position"))
    marks = LateArrival.objects.missing().filter(round=table.round_id, player__in=seats)
    return {seats[mark.player_id]: mark for mark in marks}
