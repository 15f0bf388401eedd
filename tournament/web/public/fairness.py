"""How fair the seating has been: for everybody, if the organiser likes."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.access import fairness_event
from tournament.queries.fairness import fairness_of
from tournament.web.responses import page_or_partial, search_query

ROWS = 200


@login_not_required
@require_safe
def fairness(request: HttpRequest, slug: str) -> HttpResponse:
    event = fairness_event(request, slug)
    fair, query = fairness_of(event), search_query(request)
    page = Paginator(fair.found(query), ROWS).get_page(request.GET.get("page"))
    return render(
        request,
        page_or_partial(request, "tournament/public/fairness.html", "players"),
        {"event": event, "fair": fair, "query": query, "page": page},
    )
