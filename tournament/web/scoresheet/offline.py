"""What a table's phone takes along, so that its sheet can be finished without a net."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.models.rounds import RoundStatus
from tournament.queries.scoresheets import SheetView, sheet_view
from tournament.web.responses import new_submission_key
from tournament.web.scoresheet.context import SheetContext, sheet_page
from tournament.web.scoresheet.deal_forms import form_context, form_of_deal


def offline_facts(context: SheetContext, view: SheetView) -> dict[str, str] | None:
    """For `scoresheet/offline.html`, in each page; None where everything goes to the server at
    once: the staff, and a round that counts already, whose corrections show first what they do."""
    if context.staff or view.is_confirmed or view.round.status != RoundStatus.PUBLISHED:
        return None
    return {
        "players": ",".join(str(seat.number) for seat in view.seats),
        "deals": ",".join(deal.text for deal in view.deals),
        "losses": json.dumps({number: sorted(seats) for number, seats in view.losses.items()}),
        "steps": context.url("steps"),
    }


@never_cache
@sheet_page
@require_safe
def steps(request: HttpRequest, context: SheetContext) -> HttpResponse:
    """What is shown at each step that the server can't answer: asked for once, and kept."""
    view = sheet_view(context.table)
    if view.sheet.is_bye:  # without an opponent there are none
        raise Http404
    names = ("sheet", "submit", "confirm")
    shown = {
        "view": view,
        "event": view.event,
        "sheet": context,
        "offline": True,
        **form_context(view, form_of_deal(view)),
        "urls": {name: context.url(name) for name in names},
        "version": view.sheet.version,
        "key": new_submission_key(),
    }
    return render(request, "tournament/scoresheet/steps.html", shown)
