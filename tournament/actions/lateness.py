"""Somebody is not at the table when the round begins: reported, arrived, or not late after all."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.actions.rounds import lock_round
from tournament.actions.sheet_lock import lock_sheet
from tournament.models import LateArrival, LogEntry, Player, Seat, Submission, Table
from tournament.models.actors import Actor
from tournament.models.rounds import RoundStatus
from tournament.models.scoresheets import SheetStatus
from tournament.policies import holds_link, is_staff
from tournament.refusals import Conflict, Refused


@transaction.atomic
def report_missing(
    *, table: Table, positions: Collection[int], by: Actor, key: str = ""
) -> list[LateArrival]:
    """The people of these seats are not there. By the table until its first deal is entered, by
    the staff while it plays: then they were there and have left. Who is on record as missing
    already stays as they are."""
    locked = lock_sheet(table.sheet)
    if Submission.objects.processed(locked.event, key):
        return []
    staff = is_staff(by, locked.event)
    if locked.round.status != RoundStatus.PUBLISHED or locked.sheet.status != SheetStatus.OPEN:
        raise Refused(_("This table does not play any more."))
    if not staff and not holds_link(by, locked.sheet):
        raise Refused(_("Only this table and the staff may say who is missing."))
    if not staff and locked.sheet.deals.exists():
        raise Refused(_("This table has begun. Call a judge if somebody is missing."))
    people = [seat.player for seat in locked.seats if seat.position in positions]
    if not people:
        raise Refused(_("Tick who is missing."))
    left_at = timezone.now() if locked.sheet.deals.exists() else None
    marks = [_mark(locked.round.pk, player, left_at, by) for player in people]
    Submission.objects.remember(locked.event, key, table)
    LogEntry.objects.record(
        "late.reported",
        event=locked.event,
        by=by,
        about=table,
        after=sorted(player.number for player in people),
    )
    return marks


def _mark(round_id: int, player: Player, left_at: datetime | None, by: Actor) -> LateArrival:
    found = LateArrival.objects.in_force().filter(round_id=round_id, player=player).first()
    if found is None:
        return LateArrival.objects.create(
            round_id=round_id, player=player, left=left_at is not None, reported_by=by.signature
        )
    if found.arrived_at is None:
        return found
    found.arrived_at, found.arrived_by = None, ""  # an arrival that was none
    if left_at is not None:  # or they have gone again
        found.reported_at, found.reported_by, found.left = left_at, by.signature, True
    found.save(update_fields=["arrived_at", "arrived_by", "reported_at", "reported_by", "left"])
    return found


def _lock_mark(mark: LateArrival, by: Actor) -> LateArrival:
    """Under the event's lock. The staff's, and the table's while its people are still there."""
    event, _round = lock_round(mark.round, RoundStatus.PUBLISHED)
    mark = LateArrival.objects.select_related("round__event", "player").lock(mark.pk)
    if mark.withdrawn_at is not None:
        raise Conflict(_("%(name)s is on record as not late already.") % {"name": mark.player.name})
    seat = Seat.objects.filter(round=mark.round, player=mark.player).first()
    at_table = by.table is not None and seat is not None and seat.table_id == by.table.pk
    if not at_table and not is_staff(by, event):
        raise Refused(_("Only this table and the staff may say who is missing."))
    return mark


@transaction.atomic
def mark_arrived(*, mark: LateArrival, by: Actor) -> LateArrival:
    """They are at the table now; how late they were stands from here on. A second press changes
    nothing."""
    mark = _lock_mark(mark, by)
    if mark.arrived_at is not None:
        return mark
    mark.arrived_at, mark.arrived_by = timezone.now(), by.signature
    mark.save(update_fields=["arrived_at", "arrived_by"])
    return _record("late.arrived", mark, by)


@transaction.atomic
def mark_still_missing(*, mark: LateArrival, by: Actor) -> LateArrival:
    """Take an arrival back that was none."""
    mark = _lock_mark(mark, by)
    if mark.arrived_at is None:
        return mark
    mark.arrived_at, mark.arrived_by = None, ""
    mark.save(update_fields=["arrived_at", "arrived_by"])
    return _record("late.arrival_undone", mark, by)


@transaction.atomic
def withdraw_mark(*, mark: LateArrival, by: Actor) -> LateArrival:
    """They were not late. The record stays in the log."""
    mark = _lock_mark(mark, by)
    mark.withdrawn_at = timezone.now()
    mark.save(update_fields=["withdrawn_at"])
    return _record("late.withdrawn", mark, by)


def _record(verb: str, mark: LateArrival, by: Actor) -> LateArrival:
    LogEntry.objects.record(verb, event=mark.round.event, by=by, about=mark.player)
    return mark
