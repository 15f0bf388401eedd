"""The whole standings, for the staff; and revealing those that everybody does not see yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.access import actor_of, organised_event, staffed_event, user_of
from tournament.actions import reveals as actions
from tournament.forms.fields import parse_int
from tournament.models import Event, Reveal
from tournament.models.versions import Part
from tournament.policies import can_organise
from tournament.queries.visibility import reveal_page, whole_standings
from tournament.web.live.parts import board_context, follows
from tournament.web.responses import carry_out, page_or_partial


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything, as it is now, whatever the public sees; for organisers with what reveals it."""
    return _page(request, staffed_event(request, slug))


def _page(request: HttpRequest, event: Event) -> HttpResponse:
    # First: what changes while the page is made is asked for by it.
    seen = follows(event, Part.NOTICES, ranks=True)
    page = parse_int(request.GET.get("page"), 1)
    return render(
        request,
        page_or_partial(request, "tournament/desk/standings.html", "whole"),
        board_context(event, whole_standings(event), page)
        | {
            "page_number": page,
            "follows": seen,
            "organiser": can_organise(user_of(request), event),
            "reveal": reveal_page(event),
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
        undo=lambda _count: _hide_address(event),
    )


def _hide_address(event: Event) -> str:
    """Where the last press is taken back, and no other."""
    last = Reveal.objects.of(event).last_told()
    return reverse("hide_again", args=[event.slug]) + (f"?seen={last.pk}" if last else "")


@require_POST
def hide_again(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    seen = parse_int(request.GET.get("seen")) or None
    return carry_out(
        request,
        lambda: actions.take_reveal_back(event=event, seen=seen, by=actor_of(request)),
        then=reverse("desk_standings", args=[slug]),
        page=lambda: _page(request, event),
        said=_("Taken back: what the last press revealed is hidden again."),
    )
