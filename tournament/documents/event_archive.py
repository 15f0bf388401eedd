"""The files of an event in one archive, equal byte for byte for equal events."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from typing import IO

from tournament.models import Event
from tournament.queries.event_file.kinds import PRIVATE, PUBLIC
from tournament.queries.event_file.public import public_file
from tournament.queries.event_file.values import canonical
from tournament.queries.event_file.whole import photo_files, whole_file

# No archive knows an earlier one; ours says nothing of when it was made.
_MADE_AT = (1980, 1, 1, 0, 0, 0)


def event_archive(event: Event) -> bytes:
    out = io.BytesIO()
    write_archive(event, out)
    return out.getvalue()


def write_archive(event: Event, out: IO[bytes]) -> None:
    """A ZIP of what is public, of everything, and of the photos."""
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in _members(event):
            archive.writestr(member(name), content)


def member(name: str) -> zipfile.ZipInfo:
    """A file in an archive, to be packed; the same at whatever time."""
    info = zipfile.ZipInfo(name, _MADE_AT)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    return info


def _members(event: Event) -> Iterator[tuple[str, bytes]]:
    yield PUBLIC, canonical(public_file(event))
    yield PRIVATE, canonical(whole_file(event))
    for name, photo in photo_files(event):
        with suppress(OSError), photo.image.storage.open(photo.image.name or "") as file:
            yield name, file.read()
