"""What strangers and accounts may do how often, and what an honest hall notices of it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from tests.factories import make_event, make_player, make_user
from tournament import limits
from tournament.limits import LIMITS, TooOften, spend
from tournament.models import Event, User
from tournament.web.limits import network_of

VENUE = "203.0.113.7"
ELSEWHERE = "198.51.100.9"


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    """No span of time ends in the middle of a test."""
    monkeypatch.setattr(limits, "time", SimpleNamespace(time=lambda: 1_790_000_000.0))


def register(event: Event, name: str, email: str, client: Client | None = None) -> HttpResponse:
    data = {"name": name, "email": email, "name_style": "full", "age_confirmed": "on"}
    client = client or Client(REMOTE_ADDR=VENUE)
    return client.post(reverse("register", args=[event.slug]), data)


def signed_in(event: Event | None = None) -> tuple[User, Client]:
    user = make_user() if event is None else event.staff.get().user
    client = Client()
    client.force_login(user)
    return user, client


def sign_in(email: str, password: str, network: str) -> HttpResponse:
    client = Client(REMOTE_ADDR=network)
    return client.post(reverse("account_login"), {"login": email, "password": password})


@pytest.mark.django_db
def test_a_hundred_people_in_one_hall_register_within_minutes() -> None:
    event = make_event()
    found = {register(event, f"Player {n}", f"p{n}@example.org").status_code for n in range(100)}
    assert (found, event.players.count()) == ({302}, 100)


@pytest.mark.django_db
def test_one_mailbox_cannot_be_filled_by_registering(
    django_capture_on_commit_callbacks: Callable,
) -> None:
    event, most = make_event(), LIMITS["registration"]["mailbox"].most
    with django_capture_on_commit_callbacks(execute=True):
        pages = [register(event, f"Name {n}", "victim@example.org") for n in range(20)]
    assert [page.status_code for page in pages] == [302] * most + [429] * (20 - most)
    assert len(mail.outbox) == most
    last = pages[-1]
    words = last.content.decode()
    assert 0 < int(last.headers["Retry-After"]) <= 3600
    assert 'value="Name 19"' in words, "what was typed is lost"
    assert re.search(r"works again in \d+ minutes?", words)
    assert "ask the organiser" in words
    assert register(event, "Somebody", "other@example.org").status_code == 302


@pytest.mark.django_db
def test_a_network_is_stopped_far_beyond_what_a_hall_needs(settings) -> None:
    event, most = make_event(), LIMITS["registration"]["network"].most
    request = RequestFactory().post("/", REMOTE_ADDR=VENUE)
    spend("registration", most, network=network_of(request))
    assert register(event, "Ana", "ana@example.org").status_code == 429
    from_elsewhere = Client(REMOTE_ADDR=ELSEWHERE)
    assert register(event, "Ana", "ana@example.org", from_elsewhere).status_code == 302
    settings.NETWORK_FACTOR = 2
    assert register(event, "Luis", "luis@example.org").status_code == 302


@pytest.mark.parametrize(
    ("told", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::2", "2001:db8:1:2::/64"),
    ],
)
def test_a_home_with_many_addresses_is_one_network(told: str, network: str) -> None:
    assert network_of(RequestFactory().get("/", REMOTE_ADDR=told)) == network


def test_a_header_that_anybody_can_send_changes_no_network() -> None:
    told = RequestFactory().get("/", REMOTE_ADDR=VENUE, headers={"X-Forwarded-For": ELSEWHERE})
    assert network_of(told) == VENUE


@pytest.mark.django_db(transaction=True)
def test_whoever_counts_at_once_is_counted() -> None:
    cache.add("together", 0, 60)
    start = threading.Barrier(8)

    def count() -> None:
        start.wait()
        for _ in range(5):
            cache.incr("together")
        connection.close()

    threads = [threading.Thread(target=count) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert cache.get("together") == 40


@pytest.mark.django_db
def test_it_works_again_when_the_span_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    most = LIMITS["invitation"]["mailbox"].most
    spend("invitation", most, mailbox="a@example.org")
    with pytest.raises(TooOften) as refused:
        spend("invitation", mailbox="a@example.org")
    later = SimpleNamespace(time=lambda: 1_790_000_000.0 + refused.value.seconds)
    monkeypatch.setattr(limits, "time", later)
    spend("invitation", mailbox="a@example.org")


@pytest.mark.django_db(transaction=True)
def test_strangers_lock_no_organiser_out(settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "30/5m/ip,5/5m/key"}
    user = make_user()
    user.set_password("lamp-in-a-mine-1")
    user.save()
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    pages = [sign_in(user.email, "wrong", VENUE) for _ in range(6)]
    assert "Too many wrong passwords" not in pages[4].content.decode()
    assert "Too many wrong passwords" in pages[5].content.decode()
    assert sign_in(user.email, "lamp-in-a-mine-1", VENUE).status_code == 200, "not by guessing on"
    assert sign_in(user.email, "lamp-in-a-mine-1", ELSEWHERE).headers["Location"] == "/desk/"
    # The second way in works where the first does not.
    there = Client(REMOTE_ADDR=VENUE)
    there.post(reverse("account_reset_password"), {"email": user.email})
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", mail.outbox[-1].body)
    assert link is not None
    form = there.get(link[1], follow=True)
    address = form.request["PATH_INFO"]
    there.post(address, {"password1": "new-lamp-in-2-mines", "password2": "new-lamp-in-2-mines"})
    assert sign_in(user.email, "new-lamp-in-2-mines", VENUE).headers["Location"] == "/desk/"


@pytest.mark.django_db
@pytest.mark.parametrize("known", [True, False])
def test_a_wrong_password_is_hashed_once(known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.contrib.auth.hashers import MD5PasswordHasher

    user, hashed = make_user(), []
    user.set_password("lamp-in-a-mine-1")
    user.save()
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(
        MD5PasswordHasher, "encode", lambda *given: hashed.append(1) or encode(*given)
    )
    sign_in(user.email if known else "nobody@example.org", "wrong", VENUE)
    assert len(hashed) == 1


@pytest.mark.django_db
def test_signing_up_takes_as_long_for_an_address_that_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from django.contrib.auth.hashers import MD5PasswordHasher

    user, hashed = make_user(), []
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(
        MD5PasswordHasher, "encode", lambda *given: hashed.append(1) or encode(*given)
    )
    pages = []
    for email in (user.email, "new@example.org"):
        data = {"name": "Jo", "email": email, "password1": "lamp-in-a-mine-1"}
        pages.append(Client().post(reverse("account_signup"), data))
        pages.append(len(hashed))
    assert (pages[1], pages[3]) == (1, 2)
    assert pages[0].headers["Location"] == pages[2].headers["Location"]


@pytest.mark.django_db
def test_a_refusal_without_a_page_of_its_own_offers_to_send_again() -> None:
    event = make_event()
    user, client = signed_in(event)
    spend("upload", LIMITS["upload"]["account"].most, account=user.pk)
    page = client.post(reverse("player_import", args=[event.slug]), {"pasted": "Ana\nLuis"})
    words = page.content.decode()
    assert (page.status_code, page.headers["Retry-After"]) == (429, str(_rest("upload")))
    assert re.search(r'name="pasted"\s+value="Ana\nLuis"', words)
    assert "Send it now" in words


def _rest(what: str) -> int:
    span = LIMITS[what]["account"].seconds
    return span - 1_790_000_000 % span


@pytest.mark.django_db
def test_an_account_mails_so_many_a_day() -> None:
    event = make_event()
    user, client = signed_in(event)
    for number in range(3):
        make_player(event, email=f"p{number}@example.org", here=False)
    event.mails.all().delete()
    spend("mail", LIMITS["mail"]["account"].most - 2, account=user.pk)
    page = client.post(reverse("mail_tickets", args=[event.slug]))
    assert page.status_code == 429
    assert "Whoever runs this site can allow more" in page.content.decode()
    data = {"audience": "expected", "subject": "Hall 3", "text": "We play in hall 3."}
    page = client.post(reverse("announcements", args=[event.slug]), data)
    assert page.status_code == 429
    assert "We play in hall 3." in page.content.decode()


@pytest.mark.django_db
def test_nobody_is_mailed_about_a_draft() -> None:
    event = make_event(published=False)
    _user, client = signed_in(event)
    add = reverse("player_add", args=[event.slug])
    client.post(add, {"name": "Ana", "email": "ana@example.org", "name_style": "full"})
    player = event.players.get()
    assert (player.ticket_sent_at, mail.outbox) == (None, [])
    assert client.post(reverse("mail_tickets", args=[event.slug])).status_code == 409
    move = reverse("player_move", args=[event.slug, player.number, "mail-ticket"])
    assert client.post(move).status_code == 409
    data = {"audience": "expected", "subject": "Hall 3", "text": "We play in hall 3."}
    assert client.post(reverse("announcements", args=[event.slug]), data).status_code == 409


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sign_up", "from_invitation", "opens"),
    [
        ("open", False, True),
        ("invitation", False, False),
        ("invitation", True, True),
        ("closed", True, False),
    ],
)
def test_sign_up_is_as_the_host_likes(
    settings, sign_up: str, from_invitation: bool, opens: bool
) -> None:
    settings.SIGN_UP = sign_up
    event = make_event()
    waiting = event.invitations.create(
        email="j@example.org", duty="judge", invited_by=event.staff.get().user
    )
    address = reverse("account_signup")
    if from_invitation:
        address += f"?next={reverse('invitation', args=[waiting.token])}"
    data = {"name": "Jo", "email": "j@example.org", "password1": "lamp-in-a-mine-1"}
    page = Client().post(address, data)
    assert User.objects.filter(email="j@example.org").exists() == opens
    if not opens:
        words = page.content.decode()
        assert ("comes with an invitation" in words) == (sign_up == "invitation")
    waiting.revoked_at = waiting.created_at
    waiting.save()
    if sign_up == "invitation":
        assert "Sign-up is not open here" in Client().get(address).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("by", "stranger", "judge", "host"),
    [("everybody", 200, 200, 200), ("invited", 403, 200, 200), ("host", 403, 403, 200)],
)
def test_events_are_made_by_whom_the_host_likes(
    settings, by: str, stranger: int, judge: int, host: int
) -> None:
    settings.EVENTS_BY = by
    event = make_event()
    people = {
        make_user("Stranger"): stranger,
        event.staff.get().user: judge,
        make_user("Host", is_staff=True): host,
    }
    for user, expected in people.items():
        client = Client()
        client.force_login(user)
        for name in ("new_event", "new_series", "event_import"):
            assert client.get(reverse(name)).status_code == expected, (user, name)
        offered = reverse("new_event") in client.get(reverse("desk")).content.decode()
        assert offered == (expected == 200)


@pytest.mark.django_db(transaction=True)
def test_mails_of_accounts_carry_the_sites_own_address(settings) -> None:
    settings.SITE_URL = "https://saboteur.example.org"
    user = make_user()
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    elsewhere = Client(headers={"Host": "evil.example.org"})
    elsewhere.post(reverse("account_reset_password"), {"email": user.email})
    elsewhere.post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    data = {"name": "Jo", "email": "jo@example.org", "password1": "lamp-in-a-mine-1"}
    elsewhere.post(reverse("account_signup"), data)
    elsewhere.post(reverse("account_signup"), data | {"email": user.email})
    assert len(mail.outbox) == 4
    for one in mail.outbox:
        assert "evil.example.org" not in one.body + one.subject
        assert "https://saboteur.example.org/accounts/" in one.body
