"""Seating the next round: the door to this package."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter

from scoring.refusal import Refusal
from tournament.seating.bounds import least_repeats
from tournament.seating.costs import Report, cost_of
from tournament.seating.past import past_of
from tournament.seating.problem import problem_of
from tournament.seating.search import search
from tournament.seating.seats import in_seat_order
from tournament.seating.sizes import MAX_SIZE, MIN_SIZE, table_sizes

__all__ = ["DrawRequest", "Drawn", "Report", "cost_of", "next_round"]

# Few enough that an ordinary machine is done in a third of the time it is given.
TRIALS_PER_SECOND = 250_000


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """Who is to be seated, and what happened before.

    `history`: the tables of each earlier round in seat order, the dealer first; who is
    gone may stand in it. `sizes`: the table sizes, else the default split for at most
    `max_tables`. `forbidden`: pairs that never meet. `seconds`: how much work to put into
    it, and after how long at the latest to stop.
    """

    players: tuple[int, ...]
    history: tuple[tuple[tuple[int, ...], ...], ...] = ()
    sizes: tuple[int, ...] | None = None
    max_tables: int | None = None
    forbidden: frozenset[frozenset[int]] = frozenset()
    seed: int = 0
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Drawn:
    """The tables in seat order, the dealer first, and what they cost."""

    tables: tuple[tuple[int, ...], ...]
    report: Report


def next_round(request: DrawRequest) -> Drawn:
    """Seat everybody once. The same request gives the same tables.

    Refuses `player_twice`, `too_few_players`, `too_few_tables`, `sizes_wrong` and, where
    no seating without them was found, `forbidden_pairs`.
    """
    began = perf_counter()
    players = _players(request)
    sizes = _sizes(request)
    tables = _draw(request, players, sizes, late_at=began + request.seconds)
    report = cost_of(tables, request.history)
    _check_forbidden(request, tables)
    report = replace(report, seconds=perf_counter() - began, seed=request.seed)
    return Drawn(tables, report)


def _draw(
    request: DrawRequest, players: Sequence[int], sizes: Sequence[int], late_at: float
) -> tuple[tuple[int, ...], ...]:
    index = {player: number for number, player in enumerate(players)}
    past = past_of(players, request.history)
    bound = least_repeats(sizes, players, request.history, at_most_twice=True)
    pairs = [(index[a], index[b]) for a, b in _forbidden(request)]
    random = Random(request.seed)
    found = search(
        problem_of(past, sizes, pairs, bound),
        random,
        trials=int(request.seconds * TRIALS_PER_SECOND),
        late=lambda: perf_counter() > late_at,
    )
    return tuple(
        tuple(players[p] for p in in_seat_order(past, table, random)) for table in found.tables()
    )


def _players(request: DrawRequest) -> list[int]:
    """The players in one order, whatever order they are asked for in."""
    twice = tuple(player for player, times in Counter(request.players).items() if times > 1)
    if twice:
        raise Refusal("player_twice", players=twice)
    return sorted(request.players)


def _sizes(request: DrawRequest) -> tuple[int, ...]:
    players = len(request.players)
    if request.sizes is None:
        return table_sizes(players, request.max_tables)
    fits = all(MIN_SIZE <= size <= MAX_SIZE for size in request.sizes)
    if not fits or sum(request.sizes) != players or not players:
        raise Refusal("sizes_wrong", sizes=request.sizes, players=players)
    return request.sizes


def _forbidden(request: DrawRequest) -> list[tuple[int, int]]:
    """The forbidden pairs of whom both are here, in one order."""
    here = set(request.players)
    pairs = (sorted(pair) for pair in request.forbidden if len(pair) == 2 and pair <= here)
    return sorted((one, other) for one, other in pairs)


def _check_forbidden(request: DrawRequest, tables: Sequence[Sequence[int]]) -> None:
    table_of = {player: number for number, table in enumerate(tables) for player in table}
    met = tuple(pair for pair in _forbidden(request) if table_of[pair[0]] == table_of[pair[1]])
    if met:
        raise Refusal("forbidden_pairs", pairs=met)
