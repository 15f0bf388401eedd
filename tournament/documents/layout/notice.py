"""Titles, points of lists and facts below each other, as large as a place allows."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.documents.layout.fitting import MM_PER_PT, in_lines
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import LINE, Label, line

LARGEST, LEAST = 12.5, 5.5

type NoticeLine = tuple[str, str]  # kind of line and its text; of a fact "name\tvalue"


def size_of_lines(
    lines: Sequence[NoticeLine], width: float, room: float, largest: float = LARGEST
) -> float:
    """The largest type size, in points, at which the lines fit the room's height."""
    size = largest
    # Where lines break depends on the size, so the sizes are tried from above.
    while size > LEAST and set_lines(lines, Box(0, 0, width, room), size)[1] > room:
        size -= 0.2
    return size


def set_lines(lines: Sequence[NoticeLine], box: Box, size: float) -> tuple[list[Label], float]:
    """The lines from the top of the box, and the height they take."""
    y, labels = 0.0, []
    for kind, text in lines:
        its_labels, high = _one(kind, text, Box(box.x, box.y + y, box.w, 0), size)
        labels += its_labels
        y += high + size * 0.16 * MM_PER_PT
    return labels, y


def _one(kind: str, text: str, box: Box, size: float) -> tuple[list[Label], float]:
    """A title, a point of a list, or a fact: its name on the left, its value beside it."""
    if kind == "title":
        above = size * 0.3 * MM_PER_PT
        place = Box(box.x, box.y + above, box.w, 0)
        high, label = _paragraph(text, place, size * 1.3, "title", "slab")
        return [label], high + above
    if kind == "item":
        indent = size * MM_PER_PT
        place = Box(box.x + indent, box.y, box.w - indent, 0)
        high, label = _paragraph(text, place, size, "plain", "sans")
        dot = line("plain", "·", Box(box.x, box.y, indent, size * LINE * MM_PER_PT), size)
        return [dot, label], high
    name, _tab, value = text.partition("\t")
    lead = box.w * 0.3
    first, left = _paragraph(name, Box(box.x, box.y, lead - 2, 0), size, "strong", "bold")
    beside = Box(box.x + lead, box.y, box.w - lead, 0)
    second, right = _paragraph(value, beside, size, "plain", "sans")
    return [left, right], max(first, second)


def _paragraph(text: str, box: Box, size: float, kind: str, face: str) -> tuple[float, Label]:
    lines = in_lines(text, box.w * 0.98, size, 60, face)
    height = size * LINE * MM_PER_PT
    place = Box(box.x, box.y, box.w, height * len(lines))
    style = f"{place.css};line-height:{height:.3f}mm;font-size:{size:.2f}pt"
    return place.h, Label(kind, "\n".join(lines), style)
