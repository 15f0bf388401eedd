"""What the screens in the hall show, view by view: never more than everybody may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from tournament.models import Event, Screen, Table
from tournament.models.events import EventStatus
from tournament.models.rounds import RoundStatus, Stage
from tournament.models.scoresheets import SheetStatus
from tournament.models.screens import View
from tournament.queries.clocks import clock_of_round
from tournament.queries.cuts import all_is_played
from tournament.queries.document_facts import seats_by_name
from tournament.queries.registration import places_left, registration_open
from tournament.queries.rules import public_lots
from tournament.queries.scoresheets import SheetView, sheet_view
from tournament.queries.screen_pages import (
    LOT,
    MOST_SECONDS,
    STANDINGS,
    Grid,
    grid_for,
    in_columns,
    in_pages,
    seconds_for,
    share_of,
)
from tournament.queries.seats import SeatRow, current_round, table_rows
from tournament.queries.standings import Row, StandingsTable
from tournament.queries.visibility import earlier_standings, public_standings

MOST_STANDINGS = 15  # pages: two and a half minutes; who stands behind looks at a phone
LETTERS = 3  # of the names that a page begins and ends with
MOST_TABLES = 48  # numbers that still can be read; of more tables only their count is told

# Read from top to bottom; None where the last one ends.
type Columns[T] = tuple[tuple[T | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """What a screen shows. `pages`, at least one, turn every `seconds`; `told`: what is not shown,
    in a sentence; `facts`: what all pages share."""

    view: View
    title: str
    pages: tuple[Any, ...] = (None,)
    seconds: int = MOST_SECONDS
    grid: Grid | None = None
    told: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def template(self) -> str:
        return f"tournament/public/screen/{self.view}.html"


@dataclass(frozen=True, slots=True)
class NamesPage:
    """`first`, `last`: the beginnings of the names on it."""

    columns: Columns[SeatRow]
    first: str
    last: str

    @classmethod
    def of(cls, seats: Sequence[SeatRow], grid: Grid) -> NamesPage:
        first, last = (seats[place].name[:LETTERS] if seats else "" for place in (0, -1))
        return cls(in_columns(seats, grid.columns), first, last)


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """`final`: rows of finalists, whose points are those of the final once it has begun."""

    columns: Columns[Row]
    stage: Stage = Stage.PRELIMINARY


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A finalist: points and star of each deal, None where it was not played; `leads`: has most."""

    name: str
    deals: tuple[tuple[int, bool] | None, ...]
    points: int
    stars: int
    leads: bool


def picture_of(screen: Screen, view: View) -> Picture:
    """`view`: one that shows something, not FOLLOW."""
    return _PICTURES[view](screen, screen.event)


def _registration(_screen: Screen, event: Event) -> Picture:
    facts = {
        "open": registration_open(event),
        "places_left": places_left(event),
        "here": event.players.here().count(),
    }
    return Picture(View.REGISTRATION, event.name, facts=facts)


def _seating(screen: Screen, event: Event) -> Picture:
    round_ = current_round(event)
    if round_ is None:
        return Picture(View.SEATING, _("Seats"), told=_("Nobody is seated yet."))
    everybody = seats_by_name(table_rows(round_))
    mine = share_of(everybody, screen.share, screen.shares)
    grid = grid_for(len(mine))
    pages = tuple(NamesPage.of(page, grid) for page in in_pages(mine, grid.places))
    return Picture(
        View.SEATING, round_.label, pages, seconds_for(len(pages)), grid, facts={"round": round_}
    )


def _clock(_screen: Screen, event: Event) -> Picture:
    round_ = current_round(event)
    if pause := clock_of_round(event, round_).pause:
        # Who still plays does not matter now, and the countdown stands alone.
        return Picture(View.CLOCK, _("Break"), facts={"pause": pause})
    if round_ is None or round_.status != RoundStatus.PUBLISHED:
        return Picture(View.CLOCK, _("No round is being played"))
    tables = round_.tables.order_by("number").values_list("number", "sheet__status")
    playing = [number for number, status in tables if status == SheetStatus.OPEN]
    facts = {
        "round": round_,
        "playing": playing if len(playing) <= MOST_TABLES else [],
        "playing_count": len(playing),
        "waiting": sum(status == SheetStatus.SUBMITTED for _number, status in tables),
        "timed": event.seconds_of(round_.stage) is not None,
    }
    return Picture(View.CLOCK, round_.label, facts=facts)


def _standings(screen: Screen, event: Event) -> Picture:
    if screen.through is None:
        public = public_standings(event)
        told = "" if public.all_shown else public.told
    else:
        public = earlier_standings(event, screen.through)
        told = public.told
    board = public.board
    pages = _standings_pages(board) if board.begun else ()
    facts = {"board": board, "left_out": max(0, len(pages) - MOST_STANDINGS)}
    over = event.status == EventStatus.FINISHED and public.is_current
    return Picture(
        View.STANDINGS,
        _("Final standings") if over else _("Standings"),
        pages[:MOST_STANDINGS] or (None,),
        grid=STANDINGS,
        told=told or ("" if pages else _("Nothing counts yet")),
        facts=facts,
    )


def _standings_pages(board: StandingsTable) -> tuple[StandingsPage, ...]:
    """The finalists first, then who else plays the semi-final, then everybody behind them."""
    stages = (
        (board.final, Stage.FINAL),
        (board.semi_final, Stage.SEMI_FINAL),
        (board.rows, Stage.PRELIMINARY),
    )
    return tuple(
        StandingsPage(_in_ranks(page), stage)
        for rows, stage in stages
        if rows
        for page in in_pages(rows, STANDINGS.places)
    )


def _in_ranks(rows: Sequence[Row]) -> Columns[Row]:
    return in_columns(rows, 1 if len(rows) <= STANDINGS.rows else STANDINGS.columns)


def _lot(_screen: Screen, event: Event) -> Picture:
    public = public_standings(event)
    lots = [
        lot
        for lot in public_lots(event)
        if lot.is_raffle or public.shows_lot(lot.players, lot.place)
    ]
    if not lots:
        return Picture(View.LOT, _("Lot"), told=_("No lot is drawn yet."))
    lot = lots[-1]
    order = [(place, *player) for place, player in enumerate(lot.order, 1)]
    return Picture(
        View.LOT,
        lot.title,
        tuple(
            in_columns(page, 1 if len(page) <= LOT.rows else LOT.columns)
            for page in in_pages(order, LOT.places)
        ),
        grid=LOT,
        facts={"lot": lot},
    )


def _final(_screen: Screen, event: Event) -> Picture:
    table = (
        Table.objects.filter(round__in=event.rounds.final().played())
        .select_related("round__event", "sheet")
        .first()
    )
    title = str(Stage.FINAL.label)
    if table is None:
        return Picture(View.FINAL, title, told=_("The final has no seats yet."))
    sheet = sheet_view(table)
    public = public_standings(event)
    # Whoever waits for the end of the final must not read it here.
    shown = public.all_shown
    facts = {
        "rows": _final_rows(sheet, shown=shown),
        "numbers": [deal.number for deal in sheet.deals] if shown else [],
        "entered": shown and sheet.any_entered,
        "confirmed": sheet.is_confirmed,
    }
    return Picture(View.FINAL, title, told="" if shown else public.told, facts=facts)


def _final_rows(sheet: SheetView, *, shown: bool) -> list[FinalRow]:
    most = max((seat.points, seat.stars) for seat in sheet.seats)
    return [
        FinalRow(
            name=seat.name,
            deals=tuple((one.points, one.star) if one else None for one in seat.per_deal),
            points=seat.points,
            stars=seat.stars,
            leads=most > (0, 0) and (seat.points, seat.stars) == most,
        )
        if shown
        else FinalRow(seat.name, (), 0, 0, leads=False)
        for seat in sheet.seats
    ]


def _podium(_screen: Screen, event: Event) -> Picture:
    public = public_standings(event)
    over = event.status == EventStatus.FINISHED or all_is_played(event)
    if not over:
        words = _("The champion stands here once everything is played.")
        return Picture(View.PODIUM, event.name, told=words)
    rows = public.board.podium if public.is_current and public.board.begun else []
    told = "" if public.all_shown else public.told
    return Picture(
        View.PODIUM,
        event.name,
        told=told,
        facts={
            "champions": [row for row in rows if row.rank == 1],
            "others": [row for row in rows if row.rank != 1],
        },
    )


def _blank(_screen: Screen, _event: Event) -> Picture:
    return Picture(View.BLANK, "")


_PICTURES: Mapping[View, Callable[[Screen, Event], Picture]] = {
    View.REGISTRATION: _registration,
    View.SEATING: _seating,
    View.CLOCK: _clock,
    View.STANDINGS: _standings,
    View.LOT: _lot,
    View.FINAL: _final,
    View.PODIUM: _podium,
    View.BLANK: _blank,
}
