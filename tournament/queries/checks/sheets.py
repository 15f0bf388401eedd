"""What stands on the sheets, and how far each of them is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from tournament import rulebook
from tournament.models import Deal, Round, Scoresheet, Seat, Table
from tournament.models.events import EventStatus
from tournament.models.penalties import PenaltyStep
from tournament.models.rounds import RoundStatus
from tournament.models.scoresheets import SheetStatus
from tournament.queries.checks.facts import Facts
from tournament.refusals import in_words

type _Losses = Mapping[tuple[str, int | None, int | None], set[int]]


def deals_legal(facts: Facts) -> Iterator[str]:
    """Every deal of a round in force pays something by the rules."""
    lost = _losses(facts)
    for round_, table, sheet in facts.sheets_of(facts.in_force):
        seats = facts.seats.get(table.pk, [])
        deals = facts.deals.get(sheet.pk, ())
        losses = {
            deal.number: frozenset(
                seat.position
                for seat in seats
                if seat.player_id in lost.get((round_.stage, round_.number, deal.number), ())
            )
            for deal in deals
        }
        for deal in deals:
            if words := _illegal(facts, deal, deals, seats, losses):
                yield words % {"deal": facts.deal_place(table, deal.number)}


def _illegal(
    facts: Facts,
    deal: Deal,
    deals: Sequence[Deal],
    seats: Sequence[Seat],
    losses: rulebook.LostBy,
) -> str:
    """Why this deal cannot be; empty if it can. `losses`: who gets nothing for which deal."""
    event = facts.event
    # Of an edition what comes before it is asked as well; what is wrong there is told there.
    until = [one for one in deals if one.number < deal.number] if rulebook.edition_of(event) else []
    try:
        if rulebook.first_wrong(event, until, losses, len(seats)):
            until = []
        stored = rulebook.facts_of(event, deal)
        for _scored in rulebook.results_of(event, [*until, deal], losses, len(seats)):
            pass
    except Refusal as refusal:
        names = [facts.name(seat.player_id) for seat in seats]
        return f"%(deal)s: {in_words(refusal, names).message.replace('%', '%%')}"
    except (KeyError, ValueError):
        return _("%(deal)s: what is stored is no deal.")
    if stored.seats not in (None, len(seats)):
        return _("%(deal)s is of a table of another size.")
    return ""


def _losses(facts: Facts) -> _Losses:
    """(stage, round, deal) -> the players who get nothing for it."""
    found: dict[tuple[str, int | None, int | None], set[int]] = defaultdict(set)
    for one in facts.penalties:
        if one.active and one.step >= PenaltyStep.DEAL_LOSS:
            found[one.stage, one.round_number, one.deal_number].add(one.player_id)
    return found


def deals_complete(facts: Facts) -> Iterator[str]:
    """A sheet that was handed in has all its deals, or the staff said why not; none has more."""
    for round_, table, sheet in facts.sheets_of(facts.in_force):
        if is_bye(facts, table, sheet):
            continue
        numbers = [deal.number for deal in facts.deals.get(sheet.pk, ())]
        whole = list(range(1, round_.deals + 1))
        named = {"table": facts.place(table)}
        if round_.status == RoundStatus.DRAWN and numbers:
            yield _("%(table)s has deals, but its round is a draft.") % named
        if not set(numbers) <= set(whole):
            yield _("%(table)s has more deals than its round.") % named
        if sheet.status == SheetStatus.OPEN or numbers == whole:
            continue
        short = facts.told.sheets[sheet.pk].short or not facts.told.whole
        if not short or numbers != whole[: len(numbers)]:
            yield _("%(table)s was handed in, but a deal is missing.") % named


def sheets_in_their_states(facts: Facts) -> Iterator[str]:
    """Who handed in and confirmed, and when, fits the state; a second person did, where one has
    to."""
    for _round, table, sheet in facts.sheets_of(facts.in_force):
        named = {"table": facts.place(table)}
        if is_bye(facts, table, sheet):
            continue
        if not _fits(sheet, by_whom=facts.told.whole):
            yield (
                _("%(table)s: who handed the sheet in and confirmed it does not fit its state.")
                % named
            )
        elif sheet.status == SheetStatus.CONFIRMED and not _second_person(facts, sheet):
            yield _("%(table)s was confirmed by whoever handed it in.") % named


def is_bye(facts: Facts, table: Table, sheet: Scoresheet) -> bool:
    """Whoever is without an opponent plays nothing, and hands nothing in."""
    alone = len(facts.seats.get(table.pk, ())) == 1 and not facts.deals.get(sheet.pk)
    return alone and rulebook.has_byes(facts.event)


def _fits(sheet: Scoresheet, *, by_whom: bool) -> bool:
    submitted = sheet.status != SheetStatus.OPEN
    confirmed = sheet.status == SheetStatus.CONFIRMED
    times = (sheet.submitted_at is not None, sheet.confirmed_at is not None)
    people = (bool(sheet.submitted_by), bool(sheet.confirmed_by))
    return times == (submitted, confirmed) and (not by_whom or people == times)


def _second_person(facts: Facts, sheet: Scoresheet) -> bool:
    told = facts.told.sheets[sheet.pk]
    if not facts.told.whole or told.signed or sheet.submitted_by != sheet.confirmed_by:
        return True
    # Sheets that nobody had to confirm stay so when the setting changes during the day.
    return told.waived and (not facts.event.second_person or facts.told.second_person_amended)


def rounds_closed_with_their_sheets(facts: Facts) -> Iterator[str]:
    """A closed round counts all its sheets, but those that were opened again; nothing is open
    under a cut, or once the event is finished."""
    over = facts.event.status == EventStatus.FINISHED
    for round_, table, sheet in facts.sheets_of(facts.in_force):
        if sheet.status == SheetStatus.CONFIRMED:
            continue
        named = {"table": facts.place(table)}
        if over:
            yield _("%(table)s is not confirmed, but the event is finished.") % named
        elif facts.is_frozen(round_.stage):
            yield _("%(table)s is not confirmed, but the cut is made.") % named
        elif _closed_without(facts, round_, sheet):
            yield _("%(table)s is not confirmed, but its round is closed.") % named


def _closed_without(facts: Facts, round_: Round, sheet: Scoresheet) -> bool:
    if round_.status != RoundStatus.CLOSED or not facts.told.whole:
        return False
    # Handing it in again tells nothing of a reopening before, so the reason in the log does.
    return not facts.told.sheets[sheet.pk].reopened
