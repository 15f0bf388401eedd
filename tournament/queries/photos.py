"""The photos of a sheet."""

from __future__ import annotations

from tournament.models import Scoresheet, SheetPhoto

MOST = 6  # photos of one sheet


def photos_of(sheet: Scoresheet, *, removed: bool = False) -> list[SheetPhoto]:
    """In the order in which they came; with those that were removed, for the staff."""
    found = SheetPhoto.objects.filter(sheet=sheet).order_by("pk")
    return list(found if removed else found.kept())


def has_room(sheet: Scoresheet) -> bool:
    return SheetPhoto.objects.filter(sheet=sheet).kept().count() < MOST
