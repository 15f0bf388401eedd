"""What one player's own page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.tallies import player_deals
from tournament import rulebook
from tournament.models import Announcement, Penalty, Player, Round, Seat
from tournament.models.actors import Actor
from tournament.policies import can_confirm
from tournament.queries.announcements import announcements_for
from tournament.queries.clocks import EventClock, clock_of_round
from tournament.queries.line import distance_to_line
from tournament.queries.names import namesakes_in
from tournament.queries.scoresheets import SheetView, sheet_view
from tournament.queries.standings import Row
from tournament.queries.ticket_notices import Notice, notice_for
from tournament.queries.visibility import PublicStandings, public_standings


@dataclass(frozen=True, slots=True)
class OwnDeal:
    """A deal of the player's own; `confirmed` ones count."""

    label: str
    table: int
    deal: int
    role: str | None
    points: int
    star: bool
    lost: bool
    void: bool


@dataclass(frozen=True, slots=True)
class Ticket:
    """`shown_as`: how everybody sees the player, where that is not the name alone; `seat`: in the
    round being played or played last; `mates`: who else sits at that table, in sitting order;
    `row`: the line in the standings that everybody may see, once something is played; `to_line`:
    how far it is to the line, while that can change; `announcements`: what the organiser tells,
    beside the one notice; `round_pk`: of the round that is played, or was last."""

    player: Player
    shown_as: str
    notice: Notice
    announcements: tuple[Announcement, ...]
    seat: Seat | None
    mates: tuple[str, ...]
    sheet: SheetView | None
    deals: tuple[OwnDeal, ...]
    penalties: tuple[Penalty, ...]
    row: Row | None
    to_line: str
    is_finalist: bool
    public: PublicStandings
    clock: EventClock
    round_pk: int | None

    @property
    def table_number(self) -> int | None:
        """Where the player sits in the round being played or played last."""
        return self.seat.table.number if self.seat else None


def ticket_for(player: Player) -> Ticket:
    event = player.event
    public = public_standings(event)
    rounds = list(event.rounds.played().select_related("clock").in_order_of_play())
    seats = _seats(player, rounds)
    seat = seats.get(rounds[-1].pk) if rounds else None
    sheet = sheet_view(seat.table) if seat is not None else None
    may_confirm = sheet is not None and can_confirm(Actor.of_player(player), sheet.sheet, event)
    row = public.row_of(player.number)
    is_finalist = public.board.is_finalist(player.number)
    return Ticket(
        player=player,
        shown_as=_shown_as(player),
        notice=notice_for(player, seat, public, may_confirm=may_confirm),
        announcements=announcements_for(player),
        seat=seat,
        mates=tuple(one.name for one in sheet.seats if one.player_id != player.pk) if sheet else (),
        sheet=sheet,
        deals=_deals(player, rounds, seats),
        penalties=tuple(player.penalties.in_force()),
        row=row if row is not None and (row.deals or is_finalist) else None,
        to_line=distance_to_line(public.board, row) if row is not None else "",
        is_finalist=is_finalist,
        public=public,
        clock=clock_of_round(event, rounds[-1] if rounds else None),
        round_pk=rounds[-1].pk if rounds else None,
    )


def _shown_as(player: Player) -> str:
    shown = namesakes_in(player.event).public_name_of(player)
    return "" if shown == player.name else shown


def _seats(player: Player, rounds: Sequence[Round]) -> dict[int, Seat]:
    """By round, with their tables and sheets."""
    by_key = {one.pk: one for one in rounds}
    found = Seat.objects.filter(round__in=rounds, player=player).select_related("table__sheet")
    for seat in found:
        seat.table.round = round_ = by_key[seat.round_id]
        round_.event = player.event
    return {seat.round_id: seat for seat in found}


def _deals(
    player: Player, rounds: Sequence[Round], seats: Mapping[int, Seat]
) -> tuple[OwnDeal, ...]:
    file = rulebook.deals_file(player.event, [player], rounds)
    mine = player_deals(file, rulebook.player_id(player.number))
    return tuple(
        OwnDeal(
            # `scoring` counts the rounds of the file from 1, and they are these, in the same order.
            label=rounds[one.round - 1].label,
            table=seats[rounds[one.round - 1].pk].table.number,
            deal=one.deal,
            role=one.role,
            points=one.points,
            star=one.star,
            lost=one.lost,
            void=one.void,
        )
        for one in mine
    )
