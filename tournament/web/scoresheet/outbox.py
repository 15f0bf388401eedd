"""What a table's phone has kept, as it arrives (docs/decisions/outbox.md)."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from scoring.refusal import Refusal
from tournament.access import EventOver
from tournament.actions.outbox import SEATED_ANEW, Kind, OutboxEntry, carry_out
from tournament.forms.outbox import OutboxEntryForm
from tournament.models import Scoresheet, Table
from tournament.models.actors import COURIER, Actor
from tournament.models.scoresheets import SheetStatus
from tournament.policies import can_judge
from tournament.queries.log import who_entered
from tournament.queries.scoresheets import DealView, SheetView, sheet_view, view_of_deal
from tournament.refusals import Conflict, Refused
from tournament.web.scoresheet.context import by_link
from tournament.web.scoresheet.deals import said_of

if TYPE_CHECKING:
    from django.contrib.messages.storage.base import BaseStorage

KEY = re.compile(r"[\w-]{16,36}", re.ASCII)
MOST_BYTES = 4096


# The address is the key: a phone that comes back after hours has no cookie that is still good.
@csrf_exempt
@login_not_required
@never_cache
@require_POST
def send(request: HttpRequest, token: str) -> JsonResponse:
    """One entry. 200 as often as it is sent; 409 with what stands there; 410 if this table is no
    more, or seated anew; 422 if the rules refuse it; 400 if it is none."""
    try:
        context = by_link(token)
    except EventOver:
        return _problem(410, _("The event is finished. Its sheets are closed."))
    key = request.headers.get("Idempotency-Key", "")
    data = _object(request)
    form = OutboxEntryForm(data)
    if data is None or not KEY.fullmatch(key) or not form.is_valid():
        return _problem(400, _("This is no entry of a table's phone."))
    entry, table = form.entry(), context.table
    by = _carried(request, context.actor, table) if data.get("carried") else context.actor
    try:
        sheet = carry_out(table=table, entry=entry, key=key, by=by)
    except Refused as refused:
        return _refused(table, entry, refused)
    table.sheet = sheet
    if data.get("shown") and not by.courier:  # its page goes on to the sheet, which says it
        _say_once(request, _said(entry, table))
    return JsonResponse({"version": sheet.version})


def _say_once(request: HttpRequest, words: str) -> None:
    """What is sent again because its answer was lost has been said already."""
    waiting = cast("BaseStorage", messages.get_messages(request))
    said = words in [str(one) for one in waiting]
    waiting.used = False  # they are still to be shown
    if not said:
        messages.success(request, words)


def _object(request: HttpRequest) -> dict[str, Any] | None:
    try:
        found = json.loads(request.body) if len(request.body) <= MOST_BYTES else None
    except (ValueError, RecursionError, RequestDataTooBig):
        return None
    return found if isinstance(found, dict) else None


def _carried(request: HttpRequest, actor: Actor, table: Table) -> Actor:
    """The table acts; beside it stands whose phone had net."""
    user = request.user
    staff = user.is_authenticated and can_judge(user, table.round.event)
    return replace(actor, courier=f"user:{user.pk}" if staff else COURIER)


def _said(entry: OutboxEntry, table: Table) -> str:
    if entry.kind == Kind.DEAL:
        return said_of(table.round.event, sheet_view(table).deal(entry.number))
    if entry.kind == Kind.CONFIRM:
        return _("The sheet is confirmed and counts in the standings.")
    return _("The sheet is handed in.")


def _problem(status: int, message: str, **more: object) -> JsonResponse:
    return JsonResponse({"message": message, **more}, status=status)


def _refused(table: Table, entry: OutboxEntry, refused: Refused) -> JsonResponse:
    if refused.code == SEATED_ANEW:
        return _problem(410, refused.message)
    if not isinstance(refused, Conflict):
        return _problem(422, refused.message, seats=refused.seats)
    if entry.kind != Kind.DEAL:
        return _problem(409, refused.message)
    table.sheet.refresh_from_db()
    view = sheet_view(table)
    stored = table.sheet.deals.filter(number=entry.number).first()
    return _problem(
        409,
        _closed_words(table.sheet) or refused.message,
        closed=table.sheet.status != SheetStatus.OPEN,
        seen=stored.text if stored else "",
        stands=_stands(view, entry.number) if stored else "",
        sent=_sent(view, entry),
    )


def _closed_words(sheet: Scoresheet) -> str:
    """Why nothing can take the place of what stands there."""
    if sheet.status == SheetStatus.CONFIRMED:
        return _("This sheet is confirmed. If it is wrong, go to a judge.")
    if sheet.status == SheetStatus.SUBMITTED:
        return _("This sheet is handed in. Open it again first if it is wrong.")
    return ""


def _stands(view: SheetView, number: int) -> str:
    """The deal as the sheet has it, and who entered it when."""
    context = {
        "event": view.event,
        "deal": view.deal(number),
        "entered": who_entered(view.sheet, number),
    }
    return render_to_string("tournament/scoresheet/stands.html", context)


def _result(view: SheetView, deal: DealView) -> str:
    about = {"deal": deal, "event": view.event}
    return render_to_string("tournament/scoresheet/result.html", about)


def _sent(view: SheetView, entry: OutboxEntry) -> str:
    """The deal that was sent, as the sheet would show it; "" if the rules know no such deal."""
    try:
        return _result(view, view_of_deal(view, entry.deal(view.sheet)))
    except Refusal:
        return ""


@login_not_required
@require_safe
def carry(request: HttpRequest) -> HttpResponse:
    """The page of whoever carries a table's entries: they stand behind the # of its address, which
    no server sees."""
    return render(request, "tournament/scoresheet/carry.html")


@login_not_required
@require_safe
def worker(request: HttpRequest) -> FileResponse:
    """The service worker of tables' pages; its address is what lets it see them."""
    script = settings.BASE_DIR / "static" / "js" / "worker.js"
    return FileResponse(script.open("rb"), content_type="text/javascript")
