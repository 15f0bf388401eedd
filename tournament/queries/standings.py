"""Standings, computed from the facts and kept per version of the event."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scoring.cut import CutLine
from scoring.eventfile import EventFile, PlayedStage
from scoring.standings import (
    LOT,
    FinalRow,
    OrderRow,
    SemiFinalRow,
    StandingRow,
    Standings,
    standings,
)
from scoring.tallies import tally
from tournament import rulebook
from tournament.labels import decided_words
from tournament.models import Cut, Event, Scoresheet
from tournament.models.cuts import QualifierStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundQuerySet, Stage
from tournament.models.versions import Part
from tournament.queries.chances import LineChances, chances_in
from tournament.queries.cuts import (
    all_is_played,
    drawn_on_line,
    frozen_rows,
    frozen_semi_final,
    line_of,
)
from tournament.queries.kept import Kept, kept
from tournament.queries.names import find_namesakes
from tournament.queries.versions import version_of

UNRANKED = "unranked"  # a row's status: somebody stands in
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
    semi_points: int | None = None
    semi_stars: int | None = None
    semi_table: int | None = None


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """Everything a standings page or document shows: the order of everybody, as `scoring` has it.

    `final`: the finalists, once the final is published; `semi_final`: who else sits in the
    semi-final, once that is; `rows`: everybody behind them, or everybody. `final_begun`: a deal of
    the final counts; before, its rows show what was played before it. `semi_begun` likewise.
    `line_into`: the stage that the line leads into, which has `line_size` seats, so many of them
    for the best of each table (`line_per_table`).
    `most_deals`: that any of `rows` played; `deals_differ`: somebody played fewer, which a sum of
    points hides. Both are asked by every row of the page, so they are counted once.
    """

    final: tuple[Row, ...]
    final_begun: bool
    semi_final: tuple[Row, ...]
    semi_begun: bool
    rows: tuple[Row, ...]
    out: tuple[Row, ...]
    line_into: str
    line_size: int
    line_per_table: int
    level: int
    free: int
    rounds_counted: int
    sheets_waiting: int
    cut_made: bool
    most_deals: int
    deals_differ: bool
    chances_said: bool = False
    chances_exact: bool = True
    ruleset: str = ""  # by which it was computed

    @property
    def ranked(self) -> tuple[Row, ...]:
        """Everybody who has a rank, the best first: each stage before the one it follows."""
        return (*self.final, *self.semi_final, *self.rows)

    @property
    def at_the_line(self) -> tuple[Row, ...]:
        """Those among whom the line lies: who plays the stage that leads on, as it stands now."""
        return self.semi_final or self.rows

    @property
    def best(self) -> tuple[Row, ...]:
        """Those who stand before all others: the finalists where there was a final."""
        return self.final or self.semi_final or self.rows

    @property
    def line_words(self) -> str:
        """What the line is, in a few words."""
        if self.line_into == Stage.SEMI_FINAL:
            return _("the best %(size)s play the semi-final") % {"size": self.line_size}
        if not self.line_per_table:
            return _("the best %(size)s play the final") % {"size": self.line_size}
        return ngettext(
            "the best of each table and the next best, %(size)s in all, play the final",
            "the best %(n)s of each table and the next best, %(size)s in all, play the final",
            self.line_per_table,
        ) % {"n": self.line_per_table, "size": self.line_size}

    @property
    def champions(self) -> list[str]:
        """Who stands first, in the final where there was one; more than one if it is shared."""
        return [row.public_name for row in self.best if row.rank == 1]

    @property
    def podium(self) -> list[Row]:
        """The best three, in the final where there was one."""
        return [row for row in self.best if row.rank <= PODIUM]

    @property
    def begun(self) -> bool:
        """Whether a sheet counts already."""
        return bool(self.final or self.semi_final) or any(row.deals for row in self.rows)

    def is_finalist(self, number: int) -> bool:
        return any(row.number == number for row in self.final)

    def is_semi_finalist(self, number: int) -> bool:
        """Whether somebody sits in the semi-final and not in the final."""
        return any(row.number == number for row in self.semi_final)


def place_of(board: StandingsTable, number: int) -> Row | None:
    """The line of a player, by start number, in the order of everybody."""
    return next((row for row in board.ranked if row.number == number), None)


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
    for row in board.ranked:
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
    """The standings from the facts, in a fixed number of queries. Between a cut and its stage the
    rows are the cut's frozen record."""
    file = rulebook.event_file(event, through=through)
    found = standings(file)
    people = _people(event)
    cuts = _cuts(event) if _reaches_cut(event, through) else {}
    line = _line_now(found, cuts)
    ranked = _ranked_rows(found, cuts, line)
    played = any(row.deals for row in ranked)
    final_deals, semi_deals = (
        _deals_at(file, PlayedStage.FINAL),
        _deals_at(file, PlayedStage.SEMI_FINAL),
    )
    semi_begun = any(semi_deals.values())
    deals = [row.deals for row in ranked]
    waiting = _sheets_waiting(event, through)
    chances = LineChances({})
    if not (cuts or found.final or found.semi_final):
        chances = chances_in(event, file, ranked, sheets_waiting=waiting)
    # Before the first deal all are level, and the line would be among everybody.
    shown = line if event.has_final and played and not found.final else None
    in_semi = shown if semi_begun else None
    among_all = shown if not found.semi_final else None
    level = line if (semi_begun if found.semi_final else played) else None
    semi_notes = _notes(cuts.get(Stage.FINAL)) if event.has_semi_final else {}
    first = Stage.SEMI_FINAL if event.has_semi_final else Stage.FINAL
    return StandingsTable(
        ruleset=event.ruleset,
        final=_final_rows(event.ruleset, found, people, final_deals, semi_deals),
        final_begun=any(final_deals.values()),
        semi_final=_semi_rows(
            found, cuts.get(Stage.FINAL), people, in_semi, semi_notes, semi_deals
        ),
        semi_begun=semi_begun,
        rows=_rows(ranked, people, among_all, _notes(cuts.get(first)), chances),
        out=(
            *_unranked_rows(found, people, file),
            *(_out_row(people[player]) for player in found.disqualified),
        ),
        line_into=first if not found.semi_final else Stage.FINAL,
        line_size=line.seats,
        line_per_table=event.semi_per_table if found.semi_final else 0,
        level=len(level.level) if level else 0,
        free=level.free if level else 0,
        rounds_counted=_within(event.rounds.preliminary().closed(), through).count(),
        sheets_waiting=waiting,
        cut_made=bool(cuts),
        most_deals=max(deals, default=0),
        deals_differ=len({*deals}) > 1,
        chances_said=bool(chances.words),
        chances_exact=chances.exact,
    )


def _cuts(event: Event) -> dict[str, Cut]:
    """Those in force by the stage that they lead into."""
    found = {cut.stage: cut for cut in event.cuts.in_force()}
    for cut in found.values():
        cut.event = event
    return found


def _line_now(found: Standings, cuts: Mapping[str, Cut]) -> CutLine:
    """The line that is next, or was last: as the cut has it, or as it stands while the stage before
    it is played."""
    if (cut := cuts.get(Stage.FINAL)) is not None:
        return line_of(cut)
    if found.semi_final and found.cut is not None:
        return found.cut
    if (cut := cuts.get(Stage.SEMI_FINAL)) is not None:
        return line_of(cut)
    line = found.semi_cut or found.cut
    assert line is not None  # noqa: S101 - without a semi-final there is the line to the final
    return line


def _ranked_rows(found: Standings, cuts: Mapping[str, Cut], line: CutLine) -> list[StandingRow]:
    """Everybody behind those of the later stages with their rank in the order of all; before there
    are any, everybody: whoever has a seat above the line, then the others."""
    if cuts and not found.final and not found.semi_final:
        cut = min(cuts.values(), key=lambda one: one.pk)
        return _seats_first(frozen_rows(cut), found, line)
    sums = {row.player: row for row in found.preliminary}
    return [
        replace(sums[row.player], rank=row.rank)
        for row in found.order
        if row.stage is PlayedStage.PRELIMINARY
    ]


def _seats_first[R: (StandingRow, SemiFinalRow)](
    rows: Sequence[R], found: Standings, line: CutLine
) -> list[R]:
    """The frozen record, those who have a seat first."""
    seats = {player: place for place, player in enumerate(line.qualified)}
    staying = [row for row in rows if row.player not in found.disqualified]
    # The sort is stable: behind those who have a seat the frozen order stays.
    return sorted(staying, key=lambda row: seats.get(row.player, len(seats)))


def _notes(cut: Cut | None) -> dict[str, str]:
    """Why somebody's seat in the stage after a cut is not what the rank says: declined, in or out
    by lot."""
    if cut is None:
        return {}
    # First as if all had lost it; those who got a seat are told below.
    found = dict.fromkeys(drawn_on_line(cut), "lost_lot")
    declined = "declined_semi" if cut.stage == Stage.SEMI_FINAL else "declined"
    for number, status, by_lot in cut.qualifiers.values_list("player__number", "status", "by_lot"):
        if status == QualifierStatus.DECLINED:
            found[rulebook.player_id(number)] = declined
        else:
            found[rulebook.player_id(number)] = "lot" if by_lot else ""
    return found


def _reaches_cut(event: Event, through: int | None) -> bool:
    """Whether all preliminary rounds that are played lie within."""
    if through is None:
        return True
    return rulebook.preliminaries_within(event.rounds.played(), through)


def _within(rounds: RoundQuerySet, through: int | None) -> RoundQuerySet:
    if through is None or through >= rulebook.SEMI_FINAL_OVER:
        return rounds
    return rounds.preliminary().filter(number__lte=through)


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
    state = _states(line)
    ends = _end_of_line([row.player in state for row in rows])
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


type _DealsOf = Mapping[str, int]  # how many deals of a stage count so far for each who sits in it


def _states(line: CutLine | None) -> dict[str, str]:
    """Who is in, and who is level on the line, where one is drawn."""
    if line is None:
        return {}
    return dict.fromkeys(line.qualified, "in") | dict.fromkeys(line.level, "tied")


def _end_of_line(above: Sequence[bool]) -> int:
    """The place of the last who is above the line or level on it; -1 where the best of each table
    come in first, so that some of them stand behind others."""
    count = sum(above)
    return count - 1 if all(above[:count]) else -1


def _deals_at(file: EventFile, stage: PlayedStage) -> _DealsOf:
    tables = (table for one in file.rounds if one.stage is stage for table in one.tables)
    return {player: len(table.deals) for table in tables for player in table.seats}


def _in_stage(found: Standings, stage: PlayedStage) -> tuple[list[OrderRow], set[int]]:
    """Those whose last stage it is, in the order of all, so a lot for a place counts; and the ranks
    that are shared."""
    order = [row for row in found.order if row.stage is stage]
    return order, _repeated([row.rank for row in order])


def _semi_rows(
    found: Standings,
    cut: Cut | None,
    people: dict[str, _Person],
    line: CutLine | None,
    notes: dict[str, str],
    deals: _DealsOf,
) -> tuple[Row, ...]:
    """Who sits in the semi-final and not in the final, with the line into the final where one is
    drawn: as it stands, or as the cut has frozen it."""
    order, shared = _in_stage(found, PlayedStage.SEMI_FINAL)
    sums = {row.player: row for row in found.semi_final}
    level = _repeated([row.rank for row in found.semi_final])
    before = {row.player: row for row in found.preliminary}
    if cut is not None and line is not None and not found.final:
        kept = _seats_first(frozen_semi_final(cut), found, line)
        shown = [(row, row.rank) for row in kept]
        shared = _repeated(sorted(row.rank for row in kept))
    else:
        shown = [(sums[row.player], row.rank) for row in order]
    state = _states(line)
    ends = _end_of_line([row.player in state for row, _own in shown])
    begun = any(deals.values())
    rows = []
    for place, (own, rank) in enumerate(shown):
        first = before[own.player]
        points, stars = (own.points, own.stars) if begun else (first.points, first.stars)
        rows.append(
            _row(
                people[own.player],
                replace(own, rank=rank, points=points, stars=stars),
                shared,
                deals=first.deals + deals[own.player],
                state=state.get(own.player, ""),
                ends_cut=place == ends,
                # Level by all that was played, and yet not in the end: only a lot parts them.
                by_lot=line is None and own.rank in level and rank not in shared,
                note=notes.get(own.player, ""),
                preliminary_points=first.points,
                preliminary_stars=first.stars,
                semi_table=own.table,
            )
        )
    return tuple(rows)


def _final_rows(
    ruleset: str,
    found: Standings,
    people: dict[str, _Person],
    deals: _DealsOf,
    semi_deals: _DealsOf,
) -> tuple[Row, ...]:
    """The finalists. Until a deal of the final counts they show what they had before it."""
    order, shared = _in_stage(found, PlayedStage.FINAL)
    sums = {row.player: row for row in found.final}
    level = _repeated([row.rank for row in found.final])
    before = {row.player: row.deals for row in found.preliminary}
    semi = {row.player: row for row in found.semi_final}
    begun = any(deals.values())
    rows = []
    for place in order:
        own, last = sums[place.player], semi.get(place.player)
        # Level by all that was played, and yet not in the end: only a lot parts them.
        by_lot = own.rank in level and place.rank not in shared
        shown = replace(own, rank=place.rank)
        if not begun and last is not None:
            shown = replace(shown, points=last.points, stars=last.stars)
        elif not begun:
            shown = replace(shown, points=own.preliminary_points, stars=own.preliminary_stars)
        played = (before, semi_deals, deals)
        rows.append(
            _row(
                people[place.player],
                shown,
                shared,
                deals=sum(one.get(place.player, 0) for one in played),
                by_lot=by_lot,
                decided=decided_words(ruleset, LOT if by_lot else own.decided_by or ""),
                preliminary_points=own.preliminary_points,
                preliminary_stars=own.preliminary_stars,
                semi_points=last.points if last else None,
                semi_stars=last.stars if last else None,
                semi_table=last.table if last else None,
            )
        )
    return tuple(rows)


def _row(
    person: _Person,
    row: StandingRow | SemiFinalRow | FinalRow,
    shared: set[int],
    *,
    deals: int = 0,
    **more: Any,
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


def _unranked_rows(found: Standings, people: dict[str, _Person], file: EventFile) -> Iterator[Row]:
    """Who stands in: with the points of all they played, which rank nobody."""
    tallies = [tally(file, stage) for stage in PlayedStage] if found.unranked else []
    for player in found.unranked:
        own = [sums[player] for sums in tallies]
        yield _out_row(people[player])._replace(
            points=sum(one.points for one in own),
            stars=sum(one.stars for one in own),
            deals=sum(one.deals for one in own),
            status=UNRANKED,
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
