"""The lines under the best players: who comes into the semi-final and into the final.

A lot is drawn only where a seat depends on it: among all who are level on the line, for
all free seats. Whoever declines is left out by the next call, and the next take their seats.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

NOBODY: frozenset[str] = frozenset()
CUT = "cut"
SEMI_CUT = "semi_final"

type Orders = Sequence[Sequence[str]]  # lots of one line, as they were drawn, first to last


class Ranked(Protocol):
    """A row of a standing: level players share their rank and stand together."""

    @property
    def player(self) -> str: ...
    @property
    def rank(self) -> int: ...


@dataclass(frozen=True, slots=True)
class CutLine:
    """Who is above a line.

    `level`: those tied on it while no lot has decided, for the `free` places left. `line`
    names what such a lot decides: "cut", "semi_final" or "table:N"; None: no lot is needed.
    """

    seats: int
    qualified: tuple[str, ...]
    level: tuple[str, ...]
    free: int
    line: str | None = None


def cut_line(
    rows: Sequence[Ranked],
    size: int,
    excluded: Collection[str] = NOBODY,
    lots: Orders = (),
    line: str = CUT,
) -> CutLine:
    """The line after `size` players of a standing, leaving out the excluded.

    Players level on it go in by the first of the lots that names all of them.
    """
    qualified: list[str] = []
    for group in _groups(rows, excluded):
        free = size - len(qualified)
        if not free:
            break
        if len(group) > free:
            order = lot_among(group, lots)
            if not order:
                return CutLine(size, tuple(qualified), group, free, line)
            qualified += order[:free]
        else:
            qualified += group
    return CutLine(size, tuple(qualified), (), 0)


def cut_by_tables(
    rows: Sequence[Ranked],
    tables: Sequence[Collection[str]],
    per_table: int,
    size: int,
    excluded: Collection[str] = NOBODY,
    lots: Callable[[str], Orders] = lambda line: (),
) -> CutLine:
    """The line after `size` players: first the `per_table` best of each table, table by table,
    then the next best of all others. `lots` gives the lots of a line by its name.

    A table needs no lot if its level players all come in anyway, those without a place of the
    table among the next best.
    """
    at = [
        cut_line([row for row in rows if row.player in seats], per_table, excluded)
        for seats in tables
    ]
    # Any of the level ones will do, as they are equal: either all who are left come in behind, or
    # there has to be a lot.
    by_id = [player for found in at for player in (*found.qualified, *found.level[: found.free])]
    behind = cut_line(rows, size - len(by_id), {*excluded, *by_id}).qualified
    settled: list[str] = []
    still_open: list[CutLine] = []
    for number, found in enumerate(at, 1):
        settled += found.qualified
        order: Sequence[str] = found.level
        if not set(found.level[found.free :]) <= set(behind):
            order = lot_among(found.level, lots(f"table:{number}"))
            if not order:
                still_open.append(CutLine(size, (), found.level, found.free, f"table:{number}"))
        settled += order[: found.free]
    if still_open:
        first = still_open[0]
        return CutLine(size, tuple(settled), first.level, first.free, first.line)
    rest = cut_line(rows, size - len(settled), {*excluded, *settled}, lots(CUT))
    return CutLine(size, (*settled, *rest.qualified), rest.level, rest.free, rest.line)


def _groups(rows: Sequence[Ranked], excluded: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Those who are level with each other, best first."""
    for _, level in groupby(rows, key=lambda row: row.rank):
        group = tuple(row.player for row in level if row.player not in excluded)
        if group:
            yield group


def lot_among(level: Sequence[str], lots: Orders) -> tuple[str, ...]:
    """These players by the first of the lots that names all of them; empty: there is none.

    Other names in the lot are passed over, so it still holds when one of its players leaves.
    """
    among = set(level)
    for order in lots:
        # A lot among some of the level players decides nothing: the others had no ticket in it.
        if among <= set(order):
            return tuple(player for player in order if player in among)
    return ()
