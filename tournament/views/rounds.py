"""A round from the draw to its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.access import actor_of, organised_event, round_of, staffed_event
from tournament.actions import rounds as actions
from tournament.forms.sheets import whole
from tournament.models import Event, Player, Round
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus
from tournament.models.sheets import SheetStatus
from tournament.policies import can_organise
from tournament.queries.seating import costs_of
from tournament.queries.seats import tables_of
from tournament.refused import Refused
from tournament.views.base import act, new_key, text_of


@require_safe
def round_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A draft to edit, or a round being played with what has been handed in."""
    event = staffed_event(request, slug)
    return _page(request, event, round_of(event, pk))


def _page(request: HttpRequest, event: Event, round_: Round) -> HttpResponse:
    draft = round_.status == RoundStatus.DRAWN
    tables = tables_of(round_)
    seated = {seat.player_id for table in tables for seat in table.seats}
    return render(
        request,
        "tournament/organiser/round.html",
        {
            "event": event,
            "round": round_,
            "draft": draft,
            "tables": tables,
            "costs": costs_of(event, round_) if draft and not round_.is_final else None,
            "unseated": event.players.filter(status=PlayerStatus.CHECKED_IN)
            .exclude(pk__in=seated)
            .order_by("number")
            if draft and not round_.is_final
            else [],
            "organiser": can_organise(request.user, event),  # type: ignore[arg-type]
            "all_in": all(table.status == SheetStatus.CONFIRMED for table in tables),
            "has_deals": actions.has_deals(round_),
            "moving": whole(request.GET.get("move")),
            "key": new_key(),
        },
    )


def _change(
    request: HttpRequest, slug: str, pk: int, change: Any, said: str = "", *, then: str = ""
) -> HttpResponse:
    event = organised_event(request, slug)
    round_ = round_of(event, pk)
    return act(
        request,
        lambda: change(round_),
        then=then or reverse("round", args=[slug, pk]),
        page=lambda: _page(request, event, round_of(event, pk)),
        said=said,
    )


def _seated(round_: Round, raw: str | None) -> Player:
    return get_object_or_404(Player, event=round_.event, number=whole(raw))


@require_POST
def swap(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One select for each seat: "swap:12" with player 12, "table:3" to table 3, "out"."""
    by = actor_of(request)
    target = request.POST.get("target", "")
    kind, _sep, value = target.partition(":")

    def change(round_: Round) -> None:
        player = _seated(round_, request.POST.get("player"))
        if kind == "swap":
            actions.swap_seats(round_=round_, first=player, second=_seated(round_, value), by=by)
        elif kind == "table":
            table = get_object_or_404(round_.tables, number=whole(value))
            actions.move_player(round_=round_, player=player, table=table, by=by)
        elif kind == "out":
            actions.move_player(round_=round_, player=player, table=None, by=by)
        else:
            raise Refused(_("Choose where the person goes."))

    return _change(request, slug, pk, change, _("The draft is changed."))


def _press(
    request: HttpRequest,
    slug: str,
    pk: int,
    action: Callable[..., Any],
    said: str,
    *,
    then: str = "",
    **more: str,
) -> HttpResponse:
    """One button of a round: carry the action out as whoever pressed it."""
    by = actor_of(request)
    return _change(
        request, slug, pk, lambda round_: action(round_=round_, by=by, **more), said, then=then
    )


@require_POST
def publish(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    said = _("Published: everybody can find their seat. Print the sheets now.")
    return _press(request, slug, pk, actions.publish_round, said)


@require_POST
def unpublish(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    said = _("The round is a draft again. Change the tables, then publish.")
    return _press(request, slug, pk, actions.unpublish_round, said)


@require_POST
def cancel(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return _press(
        request,
        slug,
        pk,
        actions.cancel_round,
        _("The round is cancelled."),
        then=reverse("event_desk", args=[slug]),
        reason=text_of(request, "reason"),
    )


@require_POST
def close(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    desk = reverse("event_desk", args=[slug])
    return _press(request, slug, pk, actions.close_round, _("The round is closed."), then=desk)


@require_POST
def reopen(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    said, reason = _("The round is open again."), text_of(request, "reason")
    return _press(request, slug, pk, actions.reopen_round, said, reason=reason)


@require_POST
def restore(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return _press(request, slug, pk, actions.restore_round, _("The round is back as it was."))
