"""The table sizes an organiser may choose from, with what each of them means."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from seating.bounds import least_odd_again, least_repeats, least_repeats_of_plan
from seating.history import Tables, player_history
from seating.sizes import PREFERRED, SMALL, TOURNAMENT, possible_splits


@dataclass(frozen=True, slots=True)
class Split:
    """Table sizes, biggest first.

    `forced`: pairs who have to meet again, whatever the seating. `off_size`: people at
    tables smaller or bigger than six in one round. `off_again`: those among them, at least, who
    were at such a table oftener than somebody else already.
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
    sizes: Collection[int] = TOURNAMENT,
) -> tuple[Split, ...]:
    """What can be chosen for the next `rounds` rounds, the default first; `sizes` that the rules
    know.

    Refuses `too_few_players` and `too_few_tables`.
    """
    past = player_history(players, history)
    return tuple(
        Split(
            sizes=split,
            forced=_forced(split, players, history, rounds),
            off_size=sum(size for size in split if size != PREFERRED),
            off_again=least_odd_again(past, split),
        )
        for split in possible_splits(len(players), max_tables, sizes=sizes)
    )


def _forced(
    sizes: Sequence[int], players: Sequence[int], history: Sequence[Tables], rounds: int
) -> int:
    # At a small event some may have to meet a third time or to sit at odd tables again, and then
    # fewer pairs meet again.
    once = len(players) > SMALL
    next_one = least_repeats(sizes, players, history, at_most_twice=once)
    # What the next round forces, and what all rounds to come force, history or not: the higher one.
    return max(next_one, least_repeats_of_plan(sizes, rounds, at_most_twice=once, level=once))
