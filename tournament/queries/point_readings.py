"""What typed points say, worked out beforehand for everything that can be typed at a table.

The page that types paper sheets only looks these up, so that no rule stands in a script.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

from scoring.refusal import Refusal
from scoring.rulesets import Ruleset
from scoring.sheets import expected_points, read_points
from tournament import rulebook
from tournament.models import Event


def payable_points(event: Event, seats: int) -> set[int]:
    """What a deal can give one seat; a digit, as it is stored."""
    expected = expected_points(rulebook.tournament_rules(event), seats)
    return {0} | {paid for points in expected.values() for paid in points if paid < 10}


def point_readings(event: Event, seats: int) -> dict[str, Any]:
    """`outcomes`: each with its sum and the points that bring a star. `readings`: the points typed
    so far, highest first ("322") -> for each outcome that they can belong to its place in
    `outcomes` and how many seats still have to get something; and the points that can't be right if
    nothing more comes and none fits (an empty list: their sum is wrong)."""
    return _readings(rulebook.tournament_rules(event), seats)


# By the ruleset itself, which is a value: an event that changes its numbers has another one.
@lru_cache(maxsize=64)
def _readings(ruleset: Ruleset, seats: int) -> dict[str, Any]:
    expected = expected_points(ruleset, seats)
    values = sorted({paid for points in expected.values() for paid in points if paid < 10})
    found: dict[str, Any] = {}
    for count in range(seats + 1):
        # Highest first, as the page orders what was typed before it looks it up.
        for typed in combinations_with_replacement(reversed(values), count):
            found["".join(map(str, typed))] = _reading(ruleset, typed, seats)
    return {
        "outcomes": [
            {"outcome": outcome.value, "sum": sum(points), "stars": _stars(ruleset, points, seats)}
            for outcome, points in expected.items()
        ],
        "readings": found,
    }


def _reading(ruleset: Ruleset, typed: tuple[int, ...], seats: int) -> dict[str, Any]:
    shown = Counter(typed)
    fits = [
        [place, (Counter(points) - shown).total()]
        for place, points in enumerate(expected_points(ruleset, seats).values())
        # More of a value than this outcome pays: no seat that is still empty can mend that.
        if shown <= Counter(points)
    ]
    return {"fits": fits, "wrong": _wrong(ruleset, typed, seats)}


def _wrong(ruleset: Ruleset, typed: tuple[int, ...], seats: int) -> list[int]:
    """The points at the seats that the rules would name."""
    points = typed + (0,) * (seats - len(typed))
    try:
        read_points(ruleset, points)
    except Refusal as refusal:
        values: dict[str, Any] = dict(refusal.values)
        return sorted({points[seat - 1] for seat in values.get("seats", ())})
    return []


def _stars(ruleset: Ruleset, paid: tuple[int, ...], seats: int) -> list[int]:
    """Those of the points that bring a star; none where changed numbers leave the stars open."""
    points = paid + (0,) * (seats - len(paid))
    try:
        reading = read_points(ruleset, points)
    except Refusal:
        return []
    return sorted({paid for paid, star in zip(points, reading.stars, strict=True) if star})
