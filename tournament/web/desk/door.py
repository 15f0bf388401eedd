"""The door: check-in, undo, walk-ins, people who leave and come back."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access import actor_of, organised_event
from tournament.actions import attendance
from tournament.actions import players as actions
from tournament.forms.fields import parse_ints
from tournament.forms.players import WalkInForm
from tournament.models import Event, Seat
from tournament.models.players import PlayerStatus
from tournament.queries.absences import round_to_join, unseated
from tournament.queries.players import by_name, search_players
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    page_or_partial,
    posted_text,
    search_query,
    submission_key,
    unprocessable,
    was_refused,
    with_namesakes,
)

PAGE_SIZE = 200
TOGETHER = "checked_in_together"  # in the session: event -> start numbers, of the last time


@require_safe
def door(request: HttpRequest, slug: str) -> HttpResponse:
    """Check-in: big rows, search while typing, undo, walk-ins."""
    event = organised_event(request, slug)
    # Of many children who come together each is one.
    form = WalkInForm(event=event, initial={"minor": "minor" in request.GET})
    # After one walk-in the next one is typed at once.
    form.fields["name"].widget.attrs["autofocus"] = "added" in request.GET
    return door_page(request, event, form)


def door_page(request: HttpRequest, event: Event, form: WalkInForm) -> HttpResponse:
    query = search_query(request) or posted_text(request, "q", 60)
    if was_refused(request, "namesake"):
        form.ask_namesake()
    gone = (PlayerStatus.WITHDRAWN, PlayerStatus.DISQUALIFIED)
    shown = search_players(event, query).exclude(status__in=gone)
    page = Paginator(by_name(shown), PAGE_SIZE).get_page(request.GET.get("page"))
    players = shown.in_bulk(page.object_list)
    here, expected = event.players.here().count(), event.players.expected().count()
    joinable = round_to_join(event)
    return render(
        request,
        page_or_partial(request, "tournament/desk/door.html", "list"),
        {
            "event": event,
            "players": [players[pk] for pk in page.object_list],
            "page": page,
            "query": query,
            "form": form,
            "key": new_submission_key(),
            "joinable": joinable,
            "unseated": [one.number for one in unseated(event, joinable)] if joinable else [],
            "here": here,
            "all": here + expected,
            "added": "added" in request.GET or was_refused(request, "namesake"),
            "expected": expected,
            "seated": frozenset(
                Seat.objects.in_force()
                .filter(round__event=event)
                .values_list("player_id", flat=True)
            ),
        },
    )


@require_POST
def walk_in(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    form = WalkInForm(request.POST, event=event)
    if not form.is_valid():
        return unprocessable(door_page(request, event, form))
    entry = form.entry()
    return carry_out(
        request,
        lambda: actions.add_player(
            event=event,
            entry=entry,
            by=actor_of(request),
            walk_in=True,
            key=submission_key(request),
        ),
        then=reverse("door", args=[slug]) + ("?added=1&minor=1" if entry.minor else "?added=1"),
        page=lambda: door_page(request, event, form),
        said=with_namesakes(_("%(name)s is checked in.") % {"name": entry.name}, event, entry.name),
        undo=lambda player: (
            reverse("player_move", args=[slug, player.number, "withdraw"]) + "?from=door"
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def everybody(request: HttpRequest, slug: str) -> HttpResponse:
    """All who are expected are here but those who are ticked: one press instead of one each."""
    event = organised_event(request, slug)

    def page() -> HttpResponse:
        expected = event.players.expected()
        order = by_name(expected)
        players = expected.in_bulk(order)
        context = {
            "event": event,
            "players": [players[pk] for pk in order],
            "missing": parse_ints(",".join(request.POST.getlist("missing"))),
            "key": new_submission_key(),
        }
        return render(request, "tournament/desk/everybody.html", context)

    if request.method != "POST":
        return page()
    # Whoever registered after the page was shown was not asked about.
    seen, missing = (
        frozenset(parse_ints(",".join(request.POST.getlist(name)))) for name in ("seen", "missing")
    )

    def change() -> tuple[int, ...]:
        found = attendance.check_in_all(
            event=event,
            numbers=seen - missing,
            by=actor_of(request),
            key=submission_key(request),
        )
        if found:
            request.session[TOGETHER] = request.session.get(TOGETHER, {}) | {str(event.pk): found}
        return found

    def said(found: tuple[int, ...]) -> str:
        words = ngettext("%(count)d player is here.", "%(count)d players are here.", len(found))
        return words % {"count": len(found)} if found else _("They were checked in already.")

    return carry_out(
        request,
        change,
        then=reverse("door", args=[slug]),
        page=page,
        said=said,
        undo=lambda found: reverse("door_everybody_undo", args=[slug]) if found else "",
    )


@require_POST
def undo_everybody(request: HttpRequest, slug: str) -> HttpResponse:
    """Takes back the last time that everybody was checked in together by this person."""
    event = organised_event(request, slug)
    together = request.session.get(TOGETHER, {})
    numbers = frozenset(together.get(str(event.pk), ()))

    def change() -> None:
        attendance.undo_check_in_all(event=event, numbers=numbers, by=actor_of(request))
        request.session[TOGETHER] = {key: together[key] for key in together if key != str(event.pk)}

    return carry_out(
        request,
        change,
        then=reverse("door", args=[slug]),
        page=lambda: door_page(request, event, WalkInForm(event=event)),
        said=_("They are expected again."),
    )
