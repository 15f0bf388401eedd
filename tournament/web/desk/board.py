"""The board of the tables while a round is played, and the plan of the day."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.access import staffed_event
from tournament.models.versions import Part
from tournament.policies import can_organise
from tournament.queries.board import board_of
from tournament.queries.day_plan import MINUTES_A_DEAL, day_plan
from tournament.web.live.parts import follows
from tournament.web.responses import page_or_partial


@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Every table, the slowest first; `?show=open` leaves out what is done."""
    event = staffed_event(request, slug)
    # First: what changes while the page is made is asked for by it.
    seen = follows(event, Part.SEATS, Part.SHEETS, Part.CLOCK, Part.CALLS, Part.BOARD)
    found = board_of(event, timezone.now())
    only_open = request.GET.get("show") == "open"
    context = {
        "event": event,
        "organiser": can_organise(request.user, event),  # type: ignore[arg-type]
        "board": found,
        "tiles": (found.not_done if only_open else found.tiles) if found else (),
        "only_open": only_open,
        "follows": seen,
    }
    template = page_or_partial(request, "tournament/desk/board.html", "board")
    return render(request, template, context)


@require_safe
def day(request: HttpRequest, slug: str) -> HttpResponse:
    """What fits into the day, and when it ends at this pace."""
    event = staffed_event(request, slug)
    seen = follows(event, Part.SEATS, Part.SHEETS, Part.CLOCK)
    context = {
        "event": event,
        "organiser": can_organise(request.user, event),  # type: ignore[arg-type]
        "plan": day_plan(event, timezone.now()),
        "minutes_a_deal": MINUTES_A_DEAL,
        "follows": seen,
    }
    return render(request, page_or_partial(request, "tournament/desk/day.html", "day"), context)
