"""A plan of all rounds: as few meetings as anybody knows of, fair tables, duties and seats."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seating import atlas
from seating.algebra import without_repeats
from seating.bounds import least_repeats_of_plan
from seating.draw import DrawRequest, Planned, Tables, continue_plan, next_round, plan
from seating.sizes import possible_splits, table_sizes
from tests.seating.judge import bounds, measure

LITTLE = 0.01  # seconds' worth of work


@pytest.fixture(autouse=True, scope="module")
def stopped_clock() -> Iterator[None]:
    """However busy the machine, no plan is ended early."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seating.assignment.perf_counter", lambda: 0.0)
        yield


def planned(players: int, rounds: int, **more: Any) -> Planned:
    return plan(DrawRequest(tuple(range(players)), **more), rounds)


def judged(rounds: tuple[Tables, ...], **more: Any) -> dict[str, Any]:
    """What somebody who knows nothing of our code says about it."""
    facts: dict[str, Any] = measure(
        {"rounds": [[list(table) for table in tables] for tables in rounds], **more}
    )
    return facts


@st.composite
def requests(draw: st.DrawFn) -> tuple[DrawRequest, int]:
    count = draw(st.integers(5, 48))
    sizes = draw(st.sampled_from(possible_splits(count)))
    pair = st.frozensets(st.integers(0, count - 1), min_size=2, max_size=2)
    forbidden = draw(st.frozensets(pair, max_size=2)) if count >= 20 else frozenset()
    request = DrawRequest(
        tuple(draw(st.permutations(range(count)))),
        sizes=draw(st.sampled_from((None, sizes))),
        forbidden=forbidden,
        seed=draw(st.integers(0, 99)),
        seconds=LITTLE,
    )
    return request, draw(st.integers(1, 5))


@settings(deadline=None, max_examples=30)
@given(requests())
def test_report_is_what_the_judge_measures(asked: tuple[DrawRequest, int]) -> None:
    request, rounds = asked
    found = plan(request, rounds)
    pairs = [sorted(pair) for pair in request.forbidden]
    facts = judged(found.rounds, forbidden=pairs, expected=[list(request.players)] * rounds)
    report = found.report
    assert facts["forbidden_met"] == 0
    assert {tuple(map(len, tables)) for tables in found.rounds} == {
        request.sizes or table_sizes(len(request.players))
    }
    assert (
        report.repeats,
        report.most_meetings,
        report.dealer_spread,
        report.same_seat,
        report.under,
        report.over,
    ) == (
        facts["repeats"],
        facts["max_meetings"],
        facts["dealer_spread"],
        facts["same_seat_repeats"],
        facts["under_spread"],
        facts["over_spread"],
    )
    assert report.bound <= report.repeats
    assert report.optimal == (report.bound == report.repeats)


@settings(deadline=None, max_examples=30)
@given(requests())
def test_same_seed_gives_the_same_plan(asked: tuple[DrawRequest, int]) -> None:
    request, rounds = asked
    found = plan(request, rounds)
    assert plan(request, rounds) == found
    assert plan(replace(request, players=tuple(sorted(request.players))), rounds) == found


@pytest.mark.parametrize("rounds", range(2, 9))
@pytest.mark.parametrize("players", range(20, 90))
def test_bound_is_the_judges(players: int, rounds: int) -> None:
    sizes = table_sizes(players)
    theirs = bounds([list(sizes)] * rounds, players)
    for key, at_most_twice in (("repeats_cap2", True), ("repeats", False)):
        expected = max(theirs[key], theirs[f"{key}_fair"] or 0)
        assert least_repeats_of_plan(sizes, rounds, at_most_twice=at_most_twice) == expected


# Where a plan that is level at any price would cost far more repeats, the repeats of the one drawn.
WEIGHED = {(22, 2): 8, (40, 8): 10, (45, 8): 0, (46, 7): 0, (46, 8): 0}


@pytest.mark.parametrize("rounds", atlas.ROUNDS)
@pytest.mark.parametrize("players", atlas.PLAYERS)
def test_plan_from_the_atlas_is_fair(players: int, rounds: int) -> None:
    found = planned(players, rounds, seed=players)
    facts = judged(found.rounds, expected=[list(range(players))] * rounds)
    if (players, rounds) in WEIGHED:
        assert (facts["off_spread"], facts["repeats"]) == (2, WEIGHED[players, rounds])
    else:
        assert facts["off_spread"] <= 1
    assert facts["dealer_spread"] <= 1
    if rounds <= 5:
        assert facts["same_seat_max"] == 1
        assert facts["max_meetings"] <= 2
    assert facts["repeats"] == found.report.repeats


@pytest.mark.parametrize(
    ("players", "rounds", "repeats"),
    [
        (24, 4, 48),
        (29, 4, 30),
        (25, 4, 0),
        (36, 4, 2),
        (37, 5, 4),
        *((players, 5, 0) for players in (42, 48, 60, 61, 100, 211, 600, 2000)),
    ],
)
def test_plan_reaches_what_is_promised(players: int, rounds: int, repeats: int) -> None:
    facts = judged(planned(players, rounds, seed=2).rounds)
    assert facts["repeats"] <= repeats
    assert facts["max_meetings"] <= 2
    assert facts["off_spread"] <= 1
    assert facts["dealer_spread"] <= 1
    assert facts["same_seat_max"] == 1


@pytest.mark.parametrize("players", range(67, 140))
def test_plan_beyond_the_atlas_is_free_of_repeats(players: int) -> None:
    facts = judged(planned(players, 5).rounds)
    assert (facts["repeats"], facts["off_spread"] <= 1, facts["dealer_spread"] <= 1) == (
        0,
        True,
        True,
    )


@pytest.mark.parametrize(
    ("sizes", "rounds"),
    [((5,) * 6, 4), ((5,) * 20, 5), ((7,) * 7, 7), ((8, *(7,) * 10), 3)],
)
def test_other_sizes_than_six_are_free_of_repeats_too(sizes: tuple[int, ...], rounds: int) -> None:
    found = planned(sum(sizes), rounds, sizes=sizes)
    assert (found.report.source, found.report.repeats) == ("algebra", 0)


@pytest.mark.parametrize(
    ("sizes", "rounds"), [((6,) * 8, 8), ((6,) * 4, 5), ((6, 6, 6, 4), 2), ((5,), 2)]
)
def test_algebra_gives_up_where_it_must(sizes: tuple[int, ...], rounds: int) -> None:
    assert without_repeats(sizes, rounds, Random(1)) is None


def test_another_seed_gives_another_plan() -> None:
    assert planned(24, 4, seed=1).rounds != planned(24, 4, seed=2).rounds


@pytest.mark.parametrize(("players", "rounds"), [(24, 5), (48, 5), (70, 4), (17, 3)])
def test_forbidden_pairs_never_meet_in_a_plan(players: int, rounds: int) -> None:
    forbidden = frozenset(frozenset(pair) for pair in ((0, 1), (0, 2), (3, 4), (5, 6), (6, 7)))
    found = planned(players, rounds, forbidden=forbidden)
    met = {frozenset(two) for tables in found.rounds for t in tables for two in combinations(t, 2)}
    assert not met & forbidden


def test_who_would_rather_not_deal_does_not() -> None:
    unwilling = frozenset(range(6))
    found = planned(30, 5, unwilling=unwilling)
    dealers = [table[0] for tables in found.rounds for table in tables]
    assert not unwilling & {*dealers}
    assert max(dealers.count(player) for player in dealers) == 2  # 25 duties for 24 people
    next_one = next_round(DrawRequest(tuple(range(30)), unwilling=unwilling))
    assert not unwilling & {table[0] for table in next_one.tables}


def test_plan_goes_on_from_rounds_played() -> None:
    history = (next_round(DrawRequest(tuple(range(60)))).tables,)
    found = plan(DrawRequest(tuple(range(60)), history), 4)
    assert judged((*history, *found.rounds))["repeats"] == found.report.repeats == 0


def test_stage_follows_its_plan_round_by_round() -> None:
    everybody, history = tuple(range(36)), ()
    for number in range(4):
        request = DrawRequest(everybody, history, seed=100 + number)
        history = (*history, continue_plan(request, 4, plan_seed=7).tables)
    assert history == planned(36, 4, seed=7).rounds


def test_stage_leaves_its_plan_when_somebody_leaves() -> None:
    first = continue_plan(DrawRequest(tuple(range(36))), 4, plan_seed=7).tables
    request = DrawRequest(tuple(range(35)), (first,), seed=5)
    assert continue_plan(request, 4, plan_seed=7).tables == next_round(request).tables


def test_stage_leaves_its_plan_after_an_edit_by_hand() -> None:
    first = continue_plan(DrawRequest(tuple(range(36))), 4, plan_seed=7).tables
    (a, *rest), (b, *more), *others = first
    edited = ((b, *rest), (a, *more), *others)
    request = DrawRequest(tuple(range(36)), (edited,), seed=5)
    assert continue_plan(request, 4, plan_seed=7).tables == next_round(request).tables


def test_round_after_the_planned_ones_is_drawn_too() -> None:
    history = planned(36, 3, seed=7).rounds
    request = DrawRequest(tuple(range(36)), history, seed=1)
    assert continue_plan(request, 3, plan_seed=7).tables == next_round(request).tables


def test_odd_tables_may_be_evened_out_in_the_third_round() -> None:
    """With 38 players, 20 are at fives: all but two of the others would have to follow them."""
    everybody = tuple(range(38))
    first = (next_round(DrawRequest(everybody, seed=1, seconds=0.5)).tables,)
    at_once = next_round(DrawRequest(everybody, first, more_to_come=False, seconds=0.5)).report
    second = next_round(DrawRequest(everybody, first, seconds=0.5))
    third = next_round(DrawRequest(everybody, (*first, second.tables), seconds=0.5)).report
    assert (at_once.under, third.under) == (1, 1)
    assert second.report.repeats + third.repeats < at_once.repeats


def test_pinned_people_stay_where_they_are() -> None:
    history = planned(30, 3).rounds[:2]
    start = (
        (*range(6),),
        (*range(6, 12),),
        (*range(12, 18),),
        (*range(18, 24),),
        (*range(24, 30),),
    )
    pinned = frozenset((0, 1, 2, 3, 4, 5, 29))
    drawn = next_round(DrawRequest(tuple(range(30)), history, start=start, pinned=pinned))
    assert {*drawn.tables[0]} == {*range(6)}
    assert 29 in drawn.tables[4]
    before = next_round(
        DrawRequest(tuple(range(30)), history, start=start, pinned=frozenset(range(30)))
    )
    assert [{*table} for table in before.tables] == [{*table} for table in start]
    assert drawn.report.repeats < before.report.repeats


def test_by_standings_the_best_meet_the_best() -> None:
    everybody = tuple(range(120))
    ranking = tuple(sorted(everybody, key=lambda player: player * 7 % 120))
    history = (next_round(DrawRequest(everybody)).tables,)
    drawn = next_round(DrawRequest(everybody, history, ranking=ranking))
    rank = {player: place for place, player in enumerate(ranking)}
    away = [abs(t - rank[p] // 6) for t, table in enumerate(drawn.tables) for p in table]
    assert drawn.report.repeats == 0
    assert sum(away) / len(away) < 0.5


def test_who_has_no_rank_sits_behind_those_who_have_one() -> None:
    drawn = next_round(DrawRequest(tuple(range(30)), ranking=(29, 3, 17, 99)))
    assert {29, 3, 17} < {*drawn.tables[0]}
    assert {p for table in drawn.tables for p in table} == {*range(30)}


def test_by_lot_nothing_but_chance_decides() -> None:
    history = planned(36, 2).rounds[:1]
    repeats = [
        next_round(DrawRequest(tuple(range(36)), history, at_random=True, seed=seed)).report.repeats
        for seed in range(40)
    ]
    assert 8 < sum(repeats) / len(repeats) < 18  # 90 pairs of whom one in seven met before
    forbidden = frozenset({frozenset((0, 1))})
    for seed in range(20):
        request = DrawRequest(tuple(range(10)), at_random=True, seed=seed, forbidden=forbidden)
        assert not next_round(request).report.forbidden


def test_whoever_waits_is_told_how_far_it_is_and_may_stop_it() -> None:
    told: list[float] = []
    request = DrawRequest(tuple(range(37)), planned(37, 5).rounds[:4], sizes=None)
    drawn = next_round(request, lambda share: bool(told.append(share)))
    assert told == sorted(told)
    assert (told[0], drawn.report.cut_short) == (0.0, False)
    assert told[-1] > 0.9
    stopped = next_round(request, lambda share: share > 0.1)
    assert stopped.report.cut_short
    assert sorted(player for table in stopped.tables for player in table) == [*range(37)]
