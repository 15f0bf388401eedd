"""A correction of what counts already is shown with all it does, before it is carried out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.actions.consequences import carry_out_noted, consequences_of
from tournament.models import Event, Scoresheet
from tournament.models.actors import Actor
from tournament.queries.consequences import Consequences
from tournament.refusals import Refused
from tournament.web.responses import NOT_SENT_ON, carry_out, refusal


@dataclass(frozen=True, slots=True)
class Foresight:
    """A change, and what it would do. `seen`: it has been read as it is now."""

    event: Event
    change: Callable[[], Any]
    found: Consequences
    seen: bool
    counting: Scoresheet | None = None

    @property
    def must_be_read(self) -> bool:
        return self.found.matter and not self.seen

    def page(self, request: HttpRequest) -> HttpResponse:
        """What it does, with the press that does it: everything sent is sent on."""
        sent = [
            (name, value)
            for name, values in request.POST.lists()
            if name not in NOT_SENT_ON
            for value in values
        ]
        context = {
            "event": self.event,
            "found": self.found,
            "sent": sent,
            "reason": request.POST.get("reason", ""),
            "back": request.headers.get("Referer", ""),
        }
        return render(request, "tournament/desk/foresight.html", context)

    def carry_out(self, by: Actor) -> Any:
        return carry_out_noted(self.event, self.change, self.found, by, counting=self.counting)


def foresee(
    request: HttpRequest,
    event: Event,
    change: Callable[[], Any],
    *,
    counting: Scoresheet | None = None,
) -> Foresight:
    """Raises Refused as the change does. `counting`: see `consequences_of`."""
    found = consequences_of(event, change, counting=counting)
    return Foresight(event, change, found, request.POST.get("seen") == found.digest, counting)


def carry_out_foreseen(
    request: HttpRequest,
    event: Event,
    change: Callable[[], Any],
    *,
    by: Actor,
    page: Callable[[], HttpResponse],
    counts: bool = True,
    **then: Any,
) -> HttpResponse:
    """As `carry_out`, once what the change does has been read. `counts`: whether it can touch what
    counts already."""
    if not counts:
        return carry_out(request, change, page=page, **then)
    try:
        foresight = foresee(request, event, change)
    except Refused as refused:
        return refusal(request, refused, page)
    if foresight.must_be_read:
        return foresight.page(request)
    return carry_out(request, lambda: foresight.carry_out(by), page=page, **then)
