"""Whether all that is stored of an event fits together: recomputed from the facts and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.translation import get_language

from tournament.models import Event
from tournament.queries.checks import cuts, log, paper, penalties, results, seats, sheets
from tournament.queries.checks.facts import Facts, facts_of
from tournament.queries.kept import kept
from tournament.queries.versions import version_of

type Check = Callable[[Facts], Iterator[str]]

# In the order in which one rests on another: the first difference is nearest to its cause.
CHECKS: Mapping[str, Check] = {
    "rounds seated": seats.rounds_seated,
    "seated once": seats.seated_once,
    "tables legal": seats.tables_legal,
    "rounds in their states": seats.rounds_in_their_states,
    "deals legal": sheets.deals_legal,
    "deals complete": sheets.deals_complete,
    "sheets in their states": sheets.sheets_in_their_states,
    "rounds closed with their sheets": sheets.rounds_closed_with_their_sheets,
    "penalties of known deals": penalties.penalties_of_known_deals,
    "disqualified by penalties": penalties.disqualified_by_penalties,
    "lots verifiable": cuts.lots_verifiable,
    "cut as it was": cuts.cut_as_it_was,
    "seats as the cut says": cuts.seats_as_the_cut_says,
    "final of the finalists": cuts.stages_of_the_qualified,
    "prints known as old": paper.prints_known_as_old,
    "photos whole": paper.photos_whole,
    "results as frozen": results.results_as_frozen,
}
# An archive that was made of a public file has no log to compare with.
LOG_CHECKS: Mapping[str, Check] = {
    "deals logged": log.deals_logged,
    "sheets logged": log.sheets_logged,
    "rounds logged": log.rounds_logged,
    "seats logged": log.seats_logged,
    "penalties logged": log.penalties_logged,
    "cuts logged": log.cuts_logged,
    "lots logged": log.lots_logged,
    "steps logged": log.steps_logged,
}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`difference`: the first one, in words, or None; the rest is what was looked at."""

    difference: str | None
    rounds: int
    tables: int
    deals: int
    penalties: int
    lots: int
    photos: int
    entries: int


def check_event(event: Event) -> CheckResult:
    """Recompute everything from the facts and compare, in a fixed number of queries."""
    facts = facts_of(event)
    return CheckResult(
        difference=next(_differences(facts), None),
        rounds=len(facts.rounds),
        tables=sum(map(len, facts.tables.values())),
        deals=sum(map(len, facts.deals.values())),
        penalties=len(facts.penalties),
        lots=len(facts.lots),
        photos=len(facts.photos),
        entries=facts.told.entries,
    )


def first_difference(event: Event) -> str | None:
    """The first thing of an event that cannot be as it is stored; None: all is right."""
    return check_event(event).difference


@dataclass(frozen=True, slots=True)
class Checked:
    """What the last check saw, and when."""

    at: datetime
    difference: str | None


def last_check(event: Event, *, now: bool = False) -> Checked:
    """As of the event's version, or in a hall as it was moments ago. `now`: as it is, for whoever
    is about to rest something on it."""
    # By language: a difference is told in words.
    name = f"check:{event.pk}:{get_language()}"
    # The database knows no version of photos and prints, so a file that is lost shows with the next
    # change.
    found = kept(name, version_of(event), lambda: check_event(event), now=now)
    return Checked(datetime.fromtimestamp(found.made_at, UTC), found.value.difference)


def _differences(facts: Facts) -> Iterator[str]:
    for check in CHECKS.values():
        yield from check(facts)
    if facts.told.whole:
        for check in LOG_CHECKS.values():
            yield from check(facts)
