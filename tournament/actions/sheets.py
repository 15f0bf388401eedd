"""A table's deals: entered, submitted, confirmed by a second person, reopened with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.deals import score_deal
from scoring.refusal import Refusal
from scoring.sheets import read_points
from tournament import rulebook
from tournament.actor import Actor
from tournament.models import Deal, Event, LogEntry, Round, Scoresheet, Seat, Table
from tournament.models.events import EventStatus
from tournament.models.rounds import RoundStatus
from tournament.models.sheets import SheetStatus
from tournament.policies import can_confirm, can_enter, is_staff, sits_at
from tournament.refused import Conflict, Refused, refused


@dataclass(frozen=True, slots=True)
class DealEntry:
    """What was tapped: a role per seat in sitting order, and the connector's seat or None."""

    roles: tuple[str, ...]
    connector: int | None
    waive_reason: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """A locked sheet with what every change of it needs."""

    sheet: Scoresheet
    event: Event
    round: Round
    seats: tuple[Seat, ...]

    @property
    def names(self) -> list[str]:
        return [seat.player.public_name for seat in self.seats]


def _open(sheet: Scoresheet) -> Opened:
    sheet = Scoresheet.objects.lock(sheet.pk)
    # Read after the lock: whoever held it may have moved the round.
    sheet.table = Table.objects.select_related("round__event").get(pk=sheet.table_id)
    round_ = sheet.table.round
    if round_.event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished. Its sheets are closed."))
    if round_.status not in (RoundStatus.PUBLISHED, RoundStatus.CLOSED):
        raise Refused(_("This round is not being played."))
    seats = tuple(sheet.table.seats.select_related("player").order_by("position"))
    return Opened(sheet, round_.event, round_, seats)


def _enter(opened: Opened, by: Actor, version: int) -> None:
    """Refuse whoever may not enter, and a save that did not see the latest one."""
    sheet = opened.sheet
    if sheet.status != SheetStatus.OPEN:
        raise Conflict(
            _("This sheet was submitted. It has to be reopened before it can be changed.")
        )
    if not can_enter(by, sheet, opened.event):
        raise Refused(_("Only this table and the staff may enter its deals."))
    if sheet.version != version:
        raise Conflict(
            _("Somebody else changed this sheet meanwhile. Look at both, then save again.")
        )


def _log(opened: Opened, verb: str, by: Actor, **more: object) -> None:
    table = opened.sheet.table
    LogEntry.objects.record(
        verb,
        event=opened.event,
        by=by,
        about=opened.sheet,
        label=f"{opened.round.label}, {table}",
        **more,  # type: ignore[arg-type]
    )


def plain(deal: Deal | None) -> dict[str, object] | None:
    """The stored facts of a deal, for the log."""
    if deal is None:
        return None
    shown: dict[str, object] = {"deal": deal.number, "connector": deal.connector}
    shown |= {"roles": deal.roles} if deal.roles else {"points": deal.points}
    return (
        shown
        | ({"void": True} if deal.void else {})
        | ({"reason": deal.reason} if deal.reason else {})
    )


@transaction.atomic
def save_deal(
    *, sheet: Scoresheet, number: int, entry: DealEntry, version: int, by: Actor, key: str = ""
) -> Deal:
    """Enter or correct a deal. An illegal one is refused with the seats that are wrong; a save
    that did not see the latest version raises Conflict; the same key twice counts once."""
    opened = _open(sheet)
    if LogEntry.objects.done(opened.event, key):
        if deal := Deal.objects.filter(sheet=opened.sheet, number=number).first():
            return deal
        raise Conflict(_("This deal was taken out meanwhile. Look at the sheet, then enter it."))
    _enter(opened, by, version)
    before = Deal.objects.filter(sheet=opened.sheet, number=number).first()
    if before is None and number not in missing_deals(opened.sheet, opened.round)[:1]:
        raise Refused(_("The deals are entered one after the other."))
    if entry.waive_reason and not is_staff(by, opened.event):
        raise Refused(_("Only the staff may accept other roles than the rules give."))
    deal = Deal(
        sheet=opened.sheet,
        number=number,
        roles=rulebook.letters_of(entry.roles),
        connector=entry.connector,
        counts_waived=bool(entry.waive_reason),
        reason=entry.waive_reason,
    )
    _check(opened, deal)
    return _store(
        opened, deal, before, "deal.entered" if before is None else "deal.corrected", by, key
    )


def _check(opened: Opened, deal: Deal) -> None:
    if deal.roles and len(deal.roles) != len(opened.seats):
        raise Refused(_("Every seat needs a role."))
    try:
        score_deal(
            rulebook.ruleset_of(opened.event),
            rulebook.facts_of(deal),
            seats=len(opened.seats),
        )
    except Refusal as refusal:
        raise refused(refusal, opened.names) from refusal


def _store(opened: Opened, deal: Deal, before: Deal | None, verb: str, by: Actor, key: str) -> Deal:
    if before is not None:
        deal.pk = before.pk
    deal.save()
    _bump(opened.sheet)
    _log(opened, verb, by, before=plain(before), after=plain(deal), reason=deal.reason, key=key)
    return deal


def _bump(sheet: Scoresheet) -> None:
    sheet.version += 1
    sheet.save(update_fields=["version"])


def missing_deals(sheet: Scoresheet, round_: Round) -> list[int]:
    """Numbers of the deals not entered yet, in order."""
    entered = set(Deal.objects.filter(sheet=sheet).values_list("number", flat=True))
    return [number for number in range(1, round_.deals + 1) if number not in entered]


@transaction.atomic
def save_points(
    *,
    sheet: Scoresheet,
    columns: Sequence[Sequence[int] | None],
    version: int,
    by: Actor,
    key: str = "",
) -> Scoresheet:
    """Type a paper sheet: per deal the points of each seat in sitting order, None where the
    deal was not played. Deals known by their roles stay so when the points agree with them."""
    opened = _open(sheet)
    if LogEntry.objects.done(opened.event, key):
        return opened.sheet
    _enter(opened, by, version)
    stored = {deal.number: deal for deal in opened.sheet.deals.all()}
    losses = rulebook.losses_at(opened.event, opened.round, opened.seats)
    before, after = [], []
    for number, column in enumerate(columns, 1):
        known = stored.get(number)
        if column is None:
            if known is not None:
                raise Refused(
                    _("Deal %(number)d was entered already; it can't be left empty.")
                    % {"number": number}
                )
            continue
        if known is not None and _agrees(opened, known, column, losses.get(number, frozenset())):
            continue
        deal = _typed(opened, number, column, losses.get(number, frozenset()))
        deal.pk = known.pk if known is not None else None
        deal.save()
        before.append(plain(known))
        after.append(plain(deal))
    if missing := _gap(opened):
        raise Refused(_("Deal %(number)d is empty, but a later one is not.") % {"number": missing})
    _bump(opened.sheet)
    _log(opened, "sheet.typed", by, before=before, after=after, key=key)
    return opened.sheet


def _agrees(opened: Opened, deal: Deal, column: Sequence[int], losses: frozenset[int]) -> bool:
    result = rulebook.result_of(opened.event, deal, losses, len(opened.seats))
    return tuple(column) == result.points


def _typed(opened: Opened, number: int, column: Sequence[int], losses: frozenset[int]) -> Deal:
    try:
        read_points(rulebook.ruleset_of(opened.event), tuple(column), losses)
    except Refusal as refusal:
        words = refused(refusal, opened.names)
        raise Refused(
            _("Deal %(number)d: %(why)s") % {"number": number, "why": words.message},
            code=f"deal-{number}",
            seats=words.seats,
        ) from refusal
    return Deal(sheet=opened.sheet, number=number, points="".join(str(one) for one in column))


def _gap(opened: Opened) -> int | None:
    """The first deal missing before a later one that is there."""
    entered = set(opened.sheet.deals.values_list("number", flat=True))
    return next((n for n in range(1, max(entered, default=0)) if n not in entered), None)


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
    opened = _open(sheet)
    if LogEntry.objects.done(opened.event, key):
        return opened.sheet
    _enter(opened, by, version)
    if not is_staff(by, opened.event):
        raise Refused(_("Only a judge may void a deal."))
    if not reason:
        raise Refused(_("Say why the deal is void."))
    before = Deal.objects.filter(sheet=opened.sheet, number=number).first()
    if replay:
        if before is None:
            raise Refused(_("This deal was not entered: there is nothing to take out."))
        before_facts = plain(before)
        before.delete()
        _bump(opened.sheet)
        _log(opened, "deal.replayed", by, before=before_facts, reason=reason, key=key)
        return opened.sheet
    if before is None and number not in missing_deals(opened.sheet, opened.round)[:1]:
        raise Refused(_("The deals are entered one after the other."))
    roles = before.roles if before else ""
    deal = Deal(
        sheet=opened.sheet,
        number=number,
        roles=roles,
        connector=before.connector if before and roles else None,
        counts_waived=before.counts_waived if before else False,
        void=True,
        reason=reason,
    )
    _store(opened, deal, before, "deal.voided", by, key)
    return opened.sheet


@transaction.atomic
def submit_sheet(
    *, sheet: Scoresheet, by: Actor, short_reason: str = "", key: str = ""
) -> Scoresheet:
    """Hand the sheet in. All deals must be there; the staff may hand in fewer with a reason.
    Where the event waives the second person, the sheet is confirmed at once."""
    opened = _open(sheet)
    if LogEntry.objects.done(opened.event, key):
        return opened.sheet
    sheet = opened.sheet
    if sheet.status != SheetStatus.OPEN:
        raise Conflict(_("This sheet was submitted already."))
    if not can_enter(by, sheet, opened.event):
        raise Refused(_("Only this table and the staff may submit its sheet."))
    missing = missing_deals(sheet, opened.round)
    if missing and not (short_reason and is_staff(by, opened.event) and _gap(opened) is None):
        raise Refused(
            _("Not entered yet: deal %(numbers)s.")
            % {"numbers": ", ".join(str(number) for number in missing)}
        )
    sheet.status = SheetStatus.SUBMITTED
    sheet.submitted_by, sheet.submitted_at = by.ref, timezone.now()
    if not opened.event.second_person:
        _mark_confirmed(sheet, by)
    sheet.version += 1
    sheet.save()
    _log(opened, "sheet.submitted", by, after=sheet.status, reason=short_reason, key=key)
    return sheet


def _mark_confirmed(sheet: Scoresheet, by: Actor) -> None:
    sheet.status = SheetStatus.CONFIRMED
    sheet.confirmed_by, sheet.confirmed_at = by.ref, timezone.now()


@transaction.atomic
def confirm_sheet(
    *, sheet: Scoresheet, version: int, by: Actor, signed: bool = False, key: str = ""
) -> Scoresheet:
    """Count the sheet in the standings. `signed`: whoever typed it in has the paper with both
    signatures, which is the second person."""
    opened = _open(sheet)
    if LogEntry.objects.done(opened.event, key):
        return opened.sheet
    sheet = opened.sheet
    if sheet.status != SheetStatus.SUBMITTED:
        raise Conflict(_("This sheet is not waiting for confirmation."))
    if sheet.version != version:
        raise Conflict(_("The sheet changed while you read it. Read it again, then confirm."))
    if not can_confirm(by, sheet, opened.event) and not (signed and is_staff(by, opened.event)):
        raise Refused(
            _("A second person has to confirm: somebody of this table who did not submit it.")
        )
    _mark_confirmed(sheet, by)
    sheet.version += 1
    sheet.save()
    _log(
        opened,
        "sheet.confirmed",
        by,
        reason=_("both signatures on paper") if signed else "",
        key=key,
    )
    return sheet


@transaction.atomic
def reopen_sheet(*, sheet: Scoresheet, reason: str, by: Actor, key: str = "") -> Scoresheet:
    """Back to open, with a reason. The table may take back a sheet that waits; a confirmed one
    is for the staff, and not after the cut."""
    Event.objects.lock(sheet.table.round.event_id)  # so that no cut is made meanwhile
    opened = _open(sheet)
    if LogEntry.objects.done(opened.event, key):
        return opened.sheet
    sheet = opened.sheet
    if sheet.status == SheetStatus.OPEN:
        raise Conflict(_("This sheet is open already."))
    if not reason:
        raise Refused(_("Say why the sheet is reopened."))
    staff = is_staff(by, opened.event)
    if sheet.status == SheetStatus.CONFIRMED and not staff:
        raise Refused(_("A confirmed sheet can only be reopened by a judge or the organiser."))
    if not staff and not sits_at(by, sheet):
        raise Refused(_("Only this table and the staff may take the sheet back."))
    if not opened.round.is_final and opened.event.cuts.filter(undone_at=None).exists():
        raise Refused(_("The cut is made. Undo it before a sheet is reopened."))
    before = sheet.status
    sheet.status = SheetStatus.OPEN
    sheet.submitted_by = sheet.confirmed_by = ""
    sheet.submitted_at = sheet.confirmed_at = None
    sheet.version += 1
    sheet.save()
    _log(opened, "sheet.reopened", by, before=before, reason=reason, key=key)
    return sheet
