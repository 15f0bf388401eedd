"""Columns of texts that each keep to their cell: one label for all that fit, one for each other."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.documents.layout.fitting import MM_PER_PT, in_lines, size_for, width_of
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import Label

_LINE_HEIGHT = 1.16 * MM_PER_PT  # millimetres a point of type; closer than running text
_ROOM = 0.985  # of a cell's width: fonts are hinted, renderers round
_TWO_LINES = 0.82  # of the wanted size: two full-sized lines would stand out from the column
_SMALLER = 0.9  # of the least size: small in two lines is still better than cut
_STEP = 0.3  # points by which two lines get smaller


def cells(
    kind: str,
    texts: Sequence[str],
    box: Box,
    size: float,
    face: str = "sans",
    *,
    align: str = "left",
    least: float = 6.5,
) -> list[Label]:
    """The texts below each other in rows that share the box's height."""
    height = box.h / max(1, len(texts))
    fits = [width_of(text, size, face) <= box.w * _ROOM for text in texts]
    labels = []
    if any(text for text, fit in zip(texts, fits, strict=True) if fit):
        # The renderer's time goes into boxes, so what fits is one box. An empty line keeps the
        # place of each text that gets a box of its own.
        lines = "\n".join(text if fit else "" for text, fit in zip(texts, fits, strict=True))
        style = f"{box.css};line-height:{height:.3f}mm;font-size:{size:.2f}pt;text-align:{align}"
        labels.append(Label(kind, lines, style))
    for place, (text, fit) in enumerate(zip(texts, fits, strict=True)):
        if not fit:
            cell = Box(box.x, box.y + place * height, box.w, height)
            labels.append(fitted(kind, text, cell, size, face, align=align, least=least))
    return labels


def fitted(
    kind: str,
    text: str,
    box: Box,
    size: float,
    face: str = "sans",
    *,
    align: str = "left",
    least: float = 6.5,
) -> Label:
    """A text in the middle of the box's height: smaller if it must be, then in two lines where
    they fit the height, then cut with an ellipsis."""
    room = box.w * _ROOM
    # Type that is higher than its row would lie on the next one.
    size = min(size, box.h / _LINE_HEIGHT)
    used = size_for(text, room, size, least, face)
    lines, height = in_lines(text, room, used, 1, face), box.h
    double = max(least * _SMALLER, min(size * _TWO_LINES, box.h / (2 * _LINE_HEIGHT)))
    # `double` may be exactly what half the height allows, but for the last digit of a float.
    two_fit = 2 * double * _LINE_HEIGHT <= box.h * 1.001
    # Two lines where one would be cut, or be smaller than the two.
    if two_fit and (lines[0] != text or used < double):
        lines, used = _in_two_lines(text, room, double, least, face)
        height = used * _LINE_HEIGHT
    place = Box(box.x, box.y + (box.h - height * len(lines)) / 2, box.w, height * len(lines))
    style = f"{place.css};line-height:{height:.3f}mm;font-size:{used:.2f}pt;text-align:{align}"
    return Label(kind, "\n".join(lines), style)


def _in_two_lines(
    text: str, room: float, size: float, least: float, face: str
) -> tuple[list[str], float]:
    """The lines, and the size at which the second one is whole, or the least one."""
    lines = in_lines(text, room, size, 2, face)
    while len(lines) == 2 and size > least and lines[1].endswith("…"):
        size -= _STEP
        lines = in_lines(text, room, size, 2, face)
    return lines, size
