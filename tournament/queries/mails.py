"""What became of an event's mails, for whoever organises it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from tournament.models import Event, Mail, Series
from tournament.models.mails import MailStatus

SHOWN = 200
RECENT = timedelta(hours=1)
SAID_FOR = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class MailsView:
    """Those that did not arrive, those on their way, and those of the last hour; latest first.
    `sent`: of all."""

    failed: Sequence[Mail]
    waiting: Sequence[Mail]
    recent: Sequence[Mail]
    sent: int


def mails_of(event: Event) -> MailsView:
    mails = event.mails.select_related("player").order_by("-pk")
    sent = mails.filter(status=MailStatus.SENT)
    return MailsView(
        failed=tuple(mails.failed()[:SHOWN]),
        waiting=tuple(mails.waiting()[:SHOWN]),
        recent=tuple(sent.filter(sent_at__gt=timezone.now() - RECENT)[:SHOWN]),
        sent=sent.count(),
    )


def undelivered(whose: Event | Series) -> QuerySet[Mail]:
    """Those that failed, or were tried in vain so far: the desk says so, for a week."""
    lately = whose.mails.filter(created_at__gt=timezone.now() - SAID_FOR)
    return lately.exclude(status=MailStatus.SENT).exclude(error="").order_by("-pk")
