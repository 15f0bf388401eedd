"""Plans without any repeat, from arithmetic alone.

q tables of k are players (i, x), column i below k and x modulo q. In round r, player (i, x)
sits at table x - s[r][i]. Two people of a column never meet; two of different columns meet
in the rounds where s[r][i] - s[r][j] is the difference of their x: at most once if any two
rows of s differ by another number in each column.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

STEPS = 20_000  # shifts looked at before the search for the rows is given up
CHOICES = 40  # ways to leave seats free that are compared


def without_repeats(
    sizes: Sequence[int], rounds: int, random: Random
) -> list[list[list[int]]] | None:
    """Tables of these sizes, biggest first, in each round, with no pair meeting twice; the
    players are numbers.

    None where arithmetic is at its end, and where sizes differ by more than one. Columns go
    round the seats, so that hardly anybody has a seat twice. Those at the smaller tables are
    chosen so that nobody is there much more often than others.
    """
    q, columns = len(sizes), max(sizes)
    # The free seats are all in column 0, so a table is short by one at most.
    if min(sizes) < columns - 1:
        return None
    shifts = _shifts(q, columns, rounds)
    if shifts is None:
        return None
    free = _free_seats(q, q * columns - sum(sizes), shifts, random)
    seats = [(i, x) for i, x in product(range(columns), range(q)) if i or x not in free]
    number = {seat: player for player, seat in enumerate(seats)}
    return [_round(q, row, r, number) for r, row in enumerate(shifts)]


def _round(
    q: int, row: Sequence[int], r: int, number: Mapping[tuple[int, int], int]
) -> list[list[int]]:
    """The tables of a round; in round r, column i has seat i + r."""
    columns = [(seat - r) % len(row) for seat in range(len(row))]
    tables = []
    for table in range(q):
        here = ((i, (table + row[i]) % q) for i in columns)
        tables.append([number[seat] for seat in here if seat in number])
    # A table's number means nothing yet, so the bigger ones may go first, as in `sizes`.
    return sorted(tables, key=len, reverse=True)


def _shifts(q: int, columns: int, rounds: int) -> list[list[int]] | None:
    """Rows of numbers modulo q, any two of which differ by another number in each column."""
    # Rows r·i: two of them differ by (r - r')·i, another number in each column if none of these
    # products is a multiple of q.
    if all(r * i % q for r, i in product(range(1, rounds), range(1, columns))):
        return [[r * i for i in range(columns)] for r in range(rounds)]
    rows: list[list[int]] = []
    steps = iter(range(STEPS))
    while len(rows) < rounds:
        # The first row that fits stays; `steps` is shared, so all rows together have so many tries.
        row = next(_rows(q, columns, rows, [], steps), None)
        if row is None:
            return None
        rows.append(row)
    return rows


def _rows(
    q: int, columns: int, rows: Sequence[Sequence[int]], begun: list[int], steps: Iterator[int]
) -> Iterator[list[int]]:
    """The ways to go on with a row that has begun like this, in order."""
    i = len(begun)
    if i == columns:
        yield begun
        return
    # A row begins with 0: adding a number to all of it would only give the tables other names.
    for shift in range(q) if i else range(1):
        if next(steps, None) is None:
            return
        if all((shift - row[i] - begun[j] + row[j]) % q for row in rows for j in range(i)):
            yield from _rows(q, columns, rows, [*begun, shift], steps)


def _free_seats(
    q: int, free: int, shifts: Sequence[Sequence[int]], random: Random
) -> frozenset[int]:
    """Which seats of column 0 stay free, so that the smaller tables go round."""
    # Without a free seat there is but one choice, the empty one.
    choices = (frozenset(random.sample(range(q), free)) for _ in range(CHOICES if free else 1))
    return min(choices, key=lambda choice: _unevenness(q, choice, shifts))


def _unevenness(q: int, free: frozenset[int], shifts: Sequence[Sequence[int]]) -> int:
    columns = len(shifts[0])
    often = [0] * (columns * q)
    # Column 0 is left out: a smaller table lacks just its seat of that column.
    for row, x, i in product(shifts, free, range(1, columns)):
        often[i * q + (x - row[0] + row[i]) % q] += 1
    # The squares are least where everybody was there equally often.
    return sum(times * times for times in often)
