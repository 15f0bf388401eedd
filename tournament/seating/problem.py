"""What a seating is judged by, in the order of what matters."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tournament.seating.past import Past
from tournament.seating.sizes import PREFERRED

# What one more of each costs: a later one never outweighs an earlier one.
DEALER = 1  # a table without anybody who dealt as seldom as possible
REPEAT = 8  # a pair who meet again
THIRD = 400  # a pair who meet a third time; a fourth time ten times as much
OFF_SIZE = 1_000_000  # somebody at an odd table rather than somebody who was there less
FORBIDDEN = 1_000_000_000_000

# Shares of the rounds played as whole numbers: up to ten rounds divide this.
SHARE = 2520


@dataclass(frozen=True, slots=True)
class Problem:
    """A draw as the search sees it; players are numbers from 0, groups of them bit masks.

    `met`: for each player, those met before. `heavy`: further masks, each with what one
    pair in it costs on top. `place`: for each size, what it costs each player to sit at
    such a table. `may_deal`: those who dealt least, then those who dealt once more too, and
    so on until there is one for each table. `goal`: no seating costs less.
    """

    sizes: tuple[int, ...]
    met: list[int]
    heavy: list[tuple[tuple[int, int], ...]]
    place: dict[int, list[int]]
    may_deal: tuple[int, ...]
    goal: int

    def cost(self, where: Sequence[int], masks: Sequence[int]) -> int:
        """What a seating costs, the sizes of the tables aside."""
        pairs = sum(
            REPEAT * (self.met[p] & masks[t]).bit_count()
            + sum(weight * (mask & masks[t]).bit_count() for mask, weight in self.heavy[p])
            for p, t in enumerate(where)
        )
        return pairs // 2 + DEALER * sum(self.lacking(mask) for mask in masks)

    def lacking(self, table: int) -> int:
        """How much more often than necessary whoever deals at this table has dealt."""
        return sum(not table & seldom for seldom in self.may_deal)

    def uneasy(self, where: Sequence[int], masks: Sequence[int]) -> list[int]:
        """Those at whose table something costs."""
        lacking = [self.lacking(mask) for mask in masks]
        return [
            p
            for p, t in enumerate(where)
            if lacking[t]
            or self.met[p] & masks[t]
            or any(mask & masks[t] for mask, _ in self.heavy[p])
        ]


def problem_of(
    past: Past, sizes: Sequence[int], forbidden: Collection[tuple[int, int]], bound: int
) -> Problem:
    """The problem of seating these players; `bound`: no seating has fewer repeats."""
    everybody = range(len(past.played))
    may_deal = _may_deal(past.dealt, len(sizes))
    without = sum(max(0, len(sizes) - seldom.bit_count()) for seldom in may_deal)
    apart = [0 for _ in everybody]
    for one, other in forbidden:
        apart[one] |= 1 << other
        apart[other] |= 1 << one
    return Problem(
        sizes=tuple(sizes),
        met=past.met[0],
        heavy=[_heavy(past, player, apart[player]) for player in everybody],
        place={size: [_place(past, p, size) for p in everybody] for size in set(sizes)},
        may_deal=may_deal,
        goal=bound * REPEAT + without * DEALER,
    )


def _heavy(past: Past, player: int, apart: int) -> tuple[tuple[int, int], ...]:
    levels = [(level[player], THIRD * 10 ** min(k, 2)) for k, level in enumerate(past.met[1:])]
    return tuple((mask, cost) for mask, cost in (*levels, (apart, FORBIDDEN)) if mask)


def _place(past: Past, player: int, size: int) -> int:
    """What a table of this size costs: the share of such seats the player would have had."""
    under, over = past.under[player], past.over[player]
    same, other = (under, over) if size < PREFERRED else (over, under)
    share = SHARE * (4 * same + other + 4) // (past.played[player] + 1)
    return OFF_SIZE * abs(size - PREFERRED) * share


def _may_deal(dealt: Sequence[int], tables: int) -> tuple[int, ...]:
    most = sorted(dealt)[tables - 1]
    return tuple(
        sum(1 << player for player, times in enumerate(dealt) if times <= limit)
        for limit in range(min(dealt), most + 1)
    )
