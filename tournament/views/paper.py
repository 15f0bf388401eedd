"""PDF documents: what was made for this content is served, else a job makes it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import FileResponse, Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament import jobs
from tournament.access import actor_of, public_event, round_of, staff_table, staffed_event
from tournament.actor import Actor
from tournament.documents import prints
from tournament.documents.ask import MOST_LANGUAGES, PAPERS, Ask, paper_for
from tournament.documents.catalogue import DOCUMENTS
from tournament.forms.sheets import whole, wholes
from tournament.models import Event, Job, Round
from tournament.models.jobs import JobStatus
from tournament.models.rounds import RoundStatus
from tournament.views.jobs import follow

MOST_TABLES = 400
PUBLIC = "public standings"  # the key of the job that everybody's standings are made by
ASK_AGAIN = 2  # seconds
FAILED_FOR = timedelta(seconds=30)


@require_safe
def document(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    """A document of the event: `?round=` (its key), `?tables=3,5`, `?paper=`, `?lang=es,en`."""
    event = staffed_event(request, slug)
    if kind not in DOCUMENTS:
        raise Http404
    number = whole(request.GET.get("round")) or None
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
def standings(request: HttpRequest, slug: str) -> HttpResponseBase:
    """For everybody: the file as it was kept, made by at most one job an event at a time; while
    that is at it, the file before, or a page that asks again."""
    event = public_event(slug)
    ask = Ask(event, "standings", paper=event.paper, languages=(get_language() or "en",))
    if path := prints.kept(ask):
        return _file(path, ask)
    job = _public_job(event, ask, request.path)
    if path := prints.kept(ask) or prints.kept_before(ask):
        return _file(path, ask)
    response = render(
        request,
        "tournament/public/making.html",
        {"event": event, "message": "" if job.open else job.message},
    )
    if job.open:
        response["Refresh"] = str(ASK_AGAIN)
    return response


def _public_job(event: Event, ask: Ask, url: str) -> Job:
    """The one that is at it, or a new one; one that failed is not tried again at once."""
    last = event.jobs.filter(kind=prints.KIND, key=PUBLIC).last()
    failed_at = last.ended_at if last and last.status == JobStatus.FAILED else None
    if last and failed_at and timezone.now() - failed_at < FAILED_FOR:
        return last
    return jobs.start(
        event=event,
        kind=prints.KIND,
        key=PUBLIC,
        asked=prints.asked_of(ask, url),
        by=Actor.visitor(),
    )


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
    paper = request.GET.get("paper") or paper_for(event, kind)
    spoken = [code for code, _ in settings.LANGUAGES]
    asked_in = request.GET.get("lang") or event.print_languages
    languages = tuple(filter(None, asked_in.split(",")))
    if paper not in PAPERS or not {*languages} <= {*spoken} or len(languages) > MOST_LANGUAGES:
        raise Http404
    if tables is None:
        tables = tuple(sorted(set(wholes(request.GET.get("tables")))))[:MOST_TABLES]
    return Ask(event, kind, round_, tables, paper, languages)


def _serve(request: HttpRequest, ask: Ask) -> HttpResponseBase:
    """The file, or on to the job that makes it."""
    asked = request.GET.dict()
    made = asked.pop("made", "")
    if path := prints.kept(ask) or prints.just_made(ask, made):
        return _file(path, ask)
    url = f"{request.path}?{urlencode(asked)}" if asked else request.path
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


def _described[R: HttpResponseBase](response: R, name: str) -> R:
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    response["Cache-Control"] = "private, no-cache"
    return response
