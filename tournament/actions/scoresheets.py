"""A table's deals: entered, submitted, confirmed by a second person, reopened with a reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from tournament import rulebook
from tournament.actions.sheet_lock import (
    LockedSheet,
    bump_version,
    check_may_enter,
    lock_sheet,
    log_change,
)
from tournament.models import Deal, Event, Scoresheet, Submission
from tournament.models.actors import Actor
from tournament.models.scoresheets import SheetStatus, logged_deal
from tournament.models.versions import parts_touched
from tournament.policies import can_confirm, can_enter, is_staff, sits_at
from tournament.queries.cuts import is_frozen
from tournament.queries.scoresheets import first_gap, missing_deals
from tournament.refusals import Conflict, Refused, in_words
from tournament.states import SHEET_STEPS


@dataclass(frozen=True, slots=True)
class DealEntry:
    """What was tapped: a role per seat in sitting order, and the connector's seat or None; of an
    edition its facts as one short text."""

    roles: tuple[str, ...] = ()
    connector: int | None = None
    waive_reason: str = ""
    facts: str = ""


@transaction.atomic
def save_deal(
    *, sheet: Scoresheet, number: int, entry: DealEntry, version: int, by: Actor, key: str = ""
) -> Deal:
    """Enter or correct a deal. An illegal one is refused with the seats that are wrong; a save
    that did not see the latest version raises Conflict; the same key twice counts once."""
    locked = lock_sheet(sheet)
    if Submission.objects.processed(locked.event, key):
        return _as_it_was_saved(locked, number, entry)
    before = Deal.objects.filter(sheet=locked.sheet, number=number).first()
    return enter_deal(locked, number, before, entry, version=version, by=by, key=key)


def enter_deal(
    locked: LockedSheet,
    number: int,
    before: Deal | None,
    entry: DealEntry,
    *,
    version: int,
    by: Actor,
    key: str = "",
) -> Deal:
    """The same, at a sheet that is locked. `before`: what stands there."""
    check_may_enter(locked, by, version)
    if before is None and number not in missing_deals(locked.sheet, locked.round)[:1]:
        raise Refused(_("The deals are entered one after the other."))
    if before is not None and before.void and not is_staff(by, locked.event):
        raise Refused(_("A judge has made this deal void. Only the staff may enter it again."))
    if entry.waive_reason and not is_staff(by, locked.event):
        raise Refused(_("Only the staff may accept other roles than the rules give."))
    deal = Deal(
        sheet=locked.sheet,
        number=number,
        roles=rulebook.letters_of(entry.roles),
        connector=entry.connector,
        facts=entry.facts,
        counts_waived=bool(entry.waive_reason),
        reason=entry.waive_reason,
    )
    _check(locked, deal)
    return _store(
        locked, deal, before, "deal.entered" if before is None else "deal.corrected", by, key
    )


def _as_it_was_saved(locked: LockedSheet, number: int, entry: DealEntry) -> Deal:
    """The deal of a submission that comes a second time, if it still stands as it was entered."""
    deal = Deal.objects.filter(sheet=locked.sheet, number=number).first()
    if deal is None:
        raise Conflict(_("This deal was taken out meanwhile. Look at the sheet, then enter it."))
    sent = (rulebook.letters_of(entry.roles), entry.connector, entry.facts, False)
    if (deal.roles, deal.connector, deal.facts, deal.void) != sent:
        raise Conflict(
            _("This was saved already, and corrected since. Look at what stands there now.")
        )
    return deal


def _check(locked: LockedSheet, deal: Deal) -> None:
    size, event = len(locked.seats), locked.event
    # What a phone kept of an event that was of another game then.
    if bool(deal.facts) != (rulebook.edition_of(event) is not None):
        raise Refused(_("This event plays another game."))
    try:
        if rulebook.facts_of(event, deal).seats != size:
            raise Refused(_("Every seat needs a role."))
        check_deals(locked, [deal])
    except Refusal as refusal:
        raise in_words(refusal, locked.names) from refusal


def check_deals(locked: LockedSheet, changed: Sequence[Deal]) -> None:
    """These deals beside the sheet's others, which an edition's rules ask about as well: what a
    thief finds, what the box still holds. Raises `scoring.Refusal`."""
    event, numbers = locked.event, {deal.number for deal in changed}
    others: Iterable[Deal] = ()
    losses: rulebook.LostBy = {}
    if rulebook.edition_of(event):
        others = locked.sheet.deals.exclude(number__in=numbers)
        losses = rulebook.losses_at(event, locked.round, locked.seats)
    for _scored in rulebook.results_of(event, [*others, *changed], losses, len(locked.seats)):
        pass


def _store(
    locked: LockedSheet, deal: Deal, before: Deal | None, verb: str, by: Actor, key: str
) -> Deal:
    if before is not None:
        deal.pk = before.pk
    deal.save()
    bump_version(locked.sheet)
    log_change(
        locked,
        verb,
        by,
        before=logged_deal(before),
        after=logged_deal(deal),
        reason=deal.reason,
        key=key,
    )
    return deal


@transaction.atomic
def void_deal(
    *,
    sheet: Scoresheet,
    number: int,
    replay: bool,
    reason: str,
    version: int,
    by: Actor,
    key: str = "",
) -> Scoresheet:
    """A judge voids a deal: it counts as played with nothing for anybody, or its line is taken
    out and it is played again. The log keeps what stood there."""
    locked = lock_sheet(sheet)
    if Submission.objects.processed(locked.event, key):
        return locked.sheet
    check_may_enter(locked, by, version)
    if not is_staff(by, locked.event):
        raise Refused(_("Only a judge may void a deal."))
    if not reason:
        raise Refused(_("Say why the deal is void."))
    before = Deal.objects.filter(sheet=locked.sheet, number=number).first()
    if replay:
        if before is None:
            raise Refused(_("This deal was not entered: there is nothing to take out."))
        before_facts = logged_deal(before)
        before.delete()
        bump_version(locked.sheet)
        log_change(locked, "deal.replayed", by, before=before_facts, reason=reason, key=key)
        return locked.sheet
    if before is None and number not in missing_deals(locked.sheet, locked.round)[:1]:
        raise Refused(_("The deals are entered one after the other."))
    roles = before.roles if before else ""
    deal = Deal(
        sheet=locked.sheet,
        number=number,
        roles=roles,
        facts=before.facts if before else "",
        connector=before.connector if before and roles else None,
        counts_waived=before.counts_waived if before else False,
        void=True,
        reason=reason,
    )
    _store(locked, deal, before, "deal.voided", by, key)
    return locked.sheet


@transaction.atomic
def submit_sheet(
    *, sheet: Scoresheet, by: Actor, short_reason: str = "", key: str = ""
) -> Scoresheet:
    """Hand the sheet in. All deals must be there; the staff may hand in fewer with a reason.
    Where the event waives the second person, the sheet is confirmed at once."""
    locked = lock_sheet(sheet)
    if Submission.objects.processed(locked.event, key):
        return locked.sheet
    sheet = locked.sheet
    step = SHEET_STEPS["submit"]
    if sheet.status not in step.sources:
        raise Conflict(_("This sheet was submitted already."))
    if not can_enter(by, sheet, locked.event):
        raise Refused(_("Only this table and the staff may submit its sheet."))
    missing = missing_deals(sheet, locked.round)
    if missing and not (
        short_reason and is_staff(by, locked.event) and first_gap(locked.sheet) is None
    ):
        raise Refused(
            _("Not entered yet: deal %(numbers)s.")
            % {"numbers": ", ".join(str(number) for number in missing)}
        )
    sheet.status = step.target
    sheet.submitted_by, sheet.submitted_at = by.ref, timezone.now()
    sheet.reopen_reason = ""
    if not locked.event.second_person:
        _mark_confirmed(sheet, by)
    sheet.version += 1
    sheet.save()
    counts = sheet.status == SheetStatus.CONFIRMED
    log_change(
        locked,
        step.verb,
        by,
        after=sheet.status,
        reason=short_reason,
        key=key,
        parts=parts_touched(SHEET_STEPS["confirm"].verb) if counts else None,
    )
    return sheet


def _mark_confirmed(sheet: Scoresheet, by: Actor) -> None:
    sheet.status = SHEET_STEPS["confirm"].target
    sheet.confirmed_by, sheet.confirmed_at = by.ref, timezone.now()


@transaction.atomic
def confirm_sheet(
    *, sheet: Scoresheet, version: int, by: Actor, signed: bool = False, key: str = ""
) -> Scoresheet:
    """Count the sheet in the standings. `signed`: whoever typed it in has the paper with both
    signatures, which is the second person."""
    locked = lock_sheet(sheet)
    if Submission.objects.processed(locked.event, key):
        return locked.sheet
    sheet = locked.sheet
    step = SHEET_STEPS["confirm"]
    if sheet.status not in step.sources:
        raise Conflict(_("This sheet is not waiting for confirmation."))
    if sheet.version != version:
        raise Conflict(_("The sheet changed while you read it. Read it again, then confirm."))
    if not can_confirm(by, sheet, locked.event) and not (signed and is_staff(by, locked.event)):
        raise Refused(
            _(
                "A second person has to confirm: somebody of this table who did not submit it; "
                "or the staff, where the paper carries both signatures."
            )
        )
    _mark_confirmed(sheet, by)
    sheet.version += 1
    sheet.save()
    log_change(
        locked,
        step.verb,
        by,
        after={"signed": True} if signed else None,
        key=key,
    )
    return sheet


@transaction.atomic
def reopen_sheet(*, sheet: Scoresheet, reason: str, by: Actor, key: str = "") -> Scoresheet:
    """Back to open, with a reason. The table may take back a sheet that waits; a confirmed one
    is for the staff, and not after the cut."""
    Event.objects.lock(sheet.table.round.event_id)  # so that no cut is made meanwhile
    locked = lock_sheet(sheet)
    if Submission.objects.processed(locked.event, key):
        return locked.sheet
    sheet = locked.sheet
    if sheet.is_bye:
        raise Refused(_("Nobody plays at this table: there is nothing to enter."))
    step = SHEET_STEPS["reopen"]
    if sheet.status not in step.sources:
        raise Conflict(_("This sheet is open already."))
    if not reason:
        raise Refused(_("Say why the sheet is reopened."))
    staff = is_staff(by, locked.event)
    if sheet.status == SheetStatus.CONFIRMED and not staff:
        raise Refused(_("A confirmed sheet can only be reopened by a judge or the organiser."))
    if not staff and not sits_at(by, sheet):
        raise Refused(_("Only this table and the staff may take the sheet back."))
    if is_frozen(locked.event, locked.round.stage):
        raise Refused(_("The cut is made. Undo it before a sheet is reopened."))
    before = sheet.status
    sheet.status = step.target
    sheet.submitted_by = sheet.confirmed_by = ""
    sheet.submitted_at = sheet.confirmed_at = None
    sheet.reopen_reason = reason[:200]
    sheet.version += 1
    sheet.save()
    log_change(locked, step.verb, by, before=before, reason=reason, key=key)
    return sheet
