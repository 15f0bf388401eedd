"""The search for tables where as few people as possible meet again.

Two people at different tables of a round change places if that costs less, and now and
then, ever more rarely, if it costs more. There is no clock in it: the same seed gives the
same tables on every machine, unless it gets too late.
"""

from collections.abc import Callable, Collection, Sequence
from math import sqrt
from random import Random

from seating.layout import Layout
from seating.problem import SeatingProblem
from seating.weights import FORBIDDEN, REPEAT, from_six

ANNEALS = 4  # times the search begins anew
BATCHES = 60  # steps in which one attempt cools down
STILL, WARM, COLD = 0.0, 0.2, 0.01  # chances that one repeat more is accepted
COOLING = 0.95  # what is left of the chance after a step: from WARM to COLD in the batches
NEVER = 5 * REPEAT  # what costs so much more is not accepted at all
# Passes over those who sit with somebody they must not meet.
MENDS = 40
LOOKS = 400_000  # swaps looked at in the end, a second or two

type Where = Sequence[Sequence[int]]
type Late = Callable[[float], bool]  # told which share of the work is done


def search(
    problem: SeatingProblem,
    random: Random,
    trials: int,
    late: Late,
    begin: Where | None = None,
    pinned: Collection[int] = (),
) -> Layout:
    """The best seating found in about so many trials, or before it got too late.

    `begin`: a seating to begin with, else one by chance. `pinned`: players who stay at the
    table that `begin` gives them.
    """
    free = [p for p in range(problem.players) if p not in pinned]
    first = _begun(problem, random, begin, free)
    # The anneals, one way down before them and one after.
    run = _Run(problem, random, trials, late, free, attempts=ANNEALS + 2)
    best = run.attempt(first, STILL, 1.0)
    for _ in range(ANNEALS):
        if best.cost > problem.goal and not run.is_late():
            # A start by chance would move those who are pinned.
            again = Layout(problem, begin if begin and pinned else start(problem, random))
            best = min(best, run.attempt(again, WARM, COOLING), key=lambda found: found.cost)
    return descend(run.attempt(best, COLD, 1.0), late, free)


def descend(layout: Layout, late: Late, free: Sequence[int]) -> Layout:
    """Swap two people as long as one such swap is better; afterwards none is.

    Where thousands are seated badly it stops after `LOOKS`, and when it is late.
    """
    players, movable = layout.problem.players, set(free)
    looks, better = 0, True
    while better:
        better = False
        for r, p in (divmod(at, players) for at in layout.uneasy() if at % players in movable):
            looks += len(free)
            if looks > LOOKS or late(1.0):
                return layout
            better |= _swap_best(layout, r, p, free)
    return layout


def _swap_best(layout: Layout, r: int, p: int, free: Sequence[int]) -> bool:
    """The best swap of this player in that round, if one is better than none."""
    row = layout.where[r]
    more, q = min(((layout.change(r, p, q), q) for q in free if row[q] != row[p]), default=(0, p))
    if more < 0:
        layout.swap(r, p, q, more)
    return more < 0


def _begun(
    problem: SeatingProblem, random: Random, begin: Where | None, free: Sequence[int]
) -> Layout:
    """A seating in which no forbidden pair meets, if such a one is found at once."""
    first = Layout(problem, begin or start(problem, random))
    _part_forbidden(first, random, free)
    # Who is kept apart from nearly everybody finds no swap that helps; seated first, they take the
    # one table that has room for them. Where somebody is pinned, that would move them.
    if first.forbidden() and len(free) == problem.players:
        other = Layout(problem, _most_hindered_first(problem, random))
        _part_forbidden(other, random, free)
        return min(first, other, key=lambda layout: layout.cost)
    return first


def _most_hindered_first(problem: SeatingProblem, random: Random) -> list[list[int]]:
    """Everybody at the table with the fewest they must not meet, who has most such first."""
    order = [*range(problem.players)]
    random.shuffle(order)
    # The sort is stable: those who are hindered alike stay in their order by chance.
    order.sort(key=lambda p: -problem.apart[p].bit_count())
    where = []
    for _ in range(problem.rounds):
        row, masks = [0] * problem.players, [0] * len(problem.sizes)
        for p in order:
            open_tables = [t for t, size in enumerate(problem.sizes) if masks[t].bit_count() < size]
            row[p] = min(open_tables, key=lambda t: (problem.apart[p] & masks[t]).bit_count())
            masks[row[p]] |= 1 << p
        where.append(row)
    return where


def polish(
    problem: SeatingProblem,
    random: Random,
    trials: int,
    late: Late,
    begin: Where,
) -> Layout:
    """The best seating found from this one on, in one cold attempt."""
    free = [*range(problem.players)]
    first = Layout(problem, begin)
    _part_forbidden(first, random, free)
    best = _Run(problem, random, trials, late, free, attempts=1).attempt(first, COLD, 1.0)
    return descend(best, late, free)


def start(problem: SeatingProblem, random: Random) -> list[list[int]]:
    """A seating by chance in which those sit at odd tables who did so least."""
    had = [0] * problem.players
    return [_start(problem, random, had) for _ in range(problem.rounds)]


def _start(problem: SeatingProblem, random: Random, had: list[int]) -> list[int]:
    """One round; `had`: how far from six everybody sat in the rounds before it."""
    free = [*range(problem.players)]
    if problem.displaced:
        # The one table that costs nothing is where the ranking puts a player.
        free.sort(key=lambda p: problem.displaced[p].index(0))
    else:
        random.shuffle(free)
    where = [0] * problem.players
    tables = [*enumerate(problem.sizes)]
    if not problem.displaced:
        # The odd tables choose first, whom they cost least; the sixes take whoever is left.
        tables.sort(key=lambda item: -from_six(item[1]))
    for table, size in tables:
        far = from_six(size)
        if far and not problem.displaced:

            def price(p: int, far: int = far) -> int:
                return problem.price[p][had[p] + far] - problem.price[p][had[p]]

            # Stable as well: among those whom it costs the same, chance decides.
            free.sort(key=price)
        here, free = free[:size], free[size:]
        for player in here:
            where[player] = table
            had[player] += far
    return where


def _part_forbidden(layout: Layout, random: Random, free: Sequence[int]) -> None:
    """Part forbidden pairs, whatever else it costs; this is done even when it is late."""
    players = layout.problem.players
    # The pinned ones do not move; a pair of two of them is refused when all is done.
    movable = set(free)
    for _ in range(MENDS):
        together = [at for at in layout.forbidden() if at % players in movable]
        if not together:
            return
        for at in together:
            r, p = divmod(at, players)
            # Two at one table would part nobody by changing places.
            others = [q for q in free if layout.where[r][q] != layout.where[r][p]]
            random.shuffle(others)
            costs = ((layout.change(r, p, q), q) for q in others[: 20 * MENDS])
            more, q = min(costs, default=(0, None))
            if q is None:  # nobody else can move
                continue
            # Half of FORBIDDEN is more than all else together: one such pair fewer is always taken,
            # as many as before only now and then, since that may lead out of a dead end.
            if more < -FORBIDDEN // 2 or (more < FORBIDDEN // 2 and random.random() < 0.5):
                layout.swap(r, p, q, more)


class _Run:
    """Attempts at one problem with the same means."""

    def __init__(
        self,
        problem: SeatingProblem,
        random: Random,
        trials: int,
        late: Late,
        free: Sequence[int],
        attempts: int,
    ) -> None:
        self.problem, self.random, self.late = problem, random, late
        self.batches = BATCHES * attempts
        self.batch = trials // self.batches
        self.done = 0
        self.free = free
        self.all_free = len(free) == problem.players

    def is_late(self) -> bool:
        """Whether to stop, as whoever waits is told how far it is."""
        return self.late(self.done / self.batches)

    def attempt(self, layout: Layout, chance: float, cooling: float) -> Layout:
        """The best seating met on the way from this one; it is changed."""
        best, cost = [[*row] for row in layout.where], layout.cost
        for number in range(BATCHES):
            # So few trials that a batch has none: the start is the answer.
            if cost <= self.problem.goal or not self.batch or self.is_late():
                break
            self._swap(layout, self._firsts(layout, number), chance)
            if layout.cost < cost:
                best, cost = [[*row] for row in layout.where], layout.cost
            chance *= cooling
            self.done += 1
        # Only the rows of the best were kept: copying a whole layout each time would cost more.
        return layout if layout.cost == cost else Layout(self.problem, best)

    def _firsts(self, layout: Layout, number: int) -> Sequence[int]:
        """Whom to swap: those at whose table something costs and everybody, in turns."""
        players, movable = self.problem.players, set(self.free)
        uneasy = layout.uneasy() if number % 2 == 0 else []
        if not self.all_free:
            uneasy = [at for at in uneasy if at % players in movable]
        if uneasy:
            return uneasy
        if self.all_free:
            return range(players * self.problem.rounds)
        return [r * players + p for r in range(self.problem.rounds) for p in self.free]

    def _swap(self, layout: Layout, firsts: Sequence[int], chance: float) -> None:
        """Try to swap one of the firsts with anybody, until the goal is reached."""
        accepted, draw, goal = _chances(chance), self.random.random, self.problem.goal
        count, players, where = len(firsts), self.problem.players, layout.where
        free, others = self.free, len(self.free)
        for _ in range(self.batch if count and others else 0):
            r, p = divmod(firsts[int(draw() * count)], players)
            q = free[int(draw() * others)]
            # Swapping two of one table changes nothing.
            row = where[r]
            if row[p] == row[q]:
                continue
            more = layout.change(r, p, q)
            if more > 0 and (more >= NEVER or draw() >= accepted[more]):
                continue
            layout.swap(r, p, q, more)
            if layout.cost <= goal:
                break


def _chances(chance: float) -> list[float]:
    """The chance of each higher cost, given that of one repeat more.

    Square roots and products only: they come out the same on every machine.
    """
    # The eighth root, as one repeat costs eight (REPEAT): eight steps make `chance` again.
    step, found = sqrt(sqrt(sqrt(chance))), [1.0]
    while len(found) < NEVER:
        found.append(found[-1] * step)
    return found
