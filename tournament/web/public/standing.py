"""Why somebody stands where they stand."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.access import public_event
from tournament.games import words_of
from tournament.queries.edition_rules import order_lines
from tournament.queries.explanations import explanation_for
from tournament.queries.visibility import public_standings


@login_not_required
@require_safe
def standing(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One row of the standings: what parts it from its neighbours, deal by deal."""
    event = public_event(slug)
    public = public_standings(event)
    explanation = explanation_for(event, number)
    known = not public.all_shown and event.players.filter(number=number).exists()
    if explanation is None and not known:
        raise Http404
    return render(
        request,
        "tournament/public/standing.html",
        {
            "event": event,
            "public": public,
            "explanation": explanation,
            "order": order_lines(event.ruleset, final=event.has_final)
            if words_of(event).edition
            else (),
            "row": explanation.row if explanation else None,
        },
    )
