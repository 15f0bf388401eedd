"""The beat that all pages of an event follow: which parts have changed, the clock, how far each
table is. Numbers alone: no person, no language, one copy for everybody."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tournament.models import Event, EventVersion, Round
from tournament.models.scoresheets import SheetStatus
from tournament.models.versions import Part
from tournament.queries.calls import called_tables
from tournament.queries.clocks import clock_of_round
from tournament.queries.seats import current_round

FOR_EVERYBODY = (Part.SEATS, Part.SHEETS, Part.NOTICES, Part.CLOCK)
FOR_STAFF = (*FOR_EVERYBODY, Part.CALLS, Part.BOARD, Part.SCREENS)

# A page of one person costs some 20 ms. Spread over this long, the pages of all players take a
# fifth of a core when something changes for everybody.
SECONDS_A_PLAYER = 0.1


def pulse_of(event: Event, versions: EventVersion, parts: Iterable[Part]) -> dict[str, Any]:
    """As JSON has it. `spread`: over how many seconds pages of single persons ask for the news."""
    round_ = current_round(event)
    return {
        "versions": {part: versions.parts[part] for part in parts},
        "clock": clock_of_round(event, round_).as_json(),
        "tables": _tables(round_),
        "spread": round(event.players.here().count() * SECONDS_A_PLAYER, 1),
    }


def _tables(round_: Round | None) -> dict[str, Any] | None:
    """Of the round that is played, the numbers of the tables that are not done yet, and of those
    that have called a judge."""
    if round_ is None:
        return None
    rows = round_.tables.order_by("number").values_list("number", "sheet__status")
    states: dict[str, list[int]] = {SheetStatus.OPEN: [], SheetStatus.SUBMITTED: []}
    count = 0
    for number, status in rows:
        count += 1
        if status in states:
            states[status].append(number)
    return {
        "round": round_.pk,
        "all": count,
        "open": states[SheetStatus.OPEN],
        "submitted": states[SheetStatus.SUBMITTED],
        "called": called_tables(round_.pk),
    }
