"""A paper sheet typed in as points alone."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from tournament import rulebook
from tournament.actions.scoresheets import (
    check_deals,
    confirm_sheet,
    reopen_sheet,
    submit_sheet,
)
from tournament.actions.sheet_lock import (
    LockedSheet,
    bump_version,
    check_may_enter,
    check_version,
    lock_sheet,
    log_change,
)
from tournament.models import Deal, Event, Scoresheet, Submission
from tournament.models.actors import Actor
from tournament.models.scoresheets import SheetStatus, logged_deal
from tournament.queries.scoresheets import first_gap, missing_deals
from tournament.refusals import Conflict, Refused, in_words

type Columns = Sequence[Sequence[int] | None]


@transaction.atomic
def type_sheet(
    *,
    sheet: Scoresheet,
    columns: Columns,
    version: int,
    by: Actor,
    signed: bool = False,
    reason: str = "",
    key: str = "",
) -> Scoresheet:
    """Type a whole paper sheet. `signed`: it carries both signatures, so it is submitted and
    confirmed in the same go. With a `reason` it corrects what stands there, and opens a sheet that
    was handed in; one that says what the paper says is left as it is."""
    Event.objects.lock(sheet.table.round.event_id)  # as reopening does: event, then sheet
    locked = lock_sheet(sheet)
    if Submission.objects.processed(locked.event, key):
        return locked.sheet
    check_version(locked, version)
    if not any(columns):
        raise Refused(_("Nothing is typed yet."))
    # Nobody has to confirm where there is no second person: what is typed in full is handed in.
    signed = signed or (not locked.event.second_person and _complete(locked, columns))
    # Only the last action that runs may keep the key: after an earlier one the next would take
    # itself for done.
    sheet = _opened_again(locked, columns, by, reason)
    if sheet.status == SheetStatus.OPEN:
        sheet = save_points(
            sheet=sheet,
            columns=columns,
            version=sheet.version,
            by=by,
            reason=reason,
            key="" if signed else key,
        )
    return _handed_in(sheet, locked, by, reason, key) if signed else sheet


def _complete(locked: LockedSheet, columns: Columns) -> bool:
    """Whether each deal is typed now or was entered before."""
    typed = {number for number, column in enumerate(columns, 1) if column is not None}
    return typed >= set(missing_deals(locked.sheet, locked.round))


def _opened_again(locked: LockedSheet, columns: Columns, by: Actor, reason: str) -> Scoresheet:
    """The sheet as it is if it is open or the paper says the same; else opened with the reason."""
    sheet = locked.sheet
    if sheet.status == SheetStatus.OPEN or not _changes(locked, columns):
        return sheet
    if not reason:
        raise Refused(
            _(
                "This sheet was handed in, and the paper says something else. "
                "With a reason it is opened again and corrected."
            ),
            code="reason",
        )
    return reopen_sheet(sheet=sheet, reason=reason, by=by)


def _handed_in(
    sheet: Scoresheet, locked: LockedSheet, by: Actor, reason: str, key: str
) -> Scoresheet:
    """Submitted and confirmed by the signatures, as far as it is not yet."""
    second = locked.event.second_person
    if sheet.status == SheetStatus.OPEN:
        sheet = submit_sheet(sheet=sheet, by=by, short_reason=reason, key="" if second else key)
    if sheet.status == SheetStatus.SUBMITTED:
        sheet = confirm_sheet(sheet=sheet, version=sheet.version, by=by, signed=True, key=key)
    return sheet


@transaction.atomic
def save_points(
    *,
    sheet: Scoresheet,
    columns: Columns,
    version: int,
    by: Actor,
    reason: str = "",
    key: str = "",
) -> Scoresheet:
    """Per deal the points of each seat in sitting order; None leaves the deal as it stands. Deals
    known by their roles stay so when the points agree with them; where something else stands, the
    correction needs its reason."""
    locked = lock_sheet(sheet)
    if Submission.objects.processed(locked.event, key):
        if _changes(locked, columns):
            raise Conflict(
                _("This was saved already, and corrected since. Look at what stands there now.")
            )
        return locked.sheet
    check_may_enter(locked, by, version)
    changes = _changes(locked, columns)
    if overwritten := [str(deal.number) for known, deal in changes if known is not None]:
        _require_reason(overwritten, reason)
    if rulebook.edition_of(locked.event):
        _check_together(locked, [deal for _known, deal in changes])
    for known, deal in changes:
        deal.pk = known.pk if known is not None else None
        deal.save()
    if missing := first_gap(locked.sheet):
        raise Refused(_("Deal %(number)d is empty, but a later one is not.") % {"number": missing})
    if changes:
        bump_version(locked.sheet)
        before = [logged_deal(known) for known, _deal in changes]
        after = [logged_deal(deal) for _known, deal in changes]
        log_change(
            locked,
            "sheet.typed",
            by,
            before=before,
            after=after,
            reason=reason if overwritten else "",
            key=key,
        )
    return locked.sheet


def _check_together(locked: LockedSheet, deals: Sequence[Deal]) -> None:
    try:
        check_deals(locked, deals)
    except Refusal as refusal:
        raise in_words(refusal, locked.names) from refusal


def _require_reason(numbers: Sequence[str], reason: str) -> None:
    if reason:
        return
    raise Refused(
        _("Something else stands on the sheet: deal %(numbers)s. Give the reason for the change.")
        % {"numbers": ", ".join(numbers)},
        code="reason",
    )


def _changes(locked: LockedSheet, columns: Columns) -> list[tuple[Deal | None, Deal]]:
    """What stood there, and the deal as it is typed, where the two differ."""
    stored = {deal.number: deal for deal in locked.sheet.deals.all()}
    losses = rulebook.losses_at(locked.event, locked.round, locked.seats)
    found = []
    for number, column in enumerate(columns, 1):
        known, lost = stored.get(number), losses.get(number, frozenset())
        if column is None or (known is not None and _agrees(locked, known, column, lost)):
            continue
        if known is not None and known.void:
            raise Refused(
                _("Deal %(number)d is void. Leave its column empty.") % {"number": number}
            )
        found.append((known, _typed(locked, number, column, lost)))
    return found


def _agrees(locked: LockedSheet, deal: Deal, column: Sequence[int], losses: frozenset[int]) -> bool:
    """Whether the deal says the same; a seat with a deal loss may show what it would have got."""
    if deal.points:
        return deal.points == rulebook.points_as_text(rulebook.ruleset_of(locked.event), column)
    scored = rulebook.results_of(
        locked.event,
        locked.sheet.deals.all() if rulebook.edition_of(locked.event) else [deal],
        {deal.number: losses},
        len(locked.seats),
    )
    result = next(result for one, result in scored if one.pk == deal.pk)
    pairs = enumerate(zip(column, result.points, strict=True), 1)
    return all(typed == stands for seat, (typed, stands) in pairs if seat not in losses)


def _typed(locked: LockedSheet, number: int, column: Sequence[int], losses: frozenset[int]) -> Deal:
    rules = rulebook.ruleset_of(locked.event)
    try:
        rulebook.check_points(rules, tuple(column), losses)
    except Refusal as refusal:
        words = in_words(refusal, locked.names)
        raise Refused(
            _("Deal %(number)d: %(why)s") % {"number": number, "why": words.message},
            code=f"deal-{number}",
            seats=words.seats,
        ) from refusal
    points = rulebook.points_as_text(rules, column)
    return Deal(sheet=locked.sheet, number=number, points=points)
