"""What the rounds before did to everybody: meetings, table sizes, duties, seats."""

from collections.abc import Sequence
from dataclasses import dataclass

from seating.sizes import MOST_SEATS, PREFERRED
from seating.weights import from_six

type Tables = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class PlayerHistory:
    """The history as seen by the players to be seated, who are numbered from 0 here.

    `met[k][p]` is a bit mask of those whom p met more than k times. `odd` adds up how far tables
    were from six, `smaller` and `bigger` count how often they were below and above; `seats[p][s]`
    counts seat s, seat 0 being the dealer's; `played` counts rounds.
    """

    met: tuple[list[int], ...]
    odd: list[int]
    smaller: list[int]
    bigger: list[int]
    seats: list[list[int]]
    played: list[int]
    rounds: int

    @property
    def dealt(self) -> list[int]:
        """How often each player was a dealer."""
        return [counts[0] for counts in self.seats]

    def meetings(self, one: int, other: int) -> int:
        """How often these two met."""
        return sum(level[one] >> other & 1 for level in self.met)

    def odd_times(self) -> list[int]:
        """How often each sat at a table smaller or bigger than six."""
        return [small + big for small, big in zip(self.smaller, self.bigger, strict=True)]

    def odd_before_turn(self) -> list[int]:
        """By how much each sat further from six than somebody who was always there."""
        return self._more_than_least(self.odd)

    def dealt_before_turn(self) -> list[int]:
        """By how much each dealt more often than somebody who was always there."""
        return self._more_than_least(self.dealt)

    def _more_than_least(self, had: Sequence[int]) -> list[int]:
        least = min((had[p] for p in self.constant()), default=0)
        # Who came late may have had less; that is nobody's fault.
        return [max(0, times - least) for times in had]

    def constant(self) -> list[int]:
        """Those who played every round; everybody where there is no such player."""
        return [p for p, played in enumerate(self.played) if played == self.rounds] or [
            *range(len(self.played))
        ]


def player_history(players: Sequence[int], history: Sequence[Tables]) -> PlayerHistory:
    """What these rounds mean for these players; others in the history are left out."""
    index = {player: number for number, player in enumerate(players)}
    count = len(players)
    past = PlayerHistory(
        met=tuple([0] * count for _ in range(max(len(history), 1))),
        odd=[0] * count,
        smaller=[0] * count,
        bigger=[0] * count,
        seats=[[0] * MOST_SEATS for _ in range(count)],
        played=[0] * count,
        rounds=len(history),
    )
    for tables in history:
        for table in tables:
            _remember(past, index, table)
    return past


def _remember(past: PlayerHistory, index: dict[int, int], table: Sequence[int]) -> None:
    # Seats are numbered before those who are gone drop out, or the next one would count as dealer.
    here = [(seat, index[player]) for seat, player in enumerate(table) if player in index]
    mask = sum(1 << p for _, p in here)
    for seat, p in here:
        past.seats[p][seat] += 1
        past.played[p] += 1
        past.odd[p] += from_six(len(table))
        past.smaller[p] += len(table) < PREFERRED
        past.bigger[p] += len(table) > PREFERRED
        _meet(past, p, mask ^ 1 << p)


def _meet(past: PlayerHistory, player: int, others: int) -> None:
    """Move each of the others one level up: those met already are met once more."""
    for level in past.met:
        # Before the level takes them in: whoever is in it already goes on to the next.
        again = level[player] & others
        level[player] |= others
        others = again
