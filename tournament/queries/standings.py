"""Standings, computed from the facts and kept per version of the event."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

from django.utils.translation import get_language

from scoring.cut import CUT, CutLine
from scoring.eventfile import EventFile, PlayedStage
from scoring.standings import LOT, FinalRow, StandingRow, Standings, standings
from tournament import rulebook
from tournament.labels import DECIDED_BY
from tournament.models import Cut, Event, Scoresheet
from tournament.models.cuts import QualifierStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundQuerySet
from tournament.models.versions import Part
from tournament.queries.chances import LineChances, chances_in
from tournament.queries.cuts import all_is_played, current_cut, frozen_rows, line_of
from tournament.queries.kept import Kept, kept
from tournament.queries.names import find_namesakes
from tournament.queries.versions import version_of

PODIUM = 3  # places that somebody may have to part, and that have a diploma, without a final


class Row(NamedTuple):
    """One line of the standings, ready to show. `state`: in, tied, out or empty; `chance`: what is
    certain of the seat in the final, in words, while there is something to say.

    A tuple, since each worker reads all of them after each change: 2,000 of the house's frozen
    dataclasses take 30 ms to unpickle, as many tuples 2."""

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
    chance: str = ""
    decided: str = ""
    by_lot: bool = False
    preliminary_points: int | None = None
    preliminary_stars: int | None = None


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """Everything a standings page or document shows: the order of everybody, as `scoring` has it.

    `final`: the finalists, once the final is published; `rows`: everybody behind them, or
    everybody. `final_begun`: a deal of the final counts; before, its rows show the preliminaries.
    `most_deals`: that any of `rows` played; `deals_differ`: somebody played fewer, which a sum of
    points hides. Both are asked by every row of the page, so they are counted once.
    """

    final: tuple[Row, ...]
    final_begun: bool
    rows: tuple[Row, ...]
    out: tuple[Row, ...]
    cut_size: int
    level: int
    free: int
    rounds_counted: int
    sheets_waiting: int
    cut_made: bool
    most_deals: int
    deals_differ: bool
    chances_said: bool = False
    chances_exact: bool = True

    @property
    def champions(self) -> list[str]:
        """Who stands first, in the final where there was one; more than one if it is shared."""
        return [row.public_name for row in self.final or self.rows if row.rank == 1]

    @property
    def podium(self) -> list[Row]:
        """The best three, in the final where there was one."""
        return [row for row in self.final or self.rows if row.rank <= PODIUM]

    @property
    def begun(self) -> bool:
        """Whether a sheet counts already."""
        return bool(self.final) or any(row.deals for row in self.rows)

    def is_finalist(self, number: int) -> bool:
        return any(row.number == number for row in self.final)


def place_of(board: StandingsTable, number: int) -> Row | None:
    """The line of a player, by start number, in the order of everybody."""
    return next((row for row in (*board.final, *board.rows) if row.number == number), None)


def standings_for(event: Event, *, through: int | None = None) -> StandingsTable:
    """The standings as they are now, or as of the end of a preliminary round (`through`): with the
    corrections made since, and nothing of what came later. Computed once per version, in a fixed
    number of queries.

    Everything is in them. What everybody may see is `queries/visibility.py`'s to say.
    """
    return kept_standings(event, through=through, now=True).value


def watched_standings(event: Event, *, through: int | None = None) -> StandingsTable:
    """The standings for whoever watches: as they are now, or in a hall as they were seconds ago."""
    return kept_standings(event, through=through).value


def kept_standings(
    event: Event, *, through: int | None = None, now: bool = False
) -> Kept[StandingsTable]:
    """The standings with their version. `now`: as they are, not as they were seconds ago."""
    # The version first: a change in between makes the table newer than its name, never older.
    version = version_of(event, Part.STANDINGS)
    # By language as well: some names are words (“Player 7”), and so is what decided a place.
    name = f"standings:{event.pk}:{get_language()}:{through}"
    return kept(name, version, lambda: compute_standings(event, through), now=now)


def shared_places(event: Event) -> dict[int, tuple[str, ...]]:
    """Rank -> those who share it in the order of everybody; empty while something is still to be
    played, since a lot is drawn for a place that is certain."""
    if not all_is_played(event):
        return {}
    board = standings_for(event)
    shared: dict[int, list[str]] = defaultdict(list)
    for row in (*board.final, *board.rows):
        if row.shared:
            shared[row.rank].append(rulebook.player_id(row.number))
    return {rank: tuple(players) for rank, players in shared.items()}


@dataclass(frozen=True, slots=True)
class _Person:
    number: int
    name: str
    public_name: str
    status: str


def _people(event: Event) -> dict[str, _Person]:
    """Everybody as `scoring` names them, with their names in the active language."""
    same = find_namesakes(event.pk)
    return {
        rulebook.player_id(number): _Person(
            number,
            same.staff_name(name, number),
            same.public_name(name, style, alias, number),
            status,
        )
        for number, name, style, alias, status in event.players.values_list(
            "number", "name", "name_style", "alias", "status"
        )
    }


def compute_standings(event: Event, through: int | None = None) -> StandingsTable:
    """The standings from the facts, in a fixed number of queries. Between the cut and the final
    the rows are the cut's frozen record."""
    file = rulebook.event_file(event, through=through)
    found = standings(file)
    people = _people(event)
    cut = current_cut(event) if _reaches_cut(event, through) else None
    line = line_of(cut) if cut is not None else found.cut
    assert line is not None  # noqa: S101 - only a semi-final leaves the line open
    ranked = _ranked_rows(found, cut, line)
    played = any(row.deals for row in ranked)
    final_deals = _final_deals(file)
    # Before the first deal all are level, and the line would be among everybody.
    shows_line = event.has_final and played and not found.final
    deals = [row.deals for row in ranked]
    waiting = _sheets_waiting(event, through)
    chances = LineChances({})
    if cut is None and not found.final:
        chances = chances_in(event, file, ranked, sheets_waiting=waiting)
    return StandingsTable(
        final=_final_rows(found, people, final_deals),
        final_begun=bool(final_deals),
        rows=_rows(ranked, people, line if shows_line else None, _notes(cut), chances),
        out=tuple(_out_row(people[player]) for player in found.disqualified),
        cut_size=event.cut_size,
        level=len(line.level) if played else 0,
        free=line.free if played else 0,
        rounds_counted=_within(event.rounds.preliminary().closed(), through).count(),
        sheets_waiting=waiting,
        cut_made=cut is not None,
        most_deals=max(deals, default=0),
        deals_differ=len({*deals}) > 1,
        chances_said=bool(chances.words),
        chances_exact=chances.exact,
    )


def _ranked_rows(found: Standings, cut: Cut | None, line: CutLine) -> list[StandingRow]:
    """Everybody behind the finalists with their rank in the order of all; before there are
    finalists, everybody: whoever has a seat above the line, then the others."""
    if cut is not None and not found.final:
        rows = [row for row in frozen_rows(cut) if row.player not in found.disqualified]
        # The sort is stable: behind those who have a seat the frozen order stays.
        seats = {player: place for place, player in enumerate(line.qualified)}
        return sorted(rows, key=lambda row: seats.get(row.player, len(seats)))
    sums = {row.player: row for row in found.preliminary}
    return [
        replace(sums[row.player], rank=row.rank)
        for row in found.order
        if row.stage is PlayedStage.PRELIMINARY
    ]


def _notes(cut: Cut | None) -> dict[str, str]:
    """Why somebody's seat in the final is not what the rank says: declined, in or out by lot."""
    if cut is None:
        return {}
    lots = cut.event.lots.filter(line=CUT).values_list("order", flat=True)
    # First as if all had lost it; those who got a seat are told below.
    found = {player: "lost_lot" for order in lots for player in order}
    for number, status, by_lot in cut.qualifiers.values_list("player__number", "status", "by_lot"):
        if status == QualifierStatus.DECLINED:
            found[rulebook.player_id(number)] = "declined"
        else:
            found[rulebook.player_id(number)] = "lot" if by_lot else ""
    return found


def _reaches_cut(event: Event, through: int | None) -> bool:
    """Whether all preliminary rounds that are played lie within."""
    if through is None:
        return True
    return rulebook.preliminaries_within(event.rounds.played(), through)


def _within(rounds: RoundQuerySet, through: int | None) -> RoundQuerySet:
    return rounds if through is None else rounds.preliminary().filter(number__lte=through)


def _sheets_waiting(event: Event, through: int | None) -> int:
    rounds = _within(event.rounds.played(), through)
    return Scoresheet.objects.filter(table__round__in=rounds).unconfirmed().count()


def _repeated(ranks: list[int]) -> set[int]:
    return {rank for rank, after in pairwise(ranks) if rank == after}


def _rows(
    rows: Sequence[StandingRow],
    people: dict[str, _Person],
    line: CutLine | None,
    notes: dict[str, str],
    chances: LineChances,
) -> tuple[Row, ...]:
    """With the line where one is drawn: who is in, who is level on it, and where it ends."""
    shared = _repeated([row.rank for row in rows])
    equal = Counter((row.points, row.stars) for row in rows)
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
            # Level by all that was played, and yet not in the end: only a lot parts them.
            by_lot=line is None and equal[row.points, row.stars] > 1 and row.rank not in shared,
            note=notes.get(row.player, ""),
            chance=chances.words.get(row.player, ""),
        )
        for place, row in enumerate(rows)
    )


def _final_deals(file: EventFile) -> int:
    """How many deals of the final count so far; it is one table."""
    finals = (one for one in file.rounds if one.stage is PlayedStage.FINAL)
    return sum(len(table.deals) for one in finals for table in one.tables)


def _final_rows(found: Standings, people: dict[str, _Person], deals: int) -> tuple[Row, ...]:
    """The finalists in the order of all, so a lot for a place counts. `deals`: of the final, which
    come on top of those that each played before."""
    order = [row for row in found.order if row.stage is PlayedStage.FINAL]
    shared = _repeated([row.rank for row in order])
    sums = {row.player: row for row in found.final}
    level = _repeated([row.rank for row in found.final])
    before = {row.player: row.deals for row in found.preliminary}
    rows = []
    for place in order:
        own = sums[place.player]
        # Level by all that was played, and yet not in the end: only a lot parts them.
        by_lot = own.rank in level and place.rank not in shared
        shown = replace(own, rank=place.rank)
        if not deals:
            shown = replace(shown, points=own.preliminary_points, stars=own.preliminary_stars)
        rows.append(
            _row(
                people[place.player],
                shown,
                shared,
                deals=before[place.player] + deals,
                by_lot=by_lot,
                decided=str(DECIDED_BY.get(LOT if by_lot else own.decided_by or "", "")),
                preliminary_points=own.preliminary_points,
                preliminary_stars=own.preliminary_stars,
            )
        )
    return tuple(rows)


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
