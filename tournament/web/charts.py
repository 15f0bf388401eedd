"""Where the lines and bars of a picture lie: figures turned into places, for templates to draw.

Places are numbers of the picture's own grid, 360 wide: on a phone about one pixel each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

WIDTH = 360
LEFT, RIGHT, TOP, BOTTOM = 30, 112, 14, 26
ROW = 26  # of a bar
BAR_LEFT, BAR_MOST = 96, 170
NARROW = 240  # a picture is never narrower, or its letters would be too large
LETTER = 13  # a line of small writing
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
FEW = 20  # so many ranks stand as far apart as they are; more are drawn together
NAME = 15  # letters of a name that fit beside a line


@dataclass(frozen=True, slots=True)
class Mark:
    """A word or number at a place of an axis."""

    at: float
    words: str


@dataclass(frozen=True, slots=True)
class RankLine:
    """One player: pieces of a line (it breaks where they were not ranked), a point for each round,
    and the end, where the name stands. `kind`: 0 to 9, how it is drawn."""

    name: str
    short: str
    kind: int
    lit: bool
    pieces: tuple[str, ...]
    points: tuple[tuple[float, float], ...]
    end: float
    label: float


@dataclass(frozen=True, slots=True)
class RankChart:
    width: int
    height: int
    left: float
    right: float
    bottom: float
    rounds: tuple[Mark, ...]
    ranks: tuple[Mark, ...]
    lines: tuple[RankLine, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """Lying from the left. `mark`: where chance would end it, if that is shown; `beyond`: how far
    from the start its value stands, behind both."""

    at: float
    words: str
    width: float
    value: str
    beyond: float
    mark: float | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class BarChart:
    width: int
    height: int
    left: int
    row: int
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Post:
    """A standing bar with its number below, and the height that chance gives as a line across."""

    at: float
    wide: float
    top: float
    height: float
    expected: float
    words: str
    count: str
    middle: float
    over: float
    above: float


@dataclass(frozen=True, slots=True)
class PostChart:
    width: int
    height: int
    floor: float
    end: float
    posts: tuple[Post, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player of the chart of ranks: a rank after each round, or None."""

    name: str
    ranks: Sequence[int | None]
    lit: bool = False


def rank_chart(
    rounds: Sequence[str], players: Sequence[Ranked], *, height: int = 300, names: bool = True
) -> RankChart:
    """A line for each player, the best rank on top."""
    right = WIDTH - (RIGHT if names else 24)
    bottom = height - BOTTOM
    worst = max((rank for one in players for rank in one.ranks if rank), default=1)
    across = _across(len(rounds), right)
    ends = [_last(one.ranks, worst, bottom) for one in players]
    labels = _apart(ends, bottom) if names else ends
    lines = tuple(
        _line(one, kind, across, worst, bottom, end, label)
        for kind, (one, end, label) in enumerate(zip(players, ends, labels, strict=True))
    )
    return RankChart(
        width=WIDTH,
        height=height,
        left=LEFT,
        right=right,
        bottom=bottom,
        rounds=tuple(map(Mark, across, rounds)),
        ranks=tuple(_scale(worst, bottom)),
        lines=lines,
    )


def _across(rounds: int, right: float) -> list[float]:
    if rounds < 2:
        return [LEFT] * rounds
    return [round(LEFT + place * (right - LEFT) / (rounds - 1), 1) for place in range(rounds)]


def _down(rank: int, worst: int, bottom: float) -> float:
    """Many ranks are drawn together towards the end, so that the best ones stay apart."""
    if worst == 1:
        return TOP
    part = (rank - 1) / (worst - 1) if worst <= FEW else math.log(rank) / math.log(worst)
    return round(TOP + part * (bottom - TOP - 8), 1)


def _scale(worst: int, bottom: float) -> Iterator[Mark]:
    """The ranks that stand beside the chart, as far apart as their letters are high."""
    last = -math.inf
    for rank in range(1, worst + 1) if worst <= FEW else STEPS:
        at = _down(rank, worst, bottom)
        if rank <= worst and at >= last + LETTER:
            yield Mark(at, str(rank))
            last = at


def _last(ranks: Sequence[int | None], worst: int, bottom: float) -> float:
    return _down(next((rank for rank in reversed(ranks) if rank), worst), worst, bottom)


def _line(
    one: Ranked,
    kind: int,
    across: Sequence[float],
    worst: int,
    bottom: float,
    end: float,
    label: float,
) -> RankLine:
    pieces: list[list[tuple[float, float]]] = [[]]
    for at, rank in zip(across, one.ranks, strict=True):
        if rank is None:
            pieces.append([])
        else:
            pieces[-1].append((at, _down(rank, worst, bottom)))
    return RankLine(
        name=one.name,
        short=one.name if len(one.name) <= NAME else one.name[: NAME - 1] + "…",
        kind=kind % 10,
        lit=one.lit,
        pieces=tuple(" ".join(f"{x},{y}" for x, y in piece) for piece in pieces if piece),
        points=tuple(point for piece in pieces for point in piece),
        end=end,
        label=label,
    )


def _apart(places: Sequence[float], bottom: float) -> list[float]:
    """Where names stand: as near to their lines as can be without lying on each other."""
    order = sorted(range(len(places)), key=lambda one: (places[one], one))
    found = [0.0] * len(places)
    lowest = -math.inf
    for one in order:
        lowest = max(places[one], lowest + LETTER)
        found[one] = lowest
    # What went over the edge is pushed up again, from the end.
    highest = float(bottom)
    for one in reversed(order):
        found[one] = min(found[one], highest)
        highest = found[one] - LETTER
    return [round(one, 1) for one in found]


def bar_chart(rows: Sequence[tuple[str, float, str, float | None, str]]) -> BarChart:
    """A lying bar for each row: its words, its length, what stands at its end, the length that
    chance gives (or None), and the class it is drawn by."""
    longest = max((max(value, mark or 0) for _, value, _, mark, _ in rows), default=0) or 1
    scale = BAR_MOST / longest
    return BarChart(
        width=WIDTH,
        height=ROW * len(rows) + 6,
        left=BAR_LEFT,
        row=ROW,
        bars=tuple(
            Bar(
                at=place * ROW + 4,
                words=words,
                width=round(value * scale, 1),
                value=said,
                beyond=round(max(value, mark or 0) * scale + 7, 1),
                mark=None if mark is None else round(BAR_LEFT + mark * scale, 1),
                kind=kind,
            )
            for place, (words, value, said, mark, kind) in enumerate(rows)
        ),
    )


def post_chart(rows: Sequence[tuple[int, int, float]], *, height: int = 150) -> PostChart:
    """A standing bar for each row: the number below it, its count, and what chance gives."""
    highest = max((max(count, expected) for _, count, expected in rows), default=0) or 1
    floor = height - 22
    wide = min(44.0, (WIDTH - 16) / max(1, len(rows)))
    scale = (floor - 18) / highest
    return PostChart(
        width=max(NARROW, math.ceil(16 + len(rows) * wide)),
        height=height,
        floor=floor,
        end=round(8 + len(rows) * wide, 1),
        posts=tuple(
            Post(
                at=round(8 + place * wide, 1),
                wide=round(wide * 0.72, 1),
                top=round(floor - count * scale, 1),
                height=round(count * scale, 1),
                expected=round(floor - expected * scale, 1),
                words=str(number),
                count=str(count),
                middle=round(wide * 0.36, 1),
                over=round(wide * 0.72 + 2, 1),
                above=round(floor - max(count, expected) * scale - 5, 1),
            )
            for place, (number, count, expected) in enumerate(rows)
        ),
    )


def best_of(ranks: Sequence[Mapping[int, int]], size: int, *, also: int | None = None) -> list[int]:
    """The players to draw: those who are best after the last of these rounds, and one more."""
    if not ranks:
        return []
    last = ranks[-1]
    best = sorted(last, key=lambda number: (last[number], number))[:size]
    known = also is not None and any(also in one for one in ranks)
    return [*best, also] if known and also is not None and also not in best else best
