"""A look at the round after the next.

Of the seatings that nothing is wrong with, some leave more room than others: after three
rounds of 36 people without a repeat, the fourth costs two repeats or six.
"""

from collections.abc import Sequence
from random import Random

from seating.bounds import least_repeats
from seating.history import Tables, player_history
from seating.layout import Layout
from seating.problem import SeatingProblem, problem_of
from seating.search import Late, search

CANDIDATES = 4  # seatings that are compared
SHARE = 10  # this part of the whole work is spent on each of them, at most, and on each look
CROWDED = 3  # a look is worth it once everybody has met this part of all people


def is_crowded(problem: SeatingProblem, rounds: int) -> bool:
    """Whether so many rounds leave too few strangers for the next one to be easy."""
    return CROWDED * rounds * (max(problem.sizes) - 1) >= problem.players


def with_most_room(
    found: Layout,
    problem: SeatingProblem,
    history: Sequence[Tables],
    random: Random,
    trials: int,
    late: Late,
) -> Layout:
    """The one among several seatings as good as this one that promises most for the next round.

    `history`: the rounds before, by the same numbers as the problem; who left is any other
    number. If the next round can be as good as any, the first seating does.
    """

    def rest(_share: float) -> bool:
        """The round itself is found: whoever waits is told no smaller share again."""
        return late(1.0)

    best, best_cost = found, _cost_after(found, problem, history, random, trials, rest)
    for _ in range(CANDIDATES - 1):
        if best_cost <= 0 or late(1.0):
            break
        other = search(problem, random, trials // SHARE, rest)
        # Room for the next round is no reason to seat this one worse.
        if other.cost > found.cost:
            continue
        cost = _cost_after(other, problem, history, random, trials, rest)
        if cost < best_cost:
            best, best_cost = other, cost
    return best


def _cost_after(
    found: Layout,
    problem: SeatingProblem,
    history: Sequence[Tables],
    random: Random,
    trials: int,
    late: Late,
) -> int:
    """By how much a quick search for the next round misses what is possible at best."""
    rounds = [*history, *found.tables()]
    players = range(problem.players)
    bound = least_repeats(problem.sizes, players, rounds, at_most_twice=True)
    after = problem_of(player_history(players, rounds), problem.sizes, bound=bound)
    return search(after, random, trials // SHARE, late).cost - after.goal
