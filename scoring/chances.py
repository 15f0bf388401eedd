"""Who is in the final for certain, who is out, and who is in with how many points more.

What is certain rests on what counts now: no result is corrected, nobody is penalised, and nobody
comes, leaves or comes back. Within that every future counts that the rules allow: any outcome of
each deal at the tables that are drawn, deals that are void or not played, and any seating of the
rounds that are not drawn, at tables of any size that the rules know.

A player is

- `clinched` if in every future fewer than `cut` others end level with them or above: then the seat
  is theirs even if every tie and every lot goes against them;
- `out` if in every future at least `cut` others end above them: then no tie and no lot brings them
  in;
- `open` else. `needed` is then the least number of points that they can still get and that makes
  the seat certain: in every future in which they get so many or more, fewer than `cut` others end
  level with them or above. None: no number does.

Where the exact answer would be too dear, a bound stands in its place, and `exact` is False: what is
said to be certain is certain all the same, but perhaps it could have been said earlier, or with
fewer points.

Whoever takes no seat in the final (dropped out, disqualified) has no chance and is nobody's rival.

Why these are the futures to look at: each outcome of a deal leaves a seat with nothing, so whoever
got something could have changed roles with that seat, and nobody else would have less. The worst
for a player is therefore to get nothing more while others share all there is; the best is to get
the most that each deal can pay, while all other tables play void deals.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Protocol

from scoring.futures import (
    all_can_reach,
    best_pay,
    company,
    hall,
    pays,
    points_of,
    some_seating_reaches,
    value,
)
from scoring.rulesets import Ruleset


class Verdict(StrEnum):
    """What the deals that are left can still change."""

    CLINCHED = "clinched"
    OUT = "out"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Chance:
    """See the module: what is certain of a player, and with how many points more it would be."""

    verdict: Verdict
    needed: int | None = None
    exact: bool = True


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that is drawn, and how many of its deals do not count yet."""

    seats: tuple[str, ...]
    deals: int


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is still to be played before the cut: tables that are drawn, then so many rounds of so
    many deals each."""

    tables: tuple[OpenTable, ...] = ()
    rounds: int = 0
    deals: int = 0

    def __bool__(self) -> bool:
        return bool(self.tables or self.rounds)


class Counted(Protocol):
    """What a player has so far."""

    @property
    def player(self) -> str: ...
    @property
    def points(self) -> int: ...
    @property
    def stars(self) -> int: ...


def chances(
    rows: Sequence[Counted],
    ahead: Ahead,
    *,
    ruleset: Ruleset,
    cut: int,
    out: Collection[str] = (),
) -> dict[str, Chance]:
    """The chance of each player but those who are `out`; refuses `table_size`."""
    field = _Field(rows, ahead, ruleset, cut, frozenset(out))
    return {player: field.chance(player) for player in field.has}


class _Field:
    """All who can take a seat, with what they have and the most that they can get."""

    def __init__(
        self,
        rows: Sequence[Counted],
        ahead: Ahead,
        ruleset: Ruleset,
        cut: int,
        out: frozenset[str],
    ) -> None:
        self.ruleset, self.cut = ruleset, cut
        self.has = {
            row.player: value(row.points, row.stars) for row in rows if row.player not in out
        }
        self.tables = ahead.tables
        self.rounds, self.deals = ahead.rounds, ahead.deals
        self.hall = hall(ruleset, len(self.has))
        self.later = self.rounds * self.deals * self.hall.best
        self.at = self._places()
        self.most = {
            player: has + self.later + sum(map(self._best_at, self.at[player]))
            for player, has in self.has.items()
        }
        self.ordered = sorted(self.has.values())
        self.reach = sorted(self.most.items(), key=lambda one: one[1])
        self.reaches = [most for _, most in self.reach]
        self._counts: dict[int, _Count] = {}
        self._known: dict[tuple[int, tuple[int, ...]], Chance] = {}

    def _places(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = dict.fromkeys(self.has, ())
        for index, table in enumerate(self.tables):
            for player in table.seats:
                if player in found:
                    found[player] += (index,)
        return found

    def _best_at(self, index: int) -> int:
        table = self.tables[index]
        return table.deals * best_pay(self.ruleset, len(table.seats))

    # --- The answer -------------------------------------------------------------------------

    def chance(self, player: str) -> Chance:
        # Players with equal sums and the same table have the same chance.
        key = self.has[player], self.at[player]
        if key not in self._known:
            self._known[key] = self._chance(player)
        return self._known[key]

    def _chance(self, player: str) -> Chance:
        beaten = self._beaten(player, 0)
        if beaten is False:
            return Chance(Verdict.CLINCHED)
        gone, proved = self._gone(player)
        if gone:
            return Chance(Verdict.OUT)
        needed, least = self._needed(player)
        return Chance(Verdict.OPEN, needed, exact=proved and least and beaten is True)

    def _needed(self, player: str) -> tuple[int | None, bool]:
        """The least number of points, and whether it is proved that fewer are not enough."""
        gains = self._gains(player)
        numbers = sorted(gains)
        has, enough = self.has[player], self._reach_of_others(player)
        # From the first number with which too few could catch up at all, down.
        place = bisect_right([has + gains[number][0] for number in numbers], enough)
        found = numbers[place] if place < len(numbers) else None
        while place > 0:
            place -= 1
            beaten = self._any_beats(player, gains[numbers[place]])
            if beaten is not False:
                return found, beaten is True
            found = numbers[place]
        return found, True

    def _reach_of_others(self, player: str) -> int:
        """The least that the best `cut` others can all get at most; -1: there are not so many."""
        place = len(self.reach) - self.cut
        if place >= 0 and self.most[player] >= self.reaches[place]:
            place -= 1
        return self.reaches[place] if place >= 0 else -1

    def _gains(self, player: str) -> Mapping[int, tuple[int, ...]]:
        """Each number of points that the player can still get, with the values it comes with."""
        sizes = self.hall.sizes if self.rounds else ()
        paid = frozenset(one for size in sizes for one in pays(self.ruleset, size))
        kinds = (*self._kinds_now(player), (paid, self.rounds * self.deals))
        # Where what the player takes leaves others no less, the fewest stars are the worst.
        return _gains(kinds, self.rounds > 1)

    def _kinds_now(self, player: str) -> "_Kinds":
        tables = [self.tables[index] for index in self.at[player]]
        return tuple((pays(self.ruleset, len(table.seats)), table.deals) for table in tables)

    def _any_beats(self, player: str, gains: Sequence[int]) -> bool | None:
        unknown = False
        for gain in gains:
            beaten = self._beaten(player, gain)
            if beaten:
                return True
            unknown |= beaten is None
        return None if unknown else False

    # --- Out --------------------------------------------------------------------------------

    def _gone(self, player: str) -> tuple[bool, bool]:
        """Whether `cut` others are above even the best that the player can get; if not, whether
        it is proved that there is a way in."""
        most, has = self.most[player], self.has[player]
        above = len(self.ordered) - bisect_right(self.ordered, most)
        if above >= self.cut:
            return True, True
        return False, above + self._lifted(player, has, most) < self.cut

    def _lifted(self, player: str, has: int, most: int) -> int:
        """How many others could be paid as company of the player's best deals, and end above."""
        lifted = 0
        for index in self.at[player]:
            seats = self.tables[index].seats
            # Level or behind they stay so; and who is beyond reach is so anyway.
            harmful = sum(has < self.has.get(other, 0) <= most for other in seats)
            needed = company(self.ruleset, len(seats))
            lifted += max(0, needed - (len(seats) - 1 - harmful))
        if self.rounds:
            companies = (company(self.ruleset, size) for size in self._best_sizes())
            needed = min(companies, default=len(self.has))
            harmful = bisect_right(self.ordered, most) - bisect_right(self.ordered, has)
            lifted += max(0, needed - (len(self.has) - 1 - harmful))
        return lifted

    # --- Whether `cut` others can catch up ----------------------------------------------------

    def _beaten(self, player: str, gain: int) -> bool | None:
        """Whether `cut` others can end level with the player or above, if the player gets exactly
        this; None: it is not known."""
        goal = self.has[player] + gain
        able = len(self.reaches) - bisect_left(self.reaches, goal)
        if able - (self.most[player] >= goal) < self.cut:
            return False
        there = len(self.ordered) - bisect_left(self.ordered, goal) - (not gain)
        if there >= self.cut:
            return True
        return (
            self._later(player, goal, gain, there)
            if self.rounds
            else (self._now(player, goal, gain))
        )

    def _now(self, player: str, goal: int, gain: int) -> bool | None:
        """With the drawn tables alone: each is a matter of its own."""
        others = self._others(player, goal, gain)
        if others.most < self.cut:
            return False
        return True if others.least >= self.cut else None

    def _others(self, player: str, goal: int, gain: int) -> "_Count":
        """How many others can end there; a player of two open tables counts as if nobody else
        took anything, and the least leaves them out."""
        count, places = self._count(goal), self.at[player]
        if len(places) != 1:
            mine = self.has[player] + sum(map(self._best_at, places)) >= goal
            least = count.least - (self.has[player] >= goal)
            # What the player takes at two tables leaves less there: how much less is not looked at.
            return _Count(0 if places and gain else least, count.most - mine, {})
        if count.many:
            return count
        [place] = places
        rest = count.at.get(place, 0)
        if count.least - rest >= self.cut:
            return count
        own = self._at_table(place, goal, player, gain)
        return _Count(count.least - rest + own, count.most - rest + own, {})

    def _count(self, goal: int) -> "_Count":
        if goal not in self._counts:
            self._counts[goal] = self._counted(goal)
        return self._counts[goal]

    def _counted(self, goal: int) -> "_Count":
        tables: set[int] = set()
        least = most = 0
        first = bisect_left(self.reaches, goal + self.later)
        for player, _ in self.reach[first:]:
            places = self.at[player]
            if len(places) == 1:
                tables.add(places[0])
            else:
                most += 1
                least += self.has[player] >= goal
        # Each of these tables brings one there at least.
        enough = self.cut + max((len(table.seats) for table in self.tables), default=0)
        if least + len(tables) >= enough:
            return _Count(enough, enough, {}, many=True)
        at = {place: self._at_table(place, goal) for place in tables}
        brought = sum(at.values())
        return _Count(least + brought, most + brought, at)

    def _at_table(self, place: int, goal: int, without: str = "", own: int = 0) -> int:
        """How many of a table can all end there, while one of them gets `own` exactly."""
        table = self.tables[place]
        needs = sorted(
            goal - self.has[one]
            for one in table.seats
            if one in self.has and one != without and len(self.at[one]) == 1
        )
        there = bisect_right(needs, 0)
        wanting = needs[there : bisect_right(needs, self._best_at(place))]
        served = 0
        while served < len(wanting) and all_can_reach(
            self.ruleset,
            len(table.seats),
            table.deals,
            tuple(wanting[: served + 1]),
            own,
        ):
            served += 1
        return there + served

    # --- Rounds that are not drawn -------------------------------------------------------------

    def _later(self, player: str, goal: int, gain: int, there: int) -> bool | None:
        """Bounds from both sides; one round to come and no open table is looked at whole."""
        at_tables = goal - self.later
        if self.tables and self._others(player, at_tables, 0).most < self.cut:
            return False
        lone = self.hall.best_tables - bool(gain)
        # Each who has to catch up takes all at a table of their own, and the player sits elsewhere.
        if lone >= self.cut - there and any(
            not self.tables or self._others(player, at_tables, now).least >= self.cut
            for now in self._parts_now(player, gain)
        ):
            return True
        needs = self._needs(goal, gain, self.cut - there)
        if 0 in self._parts_now(player, gain) and self._one_by_one(needs, lone):
            return True
        if self.tables or self.rounds > 1 or not self.hall.sizes:
            return None
        return some_seating_reaches(self.ruleset, len(self.has), self.deals, tuple(needs), gain)

    def _parts_now(self, player: str, gain: int) -> list[int]:
        """What of this the player may get at the drawn tables, if the rest can come later, at any
        tables of the best pay; the least first."""
        if not gain:
            return [0]
        tables = {pays(self.ruleset, size) for size in self._best_sizes()}
        if len(tables) != 1:
            return []
        later = _all_gains(((tables.pop(), self.rounds * self.deals),), self.rounds > 1)
        now = _all_gains(self._kinds_now(player), self.rounds > 1)
        return sorted(gain - one for one in later if gain - one in now)

    def _best_sizes(self) -> list[int]:
        best = self.hall.best
        return [size for size in self.hall.sizes if best_pay(self.ruleset, size) == best]

    def _needs(self, goal: int, gain: int, number: int) -> list[int]:
        """What so many others lack, those who lack least."""
        behind = bisect_left(self.ordered, goal)
        # One more, as the player may be among them.
        nearest = self.ordered[max(0, behind - number - 1) : behind]
        lacking = [goal - has for has in reversed(nearest)]
        if gain in lacking:
            lacking.remove(gain)
        return lacking[:number]

    def _one_by_one(self, needs: Sequence[int], tables: int) -> bool:
        """Whether everybody can take all of a table, as often as they need, one table a round: a
        player in so many rounds, each table once a round (McNaughton)."""
        each = self.deals * self.hall.best
        turns = [-(-need // each) for need in needs]
        return max(turns, default=0) <= self.rounds and sum(turns) <= self.rounds * tables


@dataclass(frozen=True, slots=True)
class _Count:
    """How many can end at a goal: bounds, and the number of each drawn table. `many`: so many that
    no table matters, and the bounds say no more."""

    least: int
    most: int
    at: Mapping[int, int]
    many: bool = False


type _Kinds = tuple[tuple[frozenset[int], int], ...]


@lru_cache(maxsize=1 << 10)
def _gains(kinds: _Kinds, fewest_stars: bool) -> Mapping[int, tuple[int, ...]]:
    """Points above 0 -> the values with so many points that these deals can give, fewest stars
    first: for each part what a deal pays, and how many deals."""
    by_points: dict[int, list[int]] = defaultdict(list)
    for one in sorted(_all_gains(kinds, fewest_stars) - {0}):
        by_points[points_of(one)].append(one)
    return {points: tuple(values) for points, values in by_points.items()}


@lru_cache(maxsize=1 << 10)
def _all_gains(kinds: _Kinds, fewest_stars: bool) -> frozenset[int]:
    """The values that these deals can give; of each number of points perhaps the least alone."""
    found = {0}
    for paid, deals in kinds:
        for _ in range(deals):
            found |= {before + one for before in found for one in paid}
            if fewest_stars:
                found = set(_fewest(found))
    return frozenset(found)


def _fewest(values: Collection[int]) -> Iterator[int]:
    """Of each number of points the value with the fewest stars."""
    last = None
    for one in sorted(values):
        if points_of(one) != last:
            yield one
        last = points_of(one)
