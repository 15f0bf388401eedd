"""A card for each table with the errors that everybody watches for: four to a page, A6 from A4."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.documents.document import Document
from tournament.documents.layout.fitting import MM_PER_PT, in_lines
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import LINE, Label, line
from tournament.documents.layout.pages import (
    PageDrawing,
    QrCode,
    in_parts,
    paper_size,
    qr_code,
)
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.games import words_of
from tournament.links import questions_url
from tournament.models import Event
from tournament.queries.document_facts import EventFacts, event_facts
from tournament.queries.guidance import common_errors

INSIDE, TITLE, CODE = 8.0, 9.0, 18.0
LARGEST, LEAST = 11.0, 5.0


@dataclass(frozen=True, slots=True)
class CardTexts:
    title: str
    lead: str
    errors: tuple[str, ...]
    more: str


@dataclass(frozen=True, slots=True)
class ErrorCardFacts:
    """`texts`: in each of the languages."""

    event: EventFacts
    link: str
    texts: tuple[CardTexts, ...]


class ErrorCards(Document[ErrorCardFacts]):
    """In two languages the halves of a page differ: cut across and fold, and each card has both.
    They speak of the cards of a game with roles."""

    kind = "errors"
    title = gettext_lazy("Help each other")
    about = gettext_lazy("The common errors for each table: four cards to a page.")
    when = "before"

    def suits(self, event: Event) -> bool:
        return bool(words_of(event).roles)

    def facts(self, request: DocumentRequest) -> ErrorCardFacts:
        texts = []
        for language in request.effective_languages:
            with translation.override(language):
                texts.append(_texts())
        return ErrorCardFacts(
            event_facts(request.event), questions_url(request.event), tuple(texts)
        )

    def parts(self, request: DocumentRequest, facts: ErrorCardFacts) -> list[Part]:
        paper = paper_size(request)
        width, height = paper.width / 2, paper.height / 2
        labels: list[Label] = []
        codes: list[QrCode] = []
        for row in range(2):
            for column in range(2):
                box = Box(column * width, row * height, width, height).inside(INSIDE, INSIDE)
                texts = facts.texts[column % len(facts.texts)]
                labels += _card(texts, facts.event.name, box)
                codes.append(qr_code(facts.link, _code(box)))
        cuts = f"M{width:.2f} 0v{paper.height}M0 {height:.2f}h{paper.width}"
        return in_parts(request, [PageDrawing(tuple(labels), dashed=cuts, codes=tuple(codes))])


def _texts() -> CardTexts:
    return CardTexts(
        title=_("Help each other"),
        lead=_(
            "Watching for these errors is every player's duty, whoever makes them. Say it at once. "
            "What it costs is for a judge to say."
        ),
        errors=tuple(error[:1].upper() + error[1:] for error in common_errors()),
        more=_("What people ask, and the rulings of today"),
    )


def _code(box: Box) -> Box:
    return Box(box.x + box.w - CODE, box.y + box.h - CODE, CODE, CODE)


def _card(texts: CardTexts, event: str, box: Box) -> list[Label]:
    foot = Box(box.x, box.y + box.h - CODE, box.w - CODE - 3, CODE)
    room = box.h - TITLE - CODE - 2
    size = _size(texts, box.w, room)
    y, labels = box.y + TITLE, []
    for kind, text, indent in _lines(texts):
        place = Box(box.x + indent, y, box.w - indent, 0)
        label, high = _paragraph(kind, text, place, size)
        if indent:
            dot = Box(box.x, y, indent, size * LINE * MM_PER_PT)
            labels.append(line("plain", "·", dot, size, least=LEAST))
        labels.append(label)
        y += high
    return [
        line("title", texts.title, Box(box.x, box.y, box.w, TITLE - 1), 18, "slab"),
        *labels,
        line("plain", texts.more, Box(foot.x, foot.y + 8, foot.w, 4), 8),
        line("strong", event, Box(foot.x, foot.y + 13, foot.w, 4), 8, "bold"),
    ]


def _lines(texts: CardTexts) -> list[tuple[str, str, float]]:
    """Kind of line, its text, and how far it is set in."""
    return [("strong", texts.lead, 0.0), *(("plain", error, 3.5) for error in texts.errors)]


def _size(texts: CardTexts, width: float, room: float) -> float:
    """The largest type size, in points, at which all lines fit the room's height."""
    size = LARGEST
    while size > LEAST and _height(texts, width, size) > room:
        size -= 0.2
    return size


def _height(texts: CardTexts, width: float, size: float) -> float:
    return sum(
        _paragraph(kind, text, Box(0, 0, width - indent, 0), size)[1]
        for kind, text, indent in _lines(texts)
    )


def _paragraph(kind: str, text: str, box: Box, size: float) -> tuple[Label, float]:
    """The text from the top of the box, and the height that it takes."""
    lines = in_lines(text, box.w * 0.98, size, 12, "bold" if kind == "strong" else "sans")
    height = size * LINE * MM_PER_PT
    place = Box(box.x, box.y, box.w, height * len(lines))
    style = f"{place.css};line-height:{height:.3f}mm;font-size:{size:.2f}pt"
    return Label(kind, "\n".join(lines), style), place.h + size * 0.25 * MM_PER_PT
