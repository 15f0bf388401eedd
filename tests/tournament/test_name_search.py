"""Everybody is found by every spelling of the name that the searcher may know."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    make_event,
    make_judge,
    make_player,
    make_players,
    make_round,
    organiser_of,
)
from tests.names import HARD_NAMES, HardName
from tests.pages import flat
from tournament.models import Event
from tournament.queries.players import search_players
from tournament.queries.seats import find_seats, table_rows

pytestmark = pytest.mark.django_db
each_name = pytest.mark.parametrize("hard", HARD_NAMES, ids=lambda one: ascii(one.typed)[:40])


@pytest.fixture
def everybody() -> Event:
    event = make_event(deals_per_round=1)
    for hard in HARD_NAMES:
        make_player(event, hard.name)
    return event


def test_each_search_of_the_staff_finds_the_one_who_is_meant(
    everybody: Event, client: Client
) -> None:
    numbers = {hard: number for number, hard in enumerate(HARD_NAMES, 1)}
    for hard, number in numbers.items():
        for typed in (hard.found_by[0], hard.name):
            found = search_players(everybody, typed).values_list("number", flat=True)
            assert number in found, typed
    client.force_login(organiser_of(everybody))
    for name in ("players", "door", "notebook"):
        page = client.get(reverse(name, args=[everybody.slug]), {"q": "villanueva, ana"})
        assert "Villanueva, Ana" in flat(page)


def test_each_search_of_the_public_finds_the_one_who_is_meant(everybody: Event) -> None:
    rows = table_rows(make_round(everybody))
    for hard in HARD_NAMES:
        for typed in hard.found_by:
            names = [row.name for row in find_seats(rows, typed)]
            assert hard.name in names, typed


def test_the_staff_finds_both_names_the_public_only_the_one_that_is_shown(client: Client) -> None:
    event = make_event()
    make_player(event, "Ana Ruiz", name_style="alias", alias="Ⅹena")
    make_player(event, "Bea Sanz Gil", name_style="initial")
    make_players(event, 5)
    rows = table_rows(make_round(event))
    assert [one.name for one in find_seats(rows, "xena")] == ["Ⅹena"]
    assert find_seats(rows, "ruiz") == []
    assert [one.name for one in find_seats(rows, "bea s")] == ["Bea S."]
    assert find_seats(rows, "sanz") == []
    assert [one.name for one in search_players(event, "xena")] == ["Ana Ruiz"]
    assert [one.name for one in search_players(event, "bea s.")] == ["Bea Sanz Gil"]
    assert [one.name for one in search_players(event, "ruiz")] == ["Ana Ruiz"]
    client.force_login(make_judge(event))
    page = flat(client.get(reverse("notebook", args=[event.slug]), {"q": "Xena"}))
    assert "<b>Ana Ruiz</b>" in page
    assert "· Ⅹena" in page


def test_an_address_is_searched_as_it_is_written() -> None:
    event = make_event()
    make_player(event, "Ana", email="ana.ruiz@example.org")
    make_player(event, "Ruiz Org", email="example@ana.org")
    found = search_players(event, "Ana.Ruiz@Example")
    assert [one.name for one in found] == ["Ana"]


@each_name
def test_form_page_and_list_take_every_name(hard: HardName, client: Client) -> None:
    event = make_event()
    data = {"name": hard.typed, "email": "a@example.org", "name_style": "initial"}
    ticket = client.post(reverse("register", args=[event.slug]), data, follow=True)
    player = event.players.get()
    assert (player.name, player.public_name) == (hard.name, hard.short)
    assert player.name in ticket.content.decode().replace("&#x27;", "'")
