"""A player's own page, and the desk, tell what is true now."""

from __future__ import annotations

import pytest

from tests.factories import (
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    play,
    play_round,
)
from tests.tournament.test_cut import level_round
from tournament.actions import cuts, drafts, events, finals, penalties, rounds
from tournament.models import Event, Player
from tournament.queries.cuts import current_cut
from tournament.queries.desk import DeskStep, StationKind, desk_for
from tournament.queries.standings import standings_for
from tournament.queries.tickets import ticket_for
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def news(player: Player) -> tuple[str, bool]:
    """(what the ticket says, whether it shows a seat)."""
    ticket = ticket_for(Player.objects.select_related("event").get(pk=player.pk))
    return ticket.news, ticket.seat is not None


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def test_a_cut_made_early_leads_on_to_the_final_and_the_end() -> None:
    """Three rounds planned, one played: time ran out."""
    event = make_event(rounds_planned=3)
    make_players(event, 12)
    level_round(event)
    by = organiser(event)
    steps = [desk_for(fresh(event)).step]
    cut = cuts.make_cut(event=fresh(event), by=by)
    steps.append(desk_for(fresh(event)).step)
    cuts.settle_line(cut=cut, by=by)
    steps.append(desk_for(fresh(event)).step)
    final = finals.draw_final(cut=current_cut(event), by=by)
    steps.append(desk_for(fresh(event)).step)
    rounds.publish_round(round_=final, by=by)
    steps.append(desk_for(fresh(event)).step)
    play(tables_of(final)[0])
    steps.append(desk_for(fresh(event)).step)
    rounds.close_round(round_=final, by=by)
    view = desk_for(fresh(event))
    steps.append(view.step)
    assert steps == [
        DeskStep.DRAW,
        DeskStep.LOT,
        DeskStep.DRAW_FINAL,
        DeskStep.PUBLISH_ROUND,
        DeskStep.PLAY,
        DeskStep.CLOSE,
        DeskStep.FINISH,
    ]
    assert StationKind.ROUND_PLANNED not in {station.kind for station in view.stations}
    assert not view.may_end_early
    assert {news(player) for player in event.players.all()} == {("done", False)}
    events.finish_event(event=fresh(event), by=by)


def test_a_seat_is_shown_while_it_is_played_and_not_after() -> None:
    event = make_event()
    players = make_players(event, 6)
    assert news(players[0]) == ("", False)
    round_ = make_round(event)
    assert news(players[0]) == ("", True)
    by = organiser(event)
    rounds.unpublish_round(round_=round_, by=by)
    assert news(players[0]) == ("changing", False)
    rounds.publish_round(round_=round_, by=by)
    play(tables_of(round_)[0])
    rounds.close_round(round_=round_, by=by)
    assert news(players[0]) == ("between", False)


def test_everybody_learns_whether_they_are_in_the_final() -> None:
    event = make_event(rounds_planned=1)
    players = make_players(event, 12)
    level_round(event)
    by = organiser(event)
    cut = cuts.make_cut(event=fresh(event), by=by)
    assert {news(player) for player in players} == {("line", False)}
    cuts.settle_line(cut=cut, by=by)
    told = sorted(news(player)[0] for player in players)
    assert told == ["final"] * 6 + ["not_final"] * 6
    notes = {row.note for row in standings_for(fresh(event)).rows}
    assert notes == {"lot", "lost_lot"}
    gone = cut.qualifiers.get(place=1)
    cuts.decline_seat(qualifier=gone, reason="", by=by)
    row = next(row for row in standings_for(fresh(event)).rows if row.number == gone.player.number)
    assert row.note == "declined"


def test_a_disqualified_player_sees_no_seat() -> None:
    event = make_event()
    player = make_players(event, 6)[0]
    make_round(event)
    penalties.give_penalty(
        player=player,
        infraction="3.0",
        step=4,
        reason="cheated",
        deal=penalties.DealRef("preliminary", 1, 1),
        inquiry=penalties.InquiryNote("both", "marked cards", "Julio"),
        by=organiser(event),
    )
    assert news(player) == ("out", False)


def test_the_dealer_is_changed_by_swapping_within_the_table() -> None:
    event = make_event()
    make_players(event, 6)
    round_ = make_round(event, published=False)
    table = tables_of(round_)[0]
    dealer, other = (table.seats.get(position=place).player for place in (1, 4))
    drafts.swap_seats(round_=round_, first=dealer, second=other, by=organiser(event))
    assert table.seats.get(position=1).player == other


def test_a_late_arrival_waits_for_the_next_round() -> None:
    event = make_event()
    make_players(event, 6)
    round_ = play_round(event)
    late = make_player(event, "Late Laura")
    assert news(late) == ("", False)
    assert round_.status == "closed"
