"""Photos of signed sheets: attached by whoever has the sheet, removed by the staff."""

from __future__ import annotations

import os
import shutil
import time
from functools import partial
from pathlib import Path

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.actions.opened import log, open_sheet
from tournament.actor import Actor
from tournament.models import Event, LogEntry, Scoresheet, SheetPhoto
from tournament.models.base import new_token
from tournament.pictures import Photo
from tournament.policies import is_staff
from tournament.queries.photos import MOST, folder_of, has_room
from tournament.refused import Refused

_ORPHAN_AFTER = 24 * 3600  # seconds


@transaction.atomic
def attach_photo(*, sheet: Scoresheet, photo: Photo, by: Actor, key: str = "") -> Scoresheet:
    """Keep a photo of the sheet. The file comes first: one that is left without its row, by a
    crash in between, harms nobody and is swept away later."""
    opened = open_sheet(sheet)
    if LogEntry.objects.done(opened.event, key):
        return opened.sheet
    at_table = by.table is not None and by.table.pk == opened.sheet.table_id
    if not at_table and not is_staff(by, opened.event):
        raise Refused(_("Only this table and the staff may attach a photo."))
    if not has_room(opened.sheet):
        raise Refused(_("This sheet has %(count)d photos already.") % {"count": MOST})
    name = _keep(photo.jpeg, folder_of(opened.event.pk))
    kept = SheetPhoto.objects.create(
        sheet=opened.sheet,
        name=name,
        width=photo.width,
        height=photo.height,
        added_by=by.label[:120],
    )
    log(opened, "sheet.photo_added", by, after={"photo": kept.pk}, key=key)
    transaction.on_commit(partial(_sweep, opened.event.pk))
    return opened.sheet


@transaction.atomic
def remove_photo(*, photo: SheetPhoto, reason: str, by: Actor, key: str = "") -> SheetPhoto:
    """Mark a photo as removed: only the staff sees it from then on."""
    opened = open_sheet(photo.sheet)
    photo = SheetPhoto.objects.lock(photo.pk)
    if LogEntry.objects.done(opened.event, key):
        return photo
    if not is_staff(by, opened.event):
        raise Refused(_("Only the staff may remove a photo."))
    if photo.removed_at is not None:
        raise Refused(_("This photo was removed already."))
    if not reason:
        raise Refused(_("Say why the photo is removed."))
    photo.removed_at, photo.removed_by = timezone.now(), by.label[:120]
    photo.removed_reason = reason
    photo.save(update_fields=["removed_at", "removed_by", "removed_reason"])
    log(opened, "sheet.photo_removed", by, before={"photo": photo.pk}, reason=reason, key=key)
    return photo


def _keep(jpeg: bytes, folder: Path) -> str:
    """Write the file, whole and on the disk, and give its name."""
    folder.mkdir(parents=True, exist_ok=True)
    name = new_token()
    descriptor = os.open(folder / f"{name}.jpg", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(jpeg)
        file.flush()
        os.fsync(file.fileno())
    return name


def _sweep(event_pk: int) -> None:
    """Delete files without a row, and the folders of events that are gone; both a day old."""
    folder = folder_of(event_pk)
    old = {path.stem: path for path in folder.glob("*.jpg") if _is_old(path)}
    known = SheetPhoto.objects.filter(name__in=list(old)[:500]).values_list("name", flat=True)
    for name in list(old)[:500]:
        if name not in set(known):
            old[name].unlink(missing_ok=True)
    for other in folder.parent.iterdir():
        gone = other.name.isdecimal() and not Event.objects.filter(pk=int(other.name)).exists()
        if gone and _is_old(other):
            shutil.rmtree(other, ignore_errors=True)


def _is_old(path: Path) -> bool:
    return path.stat().st_mtime < time.time() - _ORPHAN_AFTER
