"""Before a draw, and the draw: a job of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament import jobs
from tournament.access import actor_of, organised_event, round_of
from tournament.actions import apart, draws
from tournament.forms.sheets import whole
from tournament.models import Event, LogEntry, Player, Round
from tournament.models.jobs import OPEN_JOB
from tournament.queries.draws import Preparation, preparation_of
from tournament.queries.players import search_players
from tournament.refused import Refused
from tournament.views.base import act, key_of, new_key, part_of, refusal, text_of
from tournament.views.jobs import follow
from tournament.wording import SEATING

MOST_GAMES = 1000


@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Look at who is here and choose the tables; then draw the next round, as a draft."""
    return _draw(request, organised_event(request, slug))


@require_http_methods(["GET", "HEAD", "POST"])
def redraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The same for a draft that is thrown away, once the new one is written."""
    event = organised_event(request, slug)
    return _draw(request, event, round_of(event, pk))


def _draw(request: HttpRequest, event: Event, draft: Round | None = None) -> HttpResponse:
    if request.method != "POST":
        job = event.jobs.filter(kind=draws.KIND, status__in=OPEN_JOB).last()
        if job is not None and not job.broken_off:
            return follow(job)
        return _page(request, event, draft)
    try:
        return _press(request, event, draft)
    except Refused as refused:
        return refusal(request, refused, lambda: _page(request, event, draft))


def _press(request: HttpRequest, event: Event, draft: Round | None) -> HttpResponse:
    """What can be refused at once is; the rest is the job's."""
    key = key_of(request)
    if done := LogEntry.objects.about(event, key):
        return redirect("round", event.slug, draws.drawn_before(event, done).pk)
    draws.may_draw(event, draft)
    games = _games(request, event, draft)
    prepared = preparation_of(event, games, draft)
    asked = {
        "number": prepared.number,
        "sizes": _sizes(request, prepared, draft),
        "max_tables": games,
        "instead_of": draft.pk if draft else None,
        "key": key,
    }
    by = actor_of(request)
    thing = f"round {prepared.number}"
    return follow(jobs.start(event=event, kind=draws.KIND, key=thing, asked=asked, by=by))


def _games(request: HttpRequest, event: Event, draft: Round | None) -> int | None:
    """The games at hand for this draw; as in the settings where nothing else was said."""
    typed = request.POST.get("games", request.GET.get("games"))
    if typed is None:
        return draft.asked.get("max_tables", event.max_tables) if draft else event.max_tables
    if not typed.strip():
        return None
    games = whole(typed)
    if games is None or not 1 <= games <= MOST_GAMES:
        raise Refused(_("Games at hand: a number from 1 to 1000, or nothing."))
    return games


def _sizes(request: HttpRequest, prepared: Preparation, draft: Round | None) -> list[int]:
    """The tables that were chosen, or those of the draft if they still seat everybody, or the
    default."""
    if prepared.refusal:
        raise Refused(prepared.refusal)
    if chosen := request.POST.get("sizes", ""):
        for choice in prepared.choices:
            if choice.value == chosen:
                return list(choice.split.sizes)
        raise Refused(_("These tables do not fit who is here now. Choose again."))
    before: list[int] = draft.asked.get("sizes", []) if draft else []
    return before if sum(before) == prepared.here else list(prepared.choices[0].split.sizes)


def _page(request: HttpRequest, event: Event, draft: Round | None) -> HttpResponse:
    try:
        games = _games(request, event, draft)
    except Refused as refused:
        request.refusal, games = refused, event.max_tables  # type: ignore[attr-defined]
    prepared = preparation_of(event, games, draft)
    try:
        draws.may_draw(event, draft)
    except Refused as refused:
        prepared = replace(prepared, refusal=refused.message)
    return render(
        request,
        part_of(request, "tournament/organiser/draw.html", "splits"),
        {
            "event": event,
            "draft": draft,
            "prepared": prepared,
            "title": Round(number=prepared.number).label,
            "method": SEATING[prepared.method],
            "chosen": request.POST.get("sizes", _words(draft)),
            "typed": request.POST,
            "key": new_key(),
        },
    )


def _words(draft: Round | None) -> str:
    """The draft's tables as the form sends them."""
    return "-".join(map(str, draft.asked.get("sizes", []))) if draft else ""


@require_POST
def keep_apart(request: HttpRequest, slug: str) -> HttpResponse:
    """Two people named by start number or by name."""
    event = organised_event(request, slug)

    def change() -> None:
        apart.keep_apart(
            event=event,
            first=_named(event, text_of(request, "first")),
            second=_named(event, text_of(request, "second")),
            reason=text_of(request, "reason"),
            by=actor_of(request),
            key=key_of(request),
        )

    return _change_pairs(request, event, change)


def _named(event: Event, typed: str) -> Player:
    """By a start number, alone or before the name, or by a name that only one player has."""
    number, _sep, _rest = typed.partition(" ")
    found = list(search_players(event, number if number.isdecimal() else typed)[:2])
    if not typed or not found:
        raise Refused(_("Nobody here is “%(typed)s”.") % {"typed": typed})
    if len(found) > 1:
        raise Refused(
            _("“%(typed)s” could be several people: write the start number.") % {"typed": typed}
        )
    return found[0]


@require_POST
def withdraw_pair(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    pair = get_object_or_404(event.pairs_apart, pk=pk)
    return _change_pairs(
        request, event, lambda: apart.withdraw_pair(pair=pair, by=actor_of(request))
    )


def _change_pairs(request: HttpRequest, event: Event, change: Any) -> HttpResponse:
    return act(
        request,
        change,
        then=reverse("round_draw", args=[event.slug]) + "#apart",
        page=lambda: _page(request, event, None),
    )
