"""Rounds, their tables, and who sits where."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.models.base import LockingQuerySet, new_token
from tournament.models.events import Event
from tournament.models.players import Player


class Stage(models.TextChoices):
    PRELIMINARY = "preliminary", _("Preliminary")
    FINAL = "final", _("Final")


class RoundStatus(models.TextChoices):
    DRAWN = "drawn", _("Draft")
    PUBLISHED = "published", _("Playing")
    CLOSED = "closed", _("Closed")
    CANCELLED = "cancelled", _("Cancelled")


class Round(models.Model):
    """Everybody active is seated once. `report` is the seating's own account of its quality,
    `asked` what the draw was asked for: method, table sizes, the plan's seed."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    stage = models.CharField(max_length=12, choices=Stage.choices, default=Stage.PRELIMINARY)
    number = models.PositiveSmallIntegerField()
    deals = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=RoundStatus.choices, default=RoundStatus.DRAWN)
    seed = models.BigIntegerField(default=0)
    asked = models.JSONField(default=dict, blank=True)
    report = models.JSONField(default=dict, blank=True)
    drawn_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = LockingQuerySet["Round"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["event", "-stage", "number", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["event", "stage", "number"],
                condition=~Q(status=RoundStatus.CANCELLED),
                name="round_number_once_per_stage",
            ),
            models.CheckConstraint(
                condition=Q(status__in=RoundStatus.values), name="round_status_known"
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        if self.stage == Stage.FINAL:
            return gettext("Final")
        return gettext("Tournament round %(number)d") % {"number": self.number}

    @property
    def is_final(self) -> bool:
        return self.stage == Stage.FINAL


class Table(models.Model):
    """One group in one round. Its token is the link on its sheet. `changed_at`: since when the
    sheet that was printed is no longer right; empty once the new one lies on the table."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    token = models.CharField(max_length=32, unique=True, default=new_token)
    changed_at = models.DateTimeField(null=True, blank=True)

    objects = LockingQuerySet["Table"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["round", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["round", "number"], name="table_number_once_per_round"),
        ]

    def __str__(self) -> str:
        return gettext("Table %(number)d") % {"number": self.number}


class Seat(models.Model):
    """A place at a table, numbered from 1. The first is the dealer's."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    position = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        ordering: ClassVar[list[str]] = ["table", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["round", "player"], name="seat_player_once_per_round"),
            models.UniqueConstraint(
                fields=["table", "position"], name="seat_position_once_per_table"
            ),
            models.CheckConstraint(condition=Q(position__gte=1), name="seat_position_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.position}"

    @property
    def is_dealer(self) -> bool:
        return self.position == 1
