"""The tables while they are repaired: who may sit where, and whom a table can spare."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from heapq import nsmallest

from seating.cost_deltas import Cost, CostedTables, Tables
from seating.sizes import PREFERRED, TOURNAMENT

PINNED = 1_000  # one who is pinned counts more than all the others
LOOKED_AT = 32  # the most promising seats that are counted out exactly


@dataclass(frozen=True, slots=True)
class RepairCase:
    """The tables in seat order, dealer first; who is missing; who has come and has no seat.

    `locked`: the places, from 0, of tables that stay as they are. `sizes`: those that the rules
    know. `unwilling`: who would rather not deal.
    """

    tables: tuple[tuple[int, ...], ...]
    history: tuple[tuple[tuple[int, ...], ...], ...] = ()
    missing: frozenset[int] = frozenset()
    arrivals: tuple[int, ...] = ()
    locked: frozenset[int] = frozenset()
    forbidden: frozenset[frozenset[int]] = frozenset()
    sizes: frozenset[int] = frozenset(TOURNAMENT)
    max_tables: int | None = None
    unwilling: frozenset[int] = frozenset()

    def bereft(self) -> frozenset[int]:
        """Locked tables at which somebody is missing: nothing can be done there."""
        return frozenset(n for n in self.locked if self.missing & set(self.tables[n]))


class TableRepair:
    """The tables while they are being repaired: those who are missing have left them."""

    def __init__(self, case: RepairCase) -> None:
        self.case = case
        kept = {
            n: tuple(p for p in table if p not in case.missing)
            for n, table in enumerate(case.tables)
        }
        people = {p for table in kept.values() for p in table} | set(case.arrivals)
        self.seating = CostedTables(people, case.history, case.forbidden)
        self.seating.put(kept)
        # Who sits alone has no opponent, which may be, but is not what anybody wants.
        self.least = min(size for size in case.sizes if size > 1)

    def at(self, n: int) -> tuple[int, ...]:
        return self.seating.tables[n]

    def open(self) -> list[int]:
        """The tables that may change and have somebody."""
        found = (n for n, table in self.seating.tables.items() if table)
        return [n for n in found if n not in self.case.locked]

    def short(self) -> list[int]:
        return [n for n in self.open() if len(self.at(n)) < self.least]

    def fits(self, player: int, n: int) -> bool:
        size = len(self.at(n)) + 1
        # A table that is still short may fill up through sizes that the rules don't know.
        known = size in self.case.sizes or size < self.least
        return known and not self.seating.apart_at(player, n)

    def seat(self, people: Iterable[int]) -> bool:
        """Give each the best free seat, tables that are short first."""
        return all(self._seat(player) for player in people)

    def _seat(self, player: int) -> bool:
        def cheap(n: int) -> tuple[int, ...]:
            return (*self._crowd(n), self.seating.again_at(player, n))

        fits = [n for n in self.open() if self.fits(player, n)]
        best = min(
            nsmallest(LOOKED_AT, fits, key=cheap),
            key=lambda n: (
                self._crowd(n),
                self.seating.change({n: (*self.at(n), player)}),
                n,
            ),
            default=None,
        )
        if best is not None:
            self.seating.put({best: (*self.at(best), player)})
        return best is not None

    def _crowd(self, n: int) -> tuple[int, int]:
        """How unwelcome one more is there: not at a short table, ever more above six."""
        size = len(self.at(n))
        return int(size >= self.least), max(0, size + 1 - PREFERRED)

    def fill(self, n: int, size: int) -> bool:
        """Bring people from other tables until so many sit here."""
        while len(self.at(n)) < size:
            if not self._bring(n):
                return False
        return True

    def _bring(self, n: int) -> bool:
        """Whoever costs least, from a table that can spare somebody."""
        # A table gives nobody away if the rules have no such table afterwards.
        givers = [m for m in self.open() if m != n and len(self.at(m)) - 1 in self.case.sizes]
        people = [(m, p) for m in givers for p in self.at(m) if not self.seating.apart_at(p, n)]

        def cheap(one: tuple[int, int]) -> tuple[int, ...]:
            m, p = one
            met = self.seating.again_at(p, n) - self.seating.again_at(p, m)
            return self._lack(m), met, int(self.at(m)[0] == p)

        def exact(one: tuple[int, int]) -> tuple[object, ...]:
            m, p = one
            return self._lack(m), self.seating.change(self._brought(n, m, p)), cheap(one), one

        best = min(nsmallest(LOOKED_AT, people, key=cheap), key=exact, default=None)
        if best is not None:
            self.seating.put(self._brought(n, *best))
        return best is not None

    def _lack(self, m: int) -> int:
        """How far below six a table is once somebody has left it."""
        return max(0, PREFERRED - len(self.at(m)) + 1)

    def _brought(self, n: int, m: int, player: int) -> dict[int, tuple[int, ...]]:
        return {m: tuple(p for p in self.at(m) if p != player), n: (*self.at(n), player)}

    def exchange(self) -> None:
        """Let two who were moved change places where that is better."""
        new = {p: n for n in self.open() for p in set(self.at(n)).difference(self._old(n))}
        for one in new:
            for other in new:
                # Each two once; where they are now, since an earlier swap may have moved them.
                if one < other and (n := new[one]) != (m := new[other]):
                    change = {one: other, other: one}
                    tried = {k: tuple(change.get(p, p) for p in self.at(k)) for k in (n, m)}
                    if self.seating.change(tried) < Cost():
                        self.seating.put(tried)
                        new[one], new[other] = m, n

    def _old(self, n: int) -> tuple[int, ...]:
        return self.case.tables[n] if n < len(self.case.tables) else ()


@dataclass(frozen=True, slots=True)
class Vacancy:
    """A free place for a late arrival: the table, how many would sit there, what it costs."""

    table: int
    size: int
    cost: Cost


def vacancies_for(case: RepairCase, player: int) -> tuple[Vacancy, ...]:
    """Every free place for one who has come, the best first."""
    work = TableRepair(case)
    fits = [n for n in work.open() if work.fits(player, n)]
    found = [
        Vacancy(n, len(work.at(n)) + 1, work.seating.change({n: (*work.at(n), player)}))
        for n in fits
    ]
    # A seat that makes a table bigger than six comes last, whatever it costs.
    return tuple(sorted(found, key=lambda place: (max(0, place.size - PREFERRED), place.cost)))


def keep_tables_in_place(
    start: Tables, tables: Tables, pinned: Collection[int] = ()
) -> list[tuple[int, ...]]:
    """New tables in the places of old ones: that of who is pinned there, else the one of which
    they have most people, so that few sheets change. The same people keep their seats."""
    home = {player: n for n, table in enumerate(start) for player in table}
    shared: Counter[tuple[int, int]] = Counter()
    for m, table in enumerate(tables):
        for player in table:
            shared[home[player], m] += PINNED if player in pinned else 1
    place: dict[int, int] = {}
    for (n, m), _ in shared.most_common():
        if n not in place and m not in place.values():
            place[n] = m
    rest = [m for m in range(len(tables)) if m not in set(place.values())]
    places = [place[n] if n in place else rest.pop(0) for n in range(len(start))]
    return [
        tuple(old) if set(old) == set(tables[m]) else tuple(tables[m])
        for old, m in zip(start, places, strict=True)
    ]
