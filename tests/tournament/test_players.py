"""Registration, the waiting list, the door."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from tests.factories import (
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play_round,
)
from tests.pages import flat, shown
from tournament.actions import attendance
from tournament.actions import registration as registering
from tournament.actions.events import change_settings
from tournament.actions.players import PlayerEntry
from tournament.models import Event, LogEntry, Player
from tournament.models.actors import Actor
from tournament.queries.players import without_ticket
from tournament.queries.standings import standings_for
from tournament.refusals import Refused

pytestmark = pytest.mark.django_db
VISITOR = Actor.visitor()


def register(event: Event, name: str, **more: str) -> Player:
    entry = PlayerEntry(name=name, email=f"{name.lower().replace(' ', '.')}@example.org")
    return registering.register(event=event, entry=entry, by=VISITOR, **more)


def test_who_comes_after_the_last_place_waits() -> None:
    event = make_event(capacity=2)
    found = [register(event, name).status for name in ("Ana", "Bea", "Carla")]
    assert found == ["registered", "registered", "waiting"]


def test_a_withdrawal_promotes_the_first_who_waits_and_tells_them(
    django_capture_on_commit_callbacks,
) -> None:
    event = make_event(capacity=1)
    ana, bea, carla = (register(event, name) for name in ("Ana", "Bea", "Carla"))
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        attendance.withdraw(player=ana, by=organiser(event))
    bea.refresh_from_db()
    carla.refresh_from_db()
    assert (bea.status, carla.status) == ("registered", "waiting")
    assert [message.to for message in mail.outbox] == [["bea@example.org"]]
    entry = LogEntry.objects.filter(event=event).first()
    assert (entry.verb, entry.after) == (
        "player.withdrew",
        {"status": "withdrawn", "promoted": [bea.number]},
    )


def test_more_places_promote_in_order() -> None:
    event = make_event(capacity=1)
    for name in ("Ana", "Bea", "Carla", "Diana"):
        register(event, name)
    change_settings(event=event, settings={"capacity": 3}, by=organiser(event))
    assert list(event.players.values_list("status", flat=True)) == [
        "registered",
        "registered",
        "registered",
        "waiting",
    ]


def test_registration_ends_at_its_closing_time() -> None:
    event = make_event(registration_closes_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(Refused, match="Registration is closed"):
        register(event, "Ana")


def test_the_same_submission_twice_is_one_entry() -> None:
    event = make_event()
    assert register(event, "Ana", key="k1") == register(event, "Ana", key="k1")
    assert event.players.count() == 1


def test_the_same_person_twice_is_refused() -> None:
    event = make_event()
    register(event, "Ana")
    with pytest.raises(Refused, match="registered with this e-mail already"):
        register(event, "ANA")


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_for_the_last_place_at_once_get_one() -> None:
    event = make_event(capacity=1)
    barrier = threading.Barrier(2)

    def ask(name: str) -> None:
        try:
            barrier.wait()
            register(event, name)
        finally:
            connection.close()

    threads = [threading.Thread(target=ask, args=(name,)) for name in ("Ana", "Bea")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(event.players.values_list("status", flat=True)) == ["registered", "waiting"]
    assert sorted(event.players.values_list("number", flat=True)) == [1, 2]


def test_a_walk_in_is_checked_in_with_the_next_number() -> None:
    event = make_event(capacity=1)
    register(event, "Ana")
    player = make_player(event, "Zoe")
    assert (player.number, player.status) == (2, "checked_in")


def test_check_in_can_be_undone_until_the_player_is_seated() -> None:
    event = make_event()
    players = make_players(event, 6)
    attendance.undo_check_in(player=players[0], by=organiser(event))
    players[0].refresh_from_db()
    assert players[0].status == "registered"
    attendance.check_in(player=players[0], by=organiser(event))
    make_round(event)
    with pytest.raises(Refused, match="seated already"):
        attendance.undo_check_in(player=players[0], by=organiser(event))


def test_who_drops_out_is_not_seated_and_can_come_back() -> None:
    event = make_event()
    players = make_players(event, 7)
    play_round(event)
    attendance.drop(player=players[0], by=organiser(event))
    round_ = make_round(event, 2)
    assert not round_.seats.filter(player=players[0]).exists()
    attendance.come_back(player=players[0], by=organiser(event))
    players[0].refresh_from_db()
    assert (players[0].status, players[0].dropped_after) == ("checked_in", None)


def test_who_leaves_before_anything_is_played_gives_the_place_back() -> None:
    event = make_event(capacity=6)
    players = make_players(event, 6)
    waiting = register(event, "Wanda")
    attendance.drop(player=players[0], by=organiser(event))
    players[0].refresh_from_db()
    waiting.refresh_from_db()
    assert (players[0].status, waiting.status) == ("withdrawn", "registered")
    assert players[0].number not in {row.number for row in standings_for(event).rows}


def test_a_check_in_by_mistake_keeps_the_place_in_the_line() -> None:
    event = make_event(capacity=1)
    by = organiser(event)
    first, longer, shorter = (register(event, name) for name in ("Ana", "Bea", "Cai"))
    attendance.check_in(player=shorter, by=by)
    attendance.undo_check_in(player=shorter, by=by)
    shorter.refresh_from_db()
    assert shorter.status == "waiting"
    attendance.withdraw(player=first, by=by)
    longer.refresh_from_db()
    shorter.refresh_from_db()
    assert (longer.status, shorter.status) == ("registered", "waiting")


def test_an_impossible_move_is_refused_in_words() -> None:
    event = make_event()
    player = make_player(event, here=False)
    with pytest.raises(Refused, match="is “Registered” now"):
        attendance.drop(player=player, by=organiser(event))


@pytest.mark.parametrize(
    ("style", "alias", "shown"),
    [
        ("full", "", "Ana María Ruiz"),
        ("initial", "", "Ana R."),
        ("alias", "Topo", "Topo"),
        ("number", "", "Player 1"),
    ],
)
def test_names_appear_as_their_owner_chose(client, style: str, alias: str, shown: str) -> None:
    event = make_event()
    make_player(event, "Ana María Ruiz", name_style=style, alias=alias)
    for _ in range(5):
        make_player(event)
    play_round(event)
    for name in ("standings", "seats"):
        page = client.get(reverse(name, args=[event.slug])).content.decode()
        assert shown in page
        assert style == "full" or "María" not in page


def test_registration_page_keeps_what_was_typed(client) -> None:
    event = make_event(minimum_age=18)
    answer = client.post(
        reverse("register", args=[event.slug]),
        {"name": "Łukasz Żółć", "email": "not an address", "name_style": "full"},
    )
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Łukasz Żółć" in page
    assert "not an address" in page
    assert "this event is for people of 18 and over" in page


def test_a_mail_that_cannot_be_sent_does_not_undo_the_entry(
    monkeypatch, django_capture_on_commit_callbacks
) -> None:
    def broken(*_args: object, **_more: object) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.open", broken)
    event = make_event()
    with django_capture_on_commit_callbacks(execute=True):
        player = register(event, "Ana")
    player.refresh_from_db()
    assert player.ticket_sent_at is None
    assert not without_ticket(event).exists(), "it waits, and is tried again"


def test_mails_speak_the_language_in_which_the_player_registered(
    django_capture_on_commit_callbacks,
) -> None:
    event = make_event(capacity=1)
    ana = register(event, "Ana")
    with override("es"):
        register(event, "Bea")
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        attendance.withdraw(player=ana, by=organiser(event))
    assert mail.outbox[0].subject.startswith("Tienes plaza")


def test_two_who_edit_one_entry_both_keep_what_they_changed(client: Client) -> None:
    event = make_event()
    player = make_player(event, "Ana Ruiz", note="vegetarian")
    client.force_login(organiser_of(event))
    address = reverse("player", args=[event.slug, player.number])
    first, second = shown(client.get(address)), shown(client.get(address))
    client.post(address, first | {"phone": "600 100 200"})
    client.post(address, second | {"note": "vegan"})
    player = Player.objects.select_related("contact").get(pk=player.pk)
    assert (player.contact.phone, player.note) == ("600 100 200", "vegan")


def test_what_two_change_at_once_is_shown_before_it_is_overwritten(client: Client) -> None:
    event = make_event()
    player = make_player(event, "Ana Ruiz", note="vegetarian")
    client.force_login(organiser_of(event))
    address = reverse("player", args=[event.slug, player.number])
    first, second = shown(client.get(address)), shown(client.get(address))
    client.post(address, first | {"note": "vegan"})
    answer = client.post(address, second | {"note": "no nuts"})
    assert answer.status_code == 422
    assert "Somebody else has changed this meanwhile: “vegan”" in flat(answer)
    again = shown(answer) | {"note": "no nuts", "initial-note": "vegan"}
    assert 'name="initial-note" value="vegan"' in flat(answer)
    assert client.post(address, again).status_code == 302
    player.refresh_from_db()
    assert player.note == "no nuts"


def test_two_settings_pages_both_keep_what_they_changed(client: Client) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    address = reverse("settings", args=[event.slug])
    first, second = shown(client.get(address)), shown(client.get(address))
    saved = client.post(address, first | {"venue": "La Cueva"})
    assert saved.status_code == 302, saved.context["form"].errors
    assert client.post(address, second | {"capacity": "24"}).status_code == 302
    event.refresh_from_db()
    assert (event.venue, event.capacity) == ("La Cueva", 24)
    changes = LogEntry.objects.filter(event=event, verb="event.changed")
    assert [sorted(one.after) for one in changes.order_by("pk")] == [["venue"], ["capacity"]]
