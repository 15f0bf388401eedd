"""Table tents: a sheet folded in the middle, the table's number on both sides."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.documents.document import Document
from tournament.documents.layout.cells import fitted
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import Bilingual, block, line
from tournament.documents.layout.pages import (
    SIDE,
    PageDrawing,
    Picture,
    in_parts,
    page_footer,
    paper_size,
    qr_code,
    words_in,
)
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.links import seats_url
from tournament.queries.document_facts import EventFacts, event_facts, tables_expected

NUMBER, CODE = 330.0, 30.0  # points, millimetres
LEFT_COLUMN = 42.0  # for all that stands beside the number


@dataclass(frozen=True, slots=True)
class TentFacts:
    event: EventFacts
    tables: tuple[int, ...]
    link: str


class TableTents(Document[TentFacts]):
    kind = "tents"
    title = gettext_lazy("Table tents")
    about = gettext_lazy("The table's number in large, on both sides. Fold in the middle.")
    when = "before"

    def facts(self, request: DocumentRequest) -> TentFacts:
        return TentFacts(
            event_facts(request.event),
            tables_expected(request.event, request.tables),
            seats_url(request.event),
        )

    def parts(self, request: DocumentRequest, facts: TentFacts) -> list[Part]:
        words = words_in(
            request,
            table=lambda: _("Table"),
            scan=lambda: _("Find your seat"),
            fold=lambda: _("fold here"),
        )
        footer, paper = page_footer(request, str(words["table"]), up=9), paper_size(request)
        middle = paper.height / 2
        fold = line("faint", words["fold"], Box(19, middle - 2, 60, 4), 7)
        pages = [
            replace(
                _side(request, words, table, facts.link),
                dashed=f"M5 {middle:.2f}h12M{paper.width - 17:.2f} {middle:.2f}h12",
                # In the foot, the one part that is not drawn both ways.
                foot=(fold, *footer(number, len(facts.tables))),
                both_ways=True,
            )
            for number, table in enumerate(facts.tables, 1)
        ]
        return in_parts(request, pages)


def _side(
    request: DocumentRequest, words: dict[str, Bilingual], table: int, link: str
) -> PageDrawing:
    """The lower half of the sheet; the upper one is the same, upside down."""
    paper = paper_size(request)
    top, right = paper.height / 2, paper.width - SIDE
    name = Box(SIDE, top + 8, right - SIDE, 9)
    number = Box(SIDE + LEFT_COLUMN, top + 19, right - SIDE - LEFT_COLUMN, 112)
    return PageDrawing(
        (
            fitted("strong", request.event.name, name, 17, "bold", least=9),
            *block("plain", words["table"], Box(SIDE, top + 24, LEFT_COLUMN, 16), 22, least=9),
            line("title", str(table), number, NUMBER, "slab", align="center"),
            *block("plain", words["scan"], Box(SIDE, top + 83, LEFT_COLUMN, 11), 10.5),
        ),
        pictures=(Picture("lamp.svg", Box(SIDE - 1, top + 42, 22, 22)),),
        codes=(qr_code(link, Box(SIDE - 1.5, top + 95, CODE, CODE)),),
    )
