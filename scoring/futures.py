"""What deals that are still to come can pay: which players can all get what they need.

A value is points and stars in one number, so that sums and comparisons go by points first, then
by stars. Every outcome of a deal leaves a seat with nothing, as no role wins always; that is what
`scoring.chances` rests on.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product

from scoring.deals import pay_roles
from scoring.roles import Role
from scoring.rulesets import Ruleset

STARS = 1 << 10  # more than anybody can have, so that stars never add up to a point
# Tables of one deal looked at before the search for a seating is given up; with more deals each
# takes longer.
SEARCHES = 54_000
MOST_SEATED = 60  # with more people there are too many ways to split them into tables

type Paid = tuple[int, ...]  # what the seats of one outcome get, highest first, without zeros
type Outcome = tuple[tuple[int, int], ...]  # (value, at so many seats), the same
type Bundle = tuple[int, ...]  # how many of each kind of seat one player takes


def value(points: int, stars: int) -> int:
    """As one number, ordered by points, then stars."""
    return points * STARS + stars


def points_of(amount: int) -> int:
    return amount // STARS


@lru_cache(maxsize=256)
def outcomes(ruleset: Ruleset, seats: int) -> tuple[Outcome, ...]:
    """The ways in which a deal at a table of this size can pay, without those that another one
    betters whoever takes what; refuses `table_size`."""
    row = ruleset.row(seats)
    roles = (
        (Role.SABOTEUR,) * row.saboteur + (Role.MINER,) * row.miner + (Role.SELFISH,) * row.selfish
    )
    found = set()
    for connector in (None, *(roles.index(role) + 1 for role in set(roles))):
        paid = pay_roles(ruleset, roles, connector)
        found.add(tuple(sorted(filter(None, map(value, paid.points, paid.stars)), reverse=True)))
    return tuple(
        tuple(Counter(one).items())
        for one in sorted(found, reverse=True)
        if not any(_betters(other, one) for other in found - {one})
    )


def _betters(one: Paid, other: Paid) -> bool:
    """Whether nobody misses the other outcome: also if somebody wants one of its values exactly."""
    return _covers(one, other) and all(
        paid in one and _covers(_without(one, paid), _without(other, paid)) for paid in set(other)
    )


def _covers(one: Paid, other: Paid) -> bool:
    return len(one) >= len(other) and all(map(int.__ge__, one, other))


def _without(paid: Paid, taken: int) -> Paid:
    place = paid.index(taken)
    return paid[:place] + paid[place + 1 :]


@lru_cache(maxsize=256)
def pays(ruleset: Ruleset, seats: int) -> frozenset[int]:
    """All that one seat can get in a deal at a table of this size, but for nothing."""
    return frozenset(paid for outcome in outcomes(ruleset, seats) for paid, _ in outcome)


@lru_cache(maxsize=256)
def best_pay(ruleset: Ruleset, seats: int) -> int:
    return max(pays(ruleset, seats), default=0)


@lru_cache(maxsize=256)
def company(ruleset: Ruleset, seats: int) -> int:
    """How many others are paid at least when a seat gets the most that a deal can pay."""
    best = best_pay(ruleset, seats)
    return min(
        (
            sum(times for _, times in outcome) - 1
            for outcome in outcomes(ruleset, seats)
            if any(paid == best for paid, _ in outcome)
        ),
        default=0,
    )


@lru_cache(maxsize=1 << 16)
def all_can_reach(
    ruleset: Ruleset, seats: int, deals: int, needs: tuple[int, ...], own: int = 0
) -> bool:
    """Whether so many deals at one table can give each of these players at least their need, while
    one more player gets `own` exactly. Exact: no more and no less than the rules can pay."""
    return len(needs) < seats + (not own) and any(
        _Deals(tuple(Counter(mix).items())).serve(needs, own)
        for mix in combinations_with_replacement(outcomes(ruleset, seats), deals)
    )


@dataclass(frozen=True, slots=True)
class _Deals:
    """Deals whose outcomes are given: each outcome, and how many deals end so.

    It is enough to count the seats of each kind: where nobody takes more seats of an outcome than
    it has deals, and nobody's number of a kind is exceeded, the seats can be dealt out so that
    everybody has one in a deal (a bipartite graph can be coloured with as many colours as its
    largest degree: König).
    """

    mix: tuple[tuple[Outcome, int], ...]

    def serve(self, needs: Sequence[int], own: int) -> bool:
        free = tuple(times * deals for outcome, deals in self.mix for _, times in outcome)
        # The hardest first, as little fits them.
        wanted = sorted(needs, reverse=True)
        values = [paid for outcome, _ in self.mix for paid, _ in outcome]
        if sum(wanted) + own > sum(map(int.__mul__, values, free)):
            return False
        starts = [free]
        if own:
            starts = [_less(free, one) for one in self._exactly(own) if _fits(free, one)]
        lacking: set[tuple[int, Bundle]] = set()
        return any(self._serve(wanted, 0, start, lacking) for start in starts)

    def _serve(
        self, wanted: Sequence[int], place: int, free: Bundle, lacking: set[tuple[int, Bundle]]
    ) -> bool:
        if place == len(wanted):
            return True
        if (place, free) in lacking:
            return False
        for one in self._enough(wanted[place]):
            if _fits(free, one) and self._serve(wanted, place + 1, _less(free, one), lacking):
                return True
        lacking.add((place, free))
        return False

    def _exactly(self, amount: int) -> list[Bundle]:
        return [bundle for bundle, worth in _bundles(self.mix) if worth == amount]

    def _enough(self, need: int) -> list[Bundle]:
        """Those worth the need, of which no seat can be given back."""
        return _enough(self.mix, need)


@lru_cache(maxsize=1 << 12)
def _bundles(mix: tuple[tuple[Outcome, int], ...]) -> tuple[tuple[Bundle, int], ...]:
    """What one player can take of these deals, with its worth: a seat a deal at most."""
    parts = []
    for outcome, deals in mix:
        takes = product(range(deals + 1), repeat=len(outcome))
        parts.append([take for take in takes if sum(take) <= deals])
    values = [paid for outcome, _ in mix for paid, _ in outcome]
    found = []
    for chosen in product(*parts):
        bundle = tuple(times for part in chosen for times in part)
        found.append((bundle, sum(map(int.__mul__, bundle, values))))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _enough(mix: tuple[tuple[Outcome, int], ...], need: int) -> list[Bundle]:
    values = [paid for outcome, _ in mix for paid, _ in outcome]
    return [
        bundle
        for bundle, worth in _bundles(mix)
        if worth >= need
        and not any(
            times and worth - paid >= need for times, paid in zip(bundle, values, strict=True)
        )
    ]


def _fits(free: Bundle, bundle: Bundle) -> bool:
    return all(map(int.__ge__, free, bundle))


def _less(free: Bundle, bundle: Bundle) -> Bundle:
    return tuple(map(int.__sub__, free, bundle))


# --- Rounds that are not drawn: anybody may sit with anybody ------------------------------------


@dataclass(frozen=True, slots=True)
class Hall:
    """So many players who will be seated, at tables of any size that the rules know.

    `sizes`: those that can occur; none where they cannot all be seated. `best`: the most a deal
    can pay; `best_tables`: the most tables at which somebody can get it, in one seating.
    """

    players: int
    sizes: tuple[int, ...]
    best: int
    best_tables: int


@lru_cache(maxsize=64)
def hall(ruleset: Ruleset, players: int) -> Hall:
    every = tuple(ruleset.rows)
    seatable = _most_tables(players, dict.fromkeys(every, 0))
    sizes = tuple(size for size in every if size <= players and seatable[players - size] >= 0)
    best = max((best_pay(ruleset, size) for size in sizes or every), default=0)
    counted = {size: int(best_pay(ruleset, size) == best) for size in sizes}
    return Hall(players, sizes, best, max(0, _most_tables(players, counted)[players]))


def _most_tables(players: int, counted: Mapping[int, int]) -> list[int]:
    """For each number of people up to this the most tables that count, of these sizes; -1: they
    cannot be seated."""
    most = [0]
    for seated in range(1, players + 1):
        ways = [
            most[seated - size] + counts
            for size, counts in counted.items()
            if size <= seated and most[seated - size] >= 0
        ]
        most.append(max(ways, default=-1))
    return most


@lru_cache(maxsize=64)
def seatings(ruleset: Ruleset, players: int) -> tuple[tuple[int, ...], ...]:
    """All ways to split so many players into tables, most tables first."""
    found = _splits(players, sorted(ruleset.rows))
    return tuple(sorted(found, key=len, reverse=True))


def _splits(players: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if not players:
        yield ()
    for place, size in enumerate(sizes):
        if size <= players:
            for rest in _splits(players - size, sizes[place:]):
                yield (size, *rest)


@lru_cache(maxsize=1 << 14)
def some_seating_reaches(
    ruleset: Ruleset, players: int, deals: int, needs: tuple[int, ...], own: int = 0
) -> bool | None:
    """Whether one round with some seating can give each of these players at least their need, while
    one more player gets `own` exactly; None: not found out, as it is too dear."""
    if players > MOST_SEATED:
        return None
    search = _Search(ruleset, deals, own)
    for sizes in seatings(ruleset, players):
        # Who gets what exactly is placed first: it may spoil a table for the others.
        for mine in sorted(set(sizes)) if own else (0,):
            tables: _Tables = Counter((size, (), False) for size in sizes)
            if own:
                if not search.fits(mine, (), True):
                    continue
                tables[mine, (), False] -= 1
                tables[mine, (), True] += 1
            found = search.place(tables, sorted(needs, reverse=True))
            if found or found is None:
                return found
    return False


# Size, what players who sit there need, and whether somebody sits there who gets `own` exactly.
type _Tables = Counter[tuple[int, tuple[int, ...], bool]]


class _Search:
    """Shares players out among tables until everybody gets what they need."""

    def __init__(self, ruleset: Ruleset, deals: int, own: int) -> None:
        self.ruleset, self.deals, self.own = ruleset, deals, own
        self.left = SEARCHES // deals**3

    def fits(self, size: int, needs: tuple[int, ...], mine: bool) -> bool:
        self.left -= 1
        return all_can_reach(self.ruleset, size, self.deals, needs, self.own if mine else 0)

    def place(self, tables: "_Tables", needs: Sequence[int]) -> bool | None:
        if not needs:
            return True
        for table, times in list(tables.items()):
            size, there, mine = table
            if not times:
                continue
            if self.left <= 0:
                return None
            fuller = (*there, needs[0])
            if not self.fits(size, fuller, mine):
                continue
            # Tables of one size at which the same is needed are alike: one of them is tried.
            next_tables = tables.copy()
            next_tables[table] -= 1
            next_tables[size, fuller, mine] += 1
            found = self.place(next_tables, needs[1:])
            if found or found is None:
                return found
        return False
