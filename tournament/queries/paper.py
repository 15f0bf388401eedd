"""What the printed scoresheets show."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from scoring.rulesets import RoleRow
from tournament import rulebook
from tournament.links import table_url
from tournament.models import Event, Round
from tournament.queries.seats import SeatRow, tables_of
from tournament.queries.sheets import check_sums


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """One table's sheet of one round, to be printed. `checks`: outcome, points, their sum."""

    event: Event
    round: Round
    table: int
    tables: int
    link: str
    seats: tuple[SeatRow, ...]
    row: RoleRow
    deals: int
    checks: list[tuple[str, tuple[int, ...], int]]


def paper_sheets(
    round_: Round, *, first: int = 1, count: int = 100, only: Collection[int] = ()
) -> list[PaperSheet]:
    """The sheets of tables `first`… of a round, or of `only` these, in two queries."""
    tables = tables_of(round_)
    event = round_.event
    return [
        PaperSheet(
            event=event,
            round=round_,
            table=table.number,
            tables=len(tables),
            link=table_url(table.token),
            seats=table.seats,
            row=rulebook.row_for(event, len(table.seats)),
            deals=round_.deals,
            checks=check_sums(event, len(table.seats)),
        )
        for table in tables
        if (table.number in only if only else first <= table.number < first + count)
    ]
