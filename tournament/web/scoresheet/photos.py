"""Photos of signed sheets, for the table's link and for the staff."""

from __future__ import annotations

from hashlib import sha256

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from tournament.access import photo_of
from tournament.actions import photos as actions
from tournament.forms.fields import parse_int
from tournament.forms.photos import MESSAGES, PhotoForm
from tournament.images import MOST_BYTES
from tournament.limits import TooOften
from tournament.queries.photos import has_room
from tournament.web.limits import spend_by_network
from tournament.web.responses import carry_out, posted_text, submission_key, too_often
from tournament.web.scoresheet.context import SheetContext, sheet_page
from tournament.web.scoresheet.sheet import sheet_response

_AROUND = 64 * 1024  # bytes of a form around its file


@csrf_exempt  # its token is checked once its size is known
@sheet_page
@require_POST
def add_photo(request: HttpRequest, context: SheetContext) -> HttpResponse:
    """Attach a photo. What is too large is turned away before its body is read: the check of the
    token reads it, so that check comes afterwards."""
    if parse_int(request.META.get("CONTENT_LENGTH")) > MOST_BYTES + _AROUND:
        return _problem(request, context, str(MESSAGES["large"]), status=413)
    return _add(request, context)


@csrf_protect
def _add(request: HttpRequest, context: SheetContext) -> HttpResponse:
    if not has_room(context.table.sheet):  # before the work is done; the action looks again
        return _problem(request, context, _("This sheet has no room for more photos."))
    try:
        spend_by_network(request, "photo", link=context.table.pk)
    except TooOften as refused:
        return too_often(_problem(request, context, refused.message), refused)
    form = PhotoForm(request.POST, request.FILES)
    if not form.is_valid():
        error = form.errors.as_data()["photo"][0]
        status = 413 if error.code == "large" else 422
        return _problem(request, context, str(error.message), status=status)
    photo = form.cleaned_data["photo"]
    # Another photo sent from the same page is another submission.
    key = submission_key(request)
    key = key and sha256(key.encode() + photo.jpeg).hexdigest()[:40]
    return carry_out(
        request,
        lambda: actions.attach_photo(
            sheet=context.table.sheet, photo=photo, by=context.actor, key=key
        ),
        then=context.url("sheet") + "#photos",
        page=lambda: sheet_response(request, context),
        said=_("The photo is kept with the sheet."),
    )


def _problem(
    request: HttpRequest, context: SheetContext, message: str, *, status: int = 422
) -> HttpResponse:
    response = sheet_response(request, context, photo_problem=message)
    response.status_code = status
    return response


@sheet_page
@require_POST
def remove_photo(request: HttpRequest, context: SheetContext, pk: int) -> HttpResponse:
    photo = photo_of(context.table, pk, removed=True)
    return carry_out(
        request,
        lambda: actions.remove_photo(
            photo=photo,
            reason=posted_text(request, "reason"),
            by=context.actor,
            key=submission_key(request),
        ),
        then=context.url("sheet") + "#photos",
        page=lambda: sheet_response(request, context),
        said=_("The photo is removed. The log keeps the reason."),
    )


@sheet_page
@require_safe
def photo(request: HttpRequest, context: SheetContext, pk: int) -> FileResponse:
    """The file itself: always a JPEG that we made, never for everybody."""
    found = photo_of(context.table, pk, removed=context.staff)
    try:
        file = found.image.open()
    except FileNotFoundError:
        raise Http404 from None
    response = FileResponse(file, content_type="image/jpeg")
    name = f"table-{context.table.number}-{found.pk}.jpg"
    response["Content-Disposition"] = f'inline; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, max-age=600"
    return response
