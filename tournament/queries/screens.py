"""The screens in the hall: which view each of them shows, and which page of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from tournament.clocks import ClockState
from tournament.models import Event, Round, Screen
from tournament.models.events import EventStatus
from tournament.models.rounds import RoundStatus, Stage
from tournament.models.screens import View
from tournament.queries.clocks import clock_of_round
from tournament.queries.rules import public_lots
from tournament.queries.screen_pages import page_at
from tournament.queries.screen_views import Picture, picture_of
from tournament.queries.seats import current_round
from tournament.queries.visibility import public_standings


@dataclass(frozen=True, slots=True)
class HallState:
    """How far the event is. `playing`: the stage of the round that is played; `begun`: its clock
    has started, or a deal of it is entered; `played`: a round is over; `lot_last`: since the last
    round ended a lot was drawn; `final_over`: the final is closed."""

    finished: bool = False
    playing: str = ""
    begun: bool = False
    played: bool = False
    lot_last: bool = False
    final_over: bool = False


def view_for(state: HallState) -> View:
    """What a screen that follows the event shows."""
    if state.finished:
        return View.PODIUM
    if state.playing == Stage.FINAL:
        return View.FINAL
    if state.playing:
        return View.CLOCK if state.begun else View.SEATING
    if state.lot_last:
        return View.LOT
    if state.final_over:
        return View.PODIUM
    return View.STANDINGS if state.played else View.REGISTRATION


def hall_state(event: Event, now: datetime | None = None) -> HallState:
    now = now or timezone.now()
    round_ = current_round(event)
    if event.status == EventStatus.FINISHED or round_ is None:
        return HallState(finished=event.status == EventStatus.FINISHED)
    if round_.status == RoundStatus.PUBLISHED:
        clock = clock_of_round(event, round_, now).read(now).state
        begun = clock not in (ClockState.NONE, ClockState.ANNOUNCED) or round_.has_deals()
        return HallState(playing=round_.stage, begun=begun)
    return HallState(
        played=True,
        lot_last=_lot_since(event, round_),
        final_over=round_.stage == Stage.FINAL,
    )


def _lot_since(event: Event, round_: Round) -> bool:
    """Whether the lot drawn last is news, and may be shown."""
    if round_.closed_at is None or not event.lots.filter(created_at__gt=round_.closed_at).exists():
        return False
    public, lot = public_standings(event), public_lots(event)[-1]
    return lot.is_raffle or public.shows_lot(lot.players, lot.place)


def view_of(screen: Screen, state: HallState | None = None) -> View:
    """What it shows now, also where it follows the event."""
    shows = View(screen.held or screen.shows)
    if shows != View.FOLLOW:
        return shows
    return view_for(state or hall_state(screen.event))


def shown_on(screen: Screen, state: HallState | None = None) -> Picture:
    return picture_of(screen, view_of(screen, state))


def pages_of(screen: Screen) -> int:
    return len(shown_on(screen).pages)


def page_of(screen: Screen, picture: Picture, now: datetime) -> int:
    """The page, from 0, that is up at this instant."""
    pages = len(picture.pages)
    return screen.page % pages if screen.paused else page_at(now, picture.seconds, pages)


def page_now(screen: Screen) -> int:
    return page_of(screen, shown_on(screen), timezone.now())


@dataclass(frozen=True, slots=True)
class ScreenRow:
    """A screen as the desk lists it. `picture`: what it shows now; `page`: from 1; `message`: what
    stands over it."""

    screen: Screen
    picture: Picture
    page: int
    message: str

    @property
    def pages(self) -> int:
        return len(self.picture.pages)

    @property
    def follows(self) -> bool:
        return self.screen.shows == View.FOLLOW


def screens_of(event: Event) -> Sequence[ScreenRow]:
    """Those in use. Screens that show the same are computed once."""
    now, state = timezone.now(), hall_state(event)
    known: dict[tuple[object, ...], Picture] = {}
    rows = []
    for screen in event.screens.in_use():
        screen.event = event
        view = view_of(screen, state)
        key = (view, screen.through, screen.share, screen.shares)
        picture = known.get(key) or known.setdefault(key, picture_of(screen, view))
        page = page_of(screen, picture, now) + 1
        rows.append(ScreenRow(screen, picture, page, screen.message_at(now)))
    return rows
