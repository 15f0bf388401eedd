"""The event for a player's own calendar, as RFC 5545 writes it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.access import player_by_link
from tournament.links import ticket_url
from tournament.models import Player

USUAL = timedelta(hours=4)  # how long an event lasts that does not say
MOST_BYTES = 75  # on a line


@login_not_required
@never_cache
@require_safe
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """The event with its place and the ticket's link; fetched again it replaces the old entry."""
    player = player_by_link(token)
    body = "".join(f"{line}\r\n" for one in _lines(player) for line in _folded(one))
    name = f"{player.event.slug}.ics"
    return HttpResponse(
        body,
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _lines(player: Player) -> Iterator[str]:
    event = player.event
    place = ", ".join(one for one in (event.venue, event.address) if one)
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Lodestar//EN", "BEGIN:VEVENT")
    yield f"UID:event-{event.pk}-player-{player.pk}@lodestar"
    yield f"DTSTAMP:{_instant(timezone.now())}"
    yield f"DTSTART:{_instant(event.starts_at)}"
    yield f"DTEND:{_instant(event.ends_at or event.starts_at + USUAL)}"
    yield f"SUMMARY:{_text(event.name)}"
    if place:
        yield f"LOCATION:{_text(place)}"
    address = ticket_url(player)
    yield f"DESCRIPTION:{_text(address)}"
    yield f"URL:{address}"
    yield from ("END:VEVENT", "END:VCALENDAR")


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(value: str) -> str:
    for sign in "\\;,":
        value = value.replace(sign, f"\\{sign}")
    # Whatever ends a line somewhere; what was sent by hand may hold any of them.
    return "\\n".join(value.splitlines())


def _folded(line: str) -> Iterator[str]:
    """In lines of at most 75 bytes; those that go on begin with a space. No letter is cut."""
    found = ""
    for letter in line:
        if len((found + letter).encode()) > MOST_BYTES:
            yield found
            found = " "
        found += letter
    yield found
