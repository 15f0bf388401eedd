"""Standings, computed from the facts and kept per version of the event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.core.cache import cache
from django.utils.translation import get_language

from scoring.cut import CutLine
from scoring.standings import FinalRow, StandingRow, Standings, standings
from tournament import rulebook
from tournament.labels import DECIDED_BY
from tournament.models import Cut, Event, EventVersion, Scoresheet
from tournament.models.cuts import QualifierStatus
from tournament.models.players import PlayerStatus, shown_name
from tournament.models.rounds import PLAYED_ROUND
from tournament.queries.cuts import current_cut, frozen_rows, line_of


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
    note: str = ""
    decided: str = ""
    preliminary_points: int | None = None
    preliminary_stars: int | None = None


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """Everything a standings page or document shows."""

    version: int
    rows: tuple[Row, ...]
    final: tuple[Row, ...]
    out: tuple[Row, ...]
    cut_size: int
    level: int
    free: int
    rounds_counted: int
    sheets_waiting: int
    cut_made: bool

    @property
    def champions(self) -> list[str]:
        """Who stands first, in the final where there was one; more than one if it is shared."""
        return [row.public_name for row in self.final or self.rows if row.rank == 1]


def version_of(event: Event) -> int:
    """The number of changes this event has seen."""
    return EventVersion.objects.filter(pk=event.pk).values_list("version", flat=True).first() or 0


def standings_for(event: Event) -> StandingsTable:
    """The standings as they are now. Computed once per version, in a fixed number of queries."""
    version = version_of(event)
    key = f"board:{event.pk}:{version}:{get_language()}"
    board = cache.get(key)
    if board is None:
        board = compute_standings(event, version)
        cache.set(key, board, 3600)
    return board  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class _Person:
    number: int
    name: str
    public_name: str
    status: str


def _people(event: Event) -> dict[str, _Person]:
    """Everybody as `scoring` names them, with their names in the active language."""
    return {
        rulebook.player_id(number): _Person(
            number, name, shown_name(name, style, alias, number), status
        )
        for number, name, style, alias, status in event.players.values_list(
            "number", "name", "name_style", "alias", "status"
        )
    }


def compute_standings(event: Event, version: int) -> StandingsTable:
    """The standings from the facts, in a fixed number of queries. After the cut the preliminary
    rows are its frozen record."""
    found = standings(rulebook.event_file(event))
    people = _people(event)
    cut = current_cut(event)
    line = line_of(cut) if cut is not None else found.cut
    preliminary = frozen_rows(cut) if cut is not None else found.preliminary
    played = any(row.deals for row in preliminary)
    shows_line = event.has_final and played
    return StandingsTable(
        version=version,
        rows=_preliminary_rows(preliminary, people, line if shows_line else None, _notes(cut)),
        final=_final_rows(found, people),
        out=tuple(_out_row(people[player]) for player in found.disqualified),
        cut_size=event.cut_size,
        level=len(line.level) if played else 0,
        free=line.free if played else 0,
        rounds_counted=event.rounds.preliminary().closed().count(),
        sheets_waiting=_sheets_waiting(event),
        cut_made=cut is not None,
    )


def _notes(cut: Cut | None) -> dict[str, str]:
    """Why somebody's seat in the final is not what the rank says: declined, or by lot."""
    if cut is None:
        return {}
    found = {}
    for number, status, by_lot in cut.qualifiers.values_list("player__number", "status", "by_lot"):
        if status == QualifierStatus.DECLINED:
            found[rulebook.player_id(number)] = "declined"
        elif by_lot:
            found[rulebook.player_id(number)] = "lot"
    return found


def _sheets_waiting(event: Event) -> int:
    sheets = Scoresheet.objects.filter(
        table__round__event=event, table__round__status__in=PLAYED_ROUND
    )
    return sheets.unconfirmed().count()


def _repeated(ranks: list[int]) -> set[int]:
    return {rank for rank, after in pairwise(ranks) if rank == after}


def _preliminary_rows(
    rows: Sequence[StandingRow],
    people: dict[str, _Person],
    line: CutLine | None,
    notes: dict[str, str],
) -> tuple[Row, ...]:
    """With the line where one is drawn: who is in, who is level on it, and where it ends."""
    shared = _repeated([row.rank for row in rows])
    state: dict[str, str] = {}
    if line is not None:
        state = dict.fromkeys(line.qualified, "in") | dict.fromkeys(line.level, "tied")
    ends = max((place for place, row in enumerate(rows) if row.player in state), default=-1)
    return tuple(
        _row(
            people[row.player],
            row,
            shared,
            deals=row.deals,
            state=state.get(row.player, ""),
            ends_cut=place == ends,
            note=notes.get(row.player, ""),
        )
        for place, row in enumerate(rows)
    )


def _final_rows(found: Standings, people: dict[str, _Person]) -> tuple[Row, ...]:
    shared = _repeated([row.rank for row in found.final])
    return tuple(
        _row(
            people[row.player],
            row,
            shared,
            decided=str(DECIDED_BY.get(row.decided_by or "", "")),
            preliminary_points=row.preliminary_points,
            preliminary_stars=row.preliminary_stars,
        )
        for row in found.final
    )


def _row(
    person: _Person, row: StandingRow | FinalRow, shared: set[int], *, deals: int = 0, **more: Any
) -> Row:
    return Row(
        rank=row.rank,
        shared=row.rank in shared,
        number=person.number,
        name=person.name,
        public_name=person.public_name,
        points=row.points,
        stars=row.stars,
        deals=deals,
        status=person.status if person.status == PlayerStatus.DROPPED else "",
        **more,
    )


def _out_row(person: _Person) -> Row:
    """A disqualified player: unranked."""
    return Row(
        rank=0,
        shared=False,
        number=person.number,
        name=person.name,
        public_name=person.public_name,
        points=0,
        stars=0,
        deals=0,
        state="out",
        status=PlayerStatus.DISQUALIFIED,
    )
