"""Everything of a round in the order in which it is handed out, and blank sheets in reserve."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from tournament.documents import seating, sheets
from tournament.documents.ask import Ask, Part
from tournament.queries.paper import PaperSheet, paper_sheets
from tournament.queries.seats import SeatRow

SHARE = 10  # of so many tables of a size, one may have to start its sheet again


def spares_facts(ask: Ask) -> list[PaperSheet]:
    """For each size of table in play, a blank sheet for every ten such tables or part of ten."""
    found = paper_sheets(ask.round) if ask.round else []
    if ask.tables:
        found = [sheet for sheet in found if sheet.table in ask.tables]
    counts = Counter(len(sheet.seats) for sheet in found)
    first = {len(sheet.seats): sheet for sheet in reversed(found)}
    return [
        _blank(first[size])
        for size, count in sorted(counts.items())
        for _ in range(-(-count // SHARE))
    ]


def _blank(sheet: PaperSheet) -> PaperSheet:
    """The same sheet for whatever table: nobody's names, no number, no code."""
    seats = tuple(SeatRow(0, "", "", 0, seat.position, 0) for seat in sheet.seats)
    return replace(sheet, table=0, link="", mark="", seats=seats)


def spares_parts(ask: Ask, found: list[PaperSheet]) -> list[Part]:
    return sheets.parts(ask, found)


@dataclass(frozen=True, slots=True)
class Pack:
    seating: Any
    sheets: list[PaperSheet]
    spares: list[PaperSheet]


def facts(ask: Ask) -> Pack:
    return Pack(seating.facts(ask), sheets.facts(ask), spares_facts(ask))


def parts(ask: Ask, pack: Pack) -> list[Part]:
    """The lists for the walls, a sheet for each table, blank ones."""
    if not pack.sheets:
        return []
    return [
        *seating.by_name(ask, pack.seating),
        *seating.by_table(ask, pack.seating),
        *sheets.parts(ask, pack.sheets),
        *spares_parts(ask, pack.spares),
    ]
