"""The pages of one sheet, the same for the table's link and for the staff.

`Desk` says who acts and where the pages live; `dealer.py` and `tables.py` make one each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.roles import Role
from tournament.actions import sheets as actions
from tournament.actor import Actor
from tournament.forms.sheets import (
    NOBODY,
    DealInput,
    OptionalReasonForm,
    read_deal,
    whole,
)
from tournament.models import Table
from tournament.pictures import MOST_BYTES
from tournament.queries.photos import MOST, photos_of
from tournament.queries.sheets import DealView, SheetView, sheet_view
from tournament.refused import Conflict, Refused
from tournament.views.base import act, key_of, new_key, refusal, text_of, unprocessable
from tournament.wording import WINNERS


@dataclass(frozen=True, slots=True)
class Place:
    """Whose pages these are: the dealer's at a table, or the staff's."""

    actor: Actor
    prefix: str
    args: tuple[object, ...]
    for_staff: Callable[[Table], dict[str, object]] | None = None  # what only they see

    @property
    def staff(self) -> bool:
        return self.for_staff is not None

    def url(self, name: str, *more: object) -> str:
        return reverse(f"{self.prefix}{name}", args=[*self.args, *more])


def show(request: HttpRequest, table: Table, place: Place, **more: object) -> HttpResponse:
    """The sheet: what to shuffle, the deals, and the one next step."""
    view = sheet_view(table)
    context = {
        "view": view,
        "event": view.event,
        "place": place,
        "urls": urls_of(place, view),
        "key": new_key(),
        "reason_form": OptionalReasonForm(),
        **photos_at(place, view),
    }
    if place.for_staff is not None:
        context |= place.for_staff(table)
    return render(request, "tournament/dealer/table.html", context | more)


def photos_at(place: Place, view: SheetView) -> dict[str, object]:
    """The sheet's photos with their addresses at this place, and whether there is room."""
    found = photos_of(view.sheet, removed=place.staff)
    kept = [photo for photo in found if photo.removed_at is None]
    return {
        "photos": [(photo, place.url("photo", photo.pk)) for photo in kept],
        "removed_photos": [(one, place.url("photo", one.pk)) for one in found if one.removed_at],
        "photo_room": len(kept) < MOST,
        "photo_most": MOST_BYTES,
        "photo_url": place.url("add_photo"),
    }


def urls_of(place: Place, view: SheetView) -> dict[str, str]:
    """Where the sheet's pages and buttons lead at this place."""
    names = ("table", "points", "submit", "confirm", "reopen")
    urls = {name: place.url(name) for name in names}
    if view.next_number:
        urls["next"] = place.url("deal", view.next_number)
    return urls


def deal(request: HttpRequest, table: Table, number: int, place: Place) -> HttpResponse:
    """Enter or correct one deal."""
    view = sheet_view(table)
    if not 1 <= number <= len(view.deals):
        raise Http404
    if request.method != "POST":
        return _deal_page(request, view, number, place, _stored(view.deal(number), view))
    seats = len(view.seats)
    typed = read_deal(request.POST, seats)
    typed.key = new_key()
    entry = typed.entry(seats)
    if entry is None:
        return unprocessable(_deal_page(request, view, number, place, typed))
    try:
        actions.save_deal(
            sheet=view.sheet,
            number=number,
            entry=entry,
            version=typed.version,
            by=place.actor,
            key=key_of(request),
        )
    except Refused as refused:
        return _refused_deal(request, table, number, place, typed, refused)
    messages.success(request, _saved(sheet_view(table).deal(number)))
    return redirect(place.url("table"))


def _saved(deal: DealView) -> str:
    words = str(WINNERS.get(str(deal.winner), "")) if deal.winner else ""
    return _("Deal %(number)d is saved. %(winner)s") % {"number": deal.number, "winner": words}


def _refused_deal(
    request: HttpRequest,
    table: Table,
    number: int,
    place: Place,
    typed: DealInput,
    refused: Refused,
) -> HttpResponse:
    """What was typed stays; in a conflict the page shows what stands there now beside it."""
    table.refresh_from_db()
    table.sheet.refresh_from_db()
    view = sheet_view(table)
    for seat in refused.seats:
        typed.errors.setdefault(seat, _("Look at this seat."))
    conflict = isinstance(refused, Conflict)
    if not conflict:
        typed.problem = refused.message
        return unprocessable(_deal_page(request, view, number, place, typed))
    return refusal(
        request, refused, lambda: _deal_page(request, view, number, place, typed, conflict=True)
    )


def _stored(deal: DealView, view: SheetView) -> DealInput:
    """The form as it opens: what is stored, or every seat a miner."""
    typed = DealInput(
        roles={seat.position: Role.MINER.value for seat in view.seats},
        version=view.sheet.version,
        key=new_key(),
    )
    if deal.entered and not deal.typed and deal.lines and deal.lines[0].role:
        typed.connector = str(deal.connector) if deal.connector else NOBODY
        typed.roles = {line.position: str(line.role) for line in deal.lines}
    return typed


def _deal_page(
    request: HttpRequest,
    view: SheetView,
    number: int,
    place: Place,
    typed: DealInput,
    *,
    conflict: bool = False,
) -> HttpResponse:
    stored = view.deal(number)
    rows = [
        {
            "seat": seat,
            "role": typed.roles.get(seat.position, Role.MINER.value),
            "error": typed.errors.get(seat.position, ""),
            "picked": typed.connector == str(seat.position),
            "lost": seat.position in view.losses.get(number, ()),
        }
        for seat in view.seats
    ]
    return render(
        request,
        "tournament/dealer/deal.html",
        {
            "view": view,
            "event": view.event,
            "place": place,
            "urls": urls_of(place, view),
            "number": number,
            "stored": stored,
            "typed": typed,
            "rows": rows,
            "nobody": typed.connector == NOBODY,
            "version": view.sheet.version,
            "conflict": conflict,
        },
    )


def submit(request: HttpRequest, table: Table, place: Place) -> HttpResponse:
    return act(
        request,
        lambda: actions.submit_sheet(
            sheet=table.sheet,
            by=place.actor,
            short_reason=text_of(request, "reason"),
            key=key_of(request),
        ),
        then=place.url("table"),
        page=lambda: _again(request, table, place),
    )


def confirm(request: HttpRequest, table: Table, place: Place, by: Actor) -> HttpResponse:
    return act(
        request,
        lambda: actions.confirm_sheet(
            sheet=table.sheet,
            version=whole(request.POST.get("version"), -1),
            by=by,
            signed=place.staff and bool(request.POST.get("signed")),
            key=key_of(request),
        ),
        then=place.url("table"),
        page=lambda: _again(request, table, place),
        said=_("The sheet is confirmed and counts in the standings."),
    )


def reopen(request: HttpRequest, table: Table, place: Place, by: Actor) -> HttpResponse:
    return act(
        request,
        lambda: actions.reopen_sheet(
            sheet=table.sheet,
            reason=text_of(request, "reason"),
            by=by,
            key=key_of(request),
        ),
        then=place.url("table"),
        page=lambda: _again(request, table, place),
        said=_("The sheet is open again."),
    )


def _again(request: HttpRequest, table: Table, place: Place) -> HttpResponse:
    table.sheet.refresh_from_db()
    return show(request, table, place)
