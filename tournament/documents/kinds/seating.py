"""Who sits where, for the wall: by name and by table."""

from __future__ import annotations

from abc import ABC
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import batched
from typing import Self

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournament.documents.document import Document
from tournament.documents.layout.cells import cells, fitted
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import Bilingual, Label, block, line
from tournament.documents.layout.letters import on_paper
from tournament.documents.layout.pages import (
    SIDE,
    TOP,
    PageDrawing,
    QrCode,
    in_parts,
    page_footer,
    paper_size,
    qr_code,
    words_in,
)
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.links import seats_url
from tournament.queries.document_facts import EventFacts, event_facts, seating_mark, seats_by_name
from tournament.queries.seats import SeatRow, TableRow, table_rows

HEAD, END, GAP, CODE = 33.0, 14.0, 7.0, 26.0
LARGE = 24  # people on a list with one column
ROW, ROW_MOST = 8.8, 12.0  # heights of its rows
SIZE = 1.9  # points of type for each millimetre of a row
CARD_HEAD, CARD_ROW, CARD_GAP = 11.0, 6.4, 4.0


@dataclass(frozen=True, slots=True)
class SeatingFacts:
    """The tables of a round as everybody may see them."""

    event: EventFacts
    tables: tuple[TableRow, ...]
    link: str


class _SeatingList(Document[SeatingFacts], ABC):
    when = "round"
    of_round = True

    def facts(self, request: DocumentRequest) -> SeatingFacts:
        round_ = request.required_round
        tables = table_rows(round_)
        link = f"{seats_url(request.event)}?print={seating_mark(round_, tables)}"
        # Neither the table's link nor how far its sheet is stands on a wall, so a sheet that comes
        # in must not make the list another one.
        shown = [replace(table, token="", status="") for table in tables]
        if request.tables:
            shown = [table for table in shown if table.number in request.tables]
        return SeatingFacts(event_facts(request.event, round_), tuple(shown), link)


class SeatsByName(_SeatingList):
    """In columns, large enough to be read from two metres."""

    kind = "by-name"
    title = gettext_lazy("Seats by name")
    about = gettext_lazy("Everybody's table and seat, large enough for a wall.")

    def parts(self, request: DocumentRequest, facts: SeatingFacts) -> list[Part]:
        people = seats_by_name(facts.tables)
        if not people:
            return []
        words, grid = _words(request), _NameGrid.of(len(people), paper_size(request).height)
        byes = {table.number for table in facts.tables if len(table.seats) == 1}
        footer = page_footer(request, f"{words['round']}, {words['names']}")
        groups = list(batched(people, grid.columns * grid.rows))
        pages = [
            replace(
                _names_page(request, words, facts.link, group, grid, byes),
                foot=tuple(footer(number, len(groups))),
            )
            for number, group in enumerate(groups, 1)
        ]
        return in_parts(request, pages)


class SeatsByTable(_SeatingList):
    """A card for each table, two beside each other."""

    kind = "by-table"
    title = gettext_lazy("Seats by table")
    about = gettext_lazy("Who sits at which table, and who deals.")

    def parts(self, request: DocumentRequest, facts: SeatingFacts) -> list[Part]:
        tables = [table for table in facts.tables if table.seats]
        if not tables:
            return []
        words, paper = _words(request), paper_size(request)
        footer = page_footer(request, f"{words['round']}, {words['tables']}")
        groups = _pairs_by_page(tables, paper.height - HEAD - END - TOP)
        pages = [
            replace(
                _cards_page(request, words, facts.link, pairs),
                foot=tuple(footer(number, len(groups))),
            )
            for number, pairs in enumerate(groups, 1)
        ]
        return in_parts(request, pages)


def _words(request: DocumentRequest) -> dict[str, Bilingual]:
    round_ = request.required_round
    return words_in(
        request,
        round=lambda: round_.label,
        names=lambda: _("Seats by name"),
        byes=lambda: " · ".join((_("Seats by name"), _("–: without an opponent in this round"))),
        bye=lambda: _("without an opponent in this round"),
        tables=lambda: _("Seats by table"),
        name=lambda: _("Name"),
        table=lambda: _("Table"),
        seat=lambda: _("Seat"),
        scan=lambda: _("On a phone"),
        dealer=lambda: pgettext("at the first seat of a table", "deals"),
    )


def _head(
    request: DocumentRequest, words: dict[str, Bilingual], what: str, link: str
) -> tuple[list[Label], QrCode]:
    paper = paper_size(request)
    right = paper.width - SIDE
    width = right - SIDE - CODE - 24
    scan = Box(right - CODE - 23, TOP + 15.5, 21, 8)
    labels = [
        line("title", words["round"], Box(SIDE, TOP - 2, width, 13), 30, "slab", least=12),
        fitted("strong", request.event.name, Box(SIDE, TOP + 11, width, 7), 14, "bold"),
        line("plain", words[what], Box(SIDE, TOP + 18, width, 5), 10.5),
        *block("plain", words["scan"], scan, 9, align="right"),
    ]
    return labels, qr_code(link, Box(right - CODE, TOP - 4, CODE, CODE))


@dataclass(frozen=True, slots=True)
class _NameGrid:
    """Columns and rows on a page of the list by name, and how high a row is."""

    columns: int
    rows: int
    row: float

    @classmethod
    def of(cls, people: int, paper_height: float) -> Self:
        """Few people get large rows in one column."""
        room = paper_height - TOP - HEAD - END - 3
        columns = 1 if people <= LARGE else 2
        rows = min(int(room / ROW), -(-people // columns))
        return cls(columns, rows, min(ROW_MOST, room / rows))


def _names_page(
    request: DocumentRequest,
    words: dict[str, Bilingual],
    link: str,
    people: Sequence[SeatRow],
    grid: _NameGrid,
    byes: Collection[int],
) -> PageDrawing:
    """`byes`: tables at which somebody is alone, and need not look for it."""
    labels, code = _head(request, words, "byes" if byes else "names", link)
    width = (paper_size(request).width - 2 * SIDE - GAP * (grid.columns - 1)) / grid.columns
    row, top, thin, heavy = grid.row, TOP + HEAD - 6, "", ""
    for place, column in enumerate(batched(people, grid.rows)):
        x = SIDE + place * (width + GAP)
        box = Box(x, top, width, row * len(column))
        labels += _name_column(words, column, box, row * SIZE, byes)
        heavy += f"M{x:.2f} {top + 8:.2f}h{width:.2f}"
        thin += "".join(
            f"M{x:.2f} {top + 8 + row * n:.2f}h{width:.2f}" for n in range(1, len(column) + 1)
        )
    return PageDrawing(tuple(labels), thin=thin, heavy=heavy, codes=(code,))


def _name_column(
    words: dict[str, Bilingual],
    people: Sequence[SeatRow],
    box: Box,
    size: float,
    byes: Collection[int],
) -> list[Label]:
    table, seat = (26.0, 20.0) if box.w > 120 else (15.0, 13.0)
    name = box.w - table - seat
    head_boxes = (
        Box(box.x, box.y, name - 2, 8),
        Box(box.x + name, box.y, table, 8),
        Box(box.x + name + table, box.y, seat, 8),
    )
    shown = [on_paper(one.name, one.number) for one in people]
    at_table = ["–" if one.table in byes else str(one.table) for one in people]
    at_seat = ["–" if one.table in byes else str(one.position) for one in people]
    names, tables, seats = (Box(head.x, box.y + 8, head.w, box.h) for head in head_boxes)
    return [
        line("plain", words["name"], head_boxes[0], 9),
        *block("centre", words["table"], head_boxes[1].inside(0.2, 1), 9, align="center"),
        *block("centre", words["seat"], head_boxes[2].inside(0.2, 1), 9, align="center"),
        *cells("strong", shown, names, size, "bold", least=9),
        *cells("title", at_table, tables, size, "slab", align="center"),
        *cells("plain", at_seat, seats, size - 2.5, align="center"),
    ]


def _height(pair: Sequence[TableRow]) -> float:
    return CARD_HEAD + CARD_ROW * max(len(table.seats) for table in pair) + 2


def _pairs_by_page(tables: Sequence[TableRow], room: float) -> list[list[tuple[TableRow, ...]]]:
    """Pairs of tables, as many on a page as there is room for."""
    pages: list[list[tuple[TableRow, ...]]] = [[]]
    left = room
    for pair in batched(tables, 2):
        # A pair that fits no page at all still gets one, rather than an empty page before it.
        if _height(pair) > left and pages[-1]:
            pages.append([])
            left = room
        pages[-1].append(pair)
        left -= _height(pair) + CARD_GAP
    return pages


def _cards_page(
    request: DocumentRequest,
    words: dict[str, Bilingual],
    link: str,
    pairs: Sequence[Sequence[TableRow]],
) -> PageDrawing:
    labels, code = _head(request, words, "tables", link)
    width = (paper_size(request).width - 2 * SIDE - GAP) / 2
    y, thin, heavy = TOP + HEAD - 7, "", ""
    for pair in pairs:
        for place, table in enumerate(pair):
            x = SIDE + place * (width + GAP)
            box = Box(x, y, width, CARD_HEAD + CARD_ROW * len(table.seats) + 2)
            labels += _card(words, table, box)
            heavy += box.path
            thin += f"M{x:.2f} {y + CARD_HEAD:.2f}h{width:.2f}"
        y += _height(pair) + CARD_GAP
    return PageDrawing(tuple(labels), thin=thin, heavy=heavy, codes=(code,))


def _card(words: dict[str, Bilingual], table: TableRow, box: Box) -> list[Label]:
    count = len(table.seats)
    rows = Box(box.x, box.y + CARD_HEAD + 1, box.w, CARD_ROW * count)
    if count == 1:
        (alone,) = table.seats
        name = Box(box.x + 13, rows.y, box.w - 15, rows.h)
        return [
            line("plain", words["bye"], Box(box.x + 3, box.y, box.w - 6, CARD_HEAD), 11),
            fitted("plain", on_paper(alone.name, alone.number), name, 11.5, least=8),
        ]
    number = Box(box.x + box.w - 34, box.y, 31, CARD_HEAD)
    seats, positions = Box(box.x + 2, rows.y, 9, rows.h), [str(one.position) for one in table.seats]
    names = [on_paper(one.name, one.number) for one in table.seats]
    dealer = Box(box.x + box.w - 17, rows.y, 15, CARD_ROW)
    return [
        line("plain", words["table"], Box(box.x + 3, box.y, 34, CARD_HEAD), 11),
        line("title", str(table.number), number, 24, "slab", align="right"),
        *cells("strong", positions, seats, 11.5, "bold", align="center"),
        *cells("plain", names, Box(box.x + 13, rows.y, box.w - 31, rows.h), 11.5, least=8),
        line("plain", words["dealer"], dealer, 8.6, align="right"),
    ]
