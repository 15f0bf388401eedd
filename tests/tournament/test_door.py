"""The door: everybody at once, one by one, walk-ins, and every press taken back."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    make_event,
    make_judge,
    make_player,
    make_round,
    organiser,
    organiser_of,
    play_round,
)
from tests.pages import flat
from tournament.actions import attendance
from tournament.actions.players import PlayerEntry, import_players
from tournament.models import Event, LogEntry, Player

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
NAMES = ("Zoe", "Álvaro", "Bea", "Ana", "Čeněk", "Carla", "Dora")


def expected(*names: str, **settings: object) -> tuple[Event, Client]:
    event = make_event(**settings)
    entries = [PlayerEntry(name=name) for name in names or NAMES]
    import_players(event=event, entries=entries, by=organiser(event))
    client = Client()
    client.force_login(organiser_of(event))
    return event, client


def statuses(event: Event) -> dict[str, str]:
    return dict(event.players.values_list("name", "status"))


def everybody(event: Event, client: Client) -> dict[str, str]:
    """What the page of everybody sends with nobody ticked."""
    page = flat(client.get(reverse("door_everybody", args=[event.slug])))
    return dict(re.findall(r'<input type="hidden" name="(key|seen)" value="([^"]*)"', page))


def undo_of(page: str) -> str:
    """Where the Undo of the last message leads."""
    found = re.findall(r'class="undo"[^>]* action="([^"]+)"', " ".join(page.split()))
    assert found, "no message offers an undo"
    return found[-1]


def press_undo(client: Client, answer) -> str:
    """The Undo that the answer's page offers; gives the page after it."""
    page = client.get(answer.url).content.decode()
    done = client.post(undo_of(page), {"reason": "Undone at once"}, follow=True)
    assert done.status_code == 200
    return flat(done)


def test_everybody_is_here_except_who_is_ticked() -> None:
    event, client = expected()
    sent = everybody(event, client) | {"missing": ["1", "3"]}
    answer = client.post(reverse("door_everybody", args=[event.slug]), sent)
    assert statuses(event) == dict.fromkeys(NAMES, "checked_in") | {
        "Zoe": "registered",
        "Bea": "registered",
    }
    assert LogEntry.objects.latest("pk").verb == "players.checked_in", "one entry for all"
    press_undo(client, answer)
    assert set(statuses(event).values()) == {"registered"}


def test_whoever_registers_meanwhile_is_not_checked_in_unseen() -> None:
    event, client = expected()
    sent = everybody(event, client)
    make_player(event, "Late Lola", here=False)
    attendance.mark_no_show(player=event.players.get(name="Ana"), by=organiser(event))
    client.post(reverse("door_everybody", args=[event.slug]), sent)
    found = statuses(event)
    assert (found["Late Lola"], found["Ana"]) == ("registered", "no_show")
    assert found["Zoe"] == "checked_in"


def test_the_same_press_twice_checks_in_once() -> None:
    event, client = expected()
    sent = everybody(event, client)
    client.post(reverse("door_everybody", args=[event.slug]), sent)
    attendance.undo_check_in(player=event.players.get(name="Zoe"), by=organiser(event))
    client.post(reverse("door_everybody", args=[event.slug]), sent)
    assert statuses(event)["Zoe"] == "registered"


def test_all_together_is_not_undone_once_somebody_is_seated() -> None:
    event, client = expected()
    sent = everybody(event, client)
    client.post(reverse("door_everybody", args=[event.slug]), sent)
    make_round(event, published=False)
    answer = client.post(reverse("door_everybody_undo", args=[event.slug]))
    assert answer.status_code == 409
    assert "is seated already" in flat(answer)
    assert set(statuses(event).values()) == {"checked_in"}


def test_nonsense_in_the_numbers_checks_nobody_in() -> None:
    event, client = expected()
    for seen in ("", "x,-1,99999999999", "1" * 400, "0"):
        client.post(reverse("door_everybody", args=[event.slug]), {"seen": seen, "key": seen[:9]})
    assert set(statuses(event).values()) == {"registered"}


def test_the_list_is_read_by_name_whatever_the_accents() -> None:
    event, client = expected()
    page = flat(client.get(reverse("door", args=[event.slug])))
    in_order = ("Álvaro", "Ana", "Bea", "Carla", "Čeněk", "Dora", "Zoe")
    places = [page.index(f"> {name} <") for name in in_order]
    assert places == sorted(places)


def test_a_check_in_by_htmx_gives_the_whole_list_and_an_undo() -> None:
    event, client = expected()
    answer = client.post(
        reverse("player_move", args=[event.slug, 4, "check-in"]),
        {"from": "door", "q": "ana"},
        headers=HTMX,
    )
    part = client.get(answer.url, headers=HTMX).content.decode()
    assert "<html" not in part
    assert "Zoe" in part, "the search is over"
    assert "Ana is here." in part
    client.post(undo_of(part))
    assert statuses(event)["Ana"] == "registered"


def test_without_scripts_the_search_stays() -> None:
    event, client = expected()
    move = reverse("player_move", args=[event.slug, 4, "check-in"])
    answer = client.post(move, {"from": "door", "q": "ana"})
    assert answer.url.endswith("?q=ana")


@pytest.mark.parametrize(
    ("verbs", "between", "after"),
    [
        (["check-in"], "checked_in", "registered"),
        (["no-show"], "no_show", "registered"),
        (["withdraw"], "withdrawn", "registered"),
        (["check-in", "drop"], "withdrawn", "checked_in"),
    ],
)
def test_each_step_at_the_door_is_taken_back_by_one_press(verbs, between, after) -> None:
    event, client = expected()
    for verb in verbs:
        move = reverse("player_move", args=[event.slug, 4, verb])
        answer = client.post(move, {"from": "door"})
    assert statuses(event)["Ana"] == between
    press_undo(client, answer)
    assert statuses(event)["Ana"] == after


def test_a_dropped_player_plays_on_by_one_press() -> None:
    event, client = expected()
    for player in event.players.all():
        attendance.check_in(player=player, by=organiser(event))
    play_round(event)
    answer = client.post(reverse("player_move", args=[event.slug, 4, "drop"]), {"from": "door"})
    assert statuses(event)["Ana"] == "dropped"
    press_undo(client, answer)
    assert statuses(event)["Ana"] == "checked_in"


def test_a_withdrawal_is_not_taken_back_once_the_place_is_gone() -> None:
    event, client = expected("Ana", "Bea", "Carla", capacity=2)
    assert statuses(event)["Carla"] == "waiting"
    answer = client.post(reverse("player_move", args=[event.slug, 1, "withdraw"]), {"from": "door"})
    assert statuses(event)["Carla"] == "registered"
    page = client.get(answer.url).content.decode()
    refused = client.post(undo_of(page))
    assert refused.status_code == 409
    assert "The place of Ana is taken now." in flat(refused)


def test_a_withdrawn_entry_checked_in_and_undone_is_withdrawn_and_can_be_registered_again() -> None:
    event, client = expected()
    for verb in ("withdraw", "check-in", "undo-check-in"):
        client.post(reverse("player_move", args=[event.slug, 4, verb]), {"from": "door"})
    assert statuses(event)["Ana"] == "withdrawn"
    client.post(reverse("player_move", args=[event.slug, 4, "undo-withdraw"]), {"from": "door"})
    assert statuses(event)["Ana"] == "registered"


def test_a_walk_in_leaves_the_cursor_in_the_box_and_is_undone_by_one_press() -> None:
    event, client = expected()
    answer = client.post(reverse("walk_in", args=[event.slug]), {"name": "Wanda"})
    page = client.get(answer.url).content.decode()
    assert re.search(r'<input[^>]*name="name"[^>]*autofocus', page)
    client.post(undo_of(page))
    assert statuses(event)["Wanda"] == "withdrawn"


def test_a_walk_in_without_the_tick_is_marked() -> None:
    event, client = expected("Ana", minimum_age=18)
    client.post(reverse("walk_in", args=[event.slug]), {"name": "Wanda"})
    client.post(reverse("walk_in", args=[event.slug]), {"name": "Adela", "age_confirmed": "on"})
    Player.objects.filter(name="Ana").update(age_confirmed=True)
    for name in ("door", "players"):
        page = flat(client.get(reverse(name, args=[event.slug])))
        assert page.count("Not confirmed: 18 or older") == 1


def test_somebody_late_is_undone_while_the_event_runs_unless_seated() -> None:
    event, client = expected()
    for player in event.players.exclude(name="Zoe"):
        attendance.check_in(player=player, by=organiser(event))
    make_round(event)
    answer = client.post(reverse("player_move", args=[event.slug, 1, "check-in"]), {"from": "door"})
    press_undo(client, answer)
    assert statuses(event)["Zoe"] == "registered"
    client.post(reverse("player_move", args=[event.slug, 4, "undo-check-in"]), {"from": "door"})
    assert statuses(event)["Ana"] == "checked_in"


def test_a_scanned_ticket_checks_in_for_the_organiser_and_shows_nobody_else_the_button() -> None:
    event, client = expected()
    player = event.players.get(name="Ana")
    ticket = reverse("ticket", args=[player.token])
    judge = Client()
    judge.force_login(make_judge(event))
    for other in (Client(), judge):
        assert "At the door" not in other.get(ticket).content.decode()
    assert "At the door" in client.get(ticket).content.decode()
    move = reverse("player_move", args=[event.slug, player.number, "check-in"])
    answer = client.post(move, {"from": "ticket"})
    assert answer.url == ticket
    assert statuses(event)["Ana"] == "checked_in"
    press_undo(client, answer)
    assert statuses(event)["Ana"] == "registered"


def test_another_is_added_without_a_detour() -> None:
    event, client = expected("Ana")
    add = reverse("player_add", args=[event.slug])
    data = {"name": "Bea", "name_style": "full", "another": "1"}
    answer = client.post(add, data)
    assert answer.url == add
    assert re.search(r'<input[^>]*name="name"[^>]*autofocus', client.get(add).content.decode())
    assert client.post(add, data | {"name": "Carla", "another": ""}).url == add


def test_the_same_press_twice_keeps_its_undo_and_says_what_was_done() -> None:
    event, client = expected()
    address = reverse("door_everybody", args=[event.slug])
    sent = everybody(event, client)
    client.post(address, sent)
    page = client.post(address, sent, follow=True).content.decode()
    assert "They were checked in already." in page
    undo = reverse("door_everybody_undo", args=[event.slug])
    client.post(undo)
    assert set(statuses(event).values()) == {"registered"}
    entries = LogEntry.objects.count()
    again = client.post(undo)
    assert again.status_code == 409
    assert "There is nothing to take back." in flat(again)
    assert LogEntry.objects.count() == entries


def test_the_number_that_is_told_is_of_those_who_came() -> None:
    event, client = expected("Ana", "Bea")
    seen = ",".join(map(str, range(1, 900)))
    address = reverse("door_everybody", args=[event.slug])
    page = client.post(address, {"seen": seen, "key": "k"}, follow=True).content.decode()
    assert "2 players are here." in page


def test_everybody_at_two_events_is_undone_at_each() -> None:
    one, client = expected()
    other, _client = expected()
    other.staff.update(user=organiser_of(one))
    for event in (one, other):
        client.post(reverse("door_everybody", args=[event.slug]), everybody(event, client))
    client.post(reverse("door_everybody_undo", args=[one.slug]))
    assert set(statuses(one).values()) == {"registered"}
    assert set(statuses(other).values()) == {"checked_in"}


def test_a_press_that_did_nothing_offers_no_undo() -> None:
    event, client = expected()
    attendance.check_in(player=event.players.get(number=4), by=organiser(event))
    move = reverse("player_move", args=[event.slug, 4, "check-in"])
    page = client.post(move, {"from": "door"}, follow=True).content.decode()
    assert 'class="undo"' not in page
