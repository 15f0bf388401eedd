"""Rulings: one form for judges and organisers, and all that were given."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import actor_of, ruling_of, staffed_event
from tournament.actions import rulings as actions
from tournament.forms.rulings import RulingForm
from tournament.models import Event
from tournament.policies import can_organise
from tournament.queries.rulings import rulings_of
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    posted_text,
    submission_key,
    unprocessable,
)


@require_http_methods(["GET", "HEAD", "POST"])
def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    event = staffed_event(request, slug)
    form = RulingForm(request.POST or None)

    def page() -> HttpResponse:
        return _page(request, event, form)

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.give_ruling(
            event=event, by=actor_of(request), key=submission_key(request), **form.cleaned_data
        ),
        then=reverse("rulings", args=[slug]),
        page=page,
        said=lambda ruling: (
            _("Ruling %(number)d holds at every table from now on.") % {"number": ruling.number}
        ),
    )


@require_POST
def withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = staffed_event(request, slug)
    found = ruling_of(event, pk)
    return carry_out(
        request,
        lambda: actions.withdraw_ruling(
            ruling=found, reason=posted_text(request, "reason"), by=actor_of(request)
        ),
        then=reverse("rulings", args=[slug]),
        page=lambda: _page(request, event, RulingForm()),
        said=_("The ruling is withdrawn. Every table sees that, and why."),
    )


def _page(request: HttpRequest, event: Event, form: RulingForm) -> HttpResponse:
    return render(
        request,
        "tournament/judge/rulings.html",
        {
            "event": event,
            "organiser": can_organise(request.user, event),  # type: ignore[arg-type]
            "form": form,
            "rulings": rulings_of(event),
            "key": posted_text(request, "key", 40) or new_submission_key(),
        },
    )
