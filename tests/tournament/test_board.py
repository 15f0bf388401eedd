"""The board of the tables: how far each is, what is wrong, the slowest first."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    enter,
    make_event,
    make_judge,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play,
    type_in,
)
from tests.pages import flat
from tests.watch import Watch
from tournament.actions import calls, clocks, lateness, rounds
from tournament.models import Event, Round
from tournament.models.actors import Actor
from tournament.queries.board import Board, NextStep, board_of
from tournament.simulation import at, tables_of
from tournament.web.desk import events

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(watch: Watch) -> Round:
    event = make_event(round_minutes=40)
    make_players(event, 24)
    return make_round(event)


def board(played: Round, watch: Watch) -> Board:
    found = board_of(Event.objects.get(pk=played.event_id), watch.now)
    assert found is not None
    return found


def shown(played: Round, watch: Watch) -> dict[int, tuple[str, list[str]]]:
    return {
        tile.number: (tile.words, [note.words for note in tile.notes])
        for tile in board(played, watch).tiles
    }


def staff(event: Event) -> Client:
    client = Client()
    client.force_login(organiser_of(event))
    return client


def test_each_table_says_how_far_it_is(played: Round, watch: Watch) -> None:
    one, two, three, four = tables_of(played)
    enter(one, 1)
    for number in (1, 2, 3):
        enter(two, number)
    play(three, confirm=False)
    type_in(four)
    assert shown(played, watch) == {
        1: ("deal 2 of 3", ["behind"]),
        2: ("all deals entered", []),
        3: ("waits for a second person", []),
        4: ("done", ["from paper"]),
    }
    assert [tile.number for tile in board(played, watch).tiles] == [1, 2, 3, 4]


def test_the_slowest_stands_first_and_is_behind_where_half_have_more(
    played: Round, watch: Watch
) -> None:
    one, two, _three, four = tables_of(played)
    for table in (one, two, four):
        enter(table, 1)
    enter(one, 2)
    tiles = board(played, watch).tiles
    assert [tile.number for tile in tiles] == [3, 2, 4, 1]
    assert [tile.number for tile in tiles if tile.behind] == [3]
    assert board(played, watch).next_step == NextStep.PLAY


def test_calls_missing_people_and_time_stand_on_the_tile(played: Round, watch: Watch) -> None:
    event, (one, two, *_rest) = played.event, tables_of(played)
    clocks.start_clock(round_=played, by=organiser(event))
    (mark,) = lateness.report_missing(table=one, positions=[2], by=at(one, 1))
    call = calls.call_judge(table=two, reason="", by=at(two, 1))
    assert shown(played, watch)[1][1] == [f"missing: {mark.player.name}"]
    assert shown(played, watch)[2][1] == ["judge called"]
    assert board(played, watch).next_step == NextStep.CALL
    calls.answer_call(call=call, by=Actor.of_user(make_judge(event)))
    assert shown(played, watch)[2][1] == ["Julio is going"]
    watch.goes(minutes=41)
    assert "time over" in shown(played, watch)[3][1]
    assert board(played, watch).next_step == NextStep.OVER


def test_the_next_step_at_the_end(played: Round, watch: Watch) -> None:
    for table in tables_of(played)[:3]:
        play(table)
    last = tables_of(played)[3]
    play(last, confirm=False)
    assert board(played, watch).next_step == NextStep.CONFIRM
    last.sheet.status = "open"
    last.sheet.save()
    play(last)
    assert board(played, watch).next_step == NextStep.CLOSE
    rounds.close_round(round_=played, by=organiser(played.event))
    assert board_of(played.event, watch.now) is None


def test_a_tile_leads_to_sheet_code_and_print(played: Round) -> None:
    event, table = played.event, tables_of(played)[0]
    page = staff(event).get(reverse("board", args=[event.slug]))
    sheet = reverse("staff_table:sheet", args=[event.slug, table.pk])
    assert f'href="{sheet}"' in page.text
    assert f'href="{sheet}#link"' in page.text
    assert f'href="{reverse("table_pdf", args=[event.slug, table.pk])}"' in page.text
    assert 'id="link"' in staff(event).get(sheet).text


def test_what_is_done_can_be_left_out(played: Round) -> None:
    event = played.event
    play(tables_of(played)[0])
    page = staff(event).get(reverse("board", args=[event.slug]), {"show": "open"})
    assert len(page.context["tiles"]) == 3
    assert "Not done: 3" in flat(page)
    assert "?show=open" in page.text


def test_the_desk_shows_as_many_as_it_holds_and_leads_to_the_rest(
    played: Round, monkeypatch
) -> None:
    event = played.event
    desk = reverse("event_desk", args=[event.slug])
    assert "The board of all" not in flat(staff(event).get(desk))
    monkeypatch.setattr(events, "MOST_TILES", 2)
    page = staff(event).get(desk)
    assert page.text.count('class="tile playing"') == 2
    assert "The board of all 4 tables" in flat(page)


def test_without_a_round_the_board_says_so() -> None:
    event = make_event()
    assert "No round is being played." in flat(
        staff(event).get(reverse("board", args=[event.slug]))
    )
