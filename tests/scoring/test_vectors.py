"""The worked cases of every command, answered by the command's own functions."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.__main__ import COMMANDS, words
from scoring.command import answer

VECTORS = Path(__file__).parents[1] / "vectors"
FILES = {
    "deals": "deal",
    "editions": "deal",
    "points": "points",
    "events": "standings",
    "stages": "standings",
    "lots": "lot",
}


def cases() -> list[Any]:
    return [
        pytest.param(command, json.loads(line), id=f"{name}-{number}")
        for name, command in FILES.items()
        for number, line in enumerate((VECTORS / f"{name}.jsonl").read_text().splitlines(), 1)
    ]


@pytest.mark.parametrize(("command", "case"), cases())
def test_worked_case(command: str, case: dict[str, Any]) -> None:
    found = answer(json.dumps(case["request"]).encode(), COMMANDS[command], words)
    found = json.loads(json.dumps(found))
    assert {name: found.get(name) for name in case["expect"]} == case["expect"]
