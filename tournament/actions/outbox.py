"""What a table's phone kept until it had net, carried out as it arrives: each entry once, and
against what that phone saw. Two phones of one table meet the same rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from tournament import rulebook
from tournament.actions import scoresheets
from tournament.actions.sheet_lock import LockedSheet, lock_sheet, log_change
from tournament.models import Deal, LogEntry, Scoresheet, Submission, Table
from tournament.models.actors import Actor
from tournament.models.scoresheets import SheetStatus, logged_deal
from tournament.queries.scoresheets import deal_texts
from tournament.refusals import Conflict, Refused

SEATED_ANEW = "seated_anew"
KEY_REUSED = "key_reused"
MOST_DECLINED = 20  # of one sheet: who gives up more would push all else out of its history


class Kind(StrEnum):
    DEAL = "deal"
    DECLINED = "declined"  # a deal that its table gave up for the one that stands
    SUBMIT = "submit"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """`players`: start numbers in sitting order, as the phone saw them. `seen`: the deals that
    stood there as far as it knew (`Deal.text`, "" for none): of a deal that one, else all in order.
    `roles`: letters as they are stored, of an edition `facts`; `seat`: who confirms; `reopened`:
    whether the phone knew that the sheet was opened again."""

    kind: Kind
    players: tuple[int, ...]
    seen: tuple[str, ...] = ()
    number: int = 0
    roles: str = ""
    connector: int | None = None
    facts: str = ""
    seat: int = 0
    reopened: bool = False

    def deal(self, sheet: Scoresheet) -> Deal:
        """The deal that was entered, not stored."""
        return Deal(
            sheet=sheet,
            number=self.number,
            roles=self.roles,
            connector=self.connector,
            facts=self.facts,
        )


@transaction.atomic
def carry_out(*, table: Table, entry: OutboxEntry, key: str, by: Actor) -> Scoresheet:
    """Carry an entry out, once for each key. What stands there already just as it was sent is
    nobody's conflict. Raises Conflict if something else stands there than was seen, `SEATED_ANEW`
    if others sit at the table, `KEY_REUSED` if the key came with another entry."""
    locked = lock_sheet(table.sheet)
    content = _digest(table, entry)
    known = Submission.objects.filter(event=locked.event, key=key)
    if (before := known.values_list("content", flat=True).first()) is not None:
        if before != content:
            raise Refused(_("This mark was used for something else."), code=KEY_REUSED)
        return locked.sheet
    if entry.players != tuple(seat.player.number for seat in locked.seats):
        raise Refused(
            _("This table was seated anew since. Show what you entered to a judge."),
            code=SEATED_ANEW,
        )
    sheet = _ACTIONS[entry.kind](locked, entry, by)
    Submission.objects.remember(locked.event, key, sheet, content)
    return sheet


def _digest(table: Table, entry: OutboxEntry) -> str:
    said = json.dumps([table.pk, asdict(entry)], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()


def _enter(locked: LockedSheet, entry: OutboxEntry, by: Actor) -> Scoresheet:
    stored = Deal.objects.filter(sheet=locked.sheet, number=entry.number).first()
    stands = stored.text if stored is not None else ""
    if stands == entry.deal(locked.sheet).text:
        return locked.sheet
    if entry.seen != (stands,):
        raise Conflict(_("Something else stands there now than this phone knew of."))
    tapped = scoresheets.DealEntry(
        roles=tuple(rulebook.LETTERS[letter] for letter in entry.roles),
        connector=entry.connector,
        facts=entry.facts,
    )
    seen = locked.sheet.version
    scoresheets.enter_deal(locked, entry.number, stored, tapped, version=seen, by=by)
    return locked.sheet


def _decline(locked: LockedSheet, entry: OutboxEntry, by: Actor) -> Scoresheet:
    """Nothing of what was entered is lost: the log has it, once."""
    given_up = logged_deal(entry.deal(locked.sheet))
    logged = LogEntry.objects.about(locked.sheet).filter(verb="deal.declined")
    before = list(logged.values_list("after", flat=True)[:MOST_DECLINED])
    if given_up in before:
        return locked.sheet
    if len(before) == MOST_DECLINED:
        raise Refused(
            _("This table has given up too many deals. Show what you entered to a judge.")
        )
    log_change(locked, "deal.declined", by, after=given_up)
    return locked.sheet


def _submit(locked: LockedSheet, entry: OutboxEntry, by: Actor) -> Scoresheet:
    _check_seen(locked, entry)
    if locked.sheet.status != SheetStatus.OPEN:
        return locked.sheet
    return scoresheets.submit_sheet(sheet=locked.sheet, by=by)


def _confirm(locked: LockedSheet, entry: OutboxEntry, by: Actor) -> Scoresheet:
    _check_seen(locked, entry)
    if locked.sheet.status == SheetStatus.CONFIRMED:
        return locked.sheet
    person = next((seat.player for seat in locked.seats if seat.position == entry.seat), None)
    if person is None:
        raise Refused(_("Say who confirms."))
    return scoresheets.confirm_sheet(
        sheet=locked.sheet,
        version=locked.sheet.version,
        by=by.as_player(person),
    )


def _check_seen(locked: LockedSheet, entry: OutboxEntry) -> None:
    """Who hands in or confirms has read these deals, and knows if the sheet was opened again."""
    if entry.seen != deal_texts(locked.sheet, locked.round):
        raise Conflict(_("The sheet is not as this phone showed it. Read it again."))
    if locked.sheet.reopen_reason and not entry.reopened:
        raise Conflict(
            _("This sheet was opened again: %(reason)s") % {"reason": locked.sheet.reopen_reason}
        )


_ACTIONS: Mapping[Kind, Callable[[LockedSheet, OutboxEntry, Actor], Scoresheet]] = {
    Kind.DEAL: _enter,
    Kind.DECLINED: _decline,
    Kind.SUBMIT: _submit,
    Kind.CONFIRM: _confirm,
}
