"""The organiser's desk: the event as a shaft of stations, one of them lit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Count, Q
from django.utils import timezone

from scoring.rules import sizes_of
from tournament import rulebook
from tournament.models import Cut, Event, Round, Scoresheet, Table
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import OPEN_ROUND, RoundStatus, Stage
from tournament.models.scoresheets import SheetStatus
from tournament.queries.cuts import current_cut, line_of
from tournament.queries.registration import registration_open
from tournament.queries.seats import GoneSeat, gone_seats


class DeskStep(StrEnum):
    """The one next thing to do."""

    PUBLISH = "publish"
    REGISTER = "register"
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


class StationState(StrEnum):
    """Whether a station is the one that is lit, lies behind, or is still to come."""

    LIT = "lit"
    DONE = "done"
    WAITING = "waiting"


class StationKind(StrEnum):
    """What a station says: each has its partial, `tournament/desk/stations/<kind>.html`."""

    REGISTRATION_DRAFT = "registration_draft"
    REGISTRATION_OPEN = "registration_open"
    REGISTRATION = "registration"
    CHECK_IN_DUE = "check_in_due"
    CHECK_IN = "check_in"
    ROUND_DRAWN = "round_drawn"
    ROUND_PLAYED = "round_played"
    ROUND_CLOSED = "round_closed"
    DRAW = "draw"
    ROUND_PLANNED = "round_planned"
    CUT_DUE = "cut_due"
    CUT_LEVEL = "cut_level"
    FINALISTS = "finalists"
    CUT = "cut"
    SEMI_FINAL_PLANNED = "semi_final_planned"
    FINAL_PLANNED = "final_planned"
    END_DUE = "end_due"
    END_DONE = "end_done"
    END = "end"


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """One round: how many sheets are in, and which tables are missing."""

    round: Round
    tables: int
    confirmed: int
    waiting: tuple[Table, ...]
    open: tuple[Table, ...]
    gone: tuple[GoneSeat, ...]

    @property
    def goes_on(self) -> bool:
        return self.round.status in OPEN_ROUND

    @property
    def all_in(self) -> bool:
        return self.tables == self.confirmed


@dataclass(frozen=True, slots=True)
class Station:
    """One stop of the event. `progress` of a round that is drawn; `number` of one that is not;
    `stage`: of a cut, the one that it leads into."""

    kind: StationKind
    state: StationState
    progress: RoundProgress | None = None
    number: int = 0
    stage: str = ""

    @property
    def is_lit(self) -> bool:
        return self.state == StationState.LIT


@dataclass(frozen=True, slots=True)
class DeskView:
    """`rounds`: of the preliminaries; `cut`: the last that is in force."""

    event: Event
    counts: dict[str, int]
    rounds: tuple[RoundProgress, ...]
    semi_final: RoundProgress | None
    final: RoundProgress | None
    reopened: tuple[Table, ...]
    cut: Cut | None
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
    def current(self) -> RoundProgress | None:
        found = (*self.rounds, self.semi_final, self.final)
        return next((one for one in found if one and one.goes_on), None)

    @property
    def next_round(self) -> int:
        return len(self.rounds) + 1

    @property
    def step(self) -> DeskStep:
        """The one next thing to do."""
        if self.event.status == EventStatus.DRAFT:
            return DeskStep.PUBLISH
        if self.event.status == EventStatus.FINISHED:
            return DeskStep.DONE
        if current := self.current:
            return _step_of_round(current)
        if self.final is not None:
            return DeskStep.FINISH
        if self.cut is not None:
            if self._played_after(self.cut):
                return DeskStep.CUT
            return DeskStep.LOT if self.level else DeskStep.DRAW_FINAL
        if not self.rounds and self.here < self.least_players:
            return DeskStep.REGISTER if self._awaits_its_day else DeskStep.CHECK_IN
        if len(self.rounds) < self.event.rounds_planned:
            return DeskStep.DRAW
        return DeskStep.CUT if self.event.has_final else DeskStep.FINISH

    @property
    def _awaits_its_day(self) -> bool:
        """People register, and nobody comes before the day of the event, in its own zone."""
        day = self.event.local(self.event.starts_at).date()
        early = self.event.local(timezone.now()).date() < day
        return early and self.registration_open and not self.here

    @property
    def least_players(self) -> int:
        """So many make the smallest table."""
        return min(sizes_of(rulebook.ruleset_of(self.event)))

    def _played_after(self, cut: Cut) -> bool:
        """Whether the stage that a cut led into is over, and leads on itself."""
        return cut.stage == Stage.SEMI_FINAL and self.semi_final is not None

    @property
    def cut_stage(self) -> str:
        """The stage into which the cut leads that is due, or was made last."""
        if self.cut is None:
            return Stage.SEMI_FINAL if self.event.has_semi_final else Stage.FINAL
        return Stage.FINAL if self._played_after(self.cut) else self.cut.stage

    @property
    def cut_seats(self) -> int:
        semi = self.cut_stage == Stage.SEMI_FINAL
        return self.event.semi_seats if semi else self.event.cut_size

    @property
    def may_end_early(self) -> bool:
        """Nothing is being played, and the event has not come to its end by itself."""
        if self.event.status not in (EventStatus.REGISTRATION, EventStatus.RUNNING):
            return False
        return self.current is None and self.final is None and self.step != DeskStep.FINISH

    @property
    def has_diplomas(self) -> bool:
        """Of the finalists; where no final was played, of the first three."""
        return self.event.status == EventStatus.FINISHED and bool(self.rounds)

    @property
    def promises_places(self) -> bool:
        """Whether the best of this event get places at a later one."""
        return self.event.places_promised.in_force().exists()

    @property
    def stations(self) -> tuple[Station, ...]:
        """The whole event from registration to its end, in its order."""
        step = self.step
        return (
            _registration(step),
            self._check_in(step),
            *map(_round_station, self.rounds),
            *self._rounds_to_come(step),
            *(self._cut_stations(step) if self.event.has_final else ()),
            _end(step),
        )

    @property
    def ahead(self) -> tuple[Station, ...]:
        """What is next, then what comes after it; of a finished event its end."""
        stations = self.stations
        lit = [one for one in stations if one.is_lit] or [stations[-1]]
        return (*lit, *(one for one in stations if one.state == StationState.WAITING))

    @property
    def behind(self) -> tuple[Station, ...]:
        """What is done, the latest first."""
        ahead = self.ahead
        return tuple(one for one in reversed(self.stations) if one not in ahead)

    def _check_in(self, step: DeskStep) -> Station:
        if step == DeskStep.CHECK_IN:
            return Station(StationKind.CHECK_IN_DUE, StationState.LIT)
        done = self.rounds or step == DeskStep.DRAW
        return Station(StationKind.CHECK_IN, StationState.DONE if done else StationState.WAITING)

    def _rounds_to_come(self, step: DeskStep) -> Iterator[Station]:
        first = self.next_round
        if step == DeskStep.DRAW:
            yield Station(StationKind.DRAW, StationState.LIT, number=first)
            first += 1
        # After the cut no round of the preliminaries is drawn any more, whatever was planned.
        if self.cut is None and step != DeskStep.DONE:
            for number in range(first, self.event.rounds_planned + 1):
                yield Station(StationKind.ROUND_PLANNED, StationState.WAITING, number=number)

    def _cut_stations(self, step: DeskStep) -> Iterator[Station]:
        if self.event.has_semi_final:
            yield from self._stage(step, Stage.SEMI_FINAL, self.semi_final)
        yield from self._stage(step, Stage.FINAL, self.final)

    def _stage(
        self, step: DeskStep, stage: Stage, progress: RoundProgress | None
    ) -> Iterator[Station]:
        """The cut into a stage, and its round."""
        if step in CUT_STEPS and stage == self.cut_stage:
            yield Station(CUT_STEPS[step], StationState.LIT, stage=stage)
        else:
            state = StationState.WAITING if progress is None else StationState.DONE
            yield Station(StationKind.CUT, state, stage=stage)
        if progress is None:
            yield Station(PLANNED[stage], StationState.WAITING, stage=stage)
        else:
            yield _round_station(progress)


PLANNED = {
    Stage.SEMI_FINAL: StationKind.SEMI_FINAL_PLANNED,
    Stage.FINAL: StationKind.FINAL_PLANNED,
}
CUT_STEPS = {
    DeskStep.CUT: StationKind.CUT_DUE,
    DeskStep.LOT: StationKind.CUT_LEVEL,
    DeskStep.DRAW_FINAL: StationKind.FINALISTS,
}
ROUND_KINDS = {
    RoundStatus.DRAWN: StationKind.ROUND_DRAWN,
    RoundStatus.PUBLISHED: StationKind.ROUND_PLAYED,
    RoundStatus.CLOSED: StationKind.ROUND_CLOSED,
}


def _step_of_round(progress: RoundProgress) -> DeskStep:
    if progress.round.status == RoundStatus.DRAWN:
        return DeskStep.PUBLISH_ROUND
    return DeskStep.CLOSE if progress.all_in else DeskStep.PLAY


def _registration(step: DeskStep) -> Station:
    if step == DeskStep.PUBLISH:
        return Station(StationKind.REGISTRATION_DRAFT, StationState.LIT)
    if step == DeskStep.REGISTER:
        return Station(StationKind.REGISTRATION_OPEN, StationState.LIT)
    return Station(StationKind.REGISTRATION, StationState.DONE)


def _round_station(progress: RoundProgress) -> Station:
    state = StationState.LIT if progress.goes_on else StationState.DONE
    return Station(ROUND_KINDS[RoundStatus(progress.round.status)], state, progress=progress)


def _end(step: DeskStep) -> Station:
    if step == DeskStep.FINISH:
        return Station(StationKind.END_DUE, StationState.LIT)
    if step == DeskStep.DONE:
        return Station(StationKind.END_DONE, StationState.DONE)
    return Station(StationKind.END, StationState.WAITING)


def desk_for(event: Event) -> DeskView:
    """In a fixed number of queries, whatever the size of the event."""
    counts = dict(
        event.players.values_list("status").annotate(count=Count("pk")).order_by("status")
    )
    found = list(
        event.rounds.in_force()
        .order_by("stage_order", "number")
        .annotate(
            table_count=Count("tables"),
            # A table has one sheet, so counting over both multiplies nothing.
            confirmed=Count("tables", filter=Q(tables__sheet__status=SheetStatus.CONFIRMED)),
        )
    )
    for round_ in found:
        round_.event = event
    sheets = _unconfirmed(found)
    progress = [_progress(round_, sheets) for round_ in found]
    rounds = tuple(one for one in progress if one.round.is_preliminary)
    # An open sheet in a round that is closed was opened again.
    closed = {one.round.pk for one in progress if not one.goes_on}
    cut = current_cut(event)
    return DeskView(
        event=event,
        counts=counts,
        rounds=rounds,
        semi_final=next((one for one in progress if one.round.is_semi_final), None),
        final=next((one for one in progress if one.round.is_final), None),
        reopened=tuple(sheet.table for sheet in sheets if sheet.table.round_id in closed),
        cut=cut,
        level=len(line_of(cut).level) if cut else 0,
        finalists=cut.qualifiers.seated().count() if cut else 0,
        late=_late(event, rounds),
        cancelled=_last_cancelled(event),
    )


def _unconfirmed(rounds: Sequence[Round]) -> list[Scoresheet]:
    """Open and handed in, with their tables. The rounds are at hand: hundreds of tables would each
    bring the report of its round."""
    by_key = {one.pk: one for one in rounds}
    sheets = list(
        Scoresheet.objects.filter(table__round__in=rounds)
        .unconfirmed()
        .select_related("table")
        .order_by("table__round", "table__number")
    )
    for sheet in sheets:
        sheet.table.round = by_key[sheet.table.round_id]
    return sheets


def _last_cancelled(event: Event) -> Round | None:
    """The latest round, if it was cancelled: it can be brought back."""
    # By when it was made, whatever its stage: it comes back only while nothing has come after it.
    last = event.rounds.order_by("-pk").first()
    return last if last is not None and last.status == RoundStatus.CANCELLED else None


def _late(event: Event, rounds: tuple[RoundProgress, ...]) -> int:
    """People checked in who have no seat in the round that is being played."""
    playing = next((one.round for one in rounds if one.goes_on), None)
    if playing is None:
        return 0
    return event.players.here().exclude(seats__round=playing).count()


def _progress(round_: Round, sheets: list[Scoresheet]) -> RoundProgress:
    mine = [sheet for sheet in sheets if sheet.table.round_id == round_.pk]
    return RoundProgress(
        round=round_,
        tables=round_.table_count,  # type: ignore[attr-defined]
        confirmed=round_.confirmed,  # type: ignore[attr-defined]
        waiting=tuple(one.table for one in mine if one.status == SheetStatus.SUBMITTED),
        open=tuple(one.table for one in mine if one.status == SheetStatus.OPEN),
        gone=gone_seats(round_) if round_.status in OPEN_ROUND else (),
    )
