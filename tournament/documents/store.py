"""Prints are made once for the same content, in parts, and kept for a few days.

Whatever a document shows is gathered first (`Document.facts`); its fingerprint names the file. A
second press, or a second person, finds the file; an event that changed has another fingerprint.
"""

from __future__ import annotations

import fnmatch
import gc
import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tournament import labels
from tournament.actions.jobs import Stopped, Watch
from tournament.documents.catalogue import DOCUMENTS
from tournament.documents.layout.letters import fonts_mark
from tournament.documents.layout.rendering import Part, static_folder
from tournament.documents.request import DocumentRequest
from tournament.models import Event, Job
from tournament.queries.versions import version_of
from tournament.refusals import Refused

KIND = "print"
EMPTY = "empty"  # the code of the refusal where there is nothing to print
KEEP = timedelta(days=3)
RECENT = timedelta(
    seconds=60
)  # in which who waited for a print gets it, though the event has changed
_FINGERPRINT_SECONDS = 600  # for which a version's fingerprint is remembered


def fingerprint(request: DocumentRequest) -> str:
    """Names what this document shows now: the same content has the same one. A version's is
    remembered by each process; what processes share is the file."""
    wanted = _wanted(request)
    # By version: whatever changes the event makes another key, so this never tells of older facts.
    key = f"print:{request.event.pk}:{version_of(request.event)}:{_digest(wanted)}"
    known: str | None = caches["local"].get(key)
    if known is None:
        # Facts hold words in a language, and whoever asks may read another one than the print has.
        with translation.override(request.effective_languages[0]):
            facts = DOCUMENTS[request.kind].facts(request)
        known = _name(request, facts)
        caches["local"].set(key, known, _FINGERPRINT_SECONDS)
    return known


def _wanted(request: DocumentRequest) -> tuple[object, ...]:
    return (
        request.kind,
        request.round and request.round.pk,
        request.tables,
        request.paper,
        request.effective_languages,
        request.public,
    )


def _name(request: DocumentRequest, facts: object) -> str:
    # 40 hexadecimal digits are 160 bits, as `find_recent` expects them in an address.
    return _digest((_edition(), fonts_mark(), _wanted(request), facts))[:40]


def _digest(values: object) -> str:
    # `repr`, since facts are frozen dataclasses and tuples: the same content is written the same
    # way.
    return sha256(repr(values).encode()).hexdigest()


@cache
def _edition() -> str:
    """What the drawing itself depends on: a new release draws anew."""
    return sha256(b"".join(path.read_bytes() for path in sorted(_sources()))).hexdigest()


def _sources() -> Iterator[Path]:
    """The code, templates, styles, words and pictures that draw."""
    yield from Path(__file__).parent.rglob("*.py")
    # The words for codes stand outside of this folder and are printed all the same.
    yield Path(labels.__file__)
    yield from (settings.BASE_DIR / "locale").rglob("*.mo")
    yield from (static_folder() / "fonts").glob("*.woff2")
    yield from (settings.BASE_DIR / "templates" / "print").rglob("*.html")
    yield static_folder() / "css" / "paper.css"


@dataclass(frozen=True, slots=True)
class Print:
    """A file that was made, or would be: its name among the prints."""

    name: str

    def exists(self) -> bool:
        return _prints().exists(self.name)

    def open(self) -> File[bytes]:
        return _prints().open(self.name)

    def read_bytes(self) -> bytes:
        with self.open() as file:
            return bytes(file.read())

    @property
    def made_at(self) -> datetime:
        return _prints().get_modified_time(self.name)

    @property
    def fingerprint(self) -> str:
        return PurePosixPath(self.name).stem.rpartition("-")[2]


def _prints() -> Storage:
    return storages["prints"]


def find(request: DocumentRequest) -> Print | None:
    """The file, if this very content was printed before."""
    found = _print(request, fingerprint(request))
    return found if found.exists() else None


def find_recent(request: DocumentRequest, name: str) -> Print | None:
    """The file that somebody has waited for, whatever changed while it was made: at a busy door
    there would always be a newer one to wait for."""
    # It comes from an address, and becomes part of a path.
    if not re.fullmatch(r"[0-9a-f]{40}", name):
        return None
    found = _print(request, name)
    fresh = found.exists() and datetime.now(tz=UTC) - found.made_at < RECENT
    return found if fresh else None


def find_latest(request: DocumentRequest) -> Print | None:
    """The newest file of this document, paper and languages, whatever it shows."""
    # Kind, languages and paper stand in the name, so any content of this document fits the pattern.
    folder, pattern = folder_of(request.event), PurePosixPath(_print(request, "*").name).name
    names = fnmatch.filter(_names_in(folder), pattern)
    found = [Print(f"{folder}/{name}") for name in names]
    return max(found, key=lambda one: one.made_at, default=None)


def _names_in(folder: str) -> Sequence[str]:
    try:
        _folders, files = _prints().listdir(folder)
    except FileNotFoundError:  # nothing was printed yet
        return ()
    return files


def make(request: DocumentRequest, watch: Watch | None = None) -> Print:
    """Make the document and keep it. `watch` is told how far it is; true: stop.

    Raises `Stopped` then, and `Refused` where there is nothing to print.
    """
    document = DOCUMENTS[request.kind]
    with translation.override(request.effective_languages[0]):
        facts = document.facts(request)
        parts = document.parts(request, facts)
        if not parts:
            raise Refused(_("There is nothing to print yet."), code=EMPTY)
        content = joined(parts, watch)
    # Named by the facts it was drawn from: they may be newer than those it was asked for.
    return keep(_print(request, _name(request, facts)), content)


def print_by_job(job: Job, watch: Watch) -> Callable[[], dict[str, Any]]:
    """Make what a job asks for (`tournament.jobs`); it is found at the job's address then. The file
    is no part of the job's transaction: a print that is stopped too late leaves a right file, which
    the next press finds."""
    payload = job.payload
    request = DocumentRequest(
        event=job.event,
        kind=payload["kind"],
        round=job.event.rounds.filter(pk=payload["round"]).first(),
        tables=tuple(payload["tables"]),
        paper=payload["paper"],
        languages=tuple(payload["languages"]),
        public=payload.get("public", False),
    )
    name = make(request, watch).fingerprint
    url = f"{payload['url']}{'&' if '?' in payload['url'] else '?'}made={name}"
    return lambda: {"url": url}


def payload_of(request: DocumentRequest, url: str) -> dict[str, Any]:
    """A job's arguments for this document; `url`: where it is to be found."""
    return {
        "kind": request.kind,
        "round": request.round and request.round.pk,
        "tables": list(request.tables),
        "paper": request.paper,
        "languages": list(request.effective_languages),
        "public": request.public,
        "url": url,
    }


def joined(parts: Sequence[Part], watch: Watch | None = None) -> bytes:
    """The parts as one PDF; a part is gone from memory before the next is made."""
    made: list[bytes] = []
    for number, part in enumerate(parts):
        # Between parts, as nothing can interrupt the renderer within one.
        if watch is not None and watch(number / len(parts)):
            raise Stopped
        if made:
            gc.collect()  # a document's boxes hold each other, so nothing else frees the last part
        made.append(part())
    if len(made) == 1:
        return made[0]
    from pypdf import PdfWriter

    writer = PdfWriter()
    for content in made:
        writer.append(io.BytesIO(content), import_outline=False)
    # Each part has brought its own fonts: without this the file would grow by them.
    writer.compress_identical_objects(remove_duplicates=True, remove_unreferenced=True)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _print(request: DocumentRequest, name: str) -> Print:
    # Those for everybody are never found where one looks for the whole, nor the other way round.
    whose = ("public",) if request.public else ()
    kind = "-".join((*whose, request.kind, *request.effective_languages, request.paper))
    return Print(f"{folder_of(request.event)}/{kind}-{name}.pdf")


def folder_of(event: Event) -> str:
    """Where all that is made of this event lies."""
    return str(event.pk)


def keep(made: Print, content: bytes) -> Print:
    """Keep a file for some days. Raises Refused where the disk takes no more."""
    try:
        _prints().save(made.name, ContentFile(content))
    except OSError as error:
        raise Refused(
            _("The print can't be kept: “%(reason)s”. Make room on the disk, then print again.")
            % {"reason": error.strerror}
        ) from error
    _forget_old(str(PurePosixPath(made.name).parent))
    return made


def _forget_old(folder: str) -> None:
    long_ago = datetime.now(tz=UTC) - KEEP  # by the clock that dates files
    for name in _names_in(folder):
        # Another process may be tidying up as well.
        with suppress(OSError):
            if _prints().get_modified_time(f"{folder}/{name}") < long_ago:
                _prints().delete(f"{folder}/{name}")


def title_of(kind: str) -> Promise:
    """What a document is called; `str` of it is in the active language."""
    return DOCUMENTS[kind].title
