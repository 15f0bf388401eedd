"""The seating as a command, in the manner of the rules."""

import json
from typing import Any

import pytest

from scoring.command import answer
from tournament.seating.__main__ import COMMANDS, words


def ask(command: str, **request: Any) -> dict[str, Any]:
    found = answer(json.dumps(request).encode(), COMMANDS[command], words)
    copied: dict[str, Any] = json.loads(json.dumps(found))
    return copied


def test_next_names_players_as_they_were_named() -> None:
    ids = ["Ana", 7, "7", *"abcdefgh"]
    history = [[["Ana", 7, "7", "gone", "a", "b"], list("cdefgh")]]
    found = ask("next", players=ids, history=history, forbidden=[["Ana", "c"]], seed=3)
    table_of = {(type(p), p): t for t, table in enumerate(found["tables"]) for p in table}
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
        ({"players": [1, 1]}, "players"),
        ({"players": [True]}, "players[0]"),
        ({"players": [], "history": [[[1], [1]]]}, "history[0]"),
        ({"players": [], "forbidden": [[1]]}, "forbidden[0]"),
        ({"players": [], "seconds": 0}, "seconds"),
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
    assert ask("next", players=list(range(5)), forbidden=[[0, 1]])["refused"] == "forbidden_pairs"
    assert ask("next", players=list(range(5)), sizes=[4])["refused"] == "sizes_wrong"
    assert ask("sizes", players=11, max_tables=1)["refused"] == "too_few_tables"
