"""Who helps at an event: duties, invitations and their links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import actor_of, invitation_by_link, organised_event, user_of
from tournament.actions import staff as actions
from tournament.forms.events import InviteForm
from tournament.links import absolute
from tournament.models import Event
from tournament.refusals import Refused
from tournament.web.limits import spend_by_account
from tournament.web.responses import carry_out, refusal, unprocessable


@require_http_methods(["GET", "HEAD", "POST"])
def staff(request: HttpRequest, slug: str) -> HttpResponse:
    """Who helps; an invitation goes out by mail."""
    event = organised_event(request, slug)
    form = InviteForm(request.POST or None)
    if request.method != "POST":
        return _staff_page(request, event, form)
    if not form.is_valid():
        return unprocessable(_staff_page(request, event, form))

    def invite() -> None:
        spend_by_account(request, "invitation", mailbox=form.cleaned_data["email"])
        actions.invite(event=event, by=actor_of(request), **form.cleaned_data)

    return _change_staff(
        request,
        event,
        invite,
        _("The invitation is on its way."),
    )


def _staff_page(request: HttpRequest, event: Event, form: InviteForm) -> HttpResponse:
    return render(
        request,
        "tournament/desk/staff.html",
        {
            "event": event,
            "form": form,
            "members": event.staff.select_related("user").order_by("created_at"),
            "invitations": event.invitations.open(),
            "site": absolute(""),
        },
    )


def _change_staff(
    request: HttpRequest, event: Event, change: Callable[[], Any], said: str = ""
) -> HttpResponse:
    return carry_out(
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
        request, event, lambda: actions.remove_staff(member=member, by=actor_of(request))
    )


@require_POST
def revoke_invitation(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    invitation = get_object_or_404(event.invitations, pk=pk)
    return _change_staff(
        request,
        event,
        lambda: actions.revoke_invitation(invitation=invitation, by=actor_of(request)),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Whoever opens the link, logged in, may take the duty."""
    found = invitation_by_link(token)

    def page() -> HttpResponse:
        return render(
            request,
            "tournament/desk/invitation.html",
            {"invitation": found, "event": found.event},
        )

    if request.method != "POST":
        return page()
    try:
        actions.accept_invitation(invitation=found, user=user_of(request), by=actor_of(request))
    except Refused as refused:
        return refusal(request, refused, page)
    return redirect("event_desk", found.event.slug)
