"""What a finished event comes to, person by person, as it is frozen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from scoring.roles import Role
from scoring.tallies import all_deals
from tournament import rulebook
from tournament.models import Event, Freeze, Player, Result
from tournament.models.events import EventStatus
from tournament.models.results import Reached
from tournament.names import NameStyle
from tournament.queries.standings import Row, StandingsTable, compute_standings

type _Roles = Mapping[str, Counter[str]]


def results_now(event: Event) -> list[Result]:
    """A row of everybody who is ranked in the order of all, not stored; nobody where no deal
    counts. Computed from the facts, whatever was kept of them."""
    board = compute_standings(event)
    if not board.begun:
        return []
    people = {one.number: one for one in event.players.all()}
    roles = _roles(event)
    return [_result(row, board, people[row.number], roles) for row in board.ranked]


def _result(row: Row, board: StandingsTable, player: Player, roles: _Roles) -> Result:
    dealt = roles[rulebook.player_id(row.number)]
    return Result(
        player=player,
        number=row.number,
        name=_shown_then(player),
        rank=row.rank,
        shared=row.shared,
        points=row.points,
        stars=row.stars,
        reached=_reached(row, board),
        won=row.rank == 1,
        miner_deals=dealt[Role.MINER],
        saboteur_deals=dealt[Role.SABOTEUR],
        selfish_deals=dealt[Role.SELFISH],
    )


def _shown_then(player: Player) -> str:
    """Whoever is shown by the number alone has no name here: the words are the reader's."""
    return "" if player.name_style == NameStyle.NUMBER else player.public_name


def _reached(row: Row, board: StandingsTable) -> Reached:
    if board.is_finalist(row.number):
        return Reached.FINAL
    return Reached.SEMI_FINAL if board.is_semi_finalist(row.number) else Reached.PRELIMINARY


def _roles(event: Event) -> _Roles:
    """How often each was dealt each role, in deals that count and whose roles are known."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    if rulebook.edition_of(event):  # its roles are others
        return found
    for player, deal in all_deals(rulebook.event_file(event)):
        if deal.role is not None and not deal.void:
            found[player][deal.role] += 1
    return found


def name_then(result: Result) -> str:
    """The name of a frozen result, for whoever reads it."""
    return result.name or _("Player %(number)d") % {"number": result.number}


def unfrozen_events() -> QuerySet[Event]:
    """Those that are over and have no results yet."""
    frozen = Freeze.objects.in_force().values("event")
    over = Event.objects.filter(status=EventStatus.FINISHED)
    return over.exclude(pk__in=frozen).order_by("pk")
