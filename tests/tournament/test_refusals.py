"""A refused change answers 409 on the page it came from, with its sentence and everything else."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    make_event,
    make_player,
    make_players,
    make_round,
    make_table,
    organiser_of,
    play,
    play_round,
)
from tests.pages import flat
from tournament.models import Event
from tournament.queries.standings import standings_for
from tournament.queries.versions import version_of
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def press(event: Event, button: str, /, *args: Any, **data: Any) -> str:
    client = Client()
    client.force_login(organiser_of(event))
    answer = client.post(reverse(button, args=[event.slug, *args]), data)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert 'role="alert"' in page
    assert "</html>" in page
    return page


def test_an_event_published_twice() -> None:
    assert "this is not possible now" in press(make_event(), "publish")


def test_an_event_finished_too_early() -> None:
    event = make_event()
    assert "No round was played" in press(event, "finish", version=version_of(event))


def test_an_end_that_was_read_before_something_changed() -> None:
    event = make_event()
    seen = version_of(event)
    make_players(event, 6)
    page = press(event, "finish", version=seen, reason="the hall is closed")
    assert "look again, then finish" in page
    assert 'value="the hall is closed"' in page


def test_the_end_names_the_champion_and_what_is_shared() -> None:
    event = make_event(cut_size=0, rounds_planned=2)
    make_players(event, 12)
    play_round(event)
    client = Client()
    client.force_login(organiser_of(event))
    page = flat(client.get(reverse("finish", args=[event.slug])))
    first = [row for row in standings_for(event).rows if row.rank == 1]
    assert all(row.name in page for row in first)
    words = f"{first[0].name} is the champion" if len(first) == 1 else "share the first place"
    assert words in page
    assert "1 round that was announced has not been played." in page
    assert event.status != "finished"


def test_a_draw_of_too_few() -> None:
    assert "at least 5 players" in press(make_event(), "round_draw")


def test_a_cut_before_the_rounds_are_closed() -> None:
    table = make_table(6)
    assert "Close the running round first" in press(table.round.event, "cut_make")


def test_a_round_closed_too_early() -> None:
    table = make_table(6)
    page = press(table.round.event, "round_close", table.round.pk)
    assert "Not confirmed yet: table 1" in page


def test_the_last_organiser_removed() -> None:
    event = make_event()
    page = press(event, "staff_remove", event.staff.get().pk)
    assert "at least one organiser" in page


def test_an_undo_at_the_door_that_comes_too_late() -> None:
    event = make_event()
    make_players(event, 6)
    make_round(event)
    page = press(event, "player_move", 1, "undo-check-in", **{"from": "door"})
    assert "seated already" in page
    assert "Walk-in" in page


def test_a_sheet_confirmed_twice() -> None:
    table = make_table(6)
    play(table)
    address = reverse("table_link:confirm", args=[table.token])
    answer = Client().post(address, {"person": "3", "version": "9"})
    assert answer.status_code == 409
    assert "not waiting for confirmation" in answer.content.decode()


def test_a_ticket_given_back_too_late() -> None:
    event = make_event()
    players = make_players(event, 6)
    make_round(event)
    answer = Client().post(reverse("ticket_withdraw", args=[players[0].token]))
    assert answer.status_code == 409
    assert "seated already" in answer.content.decode()


def test_a_seat_swapped_with_nobody() -> None:
    event = make_event()
    make_players(event, 12)
    round_ = make_round(event, published=False)
    page = press(event, "round_swap", round_.pk, player=1, target="")
    assert "Choose where the person goes" in page


def test_a_person_entered_twice_keeps_what_was_typed() -> None:
    event = make_event()
    make_player(event, "Ana Ruiz", email="ana@example.org")
    page = press(
        event,
        "player_add",
        name="Ana Ruiz",
        email="ana@example.org",
        name_style="full",
        note="allergic to cats",
    )
    assert "in the list already" in page
    assert "allergic to cats" in page


def test_a_void_deal_that_is_not_next() -> None:
    table = make_table(6)
    data = {"replay": "counts", "reason": "cards seen", "version": "0"}
    page = press(table.round.event, "staff_table:void", table.pk, 3, **data)
    assert "one after the other" in page
    assert tables_of(table.round)[0].sheet.deals.count() == 0


def test_an_address_that_only_a_form_sends_to_leads_back_to_it() -> None:
    """Whoever chooses another language on a refused form comes there without one."""
    event = make_event()
    above = {
        reverse("walk_in", args=[event.slug]): reverse("door", args=[event.slug]),
        reverse("mail_again", args=[event.slug, 1]): reverse("mails", args=[event.slug]),
        reverse("sign_out_everywhere"): reverse("account"),
    }
    client = Client()
    client.force_login(organiser_of(event))
    for address, form in above.items():
        page = client.get(address)
        assert (page.status_code, page["Allow"]) == (405, "POST")
        assert "Only a form leads here" in flat(page)
        assert f'href="{form}"' in page.content.decode()
