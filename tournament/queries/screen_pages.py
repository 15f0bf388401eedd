"""How what a screen shows is laid out in pages, and which of them is up at an instant.

How large letters have to be: on a television of 55 inches, 52 px of 1080 are 33 mm; their capitals
are 24 mm high, which from ten metres are 8 minutes of arc. Good eyes need 5. So whatever people
look for has at least 52 px (4.8 hundredths of the height) while the field is small enough for it,
and `Grid.metres` says what is left of them where it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

SEEN_WITHIN = 40  # seconds in which everybody's name has been up once
LEAST_SECONDS = 5  # that a page of names stays up: nobody finds theirs in less
MOST_SECONDS = 10
MOST_PAGES = SEEN_WITHIN // LEAST_SECONDS


@dataclass(frozen=True, slots=True)
class Grid:
    """So many names on a page. `letters`: their size in hundredths of the screen's height, as
    `static/css/screen.css` has it for this grid."""

    rows: int
    columns: int
    letters: float

    @property
    def places(self) -> int:
        return self.rows * self.columns

    @property
    def name(self) -> str:
        """Its class."""
        return f"grid-{self.rows}x{self.columns}"

    @property
    def metres(self) -> int:
        """From how far it can be read on 55 inches."""
        return int(10 * self.letters / 4.8)


# From large letters to small ones.
SEATING = (
    Grid(11, 2, 5.2),
    Grid(11, 3, 4.8),
    Grid(14, 3, 4.0),
    Grid(18, 4, 3.2),
    Grid(24, 5, 2.5),
    Grid(30, 6, 2.0),
    Grid(39, 7, 1.6),
)
STANDINGS = Grid(10, 2, 4.8)
LOT = Grid(8, 2, 5.2)


def grid_for(names: int) -> Grid:
    """The largest letters with which everybody is seen in time."""
    fits = (grid for grid in SEATING if grid.places * MOST_PAGES >= names)
    return next(fits, SEATING[-1])


def seconds_for(pages: int) -> int:
    """How long each of so many pages of names stays up."""
    return max(LEAST_SECONDS, min(MOST_SECONDS, SEEN_WITHIN // max(1, pages)))


def in_pages[T](items: Sequence[T], places: int) -> tuple[tuple[T, ...], ...]:
    """As few pages as possible, filled alike; one empty page of nothing."""
    pages = max(1, ceil(len(items) / places))
    each = ceil(len(items) / pages)
    return tuple(tuple(items[n * each : (n + 1) * each]) for n in range(pages))


def in_columns[T](items: Sequence[T], columns: int) -> tuple[tuple[T | None, ...], ...]:
    """Columns of one height, read from top to bottom; the last one ends with nothing."""
    rows = max(1, ceil(len(items) / columns))
    padded = [*items, *(None for _ in range(rows * columns - len(items)))]
    return tuple(tuple(padded[n * rows : (n + 1) * rows]) for n in range(columns))


def share_of[T](items: Sequence[T], share: int, shares: int) -> tuple[T, ...]:
    """The part of one screen, from 1, where so many share them; all parts are alike."""
    each = ceil(len(items) / shares)
    return tuple(items[(share - 1) * each : share * each])


def page_at(now: datetime, seconds: int, pages: int) -> int:
    """The page, from 0, that every screen of as many pages shows at this instant. The same stands
    in `static/js/screen.js`."""
    return int(now.timestamp() // seconds) % max(1, pages)
