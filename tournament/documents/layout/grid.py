"""Where everything on a scoresheet lies, in millimetres. Equal tables share one plan.

All lines are drawn as a few SVG paths: a table of HTML cells takes three times as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tournament.documents.layout.geometry import Box, circle_path, star_path

WIDTH = 277.0
GRID_TOP, NOTE_LINE = 49.5, 3.9  # where the grid begins, and how much lower for each note above it
HEAD, HEAD_SPLIT, GOLD, SUM = 10.4, 5.4, 9.0, 8.6  # heights of what is above and below the seats
LEGEND, SIGN, GAP, BOTTOM = 11.5, 14.5, 1.8, 197.5  # under the grid; the last is where all ends
# Rows are as high as the page allows, up to what a pen needs; what few seats leave over goes to the
# signatures and with them to the penalties, which are written there in words.
ROW_MOST, SIGN_MOST = 15.5, 26.0
SEAT, NUMBER, INSET = 11.0, 13.0, 0.6
# The more deals, the narrower the names, so that bubbles and points keep their size under a pen.
_NAME = {1: 100.0, 2: 80.0, 3: 62.0, 4: 54.0, 5: 48.0, 6: 43.0}
# A deal has a greatest width too: of one or two deals the names get the rest.
_TOTAL_POINTS, _TOTAL_STARS, _DEAL_MOST = 17.0, 12.0, 62.0


@dataclass(frozen=True, slots=True)
class DealPlaces:
    """One deal's columns, within the grid. `letters`: the column of each role letter."""

    title: Box
    role: Box
    points: Box
    letters: tuple[Box, ...]
    hint: Box
    nobody: Box
    sums: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The grid of any game and what stands under it. Boxes within the grid count from its corner.

    `spare`: the name's place in a row kept free for somebody who comes late, or None.
    """

    place: Box
    row: float
    seat: Box
    number: Box
    name: Box
    names: tuple[Box, ...]
    spare: Box | None
    legend: Box
    sign: Box
    heavy: str
    thin: str
    boxes: str
    light: str
    stars: str

    @property
    def view_box(self) -> str:
        return f"0 0 {self.place.w:.2f} {self.place.h:.2f}"

    def at(self, box: Box) -> Box:
        """A box within the grid, on the page."""
        return box.at(self.place.x, self.place.y)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetGrid(Grid):
    """Of a tournament's sheet."""

    deals: tuple[DealPlaces, ...]
    total: Box
    total_points: Box
    gold: Box
    sum: Box


@dataclass(frozen=True, slots=True)
class _Measures:
    seats: int  # rows, one for somebody who comes late included
    deals: int
    roles: int
    row: float

    @property
    def deal(self) -> float:
        free = WIDTH - SEAT - NUMBER - _NAME[self.deals] - _TOTAL_POINTS - _TOTAL_STARS
        return min(_DEAL_MOST, free / self.deals)

    @property
    def lead(self) -> float:
        """Where the deals begin."""
        return WIDTH - _TOTAL_POINTS - _TOTAL_STARS - self.deal * self.deals

    @property
    def columns(self) -> tuple[float, float, float]:
        """Widths for role, points and star within a deal."""
        return self.deal * 0.46, self.deal * 0.31, self.deal * 0.23

    @property
    def pitch(self) -> float:
        """From one role letter to the next."""
        return (self.columns[0] - 2 * INSET) / self.roles

    @property
    def rows_end(self) -> float:
        return HEAD + self.row * self.seats

    @property
    def gold_end(self) -> float:
        return self.rows_end + GOLD

    @property
    def end(self) -> float:
        return self.gold_end + SUM

    def start(self, deal: int) -> float:
        return self.lead + deal * self.deal


@lru_cache(maxsize=256)
def plan_for(
    seats: int, deals: int, roles: int, note_lines: int, *, spare: bool = False
) -> SheetGrid:
    """The places on a sheet. `roles`: kinds of role cards; `note_lines`: lines above the grid."""
    # From below: the signatures, the legend, and above them as much grid as there is room for.
    top = GRID_TOP + NOTE_LINE * note_lines
    low = BOTTOM - SIGN - GAP - LEGEND - GAP
    # The row kept free is as high as the others, so the grid is laid out for one more.
    rows = seats + spare
    row = min(ROW_MOST, (low - top - HEAD - GOLD - SUM) / rows)
    m = _Measures(rows, deals, roles, row)
    sign = min(SIGN_MOST, SIGN + low - top - m.end)
    names = tuple(_name(m, seat) for seat in range(rows))
    return SheetGrid(
        place=Box(10, top, WIDTH, m.end),
        row=row,
        seat=Box(0, HEAD, SEAT, row * rows),
        number=Box(SEAT, HEAD, NUMBER, row * rows),
        name=Box(SEAT + NUMBER, 0, m.lead - SEAT - NUMBER, HEAD),
        names=names[:seats],
        spare=names[seats] if spare else None,
        deals=tuple(_deal(m, deal) for deal in range(deals)),
        total=Box(m.start(deals), 0, _TOTAL_POINTS + _TOTAL_STARS, HEAD_SPLIT),
        total_points=Box(m.start(deals), HEAD_SPLIT, _TOTAL_POINTS, HEAD - HEAD_SPLIT),
        gold=Box(2, m.rows_end, m.lead - 4, GOLD),
        sum=Box(2, m.gold_end, m.lead - 4, SUM),
        legend=Box(10, BOTTOM - sign - GAP - LEGEND, WIDTH, LEGEND),
        sign=Box(10, BOTTOM - sign, WIDTH, sign),
        heavy=_heavy(m),
        thin=_thin(m),
        boxes=_boxes(m),
        light=_light(m),
        stars=_stars(m),
    )


def _name(m: _Measures, seat: int) -> Box:
    return Box(SEAT + NUMBER + 1.5, HEAD + m.row * seat, m.lead - SEAT - NUMBER - 3, m.row)


def _deal(m: _Measures, deal: int) -> DealPlaces:
    x = m.start(deal)
    role, points, _ = m.columns
    split = HEAD - HEAD_SPLIT
    tick, gold = _tick(m, deal), _gold_box(m, deal)
    return DealPlaces(
        title=Box(x, 0, m.deal, HEAD_SPLIT),
        role=Box(x, HEAD_SPLIT, role, split),
        points=Box(x + role, HEAD_SPLIT, points, split),
        letters=tuple(
            Box(x + INSET + kind * m.pitch, HEAD, m.pitch, m.row * m.seats)
            for kind in range(m.roles)
        ),
        hint=Box(gold.x + 0.7, gold.y, gold.w, 3),
        nobody=Box(tick.x + tick.w + 1, m.rows_end, x + m.deal - tick.x - tick.w - 1.6, GOLD),
        sums=Box(x, m.gold_end, role, SUM),
    )


def _gold_box(m: _Measures, deal: int) -> Box:
    """The seat of whoever reached the gold is written here."""
    return Box(m.start(deal) + 1.2, m.rows_end + 1, m.columns[0] - 2.4, GOLD - 2)


def _tick(m: _Measures, deal: int) -> Box:
    size = 4.2
    return Box(m.start(deal) + m.columns[0] + 0.6, m.rows_end + (GOLD - size) / 2, size, size)


def _lines(xs: Iterator[float] | tuple[float, ...], y: float, end: float) -> str:
    return "".join(f"M{x:.2f} {y:.2f}V{end:.2f}" for x in xs)


def _heavy(m: _Measures) -> str:
    frame = Box(0, 0, WIDTH, m.end).path
    columns = _lines((m.start(deal) for deal in range(m.deals + 1)), 0, m.end)
    rows = "".join(f"M0 {y:.2f}H{WIDTH}" for y in (HEAD, m.rows_end))
    return frame + columns + rows


def _thin(m: _Measures) -> str:
    role, points, _ = m.columns
    rows = "".join(f"M0 {HEAD + m.row * seat:.2f}H{WIDTH}" for seat in range(1, m.seats))
    split = f"M{m.lead:.2f} {HEAD_SPLIT}H{WIDTH}M0 {m.gold_end:.2f}H{WIDTH}"
    starts = [m.start(deal) for deal in range(m.deals)]
    inner = [x + role for x in starts] + [x + role + points for x in starts]
    inner.append(m.start(m.deals) + _TOTAL_POINTS)
    return (
        rows
        + split
        + _lines(tuple(inner), HEAD_SPLIT, m.rows_end)
        + _lines((SEAT, SEAT + NUMBER), 0, m.rows_end)
    )


def _boxes(m: _Measures) -> str:
    """What is ticked or written outside the seats: the gold, nobody, the sums."""
    role, points, _ = m.columns
    sums = [
        Box(m.start(d) + role + 0.7, m.gold_end + 0.9, points - 1.4, SUM - 1.8)
        for d in range(m.deals)
    ]
    sums.append(Box(m.start(m.deals) + 0.9, m.gold_end + 0.9, _TOTAL_POINTS - 1.8, SUM - 1.8))
    golds = [_gold_box(m, deal) for deal in range(m.deals)]
    ticks = [_tick(m, deal) for deal in range(m.deals)]
    return "".join(box.path for box in (*sums, *golds, *ticks))


def _light(m: _Measures) -> str:
    """The bubbles around the role letters and the stars to be filled."""
    role, points, star = m.columns
    pitch = m.pitch
    bubble = min(pitch * 0.86, m.row - 1.2, 7.0) / 2
    size = min(star * 0.86, m.row - 1.4, 8.0) / 2
    parts = []
    for deal in range(m.deals):
        for seat in range(m.seats):
            x, y = m.start(deal), HEAD + m.row * (seat + 0.5)
            parts += [
                circle_path(x + INSET + pitch * (kind + 0.5), y, bubble) for kind in range(m.roles)
            ]
            parts.append(star_path(x + role + points + star / 2, y, size))
    return "".join(parts)


def _stars(m: _Measures) -> str:
    """The black stars at the heads of their columns."""
    role, points, star = m.columns
    y = (HEAD_SPLIT + HEAD) / 2
    places = [m.start(deal) + role + points + star / 2 for deal in range(m.deals)]
    places.append(WIDTH - _TOTAL_STARS / 2)
    return "".join(star_path(x, y, 1.9) for x in places)
