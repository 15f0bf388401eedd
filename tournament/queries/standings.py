"""Standings, computed from the facts and kept per version of the event."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from django.core.cache import cache
from django.utils.translation import get_language

from scoring.standings import Standings, standings
from tournament import rulebook
from tournament.models import Event, Pulse, Table
from tournament.models.players import PlayerStatus, shown_name
from tournament.models.rounds import RoundStatus, Stage
from tournament.models.sheets import SheetStatus
from tournament.queries.cuts import current_cut, frozen_rows, line_of
from tournament.wording import DECIDED_BY


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings, ready to show. `state`: in, tied, out or empty."""

    rank: int
    shared: bool
    number: int
    name: str
    public_name: str
    points: int
    stars: int
    deals: int
    state: str = ""
    status: str = ""
    ends_cut: bool = False
    decided: str = ""
    preliminary_points: int | None = None
    preliminary_stars: int | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """Everything a standings page or document shows."""

    version: int
    rows: tuple[Row, ...]
    final: tuple[Row, ...]
    out: tuple[Row, ...]
    cut_size: int
    level: int
    free: int
    deals_planned: int
    rounds_counted: int
    sheets_waiting: int
    cut_made: bool

    @property
    def champions(self) -> list[str]:
        """Who stands first, in the final where there was one; more than one if it is shared."""
        return [row.public_name for row in self.final or self.rows if row.rank == 1]


def version_of(event: Event) -> int:
    """The number of changes this event has seen."""
    return Pulse.objects.filter(pk=event.pk).values_list("version", flat=True).first() or 0


def board_for(event: Event) -> Board:
    """The standings as they are now. Computed once per version, in a fixed number of queries."""
    version = version_of(event)
    key = f"board:{event.pk}:{version}:{get_language()}"
    board = cache.get(key)
    if board is None:
        board = compute_board(event, version)
        cache.set(key, board, 3600)
    return board  # type: ignore[no-any-return]


def compute_board(event: Event, version: int) -> Board:
    found = standings(rulebook.event_file(event))
    people = {
        rulebook.player_id(number): (number, name, shown_name(name, style, alias, number), status)
        for number, name, style, alias, status in event.players.values_list(
            "number", "name", "name_style", "alias", "status"
        )
    }
    cut = current_cut(event)
    line = line_of(cut) if cut is not None else found.cut
    preliminary = frozen_rows(cut) if cut is not None else found.preliminary
    ranks = [row.rank for row in preliminary]
    repeated = _repeated(ranks)
    state = dict.fromkeys(line.qualified, "in") | dict.fromkeys(line.level, "tied")
    played = any(row.deals for row in preliminary)
    last_in = max(
        (place for place, row in enumerate(preliminary) if row.player in state), default=-1
    )
    rows = tuple(
        Row(
            rank=row.rank,
            shared=row.rank in repeated,
            number=people[row.player][0],
            name=people[row.player][1],
            public_name=people[row.player][2],
            points=row.points,
            stars=row.stars,
            deals=row.deals,
            state=state.get(row.player, "") if event.has_final and played else "",
            status=_status(people[row.player][3]),
            ends_cut=event.has_final and played and place == last_in,
        )
        for place, row in enumerate(preliminary)
    )
    rounds = event.rounds.filter(stage=Stage.PRELIMINARY)
    return Board(
        version=version,
        rows=rows,
        final=_final_rows(found, people),
        out=_out_rows(found, people),
        cut_size=event.cut_size,
        level=len(line.level) if played else 0,
        free=line.free if played else 0,
        deals_planned=event.rounds_planned * event.deals_per_round,
        rounds_counted=rounds.filter(status=RoundStatus.CLOSED).count(),
        sheets_waiting=Table.objects.filter(
            round__event=event, round__status__in=(RoundStatus.PUBLISHED, RoundStatus.CLOSED)
        )
        .exclude(sheet__status=SheetStatus.CONFIRMED)
        .count(),
        cut_made=cut is not None,
    )


def _repeated(ranks: list[int]) -> set[int]:
    return {rank for rank, after in pairwise(ranks) if rank == after}


def _status(status: str) -> str:
    return status if status == PlayerStatus.DROPPED else ""


def _final_rows(found: Standings, people: dict[str, tuple[int, str, str, str]]) -> tuple[Row, ...]:
    repeated = _repeated([row.rank for row in found.final])
    return tuple(
        Row(
            rank=row.rank,
            shared=row.rank in repeated,
            number=people[row.player][0],
            name=people[row.player][1],
            public_name=people[row.player][2],
            points=row.points,
            stars=row.stars,
            deals=0,
            decided=str(DECIDED_BY.get(row.decided_by or "", "")),
            preliminary_points=row.preliminary_points,
            preliminary_stars=row.preliminary_stars,
        )
        for row in found.final
    )


def _out_rows(found: Standings, people: dict[str, tuple[int, str, str, str]]) -> tuple[Row, ...]:
    """The disqualified, unranked."""
    return tuple(
        Row(
            rank=0,
            shared=False,
            number=people[player][0],
            name=people[player][1],
            public_name=people[player][2],
            points=0,
            stars=0,
            deals=0,
            state="out",
            status=PlayerStatus.DISQUALIFIED,
        )
        for player in found.disqualified
    )
