"""Events of the editions: sheets of several deals, standings, and deals as short texts."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import eventfile
from scoring.editions import EDITIONS
from scoring.refusal import Refusal
from scoring.standings import player_deals, standings
from tests.scoring.test_editions import a_base_deal, a_dwarf_deal

BASE, DWARFS, DUEL = "base-classic", "saboteur-2", "duel"
TRIO = ("a", "b", "c")
DEAL = {"roles": ["miner", "miner", "saboteur"], "connector": 1}


def event(ruleset: str, *tables: Any, **more: Any) -> eventfile.EventFile:
    """One round of these tables, each (seats, deals)."""
    shown = [{"seats": list(seats), "deals": deals} for seats, deals in tables]
    rounds = [{"stage": "preliminary", "tables": shown}]
    players = sorted({player for seats, _deals in tables for player in seats})
    return eventfile.read(
        {"format": "saboteur-event/1", "ruleset": ruleset, "cut": 0}
        | {"players": players, "rounds": rounds, **more}
    )


def rows(file: eventfile.EventFile) -> list[tuple[str, int, int, int]]:
    return [(row.player, row.rank, row.points, row.stars) for row in standings(file).preliminary]


def test_most_nuggets_come_first_and_level_players_share_the_win() -> None:
    deals = [
        {**DEAL, "gold": [[3, 1], [2], []]},  # 4, 2, 0
        {"roles": ["saboteur", "miner", "miner"], "connector": None},  # 4, 0, 0
        {**DEAL, "roles": ["miner", "saboteur", "miner"], "gold": [[1, 1], [], [3]]},  # 2, 0, 3
    ]
    assert rows(event(BASE, (TRIO, deals))) == [("a", 1, 10, 0), ("c", 2, 3, 0), ("b", 3, 2, 0)]
    level = [{**DEAL, "gold": [[1, 1], [2], []]}]
    assert [row[:2] for row in rows(event(BASE, (TRIO, level)))] == [("a", 1), ("b", 1), ("c", 3)]


def test_a_sheet_has_one_box() -> None:
    # Three threes in the first deal, and two more in the second: the box has four.
    deals = [{**DEAL, "gold": [[3, 3], [3], []]}, {**DEAL, "gold": [[3, 1], [3], []]}]
    with pytest.raises(Refusal) as found:
        standings(event(BASE, (TRIO, deals)))
    assert found.value.code == "gold_box"
    assert found.value.values["place"] == "rounds[0].tables[0].deals[1]"


def test_saboteurs_are_paid_from_the_same_box() -> None:
    """Two saboteurs who get three each, eight times: 48 nuggets, where a box has 44."""
    lost = {"roles": ["saboteur", "saboteur", "miner", "miner", "miner"], "connector": None}
    assert rows(event(BASE, ("abcde", [lost] * 7)))[0] == ("a", 1, 21, 0)
    with pytest.raises(Refusal, match="gold_sum"):
        standings(event(BASE, ("abcde", [lost] * 8)))


def test_thieves_find_what_was_won_before() -> None:
    first = {"roles": ["blue", "green", "saboteur"], "connector": 1}  # blue alone wins: 5
    second = {  # the saboteur alone wins: 5; the green dwarf takes one from the blue one's five
        "roles": ["blue", "green", "saboteur"],
        "connector": None,
        "thieves": [{"thief": 2, "victim": 1}],
    }
    file = event(DWARFS, (TRIO, [first, second]))
    assert [deal.points for deal in player_deals(file, "a")] == [5, -1]
    assert rows(file) == [("c", 1, 5, 0), ("a", 2, 4, 0), ("b", 3, 1, 0)]
    # In the first deal of a sheet there is nothing to take.
    assert [row[2] for row in rows(event(DWARFS, (TRIO, [second])))] == [5, 0, 0]


def test_a_duel_is_won_by_its_gold_and_counts_before_it() -> None:
    lost_by_one = [{"gold": [9, 0]}, {"gold": [0, 5]}, {"gold": [0, 5]}]  # 9 : 10
    close = [{"gold": [1, 0]}, {"gold": [0, 0]}, {"gold": [0, 0]}]
    level = [{"gold": [2, 2]}]
    file = event(DUEL, ("ab", lost_by_one), ("cd", close), ("ef", level), ("g", []))
    assert rows(file) == [
        ("b", 1, 10, 1),
        ("c", 2, 1, 1),
        ("g", 3, 0, 1),  # without an opponent: a win without gold
        ("a", 4, 9, 0),
        ("e", 5, 2, 0),
        ("f", 5, 2, 0),
        ("d", 7, 0, 0),
    ]
    # The star of a duel stands at its last deal, so that the deals add up to the standings.
    assert [deal.star for deal in player_deals(file, "b")] == [False, False, True]


def test_a_penalty_takes_the_gold_of_its_deal_before_the_duel_is_decided() -> None:
    loss = {"player": "a", "step": 3, "round": 1, "deal": 1}
    file = event(DUEL, ("ab", [{"gold": [5, 0]}, {"gold": [1, 2]}]), penalties=[loss])
    assert rows(file) == [("b", 1, 2, 1), ("a", 2, 1, 0)]


def test_a_penalty_moves_nobody_elses_nuggets() -> None:
    loss = {"player": "a", "step": 3, "round": 1, "deal": 1}
    deals = [{"roles": ["blue", "blue", "green"], "connector": 1}]  # two winners: 4 each
    assert rows(event(DWARFS, (TRIO, deals), penalties=[loss])) == [
        ("b", 1, 4, 0),
        ("a", 2, 0, 0),
        ("c", 2, 0, 0),
    ]


def test_a_void_deal_may_tell_nothing() -> None:
    deals: list[dict[str, object]] = [{"void": True}, {**DEAL, "gold": [[1, 1], [2], []]}]
    file = event(BASE, (TRIO, deals))
    assert [(deal.points, deal.void) for deal in player_deals(file, "a")] == [(0, True), (2, False)]


def test_nuggets_typed_alone_count_and_are_checked() -> None:
    assert rows(event(BASE, (TRIO, [{"points": [4, 2, 0]}])))[0] == ("a", 1, 4, 0)
    with pytest.raises(Refusal, match="points_impossible"):
        standings(event(BASE, (TRIO, [{"points": [12, 2, 0]}])))
    # What a penalty took may be missing on the paper.
    loss = {"player": "b", "step": 3, "round": 1, "deal": 1}
    typed = event(BASE, (TRIO, [{"points": [4, 0, 0]}]), penalties=[loss])
    assert rows(typed)[0] == ("a", 1, 4, 0)


@pytest.mark.parametrize(
    ("ruleset", "deal", "place"),
    [
        (BASE, {}, "roles"),
        (BASE, {"roles": ["miner"] * 2}, "roles"),
        (BASE, {**DEAL, "before": [1, 1, 1]}, "before"),
        (BASE, {**DEAL, "points": [1, 2, 3]}, "points"),
        (BASE, {**DEAL, "gold": [[1], [2]]}, "gold"),
        (DWARFS, {**DEAL, "jailed": [1, 1]}, "jailed[1]"),
        (DWARFS, {**DEAL, "thieves": [{"thief": 1}]}, "thieves[0].victim"),
        (DWARFS, {**DEAL, "crystals": 0.5}, "crystals"),
        (DUEL, {"gold": [1, 2, 3, 4]}, "gold"),
        (DUEL, DEAL, "roles"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(
    ruleset: str, deal: dict[str, object], place: str
) -> None:
    with pytest.raises(Refusal) as found:
        event(ruleset, (TRIO, [deal]))
    assert found.value.code == "malformed"
    assert found.value.values["place"] == f"rounds[0].tables[0].deals[0].{place}"


@pytest.mark.parametrize("ruleset", [BASE, "base-new", DWARFS])
def test_a_table_of_one_is_refused(ruleset: str) -> None:
    with pytest.raises(Refusal, match="table_size"):
        standings(event(ruleset, ("a", [{"roles": ["miner"], "connector": None}])))


def test_a_duel_against_nobody_has_no_deals() -> None:
    with pytest.raises(Refusal, match="table_size"):
        standings(event(DUEL, ("a", [{"gold": [7]}])))


@given(rng=st.randoms(use_true_random=False))
@pytest.mark.parametrize("key", [BASE, "base-new", DWARFS, DUEL])
def test_a_deal_is_the_same_as_text_and_in_a_file(key: str, rng: random.Random) -> None:
    edition = EDITIONS[key]
    made: dict[str, Any] = {"gold": [rng.randint(0, 30), rng.randint(0, 30)]}
    if key != DUEL:
        made = a_dwarf_deal(rng) if key == DWARFS else a_base_deal(edition, rng)  # type: ignore[arg-type]
    made = {name: value for name, value in made.items() if name != "before" and value is not None}
    deal = edition.read_deal(made | ({} if key == DUEL else {"connector": made.get("connector")}))
    again = edition.read_text(edition.write_text(deal.facts))
    assert edition.result(deal, deal.seats or 0) == edition.pay(again)
    assert edition.write_text(again) == edition.write_text(deal.facts)
    assert edition.read_deal(edition.write_deal(deal)) == deal


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (BASE, "mmsq:0"),
        (BASE, "mms"),
        (BASE, "mms:x"),
        (BASE, "mms:1:1/2"),
        (BASE, "mms:1:1/a/"),
        (BASE, "mms:1:1/2/:9"),
        (DWARFS, "bgs:1:r"),
        (DWARFS, "bgs:1::two"),
        (DWARFS, "bgs:1::1000"),
        (DWARFS, "bgs:"),
        (DWARFS, "bgs:1/2"),
        (BASE, "mms:1/2"),
        (DUEL, "1000/0"),
        (DUEL, "1_0/2"),
        (DUEL, "+1/2"),
        (DUEL, "٣/2"),
        (DWARFS, "bgs:1:::1/b"),
        (DWARFS, "bgs:1::::1>2>3"),
        (DUEL, "five/3"),
    ],
)
def test_a_text_that_is_no_deal_is_refused(key: str, text: str) -> None:
    with pytest.raises(Refusal):
        EDITIONS[key].read_text(text)
