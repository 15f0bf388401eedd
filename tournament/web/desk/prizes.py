"""Prizes: what is promised, the podium, the raffle."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access import actor_of, organised_event, player_of
from tournament.actions import prizes as actions
from tournament.forms.fields import parse_int
from tournament.forms.prizes import PaperRaffleForm, PrizeForm, SpecialForm
from tournament.models import Event, Prize, PrizeGift
from tournament.models.events import EventStatus
from tournament.models.prizes import PrizeKind
from tournament.queries.prizes import (
    best_saboteurs,
    may_give,
    podium_of,
    prizes_of,
    raffle_people,
    raffle_units,
)
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    posted_text,
    submission_key,
    unprocessable,
)


@require_http_methods(["GET", "HEAD", "POST"])
def prizes(request: HttpRequest, slug: str) -> HttpResponse:
    """The list, with who has what; a new one is added."""
    event = organised_event(request, slug)
    form = PrizeForm(request.POST or None, event=event, initial={"kind": PrizeKind.CHOICE})
    if request.method != "POST":
        return _list(request, event, form=form)
    if not form.is_valid():
        return unprocessable(_list(request, event, form=form))
    return carry_out(
        request,
        lambda: actions.add_prize(
            event=event, entry=form.entry(), by=actor_of(request), key=submission_key(request)
        ),
        then=reverse("prizes", args=[slug]),
        page=lambda: _list(request, event, form=form),
        said=_("The prize is on the list."),
    )


def _list(
    request: HttpRequest,
    event: Event,
    *,
    form: PrizeForm | None = None,
    special: SpecialForm | None = None,
    of: Prize | None = None,
) -> HttpResponse:
    """`special`: who was to get the prize `of`, and could not be found."""
    listed = prizes_of(event)
    sabotage = any(one.prize.kind == PrizeKind.SABOTEUR and one.left > 0 for one in listed)
    best = best_saboteurs(event) if sabotage and may_give(event) else ()

    def row(one: Any) -> dict[str, Any]:
        special_kind = one.prize.kind == PrizeKind.SPECIAL and one.left > 0 and may_give(event)
        bound = special if one.prize == of else None
        has = {gift.player_id for gift in one.gifts}
        return {
            "prize": one.prize,
            "left": one.left,
            "gifts": one.gifts,
            "special": (bound or SpecialForm(event=event, prize=one.prize))
            if special_kind
            else None,
            "best": [found for found in best if found.player.pk not in has]
            if one.prize.kind == PrizeKind.SABOTEUR and one.left > 0
            else [],
        }

    return render(
        request,
        "tournament/desk/prizes.html",
        {
            "event": event,
            "rows": [row(one) for one in listed],
            "form": form or PrizeForm(event=event, initial={"kind": PrizeKind.CHOICE}),
            "gives": may_give(event),
            "key": new_submission_key(),
        },
    )


def _prize(event: Event, pk: int) -> Prize:
    prize = get_object_or_404(event.prizes_listed, pk=pk)
    prize.event = event
    return prize


def _gift(event: Event, pk: int) -> PrizeGift:
    found = PrizeGift.objects.select_related("prize", "player").filter(prize__event=event)
    return get_object_or_404(found, pk=pk)


@require_http_methods(["GET", "HEAD", "POST"])
def prize(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    found = _prize(event, pk)
    form = PrizeForm(request.POST or None, event=event, prize=found)

    def page() -> HttpResponse:
        return render(
            request, "tournament/desk/prize.html", {"event": event, "prize": found, "form": form}
        )

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.change_prize(prize=found, entry=form.entry(), by=actor_of(request)),
        then=reverse("prizes", args=[slug]),
        page=page,
        said=_("The prize is changed."),
    )


def _change(
    request: HttpRequest, event: Event, change: Callable[[], Any], said: str = ""
) -> HttpResponse:
    """On the list, or on the podium if that is where it was pressed."""
    on_podium = request.POST.get("from") == "podium"
    return carry_out(
        request,
        change,
        then=reverse("podium" if on_podium else "prizes", args=[event.slug]),
        page=lambda: _podium(request, event) if on_podium else _list(request, event),
        said=said,
    )


@require_POST
def move_up(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    found = _prize(event, pk)
    by = actor_of(request)
    return _change(request, event, lambda: actions.move_prize_up(prize=found, by=by))


@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    found = _prize(event, pk)
    by = actor_of(request)
    said = _("The prize is off the list.")
    return _change(request, event, lambda: actions.remove_prize(prize=found, by=by), said)


@require_POST
def give(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A special prize to somebody named by start number or name."""
    event = organised_event(request, slug)
    found = _prize(event, pk)
    form = SpecialForm(request.POST, event=event, prize=found)
    if not form.is_valid():
        return unprocessable(_list(request, event, special=form, of=found))
    player, by, key = form.cleaned_data["player"], actor_of(request), submission_key(request)
    return _change(
        request,
        event,
        lambda: actions.give_special(prize=found, player=player, by=by, key=key),
        _("The prize is given."),
    )


@require_POST
def take_back(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    gift = _gift(event, pk)
    on_podium = request.POST.get("from") == "podium"
    reason = posted_text(request, "reason") or (_("Undone on the podium") if on_podium else "")
    by = actor_of(request)
    return _change(
        request,
        event,
        lambda: actions.take_back(gift=gift, reason=reason, by=by),
        _("The prize is in stock again."),
    )


@require_POST
def hand_out(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    gift, handed = _gift(event, pk), request.POST.get("handed") == "1"
    by = actor_of(request)
    return _change(request, event, lambda: actions.hand_out(gift=gift, handed=handed, by=by))


@require_safe
def podium(request: HttpRequest, slug: str) -> HttpResponse:
    """The next person, what the rank brings and what is left to choose; one tap gives."""
    return _podium(request, organised_event(request, slug))


@require_POST
def podium_give(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    event = organised_event(request, slug)
    player, by, key = player_of(event, number), actor_of(request), submission_key(request)
    pk, by_wish = parse_int(request.POST.get("prize")), request.POST.get("wish") == "1"
    thing = _prize(event, pk) if pk else None
    return _on_podium(
        request,
        event,
        lambda: actions.give_on_podium(player=player, thing=thing, by_wish=by_wish, by=by, key=key),
    )


def _on_podium(request: HttpRequest, event: Event, change: Callable[[], Any]) -> HttpResponse:
    return carry_out(
        request,
        change,
        then=reverse("podium", args=[event.slug]),
        page=lambda: _podium(request, event),
    )


def _podium(request: HttpRequest, event: Event) -> HttpResponse:
    found = podium_of(event)
    return render(
        request,
        "tournament/desk/podium.html",
        {
            "event": event,
            "podium": found,
            "done": [
                {
                    "gift": one if isinstance(one, PrizeGift) else None,
                    "player": one.player,
                    "it": one,
                }
                for one in found.done
            ],
            "may_draw": event.status == EventStatus.RUNNING,
            "key": new_submission_key(),
        },
    )


@require_POST
def pass_over(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    event = organised_event(request, slug)
    player, by, key = player_of(event, number), actor_of(request), submission_key(request)
    change = partial(actions.pass_over, player=player, by=by, key=key)
    return _on_podium(request, event, change)


@require_POST
def undo_pass(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    passed = get_object_or_404(event.prize_passes, pk=pk)
    return _on_podium(
        request, event, partial(actions.undo_pass, passed=passed, by=actor_of(request))
    )


@require_http_methods(["GET", "HEAD", "POST"])
def raffle(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is still here, ticked; then a lot among them, or what was drawn on paper."""
    event = organised_event(request, slug)
    if request.method != "POST":
        return _raffle(request, event)
    by, key = actor_of(request), submission_key(request)
    order, note = None, ""
    here = list(event.players.filter(number__in=map(parse_int, request.POST.getlist("here"))))
    if "paper" in request.POST:
        form = PaperRaffleForm(
            request.POST, people=raffle_people(event), most=len(raffle_units(event))
        )
        if not form.is_valid():
            return unprocessable(_raffle(request, event, form))
        order, note = form.cleaned_data["order"], form.cleaned_data["note"]
    return carry_out(
        request,
        lambda: actions.draw_raffle(
            event=event, here=here, by=by, paper_order=order, paper_note=note, key=key
        ),
        then=reverse("raffle", args=[slug]),
        page=lambda: _raffle(request, event),
        said=lambda gifts: _raffled(event, len(gifts)),
    )


def _raffled(event: Event, won: int) -> str:
    words = ngettext("%(won)d thing is raffled.", "%(won)d things are raffled.", won)
    left = len(raffle_units(event))
    if not left:
        return words % {"won": won}
    more = ngettext(
        "%(left)d is left over: fewer people than things.",
        "%(left)d are left over: fewer people than things.",
        left,
    )
    return f"{words % {'won': won}} {more % {'left': left}}"


def _raffle(
    request: HttpRequest, event: Event, paper: PaperRaffleForm | None = None
) -> HttpResponse:
    people, units = raffle_people(event), raffle_units(event)
    # After a refusal those stay ticked who were.
    ticked = set(map(parse_int, request.POST.getlist("here"))) if request.POST else None
    return render(
        request,
        "tournament/desk/raffle.html",
        {
            "event": event,
            "people": [
                {"player": one, "here": ticked is None or one.number in ticked} for one in people
            ],
            "things": [one for one in prizes_of(event) if one.prize.kind == PrizeKind.RAFFLE],
            "units": len(units),
            "gives": may_give(event),
            "paper": paper or PaperRaffleForm(people=people, most=len(units)),
            "key": new_submission_key(),
        },
    )
