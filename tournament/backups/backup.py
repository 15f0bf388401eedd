"""One file with everything that was entered: `manage.py backup`."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.db import connection, connections, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.template.defaultfilters import filesizeformat

from tournament.backups import archive, files, tables
from tournament.backups.archive import DATABASE, KEY, PHOTOS, BadBackup, Manifest
from tournament.models import Counts, SharedCache, SheetPhoto
from tournament.models.photos import private_storage


def write_backup(target: Path) -> Manifest:
    """Write all there is at this instant into a new file, while the server is in use. Raises
    `BadBackup` if a file of this name is there already."""
    # Two at once under one name would write into each other's file.
    with files.alone(settings.DATA_DIR / "backup.lock"):
        return _write_backup(target)


def _write_backup(target: Path) -> Manifest:
    if target.is_dir():
        raise BadBackup(f"{target} is a folder: give the file a name in it.")
    if target.exists():
        raise BadBackup(f"{target} is there already; give another name.")
    if not target.parent.is_dir():
        raise BadBackup(f"There is no folder {target.parent}.")
    part = target.with_name(f"{target.name}.part")
    with files.work_folder(settings.DATA_DIR) as folder:
        database = folder / DATABASE
        _write_database(database)
        members, manifest = _contents(database, folder)
        try:
            part.unlink(missing_ok=True)
            part.touch(0o600)  # it holds secrets: for its owner alone, from the first byte on
            with part.open("wb") as file:
                archive.pack(members, manifest, file)
            files.sync(part)
            files.move(part, target)
        finally:
            part.unlink(missing_ok=True)
    return manifest


def _write_database(path: Path) -> None:
    if connection.vendor == "sqlite":
        tables.snapshot(Path(connection.settings_dict["NAME"]), path)
        with tables.opened(path) as alias:
            SharedCache.objects.using(alias).all().delete()
            Counts.objects.using(alias).all().delete()
            with connections[alias].cursor() as cursor:
                cursor.execute("VACUUM")
        return
    with tables.opened(path) as alias:
        tables.make_tables(alias)
        # Two transactions, one within the other: ours is a look at one instant, however long it
        # takes, and holds nobody up.
        held = connection.in_atomic_block  # nobody writes while something is restored
        with transaction.atomic(alias), transaction.atomic():
            if not held:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            tables.copy_rows("default", alias)


def _contents(database: Path, folder: Path) -> tuple[dict[str, Path], Manifest]:
    """Member -> file. Photos by their rows: each lies on the disk before its row does."""
    members = {DATABASE: database}
    with tables.opened(database) as alias:
        for name in SheetPhoto.objects.using(alias).values_list("image", flat=True):
            # Else it is lost here already, which must not cost the rest.
            if (photo := _photo(name, folder)) is not None:
                members[f"{PHOTOS}/{name}"] = photo
        manifest = Manifest(
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            lodestar=archive.own_version(),
            migrations=_last_migrations(alias),
            rows=tables.count_rows(alias),
        )
    if (key := settings.DATA_DIR / KEY).exists():
        members[KEY] = key
    return members, manifest


def _photo(name: str, folder: Path) -> Path | None:
    """The file of a photo; of one that lies in a store, a copy in the folder."""
    photos = private_storage()
    if isinstance(photos, FileSystemStorage):
        path = Path(photos.path(name))
        return path if path.exists() else None
    path = folder / PHOTOS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with photos.open(name) as read, path.open("wb") as file:
            shutil.copyfileobj(read, file)
    except FileNotFoundError:
        return None
    return path


def _last_migrations(alias: str) -> dict[str, str]:
    # Numbered by name: of each app the last one wins.
    return dict(sorted(MigrationRecorder(connections[alias]).applied_migrations()))


def size_of(path: Path) -> str:
    """As a person says it."""
    return filesizeformat(path.stat().st_size).replace("\xa0", " ")
