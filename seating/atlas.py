"""The best plans that long searches found, for 20 to 66 players and 2 to 8 rounds.

`atlas.txt` has one plan a line: players, rounds, then for every round after the first the
table of each player as a letter. In the first round the players sit in order, biggest table
first. `bench/atlas.py` makes it.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from seating.sizes import table_sizes

FILE = Path(__file__).with_name("atlas.txt")
PLAYERS, ROUNDS = range(20, 67), range(2, 9)

type Where = list[list[int]]  # in each round the table of each player


def stored(players: int, rounds: int) -> Where | None:
    """The plan for the default split, or None."""
    line = _lines().get((players, rounds))
    if line is None:
        return None
    later = [[ord(letter) - ord("a") for letter in row] for row in line.split()]
    return [_first(players), *later]


def store(players: int, rounds: int, plan: Sequence[Sequence[int]]) -> None:
    """Write a plan into the file; its first round must have everybody in order."""
    if list(plan[0]) != _first(players):
        raise ValueError("the players are not in the order of the first round's tables")
    # A letter is enough: 66 players have eleven tables.
    rows = ("".join(chr(ord("a") + table) for table in row) for row in plan[1:])
    lines = _lines() | {(players, rounds): " ".join(rows)}
    text = "".join(f"{n} {r} {rest}\n" for (n, r), rest in sorted(lines.items()))
    FILE.write_text(text, encoding="ascii")
    # Nothing but this changes the file while a process lives.
    _lines.cache_clear()


def _first(players: int) -> list[int]:
    sizes = enumerate(table_sizes(players))
    return [table for table, size in sizes for _ in range(size)]


@cache
def _lines() -> dict[tuple[int, int], str]:
    found = {}
    for line in FILE.read_text(encoding="ascii").splitlines() if FILE.exists() else ():
        players, rounds, rest = line.split(" ", 2)
        found[int(players), int(rounds)] = rest
    return found
