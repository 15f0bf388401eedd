"""Files that are there whole or not at all, whatever ends the process or the power."""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

_WORK = ".lodestar-work-"
_LEFT_AFTER = 24 * 3600  # seconds


@contextmanager
def work_folder(parent: Path) -> Iterator[Path]:
    """A folder for a while. Those that a killed process left behind hold names and secrets: they go
    after a day."""
    for left in parent.glob(f"{_WORK}*"):
        if left.stat().st_mtime < time.time() - _LEFT_AFTER:
            shutil.rmtree(left, ignore_errors=True)
    with TemporaryDirectory(dir=parent, prefix=_WORK) as name:
        yield Path(name)


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Wait until no other process is in here. The lock of one that dies is free at once."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def sync(path: Path) -> None:
    """Have it on the disk: a file's bytes, or a folder's names."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def put(source: Path, target: Path) -> None:
    """Copy the file; what was there stays until the copy is whole."""
    move(copied_beside(source, target), target)


def copied_beside(source: Path, target: Path) -> Path:
    """A whole copy under another name in the target's folder, for its owner's eyes alone."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        part.touch(0o600)
        shutil.copyfile(source, part)
        sync(part)
    except OSError:
        with suppress(OSError):
            part.unlink()  # half a copy would only take the room of the next
        raise
    return part


def move(part: Path, target: Path) -> None:
    """Give a file that is on the disk its name, in the same folder."""
    part.replace(target)
    # Without it a crash may forget the new name, though the bytes are there.
    sync(target.parent)
