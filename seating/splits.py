"""The table sizes an organiser may choose from, with what each of them means."""

from collections.abc import Sequence
from dataclasses import dataclass

from seating.bounds import least_repeats, least_repeats_of_plan
from seating.history import PlayerHistory, Tables, player_history
from seating.sizes import PREFERRED, possible_splits


@dataclass(frozen=True, slots=True)
class Split:
    """Table sizes, biggest first.

    `forced`: pairs who have to meet again, whatever the seating. `off_size`: people at
    tables smaller or bigger than six in one round. `off_again`: those among them who were at
    such a table before while somebody else never was, if they are chosen as fairly as can be.
    """

    sizes: tuple[int, ...]
    forced: int
    off_size: int
    off_again: int

    @property
    def tables(self) -> int:
        """How many tables."""
        return len(self.sizes)


def splits_for(
    players: Sequence[int],
    history: Sequence[Tables],
    max_tables: int | None = None,
    rounds: int = 1,
) -> tuple[Split, ...]:
    """What can be chosen for the next `rounds` rounds, the default first.

    Refuses `too_few_players` and `too_few_tables`.
    """
    past = player_history(players, history)
    return tuple(
        Split(
            sizes=sizes,
            forced=_forced(sizes, players, history, rounds),
            off_size=sum(size for size in sizes if size != PREFERRED),
            off_again=_off_again(past, sizes),
        )
        for sizes in possible_splits(len(players), max_tables)
    )


def _forced(
    sizes: Sequence[int], players: Sequence[int], history: Sequence[Tables], rounds: int
) -> int:
    next_one = least_repeats(sizes, players, history, at_most_twice=True)
    # What the next round forces, and what all rounds to come force, history or not: the higher one.
    return max(next_one, least_repeats_of_plan(sizes, rounds, at_most_twice=True))


def _off_again(past: PlayerHistory, sizes: Sequence[int]) -> int:
    """The seats of a kind less those who never had one, while there is somebody like that."""
    again = 0
    for seats, had in (
        (sum(size for size in sizes if size < PREFERRED), past.under),
        (sum(size for size in sizes if size > PREFERRED), past.over),
    ):
        never = sum(not times for times in had)
        again += max(0, seats - never) if never else 0
    return again
