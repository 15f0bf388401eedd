"""Who is here, who met whom, who sits where."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from tournament.models import Event, Round, Seat
from tournament.models.rounds import RoundStatus, Stage

USUAL = 6  # players at a table, as the rules recommend

type Tables = tuple[tuple[int, ...], ...]


def history_of(event: Event, before: Round | None = None) -> tuple[Tables, ...]:
    """The tables of each preliminary round in order, players by key, dealer first."""
    seats = Seat.objects.filter(round__event=event, round__stage=Stage.PRELIMINARY).exclude(
        round__status=RoundStatus.CANCELLED
    )
    if before is not None:
        seats = seats.filter(round__number__lt=before.number)
    rounds: dict[int, dict[int, list[int]]] = {}
    for number, table, player in seats.order_by(
        "round__number", "table__number", "position"
    ).values_list("round__number", "table_id", "player_id"):
        rounds.setdefault(number, {}).setdefault(table, []).append(player)
    return tuple(tuple(tuple(one) for one in tables.values()) for tables in rounds.values())


@dataclass(frozen=True, slots=True)
class Costs:
    """What a draft costs: who meets again, who sits off the usual size again."""

    report: dict[str, object]
    met: dict[int, str]
    off: frozenset[int]


def costs_of(event: Event, round_: Round) -> Costs:
    """For each seated player the names at the table whom they met before, and how often."""
    history = history_of(event, before=round_)
    meetings: Counter[frozenset[int]] = Counter(
        frozenset(pair) for tables in history for table in tables for pair in combinations(table, 2)
    )
    off_before = {
        player for tables in history for table in tables if len(table) != USUAL for player in table
    }
    tables = Seat.objects.filter(round=round_).order_by("table__number", "position")
    names: dict[int, str] = {}
    seating: dict[int, list[int]] = {}
    for table, player, name in tables.values_list("table_id", "player_id", "player__name"):
        seating.setdefault(table, []).append(player)
        names[player] = name
    met: dict[int, str] = {}
    for group in seating.values():
        for player in group:
            again = [
                names[other]
                for other in group
                if other != player and meetings[frozenset((player, other))]
            ]
            if again:
                met[player] = ", ".join(again)
    off = {
        player for group in seating.values() if len(group) != USUAL for player in group
    } & off_before
    return Costs(round_.report, met, frozenset(off))
