"""Somebody is missing, or came late: see what follows, pick, print what changed."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.access import actor_of, organised_event, round_of
from tournament.actions import mends
from tournament.forms.sheets import whole, wholes
from tournament.models import Event, Round
from tournament.models.rounds import RoundStatus
from tournament.queries.drafts import sheets_to_print
from tournament.queries.mends import known_gone, mend_page
from tournament.refused import Refused
from tournament.views.base import key_of, new_key, refusal
from tournament.views.drafts import tell_change
from tournament.views.roundpage import change_round

MANY = 20_000  # characters of the tables that a way out may change


@require_safe
def mend(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """`?missing=12&late=40`: the ways out for these; without `see` only the ticks."""
    event = organised_event(request, slug)
    return _page(request, event, round_of(event, pk))


def _page(request: HttpRequest, event: Event, round_: Round) -> HttpResponse:
    sent = request.GET if request.method != "POST" else request.POST
    open_round = round_.status in (RoundStatus.DRAWN, RoundStatus.PUBLISHED)
    if not open_round or round_.is_final:
        return redirect("round", event.slug, round_.pk)
    missing, late = _numbers(sent, "missing"), _numbers(sent, "late")
    page = mend_page(event, round_, missing=missing, late=late, asked="see" in sent)
    if "see" not in sent:  # what is known already is ticked
        late = late or [one.number for one in page.arrivals]
        missing = [*missing, *known_gone(round_)]
    ways = [(way, json.dumps({str(n): t for n, t in way.seats.items()})) for way in page.ways]
    places = [(way, json.dumps({str(n): t for n, t in way.seats.items()})) for way in page.places]
    context = {
        "event": event,
        "round": round_,
        "page": page,
        "ways": ways,
        "places": places,
        "ticked": set(late) | set(missing),
        "asked": "see" in sent,
        "key": new_key(),
    }
    return render(request, "tournament/organiser/mend.html", context)


def _numbers(sent: QueryDict, name: str) -> list[int]:
    """The start numbers that were ticked."""
    return [number for raw in sent.getlist(name)[:5000] if (number := whole(raw))]


@require_POST
def pick(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Carry out the way that was picked, exactly as it was shown."""
    event = organised_event(request, slug)
    round_ = round_of(event, pk)
    try:
        mends.mend_round(
            round_=round_,
            kind=request.POST.get("kind", ""),
            seats=_seats(request.POST.get("seats", "")),
            missing=_numbers(request.POST, "missing"),
            by=actor_of(request),
            version=whole(request.POST.get("version")) or None,
            key=key_of(request),
        )
    except Refused as refused:
        return refusal(request, refused, lambda: _page(request, event, round_of(event, pk)))
    tell_change(request, round_)
    if count := len(sheets_to_print(round_)):
        words = ngettext("Print %(count)d sheet again.", "Print %(count)d sheets again.", count)
        messages.info(request, words % {"count": count})
    return redirect("round", slug, pk)


def _seats(sent: str) -> dict[int, list[int]]:
    """Table number -> start numbers. Raises Refused where the form was bent."""
    try:
        found: Any = json.loads(sent[:MANY])
        return {int(n): [int(number) for number in table] for n, table in found.items()}
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise Refused(_("Pick one of the ways out.")) from error


@require_POST
def replaced(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The new sheets lie on their tables."""
    numbers = wholes(request.POST.get("tables"))
    by = actor_of(request)
    return change_round(
        request,
        slug,
        pk,
        lambda round_: mends.sheets_replaced(round_=round_, tables=numbers[:5000], by=by),
        then=reverse("round", args=[slug, pk]),
    )
