"""Help for everybody at a table: the common errors, and what people ask."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.access import visible_event
from tournament.games import words_of
from tournament.guidance import SOURCES
from tournament.queries.guidance import answers_to, common_errors
from tournament.web.responses import search_query


@login_not_required
@require_safe
def errors(request: HttpRequest, slug: str) -> HttpResponse:
    context = {"event": visible_event(request, slug), "errors": common_errors()}
    return render(request, "tournament/public/errors.html", context)


@login_not_required
@require_safe
def questions(request: HttpRequest, slug: str) -> HttpResponse:
    query, event = search_query(request), visible_event(request, slug)
    found = answers_to(query, any_game=bool(words_of(event).edition))
    context = {
        "event": event,
        "query": query,
        "found": [(one, SOURCES[one.source]) for one in found],
    }
    return render(request, "tournament/public/questions.html", context)
