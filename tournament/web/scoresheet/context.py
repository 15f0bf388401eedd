"""One table's sheet for whoever opened it: by the table's link, or as one of the staff.

The pages of a sheet stand in the site map twice (`urls.py`, `staff_urls.py`), with the same views.
What differs is who acts, and that is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from tournament.access import EventOver, actor_of, staff_table, staffed_event, table_by_link
from tournament.models import Table
from tournament.models.actors import Actor
from tournament.web.live.parts import ShownPart, shown_part
from tournament.web.responses import to_login

type SheetView = Callable[..., HttpResponseBase]


@dataclass(frozen=True, slots=True)
class SheetContext:
    """The table, who acts, and the part of the address that says so."""

    table: Table
    actor: Actor
    staff: bool
    address: Mapping[str, object]

    def url(self, name: str, **more: object) -> str:
        """Another page of the same sheet, for the same people."""
        namespace = "staff_table" if self.staff else "table_link"
        return reverse(f"{namespace}:{name}", kwargs={**self.address, **more})

    @property
    def rulings(self) -> ShownPart:
        """Those of the event, at the foot of each page."""
        return shown_part(self.table.round.event, "rulings")

    @property
    def ruling_count(self) -> ShownPart:
        """How many of them hold."""
        return shown_part(self.table.round.event, "rulingcount")


def sheet_page(view: SheetView) -> SheetView:
    """Give the view a `SheetContext` instead of the address; 404 for whoever may not open it."""

    @login_not_required  # the link is the key; the staff's half asks for the login itself
    @wraps(view)
    def page(request: HttpRequest, **parts: Any) -> HttpResponseBase:
        if "token" in parts:
            try:
                context = by_link(parts.pop("token"))
            except EventOver as over:
                told = {"event": over.event}
                return render(request, "tournament/scoresheet/over.html", told, status=410)
            return view(request, context, **parts)
        if not request.user.is_authenticated:
            return to_login(request)
        return _for_staff(request, **parts)

    def _for_staff(
        request: HttpRequest, *, slug: str, table: int, **parts: Any
    ) -> HttpResponseBase:
        found = staff_table(staffed_event(request, slug), table)
        address = {"slug": slug, "table": table}
        context = SheetContext(found, actor_of(request), staff=True, address=address)
        return view(request, context, **parts)

    return page


def by_link(token: str) -> SheetContext:
    """Whoever holds the phone acts as the table's dealer until somebody else is named."""
    table = table_by_link(token)
    dealer = table.seats.select_related("player").get(position=1).player
    return SheetContext(table, Actor.at_table(table, dealer), staff=False, address={"token": token})
