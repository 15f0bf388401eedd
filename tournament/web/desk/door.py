"""The door: check-in, undo, walk-ins, people who leave and come back."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.access import actor_of, organised_event
from tournament.actions import players as actions
from tournament.forms.players import WalkInForm
from tournament.models import Event
from tournament.models.players import PlayerStatus
from tournament.queries.absences import round_to_join, unseated
from tournament.queries.players import search_players
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    page_or_partial,
    posted_text,
    search_query,
    submission_key,
    unprocessable,
    was_refused,
    with_namesakes,
)

PAGE_SIZE = 200


@require_safe
def door(request: HttpRequest, slug: str) -> HttpResponse:
    """Check-in: big rows, search while typing, undo, walk-ins."""
    event = organised_event(request, slug)
    return door_page(request, event, WalkInForm(event=event))


def door_page(request: HttpRequest, event: Event, form: WalkInForm) -> HttpResponse:
    query = search_query(request) or posted_text(request, "q", 60)
    if was_refused(request, "namesake"):
        form.ask_namesake()
    shown = search_players(event, query).filter(
        ~Q(status__in=(PlayerStatus.WITHDRAWN, PlayerStatus.DISQUALIFIED))
    )
    page = Paginator(shown, PAGE_SIZE).get_page(request.GET.get("page"))
    here = event.players.here().count()
    joinable = round_to_join(event)
    return render(
        request,
        page_or_partial(request, "tournament/desk/door.html", "list"),
        {
            "event": event,
            "players": page.object_list,
            "page": page,
            "query": query,
            "form": form,
            "key": new_submission_key(),
            "joinable": joinable,
            "unseated": [one.number for one in unseated(event, joinable)] if joinable else [],
            "here": here,
            "expected": here + event.players.expected().count(),
        },
    )


@require_POST
def walk_in(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    form = WalkInForm(request.POST, event=event)
    if not form.is_valid():
        return unprocessable(door_page(request, event, form))
    entry = form.entry()
    return carry_out(
        request,
        lambda: actions.add_player(
            event=event,
            entry=entry,
            by=actor_of(request),
            walk_in=True,
            key=submission_key(request),
        ),
        then=reverse("door", args=[slug]),
        page=lambda: door_page(request, event, form),
        said=with_namesakes(_("%(name)s is checked in.") % {"name": entry.name}, event, entry.name),
    )
