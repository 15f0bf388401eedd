"""Who sits where, for the wall: by name and by table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.documents.ask import Ask, Part
from tournament.documents.boxes import Box
from tournament.documents.cells import cells, fitted
from tournament.documents.labels import Both, Label, block, line
from tournament.documents.leaves import (
    SIDE,
    TOP,
    Code,
    Foot,
    Leaf,
    code,
    foot_of,
    paper_of,
    parts_of,
    said,
)
from tournament.links import seats_url
from tournament.models import Round
from tournament.queries.prints import About, about, seating_mark, seats_by_name
from tournament.queries.seats import SeatRow, TableRow, tables_of

HEAD, END, GAP, CODE = 33.0, 14.0, 7.0, 26.0
LARGE = 24  # people on a list with one column
ROW, ROW_MOST = 8.8, 12.0  # heights of its rows
SIZE = 1.9  # points of type for each millimetre of a row
CARD_HEAD, CARD_ROW, CARD_GAP = 11.0, 6.4, 4.0


@dataclass(frozen=True, slots=True)
class Seating:
    """The tables of a round as everybody may see them."""

    about: About
    tables: tuple[TableRow, ...]
    link: str


def facts(ask: Ask) -> Seating | None:
    if ask.round is None:
        return None
    tables = tables_of(ask.round)
    link = f"{seats_url(ask.event)}?print={seating_mark(ask.round, tables)}"
    shown = [replace(table, token="", status="") for table in tables]
    if ask.tables:
        shown = [table for table in shown if table.number in ask.tables]
    return Seating(about(ask.event, ask.round), tuple(shown), link)


def _round_of(ask: Ask) -> Round:
    assert ask.round is not None  # noqa: S101 - the catalogue says `of_round`
    return ask.round


def _words(ask: Ask) -> dict[str, Both]:
    round_ = _round_of(ask)
    return said(
        ask,
        round=lambda: round_.label,
        names=lambda: _("Seats by name"),
        tables=lambda: _("Seats by table"),
        name=lambda: _("Name"),
        table=lambda: _("Table"),
        seat=lambda: _("Seat"),
        scan=lambda: _("On a phone"),
        dealer=lambda: pgettext("at the first seat of a table", "deals"),
    )


def _head(ask: Ask, words: dict[str, Both], what: str, link: str) -> tuple[list[Label], Code]:
    paper = paper_of(ask)
    right = paper.width - SIDE
    width = right - SIDE - CODE - 24
    labels = [
        line("title", words["round"], Box(SIDE, TOP - 2, width, 13), 30, "slab", least=12),
        fitted("strong", ask.event.name, Box(SIDE, TOP + 11, width, 7), 14, "bold"),
        line("plain", words[what], Box(SIDE, TOP + 18, width, 5), 10.5),
        *block(
            "plain",
            words["scan"],
            Box(right - CODE - 23, TOP + 15.5, 21, 8),
            9,
            align="right",
        ),
    ]
    return labels, code(link, Box(right - CODE, TOP - 4, CODE, CODE))


def by_name(ask: Ask, seating: Seating) -> list[Part]:
    """In columns, large enough to be read from two metres."""
    people = seats_by_name(seating.tables)
    if not people:
        return []
    words, paper = _words(ask), paper_of(ask)
    columns = 1 if len(people) <= LARGE else 2
    room = paper.height - TOP - HEAD - END - 3
    rows = min(int(room / ROW), -(-len(people) // columns))
    row = min(ROW_MOST, room / rows)
    per_page = rows * columns
    foot = foot_of(ask, f"{words['round']}, {words['names']}")
    pages = [people[first : first + per_page] for first in range(0, len(people), per_page)]
    leaves = []
    for number, here in enumerate(pages, 1):
        leaf = _names_page(ask, words, seating.link, here, columns, rows, row)
        leaves.append(replace(leaf, foot=tuple(foot(number, len(pages)))))
    return parts_of(ask, leaves)


def _names_page(
    ask: Ask,
    words: dict[str, Both],
    link: str,
    people: Sequence[SeatRow],
    columns: int,
    rows: int,
    row: float,
) -> Leaf:
    labels, scan = _head(ask, words, "names", link)
    width = (paper_of(ask).width - 2 * SIDE - GAP * (columns - 1)) / columns
    thin = heavy = ""
    for place in range(columns):
        here = people[place * rows : (place + 1) * rows]
        if not here:
            break
        x, top = SIDE + place * (width + GAP), TOP + HEAD - 6
        labels += _name_column(words, here, Box(x, top, width, row * len(here)), row * SIZE)
        heavy += f"M{x:.2f} {top + 8:.2f}h{width:.2f}"
        thin += "".join(
            f"M{x:.2f} {top + 8 + row * (index + 1):.2f}h{width:.2f}" for index in range(len(here))
        )
    return Leaf(tuple(labels), thin=thin, heavy=heavy, codes=(scan,))


def _name_column(
    words: dict[str, Both], people: Sequence[SeatRow], box: Box, size: float
) -> list[Label]:
    table, seat = (26.0, 20.0) if box.w > 120 else (15.0, 13.0)
    rows = Box(box.x, box.y + 8, box.w, box.h)
    name = box.w - table - seat
    at = [Box(rows.x, rows.y, name - 2, rows.h), Box(rows.x + name, rows.y, table, rows.h)]
    at.append(Box(rows.x + name + table, rows.y, seat, rows.h))
    heads = [Box(one.x, box.y, one.w, 8) for one in at]
    return [
        line("plain", words["name"], heads[0], 9),
        *block("centre", words["table"], heads[1].inside(0.2, 1), 9, align="center"),
        *block("centre", words["seat"], heads[2].inside(0.2, 1), 9, align="center"),
        *cells("strong", [one.name for one in people], at[0], size, "bold", least=9),
        *cells("title", [str(one.table) for one in people], at[1], size, "slab", align="center"),
        *cells("plain", [str(one.position) for one in people], at[2], size - 2.5, align="center"),
    ]


def by_table(ask: Ask, seating: Seating) -> list[Part]:
    """A card for each table, two beside each other."""
    tables = [table for table in seating.tables if table.seats]
    if not tables:
        return []
    words, paper = _words(ask), paper_of(ask)
    foot = foot_of(ask, f"{words['round']}, {words['tables']}")
    pages = _pages_of_cards(tables, paper.height - HEAD - END - TOP)
    leaves = [
        _cards_page(ask, words, seating.link, here, foot, number, len(pages))
        for number, here in enumerate(pages, 1)
    ]
    return parts_of(ask, leaves)


def _height(pair: Sequence[TableRow]) -> float:
    return CARD_HEAD + CARD_ROW * max(len(table.seats) for table in pair) + 2


def _pages_of_cards(tables: Sequence[TableRow], room: float) -> list[list[list[TableRow]]]:
    """Pairs of tables, as many on a page as there is room for."""
    pages: list[list[list[TableRow]]] = [[]]
    left = room
    for first in range(0, len(tables), 2):
        pair = list(tables[first : first + 2])
        if _height(pair) > left and pages[-1]:
            pages.append([])
            left = room
        pages[-1].append(pair)
        left -= _height(pair) + CARD_GAP
    return pages


def _cards_page(
    ask: Ask,
    words: dict[str, Both],
    link: str,
    pairs: Sequence[Sequence[TableRow]],
    foot: Foot,
    number: int,
    pages: int,
) -> Leaf:
    labels, scan = _head(ask, words, "tables", link)
    width = (paper_of(ask).width - 2 * SIDE - GAP) / 2
    y, thin, heavy = TOP + HEAD - 7, "", ""
    for pair in pairs:
        for place, table in enumerate(pair):
            x = SIDE + place * (width + GAP)
            box = Box(x, y, width, CARD_HEAD + CARD_ROW * len(table.seats) + 2)
            labels += _card(words, table, box)
            heavy += box.path
            thin += f"M{x:.2f} {y + CARD_HEAD:.2f}h{width:.2f}"
        y += _height(pair) + CARD_GAP
    made = tuple(foot(number, pages))
    return Leaf(tuple(labels), thin=thin, heavy=heavy, codes=(scan,), foot=made)


def _card(words: dict[str, Both], table: TableRow, box: Box) -> list[Label]:
    count = len(table.seats)
    rows = Box(box.x, box.y + CARD_HEAD + 1, box.w, CARD_ROW * count)
    names = [seat.name for seat in table.seats]
    return [
        line("plain", words["table"], Box(box.x + 3, box.y, 34, CARD_HEAD), 11),
        line(
            "title",
            str(table.number),
            Box(box.x + box.w - 34, box.y, 31, CARD_HEAD),
            24,
            "slab",
            align="right",
        ),
        *cells(
            "strong",
            [str(seat.position) for seat in table.seats],
            Box(box.x + 2, rows.y, 9, rows.h),
            11.5,
            "bold",
            align="center",
        ),
        *cells("plain", names, Box(box.x + 13, rows.y, box.w - 31, rows.h), 11.5, least=8),
        line(
            "plain",
            words["dealer"],
            Box(box.x + box.w - 17, rows.y, 15, CARD_ROW),
            8.6,
            align="right",
        ),
    ]
