"""Pairs whom no draw puts at one table."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Event, LogEntry, Player, Separation, Submission
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.queries.names import called
from tournament.refusals import Refused


@transaction.atomic
def separate_players(
    *, event: Event, first: Player, second: Player, reason: str, by: Actor, key: str = ""
) -> Separation:
    """From the next draw on these two sit at different tables."""
    event = Event.objects.lock(event.pk)
    if done := Submission.objects.outcome(event, key):
        return Separation.objects.get(pk=done)
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    if first == second:
        raise Refused(_("Choose two different people."))
    one, two = sorted((first, second), key=lambda player: player.pk)
    if event.separations.in_force().filter(first=one, second=two).exists():
        raise Refused(
            _("%(first)s and %(second)s are kept apart already.")
            % {"first": called(first), "second": called(second)}
        )
    separation = Separation.objects.create(
        event=event, first=one, second=two, reason=reason, created_by=by.user
    )
    Submission.objects.remember(event, key, separation)
    LogEntry.objects.record(
        "separation.added",
        event=event,
        by=by,
        about=separation,
        after=[first.number, second.number],
        reason=reason,
    )
    return separation


@transaction.atomic
def withdraw_separation(*, separation: Separation, by: Actor) -> Separation:
    """The two may meet again; that they were kept apart stays on record."""
    event = Event.objects.lock(separation.event_id)
    separation = Separation.objects.select_related("first", "second").get(pk=separation.pk)
    if separation.withdrawn_at is not None:
        raise Refused(_("This pair was withdrawn already."))
    separation.withdrawn_at, separation.withdrawn_by = timezone.now(), by.user
    separation.save(update_fields=["withdrawn_at", "withdrawn_by"])
    LogEntry.objects.record(
        "separation.withdrawn",
        event=event,
        by=by,
        about=separation,
        before=[separation.first.number, separation.second.number],
    )
    return separation
