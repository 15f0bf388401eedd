"""The boxes of the game: who plays with which, and whether everything is in them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import actor_of, box_of, organised_event
from tournament.actions import boxes as actions
from tournament.forms.boxes import BoxCheckForm, BoxForm, initial_of, initial_of_new
from tournament.models import Box, Event
from tournament.models.boxes import EDITIONS
from tournament.queries.boxes import box_rows, components, misfits, notes_of_event
from tournament.refusals import Refused
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    posted_text,
    submission_key,
    unprocessable,
)


@require_http_methods(["GET", "HEAD", "POST"])
def boxes(request: HttpRequest, slug: str) -> HttpResponse:
    """All boxes with their check list, and a new one."""
    event = organised_event(request, slug)
    form = BoxForm(request.POST or None, event=event, initial=initial_of_new(event))

    def page() -> HttpResponse:
        return _page(request, event, form)

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.add_box(
            event=event,
            facts=form.facts(),
            tables=form.cleaned_data["tables"],
            by=actor_of(request),
            key=submission_key(request),
        ),
        then=reverse("boxes", args=[slug]),
        page=page,
        said=lambda box: _("Box %(name)s is in the event.") % {"name": box.name},
    )


def _page(request: HttpRequest, event: Event, form: BoxForm | None = None) -> HttpResponse:
    return render(
        request,
        "tournament/desk/boxes.html",
        {
            "event": event,
            "form": form or BoxForm(event=event, initial=initial_of_new(event)),
            "rows": box_rows(event),
            "misfits": misfits(event),
            "components": components(notes_of_event(event), event.ruleset),
            "editions": EDITIONS,
            "key": posted_text(request, "key", 40) or new_submission_key(),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
def box(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    found = box_of(event, pk)
    form = BoxForm(request.POST or None, event=event, initial=initial_of(found))

    def page() -> HttpResponse:
        return _box_page(request, event, found, form)

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.change_box(
            box=found,
            facts=form.facts(),
            tables=form.cleaned_data["tables"],
            by=actor_of(request),
        ),
        then=reverse("boxes", args=[slug]),
        page=page,
        said=_("The box is changed. Print the sheets of its tables again."),
    )


def _box_page(request: HttpRequest, event: Event, found: Box, form: BoxForm) -> HttpResponse:
    return render(
        request,
        "tournament/desk/box.html",
        {"event": event, "box": found, "form": form, "editions": EDITIONS},
    )


@require_POST
def check(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    found, form = box_of(event, pk), BoxCheckForm(request.POST)

    def change() -> None:
        if not form.is_valid():
            raise Refused(_("Say what is missing."))
        data = form.cleaned_data
        actions.check_box(
            box=found, moment=data["moment"], missing=data["missing"], by=actor_of(request)
        )

    return carry_out(
        request,
        change,
        then=reverse("boxes", args=[slug]) + f"#box-{found.pk}",
        page=lambda: _page(request, event),
    )


@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    found = box_of(event, pk)
    return carry_out(
        request,
        lambda: actions.remove_box(box=found, by=actor_of(request)),
        then=reverse("boxes", args=[slug]),
        page=lambda: _page(request, event),
        said=_("The box is out of the event. Its tables go by the settings."),
    )
