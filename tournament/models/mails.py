"""Mails to people, from when they are written to when a mail server has taken them."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Self

from django.db import models
from django.db.models import Q

from tournament.models.base import LockingQuerySet
from tournament.models.events import Event
from tournament.models.players import Player
from tournament.models.series import Series


class MailKind(models.TextChoices):
    """What a mail tells; each but the last has its templates, `mail/<kind>.txt`. No page names
    them: its subject says it."""

    TICKET = "ticket"
    PROMOTION = "promotion"
    ANNOUNCEMENT = "announcement"
    INVITATION = "invitation"
    PLACE = "place"
    PLACE_WITHDRAWN = "place_withdrawn"
    SERIES_INVITATION = "series_invitation"
    SERIES_QUESTION = "series_question"
    CLAIM = "claim"
    PERSON = "person"
    MERGE = "merge"
    TEST = "test"
    ACCOUNT = "account"


# Those that bring the ticket: the last one counts, and whether it arrived.
TICKET_MAILS = (MailKind.TICKET, MailKind.PROMOTION)


# In place of a mail server's answer: the mailbox got so many that this one waits.
CROWDED = "too many to one mailbox"


class MailStatus(models.TextChoices):
    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"


class MailQuerySet(LockingQuerySet["Mail"]):
    def waiting(self) -> Self:
        return self.filter(status=MailStatus.WAITING)

    def failed(self) -> Self:
        return self.filter(status=MailStatus.FAILED)

    def due(self, now: datetime) -> Self:
        """Those that nobody is sending, and whose next try has come."""
        return self.waiting().filter(next_at__lte=now)

    def of_tickets(self) -> Self:
        return self.filter(kind__in=TICKET_MAILS)

    def of_person(self, player: Player, *emails: str) -> Self:
        """About this entry, or to one of these addresses."""
        found = Q(player=player)
        for email in filter(None, emails):
            found |= Q(to__iexact=email)
        return self.filter(found)

    def erase(self) -> None:
        """Nothing about anybody is left: what waits is not sent, of the rest the fact stays."""
        self.waiting().delete()
        self.update(to="", subject="", body="", error="", player=None)


class Mail(models.Model):
    """Written in the transaction of what it tells, delivered after it (`tournament.postman`).
    `next_at`: the next try, or until when somebody who is at it has it for themselves. `event` and
    `series`: whose organisers see what becomes of it. `body`: emptied some days after."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, related_name="mails")
    series = models.ForeignKey(Series, on_delete=models.CASCADE, null=True, related_name="mails")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="mails")
    kind = models.CharField(max_length=20, choices=MailKind)
    to = models.CharField(max_length=320, blank=True)
    subject = models.CharField(max_length=300, blank=True)
    body = models.TextField(blank=True)
    language = models.CharField(max_length=12, blank=True)
    status = models.CharField(max_length=10, choices=MailStatus, default=MailStatus.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField()
    error = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    objects = MailQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(status__in=MailStatus.values), name="mail_status_known"
            ),
            models.CheckConstraint(condition=Q(kind__in=MailKind.values), name="mail_kind_known"),
            models.CheckConstraint(
                condition=Q(status=MailStatus.SENT, sent_at__isnull=False)
                | (~Q(status=MailStatus.SENT) & Q(sent_at__isnull=True)),
                name="mail_sent_at_a_time",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # Looked for once a minute, among all that were ever sent.
            models.Index(
                fields=["next_at"],
                condition=Q(status=MailStatus.WAITING),
                name="mail_due",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}: {self.status}"

    @property
    def tried(self) -> bool:
        """Waiting, though a mail server was asked before."""
        return self.status == MailStatus.WAITING and bool(self.error)

    @property
    def crowded(self) -> bool:
        """Held back, since its mailbox got very many."""
        return self.error == CROWDED

    @property
    def repeatable(self) -> bool:
        return self.status == MailStatus.FAILED and bool(self.body)
