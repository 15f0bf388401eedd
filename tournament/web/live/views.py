"""What pages that follow an event ask for. No session, no person: `lane.py` keeps the answers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import override
from django.views.decorators.http import require_safe

from tournament.access import public_event
from tournament.models.versions import Part
from tournament.queries.pulse import FOR_EVERYBODY, FOR_STAFF, pulse_of
from tournament.queries.versions import versions_of
from tournament.web.live.parts import ask_for, has_template, part_of, ready_parts

# Any cache between here and a phone may answer for a moment, and while this server is down.
CACHED = "public, max-age=1, stale-while-revalidate=5, stale-if-error=60"


@login_not_required
@require_safe
def pulse(request: HttpRequest, slug: str) -> HttpResponse:
    """What has changed, for everybody."""
    return _pulse(slug, FOR_EVERYBODY)


@login_not_required
@require_safe
def staff_pulse(request: HttpRequest, slug: str) -> HttpResponse:
    """The same, and what only the staff's pages follow: numbers that tell an outsider nothing."""
    return _pulse(slug, FOR_STAFF)


def _pulse(slug: str, parts: Iterable[Part]) -> HttpResponse:
    event = public_event(slug)
    versions = versions_of(event)
    beat: dict[str, Any] = {"parts": ready_parts(event, versions)}
    beat |= pulse_of(event, versions, parts)
    return _kept_by_everybody(json.dumps(beat, separators=(",", ":")).encode(), "application/json")


@login_not_required
@require_safe
def part(request: HttpRequest, slug: str, name: str, language: str) -> HttpResponse:
    """One part of a public page in one language."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    event = public_event(slug)
    with override(language):
        found = part_of(event, name)
        ask_for(event, name)
    kind = "text/html; charset=utf-8" if has_template(name) else "application/json"
    response = _kept_by_everybody(found.value, kind)
    response["Content-Encoding"] = "gzip"
    response["Lodestar-Version"] = str(found.since)
    return response


def _kept_by_everybody(body: bytes, kind: str) -> HttpResponse:
    tag = f'"{blake2b(body, digest_size=8).hexdigest()}"'
    return HttpResponse(body, content_type=kind, headers={"ETag": tag, "Cache-Control": CACHED})
