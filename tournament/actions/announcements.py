"""What an organiser tells many players at once, by mail and on their tickets."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament import mail
from tournament.actions.players import refuse_draft
from tournament.models import Announcement, Event, LogEntry, Submission
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.queries.announcements import addressees
from tournament.refusals import Refused


@transaction.atomic
def send_announcement(
    *, event: Event, audience: str, subject: str, text: str, by: Actor, key: str = ""
) -> Announcement:
    """`audience`: an `Audience`. Mailed to whoever of it has an e-mail."""
    event = Event.objects.lock(event.pk)
    if done := Submission.objects.outcome(event, key):
        return Announcement.objects.get(pk=done)
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    refuse_draft(event)
    players = list(addressees(event, audience).select_related("event", "contact"))
    announcement = Announcement.objects.create(
        event=event,
        audience=audience,
        subject=subject,
        text=text,
        mailed=len(players),
        created_by=by.user,
    )
    Submission.objects.remember(event, key, announcement)
    LogEntry.objects.record(
        "announcement.sent",
        event=event,
        by=by,
        about=announcement,
        after={"audience": audience, "mailed": len(players)},
    )
    mail.send_announcement(announcement, players)
    return announcement


@transaction.atomic
def withdraw_announcement(*, announcement: Announcement, by: Actor) -> Announcement:
    """Off the tickets; what was mailed stays mailed."""
    event = Event.objects.lock(announcement.event_id)
    announcement = Announcement.objects.get(pk=announcement.pk)
    if announcement.withdrawn_at is not None:
        raise Refused(_("This message was taken down already."))
    announcement.withdrawn_at, announcement.withdrawn_by = timezone.now(), by.user
    announcement.save(update_fields=["withdrawn_at", "withdrawn_by"])
    LogEntry.objects.record("announcement.withdrawn", event=event, by=by, about=announcement)
    return announcement
