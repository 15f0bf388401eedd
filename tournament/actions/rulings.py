"""Rulings: given to all tables, and withdrawn."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Event, LogEntry, Ruling, Submission
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.refusals import Refused

MOST = 100  # more than a day has, and as much as a page at a table can hold


@transaction.atomic
def give_ruling(*, event: Event, question: str, decision: str, by: Actor, key: str = "") -> Ruling:
    """From this moment it stands on every table's page and beside the rules."""
    event = Event.objects.lock(event.pk)
    if done := Submission.objects.outcome(event, key):
        return Ruling.objects.get(pk=done)
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    last = event.rulings.aggregate(last=Max("number"))["last"] or 0
    if last >= MOST:
        raise Refused(_("There are %(count)d rulings already.") % {"count": last})
    ruling = Ruling.objects.create(
        event=event,
        number=last + 1,
        question=question,
        decision=decision,
        created_by=by.user,
    )
    Submission.objects.remember(event, key, ruling)
    LogEntry.objects.record("ruling.given", event=event, by=by, about=ruling)
    return ruling


@transaction.atomic
def withdraw_ruling(*, ruling: Ruling, reason: str, by: Actor) -> Ruling:
    """It no longer holds; everybody goes on seeing that it did, and why it does no more."""
    event = Event.objects.lock(ruling.event_id)
    ruling = Ruling.objects.get(pk=ruling.pk)
    if ruling.withdrawn_at is not None:
        raise Refused(_("This ruling was withdrawn already."))
    if not reason:
        raise Refused(_("Say why the ruling is withdrawn."))
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished. Open it again first."))
    ruling.withdrawn_at, ruling.withdrawn_by = timezone.now(), by.user
    ruling.withdrawal_reason = reason
    ruling.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawal_reason"])
    LogEntry.objects.record("ruling.withdrawn", event=event, by=by, about=ruling, reason=reason)
    return ruling
