"""Registering oneself, and the ticket's link for whoever lost it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament.access import public_event
from tournament.actions import registration as actions
from tournament.forms.players import EmailForm, RegistrationForm
from tournament.limits import TooOften
from tournament.models import Event, Player
from tournament.models.actors import Actor
from tournament.models.players import PlayerStatus
from tournament.queries.players import same_name
from tournament.queries.registration import places_left, registration_open
from tournament.refusals import Refused
from tournament.web.limits import spend_by_network
from tournament.web.responses import (
    new_submission_key,
    posted_text,
    refusal,
    submission_key,
    unprocessable,
)

OWN = "registered"  # in the session: event -> the ticket made last from this browser


@never_cache
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """A person registers; the answer is the ticket page. Who comes back to the form and sends it
    again with the same name is asked first: a mistake put right, or another person?"""
    event = public_event(slug)
    form = RegistrationForm(request.POST or None, event=event)

    def page(own: Player | None = None) -> HttpResponse:
        return render(
            request,
            "tournament/public/register.html",
            {
                "event": event,
                "form": form,
                "key": posted_text(request, "key", 40) or new_submission_key(),
                "open": registration_open(event),
                "places_left": places_left(event),
                "own": own,
            },
        )

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    entry, own = form.entry(), _own_entry(request, event)
    if own is None or not same_name(own.name, entry.name) or "another" in request.POST:
        own = None
    elif "correct" not in request.POST and own.email != entry.email:
        return unprocessable(page(own))
    try:
        spend_by_network(request, "registration", mailbox=entry.email)
        if own is not None:
            player = actions.correct_entry(player=own, entry=entry, by=Actor.of_player(own))
        else:
            key = submission_key(request)
            player = actions.register(event=event, entry=entry, by=Actor.visitor(), key=key)
    except Refused as refused:
        return refusal(request, refused, page)
    request.session[OWN] = request.session.get(OWN, {}) | {str(event.pk): player.token}
    return redirect("ticket", player.token)


def _own_entry(request: HttpRequest, event: Event) -> Player | None:
    """The entry that was made last from this browser; whoever withdrew begins anew."""
    token = request.session.get(OWN, {}).get(str(event.pk), "")
    here = event.players.exclude(status=PlayerStatus.WITHDRAWN)
    found = here.select_related("contact", "event").filter(token=token)
    return found.first() if token else None


@never_cache
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def lost_ticket(request: HttpRequest, slug: str) -> HttpResponse:
    """The ticket's link once more, by mail. The answer is the same whoever asks: it tells nobody
    who is registered."""
    event = public_event(slug)
    form = EmailForm(request.POST or None)

    def page() -> HttpResponse:
        context = {"event": event, "form": form}
        return render(request, "tournament/public/lost_ticket.html", context)

    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data["email"]
        try:
            spend_by_network(request, "lost ticket", mailbox=email.lower())
        except TooOften as refused:
            return refusal(request, refused, page)
        actions.resend_tickets(event=event, email=email)
        said = _(
            "If somebody is registered with this address, the ticket is on its way. Look into the "
            "spam folder too."
        )
        messages.success(request, said)
        return redirect("event", slug)
    return unprocessable(page()) if form.is_bound else page()
