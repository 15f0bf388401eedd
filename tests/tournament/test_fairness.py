"""The page that tells how fair the seating has been."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    MINERS_WIN,
    make_event,
    make_judge,
    make_player,
    make_players,
    make_round,
    make_table,
    organiser,
    organiser_of,
    play,
    play_round,
)
from tournament.actions.events import change_settings
from tournament.actions.penalties import DealRef, give_penalty
from tournament.actions.point_entry import type_sheet
from tournament.actions.scoresheets import DealEntry
from tournament.models import Event, Player
from tournament.queries.fairness import PlayerFairness, SizeAverage, compute_fairness
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def round_response(event: Event, query: str = "") -> str:
    return Client().get(reverse("fairness", args=[event.slug]) + query).content.decode()


def test_who_sat_where_dealt_and_met_whom() -> None:
    event = make_event(rounds_planned=2, seating="lot")
    ana, *_others = [make_player(event, name) for name in "ABCDEF"]
    Player.objects.filter(pk=ana.pk).update(name_style="alias", alias="Mole")
    for seed in (1, 2):
        play_round(event, seed)
    fair = compute_fairness(event)
    met = tuple((name, 2) for name in "BCDEF")
    dealt = sum(
        table.seats.get(position=1).player_id == ana.pk
        for round_ in event.rounds.all()
        for table in tables_of(round_)
    )
    assert fair.rows[0] == PlayerFairness(1, "Mole", 2, ((6, 2),), dealt, met)
    assert ("Mole", 2) in fair.rows[1].met
    assert (fair.rounds, fair.methods, fair.report.repeats) == (2, ("lot",), 15)


def test_a_draft_tells_nobody_anything() -> None:
    event = make_event()
    make_players(event, 6)
    make_round(event, published=False)
    assert compute_fairness(event).rounds == 0
    assert "No round is published yet" in round_response(event)


def test_what_a_seat_is_worth_at_each_size() -> None:
    event = make_event()
    make_players(event, 11)
    for table in tables_of(make_round(event)):
        size = table.seats.count()
        roles = MINERS_WIN[size]
        play(table, [DealEntry(roles=roles, connector=roles.index("miner") + 1)] * 3)
    paid = {5: (3 + 2 + 2) / 5, 6: (3 + 2 + 2) / 6}
    assert compute_fairness(event).paid == tuple(
        SizeAverage(size, 3, pytest.approx(average)) for size, average in paid.items()
    )


def test_points_on_paper_that_are_right_only_with_a_deal_loss_are_counted_as_they_stand() -> None:
    table = make_table(6)
    event, by = table.round.event, organiser(table.round.event)
    player = table.seats.get(position=1).player
    deal = DealRef("preliminary", 1, 1)
    give_penalty(player=player, infraction="2.2", step=3, reason="late", by=by, deal=deal)
    columns = [[0, 2, 2, 0, 0, 0], [3, 2, 2, 0, 0, 0], [3, 2, 2, 0, 0, 0]]
    type_sheet(sheet=table.sheet, columns=columns, version=0, by=by, signed=True)
    assert compute_fairness(event).paid == (SizeAverage(6, 3, pytest.approx(18 / 18)),)


def test_the_proof_is_told_in_plain_words() -> None:
    event = make_event(rounds_planned=4)
    make_players(event, 24)
    play_round(event, 1)
    assert "No better seating exists" in round_response(event)
    assert "nobody has met anybody twice" in round_response(event)
    for seed in (2, 3, 4):
        play_round(event, seed)
    page = round_response(event)
    assert "No better seating exists" in page
    assert "two people met again 48 times" in page
    assert "that is proved" in page


def test_a_seating_by_lot_claims_nothing_but_the_lot() -> None:
    event = make_event(seating="lot")
    make_players(event, 12)
    play_round(event, 1)
    play_round(event, 2)
    page = round_response(event)
    assert "The seats were drawn by lot" in page
    assert "No better seating exists" not in page


def test_the_organiser_may_keep_the_page_for_the_staff() -> None:
    event = make_event()
    make_players(event, 6)
    make_round(event)
    address = reverse("fairness", args=[event.slug])
    assert address in Client().get(reverse("event", args=[event.slug])).content.decode()
    change_settings(event=event, settings={"fairness_public": False}, by=organiser(event))
    staff = Client()
    staff.force_login(make_judge(event))
    stranger = Client()
    stranger.force_login(organiser_of(make_event()))
    seen = [client.get(address).status_code for client in (Client(), stranger, staff)]
    assert seen == [404, 404, 200]
    assert address not in Client().get(reverse("event", args=[event.slug])).content.decode()


def test_people_are_found_by_a_few_letters() -> None:
    event = make_event()
    for name in ("Ana García", "Bea", "Cai", "Dan", "Eva"):
        make_player(event, name)
    make_round(event)
    page = round_response(event, "?q=garcia")
    assert ("Ana García" in page, "Bea" in page) == (True, False)
    assert "Bea" in round_response(event, "?q=2")
    assert "Nobody matches" in round_response(event, "?q=zzz")


def test_the_page_asks_no_more_for_more_players(django_assert_num_queries) -> None:
    for players in (6, 30):
        event = make_event()
        make_players(event, players)
        play_round(event)
        address = reverse("fairness", args=[event.slug])
        with django_assert_num_queries(13):
            Client().get(address)
        with django_assert_num_queries(1):
            Client().get(address)
