"""Lists to take along: players and standings as CSV or XLSX."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.access import organised_event
from tournament.documents.spreadsheet import SPREADSHEETS
from tournament.models import Event
from tournament.queries.exports import Listing, players_listing, standings_listing
from tournament.web.desk.players import chosen_players


@require_safe
def players(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Everybody, or whom the page of players shows: `?q=`, `?status=`."""
    event = organised_event(request, slug)
    return _file(event, kind, players_listing(chosen_players(request, event)))


@require_safe
def standings(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    event = organised_event(request, slug)
    return _file(event, kind, standings_listing(event))


def _file(event: Event, kind: str, listing: Listing) -> HttpResponse:
    if kind not in SPREADSHEETS:
        raise Http404
    write, content_type = SPREADSHEETS[kind]
    response = HttpResponse(write(listing), content_type=content_type)
    name = f"{event.slug}-{listing.name}.{kind}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
