"""The line under the best players, and the order in which declined seats pass down.

A lot is drawn only where a seat depends on it: among all who are level on the line, for
all free seats.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

NOBODY: frozenset[str] = frozenset()


class Ranked(Protocol):
    """A row of a standing: level players share their rank and stand together."""

    @property
    def player(self) -> str: ...
    @property
    def rank(self) -> int: ...


@dataclass(frozen=True, slots=True)
class CutLine:
    """Who is above the line.

    `level`: those tied on it while no lot has decided, for the `free` places left.
    """

    seats: int
    qualified: tuple[str, ...]
    level: tuple[str, ...]
    free: int


def cut_line(
    rows: Sequence[Ranked],
    size: int,
    excluded: Collection[str] = NOBODY,
    lot_order: Sequence[str] = (),
) -> CutLine:
    """The cut after `size` players of a standing, leaving out the excluded.

    `lot_order`, the players as a lot drew them, counts where it holds all who are level.
    Call this again with those who declined among the excluded: the next take their seats.
    """
    qualified: list[str] = []
    for group in _groups(rows, excluded):
        free = size - len(qualified)
        if not free:
            break
        if len(group) > free:
            order = _by_lot(group, lot_order)
            if order is None:
                return CutLine(size, tuple(qualified), group, free)
            qualified += order[:free]
        else:
            qualified += group
    return CutLine(size, tuple(qualified), (), 0)


def next_in_order(
    rows: Sequence[Ranked],
    qualified: Collection[str],
    declined: Collection[str] = NOBODY,
    excluded: Collection[str] = NOBODY,
    lot_order: Sequence[str] = (),
) -> tuple[tuple[str, ...], ...]:
    """Who takes a declined or vacant seat, in order, by the frozen standing of the cut.

    A group of one is next; a group of several is level, and needs a lot before one of
    them moves up.
    """
    waiting: list[tuple[str, ...]] = []
    for group in _groups(rows, {*qualified, *declined, *excluded}):
        order = _by_lot(group, lot_order)
        waiting += [group] if order is None else [(player,) for player in order]
    return tuple(waiting)


def _groups(rows: Sequence[Ranked], excluded: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Those who are level with each other, best first."""
    for _, level in groupby(rows, key=lambda row: row.rank):
        group = tuple(row.player for row in level if row.player not in excluded)
        if group:
            yield group


def _by_lot(group: tuple[str, ...], lot_order: Sequence[str]) -> tuple[str, ...] | None:
    """The group in the lot's order; None where the lot leaves one of them out."""
    if len(group) == 1:
        return group
    order = tuple(player for player in lot_order if player in group)
    return order if len(order) == len(group) else None
