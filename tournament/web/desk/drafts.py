"""The organiser's hand on a draft."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.access import actor_of, organised_event, round_of
from tournament.actions import drafts
from tournament.forms.drafts import DraftMoveForm, SeenForm
from tournament.forms.fields import parse_int
from tournament.models import Round, SeatingChange
from tournament.queries.cost_labels import change_cost, change_label, cost_label
from tournament.refusals import Refused
from tournament.web.desk.round_page import PINS, change_round, pins_of
from tournament.web.responses import submission_key

KEPT_PINS = 5  # rounds whose pins a session remembers


@require_POST
def swap(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Somebody goes to another table, or changes places, or is taken out of the round."""

    def change(round_: Round) -> None:
        form = DraftMoveForm(request.POST, round_=round_)
        if not form.is_valid():
            raise Refused(form.default_error)
        version, key = form.cleaned_data["version"], submission_key(request)
        common = {"round_": round_, "by": actor_of(request), "version": version, "key": key}
        if form.other is not None:
            drafts.swap_seats(first=form.player_moved, second=form.other, **common)
        else:
            drafts.move_player(player=form.player_moved, table=form.table, **common)
        tell_change(request, round_)

    place = f"#seat-{parse_int(request.POST.get('player'))}"
    return change_round(request, slug, pk, change, then=reverse("round", args=[slug, pk]) + place)


def tell_change(request: HttpRequest, round_: Round, words: str = "%(what)s") -> None:
    """Say what the last change was and what it costs."""
    round_.refresh_from_db()
    change = SeatingChange.objects.still_open(round_).done().last()
    if change is not None:
        said = words % {"what": _label(change)}
        messages.success(request, f"{said}: {cost_label(change_cost(change))}.")


def _label(change: SeatingChange) -> str:
    people = change.round.event.players.filter(number__in=change.people)
    return change_label(change, dict(people.values_list("number", "name")))


@require_POST
def undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    def tell(_round: Round, change: SeatingChange) -> None:
        messages.success(request, _("Taken back: %(what)s.") % {"what": _label(change)})

    return _step(request, slug, pk, drafts.undo_change, tell)


@require_POST
def redo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    def tell(round_: Round, _change: SeatingChange) -> None:
        tell_change(request, round_, _("Done again: %(what)s"))

    return _step(request, slug, pk, drafts.redo_change, tell)


def _step(
    request: HttpRequest,
    slug: str,
    pk: int,
    action: Callable[..., SeatingChange],
    tell: Callable[[Round, SeatingChange], None],
) -> HttpResponse:
    def change(round_: Round) -> None:
        made = action(
            round_=round_,
            by=actor_of(request),
            version=_version_seen(request),
            key=submission_key(request),
        )
        tell(round_, made)

    return change_round(request, slug, pk, change)


def _version_seen(request: HttpRequest) -> int | None:
    form = SeenForm(request.POST)
    form.full_clean()
    version: int | None = form.cleaned_data.get("version")
    return version


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

    def change(round_: Round) -> None:
        pins = pins_of(request, round_)
        if drafts.improve_rest(
            round_=round_,
            pinned_players=set(pins.players),
            pinned_tables=set(pins.tables),
            by=actor_of(request),
            version=_version_seen(request),
            key=submission_key(request),
        ):
            tell_change(request, round_)
        else:
            messages.info(request, _("Nothing better was found: the tables stay as they are."))

    return change_round(request, slug, pk, change)
