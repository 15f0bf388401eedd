"""A backup as one file: a ZIP that any program opens, checked by its table of contents.

manifest.json       what it is, of when, of which Lodestar; size and SHA-256 of each member
lodestar.sqlite3    all rows, whichever database they come from
photos/…            of signed sheets
secret_key          if the data folder holds it
"""

from __future__ import annotations

import errno
import hashlib
import json
import lzma
import re
import shutil
import tomllib
import zipfile
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from django.conf import settings

FORMAT = "lodestar-backup/1"
MANIFEST, DATABASE, KEY, PHOTOS = "manifest.json", "lodestar.sqlite3", "secret_key", "photos"
# Nothing else is ever written to the disk from a file that somebody brings along.
PHOTO = re.compile(r"[0-9]+/[\w-]+\.jpg", re.ASCII)  # as a row names it
_MEMBER = re.compile(rf"{re.escape(DATABASE)}|{KEY}|{PHOTOS}/{PHOTO.pattern}", re.ASCII)
_CHUNK = 1024 * 1024
# RuntimeError: locked with a password, or a way of packing that nobody has here.
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError)
_MOST_CONTENTS = 64 * _CHUNK  # bytes of the table of contents: half a million photos


class BadBackup(Exception):
    """A sentence that says why nothing was written."""


@dataclass(frozen=True, slots=True)
class Member:
    size: int  # bytes
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """`made_at`: ISO 8601 in UTC. `migrations`: app -> the last one that was applied. `rows`: table
    -> how many."""

    made_at: str
    lodestar: str
    migrations: dict[str, str]
    rows: dict[str, int]
    format: str = FORMAT
    members: dict[str, Member] = field(default_factory=dict)


def own_version() -> str:
    """This Lodestar's."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())
    return str(project["project"]["version"])


def pack(members: dict[str, Path], manifest: Manifest, into: IO[bytes]) -> None:
    """Write the ZIP: member -> the file that holds it."""
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for name, path in members.items():
            # A photo is packed as it is: it would only get larger.
            kind = zipfile.ZIP_STORED if path.suffix == ".jpg" else zipfile.ZIP_DEFLATED
            packed.write(path, name, kind)
            manifest.members[name] = _member(path)
        packed.writestr(MANIFEST, json.dumps(asdict(manifest), indent=1))


def unpack(source: Path, folder: Path) -> Manifest:
    """Write the members into the folder, each compared with the manifest. Raises `BadBackup`."""
    try:
        with zipfile.ZipFile(source) as packed:
            manifest = _manifest(packed, source)
            _check_room(manifest, folder)
            for name, member in manifest.members.items():
                _unpack(packed, name, member, folder)
            return manifest
    # A damaged ZIP fails anywhere inside the library, and so does the compression in it.
    except (*_DAMAGED, OSError) as error:
        # A place before the file's beginning is damage; a disk that is full is not.
        if isinstance(error, OSError) and error.errno != errno.EINVAL:
            raise
        raise BadBackup(_what_is_wrong(source)) from error


def _check_room(manifest: Manifest, folder: Path) -> None:
    """A full disk would hold up the server that runs here."""
    folder.mkdir(parents=True, exist_ok=True)
    needed = sum(member.size for member in manifest.members.values())
    if needed > shutil.disk_usage(folder).free:
        raise BadBackup(f"It holds {needed / 1_000_000:.0f} MB: there is not so much room here.")


def _member(path: Path) -> Member:
    with path.open("rb") as file:
        return Member(path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())


def _manifest(packed: zipfile.ZipFile, source: Path) -> Manifest:
    try:
        if packed.getinfo(MANIFEST).file_size > _MOST_CONTENTS:
            raise ValueError("too long")
        said: dict[str, Any] = json.loads(packed.read(MANIFEST))
        kind = str(said["format"])
    except (KeyError, ValueError, TypeError, RecursionError):
        if "event.json" in packed.namelist():
            raise BadBackup(f"{source} is the file of one event: import_event takes it.") from None
        raise BadBackup(f"{source} is no backup of Lodestar.") from None
    if kind != FORMAT:
        raise BadBackup(f"{source} is a backup of another kind ({kind}); this is {FORMAT}.")
    try:
        members = {
            name: Member(int(member["size"]), str(member["sha256"]))
            for name, member in said.pop("members").items()
        }
        rows = {str(name): int(count) for name, count in said.pop("rows").items()}
        manifest = Manifest(**said, rows=rows, members=members)
    except (KeyError, ValueError, TypeError, AttributeError):
        raise BadBackup(f"{source} is damaged: its table of contents can't be read.") from None
    if DATABASE not in members or not all(_MEMBER.fullmatch(name) for name in members):
        raise BadBackup(f"{source} is damaged: its table of contents names what can't be in it.")
    return manifest


def _unpack(packed: zipfile.ZipFile, name: str, member: Member, folder: Path) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        # The library unpacks as much as is said here, and no more.
        if packed.getinfo(name).file_size != member.size:
            raise BadBackup(f"The backup is damaged: {name} is not what was written.")
        with packed.open(name) as read, path.open("wb") as file:
            shutil.copyfileobj(read, file, _CHUNK)
    except KeyError:
        raise BadBackup(f"The backup is damaged: {name} is missing in it.") from None
    if _member(path) != member:
        raise BadBackup(f"The backup is damaged: {name} is not what was written.")


def _what_is_wrong(source: Path) -> str:
    """Of a file that is no whole ZIP. The end of one says where everything lies."""
    with source.open("rb") as file:
        if file.read(4) == b"PK\x03\x04":
            return f"{source} is cut off or damaged: copy it once more from where it comes from."
    return f"{source} is no backup of Lodestar."
