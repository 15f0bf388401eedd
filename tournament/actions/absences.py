"""Somebody is missing, or came late: one change of the tables, and which sheets it makes wrong."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from tournament.actions.attendance import mark_missing
from tournament.actions.rounds import lock_round, save_round
from tournament.actions.seating_changes import ChangeRequest, change_seating, lock_round_and_sheets
from tournament.models import LogEntry, Player, Round
from tournament.models.actors import Actor
from tournament.models.rounds import OPEN_ROUND, RoundStatus
from tournament.models.seating_changes import ChangeKind
from tournament.refusals import Refused


@transaction.atomic
def repair_round(
    *,
    round_: Round,
    seats: Mapping[int, Sequence[int]],
    missing: Collection[int],
    by: Actor,
    version: int | None = None,
    key: str = "",
) -> Round:
    """The way out that was picked: the tables that change (number -> start numbers), and who is
    not here. A published round stays published."""
    locked = lock_round_and_sheets(round_, *OPEN_ROUND, version=version, key=key)
    if locked.done:
        return locked.round
    players = {player.number: player for player in locked.event.players.all()}
    people = {number for table in seats.values() for number in table}
    if not people | set(missing) <= set(players):
        raise Refused(_("Somebody of these is not in this event."))
    if people & set(missing):
        raise Refused(_("Who is missing can't have a seat."))
    changed = {n: [players[number].pk for number in table] for n, table in seats.items()}
    _tables_known(locked.seats, changed)
    still = {p for n, table in locked.seats.items() if n not in changed for p in table}
    _nobody_lost(locked.seats, changed, {players[number].pk for number in missing}, still)
    # Only whom this change marks: undo makes nobody present who had left before.
    marked = [
        number
        for number in sorted(missing)
        if mark_missing(player=players[number], by=by).status != players[number].status
    ]
    change = ChangeRequest(ChangeKind.REPAIRED, changed, missing=marked)
    change_seating(locked, change, by=by, key=key)
    return locked.round


def _tables_known(before: Mapping[int, object], changed: Mapping[int, Collection[int]]) -> None:
    """New tables are numbered on from the last one, and one table at least is left."""
    new = sorted(set(changed) - set(before))
    if new != [max(before, default=0) + 1 + place for place in range(len(new))]:
        raise Refused(_("This table is not in this round."))
    if not any(changed.get(number, True) for number in {*before, *changed}):
        raise Refused(_("The tables that are left can't be made of so few people."))


def _nobody_lost(
    before: Mapping[int, Sequence[int]],
    changed: Mapping[int, Sequence[int]],
    missing: Collection[int],
    still: Collection[int],
) -> None:
    """Everybody who had a seat has one, but for those who are missing."""
    had = {player for table in before.values() for player in table}
    have = {player for table in changed.values() for player in table} | set(still)
    if had - have - set(missing):
        name = Player.objects.filter(pk__in=had - have - set(missing)).values_list(
            "name", flat=True
        )
        raise Refused(_("%(name)s would have no seat.") % {"name": name[0]})
    if still_missing := set(still) & set(missing):
        name = Player.objects.filter(pk__in=still_missing).values_list("name", flat=True)
        raise Refused(_("%(name)s is missing, but would still have a seat.") % {"name": name[0]})


@transaction.atomic
def sheets_replaced(*, round_: Round, tables: Collection[int], by: Actor) -> Round:
    """The new sheets of these tables lie there."""
    event, round_ = lock_round(round_, *OPEN_ROUND, RoundStatus.CLOSED)
    found = round_.tables.filter(number__in=tables, changed_at__isnull=False)
    numbers = list(found.order_by("number").values_list("number", flat=True))
    if not numbers:
        return round_
    found.update(changed_at=None)
    save_round(round_)
    LogEntry.objects.record(
        "round.sheets_replaced", event=event, by=by, about=round_, after={"tables": numbers}
    )
    return round_
