"""The whole standings, for the staff; and revealing those that everybody does not see yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import ptag

from tournament.access import actor_of, organised_event, staffed_event, user_of
from tournament.actions import reveals as actions
from tournament.forms.fields import parse_int
from tournament.models import Event
from tournament.policies import can_organise
from tournament.queries.visibility import reveal_page, whole_standings
from tournament.web.responses import asks_for_part, carry_out, version_tag


def _tag(request: HttpRequest, slug: str) -> str | None:
    return version_tag(staffed_event(request, slug))


@require_safe
@ptag(_tag)
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything, as it is now, whatever the public sees; for organisers with what reveals it."""
    return _page(request, staffed_event(request, slug))


def _page(request: HttpRequest, event: Event) -> HttpResponse:
    whole = whole_standings(event)
    # The table is everybody's, with more in it; it asks for itself again here.
    board = "tournament/public/standings.html#board"
    return render(
        request,
        board if asks_for_part(request) else "tournament/desk/standings.html",
        {
            "event": event,
            "organiser": can_organise(user_of(request), event),
            "reveal": reveal_page(event),
            "standings": whole.board,
            "public": whole,
            "address": reverse("desk_standings", args=[event.slug]),
            "tag": version_tag(event),
        },
    )


@require_POST
def reveal(request: HttpRequest, slug: str) -> HttpResponse:
    """`down_to`: the best rank that everybody sees from now on; 1: nothing is hidden any more."""
    event, down_to = organised_event(request, slug), parse_int(request.POST.get("down_to"))

    def said(count: int) -> str:
        if down_to == 1:
            return _("Everything is revealed: everybody sees the standings as they are.")
        words = ngettext(
            "%(count)d person is revealed: everybody sees rank %(rank)d and what lies behind it.",
            "%(count)d people are revealed: everybody sees rank %(rank)d and what lies behind it.",
            count,
        )
        return words % {"count": count, "rank": down_to}

    return carry_out(
        request,
        lambda: actions.reveal_ranks(event=event, down_to=down_to, by=actor_of(request)),
        then=reverse("desk_standings", args=[slug]),
        page=lambda: _page(request, event),
        said=said,
        undo=reverse("hide_again", args=[slug]),
    )


@require_POST
def hide_again(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    return carry_out(
        request,
        lambda: actions.take_reveal_back(event=event, by=actor_of(request)),
        then=reverse("desk_standings", args=[slug]),
        page=lambda: _page(request, event),
        said=_("Taken back: what the last press revealed is hidden again."),
    )
