"""The organiser's desk: my events, a new one, its settings, its staff, its log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import ptag

from scoring import eventfile
from tournament import rulebook
from tournament.access import (
    actor_of,
    invitation_by_link,
    organised_event,
    staffed_event,
    user_of,
)
from tournament.actions import events as actions
from tournament.actions import people
from tournament.forms.events import PRESETS, EventForm, InviteForm, PresetForm, preset_values
from tournament.forms.fields import typed
from tournament.links import absolute
from tournament.models import Event, StaffMember
from tournament.models.events import Preset
from tournament.policies import can_organise
from tournament.queries.desk import desk_for
from tournament.queries.log import as_row, log_of
from tournament.queries.rules import departures
from tournament.refused import Refused
from tournament.views.base import act, live_tag, new_key, part_of, refusal, text_of, unprocessable


@require_safe
def my_events(request: HttpRequest) -> HttpResponse:
    duties = (
        StaffMember.objects.filter(user=user_of(request))
        .select_related("event")
        .order_by("-event__starts_at")
    )
    return render(request, "tournament/organiser/events.html", {"duties": duties})


@require_http_methods(["GET", "HEAD", "POST"])
def new_event(request: HttpRequest) -> HttpResponse:
    """A preset fills the form; every setting can be changed before it is saved. Choosing another
    one sends the form, which comes back with what was typed."""
    filling = "preset" in request.POST
    chosen = PresetForm(request.POST if filling else request.GET)
    preset = chosen.cleaned_data["preset"] if chosen.is_valid() else Preset.SHOP
    if filling:
        form = EventForm(initial=typed(EventForm.base_fields, request.POST) | PRESETS[preset])
    else:
        form = EventForm(request.POST or None, initial=preset_values(preset))
    if form.is_bound and form.is_valid():
        settings = form.settings() | {"preset": preset}
        event = actions.create_event(settings=settings, by=actor_of(request))
        return redirect("event_desk", event.slug)
    response = render(
        request,
        "tournament/organiser/new.html",
        {"form": form, "preset": preset, "presets": Preset.choices},
    )
    return unprocessable(response) if form.is_bound else response


def _desk_tag(request: HttpRequest, slug: str) -> str | None:
    """What the desk shows changes with the event's version."""
    if request.method == "POST":
        return None
    return live_tag(staffed_event(request, slug))


@require_safe
@ptag(_desk_tag)
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """The event as a shaft of stations with the one next thing to do. Judges look at theirs."""
    event = staffed_event(request, slug)
    if not can_organise(user_of(request), event):
        return redirect("notebook", slug)
    return desk_page(request, event)


def desk_page(request: HttpRequest, event: Event) -> HttpResponse:
    event.refresh_from_db()
    return render(
        request,
        part_of(request, "tournament/organiser/desk.html", "shaft"),
        {
            "event": event,
            "desk": desk_for(event),
            "departures": departures(event),
            "key": new_key(),
            "register_url": absolute(reverse("register", args=[event.slug])),
            "tag": live_tag(event),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    form = EventForm(request.POST or None, instance=event)

    def page() -> HttpResponse:
        return render(
            request,
            "tournament/organiser/settings.html",
            {"event": event, "form": form, "frozen": event.frozen_rules is not None},
        )

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return act(
        request,
        lambda: actions.change_settings(
            event=event, settings=form.settings(), by=actor_of(request)
        ),
        then=reverse("event_desk", args=[slug]),
        page=page,
        said=_("The settings are saved."),
    )


def _step(request: HttpRequest, slug: str, verb: Any, said: str, **more: Any) -> HttpResponse:
    event = organised_event(request, slug)
    return act(
        request,
        lambda: verb(event=event, by=actor_of(request), **more),
        then=reverse("event_desk", args=[slug]),
        page=lambda: desk_page(request, event),
        said=said,
    )


@require_POST
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    return _step(request, slug, actions.publish_event, _("Published. Pass the link on."))


@require_POST
def unpublish(request: HttpRequest, slug: str) -> HttpResponse:
    said = _("The event is a draft again. Everybody who registered stays registered.")
    return _step(request, slug, actions.unpublish_event, said)


@require_POST
def finish(request: HttpRequest, slug: str) -> HttpResponse:
    said = _("The event is finished. Congratulations!")
    return _step(request, slug, actions.finish_event, said, reason=text_of(request, "reason"))


@require_POST
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    reason = text_of(request, "reason")
    return _step(request, slug, actions.reopen_event, _("The event goes on."), reason=reason)


@require_http_methods(["GET", "HEAD", "POST"])
def staff(request: HttpRequest, slug: str) -> HttpResponse:
    """Who helps; an invitation goes out by mail."""
    event = organised_event(request, slug)
    form = InviteForm(request.POST or None)
    if request.method != "POST":
        return _staff_page(request, event, form)
    if not form.is_valid():
        return unprocessable(_staff_page(request, event, form))
    return _change_staff(
        request,
        event,
        lambda: people.invite(event=event, by=actor_of(request), **form.cleaned_data),
        _("The invitation is on its way."),
    )


def _staff_page(request: HttpRequest, event: Event, form: InviteForm) -> HttpResponse:
    return render(
        request,
        "tournament/organiser/staff.html",
        {
            "event": event,
            "form": form,
            "members": event.staff.select_related("user").order_by("since"),
            "invitations": event.invitations.filter(accepted_at=None, revoked_at=None),
            "site": absolute(""),
        },
    )


def _change_staff(
    request: HttpRequest, event: Event, change: Callable[[], Any], said: str = ""
) -> HttpResponse:
    return act(
        request,
        change,
        then=reverse("staff", args=[event.slug]),
        page=lambda: _staff_page(request, event, InviteForm()),
        said=said,
    )


@require_POST
def remove_staff(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    member = get_object_or_404(event.staff.select_related("user"), pk=pk)
    return _change_staff(
        request, event, lambda: people.remove_staff(member=member, by=actor_of(request))
    )


@require_POST
def revoke_invitation(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    invitation = get_object_or_404(event.invitations, pk=pk)
    return _change_staff(
        request,
        event,
        lambda: people.revoke_invitation(invitation=invitation, by=actor_of(request)),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Whoever opens the link, logged in, may take the duty."""
    found = invitation_by_link(token)

    def page() -> HttpResponse:
        return render(
            request,
            "tournament/organiser/invitation.html",
            {"invitation": found, "event": found.event},
        )

    if request.method != "POST":
        return page()
    try:
        people.accept_invitation(invitation=found, user=user_of(request), by=actor_of(request))
    except Refused as refused:
        return refusal(request, refused, page)
    return redirect("event_desk", found.event.slug)


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that happened, latest first."""
    event = organised_event(request, slug)
    page = Paginator(log_of(event), 100).get_page(request.GET.get("page"))
    rows = [as_row(entry) for entry in page.object_list]
    return render(
        request, "tournament/organiser/log.html", {"event": event, "rows": rows, "page": page}
    )


@require_safe
def export(request: HttpRequest, slug: str) -> HttpResponse:
    """The event as a file that `python -m scoring standings` reads: numbers instead of names."""
    event: Event = organised_event(request, slug)
    response = JsonResponse(eventfile.write(rulebook.event_file(event)))
    response["Content-Disposition"] = f'attachment; filename="{event.slug}.json"'
    return response
