"""Ways out when somebody is missing or comes late: what holds for every one of them."""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from seating.cost_deltas import Cost, costed_tables, move_targets
from seating.costs import cost_of
from seating.draw import DrawRequest, next_round
from seating.repair import (
    Move,
    RepairCase,
    RepairOption,
    redraw_tables,
    repair_options,
    vacancies_for,
)
from seating.vacancies import keep_tables_in_place

type Tables = tuple[tuple[int, ...], ...]

LITTLE = 0.005


@pytest.fixture(autouse=True, scope="module")
def stopped_clock() -> Iterator[None]:
    """However busy the machine, no draw is ended early."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seating.assignment.perf_counter", lambda: 0.0)
        yield


def draw_rounds(players: int, rounds: int, seed: int = 1) -> tuple[Tables, ...]:
    history: tuple[Tables, ...] = ()
    for number in range(rounds):
        request = DrawRequest(tuple(range(players)), history, seed=seed + number, seconds=LITTLE)
        history = (*history, next_round(request).tables)
    return history


@st.composite
def cases(draw: st.DrawFn) -> RepairCase:
    """Some rounds played, the next one drawn; some are missing, some came, some tables play."""
    players = draw(st.integers(5, 45))
    *history, tables = draw_rounds(players, draw(st.integers(1, 4)), draw(st.integers(0, 99)))
    locked = frozenset(draw(st.sets(st.integers(0, len(tables) - 1), max_size=2)))
    free = sorted({p for n, table in enumerate(tables) if n not in locked for p in table})
    missing = draw(st.sets(st.sampled_from(free), max_size=4)) if free else set()
    arrivals = tuple(range(players, players + draw(st.integers(0, 3))))
    people = sorted({*range(players), *arrivals})
    pairs = draw(st.sets(st.tuples(st.sampled_from(people), st.sampled_from(people)), max_size=4))
    return RepairCase(
        tables=tables,
        history=tuple(history),
        missing=frozenset(missing),
        arrivals=arrivals,
        locked=locked,
        forbidden=frozenset(frozenset(pair) for pair in pairs if pair[0] != pair[1]),
    )


def kept(tables: Tables, missing: frozenset[int]) -> list[list[int]]:
    return [[player for player in table if player not in missing] for table in tables]


def check(case: RepairCase, choice: RepairOption) -> None:
    """What holds for every choice."""
    present = {p for table in case.tables for p in table} - case.missing | set(case.arrivals)
    assert sorted(p for table in choice.tables for p in table) == sorted(present)
    for n, table in enumerate(choice.tables):
        old = case.tables[n] if n < len(case.tables) else ()
        assert (table != old) == (n in choice.changed)
        assert n not in case.locked or table == old
        assert n not in choice.changed or not table or 5 <= len(table) <= 10
        met = {frozenset(pair) for pair in combinations(table, 2)} & case.forbidden
        assert n not in choice.changed or not met
    home = {p: n for n, table in enumerate(case.tables) for p in table}
    assert set(choice.moves) == {
        Move(p, home.get(p), n)
        for n, table in enumerate(choice.tables)
        for p in table
        if home.get(p) != n
    }
    assert choice.report == cost_of([table for table in choice.tables if table], case.history)


@settings(max_examples=60, deadline=None)
@given(cases())
def test_every_choice_seats_everybody_who_is_here_within_the_rules(case: RepairCase) -> None:
    for choice in repair_options(case):
        check(case, choice)


@settings(max_examples=40, deadline=None)
@given(cases())
def test_a_new_draw_leaves_locked_tables_alone(case: RepairCase) -> None:
    choice = redraw_tables(case, seconds=LITTLE)
    if choice:
        check(case, choice)


@settings(max_examples=25, deadline=None)
@given(cases(), st.randoms(use_true_random=False))
def test_the_price_of_a_step_is_the_difference_of_two_reports(case: RepairCase, random) -> None:
    """In the figures of `cost_of`, for a player who sits and for one who does not yet."""
    tables = case.tables
    player = random.choice(sorted({p for table in tables for p in table} | set(case.arrivals)))
    targets = move_targets(tables, case.history, player)

    def figures(some: list[list[int]]) -> tuple[int, ...]:
        report = cost_of([table for table in some if table], case.history)
        return report.off_size, report.repeats, report.dealer_again

    def same(cost: Cost, after: list[list[int]]) -> None:
        before = figures([list(table) for table in tables])
        found = tuple(new - old for new, old in zip(figures(after), before, strict=True))
        assert (cost.off_size, cost.repeats, cost.dealer_again) == found

    for n, cost in targets.tables.items():
        after = kept(tables, frozenset([player]))
        after[n].append(player)
        same(cost, after)
    for other, cost in targets.swaps.items():
        change = {player: other, other: player}
        same(cost, [[change.get(p, p) for p in table] for table in tables])
    if targets.out is not None and len(tables) > 1:
        same(targets.out, kept(tables, frozenset([player])))


@settings(max_examples=30, deadline=None)
@given(cases())
def test_a_free_place_costs_what_the_report_says(case: RepairCase) -> None:
    assume(case.arrivals)
    player = case.arrivals[0]
    here = kept(case.tables, case.missing)
    present = costed_tables(here, case.history, case.forbidden, case.arrivals)
    for place in vacancies_for(case, player):
        assert place.table not in case.locked
        after = (*here[place.table], player)
        assert place.cost == present.change({place.table: after})


SIXES = ((1, 2, 3, 4, 5, 6), (7, 8, 9, 10, 11, 12), (13, 14, 15, 16, 17, 18))


def kinds(case: RepairCase) -> list[str]:
    return [choice.kind for choice in repair_options(case)]


def test_one_missing_from_a_table_of_six_leaves_a_gap() -> None:
    (choice,) = repair_options(RepairCase(SIXES, missing=frozenset([3])))
    assert (choice.kind, choice.sizes, choice.changed, choice.moves) == (
        "leave",
        (5, 6, 6),
        (0,),
        (),
    )


def test_two_missing_from_a_table_of_six_bring_one_from_another() -> None:
    move, close = repair_options(RepairCase(SIXES, missing=frozenset([3, 4])))
    assert (move.kind, move.sizes, len(move.moves), len(move.changed)) == ("move", (5, 5, 6), 1, 2)
    assert (close.kind, close.sizes, len(close.moves), close.changed) == (
        "close",
        (8, 8),
        4,
        (0, 1, 2),
    )


def test_whoever_is_moved_meets_nobody_again_where_that_is_possible() -> None:
    history = (((1, 7, 8, 9, 10, 11), (2, 12, 13, 3, 14, 15), (4, 5, 6, 16, 17, 18)),)
    case = RepairCase(SIXES, history=history, missing=frozenset([3, 4]))
    move = repair_options(case)[0]
    before = cost_of(kept(SIXES, case.missing), history)
    assert move.report.repeats <= before.repeats


def test_a_late_arrival_takes_the_place_of_who_is_missing() -> None:
    case = RepairCase(SIXES, missing=frozenset([3, 4]), arrivals=(20,))
    assert kinds(case)[0] == "seat"
    assert repair_options(case)[0].changed == (0,)


def test_the_new_dealer_of_a_table_is_one_who_dealt_least() -> None:
    history = (((2, 7, 13, 1, 8, 14), (3, 9, 15, 4, 10, 16), (5, 11, 17, 6, 12, 18)),)
    case = RepairCase(SIXES, history=history, missing=frozenset([1]), unwilling=frozenset([4]))
    assert repair_options(case)[0].tables[0] == (6, 2, 3, 4, 5)


def test_a_table_of_five_is_opened_for_a_late_arrival_from_bigger_tables() -> None:
    tables = tuple(tuple(range(n * 7, n * 7 + 7)) for n in range(4))
    seat, opened = repair_options(RepairCase(tables, arrivals=(90,)))
    assert (seat.kind, seat.sizes) == ("seat", (8, 7, 7, 7))
    assert (opened.kind, opened.sizes, len(opened.moves)) == ("open", (6, 6, 6, 6, 5), 5)
    assert kinds(RepairCase(tables, arrivals=(90,), max_tables=4)) == ["seat"]


def test_fives_cannot_spare_anybody() -> None:
    tables = tuple(tuple(range(n * 5, n * 5 + 5)) for n in range(2))
    (close,) = repair_options(RepairCase(tables, missing=frozenset([0])))
    assert (close.kind, close.sizes) == ("close", (9,))


def test_too_few_are_left_for_any_table() -> None:
    case = RepairCase(SIXES[:1], missing=frozenset([1, 2]))
    assert repair_options(case) == ()
    assert redraw_tables(case) is None


def test_nothing_can_be_done_at_a_table_that_plays() -> None:
    assert repair_options(RepairCase(SIXES, missing=frozenset([1]), locked=frozenset([0]))) == ()


def calls_of_a_repair(players: int) -> int:
    """How many Python functions are called for all ways out: the same on every machine."""
    tables = tuple(tuple(range(n * 5, n * 5 + 5)) for n in range(players // 5))
    history = draw_rounds(players, 4)
    case = RepairCase(tables, history=history, missing=frozenset([0, 1, 7, 12]), arrivals=(3000,))
    calls = Counter[str]()
    sys.setprofile(lambda _frame, event, _arg: calls.update((event,)))
    try:
        repair_options(case)
        vacancies_for(case, 3000)
    finally:
        sys.setprofile(None)
    return calls["call"] + calls["c_call"]


def test_the_work_grows_with_the_players_and_not_faster() -> None:
    assert calls_of_a_repair(400) < 5 * calls_of_a_repair(100)


@settings(max_examples=60, deadline=None)
@given(cases(), st.data())
def test_tables_solved_around_pins_stand_in_the_places_of_the_pins(
    case: RepairCase, data: st.DataObject
) -> None:
    people = sorted(p for table in case.tables for p in table)
    pinned = frozenset(data.draw(st.sets(st.sampled_from(people))))
    request = DrawRequest(
        players=tuple(people),
        history=case.history,
        sizes=tuple(len(table) for table in case.tables),
        seed=7,
        seconds=LITTLE,
        start=case.tables,
        pinned=pinned,
    )
    placed = keep_tables_in_place(case.tables, next_round(request).tables, pinned)
    assert sorted(map(len, placed)) == sorted(map(len, case.tables))
    assert sorted(p for table in placed for p in table) == people
    for old, new in zip(case.tables, placed, strict=True):
        assert set(old) & pinned == set(new) & pinned
