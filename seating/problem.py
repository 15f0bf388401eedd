"""What a seating is judged by, in the order of what matters."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from seating.history import PlayerHistory
from seating.sizes import PREFERRED

# What one more of each costs: a later one never outweighs an earlier one.
DEALER = 1  # a table without anybody who dealt as seldom as possible
REPEAT = 8  # a pair who meet again
THIRD = 400  # a pair who meet a third time; a fourth time ten times as much
UNEVEN = 1_000_000  # somebody at an odd table rather than somebody who was there less
UNEVEN_YET = 6  # the same while there are rounds to come that can make up for it
FORBIDDEN = 1_000_000_000_000

DISPLACED = 2  # by standings: a player one table away from where the ranking puts them

# Shares of the rounds played as whole numbers: up to ten rounds divide this.
SHARE = 2520

type SizeCosts = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class SeatingProblem:
    """So many rounds to be seated at once, as the search sees them.

    Players are numbers from 0, groups of them bit masks. `met[k][p]`: those whom p met more
    than k times before. `apart[p]`: those whom p must not meet. `price[p][u][o]`: what it
    costs to have sat so far below and above six, summed up over these rounds.
    `displaced[p][t]`: what it costs to sit at table t; empty where all are alike. `may_deal`:
    those who dealt least, then those who dealt once more too, and so on until there is one
    for each table; empty for more than one round. `goal`: no seating costs less.
    """

    sizes: tuple[int, ...]
    rounds: int
    met: tuple[list[int], ...]
    apart: list[int]
    price: list[SizeCosts]
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
    may_wait: bool = False,
) -> SeatingProblem:
    """The problem of seating these players.

    `bound`: no seating has fewer repeats. `unwilling`: a mask of those who would rather not
    deal. `ranking`: the players from the best, who are to sit in that order. `may_wait`: odd
    tables need not be evened out in this round.
    """
    # Of a plan `even_out` spreads the dealing afterwards: only a round of its own looks at it here.
    may_deal = _may_deal(past.dealt, len(sizes), unwilling) if rounds == 1 else ()
    # Where fewer people dealt so seldom than there are tables, some table goes without in any
    # seating.
    without = sum(max(0, len(sizes) - seldom.bit_count()) for seldom in may_deal)
    # A round may wait only as the second one: its prices are divided by 1 or 2, and need no SHARE.
    prices = _prices(past, sizes, rounds, UNEVEN_YET if may_wait else UNEVEN * SHARE)
    return SeatingProblem(
        sizes=tuple(sizes),
        rounds=rounds,
        met=past.met,
        apart=_apart(len(past.played), forbidden),
        price=prices,
        displaced=_displaced(sizes, ranking),
        may_deal=may_deal,
        goal=bound * REPEAT + without * DEALER + _least_uneven(past, sizes, rounds, prices),
    )


def no_matter_who(
    players: int, sizes: Sequence[int], forbidden: Collection[tuple[int, int]]
) -> SeatingProblem:
    """The problem where every seating is as good as any other, those of forbidden pairs aside."""
    # Tables of five to ten are at most four away from six: 0 to 4 on either side.
    nothing: SizeCosts = ((0,) * 5,) * 5
    apart = _apart(players, forbidden)
    return SeatingProblem(tuple(sizes), 1, ([0] * players,), apart, [nothing] * players, [], (), 0)


def _apart(players: int, forbidden: Collection[tuple[int, int]]) -> list[int]:
    apart = [0] * players
    for one, other in forbidden:
        apart[one] |= 1 << other
        apart[other] |= 1 << one
    return apart


def _prices(past: PlayerHistory, sizes: Sequence[int], rounds: int, weight: int) -> list[SizeCosts]:
    """For each player; whoever was there more rounds has had more of a chance."""
    # The most that anybody can add up: the table that is farthest from six, in every round.
    under = 1 + rounds * max(0, *(PREFERRED - size for size in sizes))
    over = 1 + rounds * max(0, *(size - PREFERRED for size in sizes))

    @cache
    def price(small: int, big: int, played: int) -> SizeCosts:
        return tuple(
            tuple(
                weight * (_uneven(small + u, big + o) - _uneven(small, big)) // (played + rounds)
                for o in range(over)
            )
            for u in range(under)
        )

    return [price(*had) for had in zip(past.under, past.over, past.played, strict=True)]


def _uneven(small: int, big: int) -> int:
    """The more often already, the dearer is one time more; the other kind counts a little too."""
    return 2 * small * (small + 1) + 2 * big * (big + 1) + small * big


def _least_uneven(
    past: PlayerHistory, sizes: Sequence[int], rounds: int, prices: Sequence[SizeCosts]
) -> int:
    """What the odd tables cost at least: each goes to whom it costs least, one after the other."""
    total = 0
    # Each step of a price is dearer than the one before, so the cheapest steps of all can be taken
    # in order; somebody who has both kinds pays more than this, never less.
    for units, step in (
        (sum(max(0, PREFERRED - size) * size for size in sizes), _under),
        (sum(max(0, size - PREFERRED) * size for size in sizes), _over),
    ):
        steps = sorted(more for price in prices for more in step(price))
        total += sum(steps[: rounds * units])
    return total


def _under(price: SizeCosts) -> list[int]:
    return [price[u + 1][0] - price[u][0] for u in range(len(price) - 1)]


def _over(price: SizeCosts) -> list[int]:
    return [price[0][o + 1] - price[0][o] for o in range(len(price[0]) - 1)]


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
    # How often the last has dealt of those who are needed, one for each table.
    most = sorted(willing)[tables - 1]
    return tuple(
        sum(1 << p for p, times in enumerate(dealt) if times <= limit and not unwilling >> p & 1)
        for limit in range(min(willing), most + 1)
    )
