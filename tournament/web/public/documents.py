"""The standings on paper, for everybody."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament import jobs
from tournament.access import public_event
from tournament.documents import store
from tournament.documents.request import DocumentRequest
from tournament.limits import TooOften
from tournament.models import Event, Job
from tournament.models.actors import Actor
from tournament.models.jobs import JobStatus
from tournament.queries.visibility import public_standings
from tournament.web.pdf import pdf_response

PUBLIC = "public standings"  # names the job that makes everybody's standings
ASK_AGAIN = 2  # seconds
FAILED_FOR = timedelta(seconds=30)


@login_not_required
@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponseBase:
    """For everybody: the file as it was kept, made by at most one job an event at a time; while
    that is at it, the file before, or a page that asks again."""
    event = public_event(slug)
    whole = public_standings(event).all_shown
    wanted = DocumentRequest(
        event,
        "standings",
        paper=event.paper,
        languages=(get_language() or "en",),
        public=not whole,
    )
    if found := store.find(wanted):
        return pdf_response(found, wanted)
    try:
        job = _public_job(event, wanted, request.path)
    except TooOften:  # others are waiting already: what is there, or a page that asks again
        job = None
    # One made before may show what is hidden again.
    if found := store.find(wanted) or (store.find_latest(wanted) if whole else None):
        return pdf_response(found, wanted)
    response = render(
        request,
        "tournament/public/making.html",
        {"event": event, "message": "" if job is None or job.open else job.message},
    )
    if job is None or job.open:
        response["Refresh"] = str(ASK_AGAIN)
    return response


def _public_job(event: Event, wanted: DocumentRequest, url: str) -> Job:
    """The one that is at it, or a new one; one that failed is not tried again at once."""
    last = event.jobs.filter(kind=store.KIND, dedupe_key=PUBLIC).last()
    failed_at = last.ended_at if last and last.status == JobStatus.FAILED else None
    if last and failed_at and timezone.now() - failed_at < FAILED_FOR:
        return last
    return jobs.start(
        event=event,
        kind=store.KIND,
        dedupe_key=PUBLIC,
        payload=store.payload_of(wanted, url),
        by=Actor.visitor(),
    )
