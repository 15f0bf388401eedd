"""Who sits where, for everybody who looks for a seat."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from tournament.models import Event, Round, Seat, Table
from tournament.models.players import shown_name
from tournament.models.scoresheets import SheetStatus


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A player's place in a round."""

    number: int
    name: str
    staff_name: str
    table: int
    position: int
    player_id: int


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


def current_round(event: Event) -> Round | None:
    """The round that is being played, else the last one that was."""
    rounds = event.rounds.played()
    found = rounds.order_by("-published_at", "-pk").first()
    if found is not None:
        found.event = event
    return found


def table_rows(round_: Round, only: Table | None = None) -> tuple[TableRow, ...]:
    """All tables of a round, or this one, with their seats, in two queries."""
    of_seats, of_tables = ({"table": only}, {"pk": only.pk}) if only else ({}, {})
    seats: dict[int, list[SeatRow]] = {}
    for table_id, table, position, player_id, number, name, style, alias in (
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
        )
    ):
        public = shown_name(name, style, alias, number)
        row = SeatRow(number, public, name, table, position, player_id)
        seats.setdefault(table_id, []).append(row)
    return tuple(
        TableRow(pk, number, token, status, tuple(seats.get(pk, ())))
        for pk, number, token, status in round_.tables.filter(**of_tables)
        .order_by("number")
        .values_list("pk", "number", "token", "sheet__status")
    )


def folded(text: str) -> str:
    """Letters without accents or case, so that "sanchez" finds "Sánchez"."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return plain.replace("ł", "l").replace("ı", "i").replace("ø", "o").replace("ß", "ss")


def find_seats(tables: Sequence[TableRow], query: str) -> list[SeatRow]:
    """Seats of people whose shown name holds each word, or whose start number it is."""
    words = folded(query).split()
    rows = [seat for table in tables for seat in table.seats]
    if len(words) == 1 and words[0].isdecimal():
        return [row for row in rows if row.number == int(words[0])]
    return [row for row in rows if all(word in folded(row.name) for word in words)][:20]
