"""Where the line is, and who is level on it."""

from __future__ import annotations

from scoring.cut import CUT, CutLine, cut_line
from scoring.standings import StandingRow
from tournament import rulebook
from tournament.models import Cut, Event, Round, Scoresheet
from tournament.models.cuts import QualifierStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus


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
    # Whoever holds a seat stands in front of the line already; who declined is not asked twice.
    out |= {rulebook.player_id(number) for number, _status in held} | set(cut.excluded)
    # Those of a cut that was undone count too: a lot stands for good.
    lots = list(cut.event.lots.filter(line=CUT).values_list("order", flat=True))
    line = cut_line(frozen_rows(cut), max(0, cut.size - len(holders)), out, lots)
    return CutLine(cut.size, holders + line.qualified, line.level, line.free)


def current_cut(event: Event) -> Cut | None:
    cut = event.cuts.in_force().first()
    if cut is not None:
        # The event at hand, or each `cut.event` would fetch it again.
        cut.event = event
    return cut


def final_of(event: Event) -> Round | None:
    """The event's final, if it is drawn."""
    return event.rounds.final().in_force().first()


def all_is_played(event: Event) -> bool:
    """The final is closed, or without one every planned round; and no sheet is open again."""
    rounds = event.rounds.in_force()
    if rounds.exclude(status=RoundStatus.CLOSED).exists():
        return False
    # A sheet of a closed round may be open again.
    if Scoresheet.objects.filter(table__round__in=rounds).unconfirmed().exists():
        return False
    if event.has_final:
        return rounds.final().exists()
    return rounds.preliminary().count() >= event.rounds_planned
