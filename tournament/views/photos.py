"""Photos of signed sheets, for the table's link and for the staff."""

from __future__ import annotations

from hashlib import sha256

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect

from tournament.actions.photos import attach_photo, remove_photo
from tournament.forms.photos import MESSAGES, read_photo
from tournament.forms.sheets import whole
from tournament.models import SheetPhoto, Table
from tournament.pictures import MOST_BYTES, NotAPhoto
from tournament.queries.photos import file_of, has_room
from tournament.views import sheetpages
from tournament.views.base import act, key_of, text_of
from tournament.views.sheetpages import Place

_AROUND = 64 * 1024  # bytes of a form around its file


def add(request: HttpRequest, table: Table, place: Place) -> HttpResponse:
    """Attach a photo. What is too large is turned away before its body is read: so the views that
    come here are exempt from the check of the token, which is made afterwards."""
    if whole(request.META.get("CONTENT_LENGTH")) > MOST_BYTES + _AROUND:
        return _problem(request, table, place, "large")
    return _add(request, table, place)


@csrf_protect
def _add(request: HttpRequest, table: Table, place: Place) -> HttpResponse:
    if not has_room(table.sheet):  # before the work is done; the action looks again
        return _problem(request, table, place, "full")
    try:
        photo = read_photo(request.FILES.get("photo"))
    except NotAPhoto as error:
        return _problem(request, table, place, error.code)
    # Another photo sent from the same page is another submission.
    key = key_of(request)
    key = key and sha256(key.encode() + photo.jpeg).hexdigest()[:40]
    return act(
        request,
        lambda: attach_photo(sheet=table.sheet, photo=photo, by=place.actor, key=key),
        then=place.url("table") + "#photos",
        page=lambda: sheetpages.show(request, table, place),
        said=_("The photo is kept with the sheet."),
    )


def _problem(request: HttpRequest, table: Table, place: Place, code: str) -> HttpResponse:
    words = _("This sheet has no room for more photos.") if code == "full" else str(MESSAGES[code])
    response = sheetpages.show(request, table, place, photo_problem=words)
    response.status_code = 413 if code == "large" else 422
    return response


def remove(request: HttpRequest, table: Table, photo: SheetPhoto, place: Place) -> HttpResponse:
    return act(
        request,
        lambda: remove_photo(
            photo=photo, reason=text_of(request, "reason"), by=place.actor, key=key_of(request)
        ),
        then=place.url("table") + "#photos",
        page=lambda: sheetpages.show(request, table, place),
        said=_("The photo is removed. The log keeps the reason."),
    )


def serve(table: Table, photo: SheetPhoto) -> FileResponse:
    """The file itself: always a JPEG that we made, never for everybody."""
    path = file_of(photo, table.round.event_id)
    if not path.exists():
        raise Http404
    response = FileResponse(path.open("rb"), content_type="image/jpeg")
    response["Content-Disposition"] = f'inline; filename="table-{table.number}-{photo.pk}.jpg"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, max-age=600"
    return response
