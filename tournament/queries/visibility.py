"""What everybody may see of the standings now: decided here, and nowhere else.

Whatever shows standings to the public (page, ticket, print, screen) asks `public_standings`;
whatever shows them to the staff asks `queries/standings.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament import rulebook
from tournament.models import Event, Reveal, Round
from tournament.models.events import StandingsShown
from tournament.models.rounds import RoundStatus, Stage
from tournament.queries.standings import (
    Row,
    StandingsTable,
    place_of,
    standings_for,
    watched_standings,
)


class Withheld(StrEnum):
    """What the public does not see yet."""

    NOTHING = "nothing"
    ROUND = "round"  # the round that is played, and the final until it is over
    REST = "rest"  # everything from a round on
    RANKS = "ranks"  # the best ranks: the others are revealed
    EARLIER = "earlier"  # what came after the round that a screen was told to stop at


@dataclass(frozen=True, slots=True)
class PublicStandings:
    """The standings that everybody may see.

    `board`: its rows are all that may be shown. `through`: the preliminary round at whose end it
    stands; None: as it is now. `hidden_ranks`: the ranks from 1 to this one are not in it.
    `places`: how many people have a rank, shown or not. `finalists_known`: everybody may know who
    plays the final.
    """

    board: StandingsTable
    withheld: Withheld = Withheld.NOTHING
    through: int | None = None
    hidden_ranks: int = 0
    places: int = 0
    finalists_known: bool = False

    @property
    def all_shown(self) -> bool:
        return self.withheld == Withheld.NOTHING

    @property
    def nothing_shown(self) -> bool:
        """Hidden from the first round on, and nobody is revealed."""
        return self.through == 0

    @property
    def is_current(self) -> bool:
        """Whether the ranks in it are those of now: who stands first in it stands first."""
        return self.through is None

    @property
    def told(self) -> str:
        """What is shown, and what is not, in a sentence; empty where everything is."""
        match self.withheld:
            case Withheld.NOTHING:
                return ""
            case Withheld.RANKS:
                return ngettext(
                    "Rank %(ranks)d is not revealed yet.",
                    "Ranks 1 to %(ranks)d are not revealed yet.",
                    self.hidden_ranks,
                ) % {"ranks": self.hidden_ranks}
            case Withheld.EARLIER:
                return self._as_of
        if self.nothing_shown and self.withheld == Withheld.REST:
            return _("The standings are hidden until they are revealed.")
        return f"{self._as_of} {self._rest}"

    @property
    def _as_of(self) -> str:
        if self.through == rulebook.SEMI_FINAL_OVER:
            return _("As of the end of the semi-final.")
        if self.board.final or self.board.semi_final:
            return _("As of the end of the preliminaries.")
        if self.nothing_shown:
            return _("Nothing is shown before the first round is closed.")
        return _("As of the end of round %(round)d.") % {"round": self.through}

    @property
    def _rest(self) -> str:
        if self.withheld == Withheld.REST:
            return _("The rest is hidden until it is revealed.")
        if self.board.final:
            return _("The final is shown once it is over.")
        if self.board.semi_final:
            return _("The semi-final is shown once it is over.")
        if self.nothing_shown:
            return ""
        return _("The round that is played is shown once it is closed.")

    def row_of(self, number: int) -> Row | None:
        """The line of a player, by start number, if everybody may see it."""
        return place_of(self.board, number)

    def rank_now(self, number: int) -> Row | None:
        """As `row_of`, but only where it is the rank as it is now."""
        return self.row_of(number) if self.is_current else None

    def tells_finalist(self, number: int) -> bool:
        """Whether this player may be told if the cut has a seat for them."""
        return self.finalists_known or (self.board.cut_made and self.rank_now(number) is not None)

    def shows_lot(self, players: Iterable[str], place: int | None) -> bool:
        """Whether a lot among these players may be shown: it tells who is level. `place`: None for
        the line to the final."""
        if self.all_shown:
            return True
        if not self.is_current:
            return place is None and self.board.cut_made
        board = self.board
        shown = {rulebook.player_id(row.number) for row in board.ranked}
        return shown.issuperset(players)


def public_standings(event: Event) -> PublicStandings:
    """What everybody may see of the standings now, in the active language."""
    withheld, through = _withheld(event)
    if withheld == Withheld.NOTHING:
        return _shown(watched_standings(event), withheld)
    if withheld == Withheld.REST:
        down_to = Reveal.objects.of(event).lowest()
        if down_to == 1:
            return _shown(watched_standings(event), Withheld.NOTHING)
        if down_to is not None:
            return _from_rank(watched_standings(event), down_to)
    return _shown(_nothing_if_none(watched_standings(event, through=through)), withheld, through)


def earlier_standings(event: Event, through: int) -> PublicStandings:
    """The standings as of the end of an earlier round, for suspense; of an earlier one still where
    everybody may not see that one."""
    limit = shown_through(event)
    shown = through if limit is None else min(through, limit)
    if shown == 0:
        return public_standings(event)
    board = _nothing_if_none(watched_standings(event, through=shown))
    return _shown(board, Withheld.EARLIER, shown)


def whole_standings(event: Event) -> PublicStandings:
    """As if nothing were withheld: for pages that the staff alone sees."""
    return _shown(standings_for(event), Withheld.NOTHING)


def shown_through(event: Event) -> int | None:
    """The last preliminary round of which everybody may see figures that tell no rank; None: they
    may see all."""
    withheld, through = _withheld(event)
    if withheld == Withheld.REST and Reveal.objects.of(event).lowest() == 1:
        return None
    return through


type _Played = Iterable[tuple[str, int, str]]  # stage, number, status


def _withheld(event: Event) -> tuple[Withheld, int | None]:
    """What the event's setting hides now, before anything is revealed, and the last preliminary
    round that it shows."""
    if event.standings_shown == StandingsShown.LIVE:
        return Withheld.NOTHING, None
    return _withheld_by(event, event.rounds.played().values_list("stage", "number", "status"))


def _withheld_by(event: Event, rounds: _Played) -> tuple[Withheld, int | None]:
    last, playing, playing_number, stages = 0, "", 0, set()
    for stage, number, status in rounds:
        stages.add(stage)
        if stage == Stage.PRELIMINARY:
            last = max(last, number)
        if status == RoundStatus.PUBLISHED:
            playing, playing_number = stage, number
    if event.standings_shown == StandingsShown.ROUND:
        match playing:
            case "":
                return Withheld.NOTHING, None
            case Stage.PRELIMINARY:
                return Withheld.ROUND, playing_number - 1
            case Stage.FINAL if Stage.SEMI_FINAL in stages:
                return Withheld.ROUND, rulebook.SEMI_FINAL_OVER
        return Withheld.ROUND, last
    if stages - {Stage.PRELIMINARY} or last >= event.hidden_from_round:
        return Withheld.REST, min(last, event.hidden_from_round - 1)
    return Withheld.NOTHING, None


def _shown(
    board: StandingsTable, withheld: Withheld, through: int | None = None
) -> PublicStandings:
    return PublicStandings(
        board,
        withheld,
        through,
        places=len(board.ranked),
        finalists_known=board.cut_made,
    )


def _nothing_if_none(board: StandingsTable) -> StandingsTable:
    """Before a round counts there is no order, and the rows would only tell who is here."""
    return board if board.begun else replace(board, semi_final=(), rows=(), out=())


def _from_rank(board: StandingsTable, down_to: int) -> PublicStandings:
    """Only the ranks from this one on, as they stand now. Who is level on the line is told by ranks
    that may be hidden, so the line says nothing."""
    final, semi_final, rows = (
        tuple(row for row in rows if row.rank >= down_to)
        for rows in (board.final, board.semi_final, board.rows)
    )
    return PublicStandings(
        replace(board, final=final, semi_final=semi_final, rows=rows, level=0, free=0),
        Withheld.RANKS,
        hidden_ranks=down_to - 1,
        places=len(board.ranked),
        # Once the final is published, its seats are.
        finalists_known=bool(board.final),
    )


def wholly_shown(events: Iterable[Event]) -> set[int]:
    """The keys of those whose standings everybody may see whole, in a fixed number of queries."""
    events = list(events)
    hiding = [one for one in events if one.hides_standings]
    rounds: dict[int, list[tuple[str, int, str]]] = defaultdict(list)
    played = Round.objects.played().filter(event__in=hiding)
    for pk, stage, number, status in played.values_list("event_id", "stage", "number", "status"):
        rounds[pk].append((stage, number, status))
    told = Reveal.objects.in_force().filter(event__in=hiding, down_to=1)
    revealed = set(told.values_list("event_id", flat=True))
    withheld = {
        one.pk for one in hiding if _withheld_by(one, rounds[one.pk])[0] != Withheld.NOTHING
    }
    # Revealing tells what is hidden for good, not a round that is still played.
    revealed &= {one.pk for one in hiding if one.standings_shown == StandingsShown.HIDDEN}
    return {one.pk for one in events} - (withheld - revealed)


@dataclass(frozen=True, slots=True)
class RevealPage:
    """What the organiser sees beside the standings. `hidden`: ranks are, and can be revealed;
    `next`: who would be with the next press, by their full names; `moving`: a round is played, so
    ranks still change; `last`: the press that can be taken back."""

    public: PublicStandings
    hidden: bool
    next: tuple[Row, ...]
    moving: bool
    last: Reveal | None

    @property
    def next_rank(self) -> int:
        return self.next[0].rank if self.next else 1


def reveal_page(event: Event) -> RevealPage:
    public = public_standings(event)
    hidden = public.withheld in (Withheld.REST, Withheld.RANKS)
    return RevealPage(
        public=public,
        hidden=hidden,
        next=next_to_reveal(event, public) if hidden else (),
        moving=event.rounds.filter(status=RoundStatus.PUBLISHED).exists(),
        last=Reveal.objects.of(event).last_told(),
    )


def next_to_reveal(event: Event, public: PublicStandings) -> tuple[Row, ...]:
    """Those on the last rank that is hidden; more than one where it is shared."""
    board = standings_for(event)
    rows = board.ranked
    if public.withheld == Withheld.RANKS:
        rows = tuple(row for row in rows if row.rank <= public.hidden_ranks)
    last = max((row.rank for row in rows), default=0)
    return tuple(row for row in rows if row.rank == last)
