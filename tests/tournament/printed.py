"""A PDF read back by another program than the one that made it."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import product

import pypdfium2
import zxingcpp

MM = 72 / 25.4


class Printed:
    """Texts, places and codes of a document's pages."""

    def __init__(self, content: bytes) -> None:
        self.document = pypdfium2.PdfDocument(content)
        self.count = len(self.document)

    @cached_property
    def sizes(self) -> list[tuple[int, int]]:
        """Width and height of each page in millimetres."""
        pages = (self.document[number] for number in range(self.count))
        return [(round(page.get_width() / MM), round(page.get_height() / MM)) for page in pages]

    @cached_property
    def texts(self) -> list[str]:
        """The words of each page, with single spaces."""
        pages = (self.document[number].get_textpage() for number in range(self.count))
        return [" ".join(page.get_text_bounded().split()) for page in pages]

    def spots(self, number: int) -> list[tuple[float, float, float, float]]:
        """Left, top, right, bottom of each run of letters on a page, in millimetres from its
        upper left corner."""
        page = self.document[number]
        text, height = page.get_textpage(), page.get_height()
        rects = (text.get_rect(index) for index in range(text.count_rects()))
        return [
            (left / MM, (height - top) / MM, right / MM, (height - bottom) / MM)
            for left, bottom, right, top in rects
        ]

    def codes(self, number: int) -> list[str]:
        """What the QR codes on a page say, read from its picture in black and white."""
        picture = self.document[number].render(scale=3, grayscale=True).to_pil()
        return sorted(code.text for code in zxingcpp.read_barcodes(picture))

    def outside(self, number: int, margin: float = 3) -> list[tuple[float, float, float, float]]:
        """The runs of letters that leave the page or come too near its edge."""
        width, height = self.sizes[number]
        return [
            spot
            for spot in self.spots(number)
            if spot[0] < margin
            or spot[1] < margin
            or spot[2] > width - margin
            or spot[3] > height - margin
        ]

    def overlaps(self, number: int, slack: float = 0.3) -> list[str]:
        """Places where a letter lies on another one that is not next to it in its word. Their ink
        is compared; letters of two lines may touch by `slack` millimetres."""
        page = self.document[number]
        text, edge = page.get_textpage(), slack * MM
        squares: dict[tuple[int, int], list[tuple[int, tuple[float, ...]]]] = defaultdict(list)
        found = []
        for index in range(text.count_chars()):
            left, low, right, high = text.get_charbox(index)
            if right - left < edge or high - low < edge:
                continue
            here = product(_squares(left, right), _squares(low, high))
            for square in here:
                for other, box in squares[square]:
                    wide = min(right, box[2]) - max(left, box[0])
                    tall = min(high, box[3]) - max(low, box[1])
                    if index - other > 3 and wide > edge and tall > edge:
                        around = text.get_text_range(other, 12), text.get_text_range(index, 12)
                        found.append(f"{around[0]!r} under {around[1]!r}")
                squares[square].append((index, (left, low, right, high)))
        return found


def _squares(first: float, last: float) -> range:
    """The squares of ten points that this stretch touches."""
    return range(int(first // 10), int(last // 10) + 1)
