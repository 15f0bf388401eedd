"""What an organiser tells many players at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from tournament.models.base import WithdrawableQuerySet
from tournament.models.events import Event
from tournament.models.people import User
from tournament.models.players import PlayerStatus


class Audience(models.TextChoices):
    EXPECTED = "expected", _("Everybody registered or here")
    HERE = "here", _("Those who are here")
    WAITING = "waiting", _("Those on the waiting list")


IN_AUDIENCE: Mapping[str, Sequence[PlayerStatus]] = {
    Audience.EXPECTED: (PlayerStatus.REGISTERED, PlayerStatus.CHECKED_IN),
    Audience.HERE: (PlayerStatus.CHECKED_IN,),
    Audience.WAITING: (PlayerStatus.WAITING,),
}


class Announcement(models.Model):
    """Mailed once, to whoever was in the audience then (`mailed` of them had an e-mail); on the
    tickets of whoever is in it now, until it is taken down or the event is finished."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="announcements")
    subject = models.CharField(_("subject"), max_length=100, blank=True)
    text = models.TextField(_("text"), max_length=600)
    audience = models.CharField(
        _("to whom"), max_length=10, choices=Audience.choices, default=Audience.EXPECTED
    )
    mailed = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = WithdrawableQuerySet["Announcement"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(audience__in=Audience.values), name="announcement_audience_known"
            ),
        ]

    def __str__(self) -> str:
        return self.subject or Truncator(self.text).chars(60)
