"""What happened, and the event as a file."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring import eventfile
from tournament import rulebook
from tournament.access import organised_event
from tournament.forms.fields import parse_int
from tournament.labels import LOG_KIND_NAMES
from tournament.models import Event
from tournament.queries.log import log_of, log_rows


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that happened, latest first; narrowed down to a kind, or to one player."""
    event = organised_event(request, slug)
    kind, number = request.GET.get("kind", ""), parse_int(request.GET.get("player"))
    about = event.players.filter(number=number).first() if number else None
    page = Paginator(log_of(event, kind, about), 40).get_page(request.GET.get("page"))
    return render(
        request,
        "tournament/desk/log.html",
        {
            "event": event,
            "rows": log_rows(page.object_list),
            "page": page,
            "kind": kind,
            "kinds": LOG_KIND_NAMES.items(),
            "about": about,
        },
    )


@require_safe
def export(request: HttpRequest, slug: str) -> HttpResponse:
    """The event as a file that `python -m scoring standings` reads: numbers instead of names."""
    event: Event = organised_event(request, slug)
    response = JsonResponse(eventfile.write(rulebook.event_file(event)))
    response["Content-Disposition"] = f'attachment; filename="{event.slug}.json"'
    return response
