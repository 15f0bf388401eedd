"""Who deals and who sits where at one table, once it is known who sits at it."""

from collections.abc import Sequence
from random import Random

from tournament.seating.past import Past

DEALER = 0
DUTY = 1000  # dealing once more weighs more than any seat again


def in_seat_order(past: Past, table: Sequence[int], random: Random) -> list[int]:
    """The players of a table with the dealer first.

    Whoever dealt least deals; for the others it is a seat they had least often.
    """
    players = list(table)
    random.shuffle(players)
    size = len(players)
    costs = [[_cost(past, player, seat) for seat in range(size)] for player in players]
    return [players[i] for i in _cheapest(costs)]


def _cost(past: Past, player: int, seat: int) -> int:
    """How little this seat suits this player; a newcomer is not the first to deal."""
    had = past.seats[player][seat]
    if seat == DEALER:
        return DUTY * had - past.played[player]
    return had * had


def _cheapest(costs: Sequence[Sequence[int]]) -> list[int]:
    """Which row takes each column so that the sum is least (rows and columns alike in number).

    Seats are filled one after the other; for every set of players that can fill the first
    ones, only the cheapest way is kept.
    """
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(len(costs)):
        longer: dict[int, tuple[int, tuple[int, ...]]] = {}
        for seated, (cost, order) in best.items():
            for row, row_costs in enumerate(costs):
                key = seated | 1 << row
                if key == seated:
                    continue
                total = cost + row_costs[seat]
                if key not in longer or total < longer[key][0]:
                    longer[key] = (total, (*order, row))
        best = longer
    ((_, order),) = best.values()
    return list(order)
