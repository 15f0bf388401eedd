"""What a finished event came to, frozen: the record that a season counts."""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.models.base import LockingQuerySet, PersonNameField
from tournament.models.events import Event
from tournament.models.players import Player


class Reached(models.TextChoices):
    """The last stage that somebody played in."""

    PRELIMINARY = "preliminary", _("Preliminaries")
    SEMI_FINAL = "semi_final", _("Semi-final")
    FINAL = "final", _("Final")


class FreezeQuerySet(LockingQuerySet["Freeze"]):
    def in_force(self) -> Self:
        """The latest of each event."""
        return self.filter(replaced_at__isnull=True)


class Freeze(models.Model):
    """The order of everybody as an event was finished with it. Finished again, the event has a
    later version, and the earlier one stays. `field`: how many people are ranked in it."""

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="freezes", db_index=False
    )
    version = models.PositiveSmallIntegerField()
    field = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    replaced_at = models.DateTimeField(null=True, blank=True)

    objects = FreezeQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["event", "version"], name="freeze_version_once_per_event"
            ),
            models.UniqueConstraint(
                fields=["event"],
                condition=Q(replaced_at__isnull=True),
                name="freeze_one_in_force_per_event",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.version}"


class Result(models.Model):
    """A player's place in the end. `number` and `name` are what they were then, the name as
    everybody saw it (empty: by the start number alone); the last three count the deals in which
    the player held each role."""

    freeze = models.ForeignKey(
        Freeze, on_delete=models.CASCADE, related_name="results", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="results")
    number = models.PositiveIntegerField()
    name = PersonNameField(max_length=60, blank=True)
    rank = models.PositiveIntegerField()
    shared = models.BooleanField()
    points = models.IntegerField()
    stars = models.PositiveIntegerField()
    reached = models.CharField(max_length=12, choices=Reached.choices)
    won = models.BooleanField()
    miner_deals = models.PositiveSmallIntegerField(default=0)
    saboteur_deals = models.PositiveSmallIntegerField(default=0)
    selfish_deals = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["freeze", "player"], name="result_once_per_player"),
            models.CheckConstraint(condition=Q(rank__gte=1), name="result_rank_from_one"),
            models.CheckConstraint(
                condition=Q(reached__in=Reached.values), name="result_reached_known"
            ),
            models.CheckConstraint(
                condition=Q(won=True, rank=1) | Q(won=False, rank__gt=1),
                name="result_won_by_the_first",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rank} {self.name or self.number}"
