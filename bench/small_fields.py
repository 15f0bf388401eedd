"""How people fare at small events, also where somebody comes late or leaves.

    python -m bench.small_fields                   draw, and compare with the best known
    python -m bench.small_fields --write           and put the table into docs/small-fields.md
    python -m bench.small_fields --search 10       look so many seconds for better ones, each case

11, 12, 13, 16 and 17 players, two to four rounds, each as it is, with one player more after the
first round, and with one player fewer. Rounds are drawn as the product draws them, and judged by
`tests/seating/judge.py`, which shares no code with the seating. The best known seatings are kept
in `small_fields.json` whole, so that anybody can count them.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from pathlib import Path
from random import Random

from seating.draw import DrawRequest, continue_plan
from seating.history import player_history
from seating.problem import problem_of
from seating.search import search
from seating.sizes import table_sizes
from tests.seating.judge import REPEAT, Before, best_exchange

KNOWN = Path(__file__).with_suffix(".json")
PAGE = Path(__file__).parents[1] / "docs" / "small-fields.md"
TRIALS = 1_000_000  # of one long search

type Tables = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A small event; `change`: how many more people there are after the first round."""

    players: int
    rounds: int
    change: int

    @property
    def name(self) -> str:
        """The key in the file of what is known."""
        return (
            f"{self.players}{self.change:+d} x {self.rounds}"
            if self.change
            else (f"{self.players} x {self.rounds}")
        )

    def after(self, first: Tables) -> tuple[int, ...]:
        """Who is there from the second round on."""
        if self.change > 0:
            return tuple(range(self.players + 1))
        # Whoever sits in the first seat leaves.
        gone = first[0][:1] if self.change else ()
        return tuple(p for p in range(self.players) if p not in gone)


CASES = [
    Case(players, rounds, change)
    for players, change, rounds in product((11, 12, 13, 16, 17), (0, 1, -1), (2, 3, 4))
]


@dataclass(frozen=True, slots=True, order=True)
class Outcome:
    """What all rounds of an event add up to, in the order of what is compared first."""

    cost: int
    repeats: int
    thirds: int
    again: int

    def __str__(self) -> str:
        return f"{self.repeats} ({self.thirds}), {self.again}"


def outcome(rounds: Sequence[Tables]) -> Outcome:
    """As the judge counts it, dealing left out."""
    found = [
        Before(rounds[:n], [p for t in tables for p in t]).facts(tables)
        for n, tables in enumerate(rounds)
    ]
    total = {key: sum(facts[key] for facts in found) for key in found[0]}
    return Outcome(
        total["cost"] - total["dealing"], total["repeats"], total["thirds"], total["again"]
    )


def drawn(case: Case, seed: int, effort: float = 5.0) -> list[Tables]:
    """The rounds as an organiser draws them who has planned so many."""
    players: tuple[int, ...] = tuple(range(case.players))
    rounds: list[Tables] = []
    for number in range(case.rounds):
        if number == 1:
            players = case.after(rounds[0])
        request = DrawRequest(
            players,
            tuple(rounds),
            seed=100 * seed + number,
            more_to_come=number + 1 < case.rounds,
            seconds=60.0,
            effort=effort,
        )
        rounds.append(continue_plan(request, case.rounds, 100 * seed).tables)
    return rounds


def searched(case: Case, seconds: float, random: Random) -> list[Tables]:
    """The best that long searches find: a few rounds one after the other, the rest together."""
    late = time.monotonic() + seconds
    first = tuple(_numbered(table_sizes(case.players)))
    best = [first]
    while len(best) < case.rounds or time.monotonic() < late:
        rounds = [first]
        for _ in range(random.randrange(case.rounds)):
            if len(rounds) < case.rounds:
                rounds += _more(case, rounds, 1, random)
        if rest := case.rounds - len(rounds):
            rounds += _more(case, rounds, rest, random)
        for order in permutations(rounds[1:]):
            if len(best) < case.rounds or outcome([first, *order]) < outcome(best):
                best = [first, *order]
    return best


def _more(case: Case, before: Sequence[Tables], rounds: int, random: Random) -> list[Tables]:
    """So many rounds more, searched together."""
    players = case.after(before[0])
    past = player_history(players, before)
    problem = problem_of(past, table_sizes(len(players)), rounds=rounds)
    trials = TRIALS if rounds > 1 else TRIALS // 10
    found = search(problem, random, trials, lambda _share: False).tables()
    return [tuple(tuple(players[p] for p in table) for table in tables) for tables in found]


def _numbered(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    begun = 0
    for size in sizes:
        yield tuple(range(begun, begun + size))
        begun += size


def known() -> dict[str, list[Tables]]:
    """The best seating known of each case, by the case's name."""
    return json.loads(KNOWN.read_text()) if KNOWN.exists() else {}


def improve(seconds: float) -> None:
    """Search each case for so long and keep what is better; written after each."""
    found, random = known(), Random()
    for case in CASES:
        best = searched(case, seconds, random)
        before = found.get(case.name)
        if before is None or outcome(best) < outcome(before):
            found[case.name] = best
            was = None if before is None else outcome(before)
            print(f"{case.name}: {was} -> {outcome(best)}", flush=True)
            lines = (f"{json.dumps(name)}: {json.dumps(rounds)}" for name, rounds in found.items())
            KNOWN.write_text("{\n" + ",\n".join(lines) + "\n}\n")


HEAD = """# Small events

How a few people fare whose number changes. Each cell: pairs who meet again, added up over the
rounds; in brackets how many of those meetings are a third one or more; after the comma how many
sit at a smaller or larger table again although somebody else has done so less. *Drawn* is the worst
of {seeds} seeds, each round drawn as the product draws it. *Best known* comes from long searches of
all rounds together, which know beforehand who will come and leave. *Beyond* is by how much the
drawn rounds cost more, in repeats ([what costs how much](decisions/seating.md)); where it is 0 and
the cells differ, the two weigh the same. *Exchange*: by how much the best exchange of two people in
any of these rounds would lower that round's cost.

`python -m bench.small_fields --write` writes this page; `tests/seating/judge.py` counts.

| players | rounds | drawn | best known | beyond | exchange |
|---|---|---|---|---|---|
"""


def page(seeds: Sequence[int]) -> str:
    """The page of the docs."""
    best = known()
    return HEAD.format(seeds=len(seeds)) + "".join(row(case, seeds, best) for case in CASES)


def row(case: Case, seeds: Sequence[int], best: dict[str, list[Tables]]) -> str:
    """One line of its table."""
    events = [drawn(case, seed) for seed in seeds]
    worst, target = max(map(outcome, events)), outcome(best[case.name])
    gain = max(best_exchange(event[:n], event[n]) for event in events for n in range(1, len(event)))
    change = {0: "", 1: ", then one more", -1: ", then one fewer"}[case.change]
    return (
        f"| {case.players}{change} | {case.rounds} | {worst} | {target} "
        f"| {(worst.cost - target.cost) / REPEAT:g} | {gain / REPEAT:g} |\n"
    )


def main() -> None:
    """Print or write the page, or search on."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--search", type=float, metavar="SECONDS")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.search:
        improve(options.search)
        return
    found = page(range(1, 1 + options.seeds))
    if options.write:
        PAGE.write_text(found, encoding="utf-8")
    print(found, end="")


if __name__ == "__main__":
    main()
