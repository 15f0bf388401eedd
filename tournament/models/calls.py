"""A judge is called to a table, and somebody is not at theirs: facts, each with its end."""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q

from tournament.models.base import LockingQuerySet, WithdrawableQuerySet
from tournament.models.events import Event
from tournament.models.people import User
from tournament.models.players import Player
from tournament.models.rounds import PLAYED_ROUND, Round, Table


class JudgeCallQuerySet(LockingQuerySet["JudgeCall"]):
    def open(self) -> Self:
        """Neither done nor taken back."""
        return self.filter(ended_at__isnull=True, withdrawn_at__isnull=True)

    def waiting(self) -> Self:
        """Open ones of rounds that people see, the oldest first."""
        return self.open().filter(table__round__status__in=PLAYED_ROUND).order_by("pk")


class JudgeCall(models.Model):
    """A table asks for a judge. `answered_by`: who comes; `extra_seconds`: what the table got for
    it when the call was done; `stood_seconds`: how long its clock had stood still until the
    call."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="calls")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="calls")
    reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    answered_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    extra_seconds = models.PositiveIntegerField(default=0)
    stood_seconds = models.PositiveIntegerField(default=0)

    objects = JudgeCallQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(ended_at__isnull=True, withdrawn_at__isnull=True),
                name="call_open_once_per_table",
            ),
            models.CheckConstraint(
                condition=Q(answered_at__isnull=True, answered_by__isnull=True)
                | Q(answered_at__isnull=False, answered_by__isnull=False),
                name="call_answered_by_somebody",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(withdrawn_at__isnull=True),
                name="call_ends_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.created_at}"

    @property
    def is_open(self) -> bool:
        return self.ended_at is None and self.withdrawn_at is None

    @property
    def extra_minutes(self) -> int:
        return self.extra_seconds // 60


class LateArrivalQuerySet(WithdrawableQuerySet["LateArrival"]):
    def missing(self) -> Self:
        """Who is not at the table yet."""
        return self.in_force().filter(arrived_at__isnull=True)


class LateArrival(models.Model):
    """Somebody was not at their table. How late follows from the round's announced start, which
    may still change; of somebody who `left` a table that had begun, from the report. `reported_by`
    and `arrived_by` are `Actor.signature`s."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="late_arrivals")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="late_arrivals")
    reported_at = models.DateTimeField(auto_now_add=True)
    reported_by = models.CharField(max_length=60)
    left = models.BooleanField(default=False)
    arrived_at = models.DateTimeField(null=True, blank=True)
    arrived_by = models.CharField(max_length=60, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = LateArrivalQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["round", "player"],
                condition=Q(withdrawn_at__isnull=True),
                name="late_once_per_round",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.reported_at}"
