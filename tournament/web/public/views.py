"""Pages for everybody: the home page, an event, its rules, seats and standings."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.decorators import login_not_required
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from tournament.access import public_event, visible_event
from tournament.actions.players import register
from tournament.forms.players import RegistrationForm
from tournament.models import Event
from tournament.models.actors import Actor
from tournament.models.events import EventStatus, FinalSeats
from tournament.queries.document_facts import rules_mark, seating_mark, standings_mark
from tournament.queries.registration import places_left, registration_open
from tournament.queries.rules import (
    amendments,
    departures,
    displayed_rules,
    public_lots,
    seating_words,
)
from tournament.queries.seats import current_round, find_seats, table_rows
from tournament.queries.standings import standings_for
from tournament.refusals import Refused
from tournament.web.live import live_page
from tournament.web.responses import (
    new_submission_key,
    page_or_partial,
    posted_text,
    refusal,
    search_query,
    submission_key,
    unprocessable,
    version_tag,
)


@login_not_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, and the events that are announced, running or just over."""
    events = Event.objects.exclude(status=EventStatus.DRAFT).order_by("starts_at")
    recent = timezone.now() - timedelta(days=60)
    return render(
        request,
        "tournament/public/home.html",
        {
            "running": events.filter(status=EventStatus.RUNNING),
            "coming": events.filter(status=EventStatus.REGISTRATION)[:50],
            "over": events.filter(
                Q(status=EventStatus.FINISHED) & Q(starts_at__gte=recent)
            ).order_by("-starts_at")[:20],
        },
    )


@login_not_required
@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    """The event: when and where, how to register, and what is going on."""
    shown = visible_event(request, slug)
    return render(
        request,
        "tournament/public/event.html",
        {
            "event": shown,
            "open": registration_open(shown),
            "places_left": places_left(shown),
            "round": current_round(shown),
            "champions": standings_for(shown).champions
            if shown.status == EventStatus.FINISHED
            else [],
        },
    )


@login_not_required
@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules in force, with the lots' commitments and, once drawn, their proofs."""
    shown = visible_event(request, slug)
    in_force = displayed_rules(shown)
    return render(
        request,
        "tournament/public/rules.html",
        {
            "event": shown,
            "older_print": _other(request, rules_mark(in_force)),
            "rules": in_force,
            "seating": seating_words(in_force),
            "final_seats": FinalSeats(in_force["final_seats"]).label,
            "departures": departures(shown),
            "lots": public_lots(shown),
            "amendments": amendments(shown),
        },
    )


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def registration(request: HttpRequest, slug: str) -> HttpResponse:
    """A person registers; the answer is the ticket page."""
    shown = public_event(slug)
    form = RegistrationForm(request.POST or None, event=shown)

    def page() -> HttpResponse:
        return render(
            request,
            "tournament/public/register.html",
            {
                "event": shown,
                "form": form,
                "key": posted_text(request, "key", 40) or new_submission_key(),
                "open": registration_open(shown),
                "places_left": places_left(shown),
            },
        )

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    try:
        player = register(
            event=shown,
            entry=form.entry(),
            by=Actor.visitor(),
            key=submission_key(request),
        )
    except Refused as refused:
        return refusal(request, refused, page)
    return redirect("ticket", player.token)


@login_not_required
@require_safe
def seats(request: HttpRequest, slug: str) -> HttpResponse:
    """Find one's table by a few letters of a name, or look at all tables."""
    shown = public_event(slug)
    round_ = current_round(shown)
    query = search_query(request)
    tables = table_rows(round_) if round_ else ()
    return render(
        request,
        page_or_partial(request, "tournament/public/seats.html", "answer"),
        {
            "event": shown,
            "round": round_,
            "query": query,
            "older_print": _other(request, seating_mark(round_, tables)) if round_ else False,
            "found": find_seats(tables, query) if query else [],
            "tables": tables,
        },
    )


@login_not_required
@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings; the table refreshes by itself. Whoever comes from a print that shows other
    ones is told so."""
    if "print" in request.GET and _other(request, standings_mark(public_event(slug))):
        return _with_older_print(request, slug)
    return _standings(request, slug)


@live_page("standings")
def _standings(request: HttpRequest, event: Event) -> HttpResponse:
    return _standings_response(request, event)


@live_page("standings, older print")
def _with_older_print(request: HttpRequest, event: Event) -> HttpResponse:
    return _standings_response(request, event, older_print=True)


def _standings_response(
    request: HttpRequest, event: Event, *, older_print: bool = False
) -> HttpResponse:
    return render(
        request,
        page_or_partial(request, "tournament/public/standings.html", "board"),
        {
            "event": event,
            "standings": standings_for(event),
            "tag": version_tag(event),
            "older_print": older_print,
        },
    )


def _other(request: HttpRequest, mark: str) -> bool:
    """Whether somebody comes by the code of a print that shows something else than is now so."""
    return request.GET.get("print", "") not in ("", mark)
