"""A round's page, which several views answer with: the draft to edit, or the round in play."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from tournament.access import organised_event, round_of
from tournament.actions.rounds import has_deals
from tournament.forms.sheets import whole
from tournament.models import Event, Round
from tournament.models.rounds import RoundStatus
from tournament.models.sheets import SheetStatus
from tournament.policies import can_organise
from tournament.queries.draftpage import Pins, draft_page
from tournament.queries.drafts import changes_of, sheets_to_print, version_of_tables
from tournament.queries.seats import tables_of
from tournament.views.base import act, new_key, part_of

PINS = "pins"  # in the session: round -> what is pinned


def page_of(request: HttpRequest, event: Event, round_: Round) -> HttpResponse:
    organiser = can_organise(request.user, event)  # type: ignore[arg-type]
    context: dict[str, Any] = {
        "event": event,
        "round": round_,
        "organiser": organiser,
        "key": new_key(),
        "to_print": sheets_to_print(round_),
    }
    if round_.status == RoundStatus.DRAWN and not round_.is_final:
        moving = whole(request.GET.get("move")) if organiser else None
        context["draft"] = draft_page(event, round_, moving=moving, pins=pins_of(request, round_))
        return render(
            request, part_of(request, "tournament/organiser/draft.html", "draft"), context
        )
    tables = tables_of(round_)
    playing = round_.status == RoundStatus.PUBLISHED
    context |= {
        "tables": tables,
        "all_in": all(table.status == SheetStatus.CONFIRMED for table in tables),
        "has_deals": has_deals(round_),
        "version": version_of_tables(round_),
        "changes": changes_of(round_) if playing else None,
    }
    return render(request, "tournament/organiser/round.html", context)


def pins_of(request: HttpRequest, round_: Round) -> Pins:
    """What this organiser has pinned in this round: "p12" a player, "t3" a table."""
    found = request.session.get(PINS, {}).get(str(round_.pk), [])
    of = {kind: frozenset(int(one[1:]) for one in found if one[0] == kind) for kind in "pt"}
    return Pins(of["p"], of["t"])


def change_round(
    request: HttpRequest, slug: str, pk: int, change: Any, said: str = "", *, then: str = ""
) -> HttpResponse:
    """Carry out a change of a round, then show its page."""
    event = organised_event(request, slug)
    round_ = round_of(event, pk)
    return act(
        request,
        lambda: change(round_),
        then=then or reverse("round", args=[slug, pk]),
        page=lambda: page_of(request, event, round_of(event, pk)),
        said=said,
    )
