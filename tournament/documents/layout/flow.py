"""Lists and texts that run on from page to page, every page with its head, foot and x/y."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tournament.documents.layout.cells import cells, fitted
from tournament.documents.layout.fitting import MM_PER_PT, in_lines
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import (
    LINE,
    SECOND,
    Bilingual,
    Label,
    block,
    each_language,
    line,
)
from tournament.documents.layout.pages import (
    SIDE,
    TOP,
    PageDrawing,
    QrCode,
    page_footer,
    paper_size,
    qr_code,
)
from tournament.documents.request import DocumentRequest

HEAD, BELOW, CODE = 8.0, 15.0, 24.0  # a table's head, the room of the foot, a code's edge
MOST_LINES = 200  # of a paragraph: more than any field of ours can hold


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table; without a width it takes what the others leave."""

    head: Bilingual | str = ""
    width: float = 0.0
    align: str = "left"
    face: str = "sans"
    size: float = 10.5


@dataclass(slots=True)
class _FlowPage:
    """A page while it is filled: a `PageDrawing` is made of it once their number is known."""

    labels: list[Label] = field(default_factory=list)
    ink: dict[str, str] = field(default_factory=dict)
    codes: list[QrCode] = field(default_factory=list)


type RowDrawing = Callable[[int, Box], dict[str, str]]


class Flow:
    """A document that grows downwards. `title` stands on its first page, above the event.

    `page` is the page at hand, `y` how far down it is filled.
    """

    def __init__(
        self, request: DocumentRequest, title: Bilingual | str, *, under: str = "", link: str = ""
    ) -> None:
        self.request, self.paper = request, paper_size(request)
        self.width = self.paper.width - 2 * SIDE
        self._footer = page_footer(request, str(title))
        self._pages = [_FlowPage()]
        self.y = TOP
        self._head(title, under, link)

    @property
    def room(self) -> float:
        """Millimetres left on the page."""
        return self.paper.height - BELOW - self.y

    @property
    def page(self) -> _FlowPage:
        return self._pages[-1]

    def ink(self, paths: dict[str, str]) -> None:
        """Draw on the page at hand: SVG paths by the kind of line or shape (`PageDrawing`)."""
        for kind, path in paths.items():
            self.page.ink[kind] = self.page.ink.get(kind, "") + path

    def need(self, height: float) -> None:
        """Go on to the next page if there is less room than that. Not from an empty one: what is
        higher than any page would leave it behind empty."""
        if self.room < height and self.y > TOP:
            self._pages.append(_FlowPage())
            self.y = TOP

    def _head(self, title: Bilingual | str, under: str, link: str) -> None:
        width = self.width - (CODE + 4 if link else 0)
        event = Box(SIDE, self.y + 11.5, width, 6.5)
        self.page.labels += [
            line("title", title, Box(SIDE, self.y, width, 11), 24, "slab", least=10),
            fitted("strong", self.request.event.name, event, 13, "bold"),
        ]
        if link:
            self.page.codes.append(
                qr_code(link, Box(SIDE + self.width - CODE, self.y - 2, CODE, CODE))
            )
        self.y += 19
        if under:
            self.text(under, 9.5, room=width)
        self.y = max(self.y + 2, TOP + CODE + 1 if link else 0)  # below the code, too

    def gap(self, height: float) -> None:
        self.y += height

    def heading(self, words: Bilingual | str, *, keep: float = 20) -> None:
        """A title within the document, never the last thing on a page."""
        self.need(keep)
        # No gap above what stands first on a page.
        if self.y > TOP:
            self.y += 3
        self.page.labels.append(
            line("title", words, Box(SIDE, self.y, self.width, 7), 14, "slab", least=8)
        )
        self.y += 8.5

    def text(
        self,
        words: Bilingual | str,
        size: float = 10,
        face: str = "sans",
        *,
        indent: float = 0,
        room: float = 0,
    ) -> None:
        """A paragraph, in each language; it may go on to the next page between lines."""
        kind = "strong" if face == "bold" else "plain"
        width = (room or self.width) - indent
        for number, text in enumerate(each_language(words)):
            own = size * SECOND if number else size
            # A little less than the room, since renderers round widths in their own way.
            lines = in_lines(text, width * 0.98, own, MOST_LINES, face)
            self._lines(lines, own, kind, indent, width)

    def _lines(
        self, lines: Sequence[str], size: float, kind: str, indent: float, width: float
    ) -> None:
        height = size * LINE * MM_PER_PT
        while lines:
            self.need(height)
            # One at least: a line that is higher than a page would never end otherwise.
            count = max(1, int(self.room / height))
            # One label for all lines of the page: the renderer's time goes into boxes.
            place = Box(SIDE + indent, self.y, width, height * len(lines[:count]))
            style = f"{place.css};line-height:{height:.3f}mm;font-size:{size:.2f}pt"
            self.page.labels.append(Label(kind, "\n".join(lines[:count]), style))
            self.y += place.h
            lines = lines[count:]

    def unbroken(self, text: str, size: float) -> None:
        """Letters without spaces, broken wherever the line ends: nothing of them is cut."""
        # A little more than the widest hexadecimal digit of our font: all lines of a fingerprint
        # hold the same number of them, which helps whoever compares it.
        each = 0.66 * size * MM_PER_PT
        most = int(self.width * 0.98 / each)
        lines = [text[first : first + most] for first in range(0, len(text), most)]
        self._lines(lines, size, "plain", 0, self.width)

    def table(
        self,
        columns: Sequence[TableColumn],
        rows: Sequence[Sequence[str]],
        *,
        row: float = 6.6,
        heads: bool = True,
        draw: RowDrawing | None = None,
    ) -> None:
        """Rows that run on, with their heads again on each page. `heads`: whether they stand above
        the first row, too. `draw`: what is drawn in a row, by its number and its box."""
        placed = self._placed(columns)
        first = 0
        while first < len(rows):
            page = self.page
            self.need((HEAD if heads else 0) + row)
            heads = heads or self.page is not page
            if heads:
                self._heads(placed)
            # A little more, so that the last digit of a float doesn't cost a row.
            count = max(1, int(self.room / row + 0.001))
            on_page = rows[first : first + count]
            self._rows(placed, on_page, row)
            for place in range(len(on_page)):
                box = Box(SIDE, self.y + place * row, self.width, row)
                self.ink({"thin": f"M{box.x:.2f} {box.y + row:.2f}h{box.w:.2f}"})
                if draw:
                    self.ink(draw(first + place, box))
            self.y += row * len(on_page)
            first += count

    def _placed(self, columns: Sequence[TableColumn]) -> list[tuple[TableColumn, float]]:
        """The columns with their widths, and where each begins."""
        free = self.width - sum(column.width for column in columns)
        without_width = max(1, sum(not column.width for column in columns))
        placed, x = [], SIDE
        for column in columns:
            width = column.width or free / without_width
            placed.append((replace(column, width=width), x))
            x += width
        return placed

    def _heads(self, placed: Sequence[tuple[TableColumn, float]]) -> None:
        for column, x in placed:
            box = Box(x + 0.8, self.y + 0.6, column.width - 1.6, HEAD - 1.2)
            if str(column.head):
                self.page.labels += block(
                    "strong", column.head, box, 8.6, "bold", align=column.align
                )
        self.ink({"heavy": f"M{SIDE:.2f} {self.y + HEAD:.2f}h{self.width:.2f}"})
        self.y += HEAD

    def _rows(
        self, placed: Sequence[tuple[TableColumn, float]], rows: Sequence[Sequence[str]], row: float
    ) -> None:
        for number, (column, x) in enumerate(placed):
            kind = {"bold": "strong", "slab": "title"}.get(column.face, "plain")
            self.page.labels += cells(
                kind,
                [one[number] for one in rows],
                Box(x + 0.8, self.y, column.width - 1.6, row * len(rows)),
                column.size,
                column.face,
                align=column.align,
            )

    def pages(self) -> list[PageDrawing]:
        """The pages, now that their number is known."""
        return [
            PageDrawing(
                labels=tuple(page.labels),
                thin=page.ink.get("thin", ""),
                heavy=page.ink.get("heavy", ""),
                dashed=page.ink.get("dashed", ""),
                black=page.ink.get("black", ""),
                codes=tuple(page.codes),
                foot=tuple(self._footer(number, len(self._pages))),
            )
            for number, page in enumerate(self._pages, 1)
        ]
