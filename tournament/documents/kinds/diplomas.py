"""Diplomas of the finalists, without a final of the first three; lying, one to a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.documents.document import Document
from tournament.documents.layout.cells import fitted
from tournament.documents.layout.geometry import Box, star_path, trophy_path
from tournament.documents.layout.labels import Bilingual, Label, line
from tournament.documents.layout.letters import on_paper
from tournament.documents.layout.logos import Logo, logos_in_a_row, logos_of
from tournament.documents.layout.pages import (
    PageDrawing,
    Picture,
    in_parts,
    paper_size,
    words_in,
)
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest, PaperSize
from tournament.games import words_for
from tournament.queries.document_facts import Diploma, EventFacts, diplomas_of, event_facts

PLACES: Mapping[int, Promise] = {
    1: gettext_lazy("First place"),
    2: gettext_lazy("Second place"),
    3: gettext_lazy("Third place"),
    4: gettext_lazy("Fourth place"),
    5: gettext_lazy("Fifth place"),
    6: gettext_lazy("Sixth place"),
    7: gettext_lazy("Seventh place"),
    8: gettext_lazy("Eighth place"),
    9: gettext_lazy("Ninth place"),
    10: gettext_lazy("Tenth place"),
}
EDGE, INNER = 9.0, 12.5  # from the paper's edge to the two frames


@dataclass(frozen=True, slots=True)
class DiplomaFacts:
    event: EventFacts
    ruleset: str
    people: tuple[Diploma, ...]
    sponsors: str = ""
    logos: tuple[Logo, ...] = ()


class Diplomas(Document[DiplomaFacts]):
    kind = "diplomas"
    title = gettext_lazy("Diplomas")
    about = gettext_lazy(
        "One for each finalist once the final is played; without a final for the first three, once "
        "the event is finished."
    )
    when = "after"
    wide = True

    def facts(self, request: DocumentRequest) -> DiplomaFacts:
        return DiplomaFacts(
            event_facts(request.event),
            request.event.ruleset,
            diplomas_of(request.event),
            request.event.sponsor_names,
            logos_of(request.event),
        )

    def parts(self, request: DocumentRequest, facts: DiplomaFacts) -> list[Part]:
        pages = [_page(request, facts, diploma) for diploma in facts.people]
        return in_parts(request, pages, wide=self.wide)


def _page(request: DocumentRequest, facts: DiplomaFacts, diploma: Diploma) -> PageDrawing:
    event = facts.event
    paper = paper_size(request, wide=True)
    half, low = paper.width / 2, paper.height - 33
    wings = f"M{half - 92:.2f} 75.5h50M{half + 42:.2f} 75.5h50"
    signed = f"M44 {low:.2f}h76M{paper.width - 120:.2f} {low:.2f}h76"
    return PageDrawing(
        (
            *_labels(paper, _words(request, facts, diploma), event, diploma),
            *_sponsors(request, paper, facts.sponsors),
        ),
        thin=_frame(paper, INNER) + wings,
        heavy=_frame(paper, EDGE) + signed,
        gold=_nuggets(paper) + _honours(paper, facts.ruleset, diploma.rank),
        pictures=(
            Picture("../mine.svg", Box(half - 27, 15, 54, 54)),
            *logos_in_a_row(facts.logos, Box(34, paper.height - 27, paper.width - 68, 7.5)),
        ),
    )


def _sponsors(request: DocumentRequest, paper: PaperSize, names: str) -> tuple[Label, ...]:
    """By name, between the frame and the signatures."""
    if not names:
        return ()
    words = words_in(
        request, support=lambda: _("With the support of: %(names)s") % {"names": names}
    )
    box = Box(34, paper.height - 18.5, paper.width - 68, 5)
    return (line("plain", words["support"], box, 9, align="center"),)


def _words(request: DocumentRequest, facts: DiplomaFacts, diploma: Diploma) -> dict[str, Bilingual]:
    day = datetime.fromisoformat(facts.event.starts)
    return words_in(
        request,
        diploma=lambda: _("Diploma"),
        place=lambda: _place(diploma),
        left=lambda: _("played up to round %(round)d") % {"round": diploma.left_after},
        organiser=lambda: _("Organiser"),
        judge=lambda: _("Judge"),
        day=lambda: date_format(day, _("j F Y")),
        game=lambda: _game(facts.ruleset),
    )


def _game(ruleset: str) -> str:
    match words_for(ruleset).edition:
        case "":
            return _("Tournament of the card game Saboteur")
        case "saboteur-2":
            return _("An evening of the card game Saboteur 2")
        case "duel":
            return _("An evening of the card game Saboteur: The Duel")
    return _("An evening of the card game Saboteur")


def _place(diploma: Diploma) -> str:
    place = str(PLACES.get(diploma.rank, diploma.rank))
    return _("%(place)s, shared") % {"place": place} if diploma.shared else place


def _labels(
    paper: PaperSize, words: dict[str, Bilingual], event: EventFacts, diploma: Diploma
) -> tuple[Label, ...]:
    where = " · ".join(filter(None, [event.venue, str(words["day"])]))
    low, half, wide = paper.height - 33, paper.width / 2, paper.width - 68
    name = on_paper(diploma.name, diploma.number)
    left = _centred("plain", words["left"], Box(34, 160, wide, 6), 11, "sans")
    return (
        _sign(words["organiser"], Box(44, low, 76, 5)),
        _sign(words["judge"], Box(paper.width - 120, low, 76, 5)),
        _centred("title", words["diploma"], Box(half - 36, 70, 72, 10), 21, "slab"),
        _centred("strong", name, Box(34, 85, wide, 22), 44, "bold"),
        _centred("title", words["place"], Box(34, 109, wide, 13), 27, "slab"),
        _centred("strong", event.name, Box(34, 135, wide, 10), 19, "bold"),
        _centred("plain", words["game"], Box(34, 145, wide, 6), 11, "sans"),
        _centred("plain", where, Box(34, 152, wide, 7), 13, "sans"),
        *((left,) if diploma.left_after else ()),
    )


def _centred(kind: str, words: Bilingual | str, box: Box, size: float, face: str) -> Label:
    return fitted(kind, str(words), box, size, face, align="center", least=9)


def _sign(words: Bilingual, box: Box) -> Label:
    """Who signs on the line above."""
    return line("plain", words, Box(box.x, box.y + 1, box.w, box.h), 9, align="center")


def _frame(paper: PaperSize, edge: float) -> str:
    """A frame whose corners are hewn off, like a gallery's."""
    right, low, cut = paper.width - edge, paper.height - edge, 9.0
    return (
        f"M{edge + cut} {edge}H{right - cut:.2f}L{right:.2f} {edge + cut}V{low - cut:.2f}"
        f"L{right - cut:.2f} {low:.2f}H{edge + cut}L{edge} {low - cut:.2f}V{edge + cut}z"
    )


def _nuggets(paper: PaperSize) -> str:
    """One in each corner, and one at each end of the lines beside the title."""
    x, y, half = EDGE + 2.5, EDGE + 2.5, paper.width / 2
    corners = [(a, b) for a in (x, paper.width - x) for b in (y, paper.height - y)]
    return "".join(_nugget(a, b) for a, b in [*corners, (half - 40, 75.5), (half + 40, 75.5)])


def _nugget(x: float, y: float, size: float = 1.0) -> str:
    corners = ((1.5, -1.9), (1.9, 0.2), (0.8, 1.8), (-1.3, 1.9), (-2, -0.2))
    lines = "".join(f"l{a * size:.2f} {b * size:.2f}" for a, b in corners)
    return f"M{x - 2 * size:.2f} {y + 0.2 * size:.2f}{lines}z"


def _honours(paper: PaperSize, ruleset: str, rank: int) -> str:
    """Three for the first, then two, then one: of what the game is about."""
    game, count = words_for(ruleset), max(0, 4 - rank)
    first = paper.width / 2 - (count - 1) * 5.5
    places = [(first + 11 * place, 128.5) for place in range(count)]
    if not game.edition:
        return "".join(star_path(x, y, 3.6) for x, y in places)
    return "".join(
        trophy_path(x, y, 3.6) if game.stars_first else _nugget(x, y, 1.7) for x, y in places
    )
