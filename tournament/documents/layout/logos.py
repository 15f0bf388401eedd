"""The logos of an event's sponsors, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.documents.layout.geometry import Box
from tournament.documents.layout.pages import Picture
from tournament.documents.layout.rendering import JPEG
from tournament.models import Event

GAP = 7.0  # millimetres between two
MOST_WIDE = 4.0  # of a logo, in its heights


@dataclass(frozen=True, slots=True)
class Logo:
    """A JPEG in base64; `ratio`: how many times as wide as high."""

    jpeg: str
    ratio: float


def logos_of(event: Event) -> tuple[Logo, ...]:
    """In the order of the sponsors; those without a logo are named alone."""
    return tuple(
        Logo(one.logo, one.logo_width / one.logo_height)
        for one in event.sponsors.all()
        if one.logo and one.logo_height
    )


def logos_in_a_row(logos: Sequence[Logo], box: Box) -> list[Picture]:
    """As high as the box, in its middle; lower where so many do not fit side by side."""
    if not logos:
        return []
    ratios = [min(one.ratio, MOST_WIDE) for one in logos]
    height = min(box.h, (box.w - GAP * (len(logos) - 1)) / sum(ratios))
    x = box.x + (box.w - height * sum(ratios) - GAP * (len(logos) - 1)) / 2
    found = []
    for logo, ratio in zip(logos, ratios, strict=True):
        # A wider one keeps its shape within the widest place that there is.
        high = height * ratio / logo.ratio
        place = Box(x, box.y + (box.h - high) / 2, height * ratio, high)
        found.append(Picture(JPEG + logo.jpeg, place))
        x += height * ratio + GAP
    return found
