"""The screens in the hall: what each of them shows."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournament.models.base import LockingQuerySet, new_token
from tournament.models.events import Event


class View(models.TextChoices):
    """What a screen can show; FOLLOW is whichever of them the event is at."""

    FOLLOW = "follow", pgettext_lazy("screen", "Follow the event")
    REGISTRATION = "registration", pgettext_lazy("screen", "Registration")
    SEATING = "seating", pgettext_lazy("screen", "Seats by name")
    CLOCK = "clock", pgettext_lazy("screen", "Clock and tables")
    STANDINGS = "standings", pgettext_lazy("screen", "Standings")
    LOT = "lot", pgettext_lazy("screen", "Lot")
    FINAL = "final", pgettext_lazy("screen", "Final, deal by deal")
    PODIUM = "podium", pgettext_lazy("screen", "Champion and podium")
    BLANK = "blank", pgettext_lazy("screen", "Nothing")


MOST_SHARES = 4


class ScreenQuerySet(LockingQuerySet["Screen"]):
    def in_use(self) -> Self:
        """All but those that were switched off for good."""
        return self.filter(revoked_at__isnull=True)


class Screen(models.Model):
    """A television with an address of its own. `through`: the round at whose end the standings are
    shown, none: as everybody may see them. `held`: the view at which it was paused, also
    where it else follows the event, and `page` the page of it, from 0.
    `share` of `shares`: which part of the names it shows where several share a large field.
    `opened_at`: when a browser was first at its address. `version` counts what was steered: two
    desks notice each other."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="screens")
    name = models.CharField(_("name"), max_length=40)
    token = models.CharField(max_length=32, unique=True, default=new_token)
    shows = models.CharField(
        pgettext_lazy("screen", "shows"), max_length=12, choices=View.choices, default=View.FOLLOW
    )
    through = models.PositiveSmallIntegerField(null=True, blank=True)
    share = models.PositiveSmallIntegerField(default=1)
    shares = models.PositiveSmallIntegerField(default=1)
    held = models.CharField(max_length=12, choices=View.choices, blank=True)
    page = models.PositiveIntegerField(default=0)
    message = models.CharField(_("message"), max_length=120, blank=True)
    message_until = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ScreenQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(shows__in=View.values) & Q(held__in=["", *View.values]),
                name="screen_view_known",
            ),
            models.CheckConstraint(
                condition=Q(share__gte=1)
                & Q(share__lte=F("shares"))
                & Q(shares__range=(1, MOST_SHARES)),
                name="screen_share_in_range",
            ),
            models.CheckConstraint(
                condition=Q(message_until__isnull=True) | ~Q(message=""),
                name="screen_counts_down_to_something",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def paused(self) -> bool:
        return self.held != ""

    def message_at(self, now: datetime) -> str:
        """What stands over everything now; one that counts down is gone at its end."""
        over = self.message_until is not None and self.message_until <= now
        return "" if over else self.message
