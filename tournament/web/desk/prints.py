"""The page of prints: documents chosen by looking at them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from tournament.access import actor_of, organised_event, staffed_event, user_of
from tournament.actions.events import change_settings
from tournament.documents.catalogue import ShownPicture, documents_for, picture_for
from tournament.documents.layout.letters import lacking
from tournament.forms.fields import parse_int
from tournament.forms.printing import PrintForm
from tournament.models import Event, Round
from tournament.models.players import PlayerStatus
from tournament.policies import can_organise
from tournament.web.responses import carry_out, unprocessable

SHELVES = (
    ("before", gettext_lazy("Before the day")),
    ("round", gettext_lazy("For a round")),
    ("after", gettext_lazy("After")),
)


@dataclass(frozen=True, slots=True)
class DocumentOffer:
    """A document to choose: its picture is the first page of a demonstration's."""

    kind: str
    title: Any
    about: Any
    url: str
    shown: ShownPicture

    @property
    def wide(self) -> bool:
        return self.shown.wide

    @property
    def picture(self) -> str:
        return f"img/docs/{self.shown.name}.webp"


@require_http_methods(["GET", "HEAD", "POST"])
def prints(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that can be printed; an organiser also says on what paper and in what words."""
    post = request.method == "POST"
    event = organised_event(request, slug) if post else staffed_event(request, slug)
    form = PrintForm.of(event, request.POST if post else None)

    def page() -> HttpResponse:
        return _page(request, event, form)

    if not post:
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: change_settings(event=event, settings=form.settings(), by=actor_of(request)),
        then=reverse("prints", args=[slug]),
        page=page,
        said=_("The settings are saved."),
    )


def _page(request: HttpRequest, event: Event, form: PrintForm) -> HttpResponse:
    rounds = list(event.rounds.in_force())
    chosen = _chosen(request, rounds)
    return render(
        request,
        "tournament/desk/prints.html",
        {
            "event": event,
            "form": form,
            "organiser": can_organise(user_of(request), event),
            "rounds": rounds,
            "chosen": chosen,
            "unprintable": _unprintable(event),
            "shelves": [(when, title, _offers(event, when, chosen)) for when, title in SHELVES],
        },
    )


def _unprintable(event: Event) -> list[str]:
    """People whose names hold letters for which there is no font here."""
    people = event.players.exclude(status=PlayerStatus.WITHDRAWN)
    known = people.values_list("number", "name", "alias")
    return [f"{number} {name}" for number, name, alias in known if lacking(name + alias)]


def _chosen(request: HttpRequest, rounds: list[Round]) -> Round | None:
    """The round that was asked for, else the last one drawn."""
    if "round" not in request.GET:
        return rounds[-1] if rounds else None
    pk = parse_int(request.GET["round"])
    found = next((one for one in rounds if one.pk == pk), None)
    if found is None:
        raise Http404
    return found


def _offers(event: Event, when: str, chosen: Round | None) -> list[DocumentOffer]:
    asked = f"?round={chosen.pk}" if when == "round" and chosen else ""
    return [
        DocumentOffer(
            kind,
            document.title,
            document.about,
            reverse("document", args=[event.slug, kind]) + asked,
            picture_for(event, kind),
        )
        for kind, document in documents_for(event).items()
        if document.when == when and (asked or not document.of_round)
    ]
