"""Event files are read strictly, and written so that they read back the same."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from scoring.eventfile import read, write
from scoring.refusal import Refusal

VECTORS = Path(__file__).parents[1] / "vectors"
FILES = [
    case["request"]
    for name in ("events", "stages")
    for case in map(json.loads, (VECTORS / f"{name}.jsonl").open())
    if case["expect"].get("refused") != "malformed"
]
ROLES = ["saboteur", "miner", "miner", "miner", "selfish"]


def small() -> dict[str, Any]:
    """A file that uses every key."""
    deals = [
        {"roles": ROLES, "connector": 2},
        {"points": [4, 0, 0, 0, 0]},
        {"void": True},
        {"roles": [*ROLES[:4], "miner"], "connector": None, "void": True, "counts_waived": True},
    ]
    return {
        "format": "saboteur-event/1",
        "ruleset": "en-2023",
        "changes": {"selfish_points": 5},
        "players": list("abcdef"),
        "cut": 5,
        "rounds": [{"stage": "preliminary", "tables": [{"seats": list("abcde"), "deals": deals}]}],
        "penalties": [{"player": "a", "step": 3, "round": 1, "deal": 1}],
        "dropped": [{"player": "f", "after_round": 0}],
        "lots": [{"line": "cut", "order": ["a", "b"]}],
        "declined": [{"player": "b", "stage": "final"}],
        "semi_final": {"seats": 10, "per_table": 1, "carry": True},
    }


@pytest.mark.parametrize("number", range(len(FILES)))
def test_file_reads_back_the_same(number: int) -> None:
    event = read(FILES[number])
    assert read(json.loads(json.dumps(write(event)))) == event


def test_every_key_is_written_as_it_was_read() -> None:
    assert write(read(small())) == small()


def test_what_may_be_left_out_has_its_default() -> None:
    needed = ("format", "ruleset", "players", "rounds")
    event = read({name: small()[name] for name in needed} | {"rounds": []})
    assert (event.cut, event.rounds, event.penalties, event.dropped, event.lots) == (6, *[()] * 4)


TABLE = ("rounds", 0, "tables", 0)
FIRST, SECOND = (*TABLE, "deals", 0), (*TABLE, "deals", 1)
AT_FIRST, AT_SECOND = "rounds[0].tables[0].deals[0]", "rounds[0].tables[0].deals[1]"

WRONG: list[tuple[str, list[Any], Any]] = [
    ("format", ["format"], "saboteur-event/2"),
    ("extra", ["extra"], 1),
    ("players[1]", ["players"], ["a", "a"]),
    ("players[0]", ["players"], [""]),
    ("players[0]", ["players"], [7]),
    ("cut", ["cut"], True),
    ("cut", ["cut"], -1),
    ("cut", ["cut"], None),
    ("rounds", ["rounds"], {}),
    ("rounds[0].stage", ["rounds", 0, "stage"], "quarterfinal"),
    ("rounds[0].tables[0].seats[4]", [*TABLE, "seats"], list("abcda")),
    ("rounds[0].tables[0].seats[4]", [*TABLE, "seats"], list("abcdx")),
    (f"{AT_FIRST}.roles", [*TABLE, "seats"], list("abcd")),
    (f"{AT_FIRST}.connector", [*FIRST, "connector"], 2.0),
    (f"{AT_FIRST}.void", [*FIRST, "void"], 1),
    (f"{AT_FIRST}.stars", [*FIRST, "stars"], []),
    (f"{AT_FIRST}.points", [*FIRST, "points"], [0] * 5),
    (f"{AT_SECOND}.points[0]", [*SECOND, "points", 0], "4"),
    (f"{AT_SECOND}.points", [*SECOND, "points"], [4]),
    (f"{AT_SECOND}.connector", [*SECOND, "connector"], 1),
    (f"{AT_SECOND}.roles", [*SECOND], {}),
    (f"{AT_SECOND}.connector", [*SECOND], {"roles": ROLES}),
    ("penalties[0].step", ["penalties", 0, "step"], 5),
    ("penalties[0].deal", ["penalties", 0, "deal"], 0),
    ("penalties[0].player", ["penalties", 0, "player"], "x"),
    ("dropped[0].after_round", ["dropped", 0, "after_round"], "1"),
    ("lots[0].line", ["lots", 0, "line"], "prize"),
    ("lots[0].line", ["lots", 0, "line"], "place:0"),
    ("declined[0].stage", ["declined", 0, "stage"], "preliminary"),
    ("declined[0]", ["declined", 0], "a"),
    ("semi_final.seats", ["semi_final", "seats"], 0),
    ("semi_final.carry", ["semi_final", "carry"], 1),
    ("lots[0].order[1]", ["lots", 0, "order", 1], "a"),
]


@pytest.mark.parametrize(("place", "path", "value"), WRONG)
def test_wrong_file_is_refused_with_the_place(place: str, path: list[Any], value: Any) -> None:
    obj = copy.deepcopy(small())
    part: Any = obj
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    with pytest.raises(Refusal) as caught:
        read(obj)
    assert (caught.value.code, caught.value.values["place"]) == ("malformed", place)


def test_player_twice_in_a_round_is_refused() -> None:
    obj = small()
    obj["rounds"][0]["tables"].append({"seats": ["f", "a"], "deals": []})
    with pytest.raises(Refusal) as caught:
        read(obj)
    assert caught.value.values["place"] == "rounds[0].tables[1].seats[1]"


def test_stages_come_in_order() -> None:
    obj = small() | {"semi_final": None}
    obj["rounds"].insert(0, {"stage": "final", "tables": []})
    with pytest.raises(Refusal) as caught:
        read(obj)
    assert caught.value.values["place"] == "rounds[1].stage"


def test_unknown_role_names_deal_and_seat() -> None:
    obj = small()
    obj["rounds"][0]["tables"][0]["deals"][0]["roles"][2] = "king"
    with pytest.raises(Refusal) as caught:
        read(obj)
    assert caught.value.code == "role_unknown"
    assert caught.value.values == {
        "seats": (3,),
        "role": "king",
        "place": "rounds[0].tables[0].deals[0].roles",
    }
