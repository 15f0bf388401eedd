"""Whole public pages that many open at once: rendered once for everybody, kept compressed.

Their parts are those that `parts.py` keeps; what stands around them is the same for all readers of
one language, theme and duty.
"""

from __future__ import annotations

import gzip
import hashlib
import time
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language

from tournament.access import public_event
from tournament.models import Event
from tournament.models.versions import Part
from tournament.policies import duty_of
from tournament.queries.versions import versions_of
from tournament.web.context_processors import theme_of

VARY = "Accept-Encoding, Cookie, Accept-Language"
MOST_PAGES = 300

type Renderer = Callable[[HttpRequest, Event], HttpResponse]
type Key = tuple[object, ...]

_seen: dict[str, tuple[float, int, tuple[int, ...]]] = {}
_pages: dict[Key, tuple[float, tuple[int, ...], bytes]] = {}


def forget() -> None:
    """Empty this process's memory of pages and versions."""
    _seen.clear()
    _pages.clear()


def _version(slug: str) -> tuple[int, tuple[int, ...]]:
    """(event key, versions of its parts) of a published event; 404 if there is none."""
    now = time.monotonic()
    known = _seen.get(slug)
    if known is not None and now - known[0] < settings.LIVE_SECONDS:
        return known[1], known[2]
    event = public_event(slug)
    parts = versions_of(event).parts
    # Calls, screens and what waits at the desk are on no public page.
    found = tuple(parts[one] for one in (Part.STANDINGS, Part.SEATS, Part.SHEETS, Part.CLOCK))
    if len(_seen) > MOST_PAGES:
        _seen.clear()
    _seen[slug] = (now, event.pk, found)
    return event.pk, found


def live_page(name: str) -> Callable[[Renderer], Callable[[HttpRequest, str], HttpResponse]]:
    """A public page of an event that is the same for everybody in one language, theme and duty:
    the staff find their way back to the desk on it. It says when it was made, so it is made again
    after `LIVE_SECONDS` at the latest when something changed. Its template extends
    `kept_base.html`."""

    def decorate(render: Renderer) -> Callable[[HttpRequest, str], HttpResponse]:
        @wraps(render)
        def view(request: HttpRequest, slug: str) -> HttpResponse:
            pk, version = _version(slug)
            duty = duty_of(request.user, Event(pk=pk))  # type: ignore[arg-type]
            key = (name, pk, get_language(), theme_of(request), duty)
            kept = _pages.get(key)
            now = time.monotonic()
            if kept is None or kept[1] != version or now - kept[0] > settings.PAGE_SECONDS:
                request.META["QUERY_STRING"] = ""  # no trace of who asked first
                body = gzip.compress(render(request, public_event(slug)).content, 6, mtime=0)
                if len(_pages) >= MOST_PAGES:
                    _pages.clear()
                _pages[key] = kept = (now, version, body)
            return _answer(request, kept[2])

        return view

    return decorate


def kept_page(
    request: HttpRequest, name: str, version: int, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """A page that is the same for everybody of one language and theme, made once a version. A
    browser that has it is told so without a body. Its template extends `kept_series_base.html`;
    `name` has all that makes it another one."""
    key = (name, get_language(), theme_of(request))
    kept, now = _pages.get(key), time.monotonic()
    if kept is None or kept[1] != (version,) or now - kept[0] > settings.PAGE_SECONDS:
        request.META["QUERY_STRING"] = ""  # no trace of who asked first
        body = gzip.compress(make().content, 6, mtime=0)
        if len(_pages) >= MOST_PAGES:
            _pages.clear()
        _pages[key] = kept = (now, (version,), body)
    # By its content: what says the same after a change need not be sent again.
    etag = f'"{hashlib.sha256(kept[2]).hexdigest()[:32]}"'
    if found := get_conditional_response(request, etag=etag):
        found.headers["Cache-Control"], found.headers["Vary"] = "private, no-cache", VARY
        return found
    response = _answer(request, kept[2])
    response.headers["ETag"] = etag
    return response


def _answer(request: HttpRequest, body: bytes) -> HttpResponse:
    headers = {"Cache-Control": "private, no-cache", "Vary": VARY}
    if "gzip" in request.META.get("HTTP_ACCEPT_ENCODING", ""):
        return HttpResponse(body, headers=headers | {"Content-Encoding": "gzip"})
    return HttpResponse(gzip.decompress(body), headers=headers)
