"""How far somebody is from the line into the next stage, as their ticket says it."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.games import words_for
from tournament.queries.standings import Row, StandingsTable


def distance_to_line(board: StandingsTable, row: Row) -> str:
    """In words, as the line stands now; empty where there is none yet, or the cut is made."""
    here = board.at_the_line
    above = [one for one in here if one.state in ("in", "tied")]
    # While the semi-final is played the line is that into the final, among those who play it.
    over = board.cut_made and not board.semi_final
    if over or board.final or not above or row.status or not row.deals or row not in here:
        return ""
    if row.state == "tied":
        return _("Level on the line.")
    if above != list(here[: len(above)]):
        return ""  # the best of each table come in first: there is no one line to be far from
    if row.state == "in":
        return _inside(board, row)
    points = above[-1].points - row.points
    if words_for(board.ruleset).edition:
        return _apart(board, row, above[-1])
    if not points:
        return _("Level in points with the line: the stars are missing.")
    words = ngettext(
        "As it stands, %(n)d point to the line.", "As it stands, %(n)d points to the line.", points
    )
    return words % {"n": points}


def _apart(board: StandingsTable, row: Row, other: Row) -> str:
    """What somebody has, and who stands next to the line on its other side."""
    game = words_for(board.ruleset)
    return _("You have %(own)s; next to the line: %(other)s.") % {
        "own": game.sums(row.points, row.stars),
        "other": game.sums(other.points, other.stars),
    }


def _inside(board: StandingsTable, row: Row) -> str:
    """Ahead of the first who is not in; whoever left is passed over."""
    behind = next((one for one in board.at_the_line if one.state != "in" and not one.status), None)
    if behind is None:
        return _("Above the line.")
    points = row.points - behind.points
    if words_for(board.ruleset).edition:
        return _apart(board, row, behind)
    if not points:
        return _("Above the line by stars.")
    words = ngettext(
        "Above the line, %(n)d point ahead.", "Above the line, %(n)d points ahead.", points
    )
    return words % {"n": points}
