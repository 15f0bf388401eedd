"""The seating as a command, in the manner of the rules."""

import json
from typing import Any

import pytest

from scoring.command import answer
from seating.__main__ import COMMANDS, words


def ask(command: str, **request: Any) -> dict[str, Any]:
    found = answer(json.dumps(request).encode(), COMMANDS[command], words)
    copied: dict[str, Any] = json.loads(json.dumps(found))
    return copied


def test_next_names_players_as_they_were_named() -> None:
    ids = ["Ana", 7, "7", *"abcdefgh"]
    history = [[["Ana", 7, "7", "gone", "a", "b"], list("cdefgh")]]
    found = ask("next", players=ids, history=history, forbidden=[["Ana", "c"]], seed=3)
    table_of = {(type(p), p): t for t, table in enumerate(found["rounds"][0]) for p in table}
    assert len(table_of) == len(ids)
    assert table_of[str, "Ana"] != table_of[str, "c"]
    assert found["report"]["sizes"] == [6, 5]
    assert found["report"]["repeats"] == len(found["report"]["pairs"])


def test_sizes_lists_the_alternatives() -> None:
    assert ask("sizes", players=25, max_tables=4) == {
        "sizes": [7, 6, 6, 6],
        "splits": [[7, 6, 6, 6], [9, 8, 8]],
    }


@pytest.mark.parametrize(
    ("request_", "place"),
    [
        ({}, "players"),
        ({"players": [True]}, "players[0]"),
        ({"players": -1}, "players"),
        ({"players": 10_001}, "players"),
        ({"players": [1], "forbidden": [[1]]}, "forbidden[0]"),
        ({"players": [1], "forbidden": [[None, 1]]}, "forbidden[0][0]"),
        ({"players": [], "seconds": -1}, "seconds"),
        ({"players": 6, "at_random": 1}, "at_random"),
        ({"players": [], "seconds": True}, "seconds"),
        ({"players": [], "seed": -1}, "seed"),
        ({"players": [], "rounds": 4}, "rounds"),
    ],
)
def test_malformed_request_names_the_place(request_: dict[str, Any], place: str) -> None:
    found = ask("next", **request_)
    assert (found["refused"], found["message"].split(": ")[0]) == ("malformed", place)


def test_refusals_have_words() -> None:
    assert ask("next", players=[1, 2]) == {
        "refused": "too_few_players",
        "message": "2 players are fewer than the 5 of one table",
    }
    assert (
        ask("next", players=list(range(5)), forbidden=[[0, 1]])["refused"] == "forbidden_impossible"
    )
    assert ask("next", players=list(range(5)), sizes=[4])["refused"] == "sizes_wrong"
    assert ask("sizes", players=11, max_tables=1)["refused"] == "too_few_tables"


@pytest.mark.parametrize(
    ("request_", "code", "message"),
    [
        ({"players": ["a", 1, "a"]}, "duplicate_player", "players: a is there twice"),
        (
            {"players": 5, "history": [[[1], [1]]]},
            "duplicate_player",
            "history[0]: 1 is there twice",
        ),
        (
            {"players": 6, "forbidden": [[1, 7]]},
            "unknown_player",
            "forbidden[0][1]: 7 is not one of the players",
        ),
        (
            {"players": 6, "unwilling": ["1"]},
            "unknown_player",
            "unwilling[0]: 1 is not one of the players",
        ),
        (
            {"players": ["Ana", "Bo", 3, 4, 5], "forbidden": [["Bo", "Ana"]]},
            "forbidden_impossible",
            "no seating was found that keeps apart Ana and Bo",
        ),
        ({"players": 4}, "too_few_players", "4 players are fewer than the 5 of one table"),
    ],
)
@pytest.mark.parametrize("command", ["plan", "next"])
def test_refusal_says_whom_it_is_about(
    command: str, request_: dict[str, Any], code: str, message: str
) -> None:
    rounds = {"rounds": 2} if command == "plan" else {}
    assert ask(command, **request_, **rounds) == {"refused": code, "message": message}


def test_pair_of_whom_one_left_is_no_hindrance() -> None:
    found = ask("next", players=5, history=[[[1, 2, 3, 4, 5, 6]]], forbidden=[[1, 6]])
    assert found["report"]["forbidden"] == []


def test_plan_names_players_and_says_what_it_is_worth() -> None:
    found = ask("plan", players=36, rounds=4, seed=5)
    assert [[len(table) for table in tables] for tables in found["rounds"]] == [[6] * 6] * 4
    assert {player for table in found["rounds"][0] for player in table} == {*range(1, 37)}
    report = {key: found["report"][key] for key in ("repeats", "bound", "optimal", "source")}
    assert report == {"repeats": 2, "bound": 2, "optimal": True, "source": "atlas"}


@pytest.mark.parametrize("players", [8, 9])
def test_eight_and_nine_players_share_one_table(players: int) -> None:
    found = ask("plan", players=players, rounds=2)
    assert [[len(table) for table in tables] for tables in found["rounds"]] == [[players]] * 2


def test_no_time_at_all_is_enough_to_seat_everybody_apart() -> None:
    found = ask("next", players=30, forbidden=[[1, 2], [2, 3], [1, 3]], seconds=0)
    ((*tables,),) = found["rounds"]
    assert sorted(player for table in tables for player in table) == [*range(1, 31)]
    assert not any({1, 2} <= {*t} or {2, 3} <= {*t} or {1, 3} <= {*t} for t in tables)


def test_a_table_that_no_rule_has_is_refused() -> None:
    found = ask("next", players=24, history=[[list(range(1, 12)), list(range(12, 25))]])
    assert found["refused"] == "malformed"
    assert "history[0][0]" in found["message"]
