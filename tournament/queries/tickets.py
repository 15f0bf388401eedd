"""What one player's own page shows."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.roles import Role
from scoring.tallies import player_deals
from tournament import rulebook
from tournament.models import Event, Penalty, Player, Seat
from tournament.models.actors import Actor
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus
from tournament.policies import can_confirm
from tournament.queries.cuts import current_cut, line_of
from tournament.queries.names import namesakes_in
from tournament.queries.scoresheets import SheetView, sheet_view
from tournament.queries.seats import current_round
from tournament.queries.standings import Row, StandingsTable, standings_for


@dataclass(frozen=True, slots=True)
class OwnDeal:
    """A deal of the player's own; `confirmed` ones count."""

    label: str
    table: int
    deal: int
    role: Role | None
    points: int
    star: bool
    lost: bool
    void: bool


@dataclass(frozen=True, slots=True)
class Ticket:
    """`shown_as`: how everybody sees the player, where that is not the name alone."""

    player: Player
    shown_as: str
    waiting_place: int | None
    seat: Seat | None
    sheet: SheetView | None
    may_confirm: bool
    deals: tuple[OwnDeal, ...]
    penalties: tuple[Penalty, ...]
    news: str
    row: Row | None
    final_row: Row | None
    board: StandingsTable


def ticket_for(player: Player) -> Ticket:
    event = player.event
    board = standings_for(event)
    seat = _seat(player)
    sheet = sheet_view(seat.table) if seat is not None else None
    news = _news(player, seat)
    return Ticket(
        player=player,
        shown_as=_shown_as(player),
        waiting_place=_waiting_place(player),
        seat=seat if news == "" else None,
        sheet=sheet,
        may_confirm=sheet is not None and can_confirm(Actor.of_player(player), sheet.sheet, event),
        deals=_deals(event, player),
        news=news,
        penalties=tuple(player.penalties.in_force()),
        row=next((row for row in board.rows if row.number == player.number), None),
        final_row=next((row for row in board.final if row.number == player.number), None),
        board=board,
    )


def _shown_as(player: Player) -> str:
    shown = namesakes_in(player.event_id).public_name_of(player)
    return "" if shown == player.name else shown


def _news(player: Player, seat: Seat | None) -> str:
    """The code of what stands instead of the seat; empty where the seat says it all."""
    event = player.event
    if player.status == PlayerStatus.DISQUALIFIED:
        return "out"
    # The current round may be one that is closed: its seat is not where to go now.
    playing = seat is not None and seat.table.round.status == RoundStatus.PUBLISHED
    if player.status != PlayerStatus.CHECKED_IN or playing:
        return ""
    if event.rounds.final().closed().exists():
        return "done"
    cut = current_cut(event)
    if cut is not None:
        seats = cut.qualifiers.in_final().filter(player=player)
        if seats.exists():
            return "final"
        return "line" if line_of(cut).level else "not_final"
    if event.rounds.filter(status=RoundStatus.DRAWN).exists():
        return "changing"
    return "between" if seat is not None else ""


def _waiting_place(player: Player) -> int | None:
    if player.status != PlayerStatus.WAITING:
        return None
    return player.event.players.filter(
        status=PlayerStatus.WAITING, created_at__lte=player.created_at
    ).count()


def _seat(player: Player) -> Seat | None:
    round_ = current_round(player.event)
    if round_ is None:
        return None
    return (
        Seat.objects.filter(round=round_, player=player)
        .select_related("table__round__event", "table__sheet")
        .first()
    )


def _deals(event: Event, player: Player) -> tuple[OwnDeal, ...]:
    rounds = list(event.rounds.played().in_order_of_play())
    tables = dict(
        Seat.objects.filter(round__in=rounds, player=player).values_list(
            "round_id", "table__number"
        )
    )
    mine = player_deals(rulebook.event_file(event, only=player), rulebook.player_id(player.number))
    return tuple(
        OwnDeal(
            # `scoring` counts the rounds of the file from 1, and they are these, in the same order.
            label=rounds[one.round - 1].label,
            table=tables[rounds[one.round - 1].pk],
            deal=one.deal,
            role=one.role,
            points=one.points,
            star=one.star,
            lost=one.lost,
            void=one.void,
        )
        for one in mine
    )
