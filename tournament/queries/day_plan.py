"""The time of the day: before it what fits, during it when it ends at this pace.

The arithmetic is pure; `day_plan` alone reads the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from statistics import median

from django.db.models import Max

from tournament.models import Break, Event, Round, RoundClock
from tournament.models.events import EventStatus
from tournament.models.rounds import RoundStatus, Stage

MINUTES_A_DEAL = 12  # where no time is set: dealing, playing, writing it down
LONGEST_DAY = timedelta(hours=24)  # longer events have nights in them, of which nothing is known
TYPED_AFTERWARDS = 0.2  # of the plan: what took less was not played then
NOTHING = timedelta()


@dataclass(frozen=True, slots=True)
class Part:
    """A round or the final. `length`: as planned; `began`, `ended`: what really was."""

    stage: Stage
    number: int
    length: timedelta
    began: datetime | None = None
    ended: datetime | None = None

    @property
    def is_preliminary(self) -> bool:
        return self.stage == Stage.PRELIMINARY

    @property
    def is_final(self) -> bool:
        return self.stage == Stage.FINAL


@dataclass(frozen=True, slots=True)
class PartTime:
    """When a part begins and ends: as it was (`done`), is (`playing`), or will be."""

    part: Part
    begins: datetime
    ends: datetime
    late: timedelta  # behind the plan; less than nothing: before it

    @property
    def minutes_late(self) -> int:
        return self.late // timedelta(minutes=1)

    @property
    def done(self) -> bool:
        return self.part.ended is not None

    @property
    def playing(self) -> bool:
        return self.part.began is not None and self.part.ended is None


@dataclass(frozen=True, slots=True)
class Shortening:
    """One way to end earlier. `kind`: "rounds", "minutes" or "final"; `value`: how many there would
    be; `ends`: when the day would end."""

    kind: str
    value: int
    ends: datetime
    fits: bool


@dataclass(frozen=True, slots=True)
class DayPlan:
    """`pace`: how long the rounds so far took against the plan (1: as planned), None before the
    first has ended; `assumed`: no time is set, so minutes a deal are assumed; `limit`: when the
    day is to end, None if nobody said."""

    parts: tuple[PartTime, ...]
    pace: float | None
    assumed: bool
    limit: datetime | None
    begun: bool
    over: bool
    shortenings: tuple[Shortening, ...] = ()

    @property
    def ends(self) -> datetime:
        return self.parts[-1].ends

    @property
    def spare(self) -> timedelta | None:
        """To the limit; less than nothing: too much is planned. None without a limit."""
        return None if self.limit is None else self.limit - self.ends

    @property
    def minutes_over(self) -> int:
        """Rounded up; 0 where it fits, or nobody said when it has to end."""
        spare = self.spare
        return 0 if spare is None or spare >= NOTHING else -(spare // timedelta(minutes=1))

    @property
    def minutes_spare(self) -> int:
        return 0 if self.spare is None else max(0, self.spare // timedelta(minutes=1))

    @property
    def percent(self) -> int | None:
        """What the rounds take beyond the plan, in percent."""
        return None if self.pace is None else round(100 * (self.pace - 1))

    @property
    def percent_less(self) -> int:
        return -(self.percent or 0)


# --- Arithmetic ------------------------------------------------------------------------------


def pace_of(parts: Iterable[Part]) -> float | None:
    """The middle one of what ended parts took against what was planned for them; None while
    nothing is known."""
    ratios = [
        (part.ended - part.began) / part.length
        for part in parts
        if part.began is not None and part.ended is not None
    ]
    played = [ratio for ratio in ratios if ratio > TYPED_AFTERWARDS]
    return median(played) if played else None


def lay_out(
    parts: Sequence[Part], start: datetime, pause: timedelta, pace: float = 1.0
) -> list[tuple[datetime, datetime]]:
    """When each part begins and ends, one after the other with a break between them."""
    times, at = [], start
    for part in parts:
        ends = at + part.length * pace
        times.append((at, ends))
        at = ends + pause
    return times


def forecast(
    parts: Sequence[Part],
    *,
    start: datetime,
    pause: timedelta,
    now: datetime,
    not_before: datetime | None = None,
) -> tuple[PartTime, ...]:
    """The parts as they were and, at this pace, will be. What is late can't begin or end in the
    past; `not_before`: a break is announced, and the next part begins after it."""
    planned = lay_out(parts, start, pause)
    pace = pace_of(parts) or 1.0
    times: list[PartTime] = []
    at = start
    for part, (_begin, planned_end) in zip(parts, planned, strict=True):
        begins = part.began or max(at, now, not_before or at)
        ends = part.ended or max(begins + part.length * pace, now)
        times.append(PartTime(part, begins, ends, ends - planned_end))
        at = ends + pause
    return tuple(times)


def shorten(
    parts: Sequence[Part],
    *,
    ends: datetime,
    pause: timedelta,
    pace: float,
    limit: datetime,
    now: datetime,
) -> tuple[Shortening, ...]:
    """Ways to end by the limit, of what has not begun: the most rounds that fit, the longest rounds
    that fit, no final. Where even the last resort does not fit it is told all the same."""
    coming = [part for part in parts if part.began is None]
    rounds = [part for part in coming if part.is_preliminary]
    final = next((part for part in coming if part.is_final), None)
    played = sum(part.is_preliminary for part in parts) - len(rounds)
    found = []
    cut = ends
    for left in range(len(rounds) - 1, -1, -1):
        cut -= rounds[left].length * pace + pause
        if left + played == 0:
            break
        if cut <= limit or left == 0 or left + played == 1:
            found.append(Shortening("rounds", left + played, cut, cut <= limit))
            break
    if rounds:
        found += _shorter_rounds(rounds, ends=ends, pace=pace, limit=limit)
    if final is not None:
        without = ends - final.length * pace - pause
        found.append(Shortening("final", 0, without, without <= limit))
    return tuple(one for one in found if one.ends > now)


def _shorter_rounds(
    rounds: Sequence[Part], *, ends: datetime, pace: float, limit: datetime
) -> list[Shortening]:
    """The whole minutes that a coming round may last; less than half of the plan is no advice."""
    length = rounds[0].length
    less = (ends - limit) / len(rounds) / pace
    minutes = (length - less) // timedelta(minutes=1)
    if timedelta(minutes=2 * minutes) < length:
        return []
    saved = (length - timedelta(minutes=minutes)) * pace * len(rounds)
    return [Shortening("minutes", minutes, ends - saved, ends - saved <= limit)]


# --- From the facts --------------------------------------------------------------------------


def day_plan(event: Event, now: datetime) -> DayPlan:
    """In a fixed number of queries."""
    parts = _parts(event)
    pause = timedelta(minutes=event.break_minutes)
    played = [part for part in parts if part.began is not None]
    start = played[0].began if played and played[0].began else event.starts_at
    # Before the first round the plan is what was announced, until that is past.
    from_now = now if played or now > event.starts_at else start
    times = forecast(
        parts, start=start, pause=pause, now=from_now, not_before=_break_until(event, now)
    )
    limit = event.ends_at
    # Of an event of several days, or one that is played on another, the day's end is not known.
    if limit is not None and max(now, limit) - event.starts_at > LONGEST_DAY:
        limit = None
    plan = DayPlan(
        parts=times,
        pace=pace_of(parts),
        assumed=any(event.minutes_of(part.stage) is None for part in parts),
        limit=limit,
        begun=bool(played),
        over=event.status == EventStatus.FINISHED or all(time.done for time in times),
    )
    if plan.over or limit is None or not plan.minutes_over:
        return plan
    ways = shorten(
        parts, ends=plan.ends, pause=pause, pace=plan.pace or 1.0, limit=limit, now=from_now
    )
    return replace(plan, shortenings=ways)


def _parts(event: Event) -> list[Part]:
    """What is played, then what is planned beyond it."""
    rounds = list(
        event.rounds.played()
        .order_by("stage_order", "number")
        .annotate(last=Max("tables__sheet__confirmed_at"))
    )
    clocks = {one.round_id: one for one in RoundClock.objects.filter(round__event=event)}
    found = [_played(event, round_, clocks.get(round_.pk)) for round_ in rounds]
    stages = {part.stage for part in found}
    if Stage.FINAL in stages:
        return found
    coming: list[tuple[Stage, int]] = []
    if Stage.SEMI_FINAL not in stages:
        played = sum(part.is_preliminary for part in found)
        last = 0 if event.cuts.in_force().exists() else event.rounds_planned
        coming += [(Stage.PRELIMINARY, number) for number in range(played + 1, last + 1)]
        if event.has_semi_final:
            coming.append((Stage.SEMI_FINAL, 1))
    if event.has_final:
        coming.append((Stage.FINAL, 1))
    return found + [Part(stage, number, planned_length(event, stage)) for stage, number in coming]


def _played(event: Event, round_: Round, clock: RoundClock | None) -> Part:
    began = (clock.starts_at if clock else None) or round_.published_at
    length = (
        timedelta(seconds=clock.seconds)
        if clock and clock.seconds
        else planned_length(event, round_.stage)
    )
    ended = None
    if round_.status == RoundStatus.CLOSED:
        # Play ended with the last sheet; one corrected later says nothing of it.
        last = round_.last  # type: ignore[attr-defined]
        known = [moment for moment in (last, round_.closed_at) if moment is not None]
        ended = min(known, default=None)
    return Part(Stage(round_.stage), round_.number, length, began, ended)


def planned_length(event: Event, stage: str) -> timedelta:
    """The time that is set; where none is, so many minutes a deal are assumed."""
    minutes = event.minutes_of(stage) or event.deals_of(stage) * MINUTES_A_DEAL
    return timedelta(minutes=minutes)


def _break_until(event: Event, now: datetime) -> datetime | None:
    pause: Break | None = event.breaks.first()
    if pause is None or pause.withdrawn_at is not None or pause.ends_at <= now:
        return None
    return pause.ends_at
