"""Who sits where: once in each round, at tables that the rules know."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from django.utils.translation import gettext as _

from tournament.models import Round, Seat
from tournament.models.rounds import RoundStatus
from tournament.queries.checks.facts import Facts
from tournament.queries.seating_changes import known_sizes


def rounds_seated(facts: Facts) -> Iterator[str]:
    """A round in force has tables, and each of them its sheet."""
    for round_ in facts.in_force:
        if not facts.tables.get(round_.pk):
            yield _("%(round)s has no tables.") % {"round": round_}
    for _round, table in facts.tables_of(facts.in_force):
        if table.pk not in facts.sheets:
            yield _("%(table)s has no score sheet.") % {"table": facts.place(table)}


def seated_once(facts: Facts) -> Iterator[str]:
    """Everybody of a round is of this event, and sits at one table of it."""
    for round_ in facts.in_force:
        seen: set[int] = set()
        for table in facts.tables.get(round_.pk, ()):
            for seat in facts.seats.get(table.pk, ()):
                if words := _problem(facts, seat, round_, seen):
                    yield words % {"table": facts.place(table), "name": facts.name(seat.player_id)}
                seen.add(seat.player_id)


def _problem(facts: Facts, seat: Seat, round_: Round, seen: Collection[int]) -> str:
    if seat.player_id not in facts.players:
        return _("%(table)s: %(name)s is nobody of this event.")
    if seat.round_id != round_.pk:
        return _("%(table)s: the seat of %(name)s is of another round.")
    if seat.player_id in seen:
        return _("%(table)s: %(name)s sits at another table of the round too.")
    return ""


def tables_legal(facts: Facts) -> Iterator[str]:
    """Sizes that the rules have; seats numbered from 1 without gaps."""
    sizes = known_sizes(facts.event)
    for _round, table in facts.tables_of(facts.in_force):
        seats = facts.seats.get(table.pk, [])
        named = {"table": facts.place(table), "count": len(seats)}
        if len(seats) not in sizes:
            yield _("%(table)s has %(count)d seats: the rules know no such table.") % named
        if [seat.position for seat in seats] != list(range(1, len(seats) + 1)):
            yield _("%(table)s: the seats are not numbered from 1 to %(count)d.") % named


def rounds_in_their_states(facts: Facts) -> Iterator[str]:
    """When a round was published and closed fits its state."""
    for round_ in facts.in_force:
        published = round_.status != RoundStatus.DRAWN
        closed = round_.status == RoundStatus.CLOSED
        if (round_.published_at is not None) != published or (
            round_.closed_at is not None
        ) != closed:
            yield _("%(round)s: when it was published and closed does not fit its state.") % {
                "round": round_
            }
