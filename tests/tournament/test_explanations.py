"""Why somebody stands where they stand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    make_event,
    make_judge,
    make_players,
    make_round,
    organiser,
    play,
    play_round,
)
from tests.pages import flat
from tournament.actions import attendance, rounds
from tournament.actions import cuts as cut_actions
from tournament.actions.events import finish_event
from tournament.actions.penalties import DealRef, InquiryNote, give_penalty
from tournament.actions.scoresheets import DealEntry
from tournament.models import Event, Table
from tournament.queries.explanations import DealCell, SeatedRound, explanation_for
from tournament.queries.standings import standings_for
from tournament.simulation import SimulationPlan, simulate, tables_of

pytestmark = pytest.mark.django_db

SABOTEURS = ("saboteur", "saboteur", "miner", "miner", "miner", "selfish")
# Seats 1 and 2 get 3 and a star each; seat 3 gets 3 and a star, 4 and 5 get 2; seat 6 gets 4.
SABOTEURS_WIN = DealEntry(SABOTEURS, None)
MINERS_WIN = DealEntry(SABOTEURS, 3)
DWARF_WINS = DealEntry(SABOTEURS, 6)
# A saboteur connects: 2 for each miner, no star.
SABOTEUR_CONNECTS = DealEntry(SABOTEURS, 1)


def page(event: Event, number: int, client: Client | None = None) -> str:
    answer = (client or Client()).get(reverse("standing", args=[event.slug, number]))
    assert answer.status_code == 200
    return flat(answer)


def one_table(entries: list[DealEntry], **settings: object) -> Table:
    event = make_event(rounds_planned=1, cut_size=5, **settings)
    make_players(event, 6)
    (table,) = tables_of(make_round(event))
    play(table, entries)
    return table


def seated(table: Table) -> list[int]:
    """Start numbers in sitting order."""
    return list(table.seats.order_by("position").values_list("player__number", flat=True))


def test_points_stars_and_shared_ranks_part_neighbours() -> None:
    table = one_table([SABOTEURS_WIN, MINERS_WIN, SABOTEUR_CONNECTS])
    event, numbers = table.round.event, seated(table)
    # 5 with a star; 4 and 4; 3 and 3, with a star each; 0.
    best = explanation_for(event, numbers[2])
    assert best is not None
    assert (best.row.rank, best.above) == (1, None)
    assert best.below is not None
    assert best.below.words == "1 point parts them."
    assert [row.points for row in best.compared] == [5, 4]
    shared = explanation_for(event, numbers[0])
    assert shared is not None
    told = {one.words for one in (shared.above, shared.below) if one is not None}
    assert "Level in points and stars: they share the rank." in told
    last = explanation_for(event, numbers[5])
    assert last is not None
    assert last.above is not None
    assert last.below is None
    assert last.above.words == "3 points part them."


def test_a_star_parts_who_is_level_in_points() -> None:
    # Seat 6 gets 4 and a star, seats 4 and 5 get 2 and 2 without one.
    table = one_table([DWARF_WINS, SABOTEUR_CONNECTS, SABOTEUR_CONNECTS])
    found = explanation_for(table.round.event, seated(table)[5])
    assert found is not None
    assert found.below is not None
    assert found.below.words == "Level in points: 1 star parts them."


def test_deal_by_deal_beside_the_neighbours() -> None:
    table = one_table([SABOTEURS_WIN, MINERS_WIN, SABOTEUR_CONNECTS])
    event, numbers = table.round.event, seated(table)
    found = explanation_for(event, numbers[2])
    assert found is not None
    (round_,) = found.rounds
    assert round_.label == "Tournament round 1"
    # Seat 3: nothing, 3 with a star, 2.
    assert round_.seats[0] == SeatedRound(1, 5, 1, 5, 1)
    assert [deal for deal, _cells in round_.deals] == [1, 2, 3]
    mine = [cells[0] for _deal, cells in round_.deals]
    assert mine == [
        DealCell(0, star=False, void=False, lost=False),
        DealCell(3, star=True, void=False, lost=False),
        DealCell(2, star=False, void=False, lost=False),
    ]


def test_a_penalty_is_told_to_nobody_but_the_staff() -> None:
    table = one_table([SABOTEURS_WIN, MINERS_WIN, DWARF_WINS])
    event, numbers = table.round.event, seated(table)
    player = event.players.get(number=numbers[2])
    give_penalty(
        player=player,
        infraction="1.3",
        step=3,
        deal=DealRef("preliminary", 1, 2),
        reason="looked at a card",
        by=organiser(event),
    )
    found = explanation_for(event, numbers[2])
    assert found is not None
    mine = [cells[found.compared.index(found.row)] for _deal, cells in found.rounds[0].deals]
    assert mine[1] == DealCell(0, star=False, void=False, lost=True)
    for number in numbers:
        text = page(event, number)
        assert "deal loss" not in text
        assert "looked at a card" not in text
    client = Client()
    client.force_login(make_judge(event))
    assert "deal loss" in page(event, numbers[2], client)
    ticket = flat(Client().get(reverse("ticket", args=[player.token])))
    assert "deal loss" in ticket


def test_whoever_is_disqualified_has_no_rank_and_no_deals() -> None:
    table = one_table([SABOTEURS_WIN, MINERS_WIN, DWARF_WINS])
    event, numbers = table.round.event, seated(table)
    player = event.players.get(number=numbers[0])
    give_penalty(
        player=player,
        infraction="3.0",
        step=4,
        deal=DealRef("preliminary", 1, 1),
        reason="marked cards",
        inquiry=InquiryNote(heard="Everybody", finding="Marked", decided_by="Julio"),
        by=organiser(event),
    )
    text = page(event, numbers[0])
    assert "Disqualified, and so without a rank." in text
    assert "marked cards" not in text
    assert "Deal by deal" not in text
    for number in numbers[1:]:
        found = explanation_for(event, number)
        assert found is not None
        assert player.number not in {row.number for row in found.compared}


def test_nobody_else_has_a_page() -> None:
    event = make_event(rounds_planned=1)
    players = make_players(event, 7)
    attendance.withdraw(player=players[6], by=organiser(event))
    play_round(event)
    for number in (99, players[6].number):
        assert Client().get(reverse("standing", args=[event.slug, number])).status_code == 404
    assert Client().get(f"/events/{event.slug}/standings/0/").status_code == 404
    assert Client().get(f"/events/{event.slug}/standings/{10**30}/").status_code == 404


def test_before_anything_counts_the_page_says_so() -> None:
    event = make_event()
    make_players(event, 6)
    assert "Nothing counts yet." in page(event, 1)


def test_whoever_missed_a_round_has_dashes_there() -> None:
    event = make_event(rounds_planned=2)
    make_players(event, 12)
    play_round(event)
    first, _second = tables_of(make_round(event, 2))
    play(first)
    number = next(row.number for row in standings_for(event).rows if row.deals == 3)
    found = explanation_for(event, number)
    assert found is not None
    place = found.compared.index(found.row)
    later = [one for one in found.rounds if one.label == "Tournament round 2"]
    assert all(one.seats[place] is None for one in later)


def test_finalists_are_parted_by_the_steps_of_the_final() -> None:
    event = simulate(SimulationPlan(players=12, rounds=2, cut=6, seed=3))
    board = standings_for(event)
    for row in board.final:
        found = explanation_for(event, row.number)
        assert found is not None
        assert found.is_finalist
        assert found.rounds[-1].label == "Final"
    last = explanation_for(event, board.final[-1].number)
    assert last is not None
    assert last.below is not None
    assert last.below.words == "The finalists stand before everybody else."
    # The final is counted from zero.
    place = last.compared.index(last.row)
    seat = last.rounds[-1].seats[place]
    assert seat is not None
    assert (seat.points_so_far, seat.stars_so_far) == (last.row.points, last.row.stars)
    for first, second in pairwise(board.final):
        found = explanation_for(event, first.number)
        assert found is not None
        assert found.below is not None
        if first.points != second.points:
            assert "of the final part" in found.below.words
        elif first.stars != second.stars:
            assert "star" in found.below.words
        elif first.rank != second.rank and not second.by_lot:
            assert "preliminaries" in found.below.words


def level_pair(event: Event) -> tuple[int, int]:
    """Two neighbours who share a rank."""
    rows = standings_for(event).rows
    return next(
        (one.number, other.number) for one, other in pairwise(rows) if one.rank == other.rank
    )


def test_a_lot_for_a_place_leads_to_its_proof() -> None:
    event = make_event(rounds_planned=1, cut_size=0)
    make_players(event, 6)
    round_ = make_round(event)
    (table,) = tables_of(round_)
    play(table, [SABOTEURS_WIN] * 3)
    rounds.close_round(round_=round_, by=organiser(event))
    one, other = level_pair(event)
    assert "they share the rank" in page(event, one)
    cut_actions.settle_place(event=event, rank=1, by=organiser(event))
    finish_event(event=event, by=organiser(event))
    text = page(event, one) + page(event, other)
    assert "Level by all that was played: a lot parts them." in text
    assert reverse("rules", args=[event.slug]) + "#lots" in text


def test_the_lot_on_the_line_is_named_where_two_share_a_rank() -> None:
    event = make_event(rounds_planned=1, cut_size=5)
    make_players(event, 6)
    round_ = make_round(event)
    (table,) = tables_of(round_)
    roles = [SABOTEURS, (*SABOTEURS[2:4], *SABOTEURS[:2], *SABOTEURS[4:]), SABOTEURS[::-1]]
    play(table, [DealEntry(one, None) for one in roles])
    rounds.close_round(round_=round_, by=organiser(event))
    cut = cut_actions.make_cut(event=event, by=organiser(event))
    cut_actions.settle_line(cut=cut, by=organiser(event))
    board = standings_for(event)
    assert {row.rank for row in board.rows} == {1}
    texts = [page(event, row.number) for row in board.rows]
    assert any("A lot gave the seat." in text for text in texts)
    assert all("#lots" in text for text in texts)


def test_the_page_asks_no_more_for_more_players(django_assert_max_num_queries) -> None:
    for players in (6, 30):
        event = make_event(rounds_planned=1)
        make_players(event, players)
        play_round(event)
        number = standings_for(event).rows[2].number
        with django_assert_max_num_queries(32):
            page(event, number)
        with django_assert_max_num_queries(14):
            page(event, number)
