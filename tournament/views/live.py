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
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.translation import get_language

from tournament.access import public_event
from tournament.models import Event
from tournament.queries.standings import version_of

KEEP_SECONDS = 3600
VARY = "Accept-Encoding, Cookie, Accept-Language, HX-Request"
_seen: dict[str, tuple[float, int, int]] = {}

type Renderer = Callable[[HttpRequest, Event], HttpResponse]


def _version(slug: str) -> tuple[int, int]:
    """(event key, version) of a published event; 404 if there is none."""
    now = time.monotonic()
    known = _seen.get(slug)
    if known is not None and now - known[0] < settings.LIVE_SECONDS:
        return known[1], known[2]
    event = public_event(slug)
    found = (event.pk, version_of(event))
    if len(_seen) > 1000:
        _seen.clear()
    _seen[slug] = (now, *found)
    return found


def live_page(name: str) -> Callable[[Renderer], Callable[[HttpRequest, str], HttpResponse]]:
    """A public page of an event that is the same for everybody in one language and theme."""

    def decorate(render: Renderer) -> Callable[[HttpRequest, str], HttpResponse]:
        @wraps(render)
        def view(request: HttpRequest, slug: str) -> HttpResponse:
            pk, version = _version(slug)
            fragment = request.headers.get("HX-Request") == "true"
            tag = f"{version}-{get_language()}"
            if fragment and request.headers.get("HX-PTag") == tag:
                return HttpResponseNotModified()
            theme = request.COOKIES.get("theme", "")[:5]
            key = f"page:{name}:{pk}:{tag}:{theme}:{'part' if fragment else 'page'}"
            body = cache.get(key)
            if body is None:
                request.META["QUERY_STRING"] = ""  # no trace of who asked first
                rendered = render(request, public_event(slug))
                body = gzip.compress(rendered.content, 6)
                cache.set(key, body, KEEP_SECONDS)
            return _answer(request, body, tag)

        return view

    return decorate


def _answer(request: HttpRequest, body: bytes, tag: str) -> HttpResponse:
    headers = {"HX-PTag": tag, "Cache-Control": "private, no-cache", "Vary": VARY}
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(body, headers=headers | {"Content-Encoding": "gzip"})
    return HttpResponse(gzip.decompress(body), headers=headers)
