"""One deal of the sheet: entered, corrected, voided."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import staff_table
from tournament.actions import scoresheets as actions
from tournament.forms.scoresheets import VoidForm
from tournament.games import outcome_words, words_of
from tournament.models import Event
from tournament.models.rounds import RoundStatus
from tournament.queries.log import who_entered
from tournament.queries.scoresheets import DealView, SheetView, sheet_view
from tournament.refusals import Conflict, Refused
from tournament.web.foresight import foresee
from tournament.web.responses import (
    new_submission_key,
    refusal,
    saved,
    submission_key,
    unprocessable,
)
from tournament.web.scoresheet.context import SheetContext, sheet_page
from tournament.web.scoresheet.deal_forms import AnyDealForm, form_context, form_of_deal
from tournament.web.scoresheet.offline import offline_facts
from tournament.web.scoresheet.sheet import sheet_response, urls_of


@never_cache
@sheet_page
@require_http_methods(["GET", "HEAD", "POST"])
def deal(request: HttpRequest, context: SheetContext, number: int) -> HttpResponse:
    """Enter or correct one deal."""
    view = sheet_view(context.table)
    if not 1 <= number <= len(view.deals):
        raise Http404
    if request.method != "POST":
        return _deal_response(request, context, view, number, form_of_deal(view, number))
    form = form_of_deal(view, number, request.POST)
    if not form.is_valid():
        return unprocessable(_deal_response(request, context, view, number, form))

    def change() -> object:
        return actions.save_deal(
            sheet=view.sheet,
            number=number,
            entry=form.entry(),
            version=form.cleaned_data["version"],
            by=context.actor,
            key=submission_key(request),
        )

    try:
        if (page := corrected(request, context, view, change)) is not None:
            return page
    except Refused as refused:
        return _refused(request, context, number, form, refused)
    messages.success(request, said_of(view.event, sheet_view(context.table).deal(number)))
    return saved(request, redirect(context.url("sheet")))


def corrected(
    request: HttpRequest, context: SheetContext, view: SheetView, change: Callable[[], object]
) -> HttpResponse | None:
    """Carry the change of an open sheet out. If its round is closed it counted already, and the
    page comes back that shows first what the change does once the sheet is confirmed again."""
    if view.round.status != RoundStatus.CLOSED:
        change()
        return None
    foresight = foresee(request, view.event, change, counting=view.sheet)
    if foresight.must_be_read:
        return foresight.page(request)
    foresight.carry_out(context.actor)
    return None


def said_of(event: Event, deal: DealView) -> str:
    """With who has nothing of it: a penalty may have been given while the deal was played."""
    names = [line.name for line in deal.lines]
    words = [outcome_words(words_of(event), deal.winner, deal.winners, names)]
    words += [
        _("%(name)s has a deal loss: 0 points.") % {"name": line.name}
        for line in deal.lines
        if line.lost
    ]
    saved = _("Deal %(number)d is saved. %(winner)s")
    return saved % {"number": deal.number, "winner": " ".join(words)}


def _refused(
    request: HttpRequest, context: SheetContext, number: int, form: AnyDealForm, refused: Refused
) -> HttpResponse:
    """What was typed stays; in a conflict the page shows what stands there now beside it."""
    context.table.refresh_from_db()
    context.table.sheet.refresh_from_db()
    view = sheet_view(context.table)
    form.mark_seats(refused.seats)
    if not isinstance(refused, Conflict):
        form.add_error(None, refused.message)
        return unprocessable(_deal_response(request, context, view, number, form))
    return refusal(
        request,
        refused,
        lambda: _deal_response(request, context, view, number, form, conflict=True),
    )


def _deal_response(
    request: HttpRequest,
    context: SheetContext,
    view: SheetView,
    number: int,
    form: AnyDealForm,
    *,
    conflict: bool = False,
) -> HttpResponse:
    return render(
        request,
        "tournament/scoresheet/deal.html",
        {
            "view": view,
            "event": view.event,
            "sheet": context,
            "urls": urls_of(context, view),
            "number": number,
            "stored": view.deal(number),
            "entered": who_entered(view.sheet, number) if view.deal(number).entered else None,
            **form_context(view, form, number, view.losses.get(number, frozenset())),
            "version": view.sheet.version,
            "key": new_submission_key(),
            "offline": offline_facts(context, view),
            "conflict": conflict,
        },
    )


@sheet_page
@require_POST
def void(request: HttpRequest, context: SheetContext, number: int) -> HttpResponse:
    """A judge voids a deal."""
    form = VoidForm(request.POST)
    if not form.is_valid():
        return unprocessable(sheet_response(request, context, void_form=form))
    event, table = context.table.round.event, context.table.pk

    def page() -> HttpResponse:
        now = SheetContext(
            staff_table(event, table), context.actor, staff=True, address=context.address
        )
        return sheet_response(request, now)

    def change() -> object:
        return actions.void_deal(
            sheet=context.table.sheet,
            number=number,
            replay=form.cleaned_data["replay"],
            reason=form.cleaned_data["reason"],
            version=form.cleaned_data["version"],
            by=context.actor,
            key=submission_key(request),
        )

    try:
        view = sheet_view(context.table)
        if (first := corrected(request, context, view, change)) is not None:
            return first
    except Refused as refused:
        return refusal(request, refused, page)
    messages.success(request, _("Done. The log keeps what stood there."))
    return redirect(context.url("sheet"))
