"""A round from the draw to its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.access import actor_of, round_of, staffed_event
from tournament.actions import rounds as actions
from tournament.web.desk.round_page import change_round, round_response
from tournament.web.responses import posted_text


@require_safe
def round_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A draft to edit, or a round being played with what has been handed in."""
    event = staffed_event(request, slug)
    return round_response(request, event, round_of(event, pk))


def _press(
    request: HttpRequest,
    slug: str,
    pk: int,
    action: Callable[..., Any],
    said: str,
    *,
    then: str = "",
    undo: str = "",
    **more: str,
) -> HttpResponse:
    """One button of a round: carry the action out as whoever pressed it. `undo`: the name of the
    address that takes it back."""
    by = actor_of(request)
    return change_round(
        request,
        slug,
        pk,
        lambda round_: action(round_=round_, by=by, **more),
        said,
        then=then,
        undo=reverse(undo, args=[slug, pk]) if undo else "",
    )


@require_POST
def publish(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    said = _("Published: everybody can find their seat. Print the sheets now.")
    return _press(request, slug, pk, actions.publish_round, said, undo="round_unpublish")


@require_POST
def unpublish(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    said = _("The round is a draft again. Change the tables, then publish.")
    return _press(request, slug, pk, actions.unpublish_round, said)


@require_POST
def cancel(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return _press(
        request,
        slug,
        pk,
        actions.cancel_round,
        _("The round is cancelled."),
        then=reverse("event_desk", args=[slug]),
        undo="round_restore",
        reason=posted_text(request, "reason"),
    )


@require_POST
def close(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    desk = reverse("event_desk", args=[slug])
    said = _("The round is closed.")
    return _press(request, slug, pk, actions.close_round, said, then=desk, undo="round_reopen")


@require_POST
def reopen(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    said, reason = _("The round is open again."), posted_text(request, "reason")
    return _press(request, slug, pk, actions.reopen_round, said, reason=reason)


@require_POST
def restore(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return _press(request, slug, pk, actions.restore_round, _("The round is back as it was."))
