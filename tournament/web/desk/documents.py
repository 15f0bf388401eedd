"""PDF documents: what was made for this content is served, else a job makes it."""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from tournament import jobs
from tournament.access import actor_of, round_of, staff_table, staffed_event
from tournament.actions.seats import note_printed
from tournament.documents import store
from tournament.documents.catalogue import DOCUMENTS, documents_for
from tournament.documents.request import MOST_LANGUAGES, PAPER_SIZES, DocumentRequest
from tournament.documents.store import Print
from tournament.forms.fields import parse_int, parse_ints
from tournament.models import Event, Round
from tournament.models.rounds import RoundStatus
from tournament.web.desk.jobs import follow
from tournament.web.limits import spend_by_account
from tournament.web.pdf import pdf_response

MOST_TABLES = 400
WITH_SHEETS = ("sheets", "pack")  # kinds of documents that hold scoresheets


@require_safe
def document(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    """A document of the event: `?round=` (its key), `?tables=3,5`, `?paper=`, `?lang=es,en`."""
    event = staffed_event(request, slug)
    if kind not in documents_for(event):
        raise Http404
    number = parse_int(request.GET.get("round")) or None
    if DOCUMENTS[kind].of_round != (number is not None):
        raise Http404
    round_ = None if number is None else _printable(round_of(event, number))
    return _serve(request, _wanted(request, event, kind, round_))


@require_safe
def round_sheets(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """All scoresheets of a round, a page a table; `?tables=3,5` gives just these."""
    event = staffed_event(request, slug)
    return _serve(request, _wanted(request, event, "sheets", _printable(round_of(event, pk))))


@require_safe
def table_sheet(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    event = staffed_event(request, slug)
    table = staff_table(event, pk)
    wanted = _wanted(request, event, "sheets", _printable(table.round), tables=(table.number,))
    return _serve(request, wanted)


def _printable(round_: Round) -> Round:
    if round_.status == RoundStatus.CANCELLED:
        raise Http404
    return round_


def _wanted(
    request: HttpRequest,
    event: Event,
    kind: str,
    round_: Round | None,
    tables: tuple[int, ...] | None = None,
) -> DocumentRequest:
    """What the address asks for; what it leaves open is as the event has it. 404 for nonsense."""
    paper = request.GET.get("paper") or DOCUMENTS[kind].paper_for(event)
    spoken = [code for code, _ in settings.LANGUAGES]
    asked_in = request.GET.get("lang") or event.print_languages
    languages = tuple(filter(None, asked_in.split(",")))
    if paper not in PAPER_SIZES or not {*languages} <= {*spoken} or len(languages) > MOST_LANGUAGES:
        raise Http404
    if tables is None:
        tables = tuple(sorted(set(parse_ints(request.GET.get("tables")))))[:MOST_TABLES]
    return DocumentRequest(event, kind, round_, tables, paper, languages)


def _serve(request: HttpRequest, wanted: DocumentRequest) -> HttpResponseBase:
    """The file, or on to the job that makes it."""
    asked = request.GET.dict()
    made = asked.pop("made", "")
    if found := store.find(wanted) or store.find_recent(wanted, made):
        return _file(request, found, wanted)
    url = f"{request.path}?{urlencode(asked)}" if asked else request.path
    spend_by_account(request, "job")
    job = jobs.start(
        event=wanted.event,
        kind=store.KIND,
        dedupe_key=store.fingerprint(wanted),
        payload=store.payload_of(wanted, url),
        by=actor_of(request),
    )
    found = store.find(wanted) if job.result else None
    return _file(request, found, wanted) if found else follow(job)


def _file(request: HttpRequest, found: Print, wanted: DocumentRequest) -> HttpResponseBase:
    if request.method == "GET" and wanted.round is not None and wanted.kind in WITH_SHEETS:
        note_printed(wanted.round, wanted.tables)
    return pdf_response(found, wanted)
