"""The cut, the lot, declined seats, the final."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.lots import commitment
from tournament import rulebook
from tournament.access import actor_of, cut_of, organised_event
from tournament.actions import cuts as actions
from tournament.actions import finals
from tournament.actions.rounds import has_deals
from tournament.forms.sheets import paper_order, whole
from tournament.models import Event
from tournament.models.cuts import QualifierStatus
from tournament.models.events import EventStatus, FinalSeats
from tournament.queries.cuts import current_cut, line_of, tied_in_final
from tournament.queries.standings import board_for
from tournament.refused import Refused
from tournament.views.base import act, key_of, new_key, refusal, text_of
from tournament.views.desk import desk_page


@require_safe
def cut(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is in, who is level on the line, who declined; and the lots that were drawn."""
    return _page(request, organised_event(request, slug))


def _page(request: HttpRequest, event: Event) -> HttpResponse:
    made = current_cut(event)
    final = actions.final_of(event)
    people = rulebook.players_by_id(event)
    line = line_of(made) if made else None
    tied = tied_in_final(event) if made else {}
    return render(
        request,
        "tournament/organiser/cut.html",
        {
            "event": event,
            "cut": made,
            "final": final,
            "may_decline": event.status == EventStatus.RUNNING
            and (final is None or not has_deals(final)),
            "board": board_for(event),
            "qualifiers": made.qualifiers.select_related("player") if made else [],
            "level": [people[one] for one in line.level] if line else [],
            "free": line.free if line else 0,
            "commitment": commitment(event.lot_secrets["cut"]),
            "tied": [
                {"rank": rank, "players": [people[one] for one in players]}
                for rank, players in sorted(tied.items())
            ],
            "lots": [
                {"lot": lot, "players": [people[one] for one in lot.order]}
                for lot in event.lots.all()
            ],
            "key": new_key(),
        },
    )


def _change(request: HttpRequest, slug: str, change: Any, said: str = "") -> HttpResponse:
    event = organised_event(request, slug)
    return act(
        request,
        lambda: change(event),
        then=reverse("cut", args=[slug]),
        page=lambda: _page(request, event),
        said=said,
    )


@require_POST
def make(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    key = key_of(request)
    try:
        actions.make_cut(event=event, by=actor_of(request), key=key)
    except Refused as refused:
        return refusal(request, refused, lambda: desk_page(request, event))
    return redirect("cut", slug)


@require_POST
def undo(request: HttpRequest, slug: str) -> HttpResponse:
    by = actor_of(request)
    reason = text_of(request, "reason")
    return _change(
        request,
        slug,
        lambda event: actions.undo_cut(cut=cut_of(event), reason=reason, by=by),
        _("The cut is undone; its record is kept."),
    )


def _drawn_how(request: HttpRequest) -> dict[str, Any]:
    """By our lot, or by an order drawn on paper that was typed in."""
    paper = "paper" in request.POST
    return {
        "paper_order": paper_order(request.POST.get("order", "")) if paper else None,
        "paper_note": text_of(request, "note"),
        "key": key_of(request),
        "by": actor_of(request),
    }


@require_POST
def lot(request: HttpRequest, slug: str) -> HttpResponse:
    """Settle the line."""
    how = _drawn_how(request)
    return _change(
        request,
        slug,
        lambda event: actions.settle_line(cut=cut_of(event), **how),
        _("The lot is drawn. Anybody can check it on the page of the rules."),
    )


@require_POST
def final_lot(request: HttpRequest, slug: str, rank: int) -> HttpResponse:
    """Settle a shared rank of the final."""
    how = _drawn_how(request)
    return _change(
        request,
        slug,
        lambda event: actions.settle_final(event=event, rank=rank, **how),
        _("The lot is drawn. Anybody can check it on the page of the rules."),
    )


@require_POST
def decline(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    by = actor_of(request)
    reason = text_of(request, "reason")

    def change(event: Event) -> None:
        qualifier = get_object_or_404(cut_of(event).qualifiers, pk=pk)
        actions.decline_seat(qualifier=qualifier, reason=reason, by=by)

    return _change(request, slug, change, _("Declined. The next in order moves up."))


@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Seat the final. Where finalists choose, their page takes the seats down, best rank first."""
    event = organised_event(request, slug)
    chooses = event.final_seats == FinalSeats.CHOICE
    page = _choice_page if chooses else _page
    if request.method != "POST":
        made = current_cut(event)
        return page(request, event) if chooses and made else redirect("cut", slug)
    cut = cut_of(event)
    chosen = {number: whole(seat) for number, seat in _seats_typed(request).items()}
    try:
        round_ = finals.draw_final(
            cut=cut, by=actor_of(request), chosen=chosen, key=key_of(request)
        )
    except Refused as refused:
        return refusal(request, refused, lambda: page(request, event))
    return redirect("round", slug, round_.pk)


def _seats_typed(request: HttpRequest) -> dict[int, str]:
    """Start number -> what was chosen for it."""
    return {
        whole(name.removeprefix("seat-")): str(value)
        for name, value in request.POST.items()
        if name.startswith("seat-")
    }


def _choice_page(request: HttpRequest, event: Event) -> HttpResponse:
    typed = _seats_typed(request)
    finalists = [
        one.player
        for one in cut_of(event)
        .qualifiers.filter(status=QualifierStatus.IN)
        .select_related("player")
    ]
    return render(
        request,
        "tournament/organiser/final_seats.html",
        {
            "event": event,
            "rows": [{"player": one, "seat": typed.get(one.number, "")} for one in finalists],
            "seats": [str(seat) for seat in range(1, len(finalists) + 1)],
            "key": new_key(),
        },
    )
