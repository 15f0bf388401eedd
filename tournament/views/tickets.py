"""A player's own link: seat, results deal by deal, own penalties."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import ptag

from tournament.access import player_by_link
from tournament.actions.attendance import withdraw
from tournament.actions.sheets import confirm_sheet
from tournament.actor import Actor
from tournament.documents.codes import qr_svg
from tournament.forms.sheets import whole
from tournament.links import ticket_url
from tournament.models import Player
from tournament.policies import links_live
from tournament.queries.tickets import ticket_for
from tournament.views.base import act, key_of, live_tag, new_key, part_of


def _ticket_tag(request: HttpRequest, token: str) -> str | None:
    if request.method == "POST":
        return None
    return live_tag(player_by_link(token).event)


@login_not_required
@never_cache
@require_safe
@ptag(_ticket_tag)
def ticket(request: HttpRequest, token: str) -> HttpResponse:
    """The player's page; what happens to them appears by itself."""
    return _page(request, player_by_link(token))


def _page(request: HttpRequest, player: Player) -> HttpResponse:
    return render(
        request,
        part_of(request, "tournament/player/ticket.html", "live"),
        {
            "ticket": ticket_for(player),
            "player": player,
            "event": player.event,
            "qr": qr_svg(ticket_url(player)),
            "key": new_key(),
            "live": links_live(player.event),
            "tag": live_tag(player.event),
        },
    )


@login_not_required
@require_POST
def withdraw_self(request: HttpRequest, token: str) -> HttpResponse:
    """A person cancels: the place goes to the next on the waiting list."""
    player = player_by_link(token)
    return act(
        request,
        lambda: withdraw(player=player, by=Actor.of_player(player)),
        then=reverse("ticket", args=[token]),
        page=lambda: _page(request, player_by_link(token)),
        said=_("You are no longer registered. Thank you for telling us."),
    )


@login_not_required
@require_POST
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """A player confirms the sheet of the table they sit at."""
    player = player_by_link(token)
    if not links_live(player.event):
        raise Http404
    found = ticket_for(player)
    if found.sheet is None:
        return redirect("ticket", token)
    sheet = found.sheet.sheet
    return act(
        request,
        lambda: confirm_sheet(
            sheet=sheet,
            version=whole(request.POST.get("version"), -1),
            by=Actor.of_player(player),
            key=key_of(request),
        ),
        then=reverse("ticket", args=[token]),
        page=lambda: _page(request, player_by_link(token)),
        said=_("The sheet is confirmed and counts in the standings."),
    )
