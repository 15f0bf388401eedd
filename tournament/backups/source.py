"""What is to be restored, opened in a folder of its own and looked through to the last row, before
anything of the old data is touched."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor

from tournament.backups import archive, files, tables
from tournament.backups.archive import DATABASE, KEY, PHOTOS, BadBackup
from tournament.models import SheetPhoto

BEFORE = "lodestar-before.sqlite3"  # of a second copy: the one before the newest
LOG = "-wal"  # SQLite's: what was written last, as long as it is not put into the file itself


@dataclass(frozen=True, slots=True)
class Source:
    """`database`: alias of an open one, with the tables of this Lodestar and all keys in order.
    `photos`: their folder, `key`: a file; either may be missing. `rows`: table -> how many."""

    database: str
    photos: Path
    key: Path
    rows: Mapping[str, int]


@contextmanager
def opened(path: Path) -> Iterator[Source]:
    """A backup's file, a second copy's folder or one database in it, or the data folder of a server
    that does not run. Raises `BadBackup`."""
    if not path.exists():
        raise BadBackup(f"There is no {path}.")
    if _is_ours(path):
        raise BadBackup(f"{path} is what is here already.")
    with files.work_folder(settings.DATA_DIR) as folder:
        if path.is_dir():
            _take_newest(path, folder / DATABASE)
            parts = path
        elif _is_database(path):
            _copy(path, folder / DATABASE)
            _check_file(folder / DATABASE, {})
            parts = path.parent
        else:
            _check_file(folder / DATABASE, archive.unpack(path, folder).rows)
            parts = folder
        with tables.opened(folder / DATABASE) as alias:
            _bring_up_to_date(alias)
            _check_photo_names(alias)
            yield Source(alias, parts / PHOTOS, parts / KEY, tables.count_rows(alias))


def _is_ours(path: Path) -> bool:
    """Whether it is the database in use, or the folder with it."""
    if connection.vendor != "sqlite":
        return False
    used = Path(connection.settings_dict["NAME"]).resolve()
    return path.resolve() in (used, used.parent)


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(15) == b"SQLite format 3"


def _take_newest(folder: Path, target: Path) -> None:
    """Of the databases that lie there, the newest that is whole."""
    found = [path for name in (DATABASE, BEFORE) if (path := folder / name).exists()]
    if not found:
        raise BadBackup(f"{folder} holds no {DATABASE}: it is no second copy and no data folder.")
    for path in found:
        try:
            _copy(path, target)
            _check_file(target, {})
            return
        except BadBackup:
            if path == found[-1]:
                raise


def _copy(database: Path, target: Path) -> None:
    """With its log. As files: SQLite would open the database only where it may write."""
    for end in ("", LOG):
        written = target.with_name(target.name + end)
        written.unlink(missing_ok=True)
        if (part := database.with_name(database.name + end)).exists():
            shutil.copyfile(part, written)


def _check_file(path: Path, expected: Mapping[str, int]) -> None:
    """Whether it is whole, ours, and has these rows, as counted when it was written."""
    try:
        with closing(sqlite3.connect(path)) as file:
            (said,) = file.execute("PRAGMA integrity_check(1)").fetchone()
            names = {name for (name,) in file.execute("SELECT name FROM sqlite_master")}
            counts = {
                name: file.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608
                for name in names & set(expected)
            }
            broken = file.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        raise BadBackup(f"The database in it is damaged: {error}.") from error
    if said != "ok" or broken:
        raise BadBackup(f"The database in it is damaged: {broken[0] if broken else said}.")
    if "django_migrations" not in names or "tournament_event" not in names:
        raise BadBackup("The database in it is not one of Lodestar's.")
    for name, count in expected.items():
        if counts.get(name) != count:
            raise BadBackup(f"The backup is damaged: {name} had {count} rows.")


def _bring_up_to_date(alias: str) -> None:
    """One of an older Lodestar gets the tables of this one; one of a newer is refused."""
    try:
        executor = MigrationExecutor(connections[alias])
        unknown = set(executor.loader.applied_migrations) - set(executor.loader.disk_migrations)
        if unknown:
            app, name = max(unknown)
            raise BadBackup(
                f"It was made by a newer Lodestar (this one does not know {app} {name}): "
                f"update this one first; it is {archive.own_version()}."
            )
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", database=alias, verbosity=0)
        _check_columns(alias)
    except DatabaseError as error:
        raise BadBackup(f"The database in it can't be brought up to date: {error}.") from error


def _check_photo_names(alias: str) -> None:
    """A row names a file that we read and write: of a stick that somebody brings along it could be
    any of this machine."""
    for name in SheetPhoto.objects.using(alias).values_list("image", flat=True):
        if not archive.PHOTO.fullmatch(name):
            raise BadBackup(f"It names a photo as none is named: {name!r}.")


def _check_columns(alias: str) -> None:
    """A Lodestar in development may have other tables under the same name of a migration."""
    with connections[alias].cursor() as cursor:
        for model in tables.tables():
            table = model._meta.db_table
            cursor.execute("SELECT name FROM pragma_table_info(%s)", [table])
            found = {name for (name,) in cursor.fetchall()}
            if found != {field.column for field in tables.columns(model)}:
                raise BadBackup(f"Its table {table} is not the one of this Lodestar.")
