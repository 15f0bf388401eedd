"""PDF documents."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.access import public_event, round_of, staff_table, staffed_event
from tournament.documents.sheets import MAX_SHEETS, sheets_pdf
from tournament.documents.standings import standings_pdf
from tournament.forms.sheets import whole
from tournament.models import Round
from tournament.models.rounds import RoundStatus
from tournament.queries.paper import paper_sheets


def _pdf(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    response["Cache-Control"] = "private, no-cache"
    return response


def _printable(round_: Round) -> Round:
    if round_.status == RoundStatus.CANCELLED:
        raise Http404
    return round_


@require_safe
def round_sheets(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """All scoresheets of a round, a page a table; `?from=101` continues a very large round,
    `?tables=3,5` gives just these."""
    event = staffed_event(request, slug)
    round_ = _printable(round_of(event, pk))
    first = whole(request.GET.get("from"), 1)
    asked = [int(raw) for raw in request.GET.get("tables", "").split(",") if raw.isdecimal()]
    sheets = paper_sheets(round_, first=first, count=MAX_SHEETS, only=asked[:MAX_SHEETS])
    if not sheets:
        raise Http404
    return _pdf(sheets_pdf(sheets), f"{event.slug}-{round_.stage}-{round_.number}-{first}")


@require_safe
def table_sheet(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = staffed_event(request, slug)
    table = staff_table(event, pk)
    round_ = _printable(table.round)
    sheets = paper_sheets(round_, first=table.number, count=1)
    return _pdf(sheets_pdf(sheets), f"{event.slug}-{round_.number}-table-{table.number}")


@login_not_required
@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    event = public_event(slug)
    return _pdf(standings_pdf(event), f"{event.slug}-standings")
