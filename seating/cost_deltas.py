"""What a change of a few tables costs, told at once however many changes are possible.

The figures are those of `cost_of`; here they are kept up to date instead of counted anew.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from seating.sizes import PREFERRED

type Tables = Sequence[Sequence[int]]
type Pairs = Collection[frozenset[int]]


class Cost(NamedTuple):
    """What a seating costs, in the order of what matters; a smaller one is better.

    `forbidden`: pairs kept apart who meet; `off_size`: who sits off-size more often than others;
    `thrice`: pairs who meet a third time or more; `repeats`: pairs who meet again;
    `dealer_again`: who deals more often than others.
    """

    forbidden: int = 0
    off_size: int = 0
    thrice: int = 0
    repeats: int = 0
    dealer_again: int = 0

    def minus(self, other: "Cost") -> "Cost":
        """The difference."""
        return Cost(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))


@dataclass(slots=True)
class Measure:
    """How often people had something before, and what they get now; `steady` were always there."""

    before: list[int]
    steady: list[bool]
    now: list[int] = field(init=False)
    sums: Counter[int] = field(init=False)  # of the steady: before and now together
    again: Counter[int] = field(init=False)  # of those who had some before and get more

    def __post_init__(self) -> None:
        self.now = [0] * len(self.before)
        self.again = Counter()
        self.sums = Counter(
            times for times, steady in zip(self.before, self.steady, strict=True) if steady
        )

    def put(self, person: int, value: int) -> None:
        old = self.now[person]
        if old == value:
            return
        before = self.before[person]
        self.now[person] = value
        if self.steady[person]:
            self.sums[before + old] -= 1
            self.sums[before + value] += 1
        if before and old:
            self.again[before + old] -= 1
        if before and value:
            self.again[before + value] += 1

    def too_often(self) -> int:
        """How many get more though somebody who was always there has two less."""
        # Entries of a counter stay when they have fallen to 0.
        least = min((times for times, count in self.sums.items() if count), default=0)
        return sum(count for times, count in self.again.items() if times - least > 1)


class CostedTables:
    """Tables and what they cost. `history` as for `cost_of`; `people` are all to be seated, whether
    they have a seat yet or not."""

    def __init__(
        self, people: Collection[int], history: Sequence[Tables], forbidden: Pairs = ()
    ) -> None:
        self.index = {player: number for number, player in enumerate(sorted(people))}
        count = len(self.index)
        self.met, self.twice, self.apart = [0] * count, [0] * count, [0] * count
        self.tables: dict[int, tuple[int, ...]] = {}
        self._masks: dict[int, int] = {}
        self._pairs: dict[int, tuple[int, int, int]] = {}
        under, over, dealt, played = [0] * count, [0] * count, [0] * count, [0] * count
        for table in (table for tables in history for table in tables):
            here = [self.index[player] for player in table if player in self.index]
            mask = sum(1 << person for person in here)
            for person in here:
                # Before `met` learns of this table: whoever is in it already is met again here.
                self.twice[person] |= self.met[person] & mask & ~(1 << person)
                self.met[person] |= mask & ~(1 << person)
                under[person] += max(0, PREFERRED - len(table))
                over[person] += max(0, len(table) - PREFERRED)
                played[person] += 1
            if table and table[0] in self.index:
                dealt[self.index[table[0]]] += 1
        for one, other in (sorted(pair) for pair in forbidden if len(pair) == 2):
            # A pair may name somebody who is not to be seated this time.
            if one in self.index and other in self.index:
                self.apart[self.index[one]] |= 1 << self.index[other]
                self.apart[self.index[other]] |= 1 << self.index[one]
        always = [rounds == len(history) for rounds in played]
        # Where nobody was always there, everybody is measured, as in `PlayerHistory.constant`.
        steady = always if any(always) else [True] * count
        self._under, self._over = Measure(under, steady), Measure(over, steady)
        self._deals = Measure(dealt, steady)

    def dealt(self, player: int) -> int:
        """How often the player has dealt."""
        return self._deals.before[self.index[player]]

    def put(self, changed: Mapping[int, Sequence[int]]) -> None:
        """These tables are now like this; an empty one is closed."""
        # Who goes from one of these tables to another is put below; only who has left them all is
        # out.
        gone = {player for table in changed for player in self.tables.get(table, ())}
        for player in gone.difference(*changed.values()):
            # No table, and any seat but the dealer's.
            self._put_person(self.index[player], 0, 1)
        for table, players in changed.items():
            self.tables[table] = tuple(players)
            here = [self.index[player] for player in players]
            for seat, person in enumerate(here):
                self._put_person(person, len(here), seat)
            self._masks[table] = sum(1 << person for person in here)
            self._pairs[table] = self._pairs_at(here, self._masks[table])

    def _put_person(self, person: int, size: int, seat: int) -> None:
        self._under.put(person, max(0, PREFERRED - size) if size else 0)
        self._over.put(person, max(0, size - PREFERRED))
        self._deals.put(person, int(seat == 0))

    def _pairs_at(self, here: Sequence[int], mask: int) -> tuple[int, int, int]:
        """Pairs at a table who are kept apart, meet a third time, meet again."""
        kinds = (self.apart, self.twice, self.met)
        apart, twice, met = (
            sum((kind[person] & mask).bit_count() for person in here) // 2 for kind in kinds
        )
        return apart, twice, met

    def cost(self) -> Cost:
        apart, twice, met = map(sum, zip((0, 0, 0), *self._pairs.values(), strict=True))
        off_size = self._under.too_often() + self._over.too_often()
        return Cost(apart, off_size, twice, met, self._deals.too_often())

    @contextmanager
    def tried(self, changed: Mapping[int, Sequence[int]]) -> Iterator[None]:
        """These tables like this, for a moment."""
        before = {table: self.tables.get(table, ()) for table in changed}
        self.put(changed)
        try:
            yield
        finally:
            self.put(before)

    def change(self, changed: Mapping[int, Sequence[int]]) -> Cost:
        """By how much the cost would change."""
        # A table that this change opens had no pairs before.
        tables = [table for table in changed if table in self._pairs]
        before = [self._pairs[table] for table in tables]
        # Who has it too often depends on the least of all others, so it is asked of all, not of
        # these tables.
        often = (self._under.too_often() + self._over.too_often(), self._deals.too_often())
        with self.tried(changed):
            off_size = self._under.too_often() + self._over.too_often() - often[0]
            deals = self._deals.too_often() - often[1]
            after = [self._pairs[table] for table in changed]
        apart, twice, met = (
            sum(pairs[kind] for pairs in after) - sum(pairs[kind] for pairs in before)
            for kind in range(3)
        )
        return Cost(apart, off_size, twice, met, deals)

    def again_at(self, player: int, table: int) -> int:
        """How many at the table the player has met."""
        return (self.met[self.index[player]] & self._masks[table]).bit_count()

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
            n: _sum(seating.change({n: (*table, player)}), more) for n, table in enumerate(tables)
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


def _sum(one: Cost, other: Cost) -> Cost:
    return Cost(*(mine + theirs for mine, theirs in zip(one, other, strict=True)))
