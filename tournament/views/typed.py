"""Typing paper sheets: the page of one sheet, and the way through the stack of a round."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.access import round_of, staffed_event
from tournament.actions.paper import type_sheet
from tournament.forms.sheets import whole
from tournament.forms.typed import NO_POINTS, PointsInput, read_points_input
from tournament.models import Event, Round, Scoresheet, Table
from tournament.models.rounds import RoundStatus
from tournament.models.sheets import SheetStatus
from tournament.queries.sheets import DealView, Line, SheetView, payouts_at, sheet_view
from tournament.queries.stack import stack_of
from tournament.refused import SEATS_WRONG, SUM_WRONG, Conflict, Refused, seats_named
from tournament.views.base import key_of, new_key, refusal, unprocessable
from tournament.views.sheetpages import Place, photos_at, urls_of
from tournament.wording import OUTCOMES

SIGNED = "signed"  # in the session: whether the last sheet typed carried its signatures


@dataclass(frozen=True, slots=True)
class Cell:
    """One seat in one deal: what is typed, and what stands on the sheet."""

    name: str
    seat: int
    player: str
    value: str
    error: str
    stands: Line | None
    lost: bool
    first: bool  # where typing begins

    @property
    def differs(self) -> bool:
        if self.stands is None or self.lost or not self.value:
            return False
        return self.value != str(self.stands.points)


@dataclass(frozen=True, slots=True)
class Column:
    """A deal to type. `differing`: the seats whose points are not those that stand there."""

    deal: DealView
    cells: tuple[Cell, ...]
    lost: str
    differing: str


def points(request: HttpRequest, table: Table, place: Place) -> HttpResponse:
    """Type a paper sheet as points alone."""
    view = sheet_view(table)
    if request.method != "POST":
        typed = PointsInput({}, view.sheet.version, new_key())
        typed.signed = place.staff and request.session.get(SIGNED, False)
        return _page(request, view, place, typed)
    typed = read_points_input(request.POST, len(view.seats), len(view.deals))
    if place.staff:
        request.session[SIGNED] = typed.signed
    typed.key = new_key()
    columns = typed.columns(len(view.seats), len(view.deals), _payable(view))
    if columns is None:
        return unprocessable(_page(request, view, place, typed))
    try:
        sheet = type_sheet(
            sheet=view.sheet,
            columns=columns,
            version=typed.version,
            by=place.actor,
            signed=place.staff and typed.signed,
            reason=typed.reason,
            key=key_of(request),
        )
    except Refused as refused:
        return _refused(request, table, place, typed, refused)
    return _saved(request, view, place, sheet)


def _payable(view: SheetView) -> set[int]:
    """What a deal can give one seat; a digit, as it is stored."""
    paid = {one for payout in _payouts(view) for one in payout.points}
    return {one for one in paid | {0} if one < 10}


def _payouts(view: SheetView) -> list[Any]:
    return payouts_at(view.event, len(view.seats))


def _saved(request: HttpRequest, view: SheetView, place: Place, sheet: Scoresheet) -> HttpResponse:
    """The staff goes on with the next sheet of the stack, if they like."""
    messages.success(request, _said(view, sheet))
    if not place.staff or request.POST.get("then") == "table":
        return redirect(place.url("table"))
    return _next(request, view.event, view.round, after=view.table.number)


def _said(view: SheetView, sheet: Scoresheet) -> str:
    number = {"number": view.table.number}
    if sheet.version == view.sheet.version:
        return _("Table %(number)d: the paper says what stands on the sheet.") % number
    if sheet.status == SheetStatus.CONFIRMED:
        return _("Table %(number)d is saved and confirmed; it counts in the standings.") % number
    return _("Table %(number)d is saved. It is not handed in yet.") % number


def _next(request: HttpRequest, event: Event, round_: Round, *, after: int) -> HttpResponse:
    """On to the next table that is not in yet, or back to the round."""
    stack = stack_of(round_)
    if (pk := stack.after(after)) is not None:
        return redirect("staff_points", event.slug, pk)
    if not stack.missing:
        said = ngettext(
            "The sheet of this round is typed in.",
            "All %(count)d sheets of this round are typed in.",
            stack.total,
        )
        messages.info(request, said % {"count": stack.total})
    return redirect("round", event.slug, round_.pk)


@never_cache
@require_safe
def stack(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """On to the first sheet that is not typed in yet, or to that of `?table=`."""
    event = staffed_event(request, slug)
    round_ = round_of(event, pk)
    if round_.status not in (RoundStatus.PUBLISHED, RoundStatus.CLOSED):
        return redirect("round", slug, pk)
    asked = whole(request.GET.get("table"))
    if not asked:
        return _next(request, event, round_, after=0)
    if (found := stack_of(round_).tables.get(asked)) is not None:
        return redirect("staff_points", slug, found)
    messages.warning(request, _("This round has no table %(number)d.") % {"number": asked})
    return _next(request, event, round_, after=0)


def _refused(
    request: HttpRequest, table: Table, place: Place, typed: PointsInput, refused: Refused
) -> HttpResponse:
    """Nothing typed is lost; the seats that can't be right are marked."""
    table.sheet.refresh_from_db()
    view = sheet_view(table)
    if refused.code.startswith("deal-"):
        number = int(refused.code.removeprefix("deal-"))
        for seat in refused.seats or range(1, len(view.seats) + 1):
            typed.errors[number, seat] = refused.message
    conflict = isinstance(refused, Conflict)
    if conflict:
        typed.version = view.sheet.version
    page = refusal(request, refused, lambda: _page(request, view, place, typed, refused))
    return page if conflict else unprocessable(page)


def _page(
    request: HttpRequest,
    view: SheetView,
    place: Place,
    typed: PointsInput,
    refused: Refused | None = None,
) -> HttpResponse:
    names = {seat.position: seat.name for seat in view.seats}
    asks = view.any_entered or not view.is_open or bool(refused) or bool(typed.reason)
    context = {
        "view": view,
        "event": view.event,
        "place": place,
        "urls": urls_of(place, view),
        "typed": typed,
        "columns": [_column(view, deal, typed) for deal in view.deals],
        "payouts": json.dumps([_for_script(payout) for payout in _payouts(view)]),
        "sums": list(dict.fromkeys(sum(payout.points) for payout in _payouts(view))),
        "words": json.dumps(_words()),
        "values": sorted(_payable(view)),
        "problems": [] if refused else typed.problems(names),
        "asks_reason": asks,
        "reason_missing": refused is not None and refused.code == "reason",
    }
    if place.staff:
        context["stack"] = stack_of(view.round)
        context["photos"] = photos_at(place, view)["photos"]
    return render(request, "tournament/dealer/points.html", context)


def _column(view: SheetView, deal: DealView, typed: PointsInput) -> Column:
    lost = view.losses.get(deal.number, frozenset())
    begin = next((one for one in view.deals if not one.void), None)
    stands = {line.position: line for line in deal.lines}
    names = [seat.name for seat in view.seats]
    cells = tuple(
        Cell(
            name=f"p-{deal.number}-{seat.position}",
            seat=seat.position,
            player=seat.name,
            value=typed.cells.get((deal.number, seat.position), ""),
            error=typed.errors.get((deal.number, seat.position), ""),
            stands=stands.get(seat.position),
            lost=seat.position in lost,
            first=seat.position == 1 and deal is begin,
        )
        for seat in view.seats
    )
    differing = [cell.seat for cell in cells if cell.differs]
    return Column(deal, cells, seats_named(sorted(lost), names), seats_named(differing, names))


def _for_script(payout: Any) -> dict[str, Any]:
    return asdict(payout) | {"said": str(OUTCOMES[payout.outcome])}


def _words() -> dict[str, str]:
    """What the script says, with the same places to fill in as here."""
    return {
        "digit": str(NO_POINTS),
        "seats": str(SEATS_WRONG),
        "sum": str(SUM_WRONG),
        "open": _("%(sum)s so far: %(outcomes)s"),
        "fits": _("%(sum)s: %(outcomes)s"),
        "or": _("or"),
        "differs": _("Not what stands on the sheet: %(seats)s. Saving needs a reason."),
    }
