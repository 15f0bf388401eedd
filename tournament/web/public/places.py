"""Places at later events: who has one, and the page of a place's own link."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.access import place_by_link, visible_event
from tournament.actions import places as actions
from tournament.forms.players import RegistrationForm
from tournament.links import ticket_url
from tournament.models import Place
from tournament.models.actors import Actor
from tournament.queries.place_courses import number_words, public_promises
from tournament.queries.places import has_begun, promises_to
from tournament.web.responses import carry_out, posted_text, unprocessable


@login_not_required
@require_safe
def event_places(request: HttpRequest, slug: str) -> HttpResponse:
    """Which places the event gives, who got them and how they passed on; and who gives places
    here."""
    event = visible_event(request, slug)
    return render(
        request,
        "tournament/public/places.html",
        {
            "event": event,
            "promises": public_promises(event, timezone.now()),
            "here": [
                {"event": one.event, "numbers": number_words(one)}
                for one in promises_to(event, agreed=True)
            ],
        },
    )


@login_not_required
@never_cache
@require_safe
def place(request: HttpRequest, token: str) -> HttpResponse:
    """What is offered, and the two answers; opening the page changes nothing."""
    return _page(request, place_by_link(token))


def _page(request: HttpRequest, found: Place, form: RegistrationForm | None = None) -> HttpResponse:
    now = timezone.now()
    target, state = found.target, found.state_at(now)
    return render(
        request,
        "tournament/public/place.html",
        {
            "place": found,
            "event": found.event,
            "target": target,
            "state": str(state),
            "begun": target is not None and has_begun(target, now),
            "form": form or _form(found),
            "ticket": ticket_url(found.entry) if found.entry is not None else "",
        },
    )


def _form(found: Place, data: object = None) -> RegistrationForm | None:
    """What they say of themselves where the place is, filled with what is known; none where they
    cannot be registered from here."""
    target = found.target
    if target is None or not found.is_let_in:
        return None
    entry = actions.entry_of(found)
    initial = {
        "name": entry.name,
        "email": entry.email,
        "phone": entry.phone,
        "name_style": entry.name_style,
        "alias": entry.alias,
        "rather_not_deal": not entry.willing_to_deal,
        "minor": entry.minor,
    }
    return RegistrationForm(data, event=target, initial=initial)


def _who(found: Place) -> Actor:
    """Whoever came by the link."""
    if found.player is None:
        return actions.INVITED
    found.player.event = found.event
    return Actor.of_player(found.player)


@login_not_required
@never_cache
@require_POST
def accept(request: HttpRequest, token: str) -> HttpResponse:
    found = place_by_link(token)
    form = _form(found, request.POST)
    if form is not None and not form.is_valid():
        return unprocessable(_page(request, found, form))
    entry = form.entry() if form is not None else None
    may_write = form is None and bool(request.POST.get("may_write"))
    return carry_out(
        request,
        lambda: actions.accept_place(place=found, entry=entry, by=_who(found), may_write=may_write),
        then=reverse("place", args=[token]),
        page=lambda: _page(request, place_by_link(token)),
    )


@login_not_required
@never_cache
@require_POST
def decline(request: HttpRequest, token: str) -> HttpResponse:
    """They do not want it, or give it back."""
    found = place_by_link(token)
    reason = posted_text(request, "reason")
    return carry_out(
        request,
        lambda: actions.decline_place(place=found, reason=reason, by=_who(found)),
        then=reverse("place", args=[token]),
        page=lambda: _page(request, place_by_link(token)),
        said=_("Thank you for telling us."),
    )
