"""How many deals a second the rules score: `python bench/rules.py`.

As library calls, deals made beforehand, none of them found in a cache. The figure of each ruleset
stands beside that of a plain function call that only adds the seats up, in the same run.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scoring.deals import DealFacts, score_deal
from scoring.editions import EDITIONS
from scoring.editions.base import BOX, MINER, SABOTEUR, SABOTEURS, BaseGame
from scoring.editions.edition import Given
from scoring.editions.saboteur_2 import DWARFS
from scoring.roles import Role
from scoring.rulesets import RULESETS, Ruleset

DEALS, ROUNDS = 20_000, 5


def tournament_deal(ruleset: Ruleset, rng: random.Random) -> DealFacts:
    row = ruleset.rows[rng.choice([*ruleset.rows])]
    roles = [role for role in Role for _card in range(getattr(row, role.value))]
    rng.shuffle(roles)
    connector = rng.randint(0, row.size) or None
    return DealFacts(roles=tuple(roles), connector=connector)


def base_deal(edition: BaseGame, rng: random.Random) -> Given:
    size = rng.randint(3, 10)
    cards = [SABOTEUR] * SABOTEURS[size] + [MINER] * (size + 1 - SABOTEURS[size])
    rng.shuffle(cards)
    roles, connector = cards[:size], rng.randint(1, size)
    box = [value for value, number in BOX.items() for _card in range(number)]
    rng.shuffle(box)
    taken = edition.cards(roles, connector)
    gold = [[box.pop() for _card in range(number)] for number in taken]
    return {"roles": roles, "connector": connector, "gold": gold}


def dwarf_deal(rng: random.Random) -> Given:
    dwarfs = [role for role, number in DWARFS.items() for _one in range(number)]
    rng.shuffle(dwarfs)
    size = rng.randint(2, 12)
    thief, victim = rng.sample(range(1, size + 1), 2)
    return {
        "roles": dwarfs[:size],
        "connector": rng.randint(1, size),
        "doors": rng.sample(["blue", "green"], rng.randint(0, 2)),
        "crystals": rng.randint(0, 5),
        "thieves": [{"thief": thief, "victim": victim}],
    }


def rate[D](deals: Sequence[D], act: Callable[[D], object]) -> float:
    """Deals a second, the median of some rounds."""
    spent = []
    for _round in range(ROUNDS):
        begun = time.perf_counter()
        for deal in deals:
            act(deal)
        spent.append(time.perf_counter() - begun)
    return len(deals) / statistics.median(spent)


def main() -> None:
    rng = random.Random(1)
    plain = rate([[1] * 6] * DEALS, sum)
    scored: dict[str, float] = {}
    uncached = score_deal.__wrapped__
    for key, ruleset in RULESETS.items():
        deals = [tournament_deal(ruleset, rng) for _deal in range(DEALS)]
        scored[key] = rate(deals, partial(uncached, ruleset))
    for key, edition in EDITIONS.items():
        if isinstance(edition, BaseGame):
            given = [base_deal(edition, rng) for _deal in range(DEALS)]
        elif key == "saboteur-2":
            given = [dwarf_deal(rng) for _deal in range(DEALS)]
        else:
            given = [{"gold": [rng.randint(0, 9), rng.randint(0, 9)]} for _deal in range(DEALS)]
        scored[key] = rate(given, edition.score)
    for key, found in scored.items():
        print(
            f"{key}: {found:,.0f} deals a second, a sum of six numbers is {plain / found:.0f} times"
        )


if __name__ == "__main__":
    main()
