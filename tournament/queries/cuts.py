"""Where the line is, and who is level on it."""

from __future__ import annotations

from collections import defaultdict

from scoring.cut import CutLine, cut_line
from scoring.standings import StandingRow, standings
from tournament import rulebook
from tournament.models import Cut, Event, Round
from tournament.models.cuts import QualifierStatus
from tournament.models.players import PlayerStatus


def frozen_rows(cut: Cut) -> tuple[StandingRow, ...]:
    """The standings as they were when the cut was made."""
    return tuple(StandingRow(**row) for row in cut.standings)


def line_of(cut: Cut) -> CutLine:
    """The line as it is now: who holds a seat, in the order offered; then, for the seats that are
    free, the next in the frozen order. Left out are those who declined, who had dropped out when
    the cut was made, and who is not here now."""
    held = list(cut.qualifiers.order_by("place").values_list("player__number", "status"))
    holders = tuple(
        rulebook.player_id(number) for number, status in held if status == QualifierStatus.IN
    )
    away = cut.event.players.exclude(status=PlayerStatus.CHECKED_IN)
    out = {rulebook.player_id(number) for number in away.values_list("number", flat=True)}
    out |= {rulebook.player_id(number) for number, _status in held} | set(cut.excluded)
    rows, free = frozen_rows(cut), max(0, cut.size - len(holders))
    line = cut_line(rows, free, out)
    if line.level:
        line = cut_line(rows, free, out, _lot_among(cut, line.level))
    return CutLine(cut.size, holders + line.qualified, line.level, line.free)


def _lot_among(cut: Cut, level: tuple[str, ...]) -> tuple[str, ...]:
    """The last lot that was drawn among all of these; empty if there is none."""
    for lot in cut.lots.order_by("-pk"):
        if set(level) <= set(lot.order):
            return tuple(lot.order)
    return ()


def current_cut(event: Event) -> Cut | None:
    cut = event.cuts.in_force().first()
    if cut is not None:
        cut.event = event
    return cut


def final_of(event: Event) -> Round | None:
    """The event's final, if it is drawn."""
    return event.rounds.final().in_force().first()


def tied_in_final(event: Event) -> dict[int, tuple[str, ...]]:
    """Rank -> the finalists who share it, by all the final's tie-breaks."""
    shared: dict[int, list[str]] = defaultdict(list)
    for row in standings(rulebook.event_file(event)).final:
        shared[row.rank].append(row.player)
    return {rank: tuple(players) for rank, players in shared.items() if len(players) > 1}
