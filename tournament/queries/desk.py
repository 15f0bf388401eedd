"""The organiser's desk: the event as a shaft of stations, one of them lit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import Count, Q

from tournament.models import Event, Round, Scoresheet, Table
from tournament.models.cuts import QualifierStatus
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus
from tournament.models.sheets import SheetStatus
from tournament.queries.cuts import current_cut, line_of
from tournament.queries.registration import registration_open


class Step(StrEnum):
    """The one next thing to do."""

    PUBLISH = "publish"
    CHECK_IN = "check_in"
    DRAW = "draw"
    PUBLISH_ROUND = "publish_round"
    PLAY = "play"
    CLOSE = "close"
    CUT = "cut"
    LOT = "lot"
    DRAW_FINAL = "draw_final"
    FINISH = "finish"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class RoundStation:
    """One round on the desk: how many sheets are in, and which tables are missing."""

    round: Round
    tables: int
    confirmed: int
    waiting: tuple[Table, ...]
    open: tuple[Table, ...]
    lit: bool

    @property
    def done(self) -> bool:
        return self.round.status == RoundStatus.CLOSED

    @property
    def all_in(self) -> bool:
        return self.tables == self.confirmed


@dataclass(frozen=True, slots=True)
class DeskView:
    event: Event
    step: Step
    counts: dict[str, int]
    rounds: tuple[RoundStation, ...]
    final: RoundStation | None
    planned: tuple[int, ...]
    reopened: tuple[Table, ...]
    cut: object | None
    level: int
    finalists: int
    late: int
    cancelled: Round | None

    @property
    def registration_open(self) -> bool:
        return registration_open(self.event)

    @property
    def here(self) -> int:
        return self.counts.get(PlayerStatus.CHECKED_IN, 0)

    @property
    def expected(self) -> int:
        return self.counts.get(PlayerStatus.REGISTERED, 0)

    @property
    def entered(self) -> int:
        return sum(
            count
            for status, count in self.counts.items()
            if status not in (PlayerStatus.WAITING, PlayerStatus.WITHDRAWN)
        )

    @property
    def waiting(self) -> int:
        return self.counts.get(PlayerStatus.WAITING, 0)

    @property
    def no_show(self) -> int:
        return self.counts.get(PlayerStatus.NO_SHOW, 0)

    @property
    def current(self) -> RoundStation | None:
        return next((one for one in (*self.rounds, self.final) if one and one.lit), None)

    @property
    def next_round(self) -> int:
        return len(self.rounds) + 1

    @property
    def may_end_early(self) -> bool:
        """Nothing is being played, and the event has not come to its end by itself."""
        if self.event.status not in (EventStatus.REGISTRATION, EventStatus.RUNNING):
            return False
        return self.current is None and self.final is None and self.step != Step.FINISH

    @property
    def rounds_done(self) -> bool:
        return len(self.rounds) >= self.event.rounds_planned


def desk_for(event: Event) -> DeskView:
    """In a fixed number of queries, whatever the size of the event."""
    counts = dict(
        event.players.values_list("status").annotate(count=Count("pk")).order_by("status")
    )
    all_rounds = list(
        event.rounds.exclude(status=RoundStatus.CANCELLED)
        .order_by("pk")
        .annotate(
            table_count=Count("tables"),
            confirmed=Count("tables", filter=Q(tables__sheet__status=SheetStatus.CONFIRMED)),
        )
    )
    for round_ in all_rounds:
        round_.event = event
    sheets = list(
        Scoresheet.objects.filter(table__round__in=all_rounds)
        .exclude(status=SheetStatus.CONFIRMED)
        .select_related("table__round")
        .order_by("table__round", "table__number")
    )
    stations = [_station(round_, sheets) for round_ in all_rounds]
    preliminary = tuple(one for one in stations if not one.round.is_final)
    final = next((one for one in stations if one.round.is_final), None)
    cut = current_cut(event)
    level = len(line_of(cut).level) if cut else 0
    reopened = tuple(
        sheet.table
        for sheet in sheets
        for one in stations
        if one.done and one.round.pk == sheet.table.round_id
    )
    view = DeskView(
        event=event,
        step=Step.DONE,
        counts=counts,
        rounds=preliminary,
        final=final,
        planned=()
        if cut or event.status == EventStatus.FINISHED
        else tuple(range(len(preliminary) + 1, event.rounds_planned + 1)),
        reopened=reopened,
        cut=cut,
        level=level,
        finalists=cut.qualifiers.filter(status=QualifierStatus.IN).count() if cut else 0,
        late=_late(event, preliminary),
        cancelled=_last_cancelled(event),
    )
    return replace(view, step=_step(view))


def _last_cancelled(event: Event) -> Round | None:
    """The latest round, if it was cancelled: it can be brought back."""
    last = event.rounds.order_by("-pk").first()
    return last if last is not None and last.status == RoundStatus.CANCELLED else None


def _late(event: Event, rounds: tuple[RoundStation, ...]) -> int:
    """People checked in who have no seat in the round that is being played."""
    playing = next((one.round for one in rounds if one.lit), None)
    if playing is None:
        return 0
    return (
        event.players.filter(status=PlayerStatus.CHECKED_IN).exclude(seats__round=playing).count()
    )


def _station(round_: Round, sheets: list[Scoresheet]) -> RoundStation:
    mine = [sheet for sheet in sheets if sheet.table.round_id == round_.pk]
    return RoundStation(
        round=round_,
        tables=round_.table_count,  # type: ignore[attr-defined]
        confirmed=round_.confirmed,  # type: ignore[attr-defined]
        waiting=tuple(one.table for one in mine if one.status == SheetStatus.SUBMITTED),
        open=tuple(one.table for one in mine if one.status == SheetStatus.OPEN),
        lit=round_.status in (RoundStatus.DRAWN, RoundStatus.PUBLISHED),
    )


def _step(view: DeskView) -> Step:
    event = view.event
    if event.status == EventStatus.DRAFT:
        return Step.PUBLISH
    if event.status == EventStatus.FINISHED:
        return Step.DONE
    if station := view.current:
        if station.round.status == RoundStatus.DRAWN:
            return Step.PUBLISH_ROUND
        return Step.CLOSE if station.all_in else Step.PLAY
    if view.final is not None:
        return Step.FINISH
    if view.cut is not None:
        return Step.LOT if view.level else Step.DRAW_FINAL
    if not view.rounds:
        return Step.DRAW if view.here >= 5 else Step.CHECK_IN
    if not view.rounds_done:
        return Step.DRAW
    return Step.CUT if event.has_final else Step.FINISH
