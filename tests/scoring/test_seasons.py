"""Seasons: worked cases, and what holds of every one of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.refusal import Refusal
from scoring.seasons import (
    Rule,
    SeasonResult,
    SeasonRule,
    counted,
    season,
    season_rule,
    worth,
)

VECTORS = Path(__file__).parents[1] / "vectors" / "seasons.jsonl"
CASES = [json.loads(line) for line in VECTORS.read_text().splitlines()]
BANDS = [[1, 1, 25], [2, 2, 18], [3, 8, 10]]
RULES = [
    season_rule("places", {"bands": BANDS}),
    season_rule("sum", {}),
    season_rule("count-wins", {}),
    season_rule("mers", {}),
    season_rule("best-n", {"best": 3, "of": "mers"}),
    season_rule("best-n", {"best": 2, "of": "places", "bands": BANDS}),
]


def _result(drawn: tuple[int, int, int, int]) -> SeasonResult:
    place, field, points, weight = drawn
    return SeasonResult(1 + place % field, field, points, weight)


a_result = st.tuples(
    st.integers(0, 1999), st.integers(1, 2000), st.integers(0, 200), st.integers(1, 1000)
).map(_result)
several = st.lists(a_result, min_size=1, max_size=4)
seasons = st.lists(several, max_size=5).map(lambda all_: dict(zip("edcba", all_, strict=False)))
rules = st.sampled_from(RULES)


@pytest.mark.parametrize("case", CASES, ids=[case["about"] for case in CASES])
def test_worked_case(case: dict[str, Any]) -> None:
    rule = season_rule(case["rule"]["name"], case["rule"])
    results = {who: [SeasonResult(*one) for one in own] for who, own in case["results"].items()}
    found = [
        [*row, [list(one) for one in counted(rule, results[row.entry])]]
        for row in season(rule, results)
    ]
    assert found == case["expect"]


@given(rules, seasons)
def test_what_is_shown_adds_up(rule: SeasonRule, results: dict[str, list[SeasonResult]]) -> None:
    rows = season(rule, results)
    assert {row.entry for row in rows} == {who for who, own in results.items() if own}
    for row in rows:
        reasons = counted(rule, results[row.entry])
        assert len(reasons) == len(results[row.entry])
        assert row.total == sum(one.worth for one in reasons if one.counts)
        assert row.rank == 1 + sum(other.total > row.total for other in rows)
        assert row.shared == (sum(other.total == row.total for other in rows) > 1)


@given(rules, seasons)
def test_who_is_named_first_changes_nothing(
    rule: SeasonRule, results: dict[str, list[SeasonResult]]
) -> None:
    backwards = dict(reversed(results.items()))
    assert season(rule, backwards) == season(rule, results)


@given(rules, a_result, st.integers(1, 1999))
def test_a_better_rank_is_never_worth_less(
    rule: SeasonRule, result: SeasonResult, better: int
) -> None:
    if better <= result.rank:
        assert worth(rule, result._replace(rank=better)) >= worth(rule, result)


@given(rules, several, a_result)
def test_one_event_more_never_costs_anything(
    rule: SeasonRule, results: list[SeasonResult], more: SeasonResult
) -> None:
    def total(own: list[SeasonResult]) -> int:
        return sum(one.worth for one in counted(rule, own) if one.counts)

    assert total([*results, more]) >= total(results)


@given(st.integers(2, 2000), st.data())
def test_mers_lies_between_nothing_and_a_thousand(field: int, data: st.DataObject) -> None:
    rule = season_rule("mers", {})
    rank = data.draw(st.integers(1, field))
    assert 0 <= worth(rule, SeasonResult(rank, field, 0)) <= 100_000
    assert worth(rule, SeasonResult(1, field, 0)) == 100_000
    assert worth(rule, SeasonResult(field, field, 0)) == 0


def test_best_n_counts_so_many_of_the_best() -> None:
    rule = season_rule("best-n", {"best": 2, "of": "sum"})
    own = [SeasonResult(1, 9, points) for points in (5, 9, 7, 9)]
    assert [one.counts for one in counted(rule, own)] == [False, True, False, True]


@pytest.mark.parametrize(
    ("name", "parameters", "code"),
    [
        ("elo", {}, "unknown_rule"),
        ("places", {}, "bands"),
        ("places", {"bands": []}, "bands"),
        ("places", {"bands": [[1, 1]]}, "bands"),
        ("places", {"bands": [[0, 1, 5]]}, "bands"),
        ("places", {"bands": [[3, 2, 5]]}, "bands"),
        ("places", {"bands": [[1, 3, 5], [3, 4, 2]]}, "bands"),
        ("places", {"bands": [[1, 3, -1]]}, "bands"),
        ("places", {"bands": [[1, 3, "5"]]}, "bands"),
        ("places", {"bands": [[1, 3, True]]}, "bands"),
        ("best-n", {"of": "mers"}, "best"),
        ("best-n", {"best": 0, "of": "mers"}, "best"),
        ("best-n", {"best": True, "of": "mers"}, "best"),
        ("best-n", {"best": 2}, "unknown_base"),
        ("best-n", {"best": 2, "of": "best-n"}, "unknown_base"),
        ("best-n", {"best": 2, "of": "places"}, "bands"),
    ],
)
def test_a_rule_that_cannot_be_read_is_refused(
    name: str, parameters: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refusal) as refused:
        season_rule(name, parameters)
    assert refused.value.code == code


def test_every_rule_is_in_the_worked_cases() -> None:
    assert {case["rule"]["name"] for case in CASES} == set(Rule)
