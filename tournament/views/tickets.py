"""A player's own link: seat, results deal by deal, own penalties."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.access import player_by_link
from tournament.actions.players import withdraw
from tournament.actions.sheets import confirm_sheet
from tournament.actor import Actor
from tournament.documents.codes import qr_svg
from tournament.forms.sheets import whole
from tournament.links import ticket_url
from tournament.policies import links_live
from tournament.queries.tickets import ticket_for
from tournament.views.base import act, new_key


@login_not_required
@never_cache
@require_safe
def ticket(request: HttpRequest, token: str) -> HttpResponse:
    player = player_by_link(token)
    return render(
        request,
        "tournament/player/ticket.html",
        {
            "ticket": ticket_for(player),
            "player": player,
            "event": player.event,
            "qr": qr_svg(ticket_url(player)),
            "key": new_key(),
            "live": links_live(player.event),
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
        page=lambda: ticket(request, token),
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
            key=request.POST.get("key", "")[:40],
        ),
        then=reverse("ticket", args=[token]),
        page=lambda: ticket(request, token),
        said=_("The sheet is confirmed and counts in the standings."),
    )
