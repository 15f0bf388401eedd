"""Mails are written with what they tell, delivered after it, and marked when a server took them."""

from __future__ import annotations

import smtplib
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as django_mail
from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import call_command
from django.db import connection, transaction
from django.tasks import task
from django.test import Client
from django.urls import reverse

from config.engine import ThreadBackend
from tests.factories import make_event, make_player, make_user, organiser, organiser_of
from tests.pages import flat
from tests.tournament.seasons import make_series
from tests.watch import Watch
from tournament import limits, postman, upkeep
from tournament.actions import mails as actions
from tournament.actions import players, registration
from tournament.actions.announcements import send_announcement
from tournament.actions.series import invite
from tournament.links import ticket_url
from tournament.models import Event, Mail, Player
from tournament.models.actors import Actor
from tournament.queries.players import without_ticket
from tournament.refusals import Refused

pytestmark = pytest.mark.django_db

REFUSED = smtplib.SMTPRecipientsRefused({"ana@example.org": (550, b"no such\nmailbox")})
BUSY = smtplib.SMTPRecipientsRefused({"ana@example.org": (451, b"try later")})


def entry(event: Event, email: str = "ana@example.org") -> Player:
    return make_player(event, "Ana", here=False, email=email)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception | None], None]:
    """A mail server that answers what it is told to; None: it takes everything."""
    take = EmailBackend.send_messages

    def told(error: Exception | None) -> None:
        def answer(backend: EmailBackend, messages: list[EmailMessage]) -> int:
            if error is not None:
                raise error
            return take(backend, messages)

        monkeypatch.setattr(EmailBackend, "send_messages", answer)

    return told


def test_a_mail_is_written_with_what_it_tells_or_not_at_all() -> None:
    event = make_event()
    with transaction.atomic():
        entry(event)
        transaction.set_rollback(True)
    assert not Mail.objects.exists()
    entry(event)
    assert Mail.objects.get().status == "waiting"
    assert not django_mail.outbox


def test_what_was_left_by_a_process_that_ended_is_sent_by_the_next() -> None:
    player = entry(make_event())
    call_command("upkeep")
    assert [message.to for message in django_mail.outbox] == [["ana@example.org"]]
    player.refresh_from_db()
    assert player.ticket_sent_at == Mail.objects.get().sent_at is not None
    call_command("upkeep")
    assert len(django_mail.outbox) == 1


def test_a_process_killed_while_it_sends_loses_nothing(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry(make_event())
    with monkeypatch.context() as killed:
        killed.setattr(postman, "_sent", lambda _mail: exit())
        with pytest.raises(SystemExit):
            postman.deliver.call()
    postman.deliver.call()
    assert len(django_mail.outbox) == 1, "whoever had it may still be at it"
    watch.goes(minutes=5)
    postman.deliver.call()
    assert Mail.objects.get().status == "sent"
    first, second = (message.extra_headers["Message-ID"] for message in django_mail.outbox)
    assert first == second


@pytest.mark.django_db(transaction=True)
def test_two_who_deliver_at_once_send_each_mail_once(monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_event()
    for number in range(6):
        make_player(event, here=False, email=f"p{number}@example.org")
    Mail.objects.update(status="waiting", sent_at=None, attempts=0, next_at=event.created_at)
    django_mail.outbox.clear()
    together = threading.Barrier(2)
    claim = postman._claim

    def claim_together(mails: Any) -> Mail | None:
        with suppress(threading.BrokenBarrierError):
            together.wait(0.2)
        return claim(mails)

    def work() -> None:
        postman.deliver.call()
        connection.close()

    monkeypatch.setattr(postman, "_claim", claim_together)
    both = [threading.Thread(target=work) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert sorted(message.to[0] for message in django_mail.outbox) == [
        f"p{number}@example.org" for number in range(6)
    ]


def test_a_refused_address_fails_at_once_and_the_organiser_sees_it(
    server: Callable[[Exception | None], None],
) -> None:
    event = make_event()
    player = entry(event)
    client = Client()
    client.force_login(organiser_of(event))
    desk = reverse("event_desk", args=[event.slug])
    assert "not delivered" not in flat(client.get(desk))
    server(REFUSED)
    postman.deliver.call()
    mail = Mail.objects.get()
    assert (mail.status, mail.attempts, mail.error) == ("failed", 1, "550 no such mailbox")
    assert list(without_ticket(event)) == [player]
    assert "1 mail was not delivered" in flat(client.get(desk))
    page = flat(client.get(reverse("mails", args=[event.slug])))
    assert "The mail server said: 550 no such mailbox" in page
    server(None)
    client.post(reverse("mail_again", args=[event.slug, mail.pk]))
    postman.deliver.call()
    mail.refresh_from_db()
    assert mail.status == "sent"
    assert "not delivered" not in flat(client.get(desk))
    assert client.post(reverse("mail_again", args=[event.slug, mail.pk])).status_code == 409


def test_the_desk_of_a_series_says_what_was_refused(
    server: Callable[[Exception | None], None], client: Client, watch: Watch
) -> None:
    user = make_user()
    series = make_series(user)
    invite(series=series, email="ana@example.org", duty="judge", by=Actor.of_user(user))
    server(REFUSED)
    postman.deliver.call()
    client.force_login(user)
    desk = reverse("series_desk", args=[series.slug])
    assert "The mail server said: 550 no such mailbox" in flat(client.get(desk))
    watch.goes(minutes=7 * 24 * 60)
    client.force_login(user)
    assert "no such mailbox" not in flat(client.get(desk))


def test_a_server_that_is_away_is_asked_again_less_and_less_and_for_a_day(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry(make_event())

    def away(_backend: object) -> None:
        raise ConnectionRefusedError("no route")

    monkeypatch.setattr(EmailBackend, "open", away)
    pauses = []
    while (mail := Mail.objects.get()).status == "waiting":
        pauses.append(mail.next_at - watch.now)
        watch.now = mail.next_at
        postman.deliver.call()
    assert pauses == [timedelta(0), *postman.PAUSES]
    assert timedelta(days=1) <= sum(pauses, timedelta()) <= timedelta(days=2)
    assert mail.error == "no route"


def test_a_server_that_is_away_is_not_asked_for_each_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_event()
    for number in range(3):
        make_player(event, here=False, email=f"p{number}@example.org")
    asked = []

    def away(_backend: object) -> None:
        asked.append(1)
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailBackend, "open", away)
    postman.deliver.call()
    assert len(asked) == 1
    assert sorted(Mail.objects.values_list("attempts", flat=True)) == [0, 0, 1]


def test_one_mailbox_gets_so_many_a_day_and_the_rest_waits(
    watch: Watch, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    monkeypatch.setitem(limits.LIMITS, "delivery", {"mailbox": limits.Limit(2, limits.DAY)})
    event = make_event()
    for number in range(3):
        make_player(
            event,
            f"Child {number}",
            here=False,
            email=("Club", "club")[number % 2] + "@example.org",
        )
    make_player(event, "Bea", here=False, email="bea@example.org")
    postman.deliver.call()
    held = Mail.objects.waiting().get()
    assert (held.to.lower(), Mail.objects.filter(sent_at=None).count()) == ("club@example.org", 1)
    client.force_login(organiser_of(event))
    page = client.get(reverse("mails", args=[event.slug]))
    assert "This mailbox got very many mails today" in flat(page)
    monkeypatch.setitem(limits.LIMITS, "delivery", {"mailbox": limits.Limit(3, limits.DAY)})
    watch.now = held.next_at
    postman.deliver.call()
    assert not Mail.objects.waiting().exists()


def test_one_refused_mail_holds_no_other_up(server: Callable[[Exception | None], None]) -> None:
    event = make_event()
    entry(event)
    make_player(event, "Bea", here=False, email="bea@example.org")
    server(BUSY)
    postman.deliver.call()
    tried = Mail.objects.waiting().values_list("attempts", "error")
    assert list(tried) == [(1, "451 try later")] * 2


def test_a_newer_ticket_takes_the_place_of_one_that_has_not_arrived() -> None:
    event = make_event()
    player = entry(event)
    players.new_ticket(player=player, by=organiser(event))
    mail = Mail.objects.get()
    player.refresh_from_db()
    assert ticket_url(player) in mail.body
    registration.correct_email(player=player, email="new@example.org", by=organiser(event))
    assert Mail.objects.get().to == "new@example.org"


def test_a_ticket_that_arrives_at_an_old_address_does_not_count() -> None:
    event = make_event()
    player = entry(event)
    player.contact.email = "new@example.org"
    player.contact.save()
    postman.deliver.call()
    player.refresh_from_db()
    assert player.ticket_sent_at is None


def test_nobody_is_mailed_the_ticket_twice_while_it_waits() -> None:
    event = make_event()
    entry(event)
    assert players.mail_tickets(event=event, by=organiser(event)) == 0
    Mail.objects.update(status="failed")
    assert players.mail_tickets(event=event, by=organiser(event)) == 1


def test_headers_tell_machines_what_it_is() -> None:
    event = make_event()
    player = entry(event)
    send_announcement(
        event=event, audience="expected", subject="Lunch", text="At two", by=organiser(event)
    )
    postman.deliver.call()
    ticket, announcement = (message.message() for message in django_mail.outbox)
    for message in (ticket, announcement):
        assert message["Auto-Submitted"] == "auto-generated"
        assert message["Message-ID"].endswith("@testserver>")
        assert message["Content-Language"] == "en"
    assert ticket["List-Id"] is None
    assert announcement["List-Id"] == f"<{event.slug}.testserver>"
    assert announcement["Precedence"] == "bulk"
    assert announcement["List-Unsubscribe"] == f"<{ticket_url(player)}>"


def test_the_organiser_asks_for_a_test_mail_once_a_minute(watch: Watch) -> None:
    event = make_event()
    by = organiser(event)
    assert actions.send_test(event=event, by=by) == organiser_of(event).email
    with pytest.raises(Refused, match="a moment ago"):
        actions.send_test(event=event, by=by)
    postman.deliver.call()
    assert django_mail.outbox[0].subject == f"Test mail from {event.name}"
    watch.goes(minutes=1)
    actions.send_test(event=event, by=by)


def test_a_test_mail_from_the_settings(client: Client) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    form = reverse("mail_test", args=[event.slug])
    assert form in flat(client.get(reverse("settings", args=[event.slug])))
    said = flat(client.post(form, follow=True))
    assert "A test mail is on its way to you" in said
    assert "Test mail from" in said


def test_words_of_mails_are_forgotten_and_the_fact_stays(watch: Watch) -> None:
    event = make_event()
    entry(event)
    postman.deliver.call()
    watch.goes(minutes=7 * 24 * 60 - 1)
    upkeep.tidy.call()
    assert Mail.objects.get().body
    watch.goes(minutes=2)
    upkeep.tidy.call()
    mail = Mail.objects.get()
    assert (mail.body, mail.status, mail.to) == ("", "sent", "ana@example.org")


def test_a_person_is_erased_from_mails() -> None:
    event = make_event()
    player = entry(event)
    postman.deliver.call()
    make_player(event, "Bea", here=False, email="bea@example.org")
    players.new_ticket(player=player, by=organiser(event))
    Mail.objects.of_person(player, "Ana@example.org").erase()
    left = Mail.objects.order_by("pk").values_list("to", "status", "subject", "player__name")
    bea = event.mails.get(to="bea@example.org")
    assert list(left) == [
        ("", "sent", "", None),
        ("bea@example.org", "waiting", bea.subject, "Bea"),
    ]


def test_addresses_in_mails_of_logins_are_the_sites_own(
    django_capture_on_commit_callbacks: Any,
) -> None:
    user = make_user()
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    with django_capture_on_commit_callbacks(execute=True):
        Client(headers={"host": "evil.example"}).post(
            reverse("account_reset_password"), {"email": user.email}
        )
    (message,) = django_mail.outbox
    assert "http://testserver/accounts/password/reset/key/" in message.body
    assert "evil.example" not in message.body + message.subject
    assert Mail.objects.get().body == "", "it opened an account"


def test_a_mail_server_that_hangs_holds_no_page() -> None:
    """The default engine takes what it is given and lets go at once."""
    engine = ThreadBackend("default", {})
    engine.enqueue(hang, (), {})
    engine.enqueue(wrong, (), {})
    engine.enqueue(note, ("after",), {})
    assert not NOTED
    RELEASED.set()
    assert DONE.wait(30)
    assert NOTED == ["after"], "one at a time, and one that goes wrong ends nothing"


RELEASED, DONE = threading.Event(), threading.Event()
NOTED: list[str] = []


@task
def hang() -> None:
    RELEASED.wait(30)


@task
def wrong() -> None:
    raise ZeroDivisionError


@task
def note(words: str) -> None:
    NOTED.append(words)
    DONE.set()
