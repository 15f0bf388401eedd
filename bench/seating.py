"""How good and how fast the seating is: whole processes on one core, medians of five seeds.

    python -m bench.seating                         the cases that are promised
    python -m bench.seating --every                 20 to 66 players, 3 to 5 rounds as well
    python -m bench.seating --peer PYTHON           and the same work by krcg 4.19
    python -m bench.seating --peer PYTHON --long    with 600 players too

PYTHON is the interpreter of an environment of its own that has krcg:

    python3 -m venv /tmp/krcg && /tmp/krcg/bin/pip install krcg==4.19

What is measured is judged by `tests/seating/judge.py`, which shares no code with the seating.
Seconds depend on the machine: what counts is how they compare with the peer's in the same run.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from tests.seating.judge import measure

CASES = (
    *((24, 4), (29, 4), (25, 4), (36, 4), (37, 5), (42, 5), (48, 5), (60, 5), (61, 5)),
    *((100, 5), (211, 5), (600, 5), (2000, 5)),
)
EVERY = tuple((players, rounds) for players in range(20, 67) for rounds in (3, 4, 5))
FIVES = ((25, 4), (100, 5))  # what krcg seats as we do: at tables of five
LONG = ((600, 5),)  # takes krcg a quarter of an hour
PEER = """
import json, sys
import krcg.seating as seating
if __name__ == "__main__":
    players, rounds = map(int, sys.argv[1:])
    found, _ = seating.optimise(seating.get_rounds(list(range(players)), rounds), 80000, 1)
    print(json.dumps({"rounds": [[[int(p) for p in t] for t in tables] for tables in found]}))
"""


@dataclass(frozen=True, slots=True)
class Run:
    """One process: what it answered, how long it took, the most memory it had, in MB."""

    answer: dict[str, Any]
    seconds: float
    megabytes: float


def run(command: Sequence[str], asked: object = None) -> Run:
    """Start a command on one core, ask it, and wait for its answer."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    os.sched_setaffinity(process.pid, {max(os.sched_getaffinity(0))})
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(asked).encode())
    process.stdin.close()
    answer = json.loads(process.stdout.read())
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(answer, time.perf_counter() - began, used.ru_maxrss / 1024)


def ours(command: str, **asked: object) -> Run:
    return run([sys.executable, "-m", "seating", command], asked)


@dataclass(frozen=True, slots=True)
class Measured:
    """A schedule as judged; seconds and memory of the slowest, biggest process it took."""

    facts: dict[str, Any]
    seconds: float
    megabytes: float


def plan(players: int, rounds: int, seed: int, **more: object) -> Measured:
    done = ours("plan", players=players, rounds=rounds, seed=seed, **more)
    return Measured(measure(done.answer), done.seconds, done.megabytes)


def round_by_round(players: int, rounds: int, seed: int) -> Measured:
    history: list[Any] = []
    runs = []
    for number in range(rounds):
        runs.append(ours("next", players=players, history=history, seed=100 * seed + number))
        history += runs[-1].answer["rounds"]
    facts = measure({"rounds": history})
    return Measured(facts, max(r.seconds for r in runs), max(r.megabytes for r in runs))


def row(name: str, measured: Sequence[Measured]) -> str:
    repeats = [m.facts["repeats"] for m in measured]
    worst = {
        key: max(m.facts[key] for m in measured)
        for key in ("max_meetings", "off_spread", "dealer_spread", "same_seat_max")
    }
    seconds, megabytes = median(m.seconds for m in measured), max(m.megabytes for m in measured)
    gap = min(m.facts.get("gap_to_bound", -1) for m in measured)
    proved = " =" if gap == 0 else "  "
    return (
        f"{name:<24}{median(repeats):>6g}{proved} {min(repeats):>4}-{max(repeats):<4}"
        f"{worst['max_meetings']:>6}{worst['off_spread']:>6}{worst['dealer_spread']:>6}"
        f"{worst['same_seat_max']:>6}{seconds:>9.2f}{megabytes:>7.0f}"
    )


HEAD = (
    f"{'players, rounds':<24}{'repeats':>8} {'of seeds':>9}{'meet':>6}{'off':>6}{'deal':>6}"
    f"{'seat':>6}{'seconds':>9}{'MB':>7}"
)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--peer", metavar="PYTHON")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    seeds = range(1, 1 + options.seeds)
    cases = (*CASES, *(case for case in EVERY if case not in CASES)) if options.every else CASES
    for title, way in (("Plan", plan), ("Round by round, each", round_by_round)):
        print(f"\n{title}. meet, off, deal, seat: the most meetings of a pair, the spread of")
        print("off-size tables and of dealing, the most times in one seat. = is proved best.")
        print(HEAD, flush=True)
        for players, rounds in cases:
            print(row(f"{players}, {rounds}", [way(players, rounds, s) for s in seeds]), flush=True)
    if options.peer:
        compare(options.peer, FIVES + LONG if options.long else FIVES, seeds)


def compare(peer: str, cases: Sequence[tuple[int, int]], seeds: Sequence[int]) -> None:
    """The same work by both: tables of five."""
    print(f"\nTables of five\n{HEAD}", flush=True)
    for players, rounds in cases:
        sizes = [5] * (players // 5)
        mine = [plan(players, rounds, seed, sizes=sizes) for seed in seeds]
        print(row(f"{players}, {rounds}  Lodestar", mine), flush=True)
        done = run([peer, "-c", PEER, str(players), str(rounds)])
        theirs = Measured(measure(done.answer, 5, 4), done.seconds, done.megabytes)
        print(row(f"{players}, {rounds}  krcg", [theirs]), flush=True)
        ratio = theirs.seconds / median(m.seconds for m in mine)
        print(f"{'':<24}krcg takes {ratio:.0f} times as long", flush=True)


if __name__ == "__main__":
    main()
