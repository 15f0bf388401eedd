"""Everybody sees what is stored of them, takes it along, and asks for it to be erased."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_player, organiser_of
from tests.pages import flat
from tests.tournament.test_erasing import EMAIL, NAME, PHONE, a_busy_event, hers, traces_in_tables
from tournament.actions.registration import register
from tournament.models import Event, LogEntry, Player
from tournament.models.actors import Actor

pytestmark = pytest.mark.django_db


def test_the_file_has_all_that_is_stored() -> None:
    event, player = a_busy_event()
    response = Client().get(reverse("ticket_data_file", args=[player.token]))
    assert response.headers["Content-Disposition"].startswith("attachment")
    data = json.loads(response.content)
    assert data["contact"] == {"email": EMAIL, "phone": PHONE}
    assert (data["entry"]["name"], data["entry"]["other_name"]) == (NAME, "Featherduster")
    assert [one["what_happened"] for one in data["penalties"]] == [
        "Zéphyrine was rude to all, Ottoline says"
    ]
    assert (data["prizes"], data["photos_of_sheets"]) == (["Cup"], 1)
    assert (len(data["seats"]), len(data["deals"])) == (1, 3)
    assert {one["to"] for one in data["mails"]} == {EMAIL}
    others = event.players.exclude(pk=player.pk).values_list("name", flat=True)
    assert not any(name in response.content.decode() for name in others), "nobody else's"


def test_the_file_says_whether_the_minimum_age_was_confirmed_where_it_is_asked() -> None:
    """Of age is something else: who is 16 may confirm that they are 14."""
    event = make_event(minimum_age=14)
    player = make_player(event, here=False, age_confirmed=True)
    file = reverse("ticket_data_file", args=[player.token])
    entry = Client().get(file).json()["entry"]
    assert (entry["minimum_age_confirmed"], "of_age" in entry) == (True, False)
    Event.objects.update(minimum_age=0)
    assert "minimum_age_confirmed" not in Client().get(file).json()["entry"]


def test_the_page_counts_in_words() -> None:
    _event, player = a_busy_event()
    page = flat(Client().get(reverse("ticket_data", args=[player.token])))
    assert "1 seat, 3 deals" in page


def test_the_page_shows_it() -> None:
    _event, player = a_busy_event()
    page = flat(Client().get(reverse("ticket_data", args=[player.token])))
    for said in (NAME, "Featherduster", EMAIL, PHONE, "comes late", "was rude to all"):
        assert said in page
    assert reverse("ticket_data", args=[player.token]) in (
        Client().get(reverse("ticket", args=[player.token])).content.decode()
    )


def test_where_nothing_was_played_it_is_done_at_once() -> None:
    event = make_event()
    player = register(event=event, entry=hers(), by=Actor.visitor())
    response = Client().post(reverse("ticket_erase", args=[player.token]))
    assert response.headers["Location"] == reverse("event", args=[event.slug])
    assert traces_in_tables() == []
    assert Client().get(reverse("ticket", args=[player.token])).status_code == 404


def test_who_has_played_asks_and_may_change_their_mind() -> None:
    event, player = a_busy_event()
    desk = Client()
    desk.force_login(organiser_of(event))
    address, ask = reverse("event_desk", args=[event.slug]), "asks for the name to be erased"
    own = reverse("ticket_erase", args=[player.token])
    assert ask not in flat(desk.get(address))
    Client().post(own)
    Client().post(own)
    assert ask in flat(desk.get(address))
    assert Player.objects.get(pk=player.pk).name == NAME
    Client().post(own, {"back": "1"})
    assert ask not in flat(desk.get(address))
    verbs = LogEntry.objects.filter(verb__startswith="person.erasure").order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == [
        "person.erasure_asked",
        "person.erasure_taken_back",
    ]
