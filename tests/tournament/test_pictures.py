"""The event in pictures, and the numbers below them."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

from scoring.roles import Role
from tests.factories import (
    make_event,
    make_players,
    make_round,
    organiser,
    play,
    play_round,
    type_in,
)
from tests.pages import flat
from tournament.actions import rounds
from tournament.actions.penalties import DealRef, InquiryNote, give_penalty
from tournament.actions.scoresheets import DealEntry
from tournament.models import Event
from tournament.queries.pictures import Times, compute_pictures
from tournament.queries.standings import standings_for
from tournament.simulation import SimulationPlan, simulate, tables_of
from tournament.web.charts import Ranked, bar_chart, best_of, post_chart, rank_chart

pytestmark = pytest.mark.django_db

ROLES = ("saboteur", "saboteur", "miner", "miner", "miner", "selfish")


def page(event: Event, query: str = "") -> str:
    answer = Client().get(reverse("pictures", args=[event.slug]) + query)
    assert answer.status_code == 200
    return flat(answer)


def played(rounds_planned: int = 2, players: int = 12) -> Event:
    event = make_event(rounds_planned=rounds_planned)
    make_players(event, players)
    for seed in range(1, rounds_planned + 1):
        round_ = make_round(event, seed)
        for table in tables_of(round_):
            play(table, seed=seed * 10 + table.number)
        rounds.close_round(round_=round_, by=organiser(event))
    return event


def test_ranks_after_each_closed_round_are_those_of_the_standings() -> None:
    event = played()
    found = compute_pictures(event)
    assert [one.number for one in found.rounds] == [1, 2]
    ranks = {row.number: row.rank for row in standings_for(event).rows}
    assert found.rounds[-1].ranks == ranks
    assert found.ranks_of(1) == (found.rounds[0].ranks[1], ranks[1])
    assert found.ranks_of(99) == (None, None)


def test_a_round_that_is_still_played_has_no_ranks() -> None:
    event = make_event(rounds_planned=2)
    make_players(event, 12)
    play_round(event)
    first, _second = tables_of(make_round(event, 2))
    play(first)
    assert len(compute_pictures(event).rounds) == 1
    assert "Lines begin once two rounds are closed." in page(event)


def test_the_final_is_the_last_of_the_rounds() -> None:
    event = simulate(SimulationPlan(players=12, rounds=2, cut=6, seed=2))
    found = compute_pictures(event)
    board = standings_for(event)
    assert [(one.stage, one.number) for one in found.rounds] == [
        ("preliminary", 1),
        ("preliminary", 2),
        ("final", 1),
    ]
    assert found.rounds[-1].ranks == {row.number: row.rank for row in board.ranked}
    assert "Final" in page(event)


def test_roles_drawn_against_what_chance_gives() -> None:
    event = make_event(rounds_planned=1)
    make_players(event, 6)
    (table,) = tables_of(make_round(event))
    play(table, [DealEntry(ROLES, 3)] * 3)
    found = compute_pictures(event)
    assert (found.counted, found.deals) == (3, 3)
    # Six people, three deals, one selfish dwarf in each: never, once, twice or always by chance.
    chance = Fraction(1, 6)
    expected = [
        float(6 * ways * chance**times * (1 - chance) ** (3 - times))
        for times, ways in enumerate((1, 3, 3, 1))
    ]
    drawn = {0: 5, 3: 1}
    assert found.times[Role.SELFISH] == tuple(
        Times(times, drawn.get(times, 0), pytest.approx(one)) for times, one in enumerate(expected)
    )
    first = table.seats.get(position=1).player.number
    own = found.players[first]
    assert [(one.role, one.drawn, one.expected) for one in own.roles] == [
        (Role.MINER, 0, pytest.approx(1.5)),
        (Role.SABOTEUR, 3, pytest.approx(1)),
        (Role.SELFISH, 0, pytest.approx(0.5)),
    ]


def test_sheets_typed_as_points_do_not_tell_the_roles() -> None:
    event = make_event(rounds_planned=1)
    make_players(event, 12)
    typed, entered = tables_of(make_round(event))
    type_in(typed)
    assert "they do not tell the roles" in page(event)
    play(entered)
    found = compute_pictures(event)
    assert (found.counted, found.deals) == (6, 3)
    assert "It rests on 3 deals of 6" in page(event)


def test_before_anything_counts_there_is_no_picture() -> None:
    event = make_event()
    make_players(event, 6)
    text = page(event)
    assert "Nothing counts yet" in text
    assert '<svg class="picture' not in text
    assert reverse("pictures", args=[event.slug]) not in flat(
        Client().get(reverse("standings", args=[event.slug]))
    )


def test_each_picture_has_its_words_and_its_numbers() -> None:
    text = page(played(), "?number=1")
    pictures = re.findall(r'<svg class="picture.*?</svg>', text)
    assert len(pictures) == 6  # ranks, worth, one player's roles, and a chart for each role
    ids: list[str] = []
    for one in pictures:
        named = re.search(r'role="img" aria-labelledby="(\S+) (\S+)"', one)
        assert named is not None
        assert f'<title id="{named[1]}">' in one
        assert f'<desc id="{named[2]}">' in one
        assert "style=" not in one
        ids += named.groups()
    assert len(ids) == len(set(ids))
    assert text.count("The same in numbers") == 6


def test_a_player_is_lit_and_somebody_unknown_is_told() -> None:
    event = played()
    worst = standings_for(event).rows[-1]
    text = page(event, f"?number={worst.number}")
    assert f"Lit: {worst.public_name}" in text
    assert " lit" in text
    assert "Nobody in the standings has this start number." in page(event, "?number=99")
    assert "Lit:" not in page(event, "?number=x")


def test_whoever_was_disqualified_has_no_line() -> None:
    event = played()
    player = event.players.get(number=standings_for(event).rows[0].number)
    give_penalty(
        player=player,
        infraction="3.0",
        step=4,
        deal=DealRef("preliminary", 2, 1),
        reason="marked cards",
        inquiry=InquiryNote(heard="Everybody", finding="Marked", decided_by="Julio"),
        by=organiser(event),
    )
    assert player.number not in compute_pictures(event).rounds[0].ranks
    assert player.name not in page(event, f"?number={player.number}")


def test_the_ticket_draws_the_players_own_ranks() -> None:
    event = played()
    player = event.players.get(number=1)
    text = flat(Client().get(reverse("ticket", args=[player.token])))
    ranks = compute_pictures(event).ranks_of(1)
    assert "My ranks over the rounds" in text
    assert f"R1: {ranks[0]}" in text
    assert f"R2: {ranks[1]}" in text


def test_the_page_asks_no_more_for_more_players(django_assert_max_num_queries) -> None:
    for players in (6, 30):
        event = make_event(rounds_planned=1)
        make_players(event, players)
        play_round(event)
        with django_assert_max_num_queries(48):
            page(event)
        with django_assert_max_num_queries(7):
            page(event, "?number=2")


def test_names_beside_lines_do_not_lie_on_each_other() -> None:
    players = [Ranked(f"Player {n}", (1, 1)) for n in range(10)]
    chart = rank_chart(["R1", "R2"], players)
    labels = sorted(line.label for line in chart.lines)
    assert all(b - a >= 12.9 for a, b in itertools.pairwise(labels))
    assert labels[-1] <= chart.bottom


def test_many_ranks_are_drawn_together_and_stay_in_order() -> None:
    ranks = (1, 2, 50, 1500)
    chart = rank_chart(["R1"], [Ranked(str(rank), (rank,)) for rank in ranks])
    ends = [line.end for line in chart.lines]
    assert ends == sorted(ends)
    assert len(set(ends)) == 4
    assert next(mark.words for mark in chart.ranks) == "1"


def test_a_line_breaks_where_somebody_was_not_ranked() -> None:
    chart = rank_chart(["R1", "R2", "R3"], [Ranked("Ana", (2, None, 1))])
    (line,) = chart.lines
    assert len(line.pieces) == 2
    assert len(line.points) == 2


def test_the_best_are_drawn_and_one_more() -> None:
    ranks = [{1: 3, 2: 1, 3: 2}, {1: 1, 2: 2, 3: 3}]
    assert best_of(ranks, 2) == [1, 2]
    assert best_of(ranks, 2, also=3) == [1, 2, 3]
    assert best_of(ranks, 2, also=9) == [1, 2]
    assert best_of([], 2, also=1) == []


def test_bars_are_as_long_as_their_numbers() -> None:
    chart = bar_chart([("a", 2, "2", 1.0, ""), ("b", 0, "0", None, "")])
    assert chart.bars[0].width > 0
    assert chart.bars[0].mark == chart.left + chart.bars[0].width / 2
    assert (chart.bars[1].width, chart.bars[1].mark) == (0, None)
    assert bar_chart([]).bars == ()
    first, second = post_chart([(0, 4, 2.0), (1, 0, 1.0)]).posts
    floor = first.top + first.height
    assert first.height == pytest.approx(2 * (floor - first.expected), abs=0.2)
    assert second.height == 0
