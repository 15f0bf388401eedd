"""The time of a round, of a table that has its own, and of breaks: instants, nothing that runs."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.clocks import Clock, TableClock
from tournament.models.base import LockingQuerySet, WithdrawableQuerySet
from tournament.models.events import Event
from tournament.models.rounds import Round, Table


class RoundClock(models.Model):
    """`starts_at`: announced, or when it was started; from then on lateness counts. `seconds`: how
    long the round lasts, None without a time. Instants are whole seconds, so that every screen
    changes at the same one."""

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="clock")
    seconds = models.PositiveIntegerField(null=True, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_seconds = models.PositiveIntegerField(default=0)

    objects = LockingQuerySet["RoundClock"].as_manager()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(paused_at__isnull=True) | Q(starts_at__isnull=False),
                name="clock_pauses_once_started",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round_id}: {self.starts_at}"

    @property
    def value(self) -> Clock:
        """As `clocks.py` computes with it."""
        return Clock(
            starts_at=self.starts_at,
            length=None if self.seconds is None else timedelta(seconds=self.seconds),
            paused_at=self.paused_at,
            paused_for=timedelta(seconds=self.paused_seconds),
        )


class TableTime(models.Model):
    """A table whose time is not the round's: more of it, or standing still since `stopped_at`.
    `given_seconds`: what was given last, as long as it can be taken back; `stood_seconds`: how long
    it stood still by itself, which is part of the extra time."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="time")
    extra_seconds = models.IntegerField(default=0)
    given_seconds = models.IntegerField(default=0)
    stood_seconds = models.PositiveIntegerField(default=0)
    stopped_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)

    objects = LockingQuerySet["TableTime"].as_manager()

    def __str__(self) -> str:
        return f"{self.table_id}: {self.extra_seconds}"

    @property
    def given_minutes(self) -> str:
        """ "+5", of what was given last."""
        return f"{self.given_seconds // 60:+d}"

    @property
    def value(self) -> TableClock:
        return TableClock(
            extra=timedelta(seconds=self.extra_seconds),
            stopped_at=self.stopped_at,
            stood=timedelta(seconds=self.stood_seconds),
        )


class Break(models.Model):
    """Nothing is played until then: lunch, or the next round's announced start. The one announced
    last is in force."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="breaks")
    text = models.CharField(_("what for"), max_length=60, blank=True)
    ends_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = WithdrawableQuerySet["Break"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]

    def __str__(self) -> str:
        return self.text or str(self.ends_at)
