"""The rules as a command: whatever stands on standard input, the answer is JSON."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.__main__ import COMMANDS, words
from scoring.command import answer, parse

ROOT = Path(__file__).parents[2]
GOOD = b'{"ruleset": "es-2026", "points": [0, 4, 0, 0, 0]}'


def run(*arguments: str, data: bytes = b"") -> tuple[int, list[Any]]:
    """Exit status and the answers, one a line; nothing may stand on standard error."""
    done = subprocess.run(
        [sys.executable, "-m", "scoring", *arguments],
        input=data,
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert done.stderr == b""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_answer_is_one_object() -> None:
    answered = {"possible": ["saboteurs", "selfish"], "stars": [0, 1, 0, 0, 0]}
    assert run("points", data=GOOD) == (0, [answered])


def test_rulesets_asks_nothing() -> None:
    status, (found,) = run("rulesets")
    assert status == 0
    names = [ruleset["ruleset"] for ruleset in found["rulesets"]]
    assert names == ["es-2026", "en-2023", "base-classic", "base-new", "saboteur-2", "duel"]
    assert found["rulesets"][0]["tables"]["10"]["miner"] == 5
    assert found["rulesets"][0]["penalties"]["1.3"] == {"level_1": 2, "level_2": 3}


def test_refused_input_has_exit_status_one() -> None:
    data = GOOD.replace(b"4", b"1")
    assert run("points", data=data) == (
        1,
        [
            {
                "refused": "points_impossible",
                "message": "no outcome pays 1 (seats in doubt: 2); possible: 4, 3+2+2, 2+2+2",
            }
        ],
    )


def test_lines_go_on_after_a_refusal_and_answer_each_line() -> None:
    status, found = run("points", "--lines", data=b"\n".join([GOOD, b"", b"[]", GOOD]))
    assert status == 0
    assert [answer.get("refused") for answer in found] == [None, "malformed", "malformed", None]


def test_unknown_command_is_refused() -> None:
    for arguments in ((), ("fold",), ("deal", "points")):
        status, (found,) = run(*arguments)
        assert (status, found["refused"]) == (1, "malformed")


def test_reader_who_leaves_early_sees_no_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "scoring", "points", "--lines"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(GOOD)
        process.stdin.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"", "line 1 column 1"),
        (b"{", "line 1 column 2"),
        (b"[1]", "input"),
        (b"\xff{}", "byte 1"),
        (b'{"ruleset": NaN}', "NaN"),
        (b'{"ruleset": 1, "ruleset": 1}', "ruleset"),
        (b'{"ruleset": "es-2026", "points": [' + b"9" * 5000 + b"]}", "input"),
        (b"[" * 100_000, "input"),
        (b'{"a":' * 100_000, "input"),
        (b'{"ruleset": "es-2026", "points": [true]}', "points[0]"),
        (b'{"ruleset": "es-2026", "points": [1e999]}', "points[0]"),
        (b'{"ruleset": "\\ud800", "points": []}', "ruleset"),
        (b'{"ruleset": "es-2026"}', "points"),
        (b'{"ruleset": "es-2026", "points": [], "roles": []}', "roles"),
    ],
)
def test_malformed_input_names_the_place(data: bytes, place: str) -> None:
    found = answer(data, COMMANDS["points"], words)
    assert found["refused"] == "malformed"
    assert found["message"].startswith(f"{place}: ")


def test_deal_in_which_nobody_says_who_connected_is_malformed() -> None:
    asked = {"ruleset": "es-2026", "roles": ["saboteur", "miner", "miner", "miner", "selfish"]}
    found = answer(json.dumps(asked).encode(), COMMANDS["deal"], words)
    assert found == {"refused": "malformed", "message": "connector: missing"}


def test_utf8_signature_is_skipped() -> None:
    assert parse(b"\xef\xbb\xbf{}") == {}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
)
KEYS = st.sampled_from(
    ["ruleset", "roles", "connector", "points", "players", "rounds", "secret", "purpose", "format"]
)
LIKELY = st.sampled_from(["es-2026", ["miner"] * 5, [0] * 5, 1, None, "00", "saboteur-event/1", []])


@given(st.sampled_from(sorted(COMMANDS)), JSON | st.dictionaries(KEYS, LIKELY | JSON))
def test_whatever_is_asked_is_answered(command: str, asked: Any) -> None:
    found = answer(json.dumps(asked).encode(), COMMANDS[command], words)
    assert json.dumps(found)


@given(st.sampled_from(sorted(COMMANDS)), st.binary(max_size=40))
def test_whatever_bytes_come_are_answered(command: str, data: bytes) -> None:
    assert answer(data, COMMANDS[command], words)
