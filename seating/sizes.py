"""How many tables, of which sizes."""

from collections.abc import Collection

from scoring.refusal import Refusal

PREFERRED, MIN_SIZE, MAX_SIZE = 6, 5, 10
TOURNAMENT = range(MIN_SIZE, MAX_SIZE + 1)  # the sizes that are meant where nobody says others
MOST_SEATS = 12  # at any table that some rules know
SMALL = 19  # so few people soon meet a third time, and one who comes or goes changes all tables


def table_sizes(
    players: int, max_tables: int | None = None, sizes: Collection[int] = TOURNAMENT
) -> tuple[int, ...]:
    """The default split, biggest tables first: fives and sixes, as many sixes as possible.

    Where that cannot be, or tables are short, the even split closest to six. `sizes`: all that the
    rules know, without a gap. Refuses `too_few_players` and `too_few_tables`.
    """
    numbers = _numbers_of_tables(players, max_tables, sizes)
    fewest = -(-players // PREFERRED)
    if fewest in numbers:  # with the fewest tables that need no seven, most are sixes
        return _even(players, fewest)
    return min((_even(players, number) for number in numbers), key=_distance)


def possible_splits(
    players: int,
    max_tables: int | None = None,
    limit: int = 4,
    sizes: Collection[int] = TOURNAMENT,
) -> tuple[tuple[int, ...], ...]:
    """Splits an organiser may choose from, the default first, then by distance from six.

    Refuses as `table_sizes` does.
    """
    default = table_sizes(players, max_tables, sizes)
    numbers = _numbers_of_tables(players, max_tables, sizes)
    others = {_even(players, number) for number in numbers} - {default}
    return (default, *sorted(others, key=_distance))[:limit]


def _numbers_of_tables(players: int, max_tables: int | None, sizes: Collection[int]) -> range:
    """How many tables there can be, never none."""
    smallest, biggest = min(sizes), max(sizes)
    most, least = players // smallest, -(-players // biggest)
    if most < 1:
        raise Refusal("too_few_players", players=players, least=smallest)
    if most < least:  # an odd number of people at tables of two
        raise Refusal("sizes_wrong", sizes=tuple(sizes), players=players)
    if max_tables is not None and max_tables < least:
        raise Refusal(
            "too_few_tables", players=players, tables=max_tables, least=least, most=biggest
        )
    return range(least, 1 + (most if max_tables is None else min(most, max_tables)))


def _even(players: int, tables: int) -> tuple[int, ...]:
    size, bigger = divmod(players, tables)
    return (size + 1,) * bigger + (size,) * (tables - bigger)


def _distance(sizes: tuple[int, ...]) -> tuple[int, int, int]:
    """How far from six: in all, at the worst table; then rather more tables than fewer."""
    off = [abs(size - PREFERRED) for size in sizes]
    return sum(off), max(off), -len(sizes)
