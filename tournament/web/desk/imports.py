"""Importing a list of entries: a preview first, then all of it or nothing."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib import messages
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournament.access import actor_of, organised_event
from tournament.actions import players as actions
from tournament.forms.spreadsheet import MAX_BYTES, Reading, read_pasted, read_spreadsheet
from tournament.models import Event
from tournament.refusals import Refused
from tournament.web.limits import spend_by_account
from tournament.web.responses import new_submission_key, refusal, submission_key, unprocessable


@require_http_methods(["GET", "HEAD", "POST"])
def import_players(request: HttpRequest, slug: str) -> HttpResponse:
    """A preview first, with errors by row and column; then all of it or nothing."""
    event = organised_event(request, slug)
    if request.method != "POST":
        return _import_page(request, event)
    if "confirmed" in request.POST:
        return _carry_out_import(request, event)
    spend_by_account(request, "upload")
    upload, pasted = request.FILES.get("file"), request.POST.get("pasted", "").strip()
    minors = event.admits_minors and "minors" in request.POST
    try:
        if upload is not None:
            reading = read_spreadsheet(
                upload.name or "", upload.read(MAX_BYTES + 1), event, minors=minors
            )
        elif pasted:
            reading = read_pasted(pasted, event, minors=minors)
        else:
            raise ValidationError(_("Paste names, or choose a file."))
    except ValidationError as error:
        return unprocessable(_import_page(request, event, problem=error.messages[0]))
    response = _import_page(request, event, reading=reading)
    return unprocessable(response) if reading.problems else response


def _import_page(
    request: HttpRequest, event: Event, *, reading: Reading | None = None, problem: str = ""
) -> HttpResponse:
    packed = ""
    if reading is not None and not reading.problems and (reading.new or reading.askable):
        # Row 0 is taken without asking.
        rows = [
            [row.number if row.duplicate else 0, _packed(row.entry)]
            for row in reading.rows
            if not row.problems
        ]
        packed = signing.dumps(rows, salt=f"import-rows-{event.pk}", compress=True)
    return render(
        request,
        "tournament/desk/import.html",
        {
            "event": event,
            "reading": reading,
            "problem": problem,
            "pasted": request.POST.get("pasted", ""),
            "minors": "minors" in request.POST,
            "packed": packed,
            "key": new_submission_key(),
        },
    )


PACKED = (
    "name",
    "email",
    "phone",
    "name_style",
    "alias",
    "age_confirmed",
    "note",
    "minor",
    "guardian",
    "guardian_contact",
    "guardian_agrees",
)


def _packed(entry: actions.PlayerEntry) -> list[Any]:
    return [getattr(entry, name) for name in PACKED]


def _chosen(rows: list[Any], also: Collection[str]) -> list[actions.PlayerEntry]:
    """Everybody new, and who was ticked as another person of the same name."""
    return [
        # Previews of an older version have fewer.
        actions.PlayerEntry(**dict(zip(PACKED, fields, strict=False)), namesake=row > 0)
        for row, fields in rows
        if not row or str(row) in also
    ]


def _carry_out_import(request: HttpRequest, event: Event) -> HttpResponse:
    """What was previewed travels signed in the page, so nothing is half-imported or swapped."""
    try:
        rows = signing.loads(
            request.POST["confirmed"], salt=f"import-rows-{event.pk}", max_age=24 * 3600
        )
    except signing.BadSignature:
        return unprocessable(
            _import_page(
                request, event, problem=_("The preview is too old. Choose the file again.")
            )
        )
    entries = _chosen(rows, also=set(request.POST.getlist("also")))
    if not entries:
        nobody = _("Nobody was new, and nobody was ticked as another person: nothing to import.")
        return unprocessable(_import_page(request, event, problem=nobody))
    try:
        count = actions.import_players(
            event=event,
            entries=entries,
            by=actor_of(request),
            key=submission_key(request),
        )
    except Refused as refused:
        return refusal(request, refused, lambda: _import_page(request, event))
    words = ngettext(
        "%(count)d player is in the list.", "%(count)d players are in the list.", count
    )
    messages.success(request, words % {"count": count})
    if mailable := sum(bool(entry.email) for entry in entries):
        words = ngettext(
            "%(count)d of them has an e-mail: mail the ticket from here.",
            "%(count)d of them have an e-mail: mail their tickets from here.",
            mailable,
        )
        messages.info(request, words % {"count": mailable})
    return redirect("players", event.slug)
