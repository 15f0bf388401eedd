"""A backup or a second copy in place of what is here: `manage.py restore`.

Whatever ends it (power, `kill -9`), there is either all the old data or all the new:

- until the rows are committed, old rows and the old key are as they were; photos may lie beside
  the old ones that no row names, which harms nobody, and the sweep of photos removes them;
- the rows change in one transaction of the database;
- the key comes last. Cut off before it, everybody signs in once more, and nothing else is lost:
  restoring again puts it right. No printed address depends on it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.files import File
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.db.models.functions import Greatest

from tournament.backups import files, source, tables
from tournament.backups.archive import KEY, BadBackup
from tournament.backups.backup import write_backup
from tournament.backups.source import Source
from tournament.models import Event, EventVersion, Mail, SheetPhoto, User
from tournament.models.mails import MailStatus
from tournament.models.photos import private_storage
from tournament.models.versions import Part

KEPT = "replaced"  # folder of the data folder: what was here before
KEY_VARIABLE = "LODESTAR_SECRET_KEY"

type Say = Callable[[str], object]


def restore(path: Path, *, replace: bool, say: Say) -> None:
    """Put what lies at the path in place of everything here. With `replace` also where something
    is; a backup of that is written first. Raises `BadBackup`, and then all is as before."""
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    with source.opened(path) as found:
        here = what_is_here()
        if here and not replace:
            raise BadBackup(f"Here is {here}. To put the backup in its place, add --replace.")
        call_command("migrate", verbosity=0)
        # What is kept and what is replaced is the same: whoever saves meanwhile waits, and meets
        # the new rows.
        with transaction.atomic():
            tables.hold_writers()
            if here:
                say(f"Here was {here}: kept in {_keep_old()}.")
            _put_photos(found)
            try:
                with transaction.atomic():
                    _replace_rows(found)
            except DatabaseError as error:
                raise BadBackup(f"The database refuses it: {error}") from error
        ContentType.objects.clear_cache()
        say(_put_key(found))
        say(f"Restored: {what_is_here() or 'nothing, as in the backup'}.")


def what_is_here() -> str:
    """Events by name, or at least people; empty if there is nothing to lose."""
    if not tables.are_here():
        return ""
    names = list(Event.objects.order_by("pk").values_list("name", flat=True))
    if names:
        return f"{len(names)} event{'s' if len(names) > 1 else ''}: {', '.join(names)}"
    users = User.objects.count()
    return f"no event, but {users} login{'s' if users > 1 else ''}" if users else ""


def _keep_old() -> Path:
    folder = settings.DATA_DIR / KEPT
    folder.mkdir(mode=0o700, exist_ok=True)
    target: Path = folder / f"{datetime.now(UTC):%Y-%m-%d-%H%M%S-%f}.zip"
    write_backup(target)
    return target


def _put_photos(found: Source) -> None:
    """Beside the old ones: the name of each is a secret of its own, so none is overwritten."""
    photos, kept_here = SheetPhoto.objects.using(found.database), private_storage()
    for name in photos.values_list("image", flat=True):
        kept = found.photos / name
        if kept.exists() and not kept_here.exists(name):
            with kept.open("rb") as file:
                kept_here.save(name, File(file))


def _replace_rows(found: Source) -> None:
    highest = EventVersion.objects.order_by("-version").values_list("version", flat=True).first()
    tables.empty("default")
    tables.copy_rows(found.database, "default")
    _raise_versions(highest or 0)
    _hold_mails()
    connection.check_constraints()
    for table, count in tables.count_rows("default").items():
        if count != found.rows[table]:
            raise BadBackup(f"{table} would have {count} rows instead of {found.rows[table]}.")


def _raise_versions(highest: int) -> None:
    """Each number of each event is one that was never told: not here, and not by the laptop that
    fell in the seconds after the copy. Phones fetch what has another number than they have seen."""
    # Milliseconds since 1970: no event changes so often that it would get there by itself.
    least = max(highest + 1, time.time_ns() // 1_000_000)
    names = ("version", *Part)
    EventVersion.objects.update(**{name: Greatest(F(name) + 1, least) for name in names})


def _hold_mails() -> None:
    """Those that waited then may have arrived long since, and this may be a trial on another
    machine: an organiser says which of them go out."""
    Mail.objects.waiting().update(status=MailStatus.FAILED, error="Restored from a copy.")


def _put_key(found: Source) -> str:
    """The secret key: with it those who are signed in stay so. One given by the environment is not
    ours to replace."""
    if not found.key.exists():
        return "No secret key is in it: everybody signs in once more."
    if os.environ.get(KEY_VARIABLE):
        return f"The secret key stays the one of {KEY_VARIABLE}."
    try:
        files.put(found.key, settings.DATA_DIR / KEY)
    except OSError as error:  # the rows are in place by now
        return f"The secret key can't be written ({error.strerror}): everybody signs in once more."
    return (
        "The secret key is in place: who was signed in stays so. If a server runs here, restart it."
    )
