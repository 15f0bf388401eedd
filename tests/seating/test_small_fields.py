"""Small events, where meetings and odd tables have to be weighed against each other."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import small_fields
from seating.cost_deltas import costed_tables
from seating.costs import cost_of, report_of
from seating.draw import DrawRequest, Tables, continue_plan, next_round
from seating.history import player_history
from seating.layout import Layout
from seating.problem import problem_of
from seating.sizes import table_sizes
from seating.splits import splits_for
from tests.seating.judge import Before, best_exchange

LITTLE = 0.02  # seconds' worth of work
SEEDS = range(5)


@pytest.fixture(autouse=True, scope="module")
def stopped_clock() -> Iterator[None]:
    """However busy the machine, no draw is ended early."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seating.assignment.perf_counter", lambda: 0.0)
        yield


def drawn(
    attendance: Sequence[Sequence[int]], seed: int, effort: float = LITTLE
) -> tuple[Tables, ...]:
    """As an organiser draws them who has planned so many rounds; who is there in each."""
    rounds: tuple[Tables, ...] = ()
    for number, players in enumerate(attendance):
        more = number + 1 < len(attendance)
        request = DrawRequest(tuple(players), rounds, seed=seed + number, more_to_come=more)
        request = replace(request, effort=effort)
        rounds = (*rounds, continue_plan(request, len(attendance), plan_seed=seed).tables)
    return rounds


def figures(rounds: Sequence[Tables]) -> tuple[int, int]:
    """Pairs who meet again and people off-size again in the last round."""
    report = cost_of(rounds[-1], rounds[:-1])
    return report.repeats, report.off_size


@pytest.mark.parametrize("planned", [2, 3, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_thirteen_people_are_mixed_anew_at_seven_and_six(seed: int, planned: int) -> None:
    """Twelve and one who came late. Were odd tables all that counts, the same people would sit
    together again but for one, and 30 pairs would meet; 15 must."""
    rounds = drawn([range(13)] * planned, seed)
    assert figures(rounds[:2]) == (16, 3)
    assert cost_of(rounds[1], rounds[:1]).bound == 15


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        (11, 11, (10, 2)),
        (12, 13, (12, 0)),
        (12, 11, (10, 0)),
        (16, 16, (9, 5)),
        (16, 17, (7, 2)),
        (17, 17, (8, 1)),
        (17, 18, (8, 0)),
    ],
)
def test_second_round_is_the_best_there_is(
    first: int, then: int, expected: tuple[int, int], seed: int
) -> None:
    assert figures(drawn([range(first), range(then)], seed)) == expected


CHANGES = {"same": 0, "one comes": 1, "one leaves": -1}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("players", range(10, 20))
def test_no_exchange_of_two_people_is_better(players: int, change: str) -> None:
    """At the same table or at different ones, dealers included; with hardly any search, too."""
    then = range(max(0, -CHANGES[change]), players + max(0, CHANGES[change]))
    for seed in SEEDS[:3]:
        rounds = drawn([range(players), then, then, then], seed, effort=LITTLE * (seed % 2))
        gains = [best_exchange(rounds[:n], rounds[n]) for n in range(1, len(rounds))]
        assert gains == [0, 0, 0]


@pytest.mark.parametrize("case", small_fields.CASES, ids=lambda case: case.name)
def test_all_rounds_cost_hardly_more_than_the_best_known(case: small_fields.Case) -> None:
    best = small_fields.known()[case.name]
    assert [sorted(map(len, tables)) for tables in best] == [
        sorted(table_sizes(sum(map(len, tables)))) for tables in best
    ]
    found = small_fields.drawn(case, seed=7, effort=0.2)
    one_repeat = 8
    assert small_fields.outcome(found).cost <= small_fields.outcome(best).cost + one_repeat


@st.composite
def requests(draw: st.DrawFn) -> DrawRequest:
    """The next round of a few people who came and went, with whatever may be asked of it."""
    crowd = range(24)
    present = st.sets(st.sampled_from(crowd), min_size=10)
    attendance = draw(st.lists(present, min_size=1, max_size=3))
    history = drawn([sorted(people) for people in attendance], draw(st.integers(0, 99)), 0.0)
    here = tuple(sorted(draw(present)))
    pair = st.frozensets(st.sampled_from(here), min_size=2, max_size=2)
    return DrawRequest(
        here,
        history,
        forbidden=draw(st.frozensets(pair, max_size=2)),
        unwilling=draw(st.frozensets(st.sampled_from(here), max_size=4)),
        ranking=tuple(draw(st.permutations(here))) if draw(st.booleans()) else (),
        more_to_come=False,
        seed=draw(st.integers(0, 9)),
        effort=LITTLE,
    )


@settings(deadline=None, max_examples=60)
@given(requests())
def test_no_exchange_is_better_whatever_is_asked(request: DrawRequest) -> None:
    """Also by standings, with pairs kept apart, and with people who would rather not deal."""
    found = next_round(request)
    own = [n for n, table in enumerate(found.tables) for _ in table]
    rank = {player: own[place] for place, player in enumerate(request.ranking)}

    def place(player: int, table: int) -> int:
        return 2 * (table - rank[player]) ** 2 if rank else 0

    assert not found.report.forbidden
    # Who deals is left out: somebody may rather not, and a table more in order of the standings
    # may have nobody whose turn it is.
    gain = best_exchange(
        request.history, found.tables, forbidden=request.forbidden, dealing=False, place=place
    )
    # The dealers are counted by the search as well; they cost one each, at most.
    assert gain <= len(found.tables)


@settings(deadline=None, max_examples=60)
@given(requests())
def test_search_and_hand_and_judge_count_the_same_cost(request: DrawRequest) -> None:
    tables = next_round(request).tables
    facts = Before(request.history, request.players).facts(tables)
    cost = costed_tables(tables, request.history).cost()
    assert cost.weight == facts["cost"]
    assert (cost.repeats, cost.thrice, cost.off_size, cost.dealer_again) == (
        facts["repeats"],
        facts["thirds"],
        facts["again"],
        facts["deals"],
    )
    past = player_history(request.players, request.history)
    where = {player: n for n, table in enumerate(tables) for player in table}
    problem = replace(problem_of(past, [len(table) for table in tables]), may_deal=())
    layout = Layout(problem, [[where[player] for player in request.players]])
    assert layout.cost == facts["cost"] - facts["dealing"]


@pytest.mark.parametrize("seed", SEEDS)
def test_improving_leads_back_from_bad_tables(seed: int) -> None:
    """The tables that a draw by odd tables alone would give: all but one sit together again."""
    first = (tuple(range(7)), tuple(range(7, 13)))
    bad = ((0, *range(7, 13)), tuple(range(1, 7)))
    assert figures((first, bad)) == (30, 1)
    request = DrawRequest(tuple(range(13)), (first,), start=bad, seed=seed, effort=LITTLE)
    assert figures((first, next_round(request).tables)) == (16, 3)


@settings(deadline=None, max_examples=60)
@given(requests())
def test_what_is_said_before_the_draw_holds_after_it(request: DrawRequest) -> None:
    """So many meet again, sit off-size again, at least."""
    before = splits_for(request.players, request.history)[0]
    report = next_round(request).report
    assert report.repeats >= before.forced
    assert report.off_size >= before.off_again == report.off_bound


def test_all_rounds_say_what_the_last_one_said() -> None:
    """Two rounds: who sat off-size again in the second one has done so in all."""
    rounds = drawn([range(13)] * 2, seed=1)
    report = report_of(rounds)
    assert (report.off_size, report.off_level) == (figures(rounds)[1], False)
    thirty = report_of(((tuple(range(7)), tuple(range(7, 13))),) * 2)
    assert (thirty.off_size, thirty.off_level) == (7, False)
    level = ((tuple(range(7)), tuple(range(7, 13))), ((0, *range(7, 13)), tuple(range(1, 7))))
    assert (report_of(level).off_size, report_of(level).off_level) == (1, True)
