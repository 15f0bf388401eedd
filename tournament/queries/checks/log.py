"""The log against the rows: whatever stands there was told of, and as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournament import rulebook
from tournament.models.cuts import QualifierStatus
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus
from tournament.models.scoresheets import SheetStatus, logged_deal
from tournament.queries.checks.facts import Facts
from tournament.queries.checks.sheets import is_bye
from tournament.states import ROUND_STEPS

_STATUS_TOLD = {step.verb: step.target for step in ROUND_STEPS.values()} | {
    "round.drawn": RoundStatus.DRAWN,
    "semi_final.drawn": RoundStatus.DRAWN,
    "final.drawn": RoundStatus.DRAWN,
}


def deals_logged(facts: Facts) -> Iterator[str]:
    """Each deal is as its last entry told; none is gone that was entered."""
    table_of, told = facts.table_of_sheet, facts.told.deals
    stored = {(one.sheet_id, one.number): one for deals in facts.deals.values() for one in deals}
    for (sheet, number), deal in stored.items():
        if sheet in table_of and told.get((sheet, number)) != logged_deal(deal):
            yield _("%(deal)s is not as the log tells it.") % {
                "deal": facts.deal_place(table_of[sheet], number)
            }
    for (sheet, number), last in told.items():
        if last is not None and sheet in table_of and (sheet, number) not in stored:
            yield _("%(deal)s is gone, but the log tells of it.") % {
                "deal": facts.deal_place(table_of[sheet], number)
            }


def sheets_logged(facts: Facts) -> Iterator[str]:
    for _round, table, sheet in facts.sheets_of(facts.rounds.values()):
        # A sheet without an opponent is confirmed by the draw itself.
        if sheet.status != facts.told.sheets[sheet.pk].status and not is_bye(facts, table, sheet):
            yield _("%(table)s is “%(state)s”, which the log does not tell.") % {
                "table": facts.place(table),
                "state": SheetStatus(sheet.status).label,
            }


def rounds_logged(facts: Facts) -> Iterator[str]:
    for key, round_ in facts.rounds.items():
        verb = facts.told.rounds.get(key, "")
        target = _STATUS_TOLD.get(verb)
        if verb == ROUND_STEPS["restore"].verb and round_.published_at is not None:
            target = RoundStatus.PUBLISHED
        if round_.status != target:
            yield _("%(round)s is “%(state)s”, which the log does not tell.") % {
                "round": round_,
                "state": RoundStatus(round_.status).label,
            }


def seats_logged(facts: Facts) -> Iterator[str]:
    """Tables that were changed by hand, and the final's, seat whom the log tells."""
    for round_, table in facts.tables_of(facts.in_force):
        told = facts.told.seats.get((round_.pk, table.number))
        people = [facts.players.get(seat.player_id) for seat in facts.seats.get(table.pk, ())]
        if told is not None and told[0] != [one.number if one else None for one in people]:
            yield _("%(table)s seats others than the log tells.") % {"table": facts.place(table)}


def penalties_logged(facts: Facts) -> Iterator[str]:
    told = facts.told.penalties
    for one in facts.penalties:
        known = told.get(one.pk)
        same = known is not None and (known.infraction, known.step) == (one.infraction, one.step)
        if known is None or not same or (known.withdrawn is None) != one.active:
            yield _("A penalty of %(name)s is not as the log tells it.") % {
                "name": facts.name(one.player_id)
            }
    if told.keys() - {one.pk for one in facts.penalties}:
        yield _("A penalty is gone, but the log tells of it.")


def cuts_logged(facts: Facts) -> Iterator[str]:
    told = facts.told
    for cut in facts.cuts:
        if cut.pk not in told.cuts or (cut.undone_at is not None) != (cut.pk in told.cuts_undone):
            yield _("The cut is not as the log tells it.")
        for one in facts.qualifiers.get(cut.pk, ()):
            declined = one.status == QualifierStatus.DECLINED
            if declined != told.seats_declined.get(one.pk, False):
                yield _("Whether %(name)s declined the seat is not as the log tells it.") % {
                    "name": facts.name(one.player_id)
                }
    if told.cuts.keys() - {cut.pk for cut in facts.cuts}:
        yield _("A cut is gone, but the log tells of it.")
    yield from _first_seats_logged(facts)


def _first_seats_logged(facts: Facts) -> Iterator[str]:
    """The first seats of the cut, in the order in which they were offered."""
    for cut in facts.cuts_in_force:
        made = facts.told.cuts.get(cut.pk)
        if made is None:
            continue
        offered = [
            rulebook.player_id(facts.players[one.player_id].number)
            for one in facts.qualifiers.get(cut.pk, ())
            if one.player_id in facts.players
        ]
        qualified = made.after["qualified"]
        # A seat that was taken back may have taken the last of them out again.
        if not facts.told.seats_declined and offered[: len(qualified)] != qualified:
            yield _("The seats are not those that the log tells of the cut: %(stage)s.") % {
                "stage": cut.get_stage_display()
            }


def lots_logged(facts: Facts) -> Iterator[str]:
    for lot in facts.lots:
        if facts.told.lots.get(lot.pk) != lot.order:
            yield _("A lot (%(line)s) is not as the log tells it.") % {"line": lot.line}
    if facts.told.lots.keys() - {lot.pk for lot in facts.lots}:
        yield _("A lot is gone, but the log tells of it.")


def steps_logged(facts: Facts) -> Iterator[str]:
    """That the event ended, and who dropped out."""
    if (facts.event.status == EventStatus.FINISHED) != facts.told.finished:
        yield _("Whether the event is finished is not as the log tells it.")
    for key, player in facts.players.items():
        if player.status == PlayerStatus.DROPPED and key not in facts.told.dropped:
            yield _("%(name)s has dropped out, which the log does not tell.") % {"name": player}
