"""Photos of signed paper sheets. The files lie outside of every public folder."""

from __future__ import annotations

from typing import ClassVar, Self

from django.core.files.storage import Storage, storages
from django.db import models
from django.db.models import Q

from tournament.models.base import LockingQuerySet, new_token
from tournament.models.scoresheets import Scoresheet


def private_storage() -> Storage:
    """Files that only a view gives out."""
    return storages["photos"]


def photo_path(photo: SheetPhoto, _name: str) -> str:
    """A name that cannot be guessed, in the folder of the event."""
    # In a folder of its event, so that all photos of one that is gone go with it.
    return f"{photo.sheet.table.round.event_id}/{new_token()}.jpg"


class SheetPhotoQuerySet(LockingQuerySet["SheetPhoto"]):
    def kept(self) -> Self:
        """Those that were not removed."""
        return self.filter(removed_at__isnull=True)


class SheetPhoto(models.Model):
    """One photo of a sheet. A removed one is marked with its reason and stays until the event
    goes. `created_by` and `removed_by` are `Actor.signature`s."""

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="photos")
    image = models.ImageField(
        storage=private_storage,
        upload_to=photo_path,
        max_length=60,
        width_field="width",
        height_field="height",
    )
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.CharField(max_length=60)
    removed_at = models.DateTimeField(null=True, blank=True)
    removed_by = models.CharField(max_length=60, blank=True)
    removed_reason = models.CharField(max_length=200, blank=True)

    objects = SheetPhotoQuerySet.as_manager()

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
        return f"{self.sheet_id}: {self.image.name}"
