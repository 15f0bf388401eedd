"""Freezing what a finished event came to."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Event, Freeze, LogEntry, Result
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.queries.results import results_now
from tournament.refusals import Refused


def freeze(event: Event) -> Freeze:
    """The order of everybody as it is now, as the event's next version; the version before stays on
    record. Part of the action that makes it final, under the event's lock."""
    rows = results_now(event)
    now = timezone.now()
    event.freezes.in_force().update(replaced_at=now)
    last = event.freezes.aggregate(last=Max("version"))["last"] or 0
    made = Freeze.objects.create(event=event, version=last + 1, field=len(rows))
    for row in rows:
        row.freeze = made
    Result.objects.bulk_create(rows)
    return made


def freeze_if_missing(event: Event) -> Freeze | None:
    """Of an event that was finished before results were frozen; under its lock."""
    if event.status != EventStatus.FINISHED or event.freezes.in_force().exists():
        return None
    return freeze(event)


@transaction.atomic
def freeze_results(*, event: Event, by: Actor) -> Freeze | None:
    """The results of an event that is over and has none yet; None where they are there."""
    event = Event.objects.lock(event.pk)
    if event.status != EventStatus.FINISHED:
        raise Refused(_("The event is not finished."))
    made = freeze_if_missing(event)
    if made is not None:
        LogEntry.objects.record(
            "results.frozen", event=event, by=by, about=made, after={"people": made.field}
        )
    return made
