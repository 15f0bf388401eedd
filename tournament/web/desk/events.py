"""The organiser's desk: my events, a new one, its settings, its staff, its log."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access import (
    actor_of,
    organised_event,
    staffed_event,
    user_of,
)
from tournament.actions import events as actions
from tournament.documents.layout.codes import qr_svg
from tournament.forms.events import (
    EventForm,
    PresetForm,
    preset_lines,
    preset_values,
    with_preset,
)
from tournament.forms.fields import parse_int, typed
from tournament.links import absolute
from tournament.models import Event, StaffMember
from tournament.models.events import EventStatus, Preset
from tournament.models.versions import Part
from tournament.policies import can_organise, may_create_events
from tournament.queries.board import board_of
from tournament.queries.check_event import last_check
from tournament.queries.day_plan import day_plan
from tournament.queries.desk import desk_for
from tournament.queries.ending import ending_of
from tournament.queries.mails import undelivered
from tournament.queries.room import little_room
from tournament.queries.rules import departures
from tournament.queries.second_copy import second_copy_state
from tournament.queries.visibility import public_standings, reveal_page
from tournament.refusals import Refused
from tournament.web.limits import makes_events
from tournament.web.live.parts import follows
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    page_or_partial,
    posted_text,
    refusal,
    unprocessable,
)

MOST_TILES = 24  # tables on the desk itself; more of them have the board


@require_safe
def my_events(request: HttpRequest) -> HttpResponse:
    duties = (
        StaffMember.objects.filter(user=user_of(request))
        .select_related("event")
        .order_by("-event__starts_at")
    )
    context = {"duties": duties, "may_create": may_create_events(user_of(request))}
    return render(request, "tournament/desk/events.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@makes_events
def new_event(request: HttpRequest) -> HttpResponse:
    """A preset fills the form; every setting can be changed before it is saved. Choosing another
    one sends the form, which comes back with what was typed."""
    filling = "preset" in request.POST
    chosen = PresetForm(request.POST if filling else request.GET)
    preset = chosen.cleaned_data["preset"] if chosen.is_valid() else Preset.SHOP
    if filling:
        form = EventForm(initial=with_preset(typed(EventForm.base_fields, request.POST), preset))
    else:
        form = EventForm(request.POST or None, initial=preset_values(preset))

    def page() -> HttpResponse:
        context = {"form": form, "preset": preset, "presets": preset_lines()}
        return render(request, "tournament/desk/new.html", context)

    if not (form.is_bound and form.is_valid()):
        return unprocessable(page()) if form.is_bound else page()
    settings = form.settings() | {"preset": preset}
    try:
        event = actions.create_event(settings=settings, by=actor_of(request))
    except Refused as refused:
        return refusal(request, refused, page)
    return redirect("event_desk", event.slug)


@require_safe
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """The event as a shaft of stations with the one next thing to do. Judges look at theirs."""
    event = staffed_event(request, slug)
    if not can_organise(user_of(request), event):
        return redirect("notebook", slug)
    return desk_page(request, event)


def desk_page(request: HttpRequest, event: Event) -> HttpResponse:
    event.refresh_from_db()
    # First: what changes while the page is made is asked for by it.
    seen = follows(event, Part.SEATS, Part.SHEETS, Part.NOTICES, Part.CLOCK, Part.CALLS, Part.BOARD)
    now = timezone.now()
    board = board_of(event, now)
    return render(
        request,
        page_or_partial(request, "tournament/desk/desk.html", "shaft"),
        {
            "event": event,
            "desk": desk_for(event),
            "board": board,
            "tiles": board.tiles[:MOST_TILES] if board else (),
            "plan": day_plan(event, now),
            "organiser": True,
            "departures": departures(event),
            "public": public_standings(event) if event.hides_standings else None,
            "key": new_submission_key(),
            "register_url": absolute(reverse("register", args=[event.slug])),
            "follows": seen,
            # Asked for by the parts that say it, which are not in every answer, and once.
            "last_check": SimpleLazyObject(partial(last_check, event)),
            "check": partial(last_check, event, now=True),
            "copy": second_copy_state(now),
            "room": little_room(),
            "undelivered": undelivered(event).count(),
            "without_guardian": event.players.lacking_a_guardian(),
            "wants_erasing": event.players.wanting_erasing(),
        },
    )


@require_safe
def poster(request: HttpRequest, slug: str) -> HttpResponse:
    """The public page's code, large: held up on a screen, or printed and hung at the door."""
    event = staffed_event(request, slug)
    address = absolute(reverse("event", args=[slug]))
    context = {"event": event, "address": address, "qr": qr_svg(address)}
    return render(request, "tournament/desk/poster.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    form = EventForm(request.POST or None, instance=event)

    def page() -> HttpResponse:
        return render(
            request,
            "tournament/desk/settings.html",
            {"event": event, "form": form, "frozen": event.frozen_rules is not None},
        )

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.change_settings(
            event=event,
            settings=form.settings(),
            by=actor_of(request),
            reason=form.cleaned_data.get("reason", ""),
        ),
        then=reverse("event_desk", args=[slug]),
        page=page,
        said=_("The settings are saved."),
    )


def _step(
    request: HttpRequest, slug: str, verb: Any, said: str, *, undo: str = "", **more: Any
) -> HttpResponse:
    """`undo`: the name of the address that takes it back."""
    event = organised_event(request, slug)
    return carry_out(
        request,
        lambda: verb(event=event, by=actor_of(request), **more),
        then=reverse("event_desk", args=[slug]),
        page=lambda: desk_page(request, event),
        said=said,
        undo=reverse(undo, args=[slug]) if undo else "",
    )


@require_POST
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    said = _("Published. Pass the link on.")
    return _step(request, slug, actions.publish_event, said, undo="unpublish")


@require_POST
def unpublish(request: HttpRequest, slug: str) -> HttpResponse:
    said = _("The event is a draft again. Everybody who registered stays registered.")
    return _step(request, slug, actions.unpublish_event, said, undo="publish")


REVEAL = {"now": True, "later": False}  # what is asked where standings are hidden at the end


@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, slug: str) -> HttpResponse:
    """What finishing makes final is read first; it holds for what was read."""
    event = organised_event(request, slug)
    reason = posted_text(request, "reason")
    hidden = reveal_page(event).hidden
    reveal = REVEAL.get(request.POST.get("reveal", "")) if hidden else False

    def page() -> HttpResponse:
        context = {
            "event": event,
            "ending": ending_of(event),
            "check": last_check(event, now=True),
            "reason": reason,
            "hidden": hidden,
            "reveal": reveal,
        }
        return render(request, "tournament/desk/finish.html", context)

    def change() -> None:
        if reveal is None:
            raise Refused(_("Say whether the standings are revealed now or stay hidden."))
        actions.finish_event(
            event=event,
            by=actor_of(request),
            reason=reason,
            version=parse_int(request.POST.get("version"), -1),
            reveal=reveal,
        )

    if request.method != "POST":
        if event.status == EventStatus.FINISHED:
            return redirect("event_desk", slug)
        return page()
    said = _("The event is finished. Congratulations!")
    return carry_out(request, change, then=reverse("event_desk", args=[slug]), page=page, said=said)


@require_POST
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    reason = posted_text(request, "reason")
    return _step(request, slug, actions.reopen_event, _("The event goes on."), reason=reason)
