"""The organiser's hand on a draft."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.access import actor_of, organised_event, round_of
from tournament.actions import drafts
from tournament.forms.sheets import whole
from tournament.models import Player, Round
from tournament.queries.costwords import change_cost, change_label, cost_label
from tournament.queries.drafts import TableChange, changes_of
from tournament.refused import Refused
from tournament.views.base import key_of
from tournament.views.roundpage import PINS, change_round, pins_of

KEPT_PINS = 5  # rounds whose pins a session remembers


def _sent(request: HttpRequest) -> dict[str, Any]:
    """What every change of a draft carries: whose it is, which version was seen, its mark."""
    return {
        "by": actor_of(request),
        "version": whole(request.POST.get("version")) or None,
        "key": key_of(request),
    }


def _player(round_: Round, raw: str | None) -> Player:
    return get_object_or_404(Player, event=round_.event, number=whole(raw))


@require_POST
def swap(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A tap on a target, or the list: "swap:12" with player 12, "table:3" to table 3, "out"."""
    sent = _sent(request)
    kind, _sep, value = (request.POST.get("target") or request.POST.get("to", "")).partition(":")

    def change(round_: Round) -> None:
        player = _player(round_, request.POST.get("player"))
        if kind == "swap":
            second = _player(round_, value)
            drafts.swap_seats(round_=round_, first=player, second=second, **sent)
        elif kind == "table":
            table = get_object_or_404(round_.tables, number=whole(value))
            drafts.move_player(round_=round_, player=player, table=table, **sent)
        elif kind == "out":
            drafts.move_player(round_=round_, player=player, table=None, **sent)
        else:
            raise Refused(_("Choose where the person goes."))
        tell_change(request, round_)

    place = f"#seat-{whole(request.POST.get('player')) or 0}"
    return change_round(request, slug, pk, change, then=reverse("round", args=[slug, pk]) + place)


def tell_change(request: HttpRequest, round_: Round, words: str = "%(what)s") -> None:
    """Say what the last change was and what it costs."""
    change = changes_of(round_).done[-1]
    said = words % {"what": change_label(change, names_of(round_, change))}
    messages.success(request, f"{said}: {cost_label(change_cost(change))}.")


def names_of(round_: Round, change: TableChange) -> dict[int, str]:
    people = round_.event.players.filter(number__in=change.people)
    return dict(people.values_list("number", "name"))


@require_POST
def undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    sent = _sent(request)

    def change(round_: Round) -> None:
        done = changes_of(round_).done
        drafts.undo_change(round_=round_, **sent)
        what = change_label(done[-1], names_of(round_, done[-1]))
        messages.success(request, _("Taken back: %(what)s.") % {"what": what})

    return change_round(request, slug, pk, change)


@require_POST
def redo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    sent = _sent(request)

    def change(round_: Round) -> None:
        drafts.redo_change(round_=round_, **sent)
        tell_change(request, round_, _("Done again: %(what)s"))

    return change_round(request, slug, pk, change)


@require_POST
def pin(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Pin a person ("p12") or a table ("t3") for "improve the rest", or take the pin out. It is
    the organiser's own note, kept with the login, and changes nothing in the event."""
    round_ = round_of(organised_event(request, slug), pk)
    sent = request.POST.get("pin", "")
    if re.fullmatch(r"[pt]\d{1,6}", sent):
        kept = dict(list(request.session.get(PINS, {}).items())[-KEPT_PINS:])
        pins = set(kept.get(str(pk), []))
        kept[str(pk)] = sorted(pins ^ {sent})
        request.session[PINS] = kept
    elif sent == "none":
        request.session.pop(PINS, None)
    where = f"#{'seat' if sent[:1] == 'p' else 'table'}-{sent[1:]}" if sent[1:].isdecimal() else ""
    return redirect(reverse("round", args=[slug, round_.pk]) + where)


@require_POST
def improve(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Seat the rest anew around the pins. It thinks for less than a second."""
    sent = _sent(request)

    def change(round_: Round) -> None:
        pins = pins_of(request, round_)
        if drafts.improve_rest(
            round_=round_,
            pinned_players=set(pins.players),
            pinned_tables=set(pins.tables),
            **sent,
        ):
            tell_change(request, round_)
        else:
            messages.info(request, _("Nothing better was found: the tables stay as they are."))

    return change_round(request, slug, pk, change)
