"""A player's own link: seat, results deal by deal, own penalties."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.access import player_by_link
from tournament.actions.attendance import withdraw
from tournament.actions.registration import correct_email, keep_name, name_guardian
from tournament.actions.scoresheets import confirm_sheet
from tournament.documents.layout.codes import qr_svg
from tournament.forms.fields import parse_int
from tournament.forms.players import EmailForm, GuardianForm
from tournament.links import ticket_url
from tournament.models import Player
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus
from tournament.models.versions import Part
from tournament.policies import can_organise, links_live
from tournament.queries.places import own_place
from tournament.queries.ticket_notices import ordinal
from tournament.queries.tickets import Ticket, ticket_for
from tournament.states import PLAYER_STEPS, steps_from
from tournament.web.limits import spend_by_network
from tournament.web.live.parts import follows
from tournament.web.public.pictures import own_ranks
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    page_or_partial,
    submission_key,
    unprocessable,
)


@login_not_required
@never_cache
@require_safe
def ticket(request: HttpRequest, token: str) -> HttpResponse:
    """The player's page; what happens to them appears by itself."""
    return _page(request, player_by_link(token))


def _at_door(request: HttpRequest, player: Player) -> dict[str, bool] | None:
    """For an organiser who scans the ticket; None for everybody else."""
    if not can_organise(request.user, player.event):  # type: ignore[arg-type]
        return None
    live = player.event.status != EventStatus.FINISHED
    return {"may_check_in": live and "check-in" in steps_from(PLAYER_STEPS, player.status)}


def _page(
    request: HttpRequest,
    player: Player,
    email_form: EmailForm | None = None,
    guardian_form: GuardianForm | None = None,
) -> HttpResponse:
    # First: what changes while the page is made is asked for by it.
    seen = follows(player.event, Part.SEATS, Part.SHEETS, Part.NOTICES, ranks=True)
    ticket = ticket_for(player)
    return render(
        request,
        page_or_partial(request, "tournament/ticket/ticket.html", "live"),
        {
            "ticket": ticket,
            "why": _why(ticket),
            "own_ranks": own_ranks(player.event, player.number) if ticket.row else None,
            "player": player,
            "event": player.event,
            "qr": partial(qr_svg, ticket_url(player)),  # for the whole page alone
            "key": new_submission_key(),
            "live": links_live(player.event),
            "to_come": player.event.status == EventStatus.REGISTRATION,
            "at_door": _at_door(request, player),
            # Offered once it is over; before, nobody has one by this event.
            "place": None if links_live(player.event) else own_place(player, timezone.now()),
            "email_form": email_form or EmailForm(initial={"email": player.email}),
            "guardian_form": guardian_form or _guardian_form(player),
            "follows": seen,
        },
    )


def _guardian_form(player: Player) -> GuardianForm | None:
    """Who answers for somebody under 18; None for everybody else, and once the event is over."""
    live = player.event.status != EventStatus.FINISHED and player.status != PlayerStatus.WITHDRAWN
    return GuardianForm(player=player) if player.minor and live else None


def _why(ticket: Ticket) -> str:
    """The words of the link to what parts the player from their neighbours."""
    if ticket.row is None:
        return ""
    return _("Why am I %(rank)s?") % {"rank": ordinal(ticket.row.rank)}


@login_not_required
@require_POST
def withdraw_self(request: HttpRequest, token: str) -> HttpResponse:
    """A person cancels: the place goes to the next on the waiting list."""
    player = player_by_link(token)

    def change() -> None:
        spend_by_network(request, "own entry", ticket=player.pk)
        withdraw(player=player, by=Actor.of_player(player))

    return carry_out(
        request,
        change,
        then=reverse("ticket", args=[token]),
        page=lambda: _page(request, player_by_link(token)),
        said=_("You are no longer registered. Thank you for telling us."),
    )


@login_not_required
@require_POST
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """A player confirms the sheet of the table they sit at."""
    player = player_by_link(token)
    if not links_live(player.event):
        raise Http404
    found = ticket_for(player)
    if found.sheet is None:
        return redirect("ticket", token)
    sheet = found.sheet.sheet

    def change() -> None:
        spend_by_network(request, "own entry", ticket=player.pk)
        confirm_sheet(
            sheet=sheet,
            version=parse_int(request.POST.get("version"), -1),
            by=Actor.of_player(player),
            key=submission_key(request),
        )

    return carry_out(
        request,
        change,
        then=reverse("ticket", args=[token]),
        page=lambda: _page(request, player_by_link(token)),
        said=_("The sheet is confirmed and counts in the standings."),
    )


@login_not_required
@require_POST
def keep_own_name(request: HttpRequest, token: str) -> HttpResponse:
    """A person says whether their name stays in the results for good."""
    player, keeps = player_by_link(token), "keeps" in request.POST

    def change() -> None:
        spend_by_network(request, "own entry", ticket=player.pk)
        keep_name(player=player, keeps=keeps, by=Actor.of_player(player))

    return carry_out(
        request,
        change,
        then=reverse("ticket", args=[token]),
        page=lambda: _page(request, player_by_link(token)),
        said=_("Your name stays in the results.")
        if keeps
        else _("Your name goes when its time has come."),
    )


@login_not_required
@require_POST
def email(request: HttpRequest, token: str) -> HttpResponse:
    """A person mistyped the address: the ticket goes to the right one."""
    player = player_by_link(token)
    form = EmailForm(request.POST)
    if not form.is_valid():
        return unprocessable(_page(request, player, form))

    def change() -> None:
        spend_by_network(request, "own entry", ticket=player.pk)
        correct_email(player=player, email=form.cleaned_data["email"], by=Actor.of_player(player))

    return carry_out(
        request,
        change,
        then=reverse("ticket", args=[token]),
        page=lambda: _page(request, player_by_link(token), form),
        said=_("The ticket is on its way to %(email)s.") % form.cleaned_data,
    )


@login_not_required
@require_POST
def guardian(request: HttpRequest, token: str) -> HttpResponse:
    """A parent or guardian says who they are, and agrees where nobody has yet."""
    player = player_by_link(token)
    form = GuardianForm(request.POST, player=player)
    if not form.is_valid():
        return unprocessable(_page(request, player, guardian_form=form))
    said = form.cleaned_data

    def change() -> None:
        spend_by_network(request, "own entry", ticket=player.pk)
        name_guardian(
            player=player,
            guardian=said["guardian"],
            contact=said["guardian_contact"],
            agrees=False if said.get("takes_back") else said.get("guardian_agrees"),
            by=Actor.of_player(player),
        )

    return carry_out(
        request,
        change,
        then=reverse("ticket", args=[token]),
        page=lambda: _page(request, player_by_link(token)),
        said=_("Thank you: the organiser sees it."),
    )
