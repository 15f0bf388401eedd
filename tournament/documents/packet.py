"""What the publisher and the next level get after the end: one signed ZIP.

It is in the language of whoever presses. A job makes it, since its PDFs take their time, and it is
kept for some days like every print.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament import signatures
from tournament.actions.jobs import Stopped, Watch
from tournament.documents import store
from tournament.documents.event_archive import member
from tournament.documents.request import DocumentRequest
from tournament.documents.spreadsheet import csv_of, xlsx_of
from tournament.documents.store import Print
from tournament.models import Event, Job
from tournament.models.events import EventStatus
from tournament.queries.event_file.kinds import PUBLIC
from tournament.queries.event_file.public import public_file
from tournament.queries.event_file.values import canonical
from tournament.queries.exports import Listing, standings_listing
from tournament.queries.packet import (
    places_listing,
    prizes_listing,
    proofs_of_lots,
    rulings_listing,
)
from tournament.refusals import Refused

KIND = "packet"
README = "README.txt"
_PRINTS = ("standings", "penalties")


def find(event: Event, name: str) -> Print | None:
    """The packet of this fingerprint, if it was made before."""
    found = _print(event, name)
    return found if found.exists() else None


def fingerprint(event: Event) -> str:
    """Names what the packet shows now, in the active language, signed with this key."""
    prints = [store.fingerprint(_print_of(event, kind)) for kind in _PRINTS]
    shown = (_listings(event), public_file(event), proofs_of_lots(event), prints)
    named = (shown, get_language(), signatures.public_key())
    return sha256(repr(named).encode()).hexdigest()[:40]


def _print(event: Event, name: str) -> Print:
    return Print(f"{store.folder_of(event)}/packet-{name}.zip")


def too_early() -> Refused:
    return Refused(_("The packet is made once the event is finished."))


def make_by_job(job: Job, watch: Watch) -> Callable[[], dict[str, Any]]:
    """Make the packet that a job asks for (`tournament.jobs`)."""
    make(job.event, watch)
    return lambda: {"url": job.payload["url"]}


def make(event: Event, watch: Watch | None = None) -> Print:
    """Make the packet and keep it. Raises `Stopped`, and `Refused` before the event is over."""
    if event.status != EventStatus.FINISHED:
        raise too_early()
    made = _print(event, fingerprint(event))  # before: what changes meanwhile makes another one
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packet:
        members = list(_members(event, watch))
        for name, content in [(README, _readme(event, members)), *members]:
            packet.writestr(member(name), content)
        # Room for the signature, whose place and length are part of what is signed.
        packet.comment = bytes(signatures.COMMENT_LENGTH)
    return store.keep(made, signatures.signed(out.getvalue()[: -signatures.COMMENT_LENGTH]))


def _members(event: Event, watch: Watch | None) -> Iterator[tuple[str, bytes]]:
    """Empty ones are left out."""
    for listing in _listings(event):
        if listing.rows:
            yield f"{listing.name}.csv", csv_of(listing)
            yield f"{listing.name}.xlsx", xlsx_of(listing)
    yield PUBLIC, canonical(public_file(event))
    if proofs := proofs_of_lots(event):
        text = json.dumps(proofs, ensure_ascii=False, indent=2)
        yield "lots.json", f"{text}\n".encode()
    for place, kind in enumerate(_PRINTS, 1):
        if watch is not None and watch(place / (len(_PRINTS) + 1)):
            raise Stopped
        if content := _printed(event, kind):
            yield f"{kind}.pdf", content


def _listings(event: Event) -> tuple[Listing, ...]:
    listings = (places_listing, prizes_listing, rulings_listing)
    return standings_listing(event, for_others=True), *(listing(event) for listing in listings)


def _print_of(event: Event, kind: str) -> DocumentRequest:
    languages = tuple(filter(None, event.print_languages.split(",")))
    return DocumentRequest(event, kind, paper=event.paper, languages=languages)


def _printed(event: Event, kind: str) -> bytes:
    request = _print_of(event, kind)
    try:
        return (store.find(request) or store.make(request)).read_bytes()
    except Refused as refused:
        if refused.code != store.EMPTY:
            raise
        return b""  # nobody was penalised, say


def _readme(event: Event, members: list[tuple[str, bytes]]) -> bytes:
    told = {
        "standings.csv": _("Everybody in one order, with full names but for people under 18."),
        "places.csv": _("Who has a place where, with the contacts of those who agreed to that."),
        "prizes.csv": _("What was promised, and who got it."),
        "rulings.csv": _("What the judges decided where a rule left a question open."),
        PUBLIC: _("Every deal; `python -m scoring standings` computes the standings from it."),
        "lots.json": _("The lots that were drawn; `python -m scoring lot` draws each again."),
        "standings.pdf": _("The standings on paper."),
        "penalties.pdf": _("The judges' report. It is not public."),
    }
    lines = [
        f"{event.name} · {timezone.localdate(event.starts_at, event.zone)}",
        "",
        *(f"{name}: {told[name]}" for name, _content in members if name in told),
        "",
        _("This file is signed: nobody can change it on its way without being found out."),
        _("The key of this site: %(key)s") % {"key": signatures.public_key()},
        f"{settings.SITE_URL}/key/",
    ]
    return ("\n".join(lines) + "\n").encode()
