"""What whole days played by fresh eyes showed: each wrong step, with what is right."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import (
    MINERS_WIN,
    enter,
    make_event,
    make_judge,
    make_players,
    make_round,
    make_user,
    organiser,
    organiser_of,
    play,
    play_round,
)
from tests.pages import flat
from tests.tournament.test_absences import pick, ways
from tests.tournament.test_cut import level_event
from tournament.actions import attendance, cuts, events
from tournament.actions.point_entry import type_sheet
from tournament.actions.rounds import close_round
from tournament.actions.scoresheets import DealEntry
from tournament.models import Event
from tournament.queries.standings import shared_places, standings_for
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def desk_of(event: Event) -> Client:
    client = Client()
    client.force_login(organiser_of(event))
    return client


def test_leaving_a_table_that_has_begun_leads_to_its_sheet_with_the_message_and_its_undo() -> None:
    event = make_event()
    make_players(event, 12)
    one, other = tables_of(make_round(event))
    enter(one, 1, DealEntry(MINERS_WIN[6], connector=3))
    play(other)
    client = desk_of(event)

    def drops(seat: int, table) -> str:
        player = table.seats.select_related("player").get(position=seat).player
        move = reverse("player_move", args=[event.slug, player.number, "drop"])
        return client.post(move, {"from": "door"}).url

    sheet = drops(2, one)
    assert sheet == reverse("staff_table:sheet", args=[event.slug, one.pk])
    page = flat(client.get(sheet))
    assert "has left in the middle of the game at table 1" in page
    assert 'class="undo"' in page
    assert "/door/" in drops(2, other), "a confirmed sheet needs nothing"
    desk = flat(client.get(reverse("event_desk", args=[event.slug])))
    assert f'<a href="{sheet}">table 1</a>' in desk
    door = flat(client.get(reverse("door", args=[event.slug])))
    assert f'hx-post="{reverse("player_move", args=[event.slug, 1, "drop"])}"' not in door


def test_nothing_searched_shows_everybody_in_the_fairness_of_the_seating() -> None:
    event = make_event()
    (player, *_others) = make_players(event, 6)
    play_round(event)
    page = flat(Client().get(reverse("fairness", args=[event.slug])))
    assert player.name in page
    assert "Nobody matches" not in page


def test_a_lot_for_a_place_is_told_on_the_row_and_on_the_ticket() -> None:
    event = make_event(rounds_planned=1, cut_size=0)
    make_players(event, 6)
    (table,) = tables_of(make_round(event))
    play(table, [DealEntry(MINERS_WIN[6], None)] * 3)
    close_round(round_=table.round, by=organiser(event))
    assert set(shared_places(event)) >= {1}
    cuts.settle_place(event=event, rank=1, by=organiser(event))
    events.finish_event(event=Event.objects.get(pk=event.pk), by=organiser(event))
    board = standings_for(Event.objects.get(pk=event.pk))
    assert [row.by_lot for row in board.rows if row.rank <= 2] == [True, True]
    assert not any(row.by_lot for row in board.rows if row.shared)
    assert "by lot" in flat(Client().get(reverse("standings", args=[event.slug])))
    second = event.players.get(number=board.rows[1].number)
    ticket = flat(Client().get(reverse("ticket", args=[second.token])))
    assert "The rank was decided by lot." in ticket


def test_who_lost_the_lot_for_the_final_reads_it_on_the_ticket() -> None:
    event = level_event()
    cut = cuts.make_cut(event=event, by=organiser(event))
    cuts.settle_line(cut=cut, by=organiser(event))
    inside = set(cut.qualifiers.values_list("player_id", flat=True))
    out = event.players.exclude(pk__in=inside).first()
    assert "out by lot" in flat(Client().get(reverse("ticket", args=[out.token])))


def test_without_a_second_person_a_sheet_typed_in_full_is_handed_in() -> None:
    event = make_event(second_person=False, deals_per_round=2)
    make_players(event, 6)
    (table,) = tables_of(make_round(event))
    by, column = organiser(event), (3, 3, 0, 0, 0, 0)
    sheet = type_sheet(sheet=table.sheet, columns=[column, None], version=0, by=by)
    assert sheet.status == "open", "a deal is missing"
    sheet = type_sheet(sheet=sheet, columns=[column, column], version=sheet.version, by=by, key="k")
    assert sheet.status == "confirmed"


def test_an_event_made_for_today_takes_registrations_until_it_begins(client: Client) -> None:
    client.force_login(make_user())
    start = timezone.localtime() + timedelta(hours=3)
    page = client.get(reverse("new_event"))
    sent = {
        field.html_name: field.value()
        for field in page.context["form"]
        if field.value() is not None
    }
    for name in ("ends_at", "registration_closes_at"):
        sent[name] = sent[name].strftime("%Y-%m-%dT%H:%M")
    sent |= {"name": "Today", "starts_at": start.strftime("%Y-%m-%dT%H:%M"), "time_zone": "UTC"}
    answer = client.post(reverse("new_event"), {k: v for k, v in sent.items() if v is not False})
    assert answer.status_code == 302, flat(answer)
    event = Event.objects.get(name="Today")
    assert event.registration_closes_at == event.starts_at


def test_the_judge_reads_no_optional_beside_what_a_harder_step_asks_for() -> None:
    event = make_event()
    (player, *_others) = make_players(event, 6)
    make_round(event)
    client = Client()
    client.force_login(make_judge(event))
    page = flat(client.get(reverse("penalty", args=[event.slug, player.number])))
    assert "(optional)" not in page
    assert ">Round 1, deal 1</option>" in page


def test_a_round_that_is_all_in_offers_nothing_that_leads_nowhere() -> None:
    event = make_event()
    make_players(event, 6)
    round_ = make_round(event)
    play(tables_of(round_)[0])
    page = flat(desk_of(event).get(reverse("round", args=[event.slug, round_.pk])))
    assert "Close the round" in page
    assert "Type in paper sheets" not in page
    assert "Missing or late" not in page


def test_the_poster_carries_the_public_page() -> None:
    event = make_event()
    page = flat(desk_of(event).get(reverse("poster", args=[event.slug])))
    assert reverse("event", args=[event.slug]) in page.partition("figcaption")[2]
    assert "<svg" in page.partition("<figure")[2]
    desk = flat(desk_of(event).get(reverse("event_desk", args=[event.slug])))
    assert reverse("poster", args=[event.slug]) in desk


def test_a_gap_that_stays_is_told_as_one() -> None:
    event = make_event()
    make_players(event, 12)
    round_ = make_round(event)
    client = desk_of(event)
    left = round_.seats.select_related("player").get(table__number=1, position=3).player
    attendance.drop(player=left, by=organiser(event))
    answer = pick(client, round_, ways(client, round_, missing=[left.number])["leave"])
    said = flat(client.get(answer.url))
    assert "Seats for late arrivals" not in said
    assert "table 1 changed" in said
