"""What is to be seated and what is known about it, as the search sees it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from seating.history import PlayerHistory
from seating.weights import DEALER, DISPLACED, ODD, REPEAT, from_six


@dataclass(frozen=True, slots=True)
class SeatingProblem:
    """So many rounds to be seated at once, as the search sees them.

    Players are numbers from 0, groups of them bit masks. `met[k][p]`: those whom p met more
    than k times before. `apart[p]`: those whom p must not meet. `price[p][u]`: what it costs
    to sit so far from six, summed up over these rounds. `displaced[p][t]`: what it costs to
    sit at table t; empty where all are alike. `may_deal`: those who dealt least, then those
    who dealt once more too, and so on; empty for more than one round. `goal`: no seating
    costs less.
    """

    sizes: tuple[int, ...]
    rounds: int
    met: tuple[list[int], ...]
    apart: list[int]
    price: list[tuple[int, ...]]
    displaced: list[list[int]]
    may_deal: tuple[int, ...]
    goal: int

    @property
    def players(self) -> int:
        """How many there are."""
        return len(self.apart)

    def lacking(self, table: int) -> int:
        """How much more often than necessary whoever deals at this table has dealt."""
        return sum(not table & seldom for seldom in self.may_deal)


def problem_of(
    past: PlayerHistory,
    sizes: Sequence[int],
    *,
    rounds: int = 1,
    bound: int = 0,
    forbidden: Collection[tuple[int, int]] = (),
    unwilling: int = 0,
    ranking: Sequence[int] = (),
    odd: int = ODD,
) -> SeatingProblem:
    """The problem of seating these players.

    `bound`: no seating has fewer repeats. `unwilling`: a mask of those who would rather not
    deal. `ranking`: the players from the best, who are to sit in that order. `odd`: what it weighs
    to sit at an odd table before one's turn.
    """
    # Of a plan `even_out` spreads the dealing afterwards: only a round of its own looks at it here.
    may_deal = _may_deal(past.dealt, len(sizes), unwilling) if rounds == 1 else ()
    # Where fewer people dealt so seldom than there are tables, some table goes without in any
    # seating.
    without = sum(max(0, len(sizes) - seldom.bit_count()) for seldom in may_deal)
    prices = _prices(past, sizes, rounds, odd)
    return SeatingProblem(
        sizes=tuple(sizes),
        rounds=rounds,
        met=past.met,
        apart=_apart(len(past.played), forbidden),
        price=prices,
        displaced=_displaced(sizes, ranking),
        may_deal=may_deal,
        goal=bound * REPEAT + without * DEALER + _least_uneven(sizes, rounds, prices),
    )


def no_matter_who(
    players: int, sizes: Sequence[int], forbidden: Collection[tuple[int, int]]
) -> SeatingProblem:
    """The problem where every seating is as good as any other, those of forbidden pairs aside."""
    # Tables of five to ten are at most four away from six.
    nothing = (0,) * 5
    apart = _apart(players, forbidden)
    return SeatingProblem(tuple(sizes), 1, ([0] * players,), apart, [nothing] * players, [], (), 0)


def _apart(players: int, forbidden: Collection[tuple[int, int]]) -> list[int]:
    apart = [0] * players
    for one, other in forbidden:
        apart[one] |= 1 << other
        apart[other] |= 1 << one
    return apart


def _prices(
    past: PlayerHistory, sizes: Sequence[int], rounds: int, odd: int
) -> list[tuple[int, ...]]:
    """For each player what it costs to sit 0, 1, 2 … from six in all rounds together."""
    # The most that anybody can add up: the table that is farthest from six, in every round.
    most = rounds * max(map(from_six, sizes), default=0)
    # Within a plan each time is dearer than the one before, so that the times are shared out; the
    # distances of one round are not.
    each = int(rounds > 1)
    return [
        tuple(odd * (u * ahead + each * u * (u - 1) // 2) for u in range(1 + most))
        for ahead in past.odd_before_turn()
    ]


def _least_uneven(sizes: Sequence[int], rounds: int, prices: Sequence[Sequence[int]]) -> int:
    """What the odd tables cost at least: each goes to whom it costs least, one after the other."""
    # No step of a price is cheaper than the one before, so the cheapest of all can be taken in
    # order.
    steps = sorted(more - less for price in prices for less, more in pairwise(price))
    return sum(steps[: rounds * sum(size * from_six(size) for size in sizes)])


def _displaced(sizes: Sequence[int], ranking: Sequence[int]) -> list[list[int]]:
    at = [table for table, size in enumerate(sizes) for _ in range(size)]
    found: dict[int, list[int]] = {
        # Squared: two people one table off are better than one who is two tables off.
        player: [DISPLACED * (table - own) ** 2 for table in range(len(sizes))]
        # Without a ranking nobody has a table of their own, and none is counted.
        for player, own in zip(ranking, at, strict=False)
    }
    return [found[player] for player in range(len(found))]


def _may_deal(dealt: Sequence[int], tables: int, unwilling: int) -> tuple[int, ...]:
    willing = [times for player, times in enumerate(dealt) if not unwilling >> player & 1]
    if len(willing) < tables:
        # Somebody who would rather not has to deal at some table whatever is done.
        return ()
    least, most = min(willing), max(willing)
    return tuple(
        sum(1 << p for p, times in enumerate(dealt) if times <= limit and not unwilling >> p & 1)
        for limit in range(least, max(least + 1, most))
    )
