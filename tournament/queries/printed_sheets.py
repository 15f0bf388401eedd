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
from tournament.queries.boxes import BoxNotes, notes_by_table, notes_of_event
from tournament.queries.document_facts import marked_seats
from tournament.queries.scoresheets import check_sums
from tournament.queries.seats import SeatRow, TableRow, table_rows


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """One table's sheet of one round, to be printed. `checks`: outcome, points, their sum.

    `notes`: what is said of the cards of its box, or the event's. `spare`: the roles and hands
    once one more sits down in the row kept free, where the rules have such a table. `mark`:
    what tells this print from a later one with other people.
    """

    event: Event
    round: Round
    table: int
    link: str
    seats: tuple[SeatRow, ...]
    row: RoleRow
    deals: int
    checks: list[tuple[str, tuple[int, ...], int]]
    notes: BoxNotes | None = None
    spare: RoleRow | None = None
    mark: str = ""


def printed_sheets(round_: Round, *, only: Collection[int] = ()) -> list[PrintedSheet]:
    """The sheets of all tables of a round, or of `only` these, in three queries."""
    # Whoever is without an opponent has no sheet.
    shown = [
        table
        for table in table_rows(round_)
        if len(table.seats) > 1 and (not only or table.number in only)
    ]
    # Once for each size: a convention has hundreds of equal tables.
    rules = {size: _rules_for(round_.event, size) for size in {len(t.seats) for t in shown}}
    boxes, others = notes_by_table(round_.event), notes_of_event(round_.event)
    return [
        _sheet(round_, table, rules[len(table.seats)], boxes.get(table.number, others))
        for table in shown
    ]


def print_mark(round_: Round, table: TableRow) -> str:
    """What tells a print of this table's sheet from one made before somebody changed: the same
    people in the same seats, the same rules and deals have the same mark."""
    event = round_.event
    seats = marked_seats(table)
    facts = (round_.label, round_.deals, table.number, seats, event.name, *_rules(event))
    return sha256(repr(facts).encode()).hexdigest()[:8]


def is_older_print(table: Table, mark: str) -> bool:
    """Whether the sheet whose code was read was printed before its table changed."""
    (row,) = table_rows(table.round, only=table)
    return mark != print_mark(table.round, row)


def _rules(event: Event) -> tuple[str, str]:
    return event.ruleset, repr(sorted(event.ruleset_changes.items()))


type _RulesOfSize = tuple[RoleRow, list[tuple[str, tuple[int, ...], int]], RoleRow | None]


def _rules_for(event: Event, seats: int) -> _RulesOfSize:
    """What is shuffled at a table of this size, what comes out, and the same with one more."""
    row = rulebook.tournament_rules(event).row(seats)
    return row, check_sums(event, seats), _row_or_none(event, seats + 1)


def _sheet(round_: Round, table: TableRow, rules: _RulesOfSize, notes: BoxNotes) -> PrintedSheet:
    event, mark = round_.event, print_mark(round_, table)
    row, checks, spare = rules
    return PrintedSheet(
        event=event,
        round=round_,
        table=table.number,
        link=f"{table_url(table.token)}?print={mark}",
        seats=table.seats,
        row=row,
        deals=round_.deals,
        checks=checks,
        notes=notes,
        spare=spare,
        mark=mark,
    )


def _row_or_none(event: Event, seats: int) -> RoleRow | None:
    try:
        return rulebook.tournament_rules(event).row(seats)
    except Refusal:
        return None
