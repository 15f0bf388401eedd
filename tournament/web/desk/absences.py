"""Somebody is missing, or came late: see what follows, pick, print what changed."""

from __future__ import annotations

import json
from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.access import actor_of, organised_event, round_of
from tournament.actions import absences as actions
from tournament.forms.drafts import MOST_PEOPLE, AbsencesForm, RepairForm
from tournament.forms.fields import parse_ints
from tournament.models import Event, Round
from tournament.models.rounds import OPEN_ROUND
from tournament.queries.absences import WayOut, absence_page, known_gone
from tournament.queries.seating_changes import sheets_to_print
from tournament.refusals import Refused
from tournament.web.desk.drafts import tell_change
from tournament.web.desk.round_page import change_round
from tournament.web.responses import new_submission_key, refusal, submission_key


@require_safe
def absences(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """`?missing=12&late=40`: the ways out for these; without `see` only the ticks."""
    event = organised_event(request, slug)
    return _absences_response(request, event, round_of(event, pk))


def _absences_response(request: HttpRequest, event: Event, round_: Round) -> HttpResponse:
    if round_.status not in OPEN_ROUND or not round_.is_preliminary:
        return redirect("round", event.slug, round_.pk)
    form = AbsencesForm(request.GET if request.method != "POST" else request.POST)
    form.full_clean()
    missing, late, see = (form.cleaned_data[name] for name in ("missing", "late", "see"))
    page = absence_page(event, round_, missing=missing, late=late, asked=see)
    if not see:  # what is known already is ticked
        late = late or [one.number for one in page.arrivals]
        missing = [*missing, *known_gone(round_)]
    context = {
        "event": event,
        "round": round_,
        "page": page,
        "ways": _with_seats(page.ways),
        "places": _with_seats(page.places),
        "ticked": set(late) | set(missing),
        "asked": see,
        "key": new_submission_key(),
    }
    return render(request, "tournament/desk/absences.html", context)


def _with_seats(ways: Iterable[WayOut]) -> list[tuple[WayOut, str]]:
    """Each way with the tables that its button sends."""
    return [(way, json.dumps({str(n): table for n, table in way.seats.items()})) for way in ways]


@require_POST
def pick(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Carry out the way that was picked, exactly as it was shown."""
    event = organised_event(request, slug)
    round_ = round_of(event, pk)
    form = RepairForm(request.POST)
    try:
        if not form.is_valid():
            raise Refused(form.default_error)
        actions.repair_round(
            round_=round_,
            seats=form.cleaned_data["seats"],
            missing=form.cleaned_data["missing"],
            by=actor_of(request),
            version=form.cleaned_data["version"],
            key=submission_key(request),
        )
    except Refused as refused:
        return refusal(
            request, refused, lambda: _absences_response(request, event, round_of(event, pk))
        )
    tell_change(request, round_)
    if count := len(sheets_to_print(round_)):
        words = ngettext("Print %(count)d sheet again.", "Print %(count)d sheets again.", count)
        messages.info(request, words % {"count": count})
    return redirect("round", slug, pk)


@require_POST
def replaced(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The new sheets lie on their tables."""
    numbers = parse_ints(request.POST.get("tables"))[:MOST_PEOPLE]
    by = actor_of(request)
    return change_round(
        request,
        slug,
        pk,
        lambda round_: actions.sheets_replaced(round_=round_, tables=numbers, by=by),
        then=reverse("round", args=[slug, pk]),
    )
