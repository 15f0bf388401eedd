"""Search for the seating plans of `seating/atlas.txt`, for seconds or for hours.

It goes on from what the file has and keeps what is better; it can be stopped at any time.
Numba makes it fifty times faster; it is no part of the product:

    python3 -m venv /tmp/atlas && /tmp/atlas/bin/pip install numba
    /tmp/atlas/bin/python -m bench.atlas --seconds 10 --passes 3 --players 20-66 --rounds 2-8

What is better: fewer people too often at a table of five, then fewer pairs who meet a third
time, then fewer pairs who meet again. A plan at the lower bound is searched no further.
"""

import argparse
import time
from collections.abc import Iterator, Sequence

import numpy as np
from numba import njit

from seating import atlas
from seating.bounds import least_repeats_of_plan
from seating.sizes import PREFERRED, table_sizes

UNEVEN, THIRD = 8, 3  # what they cost in the search, in repeats
HOT, COLD = 0.55, 0.13
BURST = 2_000_000  # swaps tried between two looks at the clock


@njit(cache=True)
def anneal(  # type: ignore[no-untyped-def]
    where, sizes, few, many, hot, cold, swaps, seed
):
    """Swap people within rounds, ever less often for the worse; `where` becomes the best found.

    `where[r, p]`: the table of p in round r. Those who sit at a table other than six fewer
    than `few` or more than `many` times cost. Returns the cost of the best.
    """
    np.random.seed(seed)
    rounds, players = where.shape
    met = np.zeros((players, players), np.int64)
    members = np.full((rounds, len(sizes), 10), -1, np.int64)
    place = np.zeros((rounds, players), np.int64)
    filled = np.zeros((rounds, len(sizes)), np.int64)
    off = np.zeros(players, np.int64)
    for r in range(rounds):
        for p in range(players):
            t = where[r, p]
            place[r, p] = filled[r, t]
            members[r, t, filled[r, t]] = p
            filled[r, t] += 1
            off[p] += sizes[t] != PREFERRED
    for r in range(rounds):
        for t in range(len(sizes)):
            for i in range(sizes[t]):
                for j in range(i):
                    p, q = members[r, t, i], members[r, t, j]
                    met[p, q] += 1
                    met[q, p] += 1
    price = np.zeros(rounds + 3, np.int64)  # of so many meetings
    for m in range(2, rounds + 3):
        price[m] = price[m - 1] + 1 + THIRD * (m > 2)
    step = price[1:] - price[:-1]  # step[m]: from m meetings to one more
    uneven = np.zeros(rounds + 3, np.int64)
    for m in range(rounds + 3):
        out = max(few - m, m - many, 0)
        uneven[m] = UNEVEN * out * out
    cost = 0
    for p in range(players):
        cost += uneven[off[p]]
        for q in range(p):
            cost += price[met[p, q]]
    best_cost, best = cost, where.copy()
    chances = np.zeros(64)
    for s in range(swaps):
        if s % 4096 == 0:
            heat = hot * (cold / hot) ** (s / swaps)
            for d in range(64):
                chances[d] = np.exp(-d / heat)
        r = np.random.randint(rounds)
        p = np.random.randint(players)
        q = np.random.randint(players)
        a, b = where[r, p], where[r, q]
        if a == b:
            continue
        more = 0
        if sizes[a] != sizes[b]:
            up = 1 if sizes[b] != PREFERRED else -1
            more += uneven[off[p] + up] - uneven[off[p]] + uneven[off[q] - up] - uneven[off[q]]
        for i in range(sizes[a]):
            o = members[r, a, i]
            if o != p:
                more += step[met[q, o]] - step[met[p, o] - 1]
        for i in range(sizes[b]):
            o = members[r, b, i]
            if o != q:
                more += step[met[p, o]] - step[met[q, o] - 1]
        if more > 0 and (more >= 64 or np.random.random() >= chances[more]):
            continue
        for i in range(sizes[a]):
            o = members[r, a, i]
            if o != p:
                met[p, o] -= 1
                met[o, p] -= 1
                met[q, o] += 1
                met[o, q] += 1
        for i in range(sizes[b]):
            o = members[r, b, i]
            if o != q:
                met[q, o] -= 1
                met[o, q] -= 1
                met[p, o] += 1
                met[o, p] += 1
        if sizes[a] != sizes[b]:
            off[p] += up
            off[q] -= up
        i, j = place[r, p], place[r, q]
        members[r, a, i], members[r, b, j] = q, p
        place[r, p], place[r, q] = j, i
        where[r, p], where[r, q] = b, a
        cost += more
        if cost < best_cost:
            best_cost = cost
            best[:] = where
            if cost == 0:
                break
    where[:] = best
    return best_cost


type SimulationPlan = np.ndarray
type Quality = tuple[int, int, int]


def quality(where: SimulationPlan, sizes: Sequence[int]) -> Quality:
    """Seats at fives taken too often or too seldom, third meetings, repeats."""
    rounds, players = where.shape
    met = np.zeros((players, players), int)
    for row in where:
        met += row[:, None] == row[None, :]
    pairs = met[np.triu_indices(players, 1)]
    off = (np.asarray(sizes)[where] != PREFERRED).sum(axis=0)
    few, many = shares(sizes, rounds)
    uneven = np.maximum(few - off, 0).sum() + np.maximum(off - many, 0).sum()
    return int(uneven), int(np.maximum(pairs - 2, 0).sum()), int(np.maximum(pairs - 1, 0).sum())


def shares(sizes: Sequence[int], rounds: int) -> tuple[int, int]:
    """How often everybody sits at a table other than six: at least, at most."""
    seats = rounds * sum(size for size in sizes if size != PREFERRED)
    return seats // sum(sizes), -(-seats // sum(sizes))


def random_plan(sizes: Sequence[int], rounds: int, chance: np.random.Generator) -> SimulationPlan:
    """Everybody anywhere, in every round."""
    seats = np.repeat(np.arange(len(sizes)), sizes)
    return np.array([chance.permutation(seats) for _ in range(rounds)])


def field(q: int) -> list[list[int]]:
    """The multiplication table of a field of q elements (as far as needed here), else of Z_q."""
    if q == 8:  # polynomials over two elements, x³ = x + 1

        def times(a: int, b: int) -> int:
            product = 0
            for bit in range(3):
                product ^= a << bit if b >> bit & 1 else 0
            for bit in (4, 3):
                product ^= 0b1011 << bit - 3 if product >> bit & 1 else 0
            return product

        return [[times(a, b) for b in range(q)] for a in range(q)]
    if q == 9:  # a + b·i over three elements
        return [
            [
                (a % 3 * (b % 3) - a // 3 * (b // 3)) % 3
                + 3 * ((a % 3 * (b // 3) + a // 3 * (b % 3)) % 3)
                for b in range(q)
            ]
            for a in range(q)
        ]
    return [[a * b % q for b in range(q)] for a in range(q)]


def plus(q: int, a: int, b: int) -> int:
    """The sum in that field."""
    if q == 8:
        return a ^ b
    if q == 9:
        return (a + b) % 3 + 3 * ((a // 3 + b // 3) % 3)
    return (a + b) % q


def algebra(players: int, rounds: int, chance: np.random.Generator) -> SimulationPlan | None:
    """Player (i, x) at table x + r·i: free of repeats where q is 7, 8, 9 or 11."""
    q = -(-players // PREFERRED)
    if q < PREFERRED + 1 and players != 25:
        return None
    product = field(q)
    columns = chance.permutation(q)[:PREFERRED]
    ghosts = chance.permutation(q)[: len(columns) * q - players]
    seats = [(i, x) for n, i in enumerate(columns) for x in range(q) if n != 0 or x not in ghosts]
    where = np.array([[plus(q, x, product[r][i]) for i, x in seats] for r in range(q)])
    if players == 25:
        where = np.vstack([where, [np.searchsorted(np.sort(columns), i) for i, _ in seats]])
    where = where[chance.permutation(len(where))[:rounds]]
    if len(where) < rounds:
        return None
    return np.array([ordered(row, table_sizes(players)) for row in where])


def ordered(row: SimulationPlan, sizes: Sequence[int]) -> SimulationPlan:
    """The same tables, numbered from the biggest."""
    counts = np.bincount(row, minlength=len(sizes))
    number = np.empty(len(sizes), int)
    number[np.argsort(-counts, kind="stable")] = np.arange(len(sizes))
    return number[row]


def attempts(
    players: int, rounds: int, known: SimulationPlan | None, chance: np.random.Generator
) -> Iterator[tuple[SimulationPlan, float]]:
    """Where to begin and how hot: what is known, algebra, one round more or less, chance."""
    sizes = table_sizes(players)
    while True:
        made = algebra(players, rounds, chance)
        if made is not None:
            yield made, COLD
            yield made.copy(), HOT / 2
        shorter, longer = atlas.stored(players, rounds - 1), atlas.stored(players, rounds + 1)
        if longer is not None:
            yield np.array(longer)[chance.permutation(rounds + 1)[:rounds]], COLD
        if shorter is not None:
            more = random_plan(sizes, 1, chance)
            yield np.vstack([np.array(shorter), more]), HOT / 2
        if known is not None:
            yield known.copy(), HOT / 2
        yield random_plan(sizes, rounds, chance), HOT
        yield random_plan(sizes, rounds, chance), HOT


def search(
    players: int,
    rounds: int,
    known: SimulationPlan | None,
    seconds: float,
    chance: np.random.Generator,
) -> SimulationPlan:
    """The best plan found in that time, never worse than the known one."""
    sizes = table_sizes(players)
    few, many = shares(sizes, rounds)
    goal = (0, 0, least_repeats_of_plan(sizes, rounds, at_most_twice=True))
    best, best_quality = known, (99999, 0, 0) if known is None else quality(known, sizes)
    late, swaps = time.monotonic() + seconds, BURST
    for where, hot in attempts(players, rounds, known, chance):
        if best_quality <= goal or (best is not None and time.monotonic() > late):
            break
        seed = int(chance.integers(2**31))
        anneal(where, np.array(sizes), few, many, hot, COLD, swaps, seed)
        if best is None or quality(where, sizes) < best_quality:
            best, best_quality = where, quality(where, sizes)
        swaps = min(swaps * 5 // 4, 64 * BURST)
    assert best is not None
    return best


def in_order(where: SimulationPlan, sizes: Sequence[int]) -> SimulationPlan:
    """The rounds so that people meet again as late as possible, people by their first table."""
    left, chosen = list(range(len(where))), list[int]()
    while left:
        nxt = min(left, key=lambda r: quality(where[[*chosen, r]], sizes)[1:])
        left.remove(nxt)
        chosen.append(nxt)
    where = where[chosen]
    return where[:, np.lexsort(where[::-1])]


def span(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def main() -> None:
    """Go through the atlas, say what got better, and write it at once."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--players", type=span, default=atlas.PLAYERS)
    parser.add_argument("--rounds", type=span, default=atlas.ROUNDS)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--passes", type=int, default=1)
    options = parser.parse_args()
    chance = np.random.default_rng()
    for number in range(options.passes):
        for players in options.players:
            for rounds in reversed(options.rounds):
                improve(players, rounds, options.seconds, chance)
        print(f"pass {number + 1} done", flush=True)


def improve(players: int, rounds: int, seconds: float, chance: np.random.Generator) -> None:
    """Search one entry and store it if it got better."""
    sizes = table_sizes(players)
    stored = atlas.stored(players, rounds)
    known = None if stored is None else np.array(stored)
    before = None if known is None else quality(known, sizes)
    found = in_order(search(players, rounds, known, seconds, chance), sizes)
    after = quality(found, sizes)
    if before is None or after < before:
        atlas.store(players, rounds, found.tolist())
        bound = least_repeats_of_plan(sizes, rounds, at_most_twice=after[1] == 0)
        print(players, rounds, before, "->", after, "bound", bound, flush=True)


if __name__ == "__main__":
    main()
