"""The table's own link: whoever sits there enters the deals, a second person confirms."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access import photo_of, table_by_link
from tournament.actor import Actor
from tournament.forms.sheets import whole
from tournament.models import Table
from tournament.queries.paper import is_older_print
from tournament.views import photos, sheetpages, typed
from tournament.views.sheetpages import Place


def _place(table: Table) -> Place:
    dealer = table.seats.select_related("player").get(position=1).player
    return Place(Actor.at_table(table, dealer), "dealer_", (table.token,))


def _person(request: HttpRequest, table: Table, fallback: Actor) -> Actor:
    """The person of this table who was named on the page; else whoever holds the phone."""
    position = whole(request.POST.get("person"))
    seat = table.seats.select_related("player").filter(position=position).first()
    return Actor.at_table(table, seat.player) if seat is not None else fallback


@login_not_required
@never_cache
@require_safe
def table(request: HttpRequest, token: str) -> HttpResponse:
    """The sheet as it stands; `?print=` from a printed code tells whether the print is older."""
    found = table_by_link(token)
    mark = request.GET.get("print", "")
    older = bool(mark) and is_older_print(found, mark)
    return sheetpages.show(request, found, _place(found), older_print=older)


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def deal(request: HttpRequest, token: str, number: int) -> HttpResponse:
    found = table_by_link(token)
    return sheetpages.deal(request, found, number, _place(found))


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def points(request: HttpRequest, token: str) -> HttpResponse:
    found = table_by_link(token)
    return typed.points(request, found, _place(found))


@login_not_required
@require_POST
def submit(request: HttpRequest, token: str) -> HttpResponse:
    found = table_by_link(token)
    return sheetpages.submit(request, found, _place(found))


@login_not_required
@require_POST
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    found = table_by_link(token)
    place = _place(found)
    return sheetpages.confirm(request, found, place, _person(request, found, place.actor))


@login_not_required
@require_POST
def reopen(request: HttpRequest, token: str) -> HttpResponse:
    found = table_by_link(token)
    place = _place(found)
    return sheetpages.reopen(request, found, place, _person(request, found, place.actor))


@csrf_exempt  # its token is checked once its size is known
@login_not_required
@require_POST
def add_photo(request: HttpRequest, token: str) -> HttpResponse:
    found = table_by_link(token)
    return photos.add(request, found, _place(found))


@login_not_required
@require_safe
def photo(request: HttpRequest, token: str, pk: int) -> HttpResponseBase:
    found = table_by_link(token)
    return photos.serve(found, photo_of(found, pk))
