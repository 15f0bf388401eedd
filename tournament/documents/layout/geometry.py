"""Places and shapes on paper, in millimetres from the upper left corner."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A place on the paper, as CSS writes it: never with a decimal comma."""

    x: float
    y: float
    w: float
    h: float

    @property
    def css(self) -> str:
        return f"left:{self.x:.2f}mm;top:{self.y:.2f}mm;width:{self.w:.2f}mm;height:{self.h:.2f}mm"

    @property
    def line(self) -> str:
        """As `css`, with the text in the middle of the height."""
        return f"{self.css};line-height:{self.h:.2f}mm"

    @property
    def path(self) -> str:
        return f"M{self.x:.2f} {self.y:.2f}h{self.w:.2f}v{self.h:.2f}h{-self.w:.2f}z"

    def at(self, x: float, y: float) -> Box:
        """The same box, moved."""
        return Box(self.x + x, self.y + y, self.w, self.h)

    def inside(self, x: float, y: float | None = None) -> Box:
        """The box without a margin of so many millimetres."""
        y = x if y is None else y
        return Box(self.x + x, self.y + y, self.w - 2 * x, self.h - 2 * y)


def star_path(x: float, y: float, r: float) -> str:
    """A five-pointed star around its middle. Drawn, since not every font has one."""
    corners = [
        (x + radius * math.sin(turn * math.pi / 5), y - radius * math.cos(turn * math.pi / 5))
        # Outer and inner corners by turns, a tenth of a circle from one to the next.
        for turn, radius in enumerate((r, r * 0.45) * 5)
    ]
    return "M" + "L".join(f"{a:.2f} {b:.2f}" for a, b in corners) + "z"


def circle_path(x: float, y: float, r: float) -> str:
    arc = f"a{r:.2f} {r:.2f} 0 0 1"
    return f"M{x - r:.2f} {y:.2f}{arc} {2 * r:.2f} 0{arc} {-2 * r:.2f} 0z"


def trophy_path(x: float, y: float, r: float) -> str:
    """A filled cup around its middle, for a duel that is won."""
    return (
        f"M{x - r * 0.75:.2f} {y - r:.2f}h{r * 1.5:.2f}v{r * 0.4:.2f}"
        f"a{r * 0.75:.2f} {r * 0.85:.2f} 0 0 1 {-r * 1.5:.2f} 0z"
        f"M{x - r * 0.15:.2f} {y:.2f}h{r * 0.3:.2f}v{r * 0.7:.2f}h{-r * 0.3:.2f}z"
        f"M{x - r * 0.6:.2f} {y + r * 0.65:.2f}h{r * 1.2:.2f}v{r * 0.35:.2f}h{-r * 1.2:.2f}z"
    )
