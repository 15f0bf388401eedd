"""Who sits where, for everybody who looks for a seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef

from tournament.models import Deal, Event, Round, Seat, Table
from tournament.models.players import PlayerStatus
from tournament.models.rounds import OPEN_ROUND, RoundStatus
from tournament.models.scoresheets import SheetStatus
from tournament.queries.names import namesakes_in
from tournament.spelling import NameSearch, spellings


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A player's place in a round. `name` is for everybody, `staff_name` for the staff; both tell
    people of one name apart. `gone`: has left, though the round goes on; no part of what a sheet
    prints."""

    number: int
    name: str
    staff_name: str
    table: int
    position: int
    player_id: int
    gone: bool = field(default=False, repr=False, compare=False)

    @property
    def spelled(self) -> str:
        """All ways to type the name, for a search in the browser."""
        return "|".join(spellings(self.name))


@dataclass(frozen=True, slots=True)
class TableRow:
    pk: int
    number: int
    token: str
    status: str
    seats: tuple[SeatRow, ...]

    @property
    def status_label(self) -> str:
        return str(SheetStatus(self.status).label)


@dataclass(frozen=True, slots=True)
class GoneSeat:
    """Somebody who has left and still has a seat in a round that goes on. `begun`: their table has
    entered a deal, so it plays on without them."""

    name: str
    table: int
    table_id: int
    begun: bool


def gone_seats(round_: Round) -> tuple[GoneSeat, ...]:
    """Whose table has to do without them, or be changed."""
    left = round_.seats.exclude(player__status=PlayerStatus.CHECKED_IN)
    left = left.exclude(table__sheet__status=SheetStatus.CONFIRMED)
    deals = Exists(Deal.objects.filter(sheet__table=OuterRef("table")))
    rows = left.annotate(begun=deals).order_by("table__number", "position")
    same = namesakes_in(round_.event)
    return tuple(
        GoneSeat(same.staff_name(name, number), table, key, begun)
        for name, number, table, key, begun in rows.values_list(
            "player__name", "player__number", "table__number", "table_id", "begun"
        )
    )


def current_round(event: Event) -> Round | None:
    """The round that is being played, else the last one that was."""
    rounds = event.rounds.played().select_related("clock")
    found = rounds.order_by("-published_at", "-pk").first()
    if found is not None:
        found.event = event
    return found


def round_in_play(event: Event) -> Round | None:
    """The round that is being played now."""
    round_ = current_round(event)
    return round_ if round_ is not None and round_.status == RoundStatus.PUBLISHED else None


def table_rows(round_: Round, only: Table | None = None) -> tuple[TableRow, ...]:
    """All tables of a round, or this one, with their seats, in a fixed number of queries."""
    of_seats, of_tables = ({"table": only}, {"pk": only.pk}) if only else ({}, {})
    seats: dict[int, list[SeatRow]] = {}
    goes_on = round_.status in OPEN_ROUND
    same = namesakes_in(round_.event)
    for table_id, table, position, player_id, number, name, style, alias, status in (
        Seat.objects.filter(round=round_, **of_seats)
        .order_by("table__number", "position")
        .values_list(
            "table_id",
            "table__number",
            "position",
            "player_id",
            "player__number",
            "player__name",
            "player__name_style",
            "player__alias",
            "player__status",
        )
    ):
        public = same.public_name(name, style, alias, number)
        gone = goes_on and status != PlayerStatus.CHECKED_IN
        known = same.staff_name(name, number)
        row = SeatRow(number, public, known, table, position, player_id, gone)
        seats.setdefault(table_id, []).append(row)
    return tuple(
        TableRow(pk, number, token, status, tuple(seats.get(pk, ())))
        for pk, number, token, status in round_.tables.filter(**of_tables)
        .order_by("number")
        .values_list("pk", "number", "token", "sheet__status")
    )


def find_seats(tables: Sequence[TableRow], query: str) -> list[SeatRow]:
    """Seats of people whose shown name holds each word, or whose start number it is."""
    search = NameSearch.of(query)
    rows = [seat for table in tables for seat in table.seats]
    found = [row for row in rows if search.finds(row.number, row.name)]
    return found if search.number is not None else found[:20]
