"""Photos of signed sheets: attached by whoever has the sheet, removed by the staff."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.actions.sheet_lock import lock_sheet, log_change
from tournament.images import Photo
from tournament.models import Event, Scoresheet, SheetPhoto, Submission
from tournament.models.actors import Actor
from tournament.models.photos import private_storage
from tournament.policies import can_attach_photo, is_staff
from tournament.queries.photos import MOST, has_room
from tournament.refusals import Refused

_ORPHAN_AFTER = timedelta(days=1)


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
    transaction.on_commit(partial(_sweep, locked.event.pk), robust=True)
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
    photos = private_storage()
    folders, _files = photos.listdir("")
    present = set(Event.objects.values_list("pk", flat=True))
    _sweep_folder(photos, str(event_pk))
    for folder in folders:
        if folder.isdecimal() and int(folder) not in present:
            _sweep_folder(photos, folder)


def _sweep_folder(photos: Storage, folder: str) -> None:
    # A folder before what lies in it, whose going makes it young.
    old_folder = _is_old(photos, folder)
    _folders, files = photos.listdir(folder)
    names = {f"{folder}/{file}" for file in files}
    known = SheetPhoto.objects.filter(image__startswith=f"{folder}/")
    orphans = names - set(known.values_list("image", flat=True))
    for name in sorted(orphans)[:500]:
        if _is_old(photos, name):
            photos.delete(name)
            names.discard(name)
    if not names and old_folder:
        photos.delete(folder)


def _is_old(photos: Storage, name: str) -> bool:
    try:
        return photos.get_modified_time(name) < timezone.now() - _ORPHAN_AFTER
    except FileNotFoundError:  # a store has no folders, only names
        return False
