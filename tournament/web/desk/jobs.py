"""The page of a long piece of work: how far it is, a way to stop it, and on to what it made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from tournament.access import job_of, organised_event, staffed_event, user_of
from tournament.actions import draws
from tournament.actions import jobs as actions
from tournament.documents import packet, store
from tournament.models import Job
from tournament.models.rounds import Round
from tournament.policies import can_organise
from tournament.web.responses import asks_for_part, page_or_partial


@dataclass(frozen=True, slots=True)
class JobLinks:
    """What a kind of job is called, where its outcome is, and where it was asked for."""

    title: Callable[[Job], str]
    result: Callable[[Job], str]
    back: Callable[[Job], str]


def _where_drawn(job: Job) -> str:
    if pk := job.payload["instead_of"]:
        return reverse("round", args=[job.event.slug, pk])
    return reverse("round_draw", args=[job.event.slug])


JOB_LINKS = {
    draws.KIND: JobLinks(
        title=lambda job: Round(number=job.payload["number"]).label,
        result=lambda job: reverse("round", args=[job.event.slug, job.result["round"]]),
        back=_where_drawn,
    ),
    store.KIND: JobLinks(
        title=lambda job: str(store.title_of(job.payload["kind"])),
        result=lambda job: str(job.result["url"]),
        back=lambda job: reverse("prints", args=[job.event.slug]),
    ),
    packet.KIND: JobLinks(
        title=lambda job: _("Packet"),
        result=lambda job: str(job.result["url"]),
        back=lambda job: reverse("event_desk", args=[job.event.slug]),
    ),
}


def _result(job: Job) -> str:
    return JOB_LINKS[job.kind].result(job)


def follow(job: Job) -> HttpResponse:
    """To what the job made, or to its page while it is at it."""
    if job.result:
        return redirect(_result(job))
    return redirect("job", job.event.slug, job.pk)


@require_safe
def job_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """It asks for itself every second; without JavaScript the browser reloads it."""
    event = staffed_event(request, slug)
    job = job_of(event, pk)
    working = job.open and not job.stalled
    asking = asks_for_part(request)
    if job.result:
        return HttpResponseClientRefresh() if asking else follow(job)  # so "back" skips this page
    if asking and not working:
        return HttpResponseClientRefresh()
    links = JOB_LINKS[job.kind]
    return render(
        request,
        page_or_partial(request, "tournament/desk/job.html", "meter"),
        {
            "event": event,
            "job": job,
            "working": working,
            "may_stop": job.kind == store.KIND or can_organise(user_of(request), event),
            "message": actions.stalled_message() if job.stalled else job.message,
            "title": links.title(job),
            "back": links.back(job),
        },
    )


@require_POST
def cancel(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Whoever may ask for a kind of work may stop it: a judge prints, but does not draw."""
    job = job_of(staffed_event(request, slug), pk)
    if job.kind != store.KIND:
        organised_event(request, slug)
    actions.cancel(job=job)
    return redirect("job", slug, pk)
