"""The time of a round, of a table, of a break: started, stopped, lengthened."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.actions.rounds import lock_round
from tournament.actions.scoresheets import submit_sheet
from tournament.clocks import ClockState
from tournament.models import (
    Break,
    Event,
    LogEntry,
    Round,
    RoundClock,
    Scoresheet,
    Submission,
    Table,
    TableTime,
)
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.rounds import RoundStatus
from tournament.models.scoresheets import SheetStatus
from tournament.queries.clocks import clock_of
from tournament.queries.scoresheets import first_gap
from tournament.queries.seats import round_in_play
from tournament.refusals import Conflict, Refused

FARTHEST = timedelta(days=2)  # an announced start lies in this event
MOST = timedelta(hours=24)


def whole_second(moment: datetime) -> datetime:
    """Clocks change at whole seconds, on every screen at the same one."""
    return moment.replace(microsecond=0)


def _now() -> datetime:
    return whole_second(timezone.now())


def start_seen(starts_at: datetime | None) -> str:
    """The start that a page shows, as its forms send it back."""
    return "" if starts_at is None else starts_at.astimezone(UTC).isoformat()


def _lock_clock(round_: Round) -> tuple[Event, Round, RoundClock]:
    """The clock of a round that is played, locked with it; the first time it is made."""
    event, round_ = lock_round(round_, RoundStatus.PUBLISHED)
    clock, _made = RoundClock.objects.get_or_create(
        round=round_, defaults={"seconds": event.seconds_of(round_.stage)}
    )
    return event, round_, clock


def _change[Row: Any](
    verb: str,
    event: Event,
    about: Round | Table,
    row: Row,
    by: Actor,
    *,
    why: str = "",
    key: str = "",
    **values: Any,
) -> Row:
    """Write some of a clock's values, with one log entry that has both."""
    before = {name: _plain(getattr(row, name)) for name in values}
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=[*values])
    Submission.objects.remember(event, key, about)
    after = {name: _plain(value) for name, value in values.items()}
    LogEntry.objects.record(
        verb, event=event, by=by, about=about, before=before, after=after, reason=why
    )
    return row


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


@transaction.atomic
def start_clock(
    *,
    round_: Round,
    by: Actor,
    at: datetime | None = None,
    seen: str | None = None,
    key: str = "",
) -> RoundClock:
    """The time runs from now, or from an announced start on; again, it begins anew. Raises Conflict
    if the start is another one than was `seen` (`start_seen`): somebody has pressed meanwhile, and
    what the tables have played would be lost."""
    event, round_, clock = _lock_clock(round_)
    if Submission.objects.processed(event, key):
        return clock
    if seen is not None and seen != start_seen(clock.starts_at):
        raise Conflict(_("Somebody has set the clock meanwhile: look at it, then press again."))
    now = _now()
    starts_at = whole_second(at) if at else now
    if not now - FARTHEST <= starts_at <= now + FARTHEST:
        raise Refused(_("The start has to be today or tomorrow."))
    TableTime.objects.filter(table__round=round_).update(stood_seconds=0)  # nothing has yet
    return _change(
        "clock.announced" if starts_at > now else "clock.started",
        event,
        round_,
        clock,
        by,
        key=key,
        starts_at=starts_at,
        paused_at=None,
        paused_seconds=0,
    )


@transaction.atomic
def pause_clock(*, round_: Round, by: Actor) -> RoundClock:
    """The time stands still for everybody. Before an announced start there is nothing to pause."""
    event, round_, clock = _lock_clock(round_)
    now = _now()
    if clock.starts_at is None or clock.starts_at > now:
        raise Refused(_("The clock has not started."))
    if clock.paused_at is not None:
        return clock
    return _change("clock.paused", event, round_, clock, by, paused_at=now)


@transaction.atomic
def resume_clock(*, round_: Round, by: Actor) -> RoundClock:
    """The time goes on where it stood."""
    event, round_, clock = _lock_clock(round_)
    if clock.paused_at is None:
        return clock
    stood = max(timedelta(), _now() - clock.paused_at)
    _stand_on(round_, clock.starts_at or clock.paused_at, clock.paused_at, stood)
    return _change(
        "clock.resumed",
        event,
        round_,
        clock,
        by,
        paused_at=None,
        paused_seconds=clock.paused_seconds + round(stood.total_seconds()),
    )


def _stand_on(round_: Round, began: datetime, paused_at: datetime, stood: timedelta) -> None:
    """Tables that stand still beside the round that goes on: everybody gets the pause back, so for
    them it counts from behind it, else they would get it twice."""
    for own in TableTime.objects.filter(table__round=round_).locked():
        if own.stopped_at is not None:
            own.stopped_at = max(began, min(own.stopped_at, paused_at)) + stood
            own.save(update_fields=["stopped_at"])


@transaction.atomic
def add_time(*, round_: Round, seconds: int, by: Actor, key: str = "") -> RoundClock:
    """More time for every table, or less."""
    event, round_, clock = _lock_clock(round_)
    if Submission.objects.processed(event, key):
        return clock
    # The time may have been set after the round began without one.
    length = clock.seconds or event.seconds_of(round_.stage)
    if length is None:
        raise Refused(_("This round has no time: set its minutes in the settings first."))
    length += seconds
    if not 0 < length <= MOST.total_seconds():
        raise Refused(_("A round lasts between a second and a day."))
    return _change("clock.lengthened", event, round_, clock, by, key=key, seconds=length)


def _change_table(
    table: Table,
    verb: str,
    by: Actor,
    values: Callable[[TableTime], dict[str, Any]],
    reason: str = "",
    key: str = "",
) -> TableTime:
    event, _round = lock_round(table.round, RoundStatus.PUBLISHED)
    table = Table.objects.lock(table.pk)
    time, _made = TableTime.objects.get_or_create(table=table)
    if Submission.objects.processed(event, key):
        return time
    if table.sheet.status == SheetStatus.CONFIRMED:
        raise Refused(_("This table is done."))
    changed = values(time)
    if not changed:
        return time
    return _change(verb, event, table, time, by, why=reason, key=key, **changed)


@transaction.atomic
def give_table_time(
    *, table: Table, seconds: int, reason: str, by: Actor, key: str = ""
) -> TableTime:
    """More time for one table (or less), for instance because a judge was called there."""

    def longer(time: TableTime) -> dict[str, Any]:
        extra = time.extra_seconds + seconds
        if abs(extra) > MOST.total_seconds():
            raise Refused(_("A round lasts between a second and a day."))
        return {"extra_seconds": extra, "given_seconds": seconds, "reason": reason[:200]}

    return _change_table(table, "clock.table_time", by, longer, reason, key)


@transaction.atomic
def take_table_time_back(
    *, table: Table, by: Actor, seconds: int | None = None, seen: str | None = None
) -> TableTime:
    """What was given last, or so many seconds of it; pressed twice, once. Raises Conflict where the
    table's extra time is not what was `seen`."""

    def shorter(time: TableTime) -> dict[str, Any]:
        taken = time.given_seconds if seconds is None else seconds
        if not taken:
            return {}
        if seen is not None and seen != str(time.extra_seconds):
            raise Conflict(_("The time of this table is another one by now: look at it first."))
        return {"extra_seconds": time.extra_seconds - taken, "given_seconds": 0}

    return _change_table(table, "clock.table_time_back", by, shorter)


@transaction.atomic
def stop_table(*, table: Table, reason: str, by: Actor) -> TableTime:
    """One table's time stands still, and the others' goes on."""

    def stands(time: TableTime) -> dict[str, Any]:
        return {} if time.stopped_at else {"stopped_at": _now(), "reason": reason[:200]}

    return _change_table(table, "clock.table_stopped", by, stands, reason)


@transaction.atomic
def resume_table(*, table: Table, by: Actor) -> TableTime:
    """The table's time goes on: what it stood still comes on top."""

    def goes_on(time: TableTime) -> dict[str, Any]:
        if time.stopped_at is None:
            return {}
        clock = clock_of(table.round.event).clock
        if clock.starts_at is None:  # no time has passed that it could have missed
            return {"stopped_at": None}
        # It can't stand still while the whole round does, nor before it has begun.
        until = min(one for one in (_now(), clock.paused_at) if one is not None)
        since = max(time.stopped_at, clock.starts_at)
        stood = max(0, round((until - since).total_seconds()))
        return {
            "stopped_at": None,
            "extra_seconds": time.extra_seconds + stood,
            "stood_seconds": time.stood_seconds + stood,
        }

    return _change_table(table, "clock.table_resumed", by, goes_on)


@transaction.atomic
def hand_in_for_time(*, round_: Round, reason: str, by: Actor, key: str = "") -> list[int]:
    """Close the tables whose time is over, as they are: deals that were not played count as not
    played. Their numbers."""
    event, round_ = lock_round(round_, RoundStatus.PUBLISHED)
    if Submission.objects.processed(event, key):
        return []
    clock, now = clock_of(event), timezone.now()
    sheets = Scoresheet.objects.filter(table__round=round_, status=SheetStatus.OPEN)
    closed = []
    for sheet in sheets.select_related("table").locked():
        over = clock.read(now, sheet.table.number).state == ClockState.OVER
        if over and first_gap(sheet) is None:
            submit_sheet(sheet=sheet, by=by, short_reason=reason)
            closed.append(sheet.table.number)
    if not closed:
        raise Refused(_("No table's time is over."))
    Submission.objects.remember(event, key, round_)
    return sorted(closed)


@transaction.atomic
def announce_break(
    *,
    event: Event,
    ends_at: datetime,
    text: str,
    by: Actor,
    stop: bool = False,
    key: str = "",
) -> Break | None:
    """Nothing is played until then; every screen counts down. `stop`: the clock of the round that
    is played stands still, until somebody lets it go on."""
    event = Event.objects.lock(event.pk)
    if Submission.objects.processed(event, key):
        return event.breaks.first()
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished. Open it again first."))
    ends_at, now = whole_second(ends_at), _now()
    if not now < ends_at <= now + FARTHEST:
        raise Refused(_("The break has to end in the next hours."))
    pause = Break.objects.create(event=event, ends_at=ends_at, text=text[:60])
    Submission.objects.remember(event, key, pause)
    after = {"ends_at": ends_at.isoformat(), "text": pause.text}
    LogEntry.objects.record("clock.break_announced", event=event, by=by, about=pause, after=after)
    round_ = round_in_play(event)
    if stop and round_ is not None:
        pause_clock(round_=round_, by=by)
    return pause


@transaction.atomic
def end_break(*, event: Event, by: Actor) -> None:
    """It goes on at once."""
    event = Event.objects.lock(event.pk)
    pause = event.breaks.first()
    if pause is None or pause.withdrawn_at is not None:
        raise Conflict(_("The break is over already."))
    pause.withdrawn_at = timezone.now()
    pause.save(update_fields=["withdrawn_at"])
    LogEntry.objects.record("clock.break_ended", event=event, by=by, about=pause)
