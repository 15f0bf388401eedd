"""A command that reads JSON objects and answers each with one; shared by all our commands.

A refused input is answered `{"refused": CODE, "message": ...}`. Nothing that stands on
standard input ends in a traceback.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scoring.reading import malformed
from scoring.refusal import Refusal

type Answer = dict[str, Any]
type Commands = Mapping[str, Callable[[Any], Answer]]
type Words = Callable[[Refusal], str]

LINES = "--lines"
# 130: what a shell says of a program that Ctrl-C has ended.
OK, REFUSED, INTERRUPTED = 0, 1, 130


def run(arguments: list[str], commands: Commands, words: Words, asks_nothing: str = "") -> int:
    """Answer standard input on standard output; returns the exit status.

    `words` makes the message of a refusal. The command `asks_nothing` also takes an
    empty input.
    """
    try:
        return _answer_all(arguments, commands, words, asks_nothing)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError:  # whoever reads the answers is gone, or the disk is full
        _let_go_of_output()
        return REFUSED


def _answer_all(arguments: list[str], commands: Commands, words: Words, asks_nothing: str) -> int:
    names = [word for word in arguments if word != LINES]
    if len(names) != 1 or names[0] not in commands:
        known = f"not_one_of: {', '.join(commands)}"
        _print(_refused(malformed("command", known), words))
        return REFUSED
    command, may_be_empty = commands[names[0]], names[0] == asks_nothing
    source = _input()
    if LINES in arguments:
        _print_each(answer(line, command, words, may_be_empty) for line in source)
        return OK
    found = answer(_all_of(source, may_be_empty), command, words, may_be_empty)
    _print(found)
    return REFUSED if "refused" in found else OK


def answer(
    data: bytes, command: Callable[[Any], Answer], words: Words, may_be_empty: bool = False
) -> Answer:
    """The answer to one input, a refusal included."""
    try:
        empty = may_be_empty and not data.strip()
        return command({} if empty else parse(data))
    except Refusal as refusal:
        return _refused(refusal, words)


def parse(data: bytes) -> Any:
    """The value of strict JSON in UTF-8; refuses `malformed`."""
    try:
        # Editors on Windows put a signature in front. Python takes NaN and keeps the last of two
        # equal names, which strict JSON does not.
        return json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_constant
        )
    except RecursionError:
        raise malformed("", "too_deep") from None
    # This and the next are ValueErrors too: they have to be asked before it.
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise malformed(place, "not_json") from None
    except UnicodeDecodeError as error:
        raise malformed(f"byte {error.start + 1}", "not_utf8") from None
    except ValueError:  # a number of thousands of digits
        raise malformed("", "number_too_long") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise malformed(next(name for name in names if names.count(name) > 1), "twice")
    return found


def _constant(name: str) -> Any:
    raise malformed(name, "not_json")


def _refused(refusal: Refusal, words: Words) -> Answer:
    return {"refused": refusal.code, "message": words(refusal)}


def _input() -> Iterable[bytes]:
    # None where the process was started without an input.
    return () if sys.stdin is None else sys.stdin.buffer


def _all_of(source: Iterable[bytes], may_be_empty: bool) -> bytes:
    """The whole input; nothing where nothing is asked and a person would have to type it."""
    if may_be_empty and sys.stdin is not None and sys.stdin.isatty():
        return b""
    return b"".join(source)


def _print_each(answers: Iterable[Answer]) -> None:
    for found in answers:
        _print(found)


def _print(found: Answer) -> None:
    # None where the process was started without an output.
    if sys.stdout is not None:
        sys.stdout.write(json.dumps(found) + "\n")
        # With `--lines` the other side may wait for this answer before it asks on.
        sys.stdout.flush()


def _let_go_of_output() -> None:
    """Point standard output nowhere, so that Python does not complain on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
