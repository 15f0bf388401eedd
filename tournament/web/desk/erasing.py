"""A person is erased from an event: what will go, the press, and what went."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tournament.access import actor_of, organised_event, player_of
from tournament.actions import erasing as actions
from tournament.forms.erasing import EraseForm
from tournament.models import Event, Player
from tournament.queries.erasing import erased_lines, receipt_of, what_goes, what_stays, why_not
from tournament.web.responses import carry_out, unprocessable


@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Before, what will go and stay; after, the receipt."""
    event = organised_event(request, slug)
    player = player_of(event, number)
    if player.erased_at is not None:
        return _receipt(request, event, player)
    going = what_goes(player)
    form = EraseForm(request.POST or None, photos=going.photos)

    def page() -> HttpResponse:
        context = {
            "event": event,
            "player": player,
            "form": form,
            "going": erased_lines({**going.as_facts(), "photos": 0}),
            "staying": what_stays(player),
            "why_not": why_not(player),
        }
        return render(request, "tournament/desk/erase/preview.html", context)

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.erase_player(
            player=player,
            reason=form.cleaned_data["reason"],
            photos=form.cleaned_data.get("photos", False),
            by=actor_of(request),
        ),
        then=reverse("player_erase", args=[slug, number]),
        page=page,
    )


def _receipt(request: HttpRequest, event: Event, player: Player) -> HttpResponse:
    entry = receipt_of(player)
    context = {
        "event": event,
        "player": player,
        "entry": entry,
        "gone": erased_lines((entry and entry.after) or {}),
        "staying": what_stays(player),
    }
    return render(request, "tournament/desk/erase/receipt.html", context)
