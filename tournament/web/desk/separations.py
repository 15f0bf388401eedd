"""Two people whom no draw puts at one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_POST

from tournament.access import actor_of, organised_event
from tournament.actions import separations as actions
from tournament.forms.separations import SeparationForm
from tournament.models import Event
from tournament.web.desk.draws import draw_response
from tournament.web.responses import carry_out, submission_key, unprocessable


@require_POST
def separate(request: HttpRequest, slug: str) -> HttpResponse:
    """Two people named by start number or by name."""
    event = organised_event(request, slug)
    form = SeparationForm(request.POST, event=event)
    if not form.is_valid():
        return unprocessable(draw_response(request, event, separation=form))
    return _change(
        request,
        event,
        lambda: actions.separate_players(
            event=event, by=actor_of(request), key=submission_key(request), **form.cleaned_data
        ),
        form,
    )


@require_POST
def withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    event = organised_event(request, slug)
    separation = get_object_or_404(event.separations, pk=pk)
    return _change(
        request,
        event,
        lambda: actions.withdraw_separation(separation=separation, by=actor_of(request)),
    )


def _change(
    request: HttpRequest,
    event: Event,
    change: Callable[[], Any],
    form: SeparationForm | None = None,
) -> HttpResponse:
    return carry_out(
        request,
        change,
        then=reverse("round_draw", args=[event.slug]) + "#apart",
        page=lambda: draw_response(request, event, separation=form),
    )
