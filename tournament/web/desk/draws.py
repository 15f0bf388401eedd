"""Before a draw, and the draw: a job of its own."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament import jobs
from tournament.access import actor_of, organised_event, round_of
from tournament.actions import draws
from tournament.forms.draws import DrawForm
from tournament.forms.separations import SeparationForm
from tournament.labels import SEATING_METHODS
from tournament.models import Event, Round, Submission
from tournament.queries.draws import (
    Preparation,
    check_may_draw,
    preparation_of,
    round_drawn_by,
)
from tournament.refusals import Refused
from tournament.web.desk.jobs import follow
from tournament.web.limits import spend_by_account
from tournament.web.responses import (
    new_submission_key,
    page_or_partial,
    refusal,
    submission_key,
    unprocessable,
)


@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Look at who is here and choose the tables; then draw the next round, as a draft."""
    return _draw(request, organised_event(request, slug))


@require_http_methods(["GET", "HEAD", "POST"])
def redraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The same for a draft that is thrown away, once the new one is written."""
    event = organised_event(request, slug)
    return _draw(request, event, round_of(event, pk))


def _draw(request: HttpRequest, event: Event, draft: Round | None = None) -> HttpResponse:
    if request.method != "POST":
        job = event.jobs.open().filter(kind=draws.KIND).last()
        if job is not None and not job.stalled:
            return follow(job)
        return draw_response(request, event, draft)
    form = DrawForm(request.POST)
    if not form.is_valid():
        return unprocessable(draw_response(request, event, draft))
    try:
        return _start(request, event, draft, form)
    except Refused as refused:
        return refusal(request, refused, lambda: draw_response(request, event, draft))


def _start(request: HttpRequest, event: Event, draft: Round | None, form: DrawForm) -> HttpResponse:
    """What can be refused at once is; the rest is the job's."""
    key = submission_key(request)
    if done := Submission.objects.outcome(event, key):
        return redirect("round", event.slug, round_drawn_by(event, done).pk)
    check_may_draw(event, draft)
    games = _games(form, event, draft)
    prepared = preparation_of(event, games, draft)
    payload = {
        "number": prepared.number,
        "sizes": _sizes(form.cleaned_data["sizes"], prepared, draft),
        "max_tables": games,
        "instead_of": draft.pk if draft else None,
        "key": key,
    }
    spend_by_account(request, "job")
    job = jobs.start(
        event=event,
        kind=draws.KIND,
        dedupe_key=f"round {prepared.number}",
        payload=payload,
        by=actor_of(request),
    )
    return follow(job)


def _games(form: DrawForm, event: Event, draft: Round | None) -> int | None:
    """The games at hand for this draw; as the draft was drawn, or as in the settings, where
    nothing else was said."""
    games: int | None = event.max_tables
    if "games" in form.data and form.is_valid():
        games = form.cleaned_data["games"]
    elif draft is not None:
        games = draft.draw_request.get("max_tables", event.max_tables)
    return games


def _sizes(chosen: str, prepared: Preparation, draft: Round | None) -> list[int]:
    """The tables that were chosen, or those of the draft if they still seat everybody, or the
    default."""
    if prepared.refusal:
        raise Refused(prepared.refusal)
    if chosen:
        for choice in prepared.choices:
            if choice.value == chosen:
                return list(choice.split.sizes)
        raise Refused(_("These tables do not fit who is here now. Choose again."))
    before = _sizes_of(draft)
    return before if sum(before) == prepared.here else list(prepared.choices[0].split.sizes)


def _sizes_of(draft: Round | None) -> list[int]:
    return list(draft.draw_request.get("sizes", [])) if draft else []


def draw_response(
    request: HttpRequest,
    event: Event,
    draft: Round | None = None,
    *,
    separation: SeparationForm | None = None,
) -> HttpResponse:
    """Who is here, the tables that they can be seated at, and who is kept apart."""
    form = DrawForm(request.POST if "games" in request.POST else request.GET)
    prepared = preparation_of(event, _games(form, event, draft), draft)
    try:
        check_may_draw(event, draft)
    except Refused as refused:
        prepared = replace(prepared, refusal=refused.message)
    return render(
        request,
        page_or_partial(request, "tournament/desk/draw.html", "splits"),
        {
            "event": event,
            "draft": draft,
            "form": form,
            "prepared": prepared,
            "title": Round(number=prepared.number).label,
            "method": SEATING_METHODS[prepared.method],
            "chosen": request.POST.get("sizes") or "-".join(map(str, _sizes_of(draft))),
            "separation": separation or SeparationForm(event=event),
            "key": new_submission_key(),
        },
    )
