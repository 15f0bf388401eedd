"""What was changed by hand in a round's tables, so that it can be taken back and done again."""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q

from tournament.models.base import LockingQuerySet
from tournament.models.rounds import Round


class ChangeKind(models.TextChoices):
    """Values of the log as well: "round.seats_swapped"."""

    SEATS_SWAPPED = "seats_swapped"
    PLAYER_MOVED = "player_moved"
    REST_IMPROVED = "rest_improved"
    REPAIRED = "repaired"


class ChangeStatus(models.TextChoices):
    DONE = "done"
    UNDONE = "undone"  # can be done again
    SUPERSEDED = "superseded"  # undone, and then something else was changed


class SeatingChangeQuerySet(LockingQuerySet["SeatingChange"]):
    def still_open(self, round_: Round) -> Self:
        """Of a draft all since the draw; of a published round those since it was published, which
        everybody has seen."""
        found = self.filter(round=round_).order_by("pk")
        if round_.published_at is not None:
            found = found.filter(created_at__gte=round_.published_at)
        return found

    def done(self) -> Self:
        return self.filter(status=ChangeStatus.DONE)

    def undone(self) -> Self:
        return self.filter(status=ChangeStatus.UNDONE)


class SeatingChange(models.Model):
    """One change of a round's tables. `before` and `after` hold the tables concerned by number,
    each with its people's start numbers in sitting order (empty: there is no such table), and
    what the whole round costs; `before` also who of them was `gone` by then. `players`: whose
    change it was; `table`: where they went; `missing`: who was marked as not here with it. All of
    them are start numbers."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seating_changes")
    kind = models.CharField(max_length=16, choices=ChangeKind.choices)
    before = models.JSONField()
    after = models.JSONField()
    players = models.JSONField(default=list, blank=True)
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    missing = models.JSONField(default=list, blank=True)
    status = models.CharField(
        max_length=10, choices=ChangeStatus.choices, default=ChangeStatus.DONE
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = SeatingChangeQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(kind__in=ChangeKind.values), name="seating_change_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=ChangeStatus.values), name="seating_change_status_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round_id}: {self.kind}"

    @property
    def tables_before(self) -> dict[int, list[int]]:
        # JSON has no numbers as keys.
        return {int(number): table for number, table in self.before["tables"].items()}

    @property
    def tables_after(self) -> dict[int, list[int]]:
        return {int(number): table for number, table in self.after["tables"].items()}

    @property
    def gone(self) -> list[int]:
        """Who sat at these tables before although they had left."""
        return list(self.before.get("gone", []))

    @property
    def people(self) -> set[int]:
        """Who is named when it is told."""
        return {*self.players, *self.missing}
