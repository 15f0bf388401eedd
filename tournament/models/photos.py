"""Photos of signed paper sheets. The files lie outside of every public folder."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from tournament.models.base import LockingQuerySet, new_token
from tournament.models.sheets import Scoresheet


class SheetPhoto(models.Model):
    """One photo of a sheet. `name`: its file's, which cannot be guessed. A removed one is marked
    with its reason and stays until the event goes."""

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="photos")
    name = models.CharField(max_length=32, unique=True, default=new_token)
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    added_at = models.DateTimeField(auto_now_add=True)
    added_by = models.CharField(max_length=120)
    removed_at = models.DateTimeField(null=True, blank=True)
    removed_by = models.CharField(max_length=120, blank=True)
    removed_reason = models.CharField(max_length=200, blank=True)

    objects = LockingQuerySet["SheetPhoto"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["sheet", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(removed_at__isnull=True, removed_reason="")
                | (Q(removed_at__isnull=False) & ~Q(removed_reason="")),
                name="photo_removed_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet_id}: {self.name}"
