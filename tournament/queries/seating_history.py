"""Who sat where in the rounds before."""

from __future__ import annotations

from tournament.models import Event, Round, Seat
from tournament.models.rounds import Stage

type Tables = tuple[tuple[int, ...], ...]


def history_of(event: Event, before: Round | None = None) -> tuple[Tables, ...]:
    """The tables of each preliminary round in order, players by key, dealer first."""
    seats = Seat.objects.in_force().filter(round__event=event, round__stage=Stage.PRELIMINARY)
    if before is not None:
        seats = seats.filter(round__number__lt=before.number)
    rounds: dict[int, dict[int, list[int]]] = {}
    for number, table, player in seats.order_by(
        "round__number", "table__number", "position"
    ).values_list("round__number", "table_id", "player_id"):
        rounds.setdefault(number, {}).setdefault(table, []).append(player)
    return tuple(tuple(tuple(one) for one in tables.values()) for tables in rounds.values())
