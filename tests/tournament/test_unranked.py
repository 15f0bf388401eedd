"""Stand-ins: seated and scored, in no standing, at no line."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from scoring.eventfile import read, write
from scoring.standings import standings
from tests.factories import make_event, make_players, make_round, organiser, organiser_of, play
from tests.pages import flat
from tournament import rulebook
from tournament.actions import cuts, draws, players, rounds
from tournament.models import Event, Player
from tournament.queries.check_event import first_difference
from tournament.queries.exports import standings_listing
from tournament.queries.standings import standings_for
from tournament.refusals import Refused
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def stand_in(player: Player, *, unranked: bool = True) -> Player:
    entry = players.PlayerEntry(name=player.name, unranked=unranked)
    return players.edit_player(player=player, entry=entry, by=organiser(player.event))


def played(**settings: object) -> tuple[Event, Player]:
    """A round is played, and its best player only stands in."""
    event = make_event(**({"rounds_planned": 1} | settings))
    make_players(event, 18)
    round_ = make_round(event)
    for number, table in enumerate(tables_of(round_)):
        play(table, seed=number)
    rounds.close_round(round_=round_, by=organiser(event))
    event.refresh_from_db()
    best = event.players.get(number=standings_for(event).rows[0].number)
    return Event.objects.get(pk=event.pk), stand_in(best)


def test_the_best_does_not_count_and_everybody_moves_up() -> None:
    event, player = played()
    board = standings_for(event)
    assert player.number not in [row.number for row in board.ranked]
    assert [row.rank for row in board.ranked][:1] == [1]
    (out,) = board.out
    assert (out.number, out.status, out.deals) == (player.number, "unranked", 3)
    cut = cuts.make_cut(event=event, by=organiser(event))
    assert not cut.qualifiers.filter(player=player).exists()
    assert first_difference(event) is None


def test_what_others_scored_beside_them_stands() -> None:
    event, player = played()
    before = {row.number: row.points for row in standings_for(event).ranked}
    stand_in(player, unranked=False)
    after = {row.number: row.points for row in standings_for(event).ranked}
    assert before.items() < after.items()


def test_pages_and_files_say_so() -> None:
    event, player = played()
    for address in (
        reverse("standings", args=[event.slug]),
        reverse("ticket", args=[player.token]),
    ):
        assert "stands in, without a rank" in flat(Client().get(address))
    why = flat(Client().get(reverse("standing", args=[event.slug, player.number])))
    assert "Stands in: seated and scored, but without a rank." in why
    row = next(row for row in standings_listing(event).rows if row[1] == player.number)
    assert row[0] == ""
    assert row[-1] == "stands in, without a rank"
    file = rulebook.event_file(event)
    assert file.unranked == (rulebook.player_id(player.number),)
    assert read(write(file) | {"event": {}}) == file
    assert standings(file).unranked == file.unranked


def test_a_cut_keeps_who_counts() -> None:
    event, player = played()
    cuts.make_cut(event=event, by=organiser(event))
    with pytest.raises(Refused, match="The cut is made"):
        stand_in(player, unranked=False)
    edited = players.PlayerEntry(name="Another", unranked=True)
    assert players.edit_player(player=player, entry=edited, by=organiser(event)).name == "Another"


def test_the_next_round_by_standings_seats_them_too() -> None:
    event, player = played(rounds_planned=2, seating="standings")
    round_ = draws.draw_round(event=event, by=organiser(event), seed=1)
    assert round_.seats.filter(player=player).exists()
    assert round_.seats.count() == 18


def test_the_door_takes_a_judge_who_fills_a_table() -> None:
    event = make_event()
    client = Client()
    client.force_login(organiser_of(event))
    client.post(reverse("walk_in", args=[event.slug]), {"name": "Julia", "unranked": "on"})
    assert event.players.get(name="Julia").unranked
    assert "stands in, without a rank" in flat(client.get(reverse("door", args=[event.slug])))
    page = Client().get(reverse("register", args=[event.slug]))
    assert 'name="unranked"' not in page.content.decode()
