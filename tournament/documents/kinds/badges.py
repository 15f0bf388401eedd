"""Name badges, ten to a sheet, to be cut along the marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import batched

from django.utils.translation import gettext_lazy, pgettext

from tournament.documents.document import Document
from tournament.documents.layout.cells import fitted
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import Bilingual, Label, line
from tournament.documents.layout.letters import on_paper
from tournament.documents.layout.pages import (
    PageDrawing,
    Picture,
    QrCode,
    in_parts,
    page_footer,
    paper_size,
    qr_code,
    words_in,
)
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.queries.document_facts import EventFacts, ListedPlayer, event_facts, expected

COLUMNS, ROWS = 2, 5
MARK, OFF = 3.2, 1.0  # how long a cutting mark is, and how far from the badges
SIZES = {True: (88.9, 50.8), False: (90.0, 52.0)}  # Letter: 3½ x 2 inches, as on bought sheets
CODE = 21.0


@dataclass(frozen=True, slots=True)
class BadgeFacts:
    event: EventFacts
    people: tuple[ListedPlayer, ...]


class NameBadges(Document[BadgeFacts]):
    kind = "badges"
    title = gettext_lazy("Name badges")
    about = gettext_lazy("Number, name and the code of the ticket. Ten to a page, with cut marks.")
    when = "before"

    def facts(self, request: DocumentRequest) -> BadgeFacts:
        people = sorted(expected(request.event), key=lambda person: person.number)
        return BadgeFacts(event_facts(request.event), tuple(people))

    def parts(self, request: DocumentRequest, facts: BadgeFacts) -> list[Part]:
        words = words_in(request, number=lambda: pgettext("start number", "No."))
        groups = list(batched(facts.people, COLUMNS * ROWS))
        footer = page_footer(request, "", up=7.6)
        pages = [
            _page(request, words, facts.event, group, tuple(footer(number, len(groups))))
            for number, group in enumerate(groups, 1)
        ]
        return in_parts(request, pages)


def _page(
    request: DocumentRequest,
    words: dict[str, Bilingual],
    event: EventFacts,
    people: Sequence[ListedPlayer],
    foot: tuple[Label, ...],
) -> PageDrawing:
    paper, (width, height) = paper_size(request), SIZES[request.letter]
    left, top = (paper.width - COLUMNS * width) / 2, (paper.height - ROWS * height) / 2
    labels: list[Label] = []
    pictures, codes = [], []
    for place, person in enumerate(people):
        row, column = divmod(place, COLUMNS)
        box = Box(left + column * width, top + row * height, width, height)
        its_labels, code, picture = _badge(words, event, person, box)
        labels += its_labels
        codes.append(code)
        pictures.append(picture)
    return PageDrawing(
        tuple(labels),
        thin=_marks(left, top, width, height),
        pictures=tuple(pictures),
        codes=tuple(codes),
        foot=foot,
    )


def _badge(
    words: dict[str, Bilingual], event: EventFacts, person: ListedPlayer, box: Box
) -> tuple[list[Label], QrCode, Picture]:
    inner = box.inside(5, 4.5)
    low = inner.y + inner.h - CODE
    beside_code = inner.w - CODE - 3
    name = Box(inner.x, inner.y + 7, inner.w, 14)
    number = Box(inner.x, low + 5.5, beside_code, 15.5)
    labels = [
        fitted("plain", event.name, Box(inner.x + 8, inner.y, inner.w - 8, 6), 9.5, least=6.5),
        fitted("strong", on_paper(person.shown, person.number), name, 23, "bold", least=12),
        line("plain", words["number"], Box(inner.x, low + 1.5, beside_code, 4.5), 9),
        line("title", str(person.number), number, 36, "slab"),
    ]
    code = qr_code(person.ticket, Box(inner.x + inner.w - CODE, low, CODE, CODE))
    return labels, code, Picture("lamp.svg", Box(inner.x - 0.5, inner.y - 0.5, 6.8, 6.8))


def _marks(left: float, top: float, width: float, height: float) -> str:
    """Where to cut, outside the badges: they stay clean."""
    path = ""
    for column in range(COLUMNS + 1):
        x = left + column * width
        for y in (top - OFF - MARK, top + ROWS * height + OFF):
            path += f"M{x:.2f} {y:.2f}v{MARK}"
    for row in range(ROWS + 1):
        y = top + row * height
        for x in (left - OFF - MARK, left + COLUMNS * width + OFF):
            path += f"M{x:.2f} {y:.2f}h{MARK}"
    return path
