"""Diplomas of the finalists, lying, one to a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils import translation
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.documents.ask import Ask, Part
from tournament.documents.boxes import Box
from tournament.documents.cells import fitted
from tournament.documents.forms import Paper
from tournament.documents.grid import star_path
from tournament.documents.labels import Both, Label, line
from tournament.documents.leaves import Leaf, paper_of, parts_of, said
from tournament.documents.sheetform import Picture
from tournament.queries.prints import About, Diploma, about, diplomas_of

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
EDGE, INNER = 9.0, 12.5


@dataclass(frozen=True, slots=True)
class Diplomas:
    about: About
    people: tuple[Diploma, ...]


def facts(ask: Ask) -> Diplomas:
    return Diplomas(about(ask.event), diplomas_of(ask.event))


def parts(ask: Ask, diplomas: Diplomas) -> list[Part]:
    leaves = [_page(ask, diplomas.about, one) for one in diplomas.people]
    return parts_of(ask, leaves, wide=True)


def _page(ask: Ask, event: About, one: Diploma) -> Leaf:
    paper = paper_of(ask, wide=True)
    day = datetime.fromisoformat(event.starts)
    words = said(
        ask,
        diploma=lambda: _("Diploma"),
        place=lambda: str(PLACES.get(one.rank, one.rank)),
        organiser=lambda: _("Organiser"),
        judge=lambda: _("Judge"),
        day=lambda: date_format(day, _("j F Y")),
        game=lambda: _("Tournament of the card game Saboteur"),
    )
    if one.shared:
        words["place"] = Both(
            tuple(_shared(text, ask, n) for n, text in enumerate(words["place"].said))
        )
    where = " · ".join(filter(None, [event.venue, str(words["day"])]))
    low, half, wide = paper.height - 33, paper.width / 2, paper.width - 68
    labels = (
        _sign(words["organiser"], Box(44, low, 76, 5)),
        _sign(words["judge"], Box(paper.width - 120, low, 76, 5)),
        _centred("title", words["diploma"], Box(half - 36, 70, 72, 10), 21, "slab"),
        _centred("strong", one.name, Box(34, 85, wide, 22), 44, "bold"),
        _centred("title", words["place"], Box(34, 109, wide, 13), 27, "slab"),
        _centred("strong", event.name, Box(34, 135, wide, 10), 19, "bold"),
        _centred("plain", words["game"], Box(34, 145, wide, 6), 11, "sans"),
        _centred("plain", where, Box(34, 152, wide, 7), 13, "sans"),
    )
    wings = f"M{half - 92:.2f} 75.5h50M{half + 42:.2f} 75.5h50"
    signed = f"M44 {low:.2f}h76M{paper.width - 120:.2f} {low:.2f}h76"
    return Leaf(
        labels,
        thin=_frame(paper, INNER) + wings,
        heavy=_frame(paper, EDGE) + signed,
        gold=_nuggets(paper) + _stars(paper, one.rank),
        pictures=(Picture("../mine.svg", Box(half - 27, 15, 54, 54)),),
    )


def _centred(kind: str, words: Both | str, box: Box, size: float, face: str) -> Label:
    return fitted(kind, str(words), box, size, face, align="center", least=9)


def _sign(words: Both, box: Box) -> Label:
    """Who signs on the line above."""
    return line("plain", words, Box(box.x, box.y + 1, box.w, box.h), 9, align="center")


def _shared(text: str, ask: Ask, number: int) -> str:
    with translation.override(ask.said_in[number]):
        return _("%(place)s, shared") % {"place": text}


def _frame(paper: Paper, edge: float) -> str:
    """A frame whose corners are hewn off, like a gallery's."""
    a, b, cut = paper.width - edge, paper.height - edge, 9.0
    return (
        f"M{edge + cut} {edge}H{a - cut:.2f}L{a:.2f} {edge + cut}V{b - cut:.2f}"
        f"L{a - cut:.2f} {b:.2f}H{edge + cut}L{edge} {b - cut:.2f}V{edge + cut}z"
    )


def _nuggets(paper: Paper) -> str:
    """One in each corner, and one at each end of the lines beside the title."""
    x, y, half = EDGE + 2.5, EDGE + 2.5, paper.width / 2
    corners = [(a, b) for a in (x, paper.width - x) for b in (y, paper.height - y)]
    return "".join(_nugget(a, b) for a, b in [*corners, (half - 40, 75.5), (half + 40, 75.5)])


def _nugget(x: float, y: float) -> str:
    return f"M{x - 2:.2f} {y + 0.2:.2f}l1.5 -1.9l1.9 .2l.8 1.8l-1.3 1.9l-2 -.2z"


def _stars(paper: Paper, rank: int) -> str:
    """Three stars for the first, then two, then one."""
    count = max(0, 4 - rank)
    first = paper.width / 2 - (count - 1) * 5.5
    return "".join(star_path(first + 11 * place, 128.5, 3.6) for place in range(count))
