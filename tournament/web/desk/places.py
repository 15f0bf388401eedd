"""Places at a later event: what this one promises and offers, and who is invited here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import (
    actor_of,
    organised_event,
    place_at,
    place_of,
    promise_of,
    promise_to,
    skip_of,
)
from tournament.actions import places as actions
from tournament.forms.places import DirectForm, PromiseForm, SkipForm
from tournament.models import Event, Place, PlacePromise
from tournament.queries.place_courses import STATE_LABELS, Course, courses_of, number_words, why_not
from tournament.queries.places import has_begun, invited_to, possible_targets, promises_to
from tournament.web.limits import spend_by_account
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    posted_text,
    submission_key,
    unprocessable,
)


def _promise_form(
    event: Event, data: Any = None, promise: PlacePromise | None = None
) -> PromiseForm:
    targets = possible_targets(event, timezone.now())
    return PromiseForm(data, event=event, targets=targets, promise=promise)


@require_http_methods(["GET", "HEAD", "POST"])
def places(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything about places; a new promise is made."""
    event = organised_event(request, slug)
    if request.method != "POST":
        return _page(request, event)
    form = _promise_form(event, request.POST)
    if not form.is_valid():
        return unprocessable(_page(request, event, form=form))
    return carry_out(
        request,
        lambda: actions.promise_places(
            event=event, entry=form.entry(), by=actor_of(request), key=submission_key(request)
        ),
        then=reverse("places", args=[slug]),
        page=lambda: _page(request, event, form=form),
        said=_("The places are promised."),
    )


def _page(
    request: HttpRequest,
    event: Event,
    *,
    form: PromiseForm | None = None,
    skip: SkipForm | None = None,
    of: PlacePromise | None = None,
    direct: DirectForm | None = None,
) -> HttpResponse:
    """`skip`: who was to be passed over for the promise `of`, and could not be found."""
    now = timezone.now()
    courses = courses_of(event, now)
    rows = [_card(one, skip if one.promise == of else None) for one in courses]
    invited = invited_to(event, now)
    return render(
        request,
        "tournament/desk/places.html",
        {
            "event": event,
            "cards": rows,
            "offers": sum(len(one["next"]) for one in rows if not one["problem"])
            or any(one["course"].tie for one in rows if not one["problem"]),
            "lapsed": any(one.lapsed for one in courses)
            or any(_lapsed(event, one.place, now) for one in invited),
            "form": form or _promise_form(event),
            "to_agree": [
                {"promise": one, "numbers": number_words(one)}
                for one in promises_to(event, agreed=False)
            ],
            "invited": [{"it": one, "label": STATE_LABELS[one.state]} for one in invited],
            "may_invite": not has_begun(event, now),
            "direct": direct or DirectForm(),
            "key": new_submission_key(),
        },
    )


def _lapsed(event: Event, place: Any, now: Any) -> bool:
    """A place that this event gave directly, and that is lost by the clock."""
    return place.is_direct and place.ended_at is None and not place.holds_at(now)


def _card(course: Course, skip: SkipForm | None) -> dict[str, Any]:
    problem = why_not(course.promise, timezone.now())
    return {
        "course": course,
        "promise": course.promise,
        "numbers": number_words(course.promise),
        "next": course.next,
        "problem": problem,
        "steps": [
            {"it": one, "label": STATE_LABELS[one.state] if one.state else ""}
            for one in course.steps
        ],
        "skip": skip or SkipForm(promise=course.promise),
        "skip_open": skip is not None,
    }


def _change(
    request: HttpRequest,
    event: Event,
    change: Callable[[], Any],
    said: str | Callable[[Any], str] = "",
) -> HttpResponse:
    return carry_out(
        request,
        change,
        then=reverse("places", args=[event.slug]),
        page=lambda: _page(request, event),
        said=said,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def promise(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    found = promise_of(event, pk)
    form = _promise_form(event, request.POST or None, found)

    def page() -> HttpResponse:
        return render(
            request,
            "tournament/desk/place_promise.html",
            {"event": event, "promise": found, "form": form},
        )

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.change_promise(promise=found, entry=form.entry(), by=actor_of(request)),
        then=reverse("places", args=[slug]),
        page=page,
        said=_("The promise is changed."),
    )


@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    change = partial(actions.withdraw_promise, promise=promise_of(event, pk), by=actor_of(request))
    return _change(request, event, change, _("These places are not promised any more."))


@require_POST
def agree(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """By the organiser of the event where the places are."""
    event = organised_event(request, slug)
    found = promise_to(event, pk)
    change = partial(actions.agree_to_promise, promise=found, by=actor_of(request))
    return _change(request, event, change, _("Whoever has one of these places comes in."))


@require_POST
def offer(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    by, key = actor_of(request), submission_key(request)
    change = partial(actions.offer_places, event=event, by=by, key=key)
    return _change(request, event, change, _offered)


def _offered(offered: actions.Offered) -> str:
    count, left = len(offered.places), offered.left_over
    said = ngettext("%(count)d place is offered.", "%(count)d places are offered.", count)
    said = said % {"count": count}
    if not left:
        return said
    more = ngettext(
        "%(left)d is left over: nobody else can have it.",
        "%(left)d are left over: nobody else can have them.",
        left,
    )
    return f"{said} {more % {'left': left}}"


@require_POST
def pass_on(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    change = partial(actions.pass_on, event=event, by=actor_of(request))
    return _change(request, event, change, lambda places: _passed(len(places)))


def _passed(count: int) -> str:
    if not count:
        return _("What has expired is noted. Nobody is left to offer it to.")
    words = ngettext("%(count)d place passes on.", "%(count)d places pass on.", count)
    return words % {"count": count}


@require_POST
def skip(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Somebody is passed over."""
    event = organised_event(request, slug)
    found = promise_of(event, pk)
    form = SkipForm(request.POST, promise=found)
    if not form.is_valid():
        return unprocessable(_page(request, event, skip=form, of=found))
    change = partial(actions.skip_player, promise=found, by=actor_of(request), **form.cleaned_data)
    return _change(request, event, change)


@require_POST
def undo_skip(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    change = partial(actions.undo_skip, skip=skip_of(event, pk), by=actor_of(request))
    return _change(request, event, change)


@require_POST
def accept(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Somebody has said at the desk that they take it."""
    event = organised_event(request, slug)
    place = place_of(event, pk)
    change = partial(actions.accept_place, place=place, by=actor_of(request))
    return _change(
        request, event, change, _("%(name)s has the place.") % {"name": place.person_name}
    )


@require_POST
def decline(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    place, reason = place_of(event, pk), posted_text(request, "reason")
    change = partial(actions.decline_place, place=place, reason=reason, by=actor_of(request))
    return _change(request, event, change, _("Noted. The place passes on if somebody is left."))


@require_POST
def withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    place, reason = place_of(event, pk), posted_text(request, "reason")
    change = partial(actions.withdraw_place, place=place, reason=reason, by=actor_of(request))
    return _change(request, event, change, _("The place is taken back."))


@require_POST
def give(request: HttpRequest, slug: str) -> HttpResponse:
    """A place at this event for a reason."""
    event = organised_event(request, slug)
    form = DirectForm(request.POST)
    if not form.is_valid():
        return unprocessable(_page(request, event, direct=form))
    entry = form.entry()

    def change() -> Place:
        if entry.email:
            spend_by_account(request, "invitation", mailbox=entry.email.lower())
        by, key = actor_of(request), submission_key(request)
        return actions.give_directly(event=event, entry=entry, by=by, key=key)

    return carry_out(
        request,
        change,
        then=reverse("places", args=[slug]),
        page=lambda: _page(request, event, direct=form),
        said=_("The place is offered."),
    )


@require_POST
def enter(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Register somebody who has accepted a place here."""
    event = organised_event(request, slug)
    change = partial(actions.enter_accepted, place=place_at(event, pk), by=actor_of(request))
    return _change(request, event, change, _("They are registered."))
