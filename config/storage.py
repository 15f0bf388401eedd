"""Where prints and photos lie: a folder of this machine, or a store that several machines share."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage


class Folder(FileSystemStorage):
    """Files that only a view gives out, readable by their owner alone. All of a file is there or
    nothing: somebody may be reading. Option `setting`: the setting that names the folder;
    `lasting`: on the disk before anybody is told so."""

    def __init__(self, setting: str, *, lasting: bool = False) -> None:
        super().__init__()
        self._setting, self._lasting = setting, lasting

    @property
    def base_location(self) -> str:
        """Read each time: tests keep their files apart."""
        return str(getattr(settings, self._setting))

    @property
    def location(self) -> str:
        return str(Path(self.base_location).absolute())

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """As it is: what is kept twice under one name is the same."""
        return name

    def _save(self, name: str, content: Any) -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        # In the same folder, so that putting it in place is a rename, not a copy.
        handle, part = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
                if self._lasting:
                    file.flush()
                    os.fsync(file.fileno())
            Path(part).replace(path)
        finally:
            # Gone already where it was put in place; else a full disk would keep half a file.
            Path(part).unlink(missing_ok=True)
        if self._lasting:
            _sync(path.parent)
        return name

    def delete(self, name: str) -> None:
        # A folder that is not empty stays.
        with suppress(OSError):
            super().delete(name)

    def get_modified_time(self, name: str) -> datetime:
        """Of a file that is gone meanwhile: long ago."""
        try:
            return super().get_modified_time(name)
        except FileNotFoundError:
            return datetime.fromtimestamp(0, tz=UTC)


def _sync(folder: Path) -> None:
    """Without it a crash may forget the new file's name, though its bytes are there."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
