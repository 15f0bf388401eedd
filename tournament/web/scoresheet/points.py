"""A paper sheet typed in as points alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament import rulebook
from tournament.actions.point_entry import type_sheet
from tournament.forms.point_entry import NO_POINTS, EditionPointsForm, PointsForm
from tournament.labels import OUTCOMES
from tournament.models import Scoresheet
from tournament.models.rounds import RoundStatus
from tournament.models.scoresheets import SheetStatus
from tournament.queries.edition_deals import payable_range
from tournament.queries.entry_queue import entry_queue
from tournament.queries.point_readings import payable_points, point_readings
from tournament.queries.scoresheets import (
    DealView,
    SeatResult,
    SheetView,
    check_sums,
    sheet_view,
)
from tournament.refusals import SEATS_WRONG, SUM_WRONG, Conflict, Refused, seats_named
from tournament.web.desk.entry_queue import next_in_queue
from tournament.web.foresight import foresee
from tournament.web.responses import (
    new_submission_key,
    refusal,
    saved,
    submission_key,
    unprocessable,
)
from tournament.web.scoresheet.context import SheetContext, sheet_page
from tournament.web.scoresheet.sheet import photos_shown, urls_of

SIGNED = "signed"  # in the session: whether the last sheet typed carried its signatures


@dataclass(frozen=True, slots=True)
class PointCell:
    """One seat in one deal: what is typed, and what stands on the sheet."""

    name: str
    seat: int
    player: str
    value: str
    error: str
    stands: SeatResult | None
    lost: bool
    first: bool  # where typing begins

    @property
    def differs(self) -> bool:
        if self.stands is None or self.lost or not self.value:
            return False
        return self.value != str(self.stands.points)


@dataclass(frozen=True, slots=True)
class DealColumn:
    """A deal to type. `differing`: the seats whose points are not those that stand there."""

    deal: DealView
    cells: tuple[PointCell, ...]
    lost: str
    differing: str


@never_cache
@sheet_page
@require_http_methods(["GET", "HEAD", "POST"])
def points(request: HttpRequest, context: SheetContext) -> HttpResponse:
    """Type a paper sheet as points alone."""
    view = sheet_view(context.table)
    if request.method != "POST":
        signed = context.staff and request.session.get(SIGNED, False)
        form = _form(view, initial={"version": view.sheet.version, "signed": signed})
        return _points_response(request, context, view, form)
    form = _form(view, request.POST)
    signed = context.staff and form.is_signed
    if context.staff:
        request.session[SIGNED] = signed
    if not form.is_valid():
        return unprocessable(_points_response(request, context, view, form))

    def change() -> Scoresheet:
        return type_sheet(
            sheet=view.sheet,
            columns=form.columns(),
            version=form.cleaned_data["version"],
            by=context.actor,
            signed=signed,
            reason=form.cleaned_data["reason"],
            key=submission_key(request),
        )

    try:
        if not (view.is_confirmed or view.round.status == RoundStatus.CLOSED):
            return _saved(request, context, view, change())
        # It counted already, as it will again: unconfirmed meanwhile makes no difference here.
        foresight = foresee(request, view.event, change, counting=view.sheet)
        if foresight.must_be_read:
            return foresight.page(request)
        return _saved(request, context, view, foresight.carry_out(context.actor))
    except Refused as refused:
        return _refused(request, context, form, refused)


def _form(view: SheetView, *args: object, **kwargs: object) -> PointsForm:
    seats, deals = len(view.seats), len(view.deals)
    edition = rulebook.edition_of(view.event)
    if edition is None:
        payable = payable_points(view.event, seats)
        return PointsForm(*args, seats=seats, deals=deals, payable=payable, **kwargs)
    stands = [
        [deal.lines[seat.position - 1].points if deal.lines else None for seat in view.seats]
        for deal in view.deals
    ]
    return EditionPointsForm(
        *args, seats=seats, deals=deals, payable=payable_range(edition), stands=stands, **kwargs
    )


def _saved(
    request: HttpRequest, context: SheetContext, view: SheetView, sheet: Scoresheet
) -> HttpResponse:
    """The staff goes on with the next sheet of the stack, if they like."""
    messages.success(request, _saved_message(view, sheet))
    if not context.staff or request.POST.get("then") == "table":
        return saved(request, redirect(context.url("sheet")))
    return saved(request, next_in_queue(request, view.round, after=view.table.number))


def _saved_message(view: SheetView, sheet: Scoresheet) -> str:
    number = {"number": view.table.number}
    if sheet.version == view.sheet.version:
        return _("Table %(number)d: the paper says what stands on the sheet.") % number
    if sheet.status == SheetStatus.CONFIRMED:
        return _("Table %(number)d is saved and confirmed; it counts in the standings.") % number
    return _("Table %(number)d is saved. It is not handed in yet.") % number


def _refused(
    request: HttpRequest, context: SheetContext, form: PointsForm, refused: Refused
) -> HttpResponse:
    """Nothing typed is lost; the seats that can't be right are marked."""
    context.table.sheet.refresh_from_db()
    view = sheet_view(context.table)
    if refused.code.startswith("deal-"):
        deal = int(refused.code.removeprefix("deal-"))
        form.mark_seats(deal, refused.seats, refused.message)
    conflict = isinstance(refused, Conflict)
    version = view.sheet.version if conflict else form.cleaned_data["version"]
    response = refusal(
        request,
        refused,
        lambda: _points_response(request, context, view, form, version=version, refused=refused),
    )
    return response if conflict else unprocessable(response)


def _points_response(
    request: HttpRequest,
    context: SheetContext,
    view: SheetView,
    form: PointsForm,
    *,
    version: int | None = None,
    refused: Refused | None = None,
) -> HttpResponse:
    asks_reason = view.any_entered or not view.is_open or bool(refused) or bool(form.typed_reason)
    names = [seat.name for seat in view.seats]
    shown = {
        "view": view,
        "event": view.event,
        "sheet": context,
        "urls": urls_of(context, view),
        "form": form,
        "version": form.seen if version is None else version,
        "key": new_submission_key(),
        "columns": list(_columns(view, form)),
        **_of_the_game(view),
        "problems": [] if refused else form.problems(names),
        "asks_reason": asks_reason,
        "reason_missing": refused is not None and refused.code == "reason",
    }
    if context.staff:
        shown["stack"] = entry_queue(view.round)
        shown["photos"] = photos_shown(context, view)["photos"]
    return render(request, "tournament/scoresheet/points.html", shown)


def _of_the_game(view: SheetView) -> dict[str, object]:
    """What the page and its script look up; a script of its own for an edition, whose rules say
    little of points alone."""
    if rulebook.edition_of(view.event):
        return {"script": "js/typing_edition.js", "digits": 3}
    outcomes = check_sums(view.event, len(view.seats))
    return {
        "script": "js/typing.js",
        "digits": 1,
        "readings": json.dumps(point_readings(view.event, len(view.seats))),
        "sums": list(dict.fromkeys(total for _outcome, _paid, total in outcomes)),
        "words": json.dumps(_words()),
        "values": sorted(payable_points(view.event, len(view.seats))),
    }


def _columns(view: SheetView, form: PointsForm) -> Iterator[DealColumn]:
    begin = next((deal.number for deal in view.deals if not deal.void), 0)
    names = [seat.name for seat in view.seats]
    for deal in view.deals:
        lost = view.losses.get(deal.number, frozenset())
        stands = {line.position: line for line in deal.lines}
        cells = tuple(
            PointCell(
                name=form.cell_name(deal.number, seat.position),
                seat=seat.position,
                player=seat.name,
                value=form.typed(deal.number, seat.position),
                error=form.error(deal.number, seat.position),
                stands=stands.get(seat.position),
                lost=seat.position in lost,
                first=(deal.number, seat.position) == (begin, 1),
            )
            for seat in view.seats
        )
        differing = [cell.seat for cell in cells if cell.differs]
        yield DealColumn(
            deal, cells, seats_named(sorted(lost), names), seats_named(differing, names)
        )


def _words() -> dict[str, object]:
    """What the script says, with the same places to fill in as here."""
    return {
        "digit": str(NO_POINTS),
        "seats": str(SEATS_WRONG),
        "sum": str(SUM_WRONG),
        "open": _("%(sum)s so far: %(outcomes)s"),
        "fits": _("%(sum)s: %(outcomes)s"),
        "or": _("or"),
        "differs": _("Not what stands on the sheet: %(seats)s. Saving needs a reason."),
        "outcomes": {outcome: str(name) for outcome, name in OUTCOMES.items()},
    }
