"""What the printed scoresheets show."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256

from scoring.refusal import Refusal
from scoring.rulesets import RoleRow
from tournament import rulebook
from tournament.links import table_url
from tournament.models import Event, Round, Table
from tournament.queries.seats import SeatRow, TableRow, tables_of
from tournament.queries.sheets import check_sums


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """One table's sheet of one round, to be printed. `checks`: outcome, points, their sum.

    `spare`: the roles and hands once one more sits down in the row kept free, where the rules
    have such a table. `mark`: what tells this print from a later one with other people.
    """

    event: Event
    round: Round
    table: int
    tables: int
    link: str
    seats: tuple[SeatRow, ...]
    row: RoleRow
    deals: int
    checks: list[tuple[str, tuple[int, ...], int]]
    spare: RoleRow | None = None
    mark: str = ""


def paper_sheets(
    round_: Round, *, first: int = 1, count: int = 100, only: Collection[int] = ()
) -> list[PaperSheet]:
    """The sheets of tables `first`… of a round, or of `only` these, in two queries."""
    tables = tables_of(round_)
    return [
        _sheet(round_, table, len(tables))
        for table in tables
        if (table.number in only if only else first <= table.number < first + count)
    ]


def mark_of(round_: Round, table: TableRow) -> str:
    """What tells a print of this table's sheet from one made before somebody changed: the same
    people in the same seats, the same rules and deals have the same mark."""
    event = round_.event
    seats = [(seat.position, seat.number, seat.name) for seat in table.seats]
    facts = (round_.label, round_.deals, table.number, seats, event.name, *_rules(event))
    return sha256(repr(facts).encode()).hexdigest()[:8]


def is_older_print(table: Table, mark: str) -> bool:
    """Whether the sheet whose code was read was printed before its table changed."""
    (row,) = tables_of(table.round, only=table)
    return mark != mark_of(table.round, row)


def _rules(event: Event) -> tuple[str, str]:
    return event.ruleset, repr(sorted(event.ruleset_changes.items()))


def _sheet(round_: Round, table: TableRow, tables: int) -> PaperSheet:
    event, seats, mark = round_.event, len(table.seats), mark_of(round_, table)
    return PaperSheet(
        event=event,
        round=round_,
        table=table.number,
        tables=tables,
        link=f"{table_url(table.token)}?print={mark}",
        seats=table.seats,
        row=rulebook.row_for(event, seats),
        deals=round_.deals,
        checks=check_sums(event, seats),
        spare=_row_or_none(event, seats + 1),
        mark=mark,
    )


def _row_or_none(event: Event, seats: int) -> RoleRow | None:
    try:
        return rulebook.row_for(event, seats)
    except Refusal:
        return None
