"""The search for tables where as few people as possible meet again.

Two people at different tables change places if that costs less, and now and then, ever
more rarely, if it costs more. There is no clock in it: the same seed gives the same
tables on every machine, unless it gets too late.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

from tournament.seating.problem import DEALER, REPEAT, Problem
from tournament.seating.sizes import PREFERRED

ANNEALS = 4  # times the search begins anew
BATCHES = 60  # steps in which one attempt cools down
STILL, WARM, COLD = 0.0, 0.2, 0.01  # chances that one repeat more is accepted
COOLING = 0.95  # what is left of the chance after a step: from WARM to COLD in the batches
NEVER = 5 * REPEAT  # what costs so much more is not accepted at all

type Late = Callable[[], bool]


@dataclass(slots=True)
class Seating:
    """Who sits where: the table of each player, and the players of each table as a mask."""

    where: list[int]
    masks: list[int]
    cost: int

    def copy(self) -> "Seating":
        """The same seating, to be changed apart."""
        return Seating([*self.where], [*self.masks], self.cost)

    def tables(self) -> list[list[int]]:
        """The players of each table."""
        found: list[list[int]] = [[] for _ in self.masks]
        for player, table in enumerate(self.where):
            found[table].append(player)
        return found


def search(problem: Problem, random: Random, trials: int, late: Late) -> Seating:
    """The best seating found in about so many trials, or before it got too late."""

    def attempt(seating: Seating, chance: float, cooling: float) -> Seating:
        return _attempt(problem, seating, random, trials // (ANNEALS + 2), chance, cooling, late)

    best = attempt(start(problem, random), STILL, 1.0)
    for _ in range(ANNEALS):
        if best.cost > problem.goal and not late():
            again = attempt(start(problem, random), WARM, COOLING)
            best = min(best, again, key=lambda seating: seating.cost)
    return attempt(best, COLD, 1.0)


def start(problem: Problem, random: Random) -> Seating:
    """A random seating in which those sit at odd tables who did so least."""
    free = [*range(len(problem.met))]
    random.shuffle(free)
    where, masks = [0] * len(free), [0] * len(problem.sizes)
    tables = enumerate(problem.sizes)
    for table, size in sorted(tables, key=lambda item: -abs(item[1] - PREFERRED)):
        if size != PREFERRED:
            free.sort(key=problem.place[size].__getitem__)
        here, free = free[:size], free[size:]
        for player in here:
            where[player] = table
            masks[table] |= 1 << player
    return Seating(where, masks, problem.cost(where, masks))


def _attempt(
    problem: Problem,
    seating: Seating,
    random: Random,
    trials: int,
    chance: float,
    cooling: float,
    late: Late,
) -> Seating:
    """The best seating met on the way from this one."""
    best, everybody = seating.copy(), range(len(seating.where))
    for batch in range(BATCHES):
        if best.cost <= problem.goal or late():
            break
        uneasy = problem.uneasy(seating.where, seating.masks) if batch % 2 == 0 else ()
        _swap(problem, seating, random, uneasy or everybody, trials // BATCHES, chance)
        if seating.cost < best.cost:
            best = seating.copy()
        chance *= cooling
    return best


def _swap(
    problem: Problem,
    seating: Seating,
    random: Random,
    firsts: Sequence[int],
    trials: int,
    chance: float,
) -> None:
    """Try so many swaps of one of the firsts with anybody, until the goal is reached."""
    where, masks, cost, goal = seating.where, seating.masks, seating.cost, problem.goal
    accepted, draw, count, everybody = _chances(chance), random.random, len(firsts), len(where)
    for _ in range(trials):
        p, q = firsts[int(draw() * count)], int(draw() * everybody)
        a, b = where[p], where[q]
        if a == b:
            continue
        more = _change(problem, masks, p, a, q, b)
        if more > 0 and (more >= NEVER or draw() >= accepted[more]):
            continue
        where[p], where[q] = b, a
        both = 1 << p | 1 << q
        masks[a] ^= both
        masks[b] ^= both
        cost += more
        if cost <= goal:
            break
    seating.cost = cost


def _change(problem: Problem, masks: list[int], p: int, a: int, q: int, b: int) -> int:
    """What it costs more if p at table a and q at table b change places."""
    bit_p, bit_q = 1 << p, 1 << q
    at_a, at_b = masks[a] ^ bit_p, masks[b] ^ bit_q
    met_p, met_q = problem.met[p], problem.met[q]
    there = (met_p & at_b).bit_count() + (met_q & at_a).bit_count()
    more = REPEAT * (there - (met_p & at_a).bit_count() - (met_q & at_b).bit_count())
    for mask, weight in problem.heavy[p]:
        more += weight * ((mask & at_b).bit_count() - (mask & at_a).bit_count())
    for mask, weight in problem.heavy[q]:
        more += weight * ((mask & at_a).bit_count() - (mask & at_b).bit_count())
    size_a, size_b = problem.sizes[a], problem.sizes[b]
    if size_a != size_b:
        place_a, place_b = problem.place[size_a], problem.place[size_b]
        more += place_b[p] - place_a[p] + place_a[q] - place_b[q]
    for seldom in problem.may_deal:
        if not seldom & bit_p or not seldom & bit_q:
            lacking = (not seldom & (at_a | bit_q)) + (not seldom & (at_b | bit_p))
            more += DEALER * (lacking - (not seldom & masks[a]) - (not seldom & masks[b]))
    return more


def _chances(chance: float) -> list[float]:
    """The chance of each higher cost, given that of one repeat more.

    Square roots and products only: they come out the same on every machine.
    """
    step, found = sqrt(sqrt(sqrt(chance))), [1.0]
    while len(found) < NEVER:
        found.append(found[-1] * step)
    return found
