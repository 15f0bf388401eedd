"""The parts of public pages that follow the event by themselves: made once for all workers, kept
compressed, the same for everybody who reads one language."""

from __future__ import annotations

import gzip
import json
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.core.paginator import Paginator
from django.http import Http404
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, override

from tournament.models import Event, EventVersion
from tournament.models.versions import Part
from tournament.queries.kept import Kept, kept
from tournament.queries.rulings import rulings_of
from tournament.queries.seats import current_round, table_rows
from tournament.queries.standings import kept_standings
from tournament.queries.versions import versions_of
from tournament.queries.visibility import PublicStandings, public_standings

log = logging.getLogger(__name__)
REMIND = 60  # seconds
ASKED_FOR = 2 * 3600  # seconds after which nobody seems to read a part in a language any more
ROWS = 200  # of the standings on one page


@dataclass(frozen=True, slots=True)
class LivePart:
    """`follows`: what it is made of; `template`: a partial; `context`: what it shows of an event,
    and of which page of it (from 1); without a template it is sent as JSON. `paged`: it comes in
    pages of players."""

    follows: tuple[Part, ...]
    template: str
    context: Callable[[Event, int], dict[str, Any]]
    paged: bool = False


def _standings(event: Event, page: int) -> dict[str, Any]:
    return board_context(event, public_standings(event), page)


def board_context(event: Event, public: PublicStandings, page: int) -> dict[str, Any]:
    """What the partial of the standings needs."""
    board = public.board
    rows = Paginator(board.rows, ROWS).get_page(page)
    # The disqualified stand behind everybody.
    out = () if rows.has_next() else board.out
    return {"event": event, "standings": board, "public": public, "rows": rows, "out": out}


def _places(event: Event, _page: int) -> dict[str, Any]:
    """Start number -> table and seat, for the tickets."""
    round_ = current_round(event)
    if round_ is None:
        return {"label": "", "seats": {}}
    seats = round_.seats.values_list("player__number", "table__number", "position")
    return {"label": round_.label, "seats": {number: place for number, *place in seats}}


def _seats(event: Event, _page: int) -> dict[str, Any]:
    round_ = current_round(event)
    return {"event": event, "round": round_, "tables": table_rows(round_) if round_ else ()}


def _rulings(event: Event, _page: int) -> dict[str, Any]:
    return {"event": event, "rulings": rulings_of(event)}


def _ruling_count(event: Event, _page: int) -> dict[str, Any]:
    return {"count": event.rulings.in_force().count()}


PARTS: Mapping[str, LivePart] = {
    "standings": LivePart(
        (Part.STANDINGS,), "tournament/public/standings.html#board", _standings, paged=True
    ),
    "seats": LivePart((Part.SEATS,), "tournament/public/seats.html#tables", _seats),
    "places": LivePart((Part.SEATS,), "", _places),
    "rulings": LivePart((Part.RULINGS,), "tournament/public/rulings.html#list", _rulings),
    "rulingcount": LivePart((Part.RULINGS,), "tournament/public/rulings.html#count", _ruling_count),
}
RANKS = "ranks"  # everybody's rank, which pages of one person follow; there is no address of it
# One name for each page: what is asked for is kept, and made anew with every change.
_NAME = re.compile(r"([a-z]+)(?:-([2-9]|[1-9][0-9]{1,3}))?")


def _found(event: Event, name: str) -> tuple[LivePart, int]:
    """The part of this name, and which page of it. Raises Http404."""
    found = _NAME.fullmatch(name)
    part = PARTS.get(found[1]) if found else None
    if found is None or part is None:
        raise Http404
    page = int(found[2] or 1)
    if page > 1 and not (part.paged and page <= pages_of(event)):
        raise Http404
    return part, page


def pages_of(event: Event) -> int:
    """How many pages there may be of a list of the event's players. What is hidden has fewer; its
    last page stands for those behind it, so a page that is open finds what there is now."""
    return max(1, -(-event.players.count() // ROWS))


def part_of(event: Event, name: str, versions: EventVersion | None = None) -> Kept[bytes]:
    """A part in the active language, packed: as it is now or, in a hall, was seconds ago. 404 if
    there is none of this name."""
    part, page = _found(event, name)
    versions = versions or versions_of(event)
    version = sum(versions.parts[one] for one in part.follows)

    def make() -> bytes:
        shown = part.context(event, page)
        body = render_to_string(part.template, shown) if part.template else json.dumps(shown)
        return gzip.compress(body.encode(), 6, mtime=0)

    return kept(f"part:{event.pk}:{name}:{get_language()}", version, make)


def has_template(name: str) -> bool:
    """Whether the part is a piece of a page; else it is JSON."""
    return bool(PARTS[name.partition("-")[0]].template)


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A part as a page has it in its midst."""

    since: int
    html: SafeString


def shown_part(event: Event, name: str) -> ShownPart:
    """The part as it is now, which this page follows from now on. Raises Http404."""
    part = part_of(event, name)
    ask_for(event, name)
    html = gzip.decompress(part.value).decode()
    return ShownPart(part.since, mark_safe(html))  # noqa: S308 - our own template's


def follows(event: Event, *parts: Part, ranks: bool = False) -> str:
    """What a page of one person has seen: of each part it follows, one that the pulse tells
    (`queries/pulse.py`), the version; with `ranks` also of everybody's ranks, for pages that show
    some. Taken before the page is made, so that a change in between is not missed."""
    seen: dict[str, int] = {}
    if ranks:
        ask_for(event, RANKS)
        seen[RANKS] = kept_standings(event).since
    seen |= {part: version for part, version in versions_of(event).parts.items() if part in parts}
    return " ".join(f"{name}:{version}" for name, version in seen.items())


def ask_for(event: Event, name: str) -> None:
    """Somebody reads this part in the active language: from now on the pulse keeps it ready."""
    language = get_language() or settings.LANGUAGE_CODE
    # Once a minute and worker: the database need not hear it from every phone.
    if not caches["local"].add(f"asked:{event.pk}:{name}:{language}", 1, REMIND):
        return
    asked = _asked(event)
    if language not in asked.get(name, ()):
        asked[name] = [*asked.get(name, ()), language]
        caches["shared"].set(_asked_key(event), asked, ASKED_FOR)


def ready_parts(event: Event, versions: EventVersion) -> Mapping[str, Mapping[str, int]]:
    """Of all parts that are read: name -> language -> since which version it has been as it is.
    What is due to be made anew is made now; what can't be made costs nobody the clock."""
    ready: dict[str, dict[str, int]] = {}
    for name, languages in _asked(event).items():
        for language in languages:
            with override(language):
                try:
                    ready.setdefault(name, {})[language] = _since(event, name, versions)
                except Http404:  # it was asked for when there was more of it
                    continue
                except Exception:
                    log.exception("No part %s of event %s", name, event.pk)
    return ready


def _since(event: Event, name: str, versions: EventVersion) -> int:
    if name == RANKS:
        return kept_standings(event).since
    return part_of(event, name, versions).since


def _asked(event: Event) -> dict[str, list[str]]:
    found = caches["shared"].get(_asked_key(event))
    return found if isinstance(found, dict) else {}


def _asked_key(event: Event) -> str:
    return f"asked:{event.pk}"
