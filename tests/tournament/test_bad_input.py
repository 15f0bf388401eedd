"""What people, phones and robots send: never a crash, never a loss."""

from __future__ import annotations

import threading

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.factories import (
    MINERS_WIN,
    make_event,
    make_player,
    make_players,
    make_round,
    make_table,
    make_user,
    organiser,
    organiser_of,
    play,
)
from tournament.actions import players as player_actions
from tournament.actions import rounds
from tournament.actions.players import PlayerEntry
from tournament.actions.scoresheets import DealEntry, save_deal
from tournament.models import Deal, LogEntry, User
from tournament.refusals import Refused
from tournament.simulation import at, tables_of

pytestmark = pytest.mark.django_db
ODD = ["\x00", "²", "፩", "٣", "' OR 1=1 --", "<script>alert(1)</script>", "x" * 5000, "🎉" * 60]


@pytest.mark.parametrize("text", ODD)
def test_odd_searches_find_nobody_and_break_nothing(text: str) -> None:
    event = make_event()
    make_players(event, 6)
    make_round(event)
    client = Client()
    client.force_login(organiser_of(event))
    for name in ("seats", "players", "door", "notebook"):
        answer = client.get(reverse(name, args=[event.slug]), {"q": text, "page": text})
        assert answer.status_code == 200
        assert "<script>alert" not in answer.content.decode()


@pytest.mark.parametrize("text", ODD)
def test_odd_reasons_and_marks_are_cut_to_size(text: str) -> None:
    table = make_table(6)
    play(table)
    client = Client()
    client.force_login(organiser_of(table.round.event))
    address = reverse("staff_table:reopen", args=[table.round.event.slug, table.pk])
    answer = client.post(address, {"reason": text, "key": text})
    assert answer.status_code in (302, 409)


@pytest.mark.parametrize("name", ["Łukasz Żółć", "Παπαδόπουλος", "李小龍", "محمد", "O'Brien 🎲"])
def test_names_of_the_world_are_kept_as_they_are(client, name: str) -> None:
    event = make_event()
    data = {"name": f"  {name}  ", "email": "a@example.org", "name_style": "full"}
    assert client.post(reverse("register", args=[event.slug]), data).status_code == 302
    assert event.players.get().name == name


@pytest.mark.parametrize("name", ["", "   ", "...", "x" * 61, "a\x07b"])
def test_names_that_are_none_are_told(client, name: str) -> None:
    event = make_event()
    data = {"name": name, "email": "a@example.org", "name_style": "full"}
    answer = client.post(reverse("register", args=[event.slug]), data)
    assert answer.status_code == 422
    assert 'id="id_name_error"' in answer.content.decode()


@pytest.mark.parametrize("number", ["0", "999", "99999999999999999999999"])
def test_numbers_that_do_not_exist_are_not_found(client, number: str) -> None:
    event = make_event()
    make_player(event)
    client.force_login(organiser_of(event))
    desk = f"/desk/{event.slug}"
    for address in (
        f"{desk}/players/{number}/",
        f"{desk}/rounds/{number}/",
        f"{desk}/tables/{number}/",
        f"/judge/{event.slug}/players/{number}/",
    ):
        assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"connector": "7"},
        {"connector": "0"},
        {"connector": "nobody"},
        {"connector": "none", "role-1": "king"},
        {"connector": "2", "version": "x"},
        {"connector": "2", "version": "99999999999999999999"},
    ],
)
def test_a_deal_sent_by_hand_is_checked_again(client, data: dict[str, str]) -> None:
    table = make_table(6)
    roles = {f"role-{seat}": role for seat, role in enumerate(MINERS_WIN[6], 1)}
    address = reverse("table_link:deal", args=[table.token, 1])
    assert client.post(address, roles | {"version": "0"} | data).status_code in (409, 422)
    assert not Deal.objects.exists()


@pytest.mark.parametrize("number", [0, 4, 99])
def test_a_deal_that_the_round_does_not_have_is_not_found(client, number: int) -> None:
    table = make_table(6)
    assert client.get(reverse("table_link:deal", args=[table.token, number])).status_code == 404


def test_going_back_and_registering_somebody_else_is_another_submission(client) -> None:
    """The browser brings the old page back, with its old mark."""
    event = make_event()
    address = reverse("register", args=[event.slug])
    ana = {"name": "Ana", "email": "a@example.org", "name_style": "full", "key": "same-page"}
    bea = ana | {"name": "Bea", "email": "b@example.org"}
    first, again, other = (client.post(address, data) for data in (ana, ana, bea))
    assert first.headers["Location"] == again.headers["Location"] != other.headers["Location"]
    assert list(event.players.values_list("name", flat=True)) == ["Ana", "Bea"]


def test_the_same_name_with_other_accents_and_case_is_the_same_person() -> None:
    event = make_event()
    entry = PlayerEntry(name="Ángela Núñez", email="angela@example.org")
    player_actions.add_player(event=event, entry=entry, by=organiser(event))
    with pytest.raises(Refused, match="with number 1"):
        player_actions.add_player(
            event=event, entry=PlayerEntry(name="ANGELA NUÑEZ"), by=organiser(event)
        )


def test_a_long_tie_fits_into_the_log() -> None:
    event = make_event()
    entry = LogEntry.objects.record(
        "lot.drawn",
        event=event,
        by=organiser(event),
        reason="z" * 900,
    )
    assert len(entry.reason) == 500


@pytest.mark.django_db(transaction=True)
def test_two_phones_that_save_at_the_same_instant_do_not_overwrite_each_other() -> None:
    table = make_table(6)
    barrier = threading.Barrier(2)
    outcome: list[str] = []

    def save(connector: int) -> None:
        try:
            barrier.wait()
            entry = DealEntry(MINERS_WIN[6], connector)
            save_deal(sheet=table.sheet, number=1, entry=entry, version=0, by=at(table, 1))
            outcome.append("saved")
        except Refused:
            outcome.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=save, args=(seat,)) for seat in (3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcome) == ["refused", "saved"]
    assert LogEntry.objects.filter(verb__startswith="deal.").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_round_is_not_taken_back_under_a_deal_that_is_being_saved() -> None:
    table = make_table(6)
    barrier = threading.Barrier(2)
    done: list[str] = []

    def attempt(name: str, change) -> None:
        try:
            barrier.wait()
            change()
            done.append(name)
        except Refused:
            pass
        finally:
            connection.close()

    event = table.round.event
    by, dealer = organiser(event), at(table, 1)
    entry = DealEntry(MINERS_WIN[6], 3)
    changes = {
        "deal": lambda: save_deal(sheet=table.sheet, number=1, entry=entry, version=0, by=dealer),
        "draft": lambda: rounds.unpublish_round(round_=table.round, by=by),
    }
    threads = [threading.Thread(target=attempt, args=item) for item in changes.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 1
    assert tables_of(table.round)[0].sheet.deals.count() == (1 if done == ["deal"] else 0)


# In small letters two letters each: 254 as typed, more as stored.
GROWS = "a@" + ".".join(["İ" * 60] * 4) + ".org"


@pytest.mark.parametrize(
    "email", [GROWS, "a" * 250 + "@example.org", "a@" + "b" * 60 + ".org" * 70]
)
def test_an_address_that_does_not_fit_is_refused_everywhere(email: str, client) -> None:
    assert max(len(email), len(email.lower())) > 254
    event, user = make_event(), make_user()
    client.force_login(organiser_of(event))
    typed = {"name": "Ana", "email": email, "name_style": "full", "duty": "judge", "why": "guest"}
    for name in ("register", "player_add", "staff", "lost_ticket"):
        assert client.post(reverse(name, args=[event.slug]), typed).status_code == 422, name
    page = client.post(reverse("player_import", args=[event.slug]), {"pasted": f"Ana; {email}"})
    assert page.status_code == 422
    stranger = Client()
    stranger.post(reverse("account_signup"), {**typed, "password1": "lamp-in-a-mine-1"})
    stranger.post(reverse("account_reset_password"), {"email": email})
    stranger.post(reverse("account_login"), {"login": email, "password": "x"})
    assert User.objects.exclude(pk=user.pk).count() == 1, "the organiser alone"
    assert not event.players.exists()
