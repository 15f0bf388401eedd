"""The organiser's list of players: add, edit, and every step of one player."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access import actor_of, organised_event, player_of
from tournament.actions import attendance
from tournament.actions import players as actions
from tournament.forms.players import NewPlayerForm, PlayerForm, WalkInForm
from tournament.links import ticket_url
from tournament.models import Event, Player, Seat
from tournament.models.players import PlayerStatus
from tournament.models.rounds import OPEN_ROUND, Stage
from tournament.models.scoresheets import SheetStatus
from tournament.queries.log import log_of, log_rows
from tournament.queries.names import called
from tournament.queries.penalties import in_short
from tournament.queries.places import reserved_places
from tournament.queries.players import search_players, without_ticket
from tournament.queries.retention import going_of
from tournament.queries.seating_changes import playing_tables
from tournament.queries.tickets import ticket_for
from tournament.refusals import Refused
from tournament.states import PLAYER_STEPS, steps_from
from tournament.web.desk.door import PAGE_SIZE, door_page
from tournament.web.limits import spend_by_account
from tournament.web.responses import (
    asks_for_part,
    carry_out,
    new_submission_key,
    posted_text,
    refusal,
    search_query,
    submission_key,
    unprocessable,
    was_refused,
    with_namesakes,
)


@require_safe
def players(request: HttpRequest, slug: str) -> HttpResponse:
    return _players_page(request, organised_event(request, slug))


def chosen_players(request: HttpRequest, event: Event) -> QuerySet[Player]:
    """Whom the page's search and state ask for, by number."""
    found = search_players(event, search_query(request))
    status = request.GET.get("status", "")
    return found.filter(status=status) if status in PlayerStatus.values else found


def _players_page(request: HttpRequest, event: Event) -> HttpResponse:
    query = search_query(request)
    status = request.GET.get("status", "")
    page = Paginator(chosen_players(request, event), PAGE_SIZE).get_page(request.GET.get("page"))
    return render(
        request,
        "tournament/desk/players.html",
        {
            "event": event,
            "players": page.object_list,
            "page": page,
            "query": query,
            "status": status,
            "statuses": PlayerStatus.choices,
            "total": event.players.exclude(status=PlayerStatus.WITHDRAWN).count(),
            "without_ticket": without_ticket(event).count(),
            "reserved": reserved_places(event),
            "going": going_of(event),
            "key": new_submission_key(),
        },
    )


@require_POST
def mail_tickets(request: HttpRequest, slug: str) -> HttpResponse:
    """The ticket to everybody with an e-mail who was never sent one."""
    event = organised_event(request, slug)
    try:
        spend_by_account(request, "mail", amount=without_ticket(event).count())
        count = actions.mail_tickets(event=event, by=actor_of(request), key=submission_key(request))
    except Refused as refused:
        return refusal(request, refused, lambda: _players_page(request, event))
    words = ngettext(
        "%(count)d ticket is on its way.", "%(count)d tickets are on their way.", count
    )
    messages.success(
        request,
        words % {"count": count} if count else _("Everybody with an e-mail has the ticket."),
    )
    return redirect("players", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest, slug: str) -> HttpResponse:
    event = organised_event(request, slug)
    form = NewPlayerForm(request.POST or None, event=event)
    form.fields["name"].widget.attrs["autofocus"] = True

    def page() -> HttpResponse:
        if was_refused(request, "namesake"):
            form.ask_namesake()
        return render(
            request,
            "tournament/desk/player_add.html",
            {
                "event": event,
                "form": form,
                "key": posted_text(request, "key", 40) or new_submission_key(),
            },
        )

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    entry = form.entry()

    def change() -> Player:
        spend_by_account(request, "mail", amount=bool(entry.email))
        return actions.add_player(
            event=event, entry=entry, by=actor_of(request), key=submission_key(request)
        )

    return carry_out(
        request,
        change,
        then=reverse("player_add" if "another" in request.POST else "players", args=[slug]),
        page=page,
        said=with_namesakes(
            _("%(name)s is in the list.") % {"name": entry.name}, event, entry.name
        ),
        undo=lambda player: reverse("player_move", args=[slug, player.number, "withdraw"]),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One entry: edit it, see its ticket, and what can be done with it now."""
    event = organised_event(request, slug)
    found = player_of(event, number)
    form = PlayerForm(request.POST or None, event=event, player=found)

    def page() -> HttpResponse:
        return _player_page(request, event, found, form)

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.edit_player(player=found, entry=form.entry(), by=actor_of(request)),
        then=reverse("players", args=[slug]),
        page=page,
        said=_saved(event, found, form),
    )


def _saved(event: Event, found: Player, form: PlayerForm) -> str:
    """A new name that somebody else has is no mistake, but nobody should overlook it."""
    said, name = _("Saved."), form.entry().name
    return said if name == found.name else with_namesakes(said, event, name, but=found)


def _player_page(
    request: HttpRequest, event: Event, found: Player, form: PlayerForm
) -> HttpResponse:
    return render(
        request,
        "tournament/desk/player.html",
        {
            "event": event,
            "player": found,
            "form": form,
            "ticket_url": ticket_url(found),
            "ticket": ticket_for(found),
            "moves": _moves_of(found),
            "penalties": [in_short(one) for one in found.penalties.in_force().order_by("pk")],
            "history": log_rows(log_of(event, about=found)[:HISTORY]),
            "asks_namesake": was_refused(request, "namesake"),
        },
    )


@dataclass(frozen=True, slots=True)
class Move:
    """What can be done with a player. `said`: what has happened then; `undo`: the move that takes
    it back."""

    action: Callable[..., Any]
    label: Any
    said: Any = ""
    undo: str = ""


MOVES: dict[str, Move] = {
    "check-in": Move(
        attendance.check_in,
        gettext_lazy("Check in"),
        gettext_lazy("%(name)s is here."),
        "undo-check-in",
    ),
    "undo-check-in": Move(
        attendance.undo_check_in,
        gettext_lazy("Undo check-in"),
        gettext_lazy("%(name)s is as before the door."),
    ),
    "no-show": Move(
        attendance.mark_no_show,
        gettext_lazy("Not here"),
        gettext_lazy("%(name)s is noted as not here."),
        "undo-check-in",
    ),
    "drop": Move(
        attendance.drop, gettext_lazy("Drops out"), gettext_lazy("%(name)s has left."), "come-back"
    ),
    "come-back": Move(
        attendance.come_back, gettext_lazy("Comes back"), gettext_lazy("%(name)s plays on.")
    ),
    "withdraw": Move(
        attendance.withdraw,
        pgettext_lazy("player", "Withdraw"),
        gettext_lazy("%(name)s is not registered any more."),
        "undo-withdraw",
    ),
    "undo-withdraw": Move(
        attendance.undo_withdraw,
        gettext_lazy("Undo the withdrawal"),
        gettext_lazy("%(name)s is registered again."),
    ),
    "guardian": Move(
        actions.note_guardian,
        gettext_lazy("A parent or guardian agrees"),
        gettext_lazy("It is noted that a parent or guardian of %(name)s agrees."),
        "undo-guardian",
    ),
    "undo-guardian": Move(
        actions.take_back_guardian,
        gettext_lazy("They have not agreed"),
        gettext_lazy("No parent or guardian of %(name)s has agreed."),
    ),
    "mail-ticket": Move(
        actions.mail_ticket,
        gettext_lazy("Mail the ticket"),
        gettext_lazy("The ticket is on its way."),
    ),
    "new-ticket": Move(
        actions.new_ticket,
        gettext_lazy("New ticket link"),
        gettext_lazy("The ticket has a new link; the old one is dead."),
    ),
}
MAILING = ("mail-ticket", "new-ticket")
TICKET_IS_OF_USE = (PlayerStatus.WAITING, PlayerStatus.REGISTERED, PlayerStatus.CHECKED_IN)


# What is most likely wanted next in a state; nothing for whoever plays.
NEXT_MOVE = {
    PlayerStatus.WAITING: "check-in",
    PlayerStatus.REGISTERED: "check-in",
    PlayerStatus.NO_SHOW: "check-in",
    PlayerStatus.DROPPED: "come-back",
    PlayerStatus.WITHDRAWN: "undo-withdraw",
}
# Only for whoever has no seat yet, and for whoever has one.
UNSEATED, SEATED = frozenset({"undo-check-in", "withdraw"}), frozenset({"drop"})
HISTORY = 12  # entries of the log; the rest stands there


def _moves_of(player: Player) -> dict[str, list[tuple[str, Any]]]:
    """The buttons that make sense now: the next step, the others, and the ticket's."""
    if player.erased_at is not None:
        return {"next": [], "other": [], "ticket": [], "guardian": []}
    possible = set(steps_from(PLAYER_STEPS, player.status))
    possible -= UNSEATED if player.seats.in_force().exists() else SEATED
    following = NEXT_MOVE.get(PlayerStatus(player.status), "")
    of_ticket = {"new-ticket"}
    if player.email and player.status in TICKET_IS_OF_USE:
        of_ticket.add("mail-ticket")

    def buttons(verbs: Collection[str]) -> list[tuple[str, Any]]:
        return [(verb, one.label) for verb, one in MOVES.items() if verb in verbs]

    return {
        "next": buttons(possible & {following}),
        "other": buttons(possible - {following}),
        "ticket": buttons(of_ticket),
        "guardian": buttons({"guardian" if player.lacks_a_guardian else "undo-guardian"}),
    }


def _seat_in_play(player: Player) -> Seat | None:
    """The player's seat at a table that goes on without them, if they leave now."""
    seats = player.seats.filter(round__status__in=OPEN_ROUND, round__stage=Stage.PRELIMINARY)
    seats = seats.exclude(table__sheet__status=SheetStatus.CONFIRMED)
    return seats.select_related("table__round").first()


def _what_follows(slug: str, player: Player, seat: Seat) -> tuple[str, str]:
    """Where to go on once somebody has left their table, and what is said there."""
    words = {
        "name": called(player),
        "table": seat.table.number,
        "round": seat.table.round.label,
    }
    if seat.table.number not in playing_tables(seat.table.round):
        said = _("%(name)s has left, and sits at table %(table)d of %(round)s. See what follows.")
        return reverse("round_absences", args=[slug, seat.round_id]), said % words
    said = _(
        "%(name)s has left in the middle of the game at table %(table)d. When it ends, hand its "
        "sheet in, with deals missing if need be."
    )
    return reverse("staff_table:sheet", args=[slug, seat.table_id]), said % words


@require_POST
def move(request: HttpRequest, slug: str, number: int, verb: str) -> HttpResponse:
    """One step of one player: check in, drop out, come back… then back to where it was asked."""
    event = organised_event(request, slug)
    found = player_of(event, number)
    if verb not in MOVES:
        raise Http404
    one = MOVES[verb]
    asked_at = request.POST.get("from") or request.GET.get("from")
    then, said = _back_to(request, found, asked_at), one.said % {"name": called(found)}
    if verb == "drop" and (seat := _seat_in_play(found)):
        then, said = _what_follows(slug, found, seat)

    def undo(moved: Player) -> str:
        if (moved.status, moved.guardian_agreed_at) == (found.status, found.guardian_agreed_at):
            return ""  # somebody else had done it already
        # Whoever leaves before being seated has withdrawn.
        withdrew = verb == "drop" and moved.status == PlayerStatus.WITHDRAWN
        back = "undo-withdraw" if withdrew else one.undo
        query = f"?from={asked_at}" if asked_at in ASKED_AT else ""
        return reverse("player_move", args=[slug, number, back]) + query if back else ""

    def page() -> HttpResponse:
        if asked_at == "door" and not was_refused(request, "namesake"):
            return door_page(request, event, WalkInForm(event=event))
        form = PlayerForm(event=event, player=found)
        return _player_page(request, event, player_of(event, number), form)

    # Only whoever withdrew can be asked about: see `attendance.check_in`.
    told = {"namesake": True} if verb == "check-in" and "namesake" in request.POST else {}

    def change() -> Any:
        if verb in MAILING and found.email:
            spend_by_account(request, "mail")
        return one.action(player=found, by=actor_of(request), **told)

    return carry_out(
        request,
        change,
        then=then,
        said=said,
        page=page,
        undo=undo,
    )


ASKED_AT = ("door", "ticket")


def _back_to(request: HttpRequest, player: Player, asked_at: str | None) -> str:
    slug = player.event.slug
    if asked_at == "ticket":
        return reverse("ticket", args=[player.token])
    if asked_at != "door":
        return reverse("player", args=[slug, player.number])
    query = posted_text(request, "q", 60)
    # Where the list alone is exchanged, the search is over once somebody is found.
    if asks_for_part(request) or not query:
        return reverse("door", args=[slug]) + f"#player-{player.number}"
    return reverse("door", args=[slug]) + "?" + urlencode({"q": query})
