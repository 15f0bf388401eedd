"""Plans without any repeat, from arithmetic alone.

6·q seats are players (i, x), column i from 0 to 5 and x modulo q. In round r, player (i, x)
sits at table x - s[r][i]. Two people of a column never meet; two of different columns meet
in the rounds where s[r][i] - s[r][j] is the difference of their x: at most once if no two
rows of s differ by the same in two columns.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

from tournament.seating.sizes import PREFERRED

COLUMNS = range(PREFERRED)
STEPS = 20_000  # shifts looked at before the search for the rows is given up
CHOICES = 40  # ways to leave seats free that are compared


def without_repeats(players: int, rounds: int, random: Random) -> list[list[list[int]]] | None:
    """Sixes, then fives, in each round, with no pair meeting twice; the players are numbers.

    None where arithmetic is at its end. Columns go round the seats, so that hardly anybody
    has a seat twice in six rounds. Those at the fives are chosen so that nobody is there much
    more often than others.
    """
    q = -(-players // PREFERRED)
    shifts = _shifts(q, rounds)
    if shifts is None:
        return None
    free = _free_seats(q, PREFERRED * q - players, shifts, random)
    seats = [(i, x) for i, x in product(COLUMNS, range(q)) if i or x not in free]
    number = {seat: player for player, seat in enumerate(seats)}
    return [_round(q, row, r, number) for r, row in enumerate(shifts)]


def _round(
    q: int, row: Sequence[int], r: int, number: Mapping[tuple[int, int], int]
) -> list[list[int]]:
    """The tables of a round; in round r, column i has seat i + r."""
    columns = [(seat - r) % PREFERRED for seat in COLUMNS]
    tables = []
    for table in range(q):
        here = ((i, (table + row[i]) % q) for i in columns)
        tables.append([number[seat] for seat in here if seat in number])
    return sorted(tables, key=len, reverse=True)


def _shifts(q: int, rounds: int) -> list[list[int]] | None:
    """Rows of six numbers modulo q, any two of which differ by another number in each column."""
    if all(r * i % q for r, i in product(range(1, rounds), COLUMNS[1:])):
        return [[r * i for i in COLUMNS] for r in range(rounds)]
    rows: list[list[int]] = []
    steps = iter(range(STEPS))
    while len(rows) < rounds:
        row = next(_rows(q, rows, [], steps), None)
        if row is None:
            return None
        rows.append(row)
    return rows


def _rows(
    q: int, rows: Sequence[Sequence[int]], begun: list[int], steps: Iterator[int]
) -> Iterator[list[int]]:
    """The ways to go on with a row that has begun like this, in order."""
    i = len(begun)
    if i == PREFERRED:
        yield begun
        return
    for shift in range(q) if i else range(1):
        if next(steps, None) is None:
            return
        if all((shift - row[i] - begun[j] + row[j]) % q for row in rows for j in range(i)):
            yield from _rows(q, rows, [*begun, shift], steps)


def _free_seats(
    q: int, free: int, shifts: Sequence[Sequence[int]], random: Random
) -> frozenset[int]:
    """Which seats of column 0 stay free, so that the tables of five go round."""
    choices = (frozenset(random.sample(range(q), free)) for _ in range(CHOICES))
    return min(choices, key=lambda choice: _unevenness(q, choice, shifts))


def _unevenness(q: int, free: frozenset[int], shifts: Sequence[Sequence[int]]) -> int:
    often = [0] * (PREFERRED * q)
    for row, x, i in product(shifts, free, COLUMNS[1:]):
        often[i * q + (x - row[0] + row[i]) % q] += 1
    return sum(times * times for times in often)
