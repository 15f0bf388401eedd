"""Pairs whom no draw puts at one table."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.actor import Actor
from tournament.models import Event, LogEntry, PairApart, Player
from tournament.models.events import EventStatus
from tournament.refused import Refused


@transaction.atomic
def keep_apart(
    *, event: Event, first: Player, second: Player, reason: str, by: Actor, key: str = ""
) -> PairApart:
    """From the next draw on these two sit at different tables."""
    event = Event.objects.lock(event.pk)
    if done := LogEntry.objects.about(event, key):
        return PairApart.objects.get(pk=done)
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    if first == second:
        raise Refused(_("Choose two different people."))
    one, two = sorted((first, second), key=lambda player: player.pk)
    if event.pairs_apart.filter(first=one, second=two, withdrawn_at=None).exists():
        raise Refused(
            _("%(first)s and %(second)s are kept apart already.")
            % {"first": first.name, "second": second.name}
        )
    pair = PairApart.objects.create(
        event=event, first=one, second=two, reason=reason, made_by=by.user
    )
    LogEntry.objects.record(
        "pair.kept_apart",
        event=event,
        by=by,
        about=pair,
        after=[first.number, second.number],
        reason=reason,
        key=key,
    )
    return pair


@transaction.atomic
def withdraw_pair(*, pair: PairApart, by: Actor) -> PairApart:
    """The two may meet again; that they were kept apart stays on record."""
    event = Event.objects.lock(pair.event_id)
    pair = PairApart.objects.select_related("first", "second").get(pk=pair.pk)
    if pair.withdrawn_at is not None:
        raise Refused(_("This pair was withdrawn already."))
    pair.withdrawn_at, pair.withdrawn_by = timezone.now(), by.user
    pair.save(update_fields=["withdrawn_at", "withdrawn_by"])
    LogEntry.objects.record(
        "pair.withdrawn",
        event=event,
        by=by,
        about=pair,
        before=[pair.first.number, pair.second.number],
    )
    return pair
