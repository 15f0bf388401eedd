"""Judges go where they are called, and see who is not at the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.access import actor_of, call_of, late_arrival_of, staffed_event
from tournament.actions import calls as actions
from tournament.actions import lateness
from tournament.forms.fields import parse_int
from tournament.models import Event, JudgeCall
from tournament.policies import can_organise
from tournament.refusals import Refused
from tournament.web.responses import (
    asks_for_part,
    carry_out,
    page_or_partial,
    posted_text,
    refusal,
    submission_key,
    tell,
)

MOST_MINUTES = 240
PAGES = ("event_desk", "notebook", "board")  # where the list stands, and that need no more to open


@require_safe
def calls(request: HttpRequest, slug: str) -> HttpResponse:
    """Who has called a judge, and who is missing; every page of the staff shows the same."""
    return _page(request, staffed_event(request, slug))


def _page(request: HttpRequest, event: Event, arrived: int = 0) -> HttpResponse:
    """`arrived`: the mark of somebody who has just come; the penalty for it is the next press."""
    organiser = can_organise(request.user, event)  # type: ignore[arg-type]
    template = page_or_partial(request, "tournament/judge/calls.html", "watch")
    context = {"event": event, "organiser": organiser, "arrived": arrived}
    return render(request, template, context)


def _press(
    request: HttpRequest,
    slug: str,
    change: Callable[[Event], Any],
    said: str | Callable[[Any], str],
    *,
    undo: str | Callable[[Any], str] = "",
    arrived: int = 0,
) -> HttpResponse:
    """One button of the list: htmx gets the list as it is then, with what has happened."""
    event = staffed_event(request, slug)
    if not asks_for_part(request):
        return carry_out(
            request,
            lambda: change(event),
            then=_back(request, slug) + (f"?arrived={arrived}#late-arrived" if arrived else ""),
            page=lambda: _page(request, event),
            said=said,
            undo=undo,
        )
    try:
        done = change(event)
    except Refused as refused:
        return refusal(request, refused, lambda: _page(request, event))
    tell(request, done, said, undo)
    return _page(request, event, arrived)


def _back(request: HttpRequest, slug: str) -> str:
    """To where the button stood."""
    page = posted_text(request, "from")
    return reverse(page if page in PAGES else "calls", args=[slug])


@require_POST
def answer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """I'm coming."""
    by = actor_of(request)
    return _press(
        request,
        slug,
        lambda event: actions.answer_call(call=call_of(event, pk), by=by),
        _("The table sees that you are coming."),
    )


@require_POST
def end(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Done, with the minutes that the table gets for it."""
    by, key = actor_of(request), submission_key(request)
    minutes = min(parse_int(request.POST.get("minutes")), MOST_MINUTES)
    return _press(
        request,
        slug,
        lambda event: actions.end_call(call=call_of(event, pk), minutes=minutes, by=by, key=key),
        _ended,
        undo=reverse("call_reopen", args=[slug, pk]),
    )


def _ended(call: JudgeCall) -> str:
    words = {"table": call.table.number, "minutes": call.extra_minutes}
    if not words["minutes"]:
        return _("The call of table %(table)d is done.") % words
    said = ngettext(
        "The call of table %(table)d is done: %(minutes)d minute more for it.",
        "The call of table %(table)d is done: %(minutes)d minutes more for it.",
        words["minutes"],
    )
    return said % words


@require_POST
def reopen(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """It was not done yet."""
    by = actor_of(request)
    return _press(
        request,
        slug,
        lambda event: actions.reopen_call(call=call_of(event, pk), by=by),
        lambda call: _("The call of table %(table)d is open again.") % {"table": call.table.number},
    )


@require_POST
def arrived(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    by = actor_of(request)
    return _press(
        request,
        slug,
        lambda event: lateness.mark_arrived(mark=late_arrival_of(event, pk), by=by),
        _("They are at the table. Whether it costs a penalty is yours to say."),
        undo=reverse("late_missing", args=[slug, pk]),
        arrived=pk,
    )


@require_POST
def still_missing(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    by = actor_of(request)
    return _press(
        request,
        slug,
        lambda event: lateness.mark_still_missing(mark=late_arrival_of(event, pk), by=by),
        _("Still missing: the time goes on."),
    )


@require_POST
def not_late(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    by = actor_of(request)
    return _press(
        request,
        slug,
        lambda event: lateness.withdraw_mark(mark=late_arrival_of(event, pk), by=by),
        _("Taken from the list: not late."),
    )
