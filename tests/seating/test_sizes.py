"""Table splits, by the worked cases and by what a split is."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.command import answer
from seating.__main__ import COMMANDS, words
from seating.sizes import possible_splits, table_sizes

VECTORS = Path(__file__).parents[1] / "vectors" / "table_sizes.jsonl"
CASES = [json.loads(line) for line in VECTORS.read_text().splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[str(case["request"]) for case in CASES])
def test_worked_case(case: dict[str, Any]) -> None:
    found = answer(json.dumps(case["request"]).encode(), COMMANDS["sizes"], words)
    found = json.loads(json.dumps(found))
    assert {name: found.get(name) for name in case["expect"]} == case["expect"]


@given(st.integers(5, 3000))
def test_no_split_into_fives_and_sixes_has_more_sixes(players: int) -> None:
    sizes = table_sizes(players)
    sixes = [six for six in range(players // 6 + 1) if (players - 6 * six) % 5 == 0]
    if sixes:
        assert (set(sizes) <= {5, 6}, sizes.count(6)) == (True, max(sixes))


@given(st.integers(5, 300), st.none() | st.integers(40, 60))
def test_every_split_seats_everybody_within_the_rules(players: int, most: int | None) -> None:
    splits = possible_splits(players, most)
    assert splits[0] == table_sizes(players, most)
    assert len(set(splits)) == len(splits) <= 4
    for sizes in splits:
        assert sum(sizes) == players
        assert all(5 <= size <= 10 for size in sizes)
        assert most is None or len(sizes) <= most


def test_organiser_may_choose_sevens_instead_of_fives() -> None:
    assert possible_splits(25, 4) == ((7, 6, 6, 6), (9, 8, 8))
    assert possible_splits(25)[:2] == ((5, 5, 5, 5, 5), (7, 6, 6, 6))
