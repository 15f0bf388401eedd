"""What is stored of the person whose ticket this is: to read, to take along, to have erased."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.access import player_by_link
from tournament.actions.erasing import ask_to_be_erased, erase_own_entry
from tournament.models import Player
from tournament.models.actors import Actor
from tournament.queries.event_file.values import canonical
from tournament.queries.own_data import may_erase_at_once, own_data
from tournament.refusals import Refused
from tournament.web.limits import spend_by_network
from tournament.web.responses import carry_out, refusal


@login_not_required
@never_cache
@require_safe
def data(request: HttpRequest, token: str) -> HttpResponse:
    return _page(request, player_by_link(token))


def _page(request: HttpRequest, player: Player) -> HttpResponse:
    context = {
        "player": player,
        "event": player.event,
        "data": own_data(player),
        "at_once": may_erase_at_once(player),
    }
    return render(request, "tournament/ticket/data.html", context)


@login_not_required
@never_cache
@require_safe
def download(request: HttpRequest, token: str) -> HttpResponse:
    player = player_by_link(token)
    response = HttpResponse(canonical(own_data(player)), content_type="application/json")
    name = f"{player.event.slug}-{player.number}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@login_not_required
@require_POST
def erase(request: HttpRequest, token: str) -> HttpResponse:
    """At once where nothing was played; else the organiser is asked, or no longer."""
    player = player_by_link(token)
    by, asks = Actor.of_player(player), "back" not in request.POST
    try:
        spend_by_network(request, "own entry", ticket=player.pk)
        if asks and may_erase_at_once(player):
            erase_own_entry(player=player, by=by)
            messages.success(request, _("Your name and contact are erased."))
            return redirect("event", player.event.slug)
    except Refused as refused:
        return refusal(request, refused, lambda: _page(request, player))
    return carry_out(
        request,
        lambda: ask_to_be_erased(player=player, asks=asks, by=by),
        then=reverse("ticket_data", args=[token]),
        page=lambda: _page(request, player_by_link(token)),
        said=_("The organiser is asked to erase your name.") if asks else _("You are not erased."),
    )
