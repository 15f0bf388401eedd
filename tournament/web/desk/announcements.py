"""Messages to many players: written, listed, taken down."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import actor_of, organised_event
from tournament.actions import announcements as actions
from tournament.forms.announcements import AnnouncementForm
from tournament.models import Announcement, Event
from tournament.queries.announcements import addressees, announcements_of
from tournament.web.limits import spend_by_account
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    posted_text,
    submission_key,
    unprocessable,
)


@require_http_methods(["GET", "HEAD", "POST"])
def announcements(request: HttpRequest, slug: str) -> HttpResponse:
    """What was told to whom; a new one goes out by mail and onto the tickets."""
    event = organised_event(request, slug)
    form = AnnouncementForm(request.POST or None, event=event)

    def page() -> HttpResponse:
        return _page(request, event, form)

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())

    def change() -> Announcement:
        mails = addressees(event, form.cleaned_data["audience"]).count()
        spend_by_account(request, "mail", amount=mails)
        return actions.send_announcement(
            event=event, by=actor_of(request), key=submission_key(request), **form.cleaned_data
        )

    return carry_out(
        request,
        change,
        then=reverse("announcements", args=[slug]),
        page=page,
        said=_("The message is on its way, and on the tickets."),
    )


@require_POST
def withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    found = get_object_or_404(event.announcements, pk=pk)
    return carry_out(
        request,
        lambda: actions.withdraw_announcement(announcement=found, by=actor_of(request)),
        then=reverse("announcements", args=[slug]),
        page=lambda: _page(request, event, AnnouncementForm(event=event)),
        said=_("The message is off the tickets."),
    )


def _page(request: HttpRequest, event: Event, form: AnnouncementForm) -> HttpResponse:
    return render(
        request,
        "tournament/desk/announcements.html",
        {
            "event": event,
            "form": form,
            "announcements": announcements_of(event),
            "key": posted_text(request, "key", 40) or new_submission_key(),
        },
    )
