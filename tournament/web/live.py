"""Public pages that many watch: rendered once per version and language, kept compressed.

The version row is read at most once in `LIVE_SECONDS` per process. A poll that has the present
version is answered 304 without a body (htmx's `HX-PTag`).
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.translation import get_language

from tournament.access import public_event
from tournament.models import Event
from tournament.policies import duty_of
from tournament.queries.standings import version_of
from tournament.web.context_processors import theme_of
from tournament.web.responses import asks_for_part

VARY = "Accept-Encoding, Cookie, Accept-Language, HX-Request"
MOST_PAGES = 300

type Renderer = Callable[[HttpRequest, Event], HttpResponse]
type Key = tuple[str, int, str, str, str | None, bool]

_seen: dict[str, tuple[float, int, int]] = {}
_pages: dict[Key, bytes] = {}


def forget() -> None:
    """Empty this process's memory of pages and versions."""
    _seen.clear()
    _pages.clear()


def _version(slug: str) -> tuple[int, int]:
    """(event key, version) of a published event; 404 if there is none."""
    now = time.monotonic()
    known = _seen.get(slug)
    if known is not None and now - known[0] < settings.LIVE_SECONDS:
        return known[1], known[2]
    event = public_event(slug)
    found = (event.pk, version_of(event))
    if len(_seen) > MOST_PAGES:
        _seen.clear()
    _seen[slug] = (now, *found)
    return found


def live_page(name: str) -> Callable[[Renderer], Callable[[HttpRequest, str], HttpResponse]]:
    """A public page of an event that is the same for everybody in one language, theme and duty:
    the staff find their way back to the desk on it."""

    def decorate(render: Renderer) -> Callable[[HttpRequest, str], HttpResponse]:
        @wraps(render)
        def view(request: HttpRequest, slug: str) -> HttpResponse:
            pk, version = _version(slug)
            part = asks_for_part(request)
            # Asked of the database only where somebody may be signed in.
            duty = None if part else duty_of(request.user, Event(pk=pk))  # type: ignore[arg-type]
            tag = f"{version}-{get_language()}"
            if part and request.META.get("HTTP_HX_PTAG") == tag:
                return HttpResponseNotModified()
            key = (name, pk, tag, theme_of(request), duty, part)
            body = _pages.get(key)
            if body is None:
                body = _render(render, request, slug)
                _keep(key, body)
            return _answer(request, body, tag)

        return view

    return decorate


def _render(render: Renderer, request: HttpRequest, slug: str) -> bytes:
    request.META["QUERY_STRING"] = ""  # no trace of who asked first
    return gzip.compress(render(request, public_event(slug)).content, 6)


def _keep(key: Key, body: bytes) -> None:
    if len(_pages) >= MOST_PAGES:
        _pages.clear()
    _pages[key] = body


def _answer(request: HttpRequest, body: bytes, tag: str) -> HttpResponse:
    headers = {"HX-PTag": tag, "Cache-Control": "private, no-cache", "Vary": VARY}
    if "gzip" in request.META.get("HTTP_ACCEPT_ENCODING", ""):
        return HttpResponse(body, headers=headers | {"Content-Encoding": "gzip"})
    return HttpResponse(gzip.decompress(body), headers=headers)
