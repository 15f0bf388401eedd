"""Reading an event file: what it is, how large it may be, and what stands in it."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import eventfile
from scoring.command import parse
from scoring.refusal import Refusal
from tournament.actions.event_import import EventParts
from tournament.images import MOST_BYTES
from tournament.queries.event_file import kinds
from tournament.queries.event_file.kinds import PRIVATE, PUBLIC
from tournament.queries.event_file.public import VERSION
from tournament.refusals import Refused

MOST_UPLOADED = 100 * 1024 * 1024  # by a form; the command takes more
MOST_OF_ALL = 2 * 1024 * 1024 * 1024
MOST_OF_ONE = 32 * 1024 * 1024  # 2,000 players in five rounds make 7
MOST_MEMBERS = 5000
TOO_LARGE = gettext_lazy(
    "This file is too large. Whoever runs the site can import it by a command."
)
_PHOTO = re.compile(r"photos/\d{1,4}\.\d{1,4}\.\d{1,4}\.jpg")
_KIND = re.compile(r"(saboteur-event(?:-private)?)/(\d{1,6})")


class EventFileForm(forms.Form):
    """`file`: the archive of an event, or its public file alone. `slug`: another address for it."""

    file = forms.FileField(
        label=gettext_lazy("Event file"),
        allow_empty_file=True,
        error_messages=dict.fromkeys(
            ("required", "missing", "invalid"), gettext_lazy("Choose a file first.")
        ),
        widget=forms.FileInput(attrs={"accept": ".zip,.json"}),
    )
    slug = forms.SlugField(
        label=gettext_lazy("Another address"),
        required=False,
        max_length=60,
        help_text=gettext_lazy("Where the one of the file is taken: letters, digits and hyphens."),
    )

    def clean_file(self) -> UploadedFile[bytes]:
        upload: UploadedFile[bytes] = self.cleaned_data["file"]
        if (upload.size or 0) > MOST_UPLOADED:
            raise ValidationError(TOO_LARGE, code="large")
        return upload


@contextmanager
def opened(file: IO[bytes]) -> Iterator[EventParts]:
    """The parts of an event file, while it is open. Raises Refused for what is none."""
    beginning = file.read(4)
    file.seek(0)
    if beginning[:2] != b"PK":
        yield EventParts(_document(_all_of(file), PUBLIC), None, _no_photos)
        return
    with _unharmed(), zipfile.ZipFile(file) as archive:
        members = _members(archive)
        content = {
            one: _content(archive, members[one]) for one in (PUBLIC, PRIVATE) if one in members
        }
        private = _document(content[PRIVATE], PRIVATE) if PRIVATE in content else None
        yield EventParts(
            _document(content[PUBLIC], PUBLIC),
            private,
            lambda name: _photo(archive, members, name),
        )


@contextmanager
def _unharmed() -> Iterator[None]:
    try:
        yield
    # An encrypted member is a RuntimeError, an unknown way of packing NotImplemented.
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError) as error:
        raise Refused(_("This archive is damaged or was cut off: it can't be read.")) from error


def _members(archive: zipfile.ZipFile) -> Mapping[str, zipfile.ZipInfo]:
    """Those of an event file; nothing else may be in it, and nothing twice."""
    found = archive.infolist()
    if len(found) > MOST_MEMBERS or sum(one.file_size for one in found) > MOST_OF_ALL:
        raise Refused(_("This archive is too large for an event."))
    members = {one.filename: one for one in found}
    if "manifest.json" in members:
        raise Refused(
            _("This is a backup of a whole site: the command “restore” puts it in place.")
        )
    for name in members:
        if name not in (PUBLIC, PRIVATE) and not _PHOTO.fullmatch(name):
            raise Refused(
                _("This is no event file: there is “%(name)s” in it.") % {"name": name[:80]}
            )
    if len(members) != len(found):
        raise Refused(_("This is no event file: something is in it twice."))
    if PUBLIC not in members:
        raise Refused(_("This is no event file: there is no event.json in it."))
    return members


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int = MOST_OF_ONE) -> bytes:
    # What a member says of its size may be a lie.
    with archive.open(member) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise Refused(_("This archive is too large for an event."))
    return content


def _photo(archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], name: str) -> bytes:
    if name not in members:
        return _no_photos(name)
    with _unharmed():
        return _content(archive, members[name], MOST_BYTES)


def _no_photos(_name: str) -> bytes:
    return b""


def _all_of(file: IO[bytes]) -> bytes:
    content = file.read(MOST_OF_ONE + 1)
    if len(content) > MOST_OF_ONE:
        raise Refused(_("This file is too large for an event."))
    return content


def _document(content: bytes, name: str) -> Mapping[str, Any]:
    """The JSON of this part, if it is of the kind and version that we read."""
    try:
        found = parse(content)
    except Refusal as refusal:
        raise Refused(
            _("This is no event file, or it was cut off: %(name)s can't be read (%(place)s).")
            % {"name": name, "place": refusal.values.get("place", "")}
        ) from refusal
    expected = eventfile.FORMAT if name == PUBLIC else kinds.FORMAT
    told = found.get("format") if isinstance(found, dict) else None
    if told == expected and _version_of(found) <= VERSION:
        return found  # type: ignore[no-any-return]
    known = _KIND.fullmatch(told) if isinstance(told, str) else None
    if known is None or known[1] != expected.partition("/")[0]:
        raise Refused(_("This is no event file: %(name)s is something else.") % {"name": name})
    raise Refused(_("This file is of a newer version of the software: bring this one up to date."))


def _version_of(document: Mapping[str, Any]) -> int:
    """Of what `scoring` passes over; what is no number is refused where it stands."""
    shown = document.get("event")
    version = shown.get("version") if isinstance(shown, dict) else None
    return version if isinstance(version, int) else 0
