"""What a person does with their own entry, and what a stranger learns of it: nothing."""

from __future__ import annotations

import gzip
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_event, make_player, make_players, organiser, play_round
from tests.pages import flat
from tournament.actions import attendance, events
from tournament.actions.registration import BETWEEN_MAILS, resend_tickets
from tournament.models import Event, LogEntry, Mail, Player

pytestmark = pytest.mark.django_db


def send(client: Client, event: Event, name: str, email: str, **more: str):
    data = {"name": name, "email": email, "name_style": "full", "key": f"{name}{email}"}
    return client.post(reverse("register", args=[event.slug]), data | more)


def test_a_mistyped_address_is_put_right_instead_of_a_second_place(
    django_capture_on_commit_callbacks,
) -> None:
    event, client = make_event(capacity=2), Client()
    send(client, event, "Ana Ruiz", "ana@exmaple.org")
    asked = send(client, event, "ana  ruiz", "ana@example.org")
    assert asked.status_code == 422
    page = flat(asked)
    assert "Ana Ruiz is registered already with ana@exmaple.org, as number 1." in page
    assert 'value="ana@example.org"' in page, "what was typed is kept"
    with django_capture_on_commit_callbacks(execute=True):
        answer = send(client, event, "Ana Ruiz", "ana@example.org", correct="1")
    (player,) = event.players.select_related("contact")
    assert (player.email, player.number) == ("ana@example.org", 1)
    assert answer.url == reverse("ticket", args=[player.token])
    assert mail.outbox[-1].to == ["ana@example.org"]


def test_another_person_of_the_same_name_gets_an_entry_of_their_own() -> None:
    event, client = make_event(), Client()
    send(client, event, "Ana Ruiz", "ana@example.org")
    send(client, event, "Ana Ruiz", "other.ana@example.org", another="1")
    assert event.players.count() == 2


def test_the_same_form_again_is_the_same_entry_and_logs_nothing() -> None:
    event, client = make_event(), Client()
    send(client, event, "Ana Ruiz", "ana@example.org")
    entries = LogEntry.objects.count()
    send(client, event, "Ana Ruiz", "ana@example.org", key="other")
    assert (event.players.count(), LogEntry.objects.count()) == (1, entries)


def test_somebody_elses_browser_corrects_nothing() -> None:
    event = make_event()
    send(Client(), event, "Ana Ruiz", "ana@example.org")
    answer = send(Client(), event, "Ana Ruiz", "evil@example.org", correct="1")
    assert answer.status_code == 302
    assert set(event.players.values_list("contact__email", flat=True)) == {
        "ana@example.org",
        "evil@example.org",
    }


def test_after_the_door_the_form_corrects_nothing() -> None:
    event, client = make_event(), Client()
    send(client, event, "Ana Ruiz", "ana@exmaple.org")
    attendance.check_in(player=event.players.get(), by=organiser(event))
    answer = send(client, event, "Ana Ruiz", "ana@example.org", correct="1")
    assert answer.status_code == 409
    assert event.players.get().contact.email == "ana@exmaple.org"


def test_the_ticket_lets_its_owner_correct_the_address(django_capture_on_commit_callbacks) -> None:
    event = make_event()
    player = make_player(event, "Ana", email="ana@exmaple.org")
    address = reverse("ticket_email", args=[player.token])
    wrong = Client().post(address, {"email": "not an address"})
    assert wrong.status_code == 422
    assert 'value="not an address"' in flat(wrong)
    with django_capture_on_commit_callbacks(execute=True):
        Client().post(address, {"email": "ANA@example.org"})
    player = Player.objects.select_related("contact").get()
    assert player.email == "ana@example.org"
    assert mail.outbox[-1].to == ["ana@example.org"]
    assert LogEntry.objects.latest("pk").verb == "player.email_changed"


def test_a_lost_ticket_is_sent_again_and_nobody_learns_who_is_registered(
    django_capture_on_commit_callbacks,
) -> None:
    event = make_event()
    make_player(event, "Ana", email="ana@example.org")
    Mail.objects.all().delete()
    address = reverse("lost_ticket", args=[event.slug])
    with django_capture_on_commit_callbacks(execute=True):
        known = Client().post(address, {"email": "Ana@example.org"}, follow=True)
        unknown = Client().post(address, {"email": "nobody@example.org"}, follow=True)
    said = "If somebody is registered with this address"
    assert said in flat(known)
    assert said in flat(unknown)
    assert known.redirect_chain == unknown.redirect_chain
    assert [message.to for message in mail.outbox] == [["ana@example.org"]]


def test_nobodys_mailbox_is_filled(django_capture_on_commit_callbacks) -> None:
    event = make_event()
    make_player(event, "Ana", email="ana@example.org")
    assert resend_tickets(event=event, email="ana@example.org") == 0, "just written"
    Mail.objects.update(created_at=timezone.now() - BETWEEN_MAILS - timedelta(seconds=1))
    assert resend_tickets(event=event, email="ana@example.org") == 1
    assert resend_tickets(event=event, email="ana@example.org") == 0


def test_the_seats_of_a_page_left_open_follow_the_rounds_with_their_heading() -> None:
    event = make_event()
    for _ in range(6):
        make_player(event)
    play_round(event)
    address = reverse("seats", args=[event.slug])
    part = reverse("live_part", args=[event.slug, "seats", "en"])
    first = Client().get(part)
    shown = gzip.decompress(first.content).decode()
    assert "Tournament round 1" in shown
    assert "is over" in shown
    seen = first.headers["Lodestar-Version"]
    make_player(event)  # of no concern to the seats
    assert Client().get(part).headers["Lodestar-Version"] == seen
    play_round(event)
    again = Client().get(part)
    assert "Tournament round 2" in gzip.decompress(again.content).decode()
    assert again.headers["Lodestar-Version"] != seen
    name = event.players.first().public_name
    found = Client().get(address, {"q": name}, headers={"HX-Request": "true"})
    assert "Tournament round 2" in flat(found), "an answer names its round"


def test_before_the_first_sheet_the_standings_hold_no_zeros() -> None:
    event = make_event()
    for _ in range(6):
        make_player(event)
    address = reverse("standings", args=[event.slug])
    page = flat(Client().get(address))
    assert "The standings begin with the first table whose sheet is confirmed." in page
    assert "<table" not in page
    play_round(event)
    page = flat(Client().get(address))
    assert "<table" in page
    assert "Deals" not in page, "all played the same number"
    make_player(event, "Late Lola")
    play_round(event)
    page = flat(Client().get(address))
    assert "3 of 6" in page


def test_events_that_are_over_stay_to_be_found() -> None:
    event = make_event(cut_size=0, rounds_planned=1)
    for _ in range(6):
        make_player(event)
    play_round(event)
    draft = make_event(published=False)
    events.finish_event(event=Event.objects.get(pk=event.pk), by=organiser(event))
    Event.objects.filter(pk=event.pk).update(
        starts_at=event.starts_at - timedelta(days=900),
        registration_closes_at=event.starts_at - timedelta(days=901),
    )
    assert event.name not in Client().get("/").content.decode()
    page = Client().get(reverse("archive")).content.decode()
    assert event.name in page
    assert draft.name not in page


def test_whoever_withdrew_registers_again_from_the_same_browser() -> None:
    event, client = make_event(), Client()
    send(client, event, "Ana Ruiz", "ana@example.org")
    attendance.withdraw(player=event.players.get(), by=organiser(event))
    answer = send(client, event, "Ana Ruiz", "ana@example.org", key="again")
    assert answer.status_code == 302
    assert sorted(event.players.values_list("status", flat=True)) == ["registered", "withdrawn"]


def test_nobody_corrects_an_entry_into_another_persons() -> None:
    event, client = make_event(), Client()
    send(Client(), event, "Ana Ruiz", "ana@example.org")
    send(client, event, "Ana Ruiz", "b@example.org")
    answer = send(client, event, "Ana Ruiz", "ana@example.org", correct="1")
    assert answer.status_code == 409


def test_an_address_is_not_moved_about_to_fill_mailboxes(
    django_capture_on_commit_callbacks,
) -> None:
    event = make_event()
    player = make_player(event, "Ana", email="ana@example.org")
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        for place in range(20):
            Client().post(
                reverse("ticket_email", args=[player.token]),
                {"email": f"{place % 2}@example.org"},
            )
    assert len(mail.outbox) <= 5


def test_everybody_reads_why_registration_is_closed() -> None:
    late = make_event(registration_closes_at=timezone.now() - timedelta(minutes=1))
    drawn = make_event()
    make_players(drawn, 6)
    play_round(drawn)
    for name in ("event", "register"):
        page = flat(Client().get(reverse(name, args=[late.slug])))
        assert "Registration is closed." in page
        assert ("Closes" in page) == (name == "event")
        page = flat(Client().get(reverse(name, args=[drawn.slug])))
        assert "Registration is closed: the first round is drawn." in page
        assert "Closes" not in page, "a time that is yet to come means nothing now"
