"""A round's page, which several views answer with: the draft to edit, or the round in play."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRefresh

from tournament.access import organised_event, round_of
from tournament.forms.fields import parse_int
from tournament.models import Event, Round, SeatingChange
from tournament.models.rounds import RoundStatus
from tournament.models.scoresheets import SheetStatus
from tournament.policies import can_organise
from tournament.queries.drafts import Pins, draft_page
from tournament.queries.seating_changes import sheets_to_print
from tournament.queries.seats import table_rows
from tournament.states import ROUND_STEPS, steps_from
from tournament.web.responses import (
    asks_for_part,
    carry_out,
    new_submission_key,
    page_or_partial,
)

TABLES = 100  # on a page
PINS = "pins"  # in the session: round -> what is pinned


def round_response(request: HttpRequest, event: Event, round_: Round) -> HttpResponse:
    organiser = can_organise(request.user, event)  # type: ignore[arg-type]
    context: dict[str, Any] = {
        "event": event,
        "round": round_,
        "organiser": organiser,
        "key": new_submission_key(),
        "to_print": sheets_to_print(round_),
    }
    if round_.status == RoundStatus.DRAWN and round_.is_preliminary:
        moving = parse_int(request.GET.get("move")) if organiser else None
        context["draft"] = draft_page(event, round_, moving=moving, pins=pins_of(request, round_))
        return render(
            request, page_or_partial(request, "tournament/desk/draft.html", "draft"), context
        )
    if asks_for_part(request):  # no draft any more: the whole page is another one
        if refused := getattr(request, "refusal", None):
            messages.warning(request, refused.message)
        return HttpResponseClientRefresh()
    tables = table_rows(round_)
    shown = Paginator(tables, TABLES).get_page(request.GET.get("page"))
    not_in = [table.number for table in tables if table.status != SheetStatus.CONFIRMED]
    changes = SeatingChange.objects.still_open(round_).done()
    context |= {
        "tables": shown,
        "all_in": not not_in,
        "not_in": not_in,
        "has_deals": round_.has_deals(),
        "version": round_.version,
        "may_undo": round_.status == RoundStatus.PUBLISHED and changes.exists(),
        "steps": steps_from(ROUND_STEPS, round_.status),
        "public": round_.status not in (RoundStatus.DRAWN, RoundStatus.CANCELLED),
    }
    return render(request, "tournament/desk/round.html", context)


def pins_of(request: HttpRequest, round_: Round) -> Pins:
    """What this organiser has pinned in this round: "p12" a player, "t3" a table."""
    found = request.session.get(PINS, {}).get(str(round_.pk), [])
    of = {kind: frozenset(int(one[1:]) for one in found if one[0] == kind) for kind in "pt"}
    return Pins(of["p"], of["t"])


def change_round(
    request: HttpRequest,
    slug: str,
    pk: int,
    change: Any,
    said: str = "",
    *,
    then: str = "",
    undo: str = "",
) -> HttpResponse:
    """Carry out a change of a round, then show its page."""
    event = organised_event(request, slug)
    round_ = round_of(event, pk)
    return carry_out(
        request,
        lambda: change(round_),
        then=then or reverse("round", args=[slug, pk]),
        page=lambda: round_response(request, event, round_of(event, pk)),
        said=said,
        undo=undo,
    )
