"""How few repeats there can be at best: what no search can beat."""

from collections.abc import Collection, Sequence
from itertools import combinations

from seating.history import PlayerHistory, Tables
from seating.sizes import PREFERRED


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
    # Only so many pairs can meet for the first time, however the tables are made.
    unmet = _pairs(len(here)) - len(met)
    # A pair who met in two earlier rounds would be counted twice, and has met a third time by now.
    by_rounds = sum(shared) if at_most_twice else max(shared, default=0)
    return max(by_rounds, sum(map(_pairs, sizes)) - unmet, 0)


def least_odd_again(past: PlayerHistory, sizes: Sequence[int]) -> int:
    """A lower bound of those who sit at an odd table again before somebody else's turn: the seats
    at such tables less the people whose turn it is."""
    seats = sum(size for size in sizes if size != PREFERRED)
    return max(0, seats - past.odd_before_turn().count(0))


def _kept(tables: Tables, here: Collection[int]) -> list[list[int]]:
    """The tables of an earlier round without those who are gone."""
    return [[player for player in table if player in here] for table in tables]


def _least_shared(sizes: Sequence[int], players: int, earlier: Tables) -> int:
    """Pairs at one table in both rounds: each table spreads over all tables of the other.

    Who was not there then counts as a table of one.
    """
    alone = players - sum(map(len, earlier))
    by_earlier = sum(_spread(len(table), len(sizes)) for table in earlier)
    # The same pairs, seen from either round: the higher of two lower bounds holds.
    return max(by_earlier, sum(_spread(size, len(earlier) + alone) for size in sizes))


def _spread(people: int, tables: int) -> int:
    """Pairs left together when so many people spread over so many tables."""
    if not tables:
        return 0
    # Fewest pairs are left together when they spread as evenly as can be.
    each, bigger = divmod(people, tables)
    return bigger * _pairs(each + 1) + (tables - bigger) * _pairs(each)


def _pairs(people: int) -> int:
    return people * (people - 1) // 2


def least_repeats_of_plan(
    sizes: Sequence[int], rounds: int, *, at_most_twice: bool, level: bool = True
) -> int:
    """A lower bound of the repeats of so many rounds of these sizes, everybody always there.

    `level`: for plans in which nobody sits at a table other than six more often than others
    have to. `at_most_twice` as in `least_repeats`.
    """
    players = sum(sizes)
    odd_seats = sum(size for size in sizes if size != PREFERRED)
    # So few odd seats that nobody has to sit at them twice; then in a fair plan nobody does.
    shared = _least_shared_by_plan(sizes, apart=level and rounds * odd_seats <= players)
    # Each two rounds share other pairs if nobody meets thrice; else each round shares some with the
    # first.
    by_rounds = shared * (_pairs(rounds) if at_most_twice else rounds - 1)
    if list(sizes) == [PREFERRED] * 6 and rounds > 3:
        # Where pairs may meet thrice, the same two pairs may be what many rounds share.
        by_rounds = max(by_rounds, _least_of_six_by_six(rounds) if at_most_twice else 2)
    by_count = rounds * sum(map(_pairs, sizes)) - _pairs(players)
    return max(by_rounds, by_count, 0)


def least_repeats_of_rounds(rounds: Sequence[Tables], *, at_most_twice: bool) -> int:
    """A lower bound of the repeats of these rounds, given who was there and the table sizes.

    Of those who are there in both of two rounds, some pairs share a table of each whenever
    they are more than the two rounds' tables can keep apart.
    """
    here = [{player for table in tables for player in table} for tables in rounds]
    shared = [
        # Two who share a table of i and one of j meet again: the pairs of tables are the drawers.
        [_spread(len(here[i] & here[j]), len(rounds[i]) * len(rounds[j])) for i in range(j)]
        for j in range(len(rounds))
    ]
    by_rounds = sum(sum(row) if at_most_twice else max(row, default=0) for row in shared)
    seated = sum(_pairs(len(table)) for tables in rounds for table in tables)
    return max(by_rounds, seated - _pairs(len(set().union(*here))), 0)


def _least_shared_by_plan(sizes: Sequence[int], *, apart: bool) -> int:
    """Pairs at one table in both of two rounds of these sizes.

    `apart`: nobody sits at an odd table in both, so those of an odd table have only the
    others to spread over, and the odd tables' pairs add up over both rounds.
    """
    usual, odd = [s for s in sizes if s == PREFERRED], [s for s in sizes if s != PREFERRED]
    from_odd = sum(_spread(size, len(usual) if apart else len(sizes)) for size in odd)
    from_usual = sum(_spread(size, len(sizes)) for size in usual)
    return max(from_odd + from_usual, 2 * from_odd if apart else 0)


def _least_of_six_by_six(rounds: int) -> int:
    """No four rounds of six tables of six are free of repeats, since there are no two orthogonal
    Latin squares of order six (Tarry 1901). By Turán's theorem so many pairs of rounds hold a
    repeat, and two rounds that share one pair share two (Horton 1974)."""
    # Three parts, since no four rounds are free of each other's pairs.
    parts = [len(range(first, rounds, 3)) for first in range(3)]
    free = (rounds * rounds - sum(part * part for part in parts)) // 2
    return 2 * (_pairs(rounds) - free)
