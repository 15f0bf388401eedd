"""Pages for everybody: the home page, an event, its rules, seats and standings."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring.editions import EDITIONS
from tournament.access import public_event, user_of, visible_event
from tournament.forms.fields import parse_int
from tournament.models import Event
from tournament.models.events import EventStatus, FinalSeats
from tournament.policies import can_organise
from tournament.queries.boxes import misfits
from tournament.queries.document_facts import rules_mark, seating_mark, standings_mark
from tournament.queries.edition_rules import rule_sections, set_up_rows
from tournament.queries.place_courses import number_words
from tournament.queries.places import promises_to
from tournament.queries.registration import places_left, registration_open
from tournament.queries.rules import (
    amendments,
    departures,
    displayed_rules,
    governing_words,
    order_words,
    public_lots,
    seating_words,
    semi_final_words,
    time_words,
    visibility_words,
    who_comes,
)
from tournament.queries.rulings import rulings_mark
from tournament.queries.seats import current_round, find_seats, table_rows
from tournament.queries.series import shown_series_of
from tournament.queries.visibility import public_standings
from tournament.spelling import BROWSER_LETTERS
from tournament.web.live.pages import live_page
from tournament.web.live.parts import pages_of, shown_part
from tournament.web.responses import (
    search_query,
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
def archive(request: HttpRequest) -> HttpResponse:
    """Every event that is over, the latest first."""
    over = Event.objects.filter(status=EventStatus.FINISHED).order_by("-starts_at", "-pk")
    page = Paginator(over, 50).get_page(request.GET.get("page"))
    return render(request, "tournament/public/archive.html", {"page": page})


@login_not_required
@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    """The event: when and where, how to register, and what is going on."""
    shown = visible_event(request, slug)
    public = public_standings(shown) if shown.status == EventStatus.FINISHED else None
    return render(
        request,
        "tournament/public/event.html",
        {
            "event": shown,
            "open": registration_open(shown),
            "places_left": places_left(shown),
            "sponsors": shown.sponsors.all(),
            "round": current_round(shown),
            "standings": public.board if public is not None and public.is_current else None,
            "semi_final": who_comes(displayed_rules(shown)),
            "promised": shown.prizes_listed.in_force(),
            "places": [
                {"promise": one, "numbers": number_words(one)}
                for one in shown.places_promised.in_force()
            ],
            "places_here": promises_to(shown, agreed=True),
            "series": shown_series_of(shown),
        },
    )


def _edition(ruleset: str) -> dict[str, object]:
    """What a club's edition has in place of a tournament's numbers."""
    if ruleset not in EDITIONS:
        return {}
    return {"set_up": set_up_rows(ruleset), "sections": rule_sections(ruleset)}


@login_not_required
@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules in force, with the lots' commitments and, once drawn, their proofs."""
    shown = visible_event(request, slug)
    in_force, public = displayed_rules(shown), public_standings(shown)
    return render(
        request,
        "tournament/public/rules.html",
        {
            "event": shown,
            "older_print": _other(request, rules_mark(in_force, rulings_mark(shown))),
            "misfits": misfits(shown) if can_organise(user_of(request), shown) else (),
            "governing": governing_words(shown),
            "rulings": shown_part(shown, "rulings"),
            "rules": in_force,
            "seating": seating_words(in_force),
            "semi_final": semi_final_words(in_force),
            "order": order_words(in_force),
            **_edition(in_force["ruleset"]),
            "time": time_words(in_force),
            "final_seats": FinalSeats(in_force["final_seats"]).label,
            "departures": departures(shown),
            "visibility": visibility_words(in_force),
            "lots": [
                lot
                for lot in public_lots(shown)
                if lot.is_raffle or public.shows_lot(lot.players, lot.place)
            ],
            "amendments": amendments(shown),
        },
    )


@login_not_required
@require_safe
def seats(request: HttpRequest, slug: str) -> HttpResponse:
    """Find one's table by a few letters of a name, or look at all tables. The tables follow the
    rounds by themselves."""
    if "q" in request.GET or "print" in request.GET:
        return _found_seats(request, public_event(slug))
    return _all_seats(request, slug)


@live_page("seats")
def _all_seats(request: HttpRequest, event: Event) -> HttpResponse:
    return render(
        request,
        "tournament/public/seats.html",
        {"event": event, "board": shown_part(event, "seats"), "letters": BROWSER_LETTERS},
    )


def _found_seats(request: HttpRequest, event: Event) -> HttpResponse:
    """For a name that was typed, or for whoever comes by the code of a print."""
    round_ = current_round(event)
    query = search_query(request)
    tables = table_rows(round_) if round_ else ()
    return render(
        request,
        "tournament/public/seats.html",
        {
            "event": event,
            "letters": BROWSER_LETTERS,
            "board": shown_part(event, "seats"),
            "round": round_,
            "query": query,
            "older_print": _other(request, seating_mark(round_, tables)) if round_ else False,
            "found": find_seats(tables, query) if query else [],
        },
    )


@login_not_required
@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings as everybody may see them; the table refreshes by itself. Whoever comes from a
    print that shows other ones is told so."""
    page = parse_int(request.GET.get("page"), 1)
    if page > 1:
        shown = public_event(slug)
        page = min(page, pages_of(shown))
        part = f"standings-{page}" if page > 1 else "standings"
        return _standings_response(request, shown, part=part)
    if "print" in request.GET and _from_older_print(request, public_event(slug)):
        return _with_older_print(request, slug)
    return _standings(request, slug)


def _from_older_print(request: HttpRequest, event: Event) -> bool:
    """While something is withheld, a print of the staff's may be newer than the page."""
    public = public_standings(event)
    return public.all_shown and _other(request, standings_mark(public.board))


@live_page("standings")
def _standings(request: HttpRequest, event: Event) -> HttpResponse:
    return _standings_response(request, event)


@live_page("standings, older print")
def _with_older_print(request: HttpRequest, event: Event) -> HttpResponse:
    return _standings_response(request, event, older_print=True)


def _standings_response(
    request: HttpRequest, event: Event, *, part: str = "standings", older_print: bool = False
) -> HttpResponse:
    public = public_standings(event)
    return render(
        request,
        "tournament/public/standings.html",
        {
            "event": event,
            "part": part,
            "board": shown_part(event, part),
            "standings": public.board,
            "public": public,
            "older_print": older_print,
        },
    )


def _other(request: HttpRequest, mark: str) -> bool:
    """Whether somebody comes by the code of a print that shows something else than is now so."""
    return request.GET.get("print", "") not in ("", mark)
