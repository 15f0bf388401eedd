"""A sheet that is being changed: locked, with what every change of it needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import Http404
from django.utils.translation import gettext as _

from tournament.models import Event, LogEntry, Round, Scoresheet, Seat, Submission, Table
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.rounds import PLAYED_ROUND
from tournament.models.scoresheets import SheetStatus
from tournament.models.versions import Part
from tournament.policies import can_enter
from tournament.queries.scoresheets import shown_names
from tournament.refusals import Conflict, Refused


@dataclass(frozen=True, slots=True)
class LockedSheet:
    """`seats`: with their players, in sitting order."""

    sheet: Scoresheet
    event: Event
    round: Round
    seats: tuple[Seat, ...]

    @property
    def names(self) -> list[str]:
        return shown_names(self.event, self.seats)


def lock_sheet(sheet: Scoresheet) -> LockedSheet:
    """Lock the sheet; refuses when its round or its event is not being played. Http404 where the
    table was closed while the lock was awaited: there is no sheet any more to come back to."""
    try:
        sheet = Scoresheet.objects.lock(sheet.pk)
    except Scoresheet.DoesNotExist:
        raise Http404 from None
    # Read after the lock: whoever held it may have moved the round.
    sheet.table = Table.objects.select_related("round__event").get(pk=sheet.table_id)
    round_ = sheet.table.round
    if round_.event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished. Its sheets are closed."))
    if round_.status not in PLAYED_ROUND:
        raise Refused(_("This round is not being played."))
    seats = tuple(sheet.table.seats.select_related("player").order_by("position"))
    return LockedSheet(sheet, round_.event, round_, seats)


def check_may_enter(locked: LockedSheet, by: Actor, version: int) -> None:
    """Refuse whoever may not enter, or has not seen the latest save."""
    sheet = locked.sheet
    if sheet.status != SheetStatus.OPEN:
        raise Conflict(
            _("This sheet was submitted. It has to be reopened before it can be changed.")
        )
    if not can_enter(by, sheet, locked.event):
        raise Refused(_("Only this table and the staff may enter its deals."))
    check_version(locked, version)


def check_version(locked: LockedSheet, version: int) -> None:
    """Refuse a save that did not see the latest one."""
    if locked.sheet.version != version:
        raise Conflict(
            _("Somebody else changed this sheet meanwhile. Look at both, then save again.")
        )


def log_change(
    locked: LockedSheet,
    verb: str,
    by: Actor,
    *,
    before: object = None,
    after: object = None,
    reason: str = "",
    key: str = "",
    parts: Iterable[Part] | None = None,
) -> None:
    """One entry about the sheet; the submission with this key is carried out then."""
    Submission.objects.remember(locked.event, key, locked.sheet)
    LogEntry.objects.record(
        verb,
        event=locked.event,
        by=by,
        about=locked.sheet,
        before=before,
        after=after,
        reason=reason,
        parts=parts,
    )


def bump_version(sheet: Scoresheet) -> None:
    """One change more: a phone that has not seen it is told."""
    sheet.version += 1
    sheet.save(update_fields=["version"])
