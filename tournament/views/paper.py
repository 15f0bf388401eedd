"""PDF documents: what was made for this content is served, else a job makes it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from tournament import jobs
from tournament.access import actor_of, public_event, round_of, staff_table, staffed_event
from tournament.documents import prints
from tournament.documents.ask import MOST_LANGUAGES, PAPERS, Ask
from tournament.documents.catalogue import DOCUMENTS
from tournament.documents.standings import standings_pdf
from tournament.forms.sheets import whole
from tournament.models import Event, Round
from tournament.models.rounds import RoundStatus
from tournament.views.jobs import follow

MOST_TABLES = 400


@require_safe
def document(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    """A document of the event: `?round=` (its key), `?tables=3,5`, `?paper=`, `?lang=es,en`."""
    event = staffed_event(request, slug)
    if kind not in DOCUMENTS:
        raise Http404
    number = whole(request.GET.get("round"))
    if DOCUMENTS[kind].of_round != (number is not None):
        raise Http404
    round_ = None if number is None else _printable(round_of(event, number))
    return _serve(request, _ask(request, event, kind, round_))


@require_safe
def round_sheets(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """All scoresheets of a round, a page a table; `?tables=3,5` gives just these."""
    event = staffed_event(request, slug)
    return _serve(request, _ask(request, event, "sheets", _printable(round_of(event, pk))))


@require_safe
def table_sheet(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    event = staffed_event(request, slug)
    table = staff_table(event, pk)
    ask = _ask(request, event, "sheets", _printable(table.round), tables=(table.number,))
    return _serve(request, ask)


@login_not_required
@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    event = public_event(slug)
    return _pdf(standings_pdf(event), f"{event.slug}-standings")


def _printable(round_: Round) -> Round:
    if round_.status == RoundStatus.CANCELLED:
        raise Http404
    return round_


def _ask(
    request: HttpRequest,
    event: Event,
    kind: str,
    round_: Round | None,
    tables: tuple[int, ...] | None = None,
) -> Ask:
    """What the address asks for; what it leaves open is as the event has it. 404 for nonsense."""
    paper = request.GET.get("paper", "a4")
    spoken = [code for code, _ in settings.LANGUAGES]
    languages = tuple(filter(None, request.GET.get("lang", "").split(",")))
    if paper not in PAPERS or not {*languages} <= {*spoken} or len(languages) > MOST_LANGUAGES:
        raise Http404
    if tables is None:
        asked = request.GET.get("tables", "").split(",")
        tables = tuple(sorted({int(raw) for raw in asked if raw.isdecimal()}))[:MOST_TABLES]
    return Ask(event, kind, round_, tables, paper, languages)


def _serve(request: HttpRequest, ask: Ask) -> HttpResponseBase:
    """The file, or on to the job that makes it."""
    if path := prints.kept(ask):
        return _file(path, ask)
    url = f"{request.path}?{urlencode(request.GET.dict())}" if request.GET else request.path
    job = jobs.start(
        event=ask.event,
        kind=prints.KIND,
        key=prints.fingerprint(ask),
        asked=prints.asked_of(ask, url),
        by=actor_of(request),
    )
    path = prints.kept(ask) if job.outcome else None
    return _file(path, ask) if path else follow(job)


def _file(path: Path, ask: Ask) -> FileResponse:
    number = f"-{ask.round.stage}-{ask.round.number}" if ask.round else ""
    return _described(
        FileResponse(path.open("rb"), content_type="application/pdf"),
        f"{ask.event.slug}{number}-{ask.kind}",
    )


def _pdf(content: bytes, name: str) -> HttpResponse:
    return _described(HttpResponse(content, content_type="application/pdf"), name)


def _described[R: HttpResponseBase](response: R, name: str) -> R:
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    response["Cache-Control"] = "private, no-cache"
    return response
