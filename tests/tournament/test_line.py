"""What the standings and the ticket say of the line: in for certain, out, in with so many more."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from scoring.chances import OpenTable
from tests.factories import (
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    play,
    play_round,
)
from tests.pages import flat
from tournament import rulebook
from tournament.actions import attendance, rounds
from tournament.actions import cuts as cut_actions
from tournament.actions.scoresheets import DealEntry
from tournament.models import Event, Player, Table
from tournament.queries.chances import ahead_in
from tournament.queries.standings import Row, StandingsTable, place_of, standings_for
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db

GONE = "out of reach"


def ticket(player: Player) -> str:
    return flat(Client().get(reverse("ticket", args=[player.token])))


def page(event: Event) -> str:
    return flat(Client().get(reverse("standings", args=[event.slug])))


def connected_by(position: int, selfish: int) -> DealEntry:
    """Six seats: the miner at this one connects; the saboteurs have two other seats."""
    others = [seat for seat in range(1, 7) if seat not in (position, selfish)]
    roles = {position: "miner", selfish: "selfish", others[0]: "saboteur", others[1]: "saboteur"}
    return DealEntry(tuple(roles.get(seat, "miner") for seat in range(1, 7)), position)


def selfish_wins(position: int) -> DealEntry:
    others = [seat for seat in range(1, 7) if seat != position]
    roles = dict.fromkeys(others[:2], "saboteur") | {position: "selfish"}
    return DealEntry(tuple(roles.get(seat, "miner") for seat in range(1, 7)), position)


def last_round(players: int = 12) -> tuple[Event, list[Table]]:
    """A single round, being played at tables of six."""
    event = make_event(rounds_planned=1, cut_size=6)
    make_players(event, players)
    return event, tables_of(make_round(event))


def chances(event: Event) -> dict[int, str]:
    return {row.number: row.chance for row in standings_for(event).rows}


def test_nothing_is_said_before_a_sheet_counts() -> None:
    event, _tables = last_round()
    assert not standings_for(event).chances_said


def test_in_with_so_many_more_while_a_table_plays() -> None:
    event, (first, _second) = last_round()
    # Seat 1 has 12, and only the other table plays on: at most one there can have as much.
    play(first, [selfish_wins(1)] * 3)
    board = standings_for(event)
    best = board.rows[0]
    assert (best.points, best.chance) == (12, "in for certain")
    assert board.chances_exact
    text = page(event)
    assert "in for certain" in text
    assert "hold whatever the deals to come bring" in text
    assert "Some of it may be certain earlier" not in text
    # Whoever has nothing is level with the five beside them: a lot can always bring them in.
    assert board.rows[-1].chance != GONE


def test_out_of_reach_and_never_too_early() -> None:
    event = make_event(rounds_planned=1, cut_size=6)
    make_players(event, 24)
    first, second, third, last = tables_of(make_round(event))
    for table in (first, second, third):
        play(table, [connected_by(1, 6), connected_by(2, 6), connected_by(1, 6)])
    found = chances(event)
    ends = {row.number: row.points for row in standings_for(event).rows}
    here = set(last.seats.values_list("player__number", flat=True))
    # Of those who have played, six or more are above: whoever has 0 cannot rise any more.
    assert all(found[n] == GONE for n in ends if n not in here and ends[n] == 0)
    assert not any(found[n] == GONE for n in here)
    play(last, [connected_by(1, 6)] * 3)
    # Nothing is left to be played: now the line itself says it.
    assert not standings_for(event).chances_said


def test_a_draft_tells_nobody_where_they_will_sit() -> None:
    event = make_event(rounds_planned=2)
    make_players(event, 12)
    play_round(event)
    file = rulebook.event_file(event)
    assert ahead_in(event, file, sheets_waiting=0).rounds == 1
    draft = make_round(event, 2, published=False)
    ahead = ahead_in(event, rulebook.event_file(event), sheets_waiting=0)
    assert (ahead.tables, ahead.rounds, ahead.deals) == ((), 1, 3)
    rounds.publish_round(round_=draft, by=organiser(event))
    ahead = ahead_in(event, rulebook.event_file(event), sheets_waiting=2)
    assert ahead.rounds == 0
    assert [(len(one.seats), one.deals) for one in ahead.tables] == [(6, 3), (6, 3)]
    assert isinstance(ahead.tables[0], OpenTable)


def test_a_table_that_handed_in_without_a_deal_is_not_open() -> None:
    event, (first, _second) = last_round()
    play(first)
    file = rulebook.event_file(event)
    assert not ahead_in(event, file, sheets_waiting=0)


def test_whoever_dropped_out_has_no_chance_and_is_nobodys_rival() -> None:
    event, (first, _second) = last_round()
    play(first, [selfish_wins(1)] * 3)
    gone = first.seats.get(position=1).player
    attendance.drop(player=gone, by=organiser(event))
    row = place_of(standings_for(event), gone.number)
    assert row is not None
    assert (row.rank, row.chance) == (1, "")


def test_once_the_cut_is_made_nothing_is_certain_beyond_it() -> None:
    event = make_event(rounds_planned=1)
    make_players(event, 12)
    play_round(event)
    cut_actions.make_cut(event=event, by=organiser(event))
    assert not standings_for(event).chances_said
    assert "hold whatever the deals to come bring" not in page(event)


def test_without_a_final_there_is_no_line() -> None:
    event = make_event(rounds_planned=1, cut_size=0)
    make_players(event, 12)
    first, _second = tables_of(make_round(event))
    play(first)
    assert not standings_for(event).chances_said


def test_the_ticket_says_how_far_it_is_to_the_line() -> None:
    event = make_event(rounds_planned=1, cut_size=5)
    make_players(event, 12)
    first, second = tables_of(make_round(event))
    play(first, [connected_by(1, 6), connected_by(2, 6), connected_by(1, 6)])
    play(second, [connected_by(1, 6), connected_by(2, 6), selfish_wins(3)])
    board = standings_for(event)
    said = {row.number: ticket(event.players.get(number=row.number)) for row in board.rows}
    in_line = [row for row in board.rows if row.state in ("in", "tied")]
    for row in board.rows:
        text = said[row.number]
        missing = in_line[-1].points - row.points
        if row.state == "tied":
            assert "Level on the line." in text
        elif row.state == "in":
            assert "Above the line" in text
        elif missing:
            words = "point" if missing == 1 else "points"
            assert f"As it stands, {missing} {words} to the line." in text
        else:
            assert "Level in points with the line: the stars are missing." in text


def test_the_ticket_says_what_is_certain() -> None:
    event, (first, _second) = last_round()
    play(first, [selfish_wins(1)] * 3)
    best = first.seats.get(position=1).player
    assert "<strong>In for certain</strong>, whatever the others do." in ticket(best)
    assert "Why am I 1st?" in ticket(best)
    assert reverse("standing", args=[event.slug, best.number]) in ticket(best)


def test_the_words_are_spanish_for_spanish_readers() -> None:
    event, (first, _second) = last_round()
    play(first, [selfish_wins(1)] * 3)
    with translation.override("es"):
        assert standings_for(event).rows[0].chance == "dentro con seguridad"


def test_a_table_of_a_size_without_rules_says_nothing() -> None:
    event, (first, second) = last_round()
    play(first)
    second.seats.filter(position__gt=4).delete()
    event.current_version.version += 1
    event.current_version.save()
    board: StandingsTable = standings_for(event)
    row: Row = board.rows[0]
    assert (board.chances_said, row.chance) == (False, "")


def test_names_that_are_hidden_stay_hidden() -> None:
    event = make_event(rounds_planned=1, cut_size=6)
    ana = make_player(event, "Ana Secret", name_style="alias", alias="Mole")
    make_players(event, 11)
    tables = tables_of(make_round(event))
    for table in tables:
        play(table)
    for name in ("standings", "pictures"):
        text = flat(Client().get(reverse(name, args=[event.slug]) + f"?number={ana.number}"))
        assert "Ana Secret" not in text
    for number in range(1, 13):
        text = flat(Client().get(reverse("standing", args=[event.slug, number])))
        assert "Ana Secret" not in text
    assert "Mole" in flat(Client().get(reverse("standing", args=[event.slug, ana.number])))
