"""What results of several events come to over a season, by a named rule.

Everything is counted in hundredths of a point, as integers: each result is worth its value times
the weight of its event, rounded half up to hundredths, and a total is the sum of what its results
are worth. So what is shown adds up.

A shared rank counts for everybody who shares it as the rank itself (1, 2, 2, 4: two are second).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from scoring.refusal import Refusal

HUNDRED = 100
MERS_AT_MOST = 1000
MOST_POINTS = 100_000


class Rule(StrEnum):
    """How a result is worth something; `BEST_N` counts the best few by one of the others."""

    PLACES = "places"
    SUM = "sum"
    BEST_N = "best-n"
    COUNT_WINS = "count-wins"
    MERS = "mers"


class Band(NamedTuple):
    """The points of the ranks from `first` to `last`."""

    first: int
    last: int
    points: int


@dataclass(frozen=True, slots=True)
class SeasonRule:
    """A rule with its parameters. `bands`: of `PLACES`, by rank; a rank in none is worth nothing.
    `best`: how many results count, 0 for all; `of`: what a result is worth, which is the rule
    itself but for `BEST_N`."""

    name: Rule
    of: Rule
    bands: tuple[Band, ...] = ()
    best: int = 0


class SeasonResult(NamedTuple):
    """One event's result of somebody: rank among `field` ranked people, points of the game; the
    event's weight in hundredths (100: once)."""

    rank: int
    field: int
    points: int
    weight: int = HUNDRED


class Counted(NamedTuple):
    """What a result is worth, in hundredths, and whether it is among those that count."""

    worth: int
    counts: bool


type Worth = Callable[[SeasonResult], int]  # of one rule


class SeasonRow(NamedTuple):
    """A line of the season: level entries share a rank; `total` in hundredths."""

    entry: str
    rank: int
    shared: bool
    total: int


def season_rule(name: str, parameters: Mapping[str, object]) -> SeasonRule:
    """A rule from what is stored of it: `bands` as [[first, last, points], …], `best`, `of`.

    Refuses with `unknown_rule`, `bands` (none, not rising, overlapping or below nothing), `best`
    (less than one) and `unknown_base`.
    """
    if name not in set(Rule):
        raise Refusal("unknown_rule", rule=name)
    rule = Rule(name)
    if rule is not Rule.BEST_N:
        bands = _bands(parameters.get("bands")) if rule is Rule.PLACES else ()
        return SeasonRule(rule, rule, bands)
    best, of = parameters.get("best"), parameters.get("of")
    if not isinstance(best, int) or isinstance(best, bool) or best < 1:
        raise Refusal("best", best=best)
    if of not in set(Rule) or of == Rule.BEST_N:
        raise Refusal("unknown_base", of=of)
    base = Rule(str(of))
    bands = _bands(parameters.get("bands")) if base is Rule.PLACES else ()
    return SeasonRule(rule, base, bands, best)


def _bands(stored: object) -> tuple[Band, ...]:
    if not isinstance(stored, list | tuple) or not stored:
        raise Refusal("bands", bands=stored)
    if not all(isinstance(one, list | tuple) and len(one) == 3 for one in stored):
        raise Refusal("bands", bands=stored)
    if not all(type(number) is int for one in stored for number in one):
        raise Refusal("bands", bands=stored)
    bands = tuple(Band(*one) for one in stored)
    rising = all(before.last < after.first for before, after in pairwise(bands))
    sound = all(1 <= one.first <= one.last and 0 <= one.points <= MOST_POINTS for one in bands)
    if not (rising and sound):
        raise Refusal("bands", bands=stored)
    return bands


def worth(rule: SeasonRule, result: SeasonResult) -> int:
    """What a result is worth by the rule, in hundredths of a point.

    `MERS`: 1000 × (N − rank) / (N − 1): the first has 1000, the last nothing. Whoever was alone
    (N = 1) has beaten nobody and has nothing.
    """
    rank, field, points, weight = result
    if rule.of is Rule.PLACES:
        return points_of(rule.bands, rank) * weight
    if rule.of is Rule.SUM:
        return points * weight
    if rule.of is Rule.COUNT_WINS:
        return weight if rank == 1 else 0
    if field < 2:
        return 0
    return _half_up(MERS_AT_MOST * (field - rank) * weight, field - 1)


def points_of(bands: Sequence[Band], rank: int) -> int:
    """The points that a rank brings."""
    return next((one.points for one in bands if one.first <= rank <= one.last), 0)


def _half_up(dividend: int, divisor: int) -> int:
    return (2 * dividend + divisor) // (2 * divisor)


def counted(rule: SeasonRule, results: Sequence[SeasonResult]) -> tuple[Counted, ...]:
    """Each result, in the order given, with what it is worth: why a total is what it is. Of those
    that are level for the last that counts, the earlier one given does."""
    values = [worth(rule, one) for one in results]
    if not rule.best or len(values) <= rule.best:
        return tuple([Counted(value, True) for value in values])
    # The sort is stable: of level ones the first stays before.
    order = sorted(range(len(values)), key=lambda place: -values[place])
    best = set(order[: rule.best])
    return tuple(Counted(value, place in best) for place, value in enumerate(values))


def season(
    rule: SeasonRule, results: Mapping[str, Sequence[SeasonResult]], first: int | None = None
) -> tuple[SeasonRow, ...]:
    """Everybody with a result, the highest total first; equal totals share a rank, and stand by
    their ids. `first`: only so many rows."""
    # Of thousands of results few differ: the same rank of as many, by the same weight.
    value = cache(partial(worth, rule))
    totals = {entry: _total(rule, own, value) for entry, own in results.items() if own}
    order = sorted(totals)
    order.sort(key=totals.__getitem__, reverse=True)  # stable: equal totals stay by their ids
    level = Counter(totals.values())
    rows, rank, last = [], 0, None
    for place, entry in enumerate(order[:first], 1):
        total = totals[entry]
        if total != last:
            rank, last = place, total
        rows.append(SeasonRow(entry, rank, level[total] > 1, total))
    return tuple(rows)


def _total(rule: SeasonRule, results: Sequence[SeasonResult], value: Worth) -> int:
    values = [*map(value, results)]
    if rule.best and len(values) > rule.best:
        values = sorted(values)[-rule.best :]
    return sum(values)
