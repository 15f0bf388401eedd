"""The table calls a judge, and says who is not there."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import late_arrival_of
from tournament.actions import calls as actions
from tournament.actions import lateness
from tournament.forms.fields import parse_int, parse_ints
from tournament.refusals import Refused
from tournament.web.responses import (
    asks_for_part,
    carry_out,
    new_submission_key,
    posted_text,
    refusal,
    submission_key,
)
from tournament.web.scoresheet.context import SheetContext, sheet_page
from tournament.web.scoresheet.sheet import sheet_again


@never_cache
@sheet_page
@require_http_methods(["GET", "HEAD", "POST"])
def call(request: HttpRequest, context: SheetContext) -> HttpResponse:
    """A judge is wanted at this table; GET tells what became of it."""
    if request.method == "POST":
        reason, key = posted_text(request, "reason", 100), submission_key(request)
        return _press(
            request,
            context,
            lambda: actions.call_judge(
                table=context.table, reason=reason, by=context.actor, key=key
            ),
        )
    return _part(request, context) if asks_for_part(request) else redirect(context.url("sheet"))


@sheet_page
@require_POST
def withdraw_call(request: HttpRequest, context: SheetContext) -> HttpResponse:
    return _press(
        request, context, lambda: actions.withdraw_call(table=context.table, by=context.actor)
    )


def _press(
    request: HttpRequest, context: SheetContext, change: Callable[[], object]
) -> HttpResponse:
    """htmx gets the bar alone, so that nothing else on the page is touched."""
    if not asks_for_part(request):
        return carry_out(
            request,
            change,
            then=_back(request, context),
            page=lambda: sheet_again(request, context),
        )
    try:
        change()
    except Refused as refused:
        context.table.sheet.refresh_from_db()
        return refusal(request, refused, lambda: _part(request, context))
    return _part(request, context)


def _part(request: HttpRequest, context: SheetContext) -> HttpResponse:
    shown = {"table": context.table, "call_key": new_submission_key()}
    return render(request, "tournament/scoresheet/call_part.html", shown)


def _back(request: HttpRequest, context: SheetContext) -> str:
    """To the page of the sheet where the button stood."""
    page, deal = request.POST.get("from", ""), parse_int(request.POST.get("deal"))
    if page == "deal" and deal:
        return context.url("deal", number=deal)
    return context.url("points" if page == "points" else "sheet")


@sheet_page
@require_POST
def missing(request: HttpRequest, context: SheetContext) -> HttpResponse:
    """The people of these seats are not there."""
    positions = parse_ints(",".join(request.POST.getlist("seat")[:20]))
    return carry_out(
        request,
        lambda: lateness.report_missing(
            table=context.table,
            positions=positions,
            by=context.actor,
            key=submission_key(request),
        ),
        then=context.url("sheet"),
        page=lambda: sheet_again(request, context),
        said=_("The judges see it."),
    )


@sheet_page
@require_POST
def arrived(request: HttpRequest, context: SheetContext, pk: int) -> HttpResponse:
    """Somebody who was missing at this table has come."""
    mark = late_arrival_of(context.table.round.event, pk)
    if not context.table.seats.filter(player=mark.player_id).exists():
        raise Http404
    return carry_out(
        request,
        lambda: lateness.mark_arrived(mark=mark, by=context.actor),
        then=context.url("sheet"),
        page=lambda: sheet_again(request, context),
        said=_("The judges see it."),
    )
