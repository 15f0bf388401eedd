"""Results kept together: asked for by the ticket, confirmed by a mailed link, let go again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access import (
    claim_by_link,
    merge_side_by_link,
    person_by_link,
    player_by_link,
)
from tournament.actions import merges as merge_actions
from tournament.actions import persons as actions
from tournament.forms.series import KeepForm, PersonForm
from tournament.models import Merge, Person
from tournament.models.actors import Actor
from tournament.queries.persons import merges_with, person_page, stands_for
from tournament.refusals import Refused
from tournament.web.limits import spend_by_network
from tournament.web.responses import carry_out, posted_text, refusal, unprocessable


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def together(request: HttpRequest, token: str) -> HttpResponse:
    """What it is, and the press that mails the link."""
    player = player_by_link(token)
    form = KeepForm(request.POST or None, initial={"name": player.name_for_others})

    def page() -> HttpResponse:
        return render(
            request,
            "tournament/ticket/together.html",
            {"player": player, "event": player.event, "form": form},
        )

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())

    def change() -> None:
        spend_by_network(request, "own entry", ticket=player.pk)
        actions.ask_to_keep(
            player=player, name=form.cleaned_data["name"], by=Actor.of_player(player)
        )

    return carry_out(
        request,
        change,
        then=reverse("ticket_together", args=[token]),
        page=page,
        said=_("A mail is on its way to %(email)s. Open its link and say yes.")
        % {"email": player.email},
    )


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, token: str) -> HttpResponse:
    """The mailed link: it says what will be, and one press does it."""
    found = claim_by_link(token)

    def page() -> HttpResponse:
        return render(
            request,
            "tournament/ticket/claim.html",
            {"claim": found, "event": found.player.event, "player": found.player},
        )

    if request.method != "POST":
        return page()
    try:
        person = actions.confirm_claim(claim=found, by=Actor.of_player(found.player))
    except Refused as refused:
        return refusal(request, refused, page)
    messages.success(request, _("This result is kept with your others."))
    return redirect("me", person.token)


@login_not_required
@never_cache
@require_safe
def me(request: HttpRequest, token: str) -> HttpResponse:
    """A person's own page."""
    return _me(request, person_by_link(token))


def _me(request: HttpRequest, person: Person, form: PersonForm | None = None) -> HttpResponse:
    initial = {name: getattr(person, name) for name in PersonForm.base_fields}
    whole = stands_for(person)
    return render(
        request,
        "tournament/ticket/me.html",
        {
            "person": person,
            "whole": whole if whole != person else None,
            "page": person_page(person),
            "merges": list(merges_with(person)),
            "form": form or PersonForm(initial=initial),
        },
    )


def _change(
    request: HttpRequest, person: Person, change: Callable[[], Any], said: str = ""
) -> HttpResponse:
    def counted() -> Any:
        spend_by_network(request, "own entry", ticket=person.token)
        return change()

    return carry_out(
        request,
        counted,
        then=reverse("me", args=[person.token]),
        page=lambda: _me(request, person),
        said=said,
    )


@login_not_required
@require_POST
def change(request: HttpRequest, token: str) -> HttpResponse:
    person = person_by_link(token)
    form = PersonForm(request.POST)
    if not form.is_valid():
        return unprocessable(_me(request, person, form))
    return _change(
        request,
        person,
        lambda: actions.change_person(person=person, **form.cleaned_data),
        _("Saved."),
    )


@login_not_required
@require_POST
def let_go(request: HttpRequest, token: str, pk: int) -> HttpResponse:
    person = person_by_link(token)
    link = get_object_or_404(person.links.select_related("person", "player__event"), pk=pk)
    return _change(request, person, lambda: actions.let_go(link=link))


@login_not_required
@require_POST
def leave(request: HttpRequest, token: str) -> HttpResponse:
    person = person_by_link(token)
    said = _("Your results stand apart again, and your address is forgotten.")
    return _change(request, person, lambda: actions.leave(person=person), said)


@login_not_required
@require_POST
def erase(request: HttpRequest, token: str) -> HttpResponse:
    """There is no page of theirs any more: on to the home page."""
    person = person_by_link(token)
    return carry_out(
        request,
        lambda: actions.erase(person=person),
        then=reverse("home"),
        page=lambda: _me(request, person),
        said=_("Your name is erased here. Your results stay, without it."),
    )


@login_not_required
@require_POST
def take_apart(request: HttpRequest, token: str, pk: int) -> HttpResponse:
    """A merge that made them one, or joined them into another."""
    person = person_by_link(token)
    merge: Merge = get_object_or_404(merges_with(person), pk=pk)
    reason = posted_text(request, "reason") or _("at the person's wish")
    return _change(
        request,
        person,
        lambda: merge_actions.take_apart(merge=merge, reason=reason, by=Actor.visitor()),
    )


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def merge_answer(request: HttpRequest, token: str) -> HttpResponse:
    """Whether two entries are one person's, asked by mail."""
    side = merge_side_by_link(token)

    def page() -> HttpResponse:
        found = merge_side_by_link(token)
        others = found.merge.sides.select_related("player__event")
        context = {
            "side": found,
            "merge": found.merge,
            "series": found.merge.series,
            "sides": [
                {
                    "name": one.player.name if one.pk == found.pk else one.player.public_name,
                    "event": one.player.event,
                }
                for one in others
            ],
        }
        return render(request, "tournament/ticket/merge.html", context)

    if request.method != "POST":
        return page()
    agrees = request.POST.get("agrees") == "1"
    try:
        merge_actions.answer_merge(side=side, agrees=agrees, by=Actor.of_player(side.player))
    except Refused as refused:
        return refusal(request, refused, page)
    return redirect("merge_answer", token)
