"""What happened."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.access import organised_event
from tournament.forms.fields import parse_int
from tournament.labels import LOG_KIND_NAMES
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
