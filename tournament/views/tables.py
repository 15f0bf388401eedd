"""The staff's side of a sheet: the same pages, and what only they may do."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access import actor_of, organised_event, photo_of, staff_table, staffed_event
from tournament.actions import rounds as round_actions
from tournament.actions.sheets import void_deal
from tournament.documents.codes import qr_svg
from tournament.forms.sheets import VoidForm, whole
from tournament.links import table_url
from tournament.models import Table
from tournament.queries.log import history_of_sheet
from tournament.views import photos, sheetpages, typed
from tournament.views.base import act, key_of, unprocessable
from tournament.views.sheetpages import Place


def _open(request: HttpRequest, slug: str, pk: int) -> tuple[Table, Place]:
    event = staffed_event(request, slug)
    table = staff_table(event, pk)
    return table, Place(actor_of(request), "staff_", (slug, pk), _for_staff)


def _for_staff(table: Table) -> dict[str, object]:
    """The table's link and what happened to its sheet."""
    link = table_url(table.token)
    return {"link": link, "qr": qr_svg(link), "history": history_of_sheet(table.sheet)}


@never_cache
@require_safe
def table(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    found, place = _open(request, slug, pk)
    return sheetpages.show(request, found, place)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def deal(request: HttpRequest, slug: str, pk: int, number: int) -> HttpResponse:
    found, place = _open(request, slug, pk)
    return sheetpages.deal(request, found, number, place)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def points(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    found, place = _open(request, slug, pk)
    return typed.points(request, found, place)


@require_POST
def submit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    found, place = _open(request, slug, pk)
    return sheetpages.submit(request, found, place)


@require_POST
def confirm(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    found, place = _open(request, slug, pk)
    return sheetpages.confirm(request, found, place, place.actor)


@require_POST
def reopen(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    found, place = _open(request, slug, pk)
    return sheetpages.reopen(request, found, place, place.actor)


@require_POST
def void(request: HttpRequest, slug: str, pk: int, number: int) -> HttpResponse:
    """A judge voids a deal."""
    found, place = _open(request, slug, pk)
    form = VoidForm(request.POST)
    if not form.is_valid():
        return unprocessable(sheetpages.show(request, found, place, void_form=form))
    return act(
        request,
        lambda: void_deal(
            sheet=found.sheet,
            number=number,
            replay=form.cleaned_data["replay"],
            reason=form.cleaned_data["reason"],
            version=whole(request.POST.get("version"), -1),
            by=place.actor,
            key=key_of(request),
        ),
        then=place.url("table"),
        page=lambda: sheetpages.show(request, staff_table(found.round.event, pk), place),
        said=_("Done. The log keeps what stood there."),
    )


@require_POST
def new_link(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    organised_event(request, slug)
    found, place = _open(request, slug, pk)
    return act(
        request,
        lambda: round_actions.new_table_link(table=found, by=place.actor),
        then=place.url("table"),
        page=lambda: sheetpages.show(request, found, place),
        said=_("The table has a new link. Print its sheet again."),
    )


@csrf_exempt  # its token is checked once its size is known
@require_POST
def add_photo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    found, place = _open(request, slug, pk)
    return photos.add(request, found, place)


@require_safe
def photo(request: HttpRequest, slug: str, pk: int, photo: int) -> HttpResponseBase:
    found, _place = _open(request, slug, pk)
    return photos.serve(found, photo_of(found, photo, removed=True))


@require_POST
def remove_photo(request: HttpRequest, slug: str, pk: int, photo: int) -> HttpResponse:
    found, place = _open(request, slug, pk)
    return photos.remove(request, found, photo_of(found, photo, removed=True), place)
