"""Why somebody stands where they stand: against the one above and the one below, deal by deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.tallies import PlayerDeal, player_deals
from tournament import rulebook
from tournament.games import words_for
from tournament.models import Event, Player, Round, Seat
from tournament.models.rounds import Stage
from tournament.queries.standings import Row, StandingsTable
from tournament.queries.visibility import public_standings


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Who stands next, and what parts the two. `by_lot`: a lot did, which can be checked."""

    row: Row
    words: str
    by_lot: bool = False


@dataclass(frozen=True, slots=True)
class DealCell:
    """A deal as somebody had it, as it counts. `lost`: a penalty took it, which only the staff may
    read here."""

    points: int
    star: bool
    void: bool
    lost: bool


@dataclass(frozen=True, slots=True)
class SeatedRound:
    """One of those who are compared, in one round: the table, what it gave, and what they had after
    it."""

    table: int
    points: int
    stars: int
    points_so_far: int
    stars_so_far: int


@dataclass(frozen=True, slots=True)
class ComparedRound:
    """`seats`: of each who is compared, None: not seated, or the sheet does not count yet; `deals`:
    by number, with a cell for each of them."""

    label: str
    seats: tuple[SeatedRound | None, ...]
    deals: tuple[tuple[int, tuple[DealCell | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """`row`: of the player; `compared`: above, the player, below, as far as there are such."""

    row: Row
    ranked: int
    is_finalist: bool
    above: Neighbour | None
    below: Neighbour | None
    compared: tuple[Row, ...]
    rounds: tuple[ComparedRound, ...]


def explanation_for(event: Event, number: int) -> Explanation | None:
    """Of the player with this start number, by what everybody may see; None if nobody with it
    stands there. In a fixed number of queries."""
    public = public_standings(event)
    board = public.board
    gone = next((row for row in board.out if row.number == number), None)
    if gone is not None:
        return Explanation(gone, 0, False, None, None, (), ())
    order = _in_order(board)
    place = next((place for place, row in enumerate(order) if row.number == number), None)
    if place is None:
        return None
    row = order[place]
    above = order[place - 1] if place else None
    below = order[place + 1] if place + 1 < len(order) else None
    compared = tuple(one for one in (above, row, below) if one is not None)
    return Explanation(
        row=row,
        ranked=len(order),
        is_finalist=board.is_finalist(number),
        above=_neighbour(board, above, row, of=above) if above else None,
        below=_neighbour(board, row, below, of=below) if below else None,
        compared=compared,
        rounds=_rounds(event, compared, public.through) if board.begun else (),
    )


def _in_order(board: StandingsTable) -> list[Row]:
    """By rank. Once the cut is made the page puts those with a seat first, whatever their rank."""
    return [
        *board.final,
        *sorted(board.semi_final, key=lambda row: row.rank),
        *sorted(board.rows, key=lambda row: row.rank),
    ]


# --- What parts two ------------------------------------------------------------------------------


def _neighbour(board: StandingsTable, higher: Row, lower: Row, *, of: Row) -> Neighbour:
    if not board.begun:
        return Neighbour(of, _("Nothing counts yet."))
    stages = [_stage_of(board, row) for row in (higher, lower)]
    if stages[0] != stages[1]:
        if stages[0] == Stage.FINAL:
            return Neighbour(of, _("The finalists stand before everybody else."))
        return Neighbour(of, _("Who plays the semi-final stands before everybody who does not."))
    steps = _edition_steps if words_for(board.ruleset).edition else _steps
    for words, mine, theirs in steps(board, higher, lower, stages[0]):
        if mine != theirs:
            return Neighbour(of, words)
    if higher.rank != lower.rank:
        return Neighbour(of, _("Level by all that was played: a lot parts them."), by_lot=True)
    if {higher.note, lower.note} & {"lot", "lost_lot"}:
        words = _("Level by all that was played: they share the rank. A lot gave the seat.")
        return Neighbour(of, words, by_lot=True)
    if words_for(board.ruleset).edition:
        return Neighbour(of, _("Level in all that counts: they share the rank."))
    return Neighbour(of, _("Level in points and stars: they share the rank."))


def _stage_of(board: StandingsTable, row: Row) -> Stage:
    """The last stage that somebody sits in."""
    if board.is_finalist(row.number):
        return Stage.FINAL
    return Stage.SEMI_FINAL if board.is_semi_finalist(row.number) else Stage.PRELIMINARY


def _steps(
    board: StandingsTable, higher: Row, lower: Row, stage: Stage
) -> Iterator[tuple[str, int, int]]:
    """What is compared, first things first: how it would be said, and what each has."""
    begun = {Stage.FINAL: board.final_begun, Stage.SEMI_FINAL: board.semi_begun}.get(stage, False)
    points, stars = higher.points - lower.points, higher.stars - lower.stars
    told = {"n": points, "stars": stars}
    yield _by_points(stage if begun else None, points) % told, higher.points, lower.points
    yield _by_stars(stage if begun else None, stars) % told, higher.stars, lower.stars
    if begun and higher.semi_points is not None:
        yield from _of_semi_final(higher, lower)
    if begun:
        yield (
            _("Level in what came after: the points of the preliminaries part them."),
            higher.preliminary_points or 0,
            lower.preliminary_points or 0,
        )
        yield (
            _("Level in all else: the stars of the preliminaries part them."),
            higher.preliminary_stars or 0,
            lower.preliminary_stars or 0,
        )


def _edition_steps(
    board: StandingsTable, higher: Row, lower: Row, stage: Stage
) -> Iterator[tuple[str, int, int]]:
    """The same in the words of an edition, by its own order."""
    game = words_for(board.ruleset)
    names = ("stars", "points") if game.stars_first else ("points", "stars")
    begun = {Stage.FINAL: board.final_begun, Stage.SEMI_FINAL: board.semi_begun}.get(stage, False)
    stages = [("", _("%(what)s: %(higher)d to %(lower)d."))]
    if begun and higher.semi_points is not None:
        stages.append(("semi_", _("%(what)s of the semi-final: %(higher)d to %(lower)d.")))
    if begun:
        stages.append(
            ("preliminary_", _("%(what)s of the preliminaries: %(higher)d to %(lower)d."))
        )
    for before, words in stages:
        for name in names:
            if what := getattr(game, name):
                had = [getattr(row, before + name) or 0 for row in (higher, lower)]
                told = {"what": what, "higher": had[0], "lower": had[1]}
                yield words % told, had[0], had[1]


def _of_semi_final(higher: Row, lower: Row) -> Iterator[tuple[str, int, int]]:
    yield (
        _("Level in the final: the points of the semi-final part them."),
        higher.semi_points or 0,
        lower.semi_points or 0,
    )
    yield (
        _("Level in the final and in points of the semi-final: its stars part them."),
        higher.semi_stars or 0,
        lower.semi_stars or 0,
    )


def _by_points(stage: Stage | None, n: int) -> str:
    match stage:
        case Stage.FINAL:
            return ngettext(
                "%(n)d point of the final parts them.", "%(n)d points of the final part them.", n
            )
        case Stage.SEMI_FINAL:
            return ngettext(
                "%(n)d point of the semi-final parts them.",
                "%(n)d points of the semi-final part them.",
                n,
            )
    return ngettext("%(n)d point parts them.", "%(n)d points part them.", n)


def _by_stars(stage: Stage | None, stars: int) -> str:
    match stage:
        case Stage.FINAL:
            return ngettext(
                "Level in points of the final: %(stars)d star of it parts them.",
                "Level in points of the final: %(stars)d stars of it part them.",
                stars,
            )
        case Stage.SEMI_FINAL:
            return ngettext(
                "Level in points of the semi-final: %(stars)d star of it parts them.",
                "Level in points of the semi-final: %(stars)d stars of it part them.",
                stars,
            )
    return ngettext(
        "Level in points: %(stars)d star parts them.",
        "Level in points: %(stars)d stars part them.",
        stars,
    )


# --- Deal by deal --------------------------------------------------------------------------------


def _rounds(
    event: Event, compared: Sequence[Row], through: int | None
) -> tuple[ComparedRound, ...]:
    numbers = [row.number for row in compared]
    players = list(event.players.filter(number__in=numbers))
    rounds = list(event.rounds.played().in_order_of_play())
    for round_ in rounds:
        round_.event = event
    tables = _tables(rounds, players)
    file = rulebook.deals_file(event, players, rounds, through)
    columns = [
        _Column(number, player_deals(file, rulebook.player_id(number)), tables)
        for number in numbers
    ]
    found = []
    for place, round_ in enumerate(rounds, 1):
        seats = tuple(column.take(place, round_) for column in columns)
        deals = sorted({one.deal for column in columns for one in column.of(place)})
        if deals:
            cells = tuple(
                (deal, tuple(column.cell(place, deal) for column in columns)) for deal in deals
            )
            found.append(ComparedRound(round_.label, seats, cells))
    return tuple(found)


def _tables(rounds: Sequence[Round], players: Sequence[Player]) -> dict[tuple[int, int], int]:
    """(round, start number) -> number of the table."""
    seats = Seat.objects.filter(round__in=rounds, player__in=players)
    return {
        (round_, number): table
        for round_, number, table in seats.values_list(
            "round_id", "player__number", "table__number"
        )
    }


class _Column:
    """One of those who are compared: their deals, and what they have so far."""

    def __init__(
        self, number: int, deals: Sequence[PlayerDeal], tables: dict[tuple[int, int], int]
    ) -> None:
        self.number, self.deals, self.tables = number, deals, tables
        self.points = self.stars = 0

    def of(self, place: int) -> list[PlayerDeal]:
        """The deals of a round, which `scoring` counts from 1 in the same order."""
        return [one for one in self.deals if one.round == place]

    def take(self, place: int, round_: Round) -> SeatedRound | None:
        """Sum up a round, each once and in order; a stage counts from zero, unless it is carried
        on."""
        deals = self.of(place)
        if not deals:
            return None
        if not round_.is_preliminary and not round_.event.carries_on:
            self.points = self.stars = 0
        points, stars = sum(one.points for one in deals), sum(one.star for one in deals)
        self.points += points
        self.stars += stars
        table = self.tables[round_.pk, self.number]
        return SeatedRound(table, points, stars, self.points, self.stars)

    def cell(self, place: int, deal: int) -> DealCell | None:
        one = next((one for one in self.of(place) if one.deal == deal), None)
        return DealCell(one.points, one.star, one.void, one.lost) if one is not None else None
