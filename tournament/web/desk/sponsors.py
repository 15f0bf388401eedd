"""Sponsors of the event, as they stand on its page, in mails and on prints."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import actor_of, organised_event, sponsor_of
from tournament.actions import sponsors as actions
from tournament.forms.sponsors import SponsorForm
from tournament.models import Event
from tournament.web.limits import spend_by_account
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    posted_text,
    submission_key,
    unprocessable,
)


@require_http_methods(["GET", "HEAD", "POST"])
def sponsors(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    initial = {"place": event.sponsors.count() + 1}
    form = SponsorForm(request.POST or None, request.FILES or None, initial=initial)

    def page() -> HttpResponse:
        return _page(request, event, form)

    if request.method != "POST":
        return page()
    spend_by_account(request, "upload", amount=len(request.FILES))
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.add_sponsor(
            event=event,
            facts=form.facts(),
            logo=form.cleaned_data["logo"],
            by=actor_of(request),
            key=submission_key(request),
        ),
        then=reverse("sponsors", args=[slug]),
        page=page,
        said=lambda sponsor: _("%(name)s is among the sponsors.") % {"name": sponsor.name},
    )


def _page(request: HttpRequest, event: Event, form: SponsorForm | None = None) -> HttpResponse:
    return render(
        request,
        "tournament/desk/sponsors.html",
        {
            "event": event,
            "form": form or SponsorForm(),
            "sponsors": event.sponsors.all(),
            "key": posted_text(request, "key", 40) or new_submission_key(),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
def sponsor(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    found = sponsor_of(event, pk)
    initial = {"name": found.name, "link": found.link, "place": found.place}
    form = SponsorForm(request.POST or None, request.FILES or None, initial=initial, sponsor=found)

    def page() -> HttpResponse:
        context = {"event": event, "sponsor": found, "form": form}
        return render(request, "tournament/desk/sponsor.html", context)

    if request.method != "POST":
        return page()
    spend_by_account(request, "upload", amount=len(request.FILES))
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.change_sponsor(
            sponsor=found,
            facts=form.facts(),
            logo=form.cleaned_data["logo"],
            drop_logo=form.cleaned_data.get("drop_logo", False),
            by=actor_of(request),
        ),
        then=reverse("sponsors", args=[slug]),
        page=page,
        said=_("The sponsor is changed."),
    )


@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    found = sponsor_of(event, pk)
    return carry_out(
        request,
        lambda: actions.remove_sponsor(sponsor=found, by=actor_of(request)),
        then=reverse("sponsors", args=[slug]),
        page=lambda: _page(request, event),
        said=_("The sponsor is removed."),
    )
