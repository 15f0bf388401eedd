"""Clinched, out, in with so many more: against every future of small events, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.chances import Ahead, Chance, OpenTable, Verdict, chances
from scoring.deals import DealFacts, score_deal
from scoring.roles import Role
from scoring.rulesets import RoleRow, Ruleset, get_ruleset
from scoring.standings import StandingRow

pytestmark = pytest.mark.pure

ES, EN = get_ruleset("es-2026"), get_ruleset("en-2023")

type Pay = tuple[int, int]
type Gains = tuple[Pay, ...]  # points and stars, seat by seat

M, S, X = Role.MINER, Role.SABOTEUR, Role.SELFISH


def small(*rows: tuple[int, int, int], **numbers: object) -> Ruleset:
    """Rules for tables of three or four, so that all futures can be looked at."""
    found = {sum(row): RoleRow(*row, hand_cards=4) for row in rows}
    return replace(ES, key="small", rows=found, **numbers)  # type: ignore[arg-type]


SMALL = (
    small((1, 1, 1), (1, 2, 1)),
    small((1, 2, 0), (2, 2, 0)),  # nobody is paid alone by a selfish dwarf
    small((1, 1, 1), (2, 1, 1)),
    small((1, 1, 1), (1, 2, 1), connector_points=1, selfish_points=2),
)


# --- Worked by hand -------------------------------------------------------------------------------


def row(player: str, points: int, stars: int = 0) -> StandingRow:
    return StandingRow(player, 1, points, stars, 9)


def six(prefix: str) -> tuple[str, ...]:
    return tuple(f"{prefix}{n}" for n in range(6))


def test_one_table_left_can_give_the_most_to_one_of_its_players_only() -> None:
    # The last table of six plays a deal. One of it can get 4 and draw level with b, never two.
    table = Ahead((OpenTable(six("t"), 1),))
    behind = [row(player, 15) for player in six("t")]
    found = chances([row("a", 20), row("b", 19), *behind], table, ruleset=ES, cut=3)
    assert found["a"] == found["b"] == Chance(Verdict.CLINCHED)
    # With 3 there may be another saboteur, who has as much.
    assert found["t0"] == Chance(Verdict.OPEN, 4)
    # Two saboteurs can both get 3, and a star that b lacks.
    found = chances([row("a", 20), row("b", 18), *behind], table, ruleset=ES, cut=3)
    assert found["a"] == Chance(Verdict.CLINCHED)
    assert found["b"] == Chance(Verdict.OPEN)


def test_level_on_the_line_is_neither_in_nor_out() -> None:
    rows = [row("a", 9, 1), row("b", 8, 2), row("c", 8, 2), row("d", 8, 1)]
    found = chances(rows, Ahead(), ruleset=ES, cut=2)
    assert found == {
        "a": Chance(Verdict.CLINCHED),
        "b": Chance(Verdict.OPEN),
        "c": Chance(Verdict.OPEN),
        "d": Chance(Verdict.OUT),
    }


def test_stars_part_who_could_only_draw_level_by_points() -> None:
    # 12 more with three stars is all that there is: 21 points, but one star fewer than a.
    rows = [row("a", 21, 5), *(row(player, 9, 1) for player in six("t"))]
    found = chances(rows, Ahead((OpenTable(six("t"), 3),)), ruleset=ES, cut=1)
    assert found["a"] == Chance(Verdict.CLINCHED)
    assert found["t0"] == Chance(Verdict.OUT)
    rows[0] = row("a", 21, 4)
    found = chances(rows, Ahead((OpenTable(six("t"), 3),)), ruleset=ES, cut=1)
    assert found["a"] == Chance(Verdict.OPEN)
    assert found["t0"] == Chance(Verdict.OPEN)


def test_one_round_to_come_lets_a_table_each_give_twelve() -> None:
    # Two tables of six, or a seven and a five: two can get 12, so the third is safe.
    rows = [*(row(name, 13) for name in "abc"), *(row(name, 1) for name in "defghijkl")]
    found = chances(rows, Ahead((), 1, 3), ruleset=ES, cut=6)
    assert found["a"].verdict is Verdict.CLINCHED
    rows = [*(row(name, 13) for name in "abcde"), *(row(name, 1) for name in "fghijkl")]
    assert chances(rows, Ahead((), 1, 3), ruleset=ES, cut=6)["a"].verdict is Verdict.OPEN


def test_whoever_left_is_nobody_s_rival() -> None:
    rows = [row("a", 9), row("b", 8), row("c", 7)]
    found = chances(rows, Ahead(), ruleset=ES, cut=1, out={"a"})
    assert found == {"b": Chance(Verdict.CLINCHED), "c": Chance(Verdict.OUT)}


# --- A whole day ----------------------------------------------------------------------------------


class Day:
    """Rounds at tables of six and five, sheet by sheet, and what was said after each."""

    def __init__(self, ruleset: Ruleset, players: int, rounds: int, chance: Random) -> None:
        self.ruleset, self.chance, self.cut = ruleset, chance, 6
        self.names = [f"{n:02d}" for n in range(players)]
        self.has = dict.fromkeys(self.names, (0, 0))
        self.said: list[tuple[dict[str, Pay], dict[str, Chance]]] = []
        for left in reversed(range(rounds)):
            self.play(left)

    def play(self, rounds_left: int) -> None:
        self.chance.shuffle(self.names)
        half = len(self.names) // 2
        waiting = [tuple(self.names[:half]), tuple(self.names[half:])]
        while waiting:
            self.say(Ahead(tuple(OpenTable(one, 3) for one in waiting), rounds_left, 3))
            seats = waiting.pop()
            for _ in range(3):
                self.deal(seats)
        self.say(Ahead((), rounds_left, 3))

    def deal(self, seats: Sequence[str]) -> None:
        row = self.ruleset.row(len(seats))
        roles = [S] * row.saboteur + [M] * row.miner + [X] * row.selfish
        self.chance.shuffle(roles)
        connector = self.chance.choice([None, *range(1, len(seats) + 1)])
        result = score_deal(self.ruleset, DealFacts(tuple(roles), connector))
        for player, points, stars in zip(seats, result.points, result.stars, strict=True):
            before = self.has[player]
            self.has[player] = before[0] + points, before[1] + stars

    def say(self, ahead: Ahead) -> None:
        rows = [row(player, *sums) for player, sums in self.has.items()]
        found = chances(rows, ahead, ruleset=self.ruleset, cut=self.cut)
        self.said.append((dict(self.has), found))

    def in_for_certain(self, player: str) -> bool:
        others = (sums for who, sums in self.has.items() if who != player)
        return sum(sums >= self.has[player] for sums in others) < self.cut

    def out_for_certain(self, player: str) -> bool:
        return sum(sums > self.has[player] for sums in self.has.values()) >= self.cut


@settings(deadline=None, max_examples=25)
@given(
    chance=st.randoms(use_true_random=False),
    players=st.integers(10, 16),
    ruleset=st.sampled_from((ES, EN)),
)
def test_what_was_said_during_a_day_is_so_in_the_end(
    chance: Random, players: int, ruleset: Ruleset
) -> None:
    day = Day(ruleset, players, 3, chance)
    for had, said in day.said:
        for player, one in said.items():
            got = day.has[player][0] - had[player][0]
            if one.verdict is Verdict.CLINCHED or (one.needed is not None and got >= one.needed):
                assert day.in_for_certain(player)
            if one.verdict is Verdict.OUT:
                assert day.out_for_certain(player)


# --- Every future ---------------------------------------------------------------------------------


@lru_cache
def deal_futures(ruleset: Ruleset, seats: int) -> frozenset[Gains]:
    """By the rules of a deal, with each role at each seat."""
    row = ruleset.row(seats)
    roles = (S,) * row.saboteur + (M,) * row.miner + (X,) * row.selfish
    found = {((0, 0),) * seats}  # a void deal
    for dealt in set(permutations(roles)):
        for connector in (None, *range(1, seats + 1)):
            result = score_deal(ruleset, DealFacts(dealt, connector))
            found.add(tuple(zip(result.points, result.stars, strict=True)))
    return frozenset(found)


def plus(one: Iterable[Pay], other: Iterable[Pay]) -> Gains:
    return tuple((a + c, b + d) for (a, b), (c, d) in zip(one, other, strict=True))


@lru_cache
def table_futures(ruleset: Ruleset, seats: int, deals: int) -> frozenset[Gains]:
    found = frozenset({((0, 0),) * seats})
    for _ in range(deals):
        one = deal_futures(ruleset, seats)
        found = frozenset(plus(before, now) for before in found for now in one)
    return found


type Future = tuple[Pay, ...]  # what each player of a field ends with


def at_tables(
    ruleset: Ruleset, tables: Sequence[Sequence[int]], deals: int, players: int
) -> Iterator[Future]:
    for paid in product(*(table_futures(ruleset, len(seats), deals) for seats in tables)):
        gains = [(0, 0)] * players
        for seats, pays in zip(tables, paid, strict=True):
            for player, pay in zip(seats, pays, strict=True):
                gains[player] = gains[player][0] + pay[0], gains[player][1] + pay[1]
        yield tuple(gains)


def groupings(players: tuple[int, ...], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    if not players:
        yield []
        return
    first, *others = players
    for size in sizes:
        for mates in combinations(others, size - 1):
            rest = tuple(one for one in others if one not in mates)
            for tables in groupings(rest, sizes):
                yield [(first, *mates), *tables]


@lru_cache(maxsize=64)
def round_futures(
    ruleset: Ruleset, seated: tuple[int, ...], deals: int, players: int
) -> frozenset[Future]:
    return frozenset(
        future
        for tables in groupings(seated, tuple(ruleset.rows))
        for future in at_tables(ruleset, tables, deals, players)
    )


@dataclass(frozen=True)
class Case:
    ruleset: Ruleset
    has: tuple[Pay, ...]
    tables: tuple[tuple[int, ...], ...]
    table_deals: int
    rounds: int
    deals: int
    cut: int
    out: frozenset[int] = frozenset()

    @property
    def players(self) -> int:
        return len(self.has)

    def ahead(self) -> Ahead:
        tables = tuple(OpenTable(tuple(map(str, one)), self.table_deals) for one in self.tables)
        return Ahead(tables, self.rounds, self.deals)

    def chances(self) -> dict[str, Chance]:
        rows = [StandingRow(str(n), 1, p, s, 1) for n, (p, s) in enumerate(self.has)]
        out = {str(one) for one in self.out}
        return chances(rows, self.ahead(), ruleset=self.ruleset, cut=self.cut, out=out)

    def futures(self) -> set[Future]:
        """What everybody can still get."""
        found = set(at_tables(self.ruleset, self.tables, self.table_deals, self.players))
        seated = tuple(n for n in range(self.players) if n not in self.out)
        for _ in range(self.rounds):
            later = round_futures(self.ruleset, seated, self.deals, self.players)
            found = {plus(before, now) for before in found for now in later}
        return found

    def expected(self) -> dict[str, Chance]:
        """By looking at each future: who is how far above whom."""
        inside = {n: True for n in range(self.players) if n not in self.out}
        gone = dict(inside)
        spoiled: dict[int, set[int]] = {n: set() for n in inside}
        reached: dict[int, set[int]] = {n: set() for n in inside}
        for gains in self.futures():
            ends = plus(self.has, gains)
            order = sorted((ends[n] for n in inside), reverse=True)
            # The first behind the seats: level with it or behind is not in for certain, level with
            # the last seat or above is not out for certain.
            behind = order[self.cut] if len(order) > self.cut else (-1, -1)
            last = order[self.cut - 1] if len(order) >= self.cut else (-1, -1)
            for n in inside:
                reached[n].add(gains[n][0])
                if ends[n] <= behind:
                    inside[n] = False
                    spoiled[n].add(gains[n][0])
                if ends[n] >= last:
                    gone[n] = False
        found = {}
        for n in inside:
            if inside[n]:
                found[str(n)] = Chance(Verdict.CLINCHED)
            elif gone[n]:
                found[str(n)] = Chance(Verdict.OUT)
            else:
                worst = max(spoiled[n], default=0)
                enough = [points for points in reached[n] if points > worst]
                found[str(n)] = Chance(Verdict.OPEN, min(enough, default=None))
        return found


def check(case: Case, *, exact: bool | None = None) -> None:
    """Never too early; and right where the answer says that it is exact."""
    expected = case.expected()
    found = case.chances()
    assert found.keys() == expected.keys()
    for player, chance in found.items():
        right = expected[player]
        if exact:
            assert chance.exact, (player, chance, right)
        if chance.exact:
            assert chance == right, (player, chance, right)
        elif chance.verdict is Verdict.OPEN and chance.needed is not None:
            assert right.verdict is not Verdict.OUT
            assert right.needed is None or right.needed <= chance.needed
            assert right.needed is not None or right.verdict is Verdict.CLINCHED
        else:
            assert chance.verdict in (Verdict.OPEN, right.verdict), (player, chance, right)


def sums(players: int) -> st.SearchStrategy[tuple[Pay, ...]]:
    return st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=players, max_size=players
    ).map(tuple)


@settings(deadline=None, max_examples=100)
@given(data=st.data(), ruleset=st.sampled_from(SMALL), cut=st.integers(1, 5))
def test_with_the_last_round_at_known_tables_the_answer_is_exact(
    data: st.DataObject, ruleset: Ruleset, cut: int
) -> None:
    players, deals, tables = data.draw(
        st.sampled_from(
            [
                (7, 1, ((0, 1, 2), (3, 4, 5, 6))),
                (7, 2, ((0, 1, 2), (3, 4, 5))),
                (6, 2, ((0, 1, 2), (3, 4, 5))),
                (8, 1, ((0, 1, 2), (3, 4, 5))),
                (9, 1, ((0, 1, 2), (3, 4, 5), (6, 7, 8))),
                (6, 3, ((0, 1, 2),)),
                (6, 2, ((0, 1, 2, 3),)),
            ]
        )
    )
    has = data.draw(sums(players))
    out = data.draw(st.frozensets(st.integers(0, players - 1), max_size=2))
    # Where nobody can be paid alone, a way in for somebody may stay unproved.
    exact = all(row.selfish for row in ruleset.rows.values()) and ruleset is not SMALL[3]
    check(Case(ruleset, has, tables, deals, 0, 0, cut, out), exact=exact)


@settings(deadline=None, max_examples=60)
@given(data=st.data(), ruleset=st.sampled_from(SMALL), cut=st.integers(1, 5))
def test_with_one_round_to_come_the_answer_is_exact(
    data: st.DataObject, ruleset: Ruleset, cut: int
) -> None:
    players, deals = data.draw(st.sampled_from([(6, 1), (7, 1), (3, 3), (4, 2), (6, 2), (8, 1)]))
    has = data.draw(sums(players))
    exact = all(row.selfish for row in ruleset.rows.values()) and ruleset is not SMALL[3]
    check(Case(ruleset, has, (), 0, 1, deals, cut), exact=exact)


@settings(deadline=None, max_examples=40)
@given(data=st.data(), ruleset=st.sampled_from(SMALL), cut=st.integers(1, 4))
def test_with_more_to_come_nothing_is_said_too_early(
    data: st.DataObject, ruleset: Ruleset, cut: int
) -> None:
    players, tables, table_deals, rounds, deals = data.draw(
        st.sampled_from(
            [
                (6, ((0, 1, 2),), 1, 1, 1),
                (6, ((0, 1, 2), (3, 4, 5)), 1, 1, 1),
                (4, ((0, 1, 2),), 1, 1, 2),
                (4, ((0, 1, 2, 3),), 1, 2, 1),
                (4, (), 0, 3, 1),
                (6, (), 0, 2, 1),
                (7, ((0, 1, 2), (3, 4, 5)), 1, 1, 1),
                (5, ((0, 1, 2), (0, 3, 4)), 2, 0, 0),  # somebody with two sheets that wait
            ]
        )
    )
    has = data.draw(sums(players))
    out = frozenset({players - 1}) if players in (5, 7) else frozenset()
    if players == 5:
        out = frozenset()
    check(Case(ruleset, has, tables, table_deals, rounds, deals, cut, out))
