"""A PDF that was made and kept, as an answer."""

from __future__ import annotations

from django.http import FileResponse

from tournament.documents.request import DocumentRequest
from tournament.documents.store import Print


def pdf_response(found: Print, wanted: DocumentRequest) -> FileResponse:
    """The file, to be shown in the browser under a name that says what it is."""
    round_ = f"-{wanted.round.stage}-{wanted.round.number}" if wanted.round else ""
    response = FileResponse(found.open(), content_type="application/pdf")
    name = f"{wanted.event.slug}{round_}-{wanted.kind}.pdf"
    response["Content-Disposition"] = f'inline; filename="{name}"'
    response["Cache-Control"] = "private, no-cache"
    return response
