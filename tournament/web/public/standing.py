"""Why somebody stands where they stand."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.access import public_event
from tournament.queries.explanations import explanation_for


@login_not_required
@require_safe
def standing(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One row of the standings: what parts it from its neighbours, deal by deal."""
    event = public_event(slug)
    explanation = explanation_for(event, number)
    if explanation is None:
        raise Http404
    return render(
        request,
        "tournament/public/standing.html",
        {"event": event, "explanation": explanation, "row": explanation.row},
    )
