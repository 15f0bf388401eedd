"""Mails: what did not arrive, what is on its way, and a test."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.access import actor_of, organised_event, user_of
from tournament.actions import mails as actions
from tournament.models import Event
from tournament.queries.mails import mails_of
from tournament.web.responses import carry_out, page_or_partial


@require_safe
def mails(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, organised_event(request, slug))


@require_POST
def again(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    mail = get_object_or_404(event.mails, pk=pk)
    return carry_out(
        request,
        lambda: actions.send_again(mail=mail),
        then=reverse("mails", args=[slug]),
        page=lambda: _page(request, event),
        said=_("It is on its way."),
    )


@require_POST
def test(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    return carry_out(
        request,
        lambda: actions.send_test(event=event, by=actor_of(request)),
        then=reverse("mails", args=[slug]),
        page=lambda: _page(request, event),
        said=_("A test mail is on its way to you. Below stands what becomes of it."),
    )


def _page(request: HttpRequest, event: Event) -> HttpResponse:
    return render(
        request,
        page_or_partial(request, "tournament/desk/mails.html", "mails"),
        {"event": event, "mails": mails_of(event), "address": user_of(request).email},
    )
