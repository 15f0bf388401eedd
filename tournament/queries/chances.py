"""Who of an event is in the final for certain, who is out, and who is in with so many points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.chances import Ahead, Chance, OpenTable, Verdict, chances
from scoring.eventfile import EventFile, PlayedStage
from scoring.futures import best_pay, points_of
from scoring.refusal import Refusal
from scoring.rulesets import Ruleset
from scoring.standings import StandingRow
from tournament.models import Event
from tournament.models.events import EventStatus


@dataclass(frozen=True, slots=True)
class LineChances:
    """What is said of each player, as `scoring` names them; nobody: nothing is said.

    `exact`: whether nothing of it could be said earlier.
    """

    words: Mapping[str, str]
    exact: bool = True


def chances_in(
    event: Event, file: EventFile, rows: Sequence[StandingRow], *, sheets_waiting: int
) -> LineChances:
    """While preliminaries go on that lead to a stage; `rows` as they stand before its cut."""
    # What an edition's deal can still pay has no bound that would say anything.
    if not isinstance(file.ruleset, Ruleset):
        return LineChances({})
    ahead = ahead_in(event, file, sheets_waiting=sheets_waiting)
    begun = any(row.deals for row in rows)
    if not (event.has_final and event.status != EventStatus.FINISHED and begun and ahead):
        return LineChances({})
    try:
        seats = event.semi_seats or event.cut_size  # of the stage that the preliminaries lead to
        found = chances(rows, ahead, ruleset=file.ruleset, cut=seats, out=_out(file))
    except Refusal:
        # A table of a size that the rules do not know: what it can pay nobody knows either.
        return LineChances({})
    # More than a round can give says nothing to anybody.
    most = max(points_of(best_pay(file.ruleset, size)) for size in file.ruleset.rows)
    words = {
        player: said
        for player, chance in found.items()
        if (said := _words(chance, most * event.deals_per_round))
    }
    return LineChances(words, all(chance.exact for chance in found.values()))


def ahead_in(event: Event, file: EventFile, *, sheets_waiting: int) -> Ahead:
    """What is still to be played before the cut: drawn tables whose sheet does not count yet, and
    the rounds that are announced. A draft is one of those, as nobody may know its tables."""
    played = [one for one in file.rounds if one.stage is PlayedStage.PRELIMINARY]
    # A sheet may be handed in without any deal: with none that waits, no table is open.
    tables = (table for one in played for table in one.tables if sheets_waiting)
    deals = event.deals_per_round
    return Ahead(
        tables=tuple(OpenTable(table.seats, deals) for table in tables if not table.deals),
        rounds=max(0, event.rounds_planned - len(played)),
        deals=deals,
    )


def _out(file: EventFile) -> set[str]:
    """Whoever has left cannot take a seat; the disqualified are in no row."""
    return {mark.player for mark in file.dropped}


def _words(chance: Chance, worth_saying: int) -> str:
    match chance.verdict:
        case Verdict.CLINCHED:
            return _("in for certain")
        case Verdict.OUT:
            return _("out of reach")
    if chance.needed is None or chance.needed > worth_saying:
        return ""
    return ngettext("certain with %(n)d more", "certain with %(n)d more", chance.needed) % {
        "n": chance.needed
    }
