"""A screen in the hall: one page for the whole day."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from tournament.access import screen_by_link
from tournament.actions.screens import note_opened
from tournament.documents.layout.codes import qr_svg
from tournament.forms.fields import parse_int
from tournament.links import event_url
from tournament.models import Screen
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.screens import View
from tournament.models.versions import Part
from tournament.queries.screens import page_of, shown_on
from tournament.web.live.parts import follows
from tournament.web.responses import asks_for_part, page_or_partial

PAGE = "tournament/public/screen.html"
FOLLOWED = (
    Part.SCREENS,
    Part.SEATS,
    Part.SHEETS,
    Part.CLOCK,
    Part.NOTICES,
)
# Views that change with each deal; the others let deals pass.
BY_DEAL = (View.SEATING, View.FINAL)


@login_not_required
@require_safe
def screen(request: HttpRequest, token: str) -> HttpResponse:
    """Whatever this screen shows now, in the language of the event: nobody chooses one here."""
    found = screen_by_link(token)
    with override(found.event.language or get_language()):
        if found.revoked_at is not None:
            return _switched_off(request)
        # Whoever of the staff looks at it is no television.
        if found.opened_at is None and not request.user.is_authenticated:
            note_opened(screen=found, by=Actor.visitor())
        if found.event.status == EventStatus.DRAFT:
            return _page(request, found, {"hidden": True})
        return _picture(request, found)


def _switched_off(request: HttpRequest) -> HttpResponse:
    if asks_for_part(request):
        # The whole page is asked for once more, and that one asks no more.
        return HttpResponse(headers={"HX-Refresh": "true"})
    response = render(request, "tournament/public/screen_off.html", status=410)
    response["Cache-Control"] = "no-store"
    return response


def _picture(request: HttpRequest, found: Screen) -> HttpResponse:
    # First: what changes while the page is made is asked for by it.
    by_deal = follows(found.event, *FOLLOWED, Part.BOARD, ranks=True)
    seldom = follows(found.event, *FOLLOWED, ranks=True)
    now = timezone.now()
    picture = shown_on(found)
    pages = len(picture.pages)
    # A browser without scripts turns the pages by their addresses.
    asked = parse_int(request.GET.get("page"), -1)
    page = page_of(found, picture, now) if found.paused or asked < 0 else asked % pages
    return _page(
        request,
        found,
        {
            "picture": picture,
            "page": page,
            "next": (page + 1) % pages,
            "follows": by_deal if picture.view in BY_DEAL else seldom,
            "message": found.message_at(now),
            "qr": qr_svg(event_url(found.event)) if picture.view == View.REGISTRATION else "",
        },
    )


def _page(request: HttpRequest, found: Screen, context: dict[str, object]) -> HttpResponse:
    response = render(
        request,
        page_or_partial(request, PAGE, "picture"),
        {
            "screen": found,
            "event": found.event,
            "bare": "bare" in request.GET,
            "address": event_url(found.event).partition("//")[2],
        }
        | context,
    )
    response["Cache-Control"] = "no-store"
    return response
