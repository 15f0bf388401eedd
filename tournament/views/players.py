"""The organiser's list of players: add, edit, withdraw, import; and the door."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access import actor_of, organised_event, player_of
from tournament.actions import players as actions
from tournament.forms.players import PlayerForm, WalkInForm
from tournament.forms.spreadsheet import Reading, read_spreadsheet
from tournament.links import ticket_url
from tournament.models import Event, Player
from tournament.models.players import PlayerStatus
from tournament.queries.seats import folded
from tournament.refused import Refused
from tournament.views.base import (
    act,
    key_of,
    new_key,
    part_of,
    query_of,
    refusal,
    text_of,
    unprocessable,
)

PAGE_SIZE = 200


def _search(event: Event, query: str) -> QuerySet[Player]:
    """Players whose name, e-mail or number matches; accents and case do not matter."""
    players = event.players.select_related("contact").order_by("number")
    if not query:
        return players
    if query.isdecimal():
        return players.filter(number=int(query[:9]))
    words = folded(query).split()
    hits = [
        pk
        for pk, name, email in event.players.values_list("pk", "name", "contact__email")
        if all(word in folded(f"{name} {email or ''}") for word in words)
    ]
    return players.filter(pk__in=hits[:500])


@require_safe
def players(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    query = query_of(request)
    status = request.GET.get("status", "")
    found = _search(event, query)
    if status in PlayerStatus.values:
        found = found.filter(status=status)
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    return render(
        request,
        "tournament/organiser/players.html",
        {
            "event": event,
            "players": page.object_list,
            "page": page,
            "query": query,
            "status": status,
            "statuses": PlayerStatus.choices,
            "total": event.players.exclude(status=PlayerStatus.WITHDRAWN).count(),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    form = PlayerForm(request.POST or None, event=event)

    def page() -> HttpResponse:
        return render(
            request,
            "tournament/organiser/player_add.html",
            {"event": event, "form": form, "key": text_of(request, "key", 40) or new_key()},
        )

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return act(
        request,
        lambda: actions.add_player(
            event=event,
            entry=form.entry(),
            by=actor_of(request),
            key=key_of(request),
        ),
        then=reverse("players", args=[slug]),
        page=page,
        said=_("%(name)s is in the list.") % {"name": form.cleaned_data["name"]},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One entry: edit it, see its ticket, and what can be done with it now."""
    event = organised_event(request, slug)
    found = player_of(event, number)
    form = PlayerForm(request.POST or None, event=event, initial=PlayerForm.initial_of(found))

    def page() -> HttpResponse:
        return _player_page(request, event, found, form)

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return act(
        request,
        lambda: actions.edit_player(player=found, entry=form.entry(), by=actor_of(request)),
        then=reverse("players", args=[slug]),
        page=page,
        said=_("Saved."),
    )


def _player_page(
    request: HttpRequest, event: Event, found: Player, form: PlayerForm
) -> HttpResponse:
    return render(
        request,
        "tournament/organiser/player.html",
        {
            "event": event,
            "player": found,
            "form": form,
            "ticket_url": ticket_url(found),
            "verbs": [
                (verb, label)
                for verb, (_a, label, states) in VERBS.items()
                if found.status in states
            ],
        },
    )


S = PlayerStatus

# What can be done with a player: the action, the button, the states in which it is offered.
VERBS: dict[str, tuple[Any, Any, tuple[str, ...]]] = {
    "check-in": (
        actions.check_in,
        gettext_lazy("Check in"),
        (S.REGISTERED, S.NO_SHOW, S.WAITING, S.WITHDRAWN),
    ),
    "undo-check-in": (
        actions.undo_check_in,
        gettext_lazy("Undo check-in"),
        (S.CHECKED_IN, S.NO_SHOW),
    ),
    "no-show": (actions.mark_no_show, gettext_lazy("Not here"), (S.REGISTERED,)),
    "drop": (actions.drop, gettext_lazy("Drops out"), (S.CHECKED_IN,)),
    "come-back": (actions.come_back, gettext_lazy("Comes back"), (S.DROPPED,)),
    "withdraw": (
        actions.withdraw,
        pgettext_lazy("player", "Withdraw"),
        (S.WAITING, S.REGISTERED, S.CHECKED_IN, S.NO_SHOW),
    ),
    "new-ticket": (actions.new_ticket, gettext_lazy("New ticket link"), tuple(S.values)),
}


@require_POST
def move(request: HttpRequest, slug: str, number: int, verb: str) -> HttpResponse:
    """One step of one player: check in, drop out, come back… then back to where it was asked."""
    event = organised_event(request, slug)
    found = player_of(event, number)
    if verb not in VERBS:
        raise Http404
    action = VERBS[verb][0]
    at_door = request.POST.get("from") == "door"
    query = text_of(request, "q", 60)
    back = reverse("door", args=[slug]) if at_door else reverse("player", args=[slug, number])
    if at_door and query:
        back += "?" + urlencode({"q": query})
    return act(
        request,
        lambda: action(player=found, by=actor_of(request)),
        then=back + (f"#player-{number}" if at_door else ""),
        page=lambda: (
            _door_page(request, event, WalkInForm(event=event))
            if at_door
            else _player_page(
                request,
                event,
                player_of(event, number),
                PlayerForm(event=event, initial=PlayerForm.initial_of(found)),
            )
        ),
    )


@require_safe
def door(request: HttpRequest, slug: str) -> HttpResponse:
    """Check-in: big rows, search while typing, undo, walk-ins."""
    event = organised_event(request, slug)
    return _door_page(request, event, WalkInForm(event=event))


def _door_page(request: HttpRequest, event: Event, form: WalkInForm) -> HttpResponse:
    query = query_of(request) or text_of(request, "q", 60)
    shown = _search(event, query).filter(~Q(status__in=(S.WITHDRAWN, S.DISQUALIFIED)))
    page = Paginator(shown, PAGE_SIZE).get_page(request.GET.get("page"))
    here = event.players.filter(status=S.CHECKED_IN).count()
    return render(
        request,
        part_of(request, "tournament/organiser/door.html", "list"),
        {
            "event": event,
            "players": page.object_list,
            "page": page,
            "query": query,
            "form": form,
            "key": new_key(),
            "here": here,
            "expected": here + event.players.filter(status=S.REGISTERED).count(),
        },
    )


@require_POST
def walk_in(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    form = WalkInForm(request.POST, event=event)
    if not form.is_valid():
        return unprocessable(_door_page(request, event, form))
    entry = actions.Entry(
        name=form.cleaned_data["name"],
        age_confirmed=form.cleaned_data.get("age_confirmed", False),
    )
    return act(
        request,
        lambda: actions.add_player(
            event=event,
            entry=entry,
            by=actor_of(request),
            walk_in=True,
            key=key_of(request),
        ),
        then=reverse("door", args=[slug]),
        page=lambda: _door_page(request, event, form),
        said=_("%(name)s is checked in.") % {"name": entry.name},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def import_players(request: HttpRequest, slug: str) -> HttpResponse:
    """A preview first, with errors by row and column; then all of it or nothing."""
    event = organised_event(request, slug)
    if request.method != "POST":
        return _import_page(request, event)
    if "confirmed" in request.POST:
        return _carry_out_import(request, event)
    upload = request.FILES.get("file")
    if upload is None:
        return unprocessable(_import_page(request, event, problem=_("Choose a file.")))
    try:
        reading = read_spreadsheet(upload.name or "", upload.read(), event)
    except ValidationError as error:
        return unprocessable(_import_page(request, event, problem=error.messages[0]))
    response = _import_page(request, event, reading=reading)
    return unprocessable(response) if reading.problems else response


def _import_page(
    request: HttpRequest, event: Event, *, reading: Reading | None = None, problem: str = ""
) -> HttpResponse:
    packed = ""
    if reading is not None and not reading.problems and reading.new:
        packed = signing.dumps(
            [_packed(row.entry) for row in reading.new], salt=f"import-{event.pk}", compress=True
        )
    return render(
        request,
        "tournament/organiser/import.html",
        {
            "event": event,
            "reading": reading,
            "problem": problem,
            "packed": packed,
            "key": new_key(),
        },
    )


def _packed(entry: actions.Entry) -> list[Any]:
    return [
        entry.name,
        entry.email,
        entry.phone,
        entry.name_style,
        entry.alias,
        entry.age_confirmed,
        entry.note,
    ]


def _carry_out_import(request: HttpRequest, event: Event) -> HttpResponse:
    """What was previewed travels signed in the page, so nothing is half-imported or swapped."""
    try:
        rows = signing.loads(
            request.POST["confirmed"], salt=f"import-{event.pk}", max_age=24 * 3600
        )
    except signing.BadSignature:
        return unprocessable(
            _import_page(
                request, event, problem=_("The preview is too old. Choose the file again.")
            )
        )
    entries = [actions.Entry(*row) for row in rows]
    try:
        count = actions.import_players(
            event=event,
            entries=entries,
            by=actor_of(request),
            key=key_of(request),
        )
    except Refused as refused:
        return refusal(request, refused, lambda: _import_page(request, event))
    words = ngettext(
        "%(count)d player is in the list.", "%(count)d players are in the list.", count
    )
    messages.success(request, words % {"count": count})
    return redirect("players", event.slug)
