"""Blank scoresheets in reserve."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from django.utils.translation import gettext_lazy

from tournament.documents.kinds.scoresheets import PaperScoresheets
from tournament.documents.request import DocumentRequest
from tournament.queries.printed_sheets import PrintedSheet, printed_sheets
from tournament.queries.seats import SeatRow

SHARE = 10  # of so many tables of a size, one may have to start its sheet again


class SpareSheets(PaperScoresheets):
    """For each size of table in play, one for every ten such tables or part of ten."""

    kind = "spares"
    title = gettext_lazy("Spare sheets")
    about = gettext_lazy("Without names, for each size of table in play.")

    def facts(self, request: DocumentRequest) -> list[PrintedSheet]:
        sheets = printed_sheets(request.required_round, only=request.tables)
        counts = Counter(len(sheet.seats) for sheet in sheets)
        # Reversed, so that of each size the first one is kept.
        first = {len(sheet.seats): sheet for sheet in reversed(sheets)}
        return [
            _blank(first[size])
            for size, count in sorted(counts.items())
            for _number in range(-(-count // SHARE))
        ]


def _blank(sheet: PrintedSheet) -> PrintedSheet:
    """The same sheet for whatever table: nobody's names, no number, no code."""
    seats = tuple(SeatRow(0, "", "", 0, seat.position, 0) for seat in sheet.seats)
    return replace(sheet, table=0, link="", mark="", seats=seats)
