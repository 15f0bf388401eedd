"""The event's lists as plain tables for a spreadsheet, with headings in the active language.

Everything is in them, e-mails too: they are for organisers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.models import Event, Player
from tournament.models.players import PlayerStatus, Source
from tournament.queries.standings import Row, StandingsTable, standings_for

type Cell = str | int


@dataclass(frozen=True, slots=True)
class Listing:
    """`name`: what the file is called, beside the event's address."""

    name: str
    heading: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def players_listing(players: Iterable[Player]) -> Listing:
    """These players, with their contacts. The import reads name, shown name, e-mail, phone, age and
    note back: their headings are among those it knows."""
    heading = (
        pgettext("start number", "No."),
        _("Name"),
        _("Shown name"),
        _("State"),
        _("E-mail"),
        _("Phone"),
        _("Of age"),
        _("Note"),
        _("Source"),
    )
    return Listing("players", heading, tuple(map(_player_row, players)))


def _player_row(player: Player) -> tuple[Cell, ...]:
    contact = getattr(player, "contact", None)
    return (
        player.number,
        player.name,
        player.public_name,
        str(player.status_label),
        contact.email if contact else "",
        contact.phone if contact else "",
        _yes_no(player.age_confirmed),
        player.note,
        str(Source(player.source).label),
    )


def _yes_no(answer: bool) -> str:
    return _("yes") if answer else _("no")


def standings_listing(event: Event) -> Listing:
    """The one order of everybody. Points and stars are what ranks a person: of finalists those of
    the final, once it has begun."""
    board = standings_for(event)
    names = dict(event.players.values_list("number", "name"))
    heading = (
        _("Rank"),
        pgettext("start number", "No."),
        _("Name"),
        _("Shown name"),
        _("Points"),
        _("Stars"),
        _("Preliminary points"),
        _("Preliminary stars"),
        _("Deals"),
        _("In the final"),
        _("Decided by"),
        _("Remarks"),
    )
    rows = (*board.final, *board.rows, *board.out)
    found = tuple(_standings_row(board, row, names[row.number]) for row in rows)
    return Listing("standings", heading, found)


def _standings_row(board: StandingsTable, row: Row, name: str) -> tuple[Cell, ...]:
    if row.status == PlayerStatus.DISQUALIFIED:
        nothing: tuple[Cell, ...] = ("",) * 7
        return ("", row.number, name, row.public_name, *nothing, _remarks(row))
    first = row.preliminary_points, row.preliminary_stars
    points, stars = (row.points, row.stars) if None in first else first
    return (
        row.rank,
        row.number,
        name,
        row.public_name,
        row.points,
        row.stars,
        points or 0,
        stars or 0,
        row.deals,
        _yes_no(board.is_finalist(row.number)),
        row.decided,
        _remarks(row),
    )


def _remarks(row: Row) -> str:
    words = {
        "declined": _("declined the final"),
        "lot": _("in by lot"),
        "lost_lot": _("out by lot"),
        PlayerStatus.DROPPED: _("dropped out"),
        PlayerStatus.DISQUALIFIED: _("disqualified"),
    }
    return ", ".join(words[key] for key in (row.note, row.status) if key)
