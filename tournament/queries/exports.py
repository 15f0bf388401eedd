"""The event's lists as plain tables for a spreadsheet, with headings in the active language.

Everything is in them, e-mails too: they are for organisers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.games import GameWords, words_of
from tournament.models import Event, Player
from tournament.models.players import PlayerStatus, Source
from tournament.queries.standings import UNRANKED, Row, StandingsTable, standings_for

type Cell = str | int


@dataclass(frozen=True, slots=True)
class Listing:
    """`name`: what the file is called, beside the event's address."""

    name: str
    heading: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def players_listing(players: Iterable[Player]) -> Listing:
    """These players, with their contacts; where somebody is under 18, also who answers for them.
    The import reads back name, shown name, e-mail, phone, age, note and guardian: their headings
    are among those it knows."""
    players = list(players)
    minors = any(player.minor for player in players)
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
        *(_minors_heads() if minors else ()),
    )
    rows = ((*_player_row(player), *(_minor_row(player) if minors else ())) for player in players)
    return Listing("players", heading, tuple(rows))


def _minors_heads() -> tuple[str, ...]:
    return (
        _("Under 18"),
        _("Parent or guardian"),
        _("Contact of the parent or guardian"),
        _("Parent or guardian has agreed"),
    )


def _minor_row(player: Player) -> tuple[Cell, ...]:
    if not player.minor:
        return ("", "", "", "")
    agreed = _yes_no(player.guardian_agreed_at is not None)
    return (_yes_no(player.minor), player.guardian, player.guardian_contact, agreed)


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


def standings_listing(event: Event, *, for_others: bool = False) -> Listing:
    """The one order of everybody. Points and stars are what ranks a person: of finalists those of
    the final, once it has begun. `for_others`: the organisers hand it on."""
    board, semi, game = standings_for(event), event.has_semi_final, words_of(event)
    names = {
        one.number: one.name_for_others if for_others else one.name for one in event.players.all()
    }
    heading = (
        _("Rank"),
        pgettext("start number", "No."),
        _("Name"),
        _("Shown name"),
        *_sums_heads(game, semi=semi),
        _("Deals"),
        _("In the final"),
        _("Decided by"),
        _("Remarks"),
    )
    rows = (*board.ranked, *board.out)
    found = tuple(_standings_row(board, row, names[row.number], semi=semi) for row in rows)
    if not game.stars:
        found = tuple(_without_stars(row, 10 if semi else 8) for row in found)
    return Listing("standings", heading, found)


def _without_stars(row: tuple[Cell, ...], end: int) -> tuple[Cell, ...]:
    """Every second of the sums is one that this game does not know."""
    return (*row[:4], *row[4:end:2], *row[end:])


def _sums_heads(game: GameWords, *, semi: bool) -> tuple[str, ...]:
    if not game.edition:
        return (
            _("Points"),
            _("Stars"),
            _("Preliminary points"),
            _("Preliminary stars"),
            *((_("Semi-final points"), _("Semi-final stars")) if semi else ()),
        )
    sums = [str(name) for name in (game.points, game.stars) if name]
    stages = [_("%(what)s of the preliminaries")]
    if semi:
        stages.append(_("%(what)s of the semi-final"))
    return (*sums, *(words % {"what": name} for words in stages for name in sums))


def _standings_row(board: StandingsTable, row: Row, name: str, *, semi: bool) -> tuple[Cell, ...]:
    if not row.rank:
        nothing: tuple[Cell, ...] = ("",) * (9 if semi else 7)
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
        *(_semi_final(board, row) if semi else ()),
        row.deals,
        _yes_no(board.is_finalist(row.number)),
        row.decided,
        _remarks(row),
    )


def _semi_final(board: StandingsTable, row: Row) -> tuple[Cell, Cell]:
    """Points and stars of the semi-final; empty for whoever did not play it."""
    if row.semi_points is not None and row.semi_stars is not None:
        return row.semi_points, row.semi_stars
    if board.semi_begun and board.is_semi_finalist(row.number):
        return row.points, row.stars
    return "", ""


def _remarks(row: Row) -> str:
    words = {
        "declined": _("declined the final"),
        "declined_semi": _("declined the semi-final"),
        "lot": _("in by lot"),
        "lost_lot": _("out by lot"),
        PlayerStatus.DROPPED: _("dropped out"),
        PlayerStatus.DISQUALIFIED: _("disqualified"),
        UNRANKED: _("stands in, without a rank"),
    }
    return ", ".join(words[key] for key in (row.note, row.status) if key)
