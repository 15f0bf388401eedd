"""A second copy that is kept as it goes, in another folder: a stick, say.

A thread of one worker looks once a second whether something was written, and then copies all of it
by SQLite's own backup, beside the copy that is there: whenever the stick is pulled out, or the
laptop falls, a whole one is on it. Why so, and what it costs: docs/decisions/second-copy.md.
"""

from __future__ import annotations

import errno
import json
import logging
import secrets
import sqlite3
import threading
import time
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from django.conf import settings

from tournament.backups import files, tables
from tournament.backups.archive import DATABASE, KEY, PHOTOS
from tournament.backups.source import BEFORE

EVERY = 1.0  # seconds
STATE = "second_copy.json"  # in the data folder, for the desk
log = logging.getLogger("lodestar.second_copy")


class Trouble(StrEnum):
    """Why the copy stands still."""

    NONE = ""
    GONE = "gone"
    FULL = "full"
    LOCKED = "locked"  # nothing may be written there
    SHARED = "shared"  # another server copies there as well
    OTHER = "other"


_TROUBLES = {
    Trouble.GONE: {errno.ENOENT, errno.ENOTDIR, errno.EIO, errno.ENODEV, errno.ENXIO},
    Trouble.FULL: {errno.ENOSPC, errno.EDQUOT},
    Trouble.LOCKED: {errno.EROFS, errno.EACCES, errno.EPERM},
    Trouble.SHARED: {errno.EADDRINUSE},  # which no file says: ours
}


@dataclass(frozen=True, slots=True)
class CopyState:
    """`as_of`: until when everything is in the copy, `since`: since when it stands still; seconds
    since 1970, 0 if never. `mark`: stands in each copy of this data folder, and in no other's."""

    as_of: float = 0.0
    trouble: Trouble = Trouble.NONE
    since: float = 0.0
    mark: int = 0


def read_state() -> CopyState:
    """As the thread wrote it last."""
    try:
        said = json.loads((settings.DATA_DIR / STATE).read_text())
        as_of, since = float(said["as_of"]), float(said["since"])
        return CopyState(as_of, Trouble(said["trouble"]), since, int(said["mark"]))
    except (OSError, ValueError, KeyError, TypeError):
        return CopyState()


def start(folder: Path) -> None:
    """Keep the copy from now on, as long as this process lives."""
    threading.Thread(target=_keep, args=(folder,), daemon=True).start()


def _keep(folder: Path) -> None:
    # Of all workers one copies; if it dies, the next.
    with files.alone(settings.DATA_DIR / "second_copy.lock"):
        copier = Copier(Path(settings.DATABASES["default"]["NAME"]), folder)
        while True:
            copier.look()
            # A slow stick is not written without a pause.
            time.sleep(max(EVERY, copier.cost))


class Copier:
    """`cost`: seconds that the last look took, with the copy that was due."""

    def __init__(self, database: Path, folder: Path) -> None:
        self._database, self._folder = database, folder
        self._live: sqlite3.Connection | None = None
        self._copied: int | None = None  # the version of the database that lies there
        self._disk: Path | None = None
        self._begun = False
        state = read_state()
        self._state = replace(state, mark=state.mark or 1 + secrets.randbelow(2**31 - 1))
        self.cost = 0.0

    def look(self) -> None:
        """Copy if there is something new. Whatever is wrong with the folder, the server goes on."""
        now, begun = time.time(), time.perf_counter()
        try:
            self._check_folder()
            self._check_alone()
            version = self._version()
            if version != self._copied or not (self._folder / DATABASE).exists():
                self._copy()
                self._copied = version
        except (OSError, sqlite3.Error) as error:
            self._stand_still(now, error)
        else:
            if self._state.trouble:
                log.warning("The second copy goes on: %s", self._folder)
            self._state = CopyState(as_of=now, mark=self._state.mark)
        self.cost = time.perf_counter() - begun
        with suppress(OSError):  # a full disk here is told by everything else
            self._write_state()

    def _check_folder(self) -> None:
        """The mount point of a stick that was pulled out may stay as an empty folder: of the disk
        that the copy is to survive."""
        # Never made by us, for the same reason.
        if not self._folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, "no such folder", str(self._folder))
        disk = next(path for path in (self._folder, *self._folder.parents) if path.is_mount())
        self._disk = self._disk or disk
        if disk != self._disk:
            raise FileNotFoundError(errno.ENODEV, "its disk is not there", str(self._folder))

    def _check_alone(self) -> None:
        """Two servers would by turns put each other's copy away, until the stick is full: whoever
        came first gives way, and says so. After a stick was away it is another matter: the other
        laptop's copy is kept beside ours."""
        going_on = self._copied is not None or self._state.trouble == Trouble.SHARED
        if self._begun and going_on and self._lies_another():
            raise OSError(errno.EADDRINUSE, "another server copies there", str(self._folder))
        self._begun = True

    def _lies_another(self) -> bool:
        return _mark_of(self._folder / DATABASE) not in (0, self._state.mark)

    def _version(self) -> int:
        """Another number whenever somebody else has written."""
        if self._live is None:
            address = f"{self._database.absolute().as_uri()}?mode=rw"
            self._live = sqlite3.connect(address, uri=True, timeout=20)
        return int(self._live.execute("PRAGMA data_version").fetchone()[0])

    def _copy(self) -> None:
        taken = settings.DATA_DIR / "second_copy.part"
        taken.unlink(missing_ok=True)
        try:
            tables.snapshot(self._database, taken)
            _put_mark(taken, self._state.mark)
            # Before the rows that name them; the file of a row is whole.
            self._copy_photos(_photos_in(taken))
            if (key := settings.DATA_DIR / KEY).exists():
                _put_if_other(key, self._folder / KEY)
            self._put_database(taken)
        finally:
            taken.unlink(missing_ok=True)

    def _put_database(self, taken: Path) -> None:
        newest = self._folder / DATABASE
        part = files.copied_beside(taken, newest)
        if self._lies_another():
            self._keep_what_lies_there()
        with suppress(FileNotFoundError):
            newest.replace(self._folder / BEFORE)
        files.move(part, newest)

    def _keep_what_lies_there(self) -> None:
        """It is another laptop's: perhaps of one that fell, and that nobody has restored yet."""
        for name in (BEFORE, DATABASE):
            found = self._folder / name
            if found.exists():
                written = datetime.fromtimestamp(found.stat().st_mtime)
                found.replace(found.with_stem(f"lodestar-{written:%Y-%m-%d-%H%M%S-%f}"))

    def _copy_photos(self, names: set[str]) -> None:
        for name in names:
            kept, target = Path(settings.PHOTOS_DIR) / name, self._folder / PHOTOS / name
            if kept.exists() and not target.exists():
                files.put(kept, target)

    def _stand_still(self, now: float, error: Exception) -> None:
        trouble = _trouble(error)
        if trouble != self._state.trouble:
            log.warning("The second copy stands still: %s. The server goes on.", error)
        # What lies there may be another stick by the time it goes on.
        self._copied = None
        self._state = replace(self._state, trouble=trouble, since=self._state.since or now)

    def _write_state(self) -> None:
        part = settings.DATA_DIR / f"{STATE}.part"
        part.write_text(json.dumps(asdict(self._state)))
        part.replace(settings.DATA_DIR / STATE)


def _trouble(error: Exception) -> Trouble:
    number = getattr(error, "errno", None)
    return next((one for one, numbers in _TROUBLES.items() if number in numbers), Trouble.OTHER)


def _put_mark(database: Path, mark: int) -> None:
    with closing(sqlite3.connect(database)) as file:
        file.execute(f"PRAGMA application_id = {mark}")


def _mark_of(database: Path) -> int:
    """0 if it has none, or is not there. SQLite has it in the bytes from 68 on."""
    try:
        with database.open("rb") as file:
            return int.from_bytes(file.read(72)[68:], "big")
    except FileNotFoundError:
        return 0


def _photos_in(database: Path) -> set[str]:
    with closing(sqlite3.connect(database)) as file:
        return {name for (name,) in file.execute("SELECT image FROM tournament_sheetphoto")}


def _put_if_other(source: Path, target: Path) -> None:
    if not target.exists() or target.read_bytes() != source.read_bytes():
        files.put(source, target)
