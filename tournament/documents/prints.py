"""Prints are made once for the same content, in parts, and kept for a few days.

Whatever a document shows is gathered first (`Document.facts`); its fingerprint names the file. A
second press, or a second person, finds the file; an event that changed has another fingerprint.
"""

from __future__ import annotations

import gc
import io
import os
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache as memory
from django.utils import translation
from django.utils.translation import gettext as _

from tournament.actions.jobs import Stopped
from tournament.documents.ask import Ask, Part
from tournament.documents.catalogue import DOCUMENTS
from tournament.documents.render import static_folder
from tournament.models import Job
from tournament.queries.standings import version_of
from tournament.refused import Refused

KIND = "print"  # the kind of job that prints
KEEP = 3 * 24 * 3600  # seconds that a print is kept
JUST_MADE = 60  # seconds in which who waited for a print gets it, though the event has changed
_KNOWN = 600  # seconds for which a version's fingerprint is remembered

type Watch = Callable[[float], bool]


def fingerprint(ask: Ask) -> str:
    """Names what this document shows now: the same content has the same one."""
    asked = _asked(ask)
    key = f"print:{ask.event.pk}:{version_of(ask.event)}:{sha256(repr(asked).encode()).hexdigest()}"
    known: str | None = memory.get(key)
    if known is None:
        with translation.override(ask.said_in[0]):
            facts = DOCUMENTS[ask.kind].facts(ask)
        known = _named(asked, facts)
        memory.set(key, known, _KNOWN)
    return known


def _asked(ask: Ask) -> tuple[object, ...]:
    return (ask.kind, ask.round and ask.round.pk, ask.tables, ask.paper, ask.said_in)


def _named(asked: object, facts: object) -> str:
    return sha256(repr((_edition(), asked, facts)).encode()).hexdigest()[:40]


@cache
def _edition() -> str:
    """What the drawing itself depends on: a new release draws anew."""
    here = Path(__file__).parent
    files = [*here.glob("*.py"), *(settings.BASE_DIR / "templates" / "print").glob("*.html")]
    files += [static_folder() / "css" / "paper.css"]
    return sha256(b"".join(path.read_bytes() for path in sorted(files))).hexdigest()


def kept(ask: Ask) -> Path | None:
    """The file, if this very content was printed before."""
    path = _path(ask, fingerprint(ask))
    return path if path.exists() else None


def just_made(ask: Ask, name: str) -> Path | None:
    """The file that somebody has waited for, whatever changed while it was made: at a busy door
    there would always be a newer one to wait for."""
    if not re.fullmatch(r"[0-9a-f]{40}", name):
        return None
    path = _path(ask, name)
    fresh = path.exists() and time.time() - path.stat().st_mtime < JUST_MADE
    return path if fresh else None


def kept_before(ask: Ask) -> Path | None:
    """The newest file that was printed for the same asking, whatever it showed."""
    files = _path(ask, "*").parent.glob(_path(ask, "*").name)
    return max(files, key=lambda path: path.stat().st_mtime, default=None)


def make(ask: Ask, watch: Watch | None = None) -> Path:
    """Make the document and keep it. `watch` is told how far it is; true: stop.

    Raises `Stopped` then, and `Refused` where there is nothing to print.
    """
    with translation.override(ask.said_in[0]):
        facts = DOCUMENTS[ask.kind].facts(ask)
        parts = DOCUMENTS[ask.kind].parts(ask, facts)
        if not parts:
            raise Refused(_("There is nothing to print yet."))
        content = joined(parts, watch)
    path = _path(ask, _named(_asked(ask), facts))
    _write(path, content)
    _forget_old(path.parent)
    return path


def print_by_job(job: Job, watch: Watch) -> Callable[[], dict[str, Any]]:
    """Make what a job asks for (`tournament.jobs`); it is found at the job's address then."""
    asked = job.asked
    ask = Ask(
        event=job.event,
        kind=asked["kind"],
        round=job.event.rounds.filter(pk=asked["round"]).first(),
        tables=tuple(asked["tables"]),
        paper=asked["paper"],
        languages=tuple(asked["languages"]),
    )
    name = make(ask, watch).stem.rpartition("-")[2]
    url = f"{asked['url']}{'&' if '?' in asked['url'] else '?'}made={name}"
    return lambda: {"url": url}


def asked_of(ask: Ask, url: str) -> dict[str, Any]:
    """A job's arguments for this document; `url`: where it is to be found."""
    return {
        "kind": ask.kind,
        "round": ask.round and ask.round.pk,
        "tables": list(ask.tables),
        "paper": ask.paper,
        "languages": list(ask.said_in),
        "url": url,
    }


def joined(parts: Sequence[Part], watch: Watch | None = None) -> bytes:
    """The parts as one PDF; a part is gone from memory before the next is made."""
    made = []
    for number, part in enumerate(parts):
        if watch is not None and watch(number / len(parts)):
            raise Stopped
        made.append(part())
        gc.collect()  # a document's boxes hold each other
    if len(made) == 1:
        return made[0]
    from pypdf import PdfWriter

    writer = PdfWriter()
    for content in made:
        writer.append(io.BytesIO(content), import_outline=False)
    writer.compress_identical_objects(remove_duplicates=True, remove_unreferenced=True)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _path(ask: Ask, name: str) -> Path:
    kind = "-".join((ask.kind, *ask.said_in, ask.paper))
    return Path(settings.PRINTS_DIR) / str(ask.event.pk) / f"{kind}-{name}.pdf"


def _write(path: Path, content: bytes) -> None:
    """All of it or nothing: somebody may be reading."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise Refused(
            _("The print can't be kept: “%(reason)s”. Make room on the disk, then print again.")
            % {"reason": error.strerror}
        ) from error


def _forget_old(folder: Path) -> None:
    long_ago = time.time() - KEEP
    for path in folder.iterdir():
        with suppress(OSError):
            if path.stat().st_mtime < long_ago:
                path.unlink()


def title_of(kind: str) -> Any:
    """What a document is called, in the active language."""
    return DOCUMENTS[kind].title
