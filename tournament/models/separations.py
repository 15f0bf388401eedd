"""Two players whom a draw never puts at one table."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from tournament.models.base import WithdrawableQuerySet
from tournament.models.events import Event
from tournament.models.people import User
from tournament.models.players import Player


class Separation(models.Model):
    """A pair kept apart (parent and child, say); withdrawn when it no longer holds, never deleted.
    `first` is the one with the lower key, so that a pair is one pair whichever way it is named."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="separations")
    first = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=200, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = WithdrawableQuerySet["Separation"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(first__lt=F("second")), name="separation_is_two_people_in_order"
            ),
            models.UniqueConstraint(
                fields=["first", "second"],
                # The same two can be kept apart again after it was withdrawn.
                condition=Q(withdrawn_at__isnull=True),
                name="separation_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first} / {self.second}"
