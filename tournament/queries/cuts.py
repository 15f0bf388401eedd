"""Where the line is, and who is level on it."""

from __future__ import annotations

from collections import defaultdict

from scoring.cut import CutLine, cut_line
from scoring.standings import StandingRow, standings
from tournament import rulebook
from tournament.models import Cut, Event
from tournament.models.cuts import QualifierStatus
from tournament.models.players import PlayerStatus


def frozen_rows(cut: Cut) -> tuple[StandingRow, ...]:
    """The standings as they were when the cut was made."""
    return tuple(StandingRow(**row) for row in cut.standings)


def line_of(cut: Cut) -> CutLine:
    """The line as it is now: without those who declined or left, with the lots that were drawn.

    Somebody who holds a seat keeps it in this answer, whatever happens to others."""
    seats = dict(cut.qualifiers.values_list("player__number", "status"))
    declined = {number for number, status in seats.items() if status == QualifierStatus.DECLINED}
    left = cut.event.players.exclude(status=PlayerStatus.CHECKED_IN)
    gone = set(left.values_list("number", flat=True)) - (seats.keys() - declined)
    order = [player for lot in cut.lots.order_by("pk") for player in lot.order]
    excluded = frozenset(rulebook.player_id(number) for number in gone | declined)
    return cut_line(frozen_rows(cut), cut.size, excluded, order)


def current_cut(event: Event) -> Cut | None:
    cut = event.cuts.filter(undone_at=None).first()
    if cut is not None:
        cut.event = event
    return cut


def tied_in_final(event: Event) -> dict[int, tuple[str, ...]]:
    """Rank -> the finalists who share it, by all the final's tie-breaks."""
    shared: dict[int, list[str]] = defaultdict(list)
    for row in standings(rulebook.event_file(event)).final:
        shared[row.rank].append(row.player)
    return {rank: tuple(players) for rank, players in shared.items() if len(players) > 1}
