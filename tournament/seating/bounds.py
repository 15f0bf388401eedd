"""How few repeats there can be at best: what no search can beat."""

from collections.abc import Collection, Sequence
from itertools import combinations

from tournament.seating.past import Tables


def least_repeats(
    sizes: Sequence[int],
    players: Collection[int],
    history: Sequence[Tables],
    *,
    at_most_twice: bool,
) -> int:
    """A lower bound of the pairs who meet again in a round of these sizes.

    `at_most_twice`: for seatings in which no pair meets a third time; then the pairs shared
    with one earlier round are others than those shared with the next, and add up.
    """
    here = set(players)
    shared = [_least_shared(sizes, len(here), _kept(tables, here)) for tables in history]
    met = {
        pair
        for tables in history
        for table in _kept(tables, here)
        for pair in combinations(sorted(table), 2)
    }
    unmet = _pairs(len(here)) - len(met)
    by_rounds = sum(shared) if at_most_twice else max(shared, default=0)
    return max(by_rounds, sum(map(_pairs, sizes)) - unmet, 0)


def _kept(tables: Tables, here: Collection[int]) -> list[list[int]]:
    """The tables of an earlier round without those who are gone."""
    return [[player for player in table if player in here] for table in tables]


def _least_shared(sizes: Sequence[int], players: int, earlier: Tables) -> int:
    """Pairs at one table in both rounds: each table spreads over all tables of the other.

    Who was not there then counts as a table of one.
    """
    alone = players - sum(map(len, earlier))
    by_earlier = sum(_spread(len(table), len(sizes)) for table in earlier)
    return max(by_earlier, sum(_spread(size, len(earlier) + alone) for size in sizes))


def _spread(people: int, tables: int) -> int:
    """Pairs left together when so many people spread over so many tables."""
    if not tables:
        return 0
    each, bigger = divmod(people, tables)
    return bigger * _pairs(each + 1) + (tables - bigger) * _pairs(each)


def _pairs(people: int) -> int:
    return people * (people - 1) // 2
