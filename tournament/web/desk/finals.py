"""The cut, the lot, declined seats, the final."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import rulebook
from tournament.access import actor_of, cut_of, organised_event
from tournament.actions import cuts as actions
from tournament.actions import finals
from tournament.forms.cuts import FinalSeatsForm, PaperLotForm
from tournament.models import Event, Player
from tournament.models.events import EventStatus, FinalSeats
from tournament.models.rounds import Stage
from tournament.queries.cuts import LINE_INTO, current_cut, line_of, round_of, table_of_line
from tournament.queries.rules import next_commitment
from tournament.queries.standings import PODIUM, shared_places
from tournament.refusals import Refused
from tournament.web.desk.events import desk_page
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    posted_text,
    refusal,
    submission_key,
    unprocessable,
)


@require_safe
def cut(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is in, who is level on the line or shares a place, who declined; the lots drawn."""
    return _cut_response(request, organised_event(request, slug))


def _cut_response(
    request: HttpRequest, event: Event, *, sent: Mapping[str, PaperLotForm] | None = None
) -> HttpResponse:
    """`sent`: the form of a lot drawn on paper that could not be taken, by its line."""
    made = current_cut(event)
    stage = round_of(event, made.stage) if made else None
    line = line_of(made) if made else None
    people = rulebook.players_by_id(event)

    def tie(line: str, players: Sequence[str], **more: Any) -> dict[str, Any]:
        form = (sent or {}).get(line) or PaperLotForm(players=players, line=line)
        return {"line": line, "players": [people[one] for one in players], "form": form, **more}

    most = max(PODIUM, event.cut_size if made else 0)
    return render(
        request,
        "tournament/desk/cut.html",
        {
            "event": event,
            "cut": made,
            "stage": stage,
            "may_decline": event.status == EventStatus.RUNNING
            and (stage is None or not stage.has_deals()),
            "qualifiers": made.qualifiers.select_related("player") if made else [],
            "level": tie(line.line, line.level, free=line.free, table=table_of_line(line.line))
            if line and line.line
            else None,
            "commitment": next_commitment(event),
            "shared": [
                tie(f"place:{rank}", players, rank=rank)
                for rank, players in sorted(shared_places(event).items())
                if rank <= most
            ],
            "lots": [
                {"lot": lot, "players": [people[one] for one in lot.order]}
                for lot in event.lots.all()
            ],
            "key": new_submission_key(),
        },
    )


def _change(
    request: HttpRequest, slug: str, change: Any, said: str = "", *, undo: str = ""
) -> HttpResponse:
    event = organised_event(request, slug)
    return carry_out(
        request,
        lambda: change(event),
        then=reverse("cut", args=[slug]),
        page=lambda: _cut_response(request, event),
        said=said,
        undo=undo,
    )


@require_POST
def make(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    key = submission_key(request)
    return carry_out(
        request,
        lambda: actions.make_cut(event=event, by=actor_of(request), key=key),
        then=reverse("cut", args=[slug]),
        page=lambda: desk_page(request, event),
        said=_("The cut is made, and the standings of the rounds are frozen."),
        undo=reverse("cut_undo", args=[slug]),
    )


@require_POST
def undo(request: HttpRequest, slug: str) -> HttpResponse:
    by = actor_of(request)
    reason = posted_text(request, "reason")
    return _change(
        request,
        slug,
        lambda event: actions.undo_cut(cut=cut_of(event), reason=reason, by=by),
        _("The cut is undone; its record is kept."),
    )


@require_POST
def lot(request: HttpRequest, slug: str) -> HttpResponse:
    """Settle the line."""
    event = organised_event(request, slug)
    made = cut_of(event)
    line = line_of(made)
    settle = partial(actions.settle_line, cut=made)
    return _drawn(request, event, line.line or LINE_INTO[made.stage], line.level, settle)


@require_POST
def place_lot(request: HttpRequest, slug: str, rank: int) -> HttpResponse:
    """Settle a shared place."""
    event = organised_event(request, slug)
    players = shared_places(event).get(rank, ())
    settle = partial(actions.settle_place, event=event, rank=rank)
    return _drawn(request, event, f"place:{rank}", players, settle)


def _drawn(
    request: HttpRequest, event: Event, line: str, players: Sequence[str], settle: Any
) -> HttpResponse:
    """A lot by our secret; or, with `paper`, by the order that was drawn and typed in."""
    order, note = None, ""
    if "paper" in request.POST and players:
        form = PaperLotForm(request.POST, players=players, line=line)
        if not form.is_valid():
            return unprocessable(_cut_response(request, event, sent={line: form}))
        order, note = form.cleaned_data["order"], form.cleaned_data["note"]
    by, key = actor_of(request), submission_key(request)
    return _change(
        request,
        event.slug,
        lambda _event: settle(paper_order=order, paper_note=note, by=by, key=key),
        _("The lot is drawn. Anybody can check it on the page of the rules."),
    )


@require_POST
def decline(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    by = actor_of(request)
    reason = posted_text(request, "reason")

    def change(event: Event) -> None:
        qualifier = get_object_or_404(cut_of(event).qualifiers, pk=pk)
        actions.decline_seat(qualifier=qualifier, reason=reason, by=by)

    said = _("Declined. The next in order moves up.")
    undo = reverse("seat_take_back", args=[slug, pk])
    return _change(request, slug, change, said, undo=undo)


@require_POST
def take_back(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A declined seat is taken after all."""
    by = actor_of(request)

    def change(event: Event) -> None:
        qualifier = get_object_or_404(cut_of(event).qualifiers, pk=pk)
        actions.take_seat_back(qualifier=qualifier, by=by)

    return _change(request, slug, change, _("The seat is taken after all."))


@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Seat the semi-final or the final. Where finalists choose, their page takes the seats down,
    best rank first."""
    event = organised_event(request, slug)
    made = current_cut(event)
    semi = made is not None and made.stage == Stage.SEMI_FINAL
    chooses = event.final_seats == FinalSeats.CHOICE and not semi
    response = _choice_response if chooses else _cut_response
    if request.method != "POST":
        return response(request, event) if chooses and made else redirect("cut", slug)
    cut = cut_of(event)
    by, key = actor_of(request), submission_key(request)
    try:
        if semi:
            round_ = finals.draw_semi_final(cut=cut, by=by, key=key)
        else:
            chosen = FinalSeatsForm(request.POST, finalists=_finalists(event)).chosen()
            round_ = finals.draw_final(cut=cut, by=by, chosen=chosen, key=key)
    except Refused as refused:
        return refusal(request, refused, lambda: response(request, event))
    return redirect("round", slug, round_.pk)


def _finalists(event: Event) -> list[Player]:
    qualifiers = cut_of(event).qualifiers.seated().select_related("player")
    return [one.player for one in qualifiers]


def _choice_response(request: HttpRequest, event: Event) -> HttpResponse:
    finalists = _finalists(event)
    form = FinalSeatsForm(request.POST or None, finalists=finalists)
    return render(
        request,
        "tournament/desk/final_seats.html",
        {
            "event": event,
            "form": form,
            "seats": [str(seat) for seat in range(1, len(finalists) + 1)],
            "key": new_submission_key(),
        },
    )
