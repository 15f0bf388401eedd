"""What a change of a few tables costs, told at once however many changes are possible.

The figures are those of `cost_of`, the weight is what the search goes by; here both are kept up to
date instead of counted anew.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from seating.history import player_history
from seating.weights import DEALER, FORBIDDEN, ODD, from_six, one_meeting_more

type Tables = Sequence[Sequence[int]]
type Pairs = Collection[frozenset[int]]


class Cost(NamedTuple):
    """What a seating costs; a smaller one is better.

    `weight`: all of it in one sum, as `seating.weights` has it; what follows are its parts.
    `forbidden`: pairs kept apart who meet; `off_size`: who sits off-size again though somebody else
    has done so less; `thrice`: pairs who meet a third time or more; `repeats`: pairs who meet
    again; `dealer_again`: who deals again though somebody else has dealt less.
    """

    weight: int = 0
    forbidden: int = 0
    off_size: int = 0
    thrice: int = 0
    repeats: int = 0
    dealer_again: int = 0

    def plus(self, other: "Cost") -> "Cost":
        """The sum."""
        return Cost(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def minus(self, other: "Cost") -> "Cost":
        """The difference."""
        return Cost(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))


def sum_of(costs: Iterable[Cost]) -> Cost:
    """All of them together."""
    return Cost(*map(sum, zip(Cost(), *costs, strict=True)))


class CostedTables:
    """Tables and what they cost. `history` as for `cost_of`; `people` are all to be seated, whether
    they have a seat yet or not."""

    def __init__(
        self, people: Collection[int], history: Sequence[Tables], forbidden: Pairs = ()
    ) -> None:
        players = sorted(people)
        self.index = {player: number for number, player in enumerate(players)}
        past = player_history(players, history)
        self.met = past.met
        self._dealt, self._odd = past.dealt, past.odd_before_turn()
        self._dealt_before_turn = past.dealt_before_turn()
        self.apart = [0] * len(players)
        self.tables: dict[int, tuple[int, ...]] = {}
        self._masks: dict[int, int] = {}
        self._costs: dict[int, Cost] = {}
        for one, other in (sorted(pair) for pair in forbidden if len(pair) == 2):
            # A pair may name somebody who is not to be seated this time.
            if one in self.index and other in self.index:
                self.apart[self.index[one]] |= 1 << self.index[other]
                self.apart[self.index[other]] |= 1 << self.index[one]

    def dealt(self, player: int) -> int:
        """How often the player has dealt."""
        return self._dealt[self.index[player]]

    def put(self, changed: Mapping[int, Sequence[int]]) -> None:
        """These tables are now like this; an empty one is closed."""
        for table, players in changed.items():
            self.tables[table] = tuple(players)
            self._masks[table] = self._mask(players)
            self._costs[table] = self._cost_at(players)

    def cost(self) -> Cost:
        """What all tables cost."""
        return sum_of(self._costs.values())

    def change(self, changed: Mapping[int, Sequence[int]]) -> Cost:
        """By how much the cost would change were these tables like this."""
        # A table that this change opens costs nothing yet.
        before = sum_of(self._costs[table] for table in changed if table in self._costs)
        return sum_of(map(self._cost_at, changed.values())).minus(before)

    def _mask(self, players: Sequence[int]) -> int:
        return sum(1 << self.index[player] for player in players)

    def _cost_at(self, players: Sequence[int]) -> Cost:
        """What a table of these players, the dealer first, costs."""
        if not players:
            return Cost()
        here, mask = [self.index[player] for player in players], self._mask(players)
        apart = self._pairs(self.apart, here, mask)
        levels = [self._pairs(level, here, mask) for level in self.met]
        odd = [self._odd[person] for person in here] if (far := from_six(len(here))) else []
        deals = self._dealt_before_turn[here[0]]
        weight = sum(one_meeting_more(level) * pairs for level, pairs in enumerate(levels))
        return Cost(
            weight=FORBIDDEN * apart + weight + ODD * far * sum(odd) + DEALER * deals,
            forbidden=apart,
            off_size=len(odd) - odd.count(0),
            thrice=sum(levels[1:2]),
            repeats=levels[0],
            dealer_again=int(deals > 0),
        )

    def _pairs(self, kind: Sequence[int], here: Sequence[int], mask: int) -> int:
        """Pairs at a table of whom `kind` has one in the other's mask."""
        return sum((kind[person] & mask).bit_count() for person in here) // 2

    def again_at(self, player: int, table: int) -> int:
        """How many at the table the player has met."""
        return (self.met[0][self.index[player]] & self._masks[table]).bit_count()

    def apart_at(self, player: int, table: int) -> bool:
        """Whether somebody at the table is kept apart from the player."""
        return bool(self.apart[self.index[player]] & self._masks[table])


def costed_tables(
    tables: Tables, history: Sequence[Tables], forbidden: Pairs = (), more: Collection[int] = ()
) -> CostedTables:
    """A seating of these tables, numbered from 0; `more` are people without a seat."""
    people = {player for table in tables for player in table} | set(more)
    seating = CostedTables(people, history, forbidden)
    seating.put(dict(enumerate(tables)))
    return seating


@dataclass(frozen=True, slots=True)
class MoveTargets:
    """Where one player may go and by how much each step changes the cost: to the last seat of a
    table, into the seat of somebody else who takes theirs (or leaves, if they had none), out."""

    tables: dict[int, Cost]
    swaps: dict[int, Cost]
    out: Cost | None


def move_targets(
    tables: Tables, history: Sequence[Tables], player: int, forbidden: Pairs = ()
) -> MoveTargets:
    """All the steps open to a player, seated or not. Sizes are not looked at."""
    home = next((n for n, table in enumerate(tables) if player in table), None)
    seating = costed_tables(tables, history, forbidden, more=[player])
    base = seating.cost()
    if home is None:
        # What the page shows was counted without this player, who may be the least that others are
        # measured by.
        without = costed_tables(tables, history, forbidden).cost()
        more = base.minus(without)
        places = {
            n: seating.change({n: (*table, player)}).plus(more) for n, table in enumerate(tables)
        }
        return MoveTargets(places, {}, None)
    left = tuple(other for other in tables[home] if other != player)
    places = {
        n: seating.change({home: left, n: (*table, player)})
        for n, table in enumerate(tables)
        if n != home
    }
    swaps = {
        other: seating.change(_swapped(tables, home, player, n, other))
        for n, table in enumerate(tables)
        for other in table
        if other != player
    }
    # Whoever is taken out is no longer among those to be seated, and nobody is measured by them.
    rest = [left if n == home else table for n, table in enumerate(tables)]
    return MoveTargets(places, swaps, costed_tables(rest, history, forbidden).cost().minus(base))


def _swapped(
    tables: Tables, home: int, player: int, there: int, other: int
) -> dict[int, tuple[int, ...]]:
    change = {player: other, other: player}
    return {n: tuple(change.get(p, p) for p in tables[n]) for n in (home, there)}
