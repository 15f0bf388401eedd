"""Lists and texts that run on from page to page, every page with its head, foot and x/y."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tournament.documents.ask import Ask
from tournament.documents.boxes import Box
from tournament.documents.cells import cells, fitted
from tournament.documents.fitting import MM_PER_PT, in_lines
from tournament.documents.labels import LINE, SECOND, Both, Label, block, line
from tournament.documents.leaves import SIDE, TOP, Code, Leaf, code, foot_of, paper_of

HEAD, BELOW, CODE = 8.0, 15.0, 24.0  # a table's head, the room of the foot, a code's edge


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; without a width it takes what the others leave."""

    head: Both | str = ""
    width: float = 0.0
    align: str = "left"
    face: str = "sans"
    size: float = 10.5


@dataclass(slots=True)
class _Page:
    labels: list[Label] = field(default_factory=list)
    ink: dict[str, str] = field(default_factory=dict)
    codes: list[Code] = field(default_factory=list)


type Draw = Callable[[int, Box], dict[str, str]]


class Flow:
    """A document that grows downwards. `title` stands on its first page, above the event."""

    def __init__(
        self, ask: Ask, title: Both | str, *, wide: bool = False, under: str = "", link: str = ""
    ) -> None:
        self.ask, self.paper = ask, paper_of(ask, wide=wide)
        self.width = self.paper.width - 2 * SIDE
        self._foot = foot_of(ask, str(title), wide=wide)
        self.pages = [_Page()]
        self.y = TOP
        self._head(title, under, link)

    @property
    def room(self) -> float:
        """Millimetres left on the page."""
        return self.paper.height - BELOW - self.y

    @property
    def page(self) -> _Page:
        return self.pages[-1]

    def ink(self, more: dict[str, str]) -> None:
        for kind, drawn in more.items():
            self.page.ink[kind] = self.page.ink.get(kind, "") + drawn

    def next_page(self) -> None:
        self.pages.append(_Page())
        self.y = TOP

    def need(self, height: float) -> None:
        """Go on to the next page if there is less room than that, unless this one is empty."""
        if self.room < height and self.y > TOP:
            self.next_page()

    def _head(self, title: Both | str, under: str, link: str) -> None:
        width = self.width - (CODE + 4 if link else 0)
        event = Box(SIDE, self.y + 11.5, width, 6.5)
        self.page.labels += [
            line("title", title, Box(SIDE, self.y, width, 11), 24, "slab", least=10),
            fitted("strong", self.ask.event.name, event, 13, "bold"),
        ]
        if link:
            self.page.codes.append(
                code(link, Box(SIDE + self.width - CODE, self.y - 2, CODE, CODE))
            )
        self.y += 19
        if under:
            self.text(under, 9.5, room=width)
        self.y = max(self.y + 2, TOP + CODE + 1 if link else 0)

    def gap(self, height: float) -> None:
        self.y += height

    def heading(self, words: Both | str, *, keep: float = 20) -> None:
        """A title within the document, never the last thing on a page."""
        self.need(keep)
        if self.y > TOP:
            self.y += 3
        self.page.labels.append(
            line("title", words, Box(SIDE, self.y, self.width, 7), 14, "slab", least=8)
        )
        self.y += 8.5

    def text(
        self,
        words: Both | str,
        size: float = 10,
        face: str = "sans",
        *,
        kind: str = "",
        indent: float = 0,
        room: float = 0,
    ) -> None:
        """A paragraph, in each language; it may go on to the next page between lines."""
        all_said = (words,) if isinstance(words, str) else tuple(dict.fromkeys(words.said))
        kind = kind or ("strong" if face == "bold" else "plain")
        width = (room or self.width) - indent
        for number, one in enumerate(all_said):
            part = size * SECOND if number else size
            self._lines(in_lines(one, width * 0.98, part, 200, face), part, kind, indent, width)

    def _lines(
        self, lines: Sequence[str], size: float, kind: str, indent: float, width: float
    ) -> None:
        height = size * LINE * MM_PER_PT
        while lines:
            self.need(height)
            count = max(1, int(self.room / height))
            place = Box(SIDE + indent, self.y, width, height * len(lines[:count]))
            style = f"{place.css};line-height:{height:.3f}mm;font-size:{size:.2f}pt"
            self.page.labels.append(Label(kind, "\n".join(lines[:count]), style))
            self.y += place.h
            lines = lines[count:]

    def unbroken(self, text: str, size: float) -> None:
        """Letters without spaces, broken wherever the line ends: nothing of them is cut."""
        most = int(self.width * 0.98 / (size * 0.66 * MM_PER_PT))
        lines = [text[first : first + most] for first in range(0, len(text), most)]
        self._lines(lines, size, "plain", 0, self.width)

    def table(
        self,
        columns: Sequence[Column],
        rows: Sequence[Sequence[str]],
        *,
        row: float = 6.6,
        heads: bool = True,
        draw: Draw | None = None,
    ) -> None:
        """Rows that run on, with their heads again on each page. `draw`: what is drawn in a row,
        by its number and its box."""
        placed = self._placed(columns)
        first = 0
        while first < len(rows):
            self.need((HEAD if heads else 0) + row)
            if heads:
                self._heads(placed)
            count = max(1, int(self.room / row + 0.001))
            here = rows[first : first + count]
            self._rows(placed, here, row)
            for place in range(len(here)):
                box = Box(SIDE, self.y + place * row, self.width, row)
                self.ink({"thin": f"M{box.x:.2f} {box.y + row:.2f}h{box.w:.2f}"})
                if draw:
                    self.ink(draw(first + place, box))
            self.y += row * len(here)
            first += count

    def _placed(self, columns: Sequence[Column]) -> list[tuple[Column, float]]:
        free = self.width - sum(column.width for column in columns)
        open_ones = max(1, sum(not column.width for column in columns))
        found, x = [], SIDE
        for column in columns:
            wide = column.width or free / open_ones
            found.append((replace(column, width=wide), x))
            x += wide
        return found

    def _heads(self, placed: Sequence[tuple[Column, float]]) -> None:
        for column, x in placed:
            box = Box(x + 0.8, self.y + 0.6, column.width - 1.6, HEAD - 1.2)
            if str(column.head):
                self.page.labels += block(
                    "strong", column.head, box, 8.6, "bold", align=column.align
                )
        self.ink({"heavy": f"M{SIDE:.2f} {self.y + HEAD:.2f}h{self.width:.2f}"})
        self.y += HEAD

    def _rows(
        self, placed: Sequence[tuple[Column, float]], rows: Sequence[Sequence[str]], row: float
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

    def leaves(self) -> list[Leaf]:
        """The pages, now that their number is known."""
        return [
            Leaf(
                labels=tuple(page.labels),
                thin=page.ink.get("thin", ""),
                heavy=page.ink.get("heavy", ""),
                dashed=page.ink.get("dashed", ""),
                black=page.ink.get("black", ""),
                codes=tuple(page.codes),
                foot=tuple(self._foot(number, len(self.pages))),
            )
            for number, page in enumerate(self.pages, 1)
        ]
