"""What the printed scoresheets show."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from scoring.editions.edition import Edition, SetUp
from scoring.refusal import Refusal
from scoring.rulesets import RoleRow
from tournament import rulebook
from tournament.links import table_url
from tournament.models import Event, Round, Table
from tournament.queries.boxes import BoxNotes, notes_by_table, notes_of_event
from tournament.queries.document_facts import marked_seats
from tournament.queries.scoresheets import check_sums
from tournament.queries.seats import SeatRow, TableRow, table_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedSheet:
    """One table's sheet of one round, to be printed.

    `notes`: what is said of the cards of its box, or the event's. `spare`: the roles and hands
    once one more sits down in the row kept free, where the rules have such a table. `mark`:
    what tells this print from a later one with other people.
    """

    event: Event
    round: Round
    table: int
    link: str
    seats: tuple[SeatRow, ...]
    deals: int
    notes: BoxNotes | None = None
    spare: RoleRow | SetUp | None = None
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSheet(PrintedSheet):
    """`checks`: outcome, points, their sum."""

    row: RoleRow
    checks: list[tuple[str, tuple[int, ...], int]]
    spare: RoleRow | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionSheet(PrintedSheet):
    edition: Edition
    row: SetUp
    spare: SetUp | None = None


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


type _RulesOfSize = Mapping[str, Any]


def _rules_for(event: Event, seats: int) -> _RulesOfSize:
    """What is shuffled at a table of this size, and the same with one more."""
    if edition := rulebook.edition_of(event):
        return {
            "edition": edition,
            "row": edition.row(seats),
            "spare": _row_or_none(event, seats + 1),
        }
    return {
        "row": rulebook.tournament_rules(event).row(seats),
        "checks": check_sums(event, seats),
        "spare": _row_or_none(event, seats + 1),
    }


def _sheet(round_: Round, table: TableRow, rules: _RulesOfSize, notes: BoxNotes) -> PrintedSheet:
    event, mark = round_.event, print_mark(round_, table)
    kind = EditionSheet if "edition" in rules else TournamentSheet
    return kind(
        event=event,
        round=round_,
        table=table.number,
        link=f"{table_url(table.token)}?print={mark}",
        seats=table.seats,
        deals=round_.deals,
        notes=notes,
        mark=mark,
        **rules,
    )


def _row_or_none(event: Event, seats: int) -> RoleRow | SetUp | None:
    try:
        return rulebook.ruleset_of(event).row(seats)
    except Refusal:
        return None
