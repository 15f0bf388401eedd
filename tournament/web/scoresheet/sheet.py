"""The sheet itself: as it stands, handed in, confirmed, opened again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.access import organised_event
from tournament.actions import rounds
from tournament.actions import scoresheets as actions
from tournament.documents.layout.codes import qr_svg
from tournament.forms.scoresheets import ConfirmForm, OptionalReasonForm
from tournament.images import MOST_BYTES
from tournament.links import table_url
from tournament.models import LateArrival, SheetPhoto
from tournament.models.actors import Actor
from tournament.models.rounds import RoundStatus
from tournament.policies import can_attach_photo
from tournament.queries.clocks import clock_of
from tournament.queries.lateness import counted_from, missing_at
from tournament.queries.log import actor_names, history_of_sheet
from tournament.queries.penalties import so_far
from tournament.queries.photos import MOST, photos_of
from tournament.queries.printed_sheets import is_older_print
from tournament.queries.scoresheets import SheetView, sheet_view
from tournament.web.foresight import carry_out_foreseen
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    posted_text,
    submission_key,
)
from tournament.web.scoresheet.context import SheetContext, sheet_page
from tournament.web.scoresheet.offline import offline_facts


@never_cache
@sheet_page
@require_safe
def sheet(request: HttpRequest, context: SheetContext) -> HttpResponse:
    """The sheet as it stands; `?print=` from a printed code tells whether the print is older."""
    mark = request.GET.get("print", "")
    older = bool(mark) and is_older_print(context.table, mark)
    return sheet_response(request, context, older_print=older)


@dataclass(frozen=True, slots=True)
class ShownPhoto:
    """A photo with its address for whoever looks, and by whom it came and went."""

    photo: SheetPhoto
    url: str
    created_by: str
    removed_by: str


def sheet_response(request: HttpRequest, context: SheetContext, **more: object) -> HttpResponse:
    """What to shuffle, the deals, and the one next step."""
    view = sheet_view(context.table)
    shown = {
        "view": view,
        "event": view.event,
        "sheet": context,
        "urls": urls_of(context, view),
        "key": new_submission_key(),
        "offline": offline_facts(context, view),
        "reason_form": OptionalReasonForm(),
        **photos_shown(context, view),
        **_who_is_missing(context, view),
        **(_for_staff(context) if context.staff else {}),
    }
    return render(request, "tournament/scoresheet/sheet.html", shown | more)


@dataclass(frozen=True, slots=True)
class MissingPerson:
    """Somebody who is not at the table. `late`: since the announced start, or since they `left`;
    None before it."""

    name: str
    url: str
    left: bool
    starts_at: datetime | None
    late: timedelta | None


def _who_is_missing(context: SheetContext, view: SheetView) -> dict[str, object]:
    """Who is not here, and of whom it can be said: by the table before its first deal."""
    if view.round.status != RoundStatus.PUBLISHED or not view.is_open:
        return {}
    marks, now = missing_at(view.table), timezone.now()
    starts_at = clock_of(view.event, now).clock.starts_at if marks else None
    missing = [
        _missing(context, seat.name, marks[seat.position], starts_at, now)
        for seat in view.seats
        if seat.position in marks
    ]
    may_say = context.staff or not view.any_entered
    rest = [seat for seat in view.seats if seat.position not in marks] if may_say else []
    return {"missing": missing, "may_miss": rest}


def _missing(
    context: SheetContext, name: str, mark: LateArrival, starts_at: datetime | None, now: datetime
) -> MissingPerson:
    since = counted_from(mark, starts_at)
    begun = since if since is not None and since <= now else None
    return MissingPerson(
        name=name,
        url=context.url("arrived", pk=mark.pk),
        left=mark.left,
        starts_at=begun,
        late=now - begun if begun else None,
    )


def _for_staff(context: SheetContext) -> dict[str, object]:
    """The table's link and what happened to its sheet."""
    link = table_url(context.table.token)
    return {
        "link": link,
        "qr": qr_svg(link),
        "history": history_of_sheet(context.table.sheet),
        "so_far": so_far(context.table.round.event),
    }


def photos_shown(context: SheetContext, view: SheetView) -> dict[str, object]:
    """The sheet's photos with their addresses, and whether there is room."""
    found = photos_of(view.sheet, removed=context.staff)
    names = actor_names(who for one in found for who in (one.created_by, one.removed_by) if who)
    shown = [
        ShownPhoto(
            photo,
            url=context.url("photo", pk=photo.pk),
            created_by=names[photo.created_by],
            removed_by=names.get(photo.removed_by, ""),
        )
        for photo in found
    ]
    kept = [one for one in shown if not one.removed_by]
    return {
        "photos": kept,
        "removed_photos": [one for one in shown if one.removed_by],
        "photo_room": len(kept) < MOST
        and can_attach_photo(context.actor, view.sheet, context.table.round.event),
        "photo_most": MOST_BYTES,
    }


def urls_of(context: SheetContext, view: SheetView) -> dict[str, str]:
    """Where the sheet's pages and buttons lead."""
    names = ("sheet", "points", "submit", "confirm", "reopen", "add_photo", "missing")
    urls = {name: context.url(name) for name in names}
    if view.next_number:
        urls["next"] = context.url("deal", number=view.next_number)
    return urls


def sheet_again(request: HttpRequest, context: SheetContext) -> HttpResponse:
    """The page after a refusal, with the sheet as it is now."""
    context.table.sheet.refresh_from_db()
    return sheet_response(request, context)


@sheet_page
@require_POST
def submit(request: HttpRequest, context: SheetContext) -> HttpResponse:
    return carry_out(
        request,
        lambda: actions.submit_sheet(
            sheet=context.table.sheet,
            by=context.actor,
            short_reason=posted_text(request, "reason"),
            key=submission_key(request),
        ),
        then=context.url("sheet"),
        page=lambda: sheet_again(request, context),
    )


@sheet_page
@require_POST
def confirm(request: HttpRequest, context: SheetContext) -> HttpResponse:
    """By the second person: somebody of the table who is named, or one of the staff."""
    form = ConfirmForm(request.POST)
    return carry_out(
        request,
        lambda: actions.confirm_sheet(
            sheet=context.table.sheet,
            version=form.version_seen,
            by=_person(form.seat, context),
            signed=context.staff and form.is_signed,
            key=submission_key(request),
        ),
        then=context.url("sheet"),
        page=lambda: sheet_again(request, context),
        said=_("The sheet is confirmed and counts in the standings."),
    )


@sheet_page
@require_POST
def reopen(request: HttpRequest, context: SheetContext) -> HttpResponse:
    person = _person(ConfirmForm(request.POST).seat, context)

    def change() -> object:
        return actions.reopen_sheet(
            sheet=context.table.sheet,
            reason=posted_text(request, "reason"),
            by=person,
            key=submission_key(request),
        )

    then, said = context.url("sheet"), _("The sheet is open again.")
    round_ = context.table.round

    def page() -> HttpResponse:
        return sheet_again(request, context)

    # Until it is confirmed again it does not count: who moves meanwhile is seen first.
    return carry_out_foreseen(
        request,
        round_.event,
        change,
        by=person,
        counts=round_.status == RoundStatus.CLOSED,
        then=then,
        page=page,
        said=said,
    )


def _person(position: int, context: SheetContext) -> Actor:
    """The person of this table who was named on the page; else whoever holds the phone. The
    staff always act as themselves."""
    if context.staff:
        return context.actor
    seats = context.table.seats.select_related("player")
    seat = seats.filter(position=position).first()
    return Actor.at_table(context.table, seat.player) if seat is not None else context.actor


@sheet_page
@require_POST
def new_link(request: HttpRequest, context: SheetContext) -> HttpResponse:
    organised_event(request, context.table.round.event.slug)
    return carry_out(
        request,
        lambda: rounds.new_table_link(table=context.table, by=context.actor),
        then=context.url("sheet"),
        page=lambda: sheet_response(request, context),
        said=_("The table has a new link. Print its sheet again."),
    )
