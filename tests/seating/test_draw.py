"""A drawn round: everybody once, as few meetings as possible, fair tables and duties."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.refusal import Refusal
from seating.costs import cost_of
from seating.draw import DrawRequest, next_round
from seating.sizes import table_sizes

LITTLE = 0.01  # seconds' worth of work, enough to see that the rules are kept
COUPLE = frozenset((1, 2))

type Tables = tuple[tuple[int, ...], ...]


@pytest.fixture(autouse=True, scope="module")
def stopped_clock() -> Iterator[None]:
    """However busy the machine, no draw is ended early."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seating.assignment.perf_counter", lambda: 0.0)
        yield


def draw_rounds(
    players: int, rounds: int, seed: int = 1, seconds: float = 1.0
) -> tuple[Tables, ...]:
    history: tuple[Tables, ...] = ()
    for number in range(rounds):
        everybody = tuple(range(players))
        request = DrawRequest(everybody, history, seed=seed + number, seconds=seconds)
        history = (*history, next_round(request).tables)
    return history


def meetings(history: tuple[Tables, ...]) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(pair) for tables in history for table in tables for pair in combinations(table, 2)
    )


def repeats(history: tuple[Tables, ...]) -> int:
    return sum(times - 1 for times in meetings(history).values())


def spread(counts: Counter[int], players: int) -> int:
    values = [counts[player] for player in range(players)]
    return max(values) - min(values)


@st.composite
def requests(draw: st.DrawFn) -> DrawRequest:
    """Some rounds played, then some people gone and others come."""
    before = draw(st.integers(5, 40))
    history = draw_rounds(before, draw(st.integers(0, 3)), draw(st.integers(0, 99)), LITTLE)
    gone = draw(st.sets(st.integers(0, before - 1), max_size=before - 5))
    come = range(before, before + draw(st.integers(0, 8)))
    here = [player for player in (*range(before), *come) if player not in gone]
    pair = st.frozensets(st.sampled_from(here), min_size=2, max_size=2)
    forbidden = draw(st.frozensets(pair, max_size=2)) if len(here) >= 20 else frozenset()
    players = tuple(draw(st.permutations(here)))
    seed = draw(st.integers(0, 9))
    return DrawRequest(players, history, forbidden=forbidden, seed=seed, seconds=LITTLE)


@settings(deadline=None, max_examples=40)
@given(requests())
def test_everybody_sits_once_at_tables_within_the_rules(request: DrawRequest) -> None:
    drawn = next_round(request)
    seated = [player for table in drawn.tables for player in table]
    assert sorted(seated) == sorted(request.players)
    assert tuple(map(len, drawn.tables)) == table_sizes(len(seated)) == drawn.report.sizes


@settings(deadline=None, max_examples=40)
@given(requests())
def test_report_agrees_with_a_count_made_apart(request: DrawRequest) -> None:
    drawn = next_round(request)
    before, after = meetings(request.history), meetings((*request.history, drawn.tables))
    here = meetings((drawn.tables,))
    again = {pair for pair in here if before[pair]}
    assert {frozenset(pair) for pair in drawn.report.pairs} == again
    assert drawn.report.repeats == len(again) >= drawn.report.bound
    assert drawn.report.most_meetings == max(after[pair] for pair in here)


@settings(deadline=None, max_examples=20)
@given(requests())
def test_same_request_gives_the_same_tables(request: DrawRequest) -> None:
    tables = next_round(request).tables
    assert next_round(request).tables == tables
    assert next_round(replace(request, players=tuple(sorted(request.players)))).tables == tables


@settings(deadline=None, max_examples=40)
@given(requests())
def test_forbidden_pairs_never_meet(request: DrawRequest) -> None:
    here = meetings((next_round(request).tables,))
    assert not request.forbidden & here.keys()


def test_somebody_kept_apart_from_nearly_all_is_seated_with_the_rest() -> None:
    forbidden = frozenset(frozenset((0, other)) for other in range(1, 36))
    drawn = next_round(DrawRequest(tuple(range(40)), forbidden=forbidden, seconds=LITTLE))
    (table,) = (table for table in drawn.tables if 0 in table)
    assert {*table} == {0, 36, 37, 38, 39}


@pytest.mark.parametrize(("players", "rounds"), [(25, 3), (36, 3), (60, 5), (100, 5)])
def test_nobody_meets_twice_where_that_can_be_had(players: int, rounds: int) -> None:
    assert repeats(draw_rounds(players, rounds)) == 0


def test_24_players_reach_the_proved_least_round_by_round() -> None:
    history = draw_rounds(24, 4)
    assert (repeats(history), max(meetings(history).values())) == (48, 2)


@pytest.mark.parametrize("players", [23, 60, 100])
def test_small_tables_and_dealing_are_shared_out(players: int) -> None:
    history = draw_rounds(players, 5, seconds=0.4)
    tables = [table for tables in history for table in tables]
    assert spread(Counter(p for table in tables if len(table) < 6 for p in table), players) <= 1
    assert spread(Counter(table[0] for table in tables), players) <= 1


def test_nobody_has_a_seat_three_times() -> None:
    seats = Counter(
        (player, seat)
        for tables in draw_rounds(60, 5)
        for table in tables
        for seat, player in enumerate(table)
    )
    assert max(seats.values()) <= 2


def test_convention_is_drawn_in_time() -> None:
    history = draw_rounds(2000, 5)
    assert repeats(history) == 0
    report = cost_of(history[-1], history[:-1])
    assert (report.off_size, report.dealer_again) == (0, 0)


def test_chosen_sizes_are_kept() -> None:
    drawn = next_round(DrawRequest(tuple(range(25)), sizes=(7, 6, 6, 6)))
    assert tuple(map(len, drawn.tables)) == (7, 6, 6, 6)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (DrawRequest((1, 2, 3)), "too_few_players"),
        (DrawRequest((1, 1, 2, 3, 4, 5)), "duplicate_player"),
        (DrawRequest(tuple(range(11)), max_tables=1), "too_few_tables"),
        (DrawRequest(tuple(range(11)), sizes=(6, 6)), "sizes_wrong"),
        (DrawRequest(tuple(range(11)), sizes=(11,)), "sizes_wrong"),
        (DrawRequest((), sizes=()), "sizes_wrong"),
        (
            DrawRequest(tuple(range(5)), forbidden=frozenset({frozenset((1, 2))})),
            "forbidden_impossible",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(request_: DrawRequest, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        next_round(request_)
    assert caught.value.code == code


def test_hand_edit_shows_what_it_costs() -> None:
    first = ((0, 1, 2, 3, 4, 5), (6, 7, 8, 9, 10))
    second = ((6, 0, 1, 2, 11, 12), (7, 3, 4, 5, 8))
    report = cost_of(second, (first,))
    assert report.pairs == ((0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (7, 8))
    assert (report.repeats, report.most_meetings) == (7, 2)
    assert report.off_size_players == (7, 8)
    assert report.dealers == (6,)
    assert report.as_dict()["off_size"] == 2
