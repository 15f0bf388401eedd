"""Everything of a round in the order in which it is handed out."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from tournament.documents.document import Document
from tournament.documents.kinds.scoresheets import PaperScoresheets
from tournament.documents.kinds.seating import SeatingFacts, SeatsByName, SeatsByTable
from tournament.documents.kinds.spare_sheets import SpareSheets
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.queries.printed_sheets import PrintedSheet


@dataclass(frozen=True, slots=True)
class PackFacts:
    seating: SeatingFacts
    sheets: list[PrintedSheet]
    spares: list[PrintedSheet]


class PrintPack(Document[PackFacts]):
    """The lists for the walls, a sheet for each table, blank ones."""

    kind = "pack"
    title = gettext_lazy("Print pack")
    about = gettext_lazy(
        "The lists, all scoresheets and the spare ones, in the order you hand them out."
    )
    when = "round"
    of_round = True
    on_sheet_paper = True

    def facts(self, request: DocumentRequest) -> PackFacts:
        return PackFacts(
            # Both lists show the same facts, so they are gathered once.
            SeatsByName().facts(request),
            PaperScoresheets().facts(request),
            SpareSheets().facts(request),
        )

    def parts(self, request: DocumentRequest, facts: PackFacts) -> list[Part]:
        if not facts.sheets:
            return []
        return [
            *SeatsByName().parts(request, facts.seating),
            *SeatsByTable().parts(request, facts.seating),
            *PaperScoresheets().parts(request, facts.sheets),
            *SpareSheets().parts(request, facts.spares),
        ]
