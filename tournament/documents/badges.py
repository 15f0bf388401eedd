"""Name badges, ten to a sheet, to be cut along the marks."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import pgettext

from tournament.documents.ask import Ask, Part
from tournament.documents.boxes import Box
from tournament.documents.cells import fitted
from tournament.documents.labels import Both, Label, line
from tournament.documents.leaves import Code, Leaf, code, foot_of, paper_of, parts_of, said
from tournament.documents.sheetform import Picture
from tournament.queries.prints import About, Entry, about, expected

COLUMNS, ROWS, MARK, OFF = 2, 5, 3.2, 1.0
SIZES = {True: (88.9, 50.8), False: (90.0, 52.0)}  # Letter: 3½ x 2 inches, as on bought sheets
CODE = 21.0


@dataclass(frozen=True, slots=True)
class Badges:
    about: About
    people: tuple[Entry, ...]


def facts(ask: Ask) -> Badges:
    people = sorted(expected(ask.event), key=lambda one: one.number)
    return Badges(about(ask.event), tuple(people))


def parts(ask: Ask, badges: Badges) -> list[Part]:
    words = said(ask, number=lambda: pgettext("start number", "No."))
    each = COLUMNS * ROWS
    people = badges.people
    pages = [people[first : first + each] for first in range(0, len(people), each)]
    foot = foot_of(ask, "", up=7.6)
    return parts_of(
        ask,
        [
            _page(ask, words, badges.about, here, tuple(foot(number, len(pages))))
            for number, here in enumerate(pages, 1)
        ],
    )


def _page(
    ask: Ask,
    words: dict[str, Both],
    event: About,
    people: tuple[Entry, ...],
    foot: tuple[Label, ...],
) -> Leaf:
    paper, (width, height) = paper_of(ask), SIZES[ask.letter]
    left, top = (paper.width - COLUMNS * width) / 2, (paper.height - ROWS * height) / 2
    labels: list[Label] = []
    pictures, codes = [], []
    for place, person in enumerate(people):
        row, column = divmod(place, COLUMNS)
        box = Box(left + column * width, top + row * height, width, height)
        more, scan, picture = _badge(words, event, person, box)
        labels += more
        codes.append(scan)
        pictures.append(picture)
    return Leaf(
        tuple(labels),
        thin=_marks(left, top, width, height),
        pictures=tuple(pictures),
        codes=tuple(codes),
        foot=foot,
    )


def _badge(
    words: dict[str, Both], event: About, person: Entry, box: Box
) -> tuple[list[Label], Code, Picture]:
    inner = box.inside(5, 4.5)
    low = inner.y + inner.h - CODE
    labels = [
        fitted("plain", event.name, Box(inner.x + 8, inner.y, inner.w - 8, 6), 9.5, least=6.5),
        fitted(
            "strong", person.shown, Box(inner.x, inner.y + 7, inner.w, 14), 23, "bold", least=12
        ),
        line("plain", words["number"], Box(inner.x, low + 1.5, inner.w - CODE - 3, 4.5), 9),
        line(
            "title",
            str(person.number),
            Box(inner.x, low + 5.5, inner.w - CODE - 3, 15.5),
            36,
            "slab",
        ),
    ]
    scan = code(person.ticket, Box(inner.x + inner.w - CODE, low, CODE, CODE))
    return labels, scan, Picture("lamp.svg", Box(inner.x - 0.5, inner.y - 0.5, 6.8, 6.8))


def _marks(left: float, top: float, width: float, height: float) -> str:
    """Where to cut, outside the badges: they stay clean."""
    drawn = ""
    for column in range(COLUMNS + 1):
        x = left + column * width
        for y in (top - OFF - MARK, top + ROWS * height + OFF):
            drawn += f"M{x:.2f} {y:.2f}v{MARK}"
    for row in range(ROWS + 1):
        y = top + row * height
        for x in (left - OFF - MARK, left + COLUMNS * width + OFF):
            drawn += f"M{x:.2f} {y:.2f}h{MARK}"
    return drawn
