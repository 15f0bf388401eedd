"""A judge is called to a table: made, taken back, answered, done."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.actions.clocks import give_table_time, take_table_time_back
from tournament.actions.sheet_lock import lock_sheet
from tournament.models import Event, JudgeCall, LogEntry, Submission, Table
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.rounds import RoundStatus
from tournament.models.scoresheets import SheetStatus
from tournament.queries.calls import may_call, may_have_time
from tournament.queries.clocks import clock_of
from tournament.refusals import Conflict, Refused


@transaction.atomic
def call_judge(*, table: Table, reason: str, by: Actor, key: str = "") -> JudgeCall:
    """The table asks for a judge. One call a table: pressed on a second phone, or twice, it is the
    one that is there."""
    locked = lock_sheet(table.sheet)
    if done := Submission.objects.outcome(locked.event, key):
        return JudgeCall.objects.get(pk=done)
    if found := JudgeCall.objects.open().filter(table=table).first():
        return found
    if locked.round.status != RoundStatus.PUBLISHED:
        raise Refused(_("The round is closed: go to a judge, or to the desk."))
    if locked.sheet.status == SheetStatus.CONFIRMED:
        raise Refused(_("This table's sheet is confirmed: go to a judge, or to the desk."))
    stood = clock_of(locked.event).stood_still(timezone.now(), table.number)
    call = JudgeCall.objects.create(
        event=locked.event,
        table=table,
        reason=reason[:200],
        stood_seconds=round(stood.total_seconds()),
    )
    Submission.objects.remember(locked.event, key, call)
    LogEntry.objects.record("call.made", event=locked.event, by=by, about=call, reason=reason)
    return call


def _lock_open(call: JudgeCall) -> JudgeCall:
    # Who answers is not joined: the join would still show what was so before the lock was awaited.
    call = JudgeCall.objects.select_related("event").lock(call.pk)
    if call.withdrawn_at is not None:
        raise Conflict(_("The table has taken its call back."))
    if call.ended_at is not None:
        raise Conflict(_("This call is done already."))
    return call


@transaction.atomic
def withdraw_call(*, table: Table, by: Actor) -> None:
    """The table needs no judge any more; a second press changes nothing."""
    found = JudgeCall.objects.open().filter(table=table).first()
    if found is None:
        return
    call = _lock_open(found)
    call.withdrawn_at = timezone.now()
    call.save(update_fields=["withdrawn_at"])
    LogEntry.objects.record("call.withdrawn", event=call.event, by=by, about=call)


@transaction.atomic
def answer_call(*, call: JudgeCall, by: Actor) -> JudgeCall:
    """A judge goes there. The first one's word stands, and a second one is told who goes."""
    call = _lock_open(call)
    if call.answered_by is not None and call.answered_by == by.user:
        return call
    if call.answered_by is not None:
        raise Conflict(_("%(judge)s is going there already.") % {"judge": call.answered_by})
    call.answered_by, call.answered_at = by.user, timezone.now()
    call.save(update_fields=["answered_by", "answered_at"])
    LogEntry.objects.record("call.answered", event=call.event, by=by, about=call)
    return call


@transaction.atomic
def end_call(*, call: JudgeCall, minutes: int, by: Actor, key: str = "") -> JudgeCall:
    """Done, whoever went there. The table gets so many minutes more, where it has a clock and still
    plays."""
    event = Event.objects.lock(call.event_id)  # the time of a table is under the event's lock
    done = JudgeCall.objects.select_related("table").filter(pk=call.pk, ended_at__isnull=False)
    again = Submission.objects.processed(event, key)
    if again and (found := done.first()):  # else it was opened again since
        return found
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished. Open it again first."))
    table = _table_of(call)
    call = _lock_open(call)  # before the first log entry, as everywhere
    seconds = 60 * minutes if may_have_time(table, timezone.now()) else 0
    if seconds:
        reason = _("A judge was called.")
        give_table_time(table=table, seconds=seconds, reason=reason, by=by)
    call.ended_by, call.ended_at, call.extra_seconds = by.user, timezone.now(), seconds
    call.save(update_fields=["ended_by", "ended_at", "extra_seconds"])
    Submission.objects.remember(event, "" if again else key, call)
    after = {"extra_seconds": seconds} if seconds else None
    LogEntry.objects.record("call.ended", event=event, by=by, about=call, after=after)
    call.table = table
    return call


def _table_of(call: JudgeCall) -> Table:
    return Table.objects.select_related("round__event", "sheet").get(pk=call.table_id)


@transaction.atomic
def reopen_call(*, call: JudgeCall, by: Actor) -> JudgeCall:
    """It was not done yet: open again, and the minutes for it are taken back. A second press
    changes nothing."""
    event = Event.objects.lock(call.event_id)
    table = _table_of(call)
    call = JudgeCall.objects.select_related("event").lock(call.pk)
    call.table = table
    if call.withdrawn_at is not None:
        raise Conflict(_("The table has taken its call back."))
    if call.ended_at is None:
        return call
    if JudgeCall.objects.open().filter(table=table).exists():
        raise Conflict(_("Table %(table)d has called again already.") % {"table": table.number})
    if not may_call(table):
        raise Refused(_("This table is done."))
    seconds, call.extra_seconds = call.extra_seconds, 0
    if seconds:
        take_table_time_back(table=table, seconds=seconds, by=by)
    call.ended_by, call.ended_at = None, None
    call.save(update_fields=["ended_by", "ended_at", "extra_seconds"])
    LogEntry.objects.record("call.reopened", event=event, by=by, about=call)
    return call
