"""The atlas is complete, small, and what the docs say of it."""

import pytest

from bench.atlas_table import PAGE, page
from seating import atlas
from seating.sizes import table_sizes


def test_there_is_a_plan_for_every_number_of_players_and_rounds() -> None:
    for players in atlas.PLAYERS:
        for rounds in atlas.ROUNDS:
            plan = atlas.stored(players, rounds)
            assert plan is not None
            assert len(plan) == rounds
            for row in plan:
                assert tuple(row.count(t) for t in range(max(row) + 1)) == table_sizes(players)


def test_atlas_is_small() -> None:
    assert atlas.FILE.stat().st_size < 200_000


def test_docs_say_how_good_the_atlas_is() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize(("players", "rounds"), [(19, 3), (67, 3), (24, 9)])
def test_beyond_the_atlas_there_is_nothing(players: int, rounds: int) -> None:
    assert atlas.stored(players, rounds) is None


def test_plan_out_of_order_is_not_stored() -> None:
    with pytest.raises(ValueError, match="order"):
        atlas.store(24, 2, [[0, 1] * 12, [0] * 24])
