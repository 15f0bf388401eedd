"""Columns of texts that each keep to their cell: one label for all that fit, one for each other."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.documents.boxes import Box
from tournament.documents.fitting import MM_PER_PT, in_lines, size_for, width_of
from tournament.documents.labels import Label

_TIGHT = 1.16  # line height of a text in two lines, in parts of its size
_ROOM = 0.985  # of a cell's width: fonts are hinted, renderers round


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
    size = min(size, box.h / (_TIGHT * MM_PER_PT))
    smaller = size_for(text, room, size, least, face)
    lines, height = in_lines(text, room, smaller, 1, face), box.h
    two = max(least * 0.9, min(size * 0.82, box.h / (2 * _TIGHT * MM_PER_PT)))
    tall = 2 * two * _TIGHT * MM_PER_PT <= box.h * 1.001
    if tall and (lines[0] != text or smaller < two):
        lines, smaller, height = in_lines(text, room, two, 2, face), two, two * _TIGHT * MM_PER_PT
        while len(lines) == 2 and smaller > least and lines[1].endswith("…"):
            smaller -= 0.3
            height = smaller * _TIGHT * MM_PER_PT
            lines = in_lines(text, room, smaller, 2, face)
    place = Box(box.x, box.y + (box.h - height * len(lines)) / 2, box.w, height * len(lines))
    style = f"{place.css};line-height:{height:.3f}mm;font-size:{smaller:.2f}pt;text-align:{align}"
    return Label(kind, "\n".join(lines), style)
