"""The screens in the hall, steered from the desk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import actor_of, organised_event, screen_of, staffed_event, user_of
from tournament.actions import screens as actions
from tournament.documents.layout.codes import qr_svg
from tournament.forms.screens import (
    AddScreenForm,
    ChangeScreenForm,
    SayForm,
    SteerForm,
    ThroughForm,
    UnsayForm,
)
from tournament.links import screen_url
from tournament.models import Event, Screen
from tournament.models.screens import View
from tournament.models.versions import Part
from tournament.policies import can_organise
from tournament.queries.screen_pages import SEATING
from tournament.queries.screens import screens_of
from tournament.web.live.parts import follows
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    page_or_partial,
    posted_text,
    submission_key,
    unprocessable,
)

WATCHED = (Part.SCREENS, Part.SEATS, Part.SHEETS, Part.CLOCK, Part.NOTICES, Part.BOARD)


@require_http_methods(["GET", "HEAD", "POST"])
def screens(request: HttpRequest, slug: str) -> HttpResponse:
    """What each screen shows; the organiser adds one. Judges look."""
    if request.method != "POST":
        return _page(request, staffed_event(request, slug))
    event = organised_event(request, slug)
    form = AddScreenForm(request.POST)
    if not form.is_valid():
        return unprocessable(_page(request, event, add_form=form))
    return carry_out(
        request,
        lambda: actions.add_screen(
            event=event,
            name=form.cleaned_data["name"],
            by=actor_of(request),
            key=submission_key(request),
        ),
        then=reverse("screens", args=[slug]),
        page=lambda: _page(request, event),
        said=_("The screen has an address now: open it on the television."),
    )


def _page(
    request: HttpRequest,
    event: Event,
    *,
    add_form: forms.Form | None = None,
    say_form: forms.Form | None = None,
    change_form: tuple[int, forms.Form] = (0, forms.Form()),
) -> HttpResponse:
    # First: what changes while the page is made is asked for by it.
    seen = follows(event, *WATCHED)
    rows = [_listed(row, event, *change_form) for row in screens_of(event)]
    return render(
        request,
        page_or_partial(request, "tournament/desk/screens.html", "screens"),
        {
            "event": event,
            "organiser": can_organise(user_of(request), event),
            "screens": rows,
            "messages_up": any(one["row"].message for one in rows),
            "views": View.choices,
            "names_at_ten_metres": SEATING[1].places * 8,
            "add_form": add_form or AddScreenForm(),
            "say_form": say_form or SayForm(event=event),
            "key": posted_text(request, "key", 40) or new_submission_key(),
            "follows": seen,
        },
    )


def _listed(row: Any, event: Event, changing: int, form: forms.Form) -> dict[str, Any]:
    """A row with what the page needs to steer it."""
    screen: Screen = row.screen
    address = screen_url(screen)
    return {
        "row": row,
        "screen": screen,
        "address": address,
        "qr": qr_svg(address),
        "through_form": ThroughForm(
            event=event, initial={"through": screen.through}, auto_id=f"id_{screen.pk}_%s"
        ),
        "change_form": form if screen.pk == changing else ChangeScreenForm(screen=screen),
    }


def _press(
    request: HttpRequest, event: Event, change: Callable[[], Any], said: str | Callable[[Any], str]
) -> HttpResponse:
    event_slug = event.slug
    return carry_out(
        request,
        change,
        then=reverse("screens", args=[event_slug]),
        page=lambda: _page(request, event),
        said=said,
    )


@require_POST
def steer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    screen = screen_of(event, pk)
    form = SteerForm(request.POST)
    if not form.is_valid():
        return unprocessable(_page(request, event))
    data = form.cleaned_data
    return _press(
        request,
        event,
        lambda: actions.steer_screen(screen=screen, by=actor_of(request), **data),
        _("“%(screen)s” shows: %(view)s.")
        % {"screen": screen.name, "view": View(data["shows"]).label},
    )


@require_POST
def turn(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Pause, go on, a page forward or back."""
    event = organised_event(request, slug)
    screen, by = screen_of(event, pk), actor_of(request)
    form = SteerForm.base_fields["version"]
    version = form.clean(request.POST.get("version"))

    def change() -> Screen:
        match posted_text(request, "press"):
            case "pause":
                return actions.pause_screen(screen=screen, version=version, by=by)
            case "back":
                return actions.turn_screen(screen=screen, by_pages=-1, version=version, by=by)
            case "next":
                return actions.turn_screen(screen=screen, by_pages=1, version=version, by=by)
        return actions.resume_screen(screen=screen, version=version, by=by)

    def said(done: Screen) -> str:
        words = (
            _("“%(screen)s” stands still.") if done.paused else _("The pages of “%(screen)s” turn.")
        )
        return words % {"screen": done.name}

    return _press(request, event, change, said)


@require_POST
def say(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    form = SayForm(request.POST, event=event)
    if not form.is_valid():
        return unprocessable(_page(request, event, say_form=form))
    data = form.cleaned_data

    def said(done: list[Screen]) -> str:
        words = ngettext(
            "The message stands on %(count)d screen.",
            "The message stands on %(count)d screens.",
            len(done),
        )
        return words % {"count": len(done)} if done else _("The message stands there already.")

    return _press(
        request,
        event,
        lambda: actions.say_on_screens(
            event=event,
            only=data["screen"],
            text=data["text"],
            until=data["until"],
            by=actor_of(request),
        ),
        said,
    )


@require_POST
def unsay(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    form = UnsayForm(request.POST, event=event)
    if not form.is_valid():
        return unprocessable(_page(request, event))
    return _press(
        request,
        event,
        lambda: actions.unsay_on_screens(
            event=event, only=form.cleaned_data["screen"], by=actor_of(request)
        ),
        _("The message is gone."),
    )


@require_POST
def change(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    screen = screen_of(event, pk)
    form = ChangeScreenForm(request.POST, screen=screen)
    if not form.is_valid():
        return unprocessable(_page(request, event, change_form=(pk, form)))
    share, shares = form.cleaned_data["part"]
    return _press(
        request,
        event,
        lambda: actions.change_screen(
            screen=screen,
            name=form.cleaned_data["name"],
            share=share,
            shares=shares,
            by=actor_of(request),
        ),
        _("The screen is changed."),
    )


@require_POST
def revoke(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    screen = screen_of(event, pk)
    return _press(
        request,
        event,
        lambda: actions.revoke_screen(screen=screen, by=actor_of(request)),
        _("“%(screen)s” is switched off: its address leads nowhere.") % {"screen": screen.name},
    )
