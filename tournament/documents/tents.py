"""Table tents: a sheet folded in the middle, the table's number on both sides."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.documents.ask import Ask, Part
from tournament.documents.boxes import Box
from tournament.documents.cells import fitted
from tournament.documents.labels import Both, block, line
from tournament.documents.leaves import SIDE, Leaf, code, foot_of, paper_of, parts_of, said
from tournament.documents.sheetform import Picture
from tournament.links import seats_url
from tournament.queries.prints import About, about, tables_expected

NUMBER, CODE = 330.0, 30.0  # points, millimetres


@dataclass(frozen=True, slots=True)
class Tents:
    about: About
    tables: tuple[int, ...]
    link: str


def facts(ask: Ask) -> Tents:
    return Tents(about(ask.event), tables_expected(ask.event, ask.tables), seats_url(ask.event))


def parts(ask: Ask, tents: Tents) -> list[Part]:
    words = said(
        ask,
        table=lambda: _("Table"),
        scan=lambda: _("Find your seat"),
        fold=lambda: _("fold here"),
    )
    foot, paper = foot_of(ask, str(words["table"]), up=9), paper_of(ask)
    middle = paper.height / 2
    leaves = []
    for place, table in enumerate(tents.tables, 1):
        leaf = _side(ask, words, table, tents.link)
        fold = line("faint", words["fold"], Box(19, middle - 2, 60, 4), 7)
        made = (fold, *foot(place, len(tents.tables)))
        leaves.append(
            Leaf(
                leaf.labels,
                dashed=f"M5 {middle:.2f}h12M{paper.width - 17:.2f} {middle:.2f}h12",
                pictures=leaf.pictures,
                codes=leaf.codes,
                foot=made,
                both_ways=True,
            )
        )
    return parts_of(ask, leaves)


def _side(ask: Ask, words: dict[str, Both], table: int, link: str) -> Leaf:
    """The lower half of the sheet; the upper one is the same, upside down."""
    paper = paper_of(ask)
    top, right = paper.height / 2, paper.width - SIDE
    side = 42.0
    return Leaf(
        (
            fitted(
                "strong", ask.event.name, Box(SIDE, top + 8, right - SIDE, 9), 17, "bold", least=9
            ),
            *block("plain", words["table"], Box(SIDE, top + 24, side, 16), 22, least=9),
            line(
                "title",
                str(table),
                Box(SIDE + side, top + 19, right - SIDE - side, 112),
                NUMBER,
                "slab",
                align="center",
            ),
            *block("plain", words["scan"], Box(SIDE, top + 83, side, 11), 10.5),
        ),
        pictures=(Picture("lamp.svg", Box(SIDE - 1, top + 42, 22, 22)),),
        codes=(code(link, Box(SIDE - 1.5, top + 95, CODE, CODE)),),
    )
