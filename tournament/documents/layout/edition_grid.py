"""Where everything on the scoresheet of an edition lies: roles or none, and lines of facts.

As in `grid.py`, all lines are drawn as a few SVG paths, and equal tables share one plan.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from tournament.documents.layout.geometry import Box, circle_path
from tournament.documents.layout.grid import (
    BOTTOM,
    GAP,
    HEAD,
    HEAD_SPLIT,
    NUMBER,
    SEAT,
    WIDTH,
    Grid,
)

LINE = 7.2  # the height of a line of facts
SIGN, SIGN_MOST, LEGEND_MORE = 13.0, 34.0, 9.0
ROW_MOST, FEW_ROWS = 15.5, 72.0  # of one row; of all together where there are few
TICK, INSET = 4.2, 0.6
BUBBLE_LEAST = 3.9  # from one to the next; where they came closer, the letter is written
_NAME = {1: 100.0, 2: 80.0, 3: 62.0, 4: 54.0, 5: 48.0, 6: 43.0}  # by the number of deals
_SUM, _WON, _PER_ROLE = 22.0, 15.0, 10.0
_POINTS_LEAST, _POINTS_MOST, _ALONE_MOST = 12.5, 28.0, 46.0


@dataclass(frozen=True, slots=True)
class GridShape:
    """What there is on a sheet. `roles`: kinds of role cards, 0 where none are dealt; `facts`:
    lines below the seats; `won`: whether there is a mark beside the sum for whoever has won;
    `top`: where the grid begins; `legend`: the least height of what is paid."""

    seats: int
    deals: int
    roles: int
    facts: int
    won: bool
    top: float
    legend: float
    spare: bool = False

    @property
    def rows(self) -> int:
        """The row kept free is as high as the others."""
        return self.seats + self.spare


@dataclass(frozen=True, slots=True)
class FactPlaces:
    """What is written or ticked below a deal, in up to three lines: the gold, doors and crystals,
    jail and thieves. `ticks`: of nobody, and of both doors; `letters`: beside the doors."""

    gold: Box
    nobody: Box
    letters: tuple[Box, Box]
    crystal: Box
    crystals: Box
    jail: Box
    thieves: Box
    ticks: tuple[Box, Box, Box]

    def boxes(self, lines: int) -> list[Box]:
        """Those that are drawn where there are so many lines."""
        by_line = (
            (self.gold, self.ticks[0]),
            (*self.ticks[1:], self.crystals),
            (self.jail, self.thieves),
        )
        return [box for line in by_line[:lines] for box in line]


@dataclass(frozen=True, slots=True)
class EditionDealPlaces:
    """One deal's columns, within the grid. `letters`: the column of each role letter; none where
    the letter is written."""

    title: Box
    role: Box
    points: Box
    letters: tuple[Box, ...]
    facts: FactPlaces


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionGrid(Grid):
    """`asked`: where each line of facts says what it asks for."""

    deals: tuple[EditionDealPlaces, ...]
    sum: Box
    sum_points: Box
    won: Box
    asked: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class _Measures:
    shape: GridShape
    row: float

    @property
    def tail(self) -> float:
        return _SUM + (_WON if self.shape.won else 0)

    @property
    def deal(self) -> float:
        shape = self.shape
        free = WIDTH - SEAT - NUMBER - _NAME[shape.deals] - self.tail
        most = shape.roles * _PER_ROLE + _POINTS_MOST if shape.roles else _ALONE_MOST
        return min(most, free / shape.deals)

    @property
    def lead(self) -> float:
        return WIDTH - self.tail - self.deal * self.shape.deals

    @property
    def points(self) -> float:
        """The width of a deal's sums."""
        if not self.shape.roles:
            return self.deal
        return min(_POINTS_MOST, max(_POINTS_LEAST, self.deal * 0.34))

    @property
    def role(self) -> float:
        return self.deal - self.points

    @property
    def pitch(self) -> float:
        """From one role letter to the next; 0 where it is written."""
        if not self.shape.roles:
            return 0
        pitch = (self.role - 2 * INSET) / self.shape.roles
        return pitch if pitch >= BUBBLE_LEAST else 0

    @property
    def rows_end(self) -> float:
        return HEAD + self.row * self.shape.rows

    @property
    def end(self) -> float:
        return self.rows_end + LINE * self.shape.facts

    def start(self, deal: int) -> float:
        return self.lead + deal * self.deal


@lru_cache(maxsize=256)
def edition_plan(shape: GridShape) -> EditionGrid:
    """The places on a sheet: signatures and legend from below, above them the grid."""
    low = BOTTOM - SIGN - GAP - shape.legend - GAP
    most = max(ROW_MOST, FEW_ROWS / shape.rows)
    row = min(most, (low - shape.top - HEAD - LINE * shape.facts) / shape.rows)
    m = _Measures(shape, row)
    # What few seats leave over makes the legend larger first, then the signatures.
    left = low - shape.top - m.end
    legend = shape.legend + min(LEGEND_MORE, left / 2)
    sign = min(SIGN_MOST, SIGN + left - (legend - shape.legend))
    names = tuple(_name(m, seat) for seat in range(shape.rows))
    tail = m.start(shape.deals)
    return EditionGrid(
        place=Box(10, shape.top, WIDTH, m.end),
        row=row,
        seat=Box(0, HEAD, SEAT, row * shape.rows),
        number=Box(SEAT, HEAD, NUMBER, row * shape.rows),
        name=Box(SEAT + NUMBER, 0, m.lead - SEAT - NUMBER, HEAD),
        names=names[: shape.seats],
        spare=names[shape.seats] if shape.spare else None,
        legend=Box(10, BOTTOM - sign - GAP - legend, WIDTH, legend),
        sign=Box(10, BOTTOM - sign, WIDTH, sign),
        heavy=_heavy(m),
        thin=_thin(m),
        boxes="".join(box.path for deal in range(shape.deals) for box in _boxes(m, deal)),
        light=_light(m),
        stars="",
        deals=tuple(_deal(m, deal) for deal in range(shape.deals)),
        sum=Box(tail, 0, _SUM, HEAD_SPLIT),
        sum_points=Box(tail, HEAD_SPLIT, _SUM, HEAD - HEAD_SPLIT),
        won=Box(tail + _SUM, 0, m.tail - _SUM, HEAD),
        asked=tuple(
            Box(2, m.rows_end + LINE * line, m.lead - 4, LINE) for line in range(shape.facts)
        ),
    )


def _name(m: _Measures, seat: int) -> Box:
    return Box(SEAT + NUMBER + 1.5, HEAD + m.row * seat, m.lead - SEAT - NUMBER - 3, m.row)


def _deal(m: _Measures, deal: int) -> EditionDealPlaces:
    x, split, high = m.start(deal), HEAD - HEAD_SPLIT, m.row * m.shape.rows
    return EditionDealPlaces(
        title=Box(x, 0, m.deal, HEAD_SPLIT),
        role=Box(x, HEAD_SPLIT, m.role, split),
        points=Box(x + m.role, HEAD_SPLIT, m.points, split),
        letters=tuple(
            Box(x + INSET + kind * m.pitch, HEAD, m.pitch, high)
            for kind in range(m.shape.roles if m.pitch else 0)
        ),
        facts=_facts(m, deal),
    )


def _facts(m: _Measures, deal: int) -> FactPlaces:
    x, end = m.start(deal) + 1.2, m.start(deal) + m.deal - 1.2
    tops = [m.rows_end + LINE * line for line in range(3)]
    half, third = m.start(deal) + max(19.5, m.deal * 0.5), m.deal * 0.38

    def tick(left: float, line: int) -> Box:
        return Box(left, tops[line] + (LINE - TICK) / 2, TICK, TICK)

    def written(left: float, right: float, line: int) -> Box:
        return Box(left, tops[line] + 0.7, right - left, LINE - 1.4)

    nobody = tick(x + third + 1, 0)
    return FactPlaces(
        gold=written(x, x + third, 0),
        nobody=Box(nobody.x + TICK + 1, tops[0], end - nobody.x - TICK - 1, LINE),
        letters=(
            Box(x + TICK, tops[1], TICK, LINE),
            Box(x + 3.1 * TICK, tops[1], TICK, LINE),
        ),
        crystal=Box(half, tops[1] + 1.3, LINE - 2.6, LINE - 2.6),
        crystals=written(half + LINE - 2, end, 1),
        jail=written(x, x + third, 2),
        thieves=written(x + third + 1, end, 2),
        ticks=(nobody, tick(x, 1), tick(x + 2.1 * TICK, 1)),
    )


def _boxes(m: _Measures, deal: int) -> list[Box]:
    return _facts(m, deal).boxes(m.shape.facts)


def _lines(xs: Iterable[float], y: float, end: float) -> str:
    return "".join(f"M{x:.2f} {y:.2f}V{end:.2f}" for x in xs)


def _heavy(m: _Measures) -> str:
    deals = m.shape.deals
    frame = Box(0, 0, WIDTH, m.end).path
    columns = _lines((m.start(deal) for deal in range(deals + 1)), 0, m.end)
    return frame + columns + "".join(f"M0 {y:.2f}H{WIDTH}" for y in {HEAD, m.rows_end} - {m.end})


def _thin(m: _Measures) -> str:
    shape = m.shape
    rows = "".join(f"M0 {HEAD + m.row * seat:.2f}H{WIDTH}" for seat in range(1, shape.rows))
    facts = "".join(f"M0 {m.rows_end + LINE * n:.2f}H{WIDTH}" for n in range(1, shape.facts))
    tail = m.start(shape.deals)
    split = f"M{m.lead:.2f} {HEAD_SPLIT}H{tail + _SUM:.2f}"
    inner = [m.start(deal) + m.role for deal in range(shape.deals) if m.role]
    won = [tail + _SUM] if shape.won else []
    return (
        rows
        + facts
        + split
        + _lines(inner, HEAD_SPLIT, m.rows_end)
        + _lines((SEAT, SEAT + NUMBER), 0, m.rows_end)
        + _lines(won, 0, m.rows_end)
    )


def _light(m: _Measures) -> str:
    """The bubbles around the role letters, and those of who has won."""
    shape = m.shape
    middles = [HEAD + m.row * (seat + 0.5) for seat in range(shape.rows)]
    bubble = min(m.pitch * 0.86, m.row - 1.0, 8.0) / 2
    places = [
        (m.start(deal) + INSET + m.pitch * (kind + 0.5), bubble)
        for deal in range(shape.deals)
        for kind in range(shape.roles if m.pitch else 0)
    ]
    if shape.won:
        places.append((WIDTH - _WON / 2, min(4.5, m.row / 2 - 1)))
    return "".join(circle_path(x, y, r) for x, r in places for y in middles)
