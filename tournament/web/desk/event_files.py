"""The event as files, and events that come as files."""

from __future__ import annotations

import tempfile

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from tournament import jobs
from tournament.access import actor_of, organised_event
from tournament.actions import event_import as actions
from tournament.documents import packet as packets
from tournament.documents.event_archive import write_archive
from tournament.forms.event_file import MOST_UPLOADED, TOO_LARGE, EventFileForm, opened
from tournament.forms.fields import parse_int, refused_unread
from tournament.models.events import EventStatus
from tournament.queries.event_file.public import public_file
from tournament.queries.event_file.values import canonical
from tournament.refusals import Refused
from tournament.web.desk.jobs import follow
from tournament.web.limits import makes_events, spend_by_account
from tournament.web.responses import tell, unprocessable

_AROUND = 64 * 1024  # bytes of a form around its file


@require_safe
def export(request: HttpRequest, slug: str) -> HttpResponse:
    """What everybody may know, as a file that `python -m scoring standings` reads."""
    event = organised_event(request, slug)
    response = HttpResponse(canonical(public_file(event)), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{event.slug}.json"'
    return response


@require_safe
def archive(request: HttpRequest, slug: str) -> FileResponse:
    """Everything, to be imported at another place."""
    event = organised_event(request, slug)
    # On the disk: the photos of a large event are more than a worker should hold.
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the answer
    write_archive(event, file)
    file.seek(0)
    return FileResponse(
        file, as_attachment=True, filename=f"{event.slug}.zip", content_type="application/zip"
    )


@require_safe
def packet(request: HttpRequest, slug: str) -> HttpResponseBase:
    """What the publisher and the next level get: what was made, or on to the job that makes it."""
    event = organised_event(request, slug)
    if event.status != EventStatus.FINISHED:
        messages.error(request, packets.too_early().message)
        return redirect("event_desk", slug)
    name = packets.fingerprint(event)
    if found := packets.find(event, name):
        file = f"{event.slug}-packet.zip"
        return FileResponse(found.open(), as_attachment=True, filename=file)
    spend_by_account(request, "job")
    job = jobs.start(
        event=event,
        kind=packets.KIND,
        dedupe_key=name,
        payload={"url": request.path},
        by=actor_of(request),
    )
    return follow(job)


@csrf_exempt  # its token is checked once its size is known
@require_http_methods(["GET", "HEAD", "POST"])
@makes_events
def import_event(request: HttpRequest) -> HttpResponse:
    """What is too large is turned away before its body is read: the check of the token reads it, so
    that check comes afterwards."""
    if request.method != "POST":
        return _page(request, EventFileForm())
    if parse_int(request.META.get("CONTENT_LENGTH")) > MOST_UPLOADED + _AROUND:
        response = _page(request, refused_unread(EventFileForm({}), "file", TOO_LARGE))
        response.status_code = 413
        return response
    return _take_in(request)


@csrf_protect
def _take_in(request: HttpRequest) -> HttpResponse:
    form = EventFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return unprocessable(_page(request, form))
    given = form.cleaned_data
    try:
        with opened(given["file"]) as parts:
            event = actions.import_event(parts=parts, by=actor_of(request), slug=given["slug"])
    except Refused as refused:
        form.add_error("slug" if refused.code == "slug" else "file", refused.message)
        return unprocessable(_page(request, form))
    tell(request, event, _("The event is here, and its standings are those of the file."))
    return redirect("event_desk", event.slug)


def _page(request: HttpRequest, form: EventFileForm) -> HttpResponse:
    return render(request, "tournament/desk/import_event.html", {"form": form})
