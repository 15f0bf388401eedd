"""For the time being."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tournament.seating.bounds import least_repeats
from tournament.seating.sizes import possible_splits


@dataclass(frozen=True, slots=True)
class Split:
    sizes: tuple[int, ...]
    forced: int
    off_size: int
    off_again: int


def splits_for(
    players: Sequence[int], history: Any, max_tables: int | None = None, rounds: int = 1
) -> tuple[Split, ...]:
    return tuple(
        Split(
            sizes,
            least_repeats(sizes, players, history, at_most_twice=True),
            sum(size for size in sizes if size != 6),
            0,
        )
        for sizes in possible_splits(len(players), max_tables)
    )
