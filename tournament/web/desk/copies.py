"""How old the second copy is: the desk asks again now and then."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.access import organised_event
from tournament.queries.second_copy import second_copy_state


@require_safe
def second_copy(request: HttpRequest, slug: str) -> HttpResponse:
    """The line of the desk alone."""
    event = organised_event(request, slug)
    copy = second_copy_state(timezone.now())
    if copy is None:
        return HttpResponse(status=204)
    return render(request, "tournament/desk/second_copy.html", {"event": event, "copy": copy})
