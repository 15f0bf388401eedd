"""Ranks, ties and the final, on small events written by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.eventfile import EventFile, read
from scoring.refusal import Refusal
from scoring.roles import Role
from scoring.standings import FinalRow, StandingRow, player_deals, standings

PLAYERS = list("abcdefghij")
FIVE = ["saboteur", "miner", "miner", "miner", "selfish"]


def deal(connector: int | None = None, **more: Any) -> dict[str, Any]:
    """A deal of five: the first seat is the saboteur's, the last the selfish dwarf's."""
    return {"roles": FIVE, "connector": connector, **more}


def played(*tables: tuple[str, list[dict[str, Any]]], stage: str = "preliminary") -> dict[str, Any]:
    return {"stage": stage, "tables": [{"seats": list(s), "deals": d} for s, d in tables]}


def event(*rounds: dict[str, Any], **more: Any) -> EventFile:
    return read(
        {
            "format": "saboteur-event/1",
            "ruleset": "es-2026",
            "players": PLAYERS,
            "cut": 5,
            "rounds": list(rounds),
            **more,
        }
    )


# a: 4, b: 3, c and d: 2, e: 0; f: 4, g, h, i, j: 0. One star each for a, b and f.
FIRST = played(("abcde", [deal(), deal(2)]), ("fghij", [deal(), deal(void=True)]))


def ranks(found: EventFile) -> dict[str, int]:
    return {row.player: row.rank for row in standings(found).preliminary}


def test_points_then_stars_then_a_shared_rank() -> None:
    rows = standings(event(FIRST)).preliminary
    assert rows[:5] == (
        StandingRow("a", 1, 4, 1, 2),
        StandingRow("f", 1, 4, 1, 2),
        StandingRow("b", 3, 3, 1, 2),
        StandingRow("c", 4, 2, 0, 2),
        StandingRow("d", 4, 2, 0, 2),
    )
    assert {row.rank for row in rows[5:]} == {6}


def test_deal_loss_takes_points_and_star_of_its_deal_only() -> None:
    lost = {"player": "a", "step": 3, "round": 1, "deal": 1}
    found = event(FIRST, penalties=[lost])
    assert (ranks(found)["f"], ranks(found)["d"], ranks(found)["a"]) == (1, 3, 5)
    warned = event(FIRST, penalties=[lost | {"step": 2}])
    assert ranks(warned) == ranks(event(FIRST))


def test_penalty_for_a_deal_not_played_yet_waits() -> None:
    ahead = {"player": "a", "step": 3, "round": 2, "deal": 1}
    assert ranks(event(FIRST, penalties=[ahead])) == ranks(event(FIRST))


def test_dropped_player_keeps_the_rank_and_cannot_reach_the_cut() -> None:
    found = standings(event(FIRST, dropped=[{"player": "a", "after_round": 1}]))
    assert found.preliminary[0].player == "a"
    assert found.cut.qualified == ("f", "b", "c", "d")
    assert (found.cut.level, found.cut.free) == (("e", "g", "h", "i", "j"), 1)


def test_disqualified_player_leaves_the_standings() -> None:
    gone = {"player": "a", "step": 4, "round": 1, "deal": 2}
    found = standings(event(FIRST, penalties=[gone]))
    assert found.disqualified == ("a",)
    assert [row.player for row in found.preliminary][:2] == ["f", "b"]
    assert [row.rank for row in found.preliminary][:2] == [1, 2]


FINAL = played(("abcdf", [deal(), deal(2)]), stage="final")


def test_final_falls_back_on_the_preliminaries_and_says_so() -> None:
    rows = standings(event(FIRST, FINAL)).final
    assert rows == (
        FinalRow("a", 1, 4, 1, 4, 1, "points"),
        FinalRow("b", 2, 3, 1, 3, 1, "points"),
        FinalRow("c", 3, 2, 0, 2, 0, None),
        FinalRow("d", 3, 2, 0, 2, 0, None),
        FinalRow("f", 5, 0, 0, 4, 1, "points"),
    )


def test_preliminary_points_part_finalists_who_are_level() -> None:
    rows = standings(event(FIRST, played(("cabdf", [deal(4)]), stage="final"))).final
    assert [(row.player, row.rank, row.decided_by) for row in rows] == [
        ("d", 1, "points"),
        ("a", 2, "preliminary_points"),
        ("b", 3, "preliminary_points"),
        ("f", 4, "preliminary_points"),
        ("c", 5, "preliminary_points"),
    ]


def places(found: EventFile) -> list[tuple[str, int]]:
    return [(row.player, row.rank) for row in standings(found).order]


def test_lot_for_a_place_parts_those_who_share_it() -> None:
    found = event(FIRST, FINAL, lots=[{"line": "place:3", "order": ["d", "c"]}])
    assert places(found)[2:4] == [("d", 3), ("c", 4)]
    assert [row.rank for row in standings(found).final[2:4]] == [3, 3]


def test_what_happens_after_the_cut_unseats_nobody() -> None:
    lot = {"line": "cut", "order": list("ghije")}
    final = played(("abcdf", [deal(), deal(2)]), stage="final")
    before = standings(event(FIRST, final, lots=[lot]))
    after = standings(
        event(
            FIRST,
            final,
            lots=[lot],
            dropped=[{"player": "c", "after_round": 2}],
            penalties=[{"player": "b", "step": 4, "round": 2, "deal": 2}],
        )
    )
    assert after.cut == before.cut
    assert after.disqualified == ("b",)
    assert [row.player for row in after.final] == ["a", "c", "d", "f"]
    assert "b" not in {row.player for row in (*after.preliminary, *after.order)}


def test_finalists_rank_before_everybody_else() -> None:
    found = places(event(FIRST, played(("abcdj", [deal()]), stage="final")))
    assert found[:7] == [("a", 1), ("b", 2), ("c", 3), ("d", 3), ("j", 5), ("f", 6), ("e", 7)]
    assert dict(found)["i"] == 7


def test_players_own_page_lists_every_deal() -> None:
    lost = {"player": "b", "step": 3, "round": 1, "deal": 2}
    first, second = player_deals(event(FIRST, penalties=[lost]), "b")
    assert (first.round, first.table, first.deal, first.seat) == (1, 1, 1, 2)
    assert (first.role, first.points, first.star, first.lost) == (Role.MINER, 0, False, False)
    assert (second.points, second.star, second.lost, second.void) == (0, False, True, False)
    assert [row.void for row in player_deals(event(FIRST), "j")] == [False, True]


def test_deal_that_cannot_be_scored_is_refused_with_its_place() -> None:
    wrong = {"roles": ["saboteur"] * 5, "connector": None}
    with pytest.raises(Refusal) as caught:
        standings(event(played(("abcde", [deal(), wrong]))))
    assert caught.value.code == "role_counts"
    assert caught.value.values["place"] == "rounds[0].tables[0].deals[1]"


def test_event_without_a_round_has_everybody_level() -> None:
    found = standings(event())
    assert {row.rank for row in found.preliminary} == {1}
    assert (found.cut.level, found.cut.free, found.final) == (tuple(PLAYERS), 5, ())


@given(st.permutations(PLAYERS), st.lists(st.none() | st.integers(1, 5), min_size=2, max_size=6))
def test_shuffling_the_entries_keeps_the_ranking(
    players: list[str], connectors: list[int | None]
) -> None:
    tables = played(("abcde", [deal(c) for c in connectors]), ("fghij", [deal(connectors[0])]))
    assert ranks(event(tables, players=players)) == ranks(event(tables))


def test_declined_seat_passes_to_the_next_in_order() -> None:
    plain = standings(event(FIRST, cut=2))
    first = plain.cut.qualified[0]
    found = standings(event(FIRST, cut=2, declined=[{"player": first, "stage": "final"}]))
    assert first not in found.cut.qualified
    assert found.preliminary == plain.preliminary
