"""Tables of the sizes that other games have: three to ten, two to twelve, pairs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.refusal import Refusal
from seating.draw import DrawRequest, next_round
from seating.sizes import possible_splits, table_sizes

pytestmark = pytest.mark.pure

BASE, DWARFS, PAIRS = range(3, 11), range(2, 13), range(2, 3)
RANGES = st.sampled_from((BASE, DWARFS))


@given(players=st.integers(2, 200), sizes=RANGES)
def test_everybody_sits_at_a_table_of_a_known_size(players: int, sizes: range) -> None:
    if players < min(sizes):
        with pytest.raises(Refusal, match="too_few_players"):
            table_sizes(players, None, sizes)
        return
    for split in possible_splits(players, sizes=sizes):
        assert sum(split) == players
        assert set(split) <= set(sizes)
        assert max(split) - min(split) <= 1


@given(players=st.integers(2, 60), tables=st.integers(1, 12), sizes=RANGES)
def test_no_more_tables_than_there_are_games(players: int, tables: int, sizes: range) -> None:
    if players < min(sizes) or players > tables * max(sizes):
        with pytest.raises(Refusal):
            table_sizes(players, tables, sizes)
        return
    assert len(table_sizes(players, tables, sizes)) <= tables


def test_the_usual_split_is_as_ever() -> None:
    assert table_sizes(23) == (6, 6, 6, 5)
    assert table_sizes(3, None, BASE) == (3,)
    assert table_sizes(12, 1, DWARFS) == (12,)
    assert table_sizes(14, 2, DWARFS) == (7, 7)
    assert table_sizes(8, None, PAIRS) == (2, 2, 2, 2)


def test_an_odd_number_makes_no_pairs() -> None:
    with pytest.raises(Refusal, match="sizes_wrong"):
        table_sizes(9, None, PAIRS)


@settings(max_examples=25, deadline=None)
@given(players=st.integers(3, 24), rounds=st.integers(1, 4), sizes=RANGES, seed=st.integers(0, 9))
def test_no_draw_is_better_than_its_bound(
    players: int, rounds: int, sizes: range, seed: int
) -> None:
    history: tuple[tuple[tuple[int, ...], ...], ...] = ()
    for number in range(rounds):
        request = DrawRequest(
            tuple(range(players)), history=history, allowed=sizes, seed=seed + number, effort=0.01
        )
        drawn = next_round(request)
        assert sorted(p for table in drawn.tables for p in table) == list(range(players))
        assert {len(table) for table in drawn.tables} <= set(sizes)
        assert drawn.report.repeats >= drawn.report.bound
        history = (*history, drawn.tables)


@pytest.mark.parametrize("players", [4, 6, 8, 10, 16, 40])
def test_pairs_meet_somebody_new_as_long_as_half_are_new(players: int) -> None:
    history: tuple[tuple[tuple[int, ...], ...], ...] = ()
    for number in range(players // 2):
        request = DrawRequest(
            tuple(range(players)), history=history, allowed=PAIRS, seed=number, effort=0.2
        )
        drawn = next_round(request)
        assert all(len(table) == 2 for table in drawn.tables)
        assert drawn.report.repeats == 0, f"round {number + 1}"
        history = (*history, drawn.tables)
