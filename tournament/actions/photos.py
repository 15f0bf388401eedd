"""Photos of signed sheets: attached by whoever has the sheet, removed by the staff."""

from __future__ import annotations

import shutil
import time
from functools import partial
from pathlib import Path

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.actions.sheet_lock import lock_sheet, log_change
from tournament.images import Photo
from tournament.models import Event, Scoresheet, SheetPhoto, Submission
from tournament.models.actors import Actor
from tournament.policies import can_attach_photo, is_staff
from tournament.queries.photos import MOST, folder_of, has_room
from tournament.refusals import Refused

_ORPHAN_AFTER = 24 * 3600  # seconds


@transaction.atomic
def attach_photo(*, sheet: Scoresheet, photo: Photo, by: Actor, key: str = "") -> Scoresheet:
    """Keep a photo of the sheet. The file comes first: one that is left without its row, by a
    crash in between, harms nobody and is swept away later."""
    locked = lock_sheet(sheet)
    if Submission.objects.processed(locked.event, key):
        return locked.sheet
    if not can_attach_photo(by, locked.sheet, locked.event):
        raise Refused(
            _("Only this table while its round is played, and the staff, may attach a photo.")
        )
    if not has_room(locked.sheet):
        raise Refused(_("This sheet has %(count)d photos already.") % {"count": MOST})
    kept = SheetPhoto.objects.create(
        sheet=locked.sheet,
        image=ContentFile(photo.jpeg, name="photo.jpg"),
        created_by=by.signature,
    )
    log_change(locked, "sheet.photo_added", by, after={"photo": kept.pk}, key=key)
    transaction.on_commit(partial(_sweep, locked.event.pk))
    return locked.sheet


@transaction.atomic
def remove_photo(*, photo: SheetPhoto, reason: str, by: Actor, key: str = "") -> SheetPhoto:
    """Mark a photo as removed: only the staff sees it from then on."""
    locked = lock_sheet(photo.sheet)
    photo = SheetPhoto.objects.lock(photo.pk)
    if Submission.objects.processed(locked.event, key):
        return photo
    if not is_staff(by, locked.event):
        raise Refused(_("Only the staff may remove a photo."))
    if photo.removed_at is not None:
        raise Refused(_("This photo was removed already."))
    if not reason:
        raise Refused(_("Say why the photo is removed."))
    photo.removed_at, photo.removed_by = timezone.now(), by.signature
    photo.removed_reason = reason
    photo.save(update_fields=["removed_at", "removed_by", "removed_reason"])
    log_change(
        locked, "sheet.photo_removed", by, before={"photo": photo.pk}, reason=reason, key=key
    )
    return photo


def _sweep(event_pk: int) -> None:
    """Delete files without a row, and the folders of events that are gone; both a day old."""
    folder = folder_of(event_pk)
    old = {f"{event_pk}/{path.name}": path for path in folder.glob("*.jpg") if _is_old(path)}
    looked_at = list(old)[:500]
    known = set(SheetPhoto.objects.filter(image__in=looked_at).values_list("image", flat=True))
    for name in set(looked_at) - known:
        old[name].unlink(missing_ok=True)
    for other in folder.parent.iterdir():
        gone = other.name.isdecimal() and not Event.objects.filter(pk=int(other.name)).exists()
        if gone and _is_old(other):
            shutil.rmtree(other, ignore_errors=True)


def _is_old(path: Path) -> bool:
    return path.stat().st_mtime < time.time() - _ORPHAN_AFTER
