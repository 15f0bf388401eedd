"""The judge's notebook: who, what, which step, and why."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access import actor_of, penalty_of, player_of, staffed_event
from tournament.actions import penalties as actions
from tournament.forms.fields import parse_int
from tournament.forms.penalties import PenaltyForm
from tournament.labels import infraction_name
from tournament.models import Event, Player
from tournament.models.penalties import PenaltyStep
from tournament.policies import can_organise
from tournament.queries.names import called
from tournament.queries.penalties import in_short, notebook_for, so_far
from tournament.queries.players import search_players
from tournament.queries.seats import current_round, table_rows
from tournament.web.foresight import carry_out_foreseen
from tournament.web.responses import (
    new_submission_key,
    posted_text,
    search_query,
    submission_key,
    unprocessable,
)


@require_safe
def notebook(request: HttpRequest, slug: str) -> HttpResponse:
    """A table by its number, a search for a player, and the log of penalties."""
    return _notebook(request, staffed_event(request, slug))


def _notebook(request: HttpRequest, event: Event) -> HttpResponse:
    query = search_query(request)
    penalties = [
        {"penalty": one, "infraction": infraction_name(one.infraction)}
        for one in event.penalties.select_related("player", "judge", "withdrawn_by")[:200]
    ]
    round_ = current_round(event)
    tables = list(round_.tables.order_by("number")) if round_ else []
    at_table = parse_int(request.GET.get("table"))
    chosen = next((one for one in tables if one.number == at_table), None)
    return render(
        request,
        "tournament/judge/notebook.html",
        {
            "event": event,
            "query": query,
            "found": search_players(event, query)[:20] if query else [],
            "penalties": penalties,
            "round": round_,
            "tables": tables,
            "table": table_rows(round_, only=chosen)[0] if round_ and chosen else None,
            "so_far": so_far(event),
            "organiser": can_organise(request.user, event),  # type: ignore[arg-type]
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
def penalty(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One player's notebook page: history, and a new penalty. `?infraction=2.1` is chosen already:
    who came late is a fact, what it costs is the judge's word."""
    event = staffed_event(request, slug)
    player = player_of(event, number)
    book = notebook_for(player)
    initial = {"deal": book.default_deal, "infraction": request.GET.get("infraction", "")}
    form = PenaltyForm(request.POST or None, event=event, deals=book.deals, initial=initial)

    def page() -> HttpResponse:
        form_code = form["infraction"].value()
        return render(
            request,
            "tournament/judge/penalty.html",
            {
                "event": event,
                "organiser": can_organise(request.user, event),  # type: ignore[arg-type]
                "player": player,
                "book": book,
                # What is chosen already stands first: on a phone the rest is far below.
                "choices": sorted(book.choices, key=lambda one: one.code != form_code),
                "history": [
                    {"penalty": one, "infraction": infraction_name(one.infraction)}
                    for one in book.history
                ],
                "so_far": [in_short(one) for one in book.history if one.active],
                "form": form,
                "key": posted_text(request, "key", 40) or new_submission_key(),
            },
        )

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    data = form.cleaned_data
    by = actor_of(request)
    return carry_out_foreseen(
        request,
        event,
        lambda: actions.give_penalty(
            player=player,
            infraction=data["infraction"],
            step=data["step"],
            reason=data["reason"],
            deal=form.deal_ref(),
            inquiry=form.inquiry(),
            by=by,
            key=submission_key(request),
        ),
        by=by,
        counts=data["step"] >= PenaltyStep.DEAL_LOSS,
        then=reverse("notebook", args=[slug]) + (f"?table={book.table}" if book.table else ""),
        page=page,
        undo=lambda given: reverse("penalty_withdraw", args=[slug, given.pk]),
        said=_said(player, data["step"], dict(book.deals).get(data.get("deal") or "", "")),
    )


def _said(player: Player, step: int, deal: str) -> str:
    """What was recorded, with the deal that it costs."""
    words = {"step": PenaltyStep(step).label, "name": called(player), "deal": deal}
    if step < PenaltyStep.DEAL_LOSS:
        return _("Recorded: %(step)s for %(name)s. They see it on their ticket.") % words
    return _("Recorded: %(step)s for %(name)s: %(deal)s. They see it on their ticket.") % words


@require_POST
def withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = staffed_event(request, slug)
    found = penalty_of(event, pk)
    by = actor_of(request)
    return carry_out_foreseen(
        request,
        event,
        lambda: actions.withdraw_penalty(
            penalty=found, reason=posted_text(request, "reason"), by=by
        ),
        by=by,
        counts=found.step >= PenaltyStep.DEAL_LOSS,
        then=reverse("notebook", args=[slug]),
        page=lambda: _notebook(request, event),
        said=_("The penalty is withdrawn. It stays in the log without effect."),
    )
