"""Signing up with a verified e-mail, logging in, a second factor as an option."""

from __future__ import annotations

import io
import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client, override_settings
from django.urls import reverse

from config.printed import EmailBackend
from tests.factories import make_event, make_player, make_user, organiser_of, sign_in
from tests.tournament.seasons import by_of, make_series
from tournament.actions import series as series_actions
from tournament.actions import staff
from tournament.actions.accounts import delete_account, rename_user
from tournament.models import StaffMember, User
from tournament.models.actors import Actor
from tournament.queries.log import log_of, log_rows
from tournament.refusals import Refused

pytestmark = pytest.mark.django_db


def sign_up(client: Client, email: str = "olga@example.org"):
    data = {"name": "Olga", "email": email, "password1": "lamp-in-a-mine-1"}
    return client.post(reverse("account_signup"), data)


def test_an_address_is_verified_before_the_first_login(
    django_capture_on_commit_callbacks,
) -> None:
    client = Client()
    with django_capture_on_commit_callbacks(execute=True):
        assert sign_up(client).status_code == 302
    assert client.get(reverse("desk")).status_code == 302, "not logged in before verification"
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+)", mail.outbox[0].body)
    assert link is not None
    client.post(link.group(1))
    answer = client.post(
        reverse("account_login"), {"login": "olga@example.org", "password": "lamp-in-a-mine-1"}
    )
    assert answer.headers["Location"] == reverse("desk")
    assert User.objects.get().name == "Olga"


def test_a_mail_on_the_terminal_keeps_its_link_in_one_line() -> None:
    link = "http://127.0.0.1:8000/accounts/confirm-email/" + "x" * 90
    shown = io.StringIO()
    printed = EmailBackend(alias="default", stream=shown)
    message = mail.EmailMessage("Confirm", f"Open {link} – now.", to=["olga@example.org"])
    assert printed.send_messages([message]) == 1
    assert shown.getvalue().splitlines()[:4] == [
        "To: olga@example.org",
        "Subject: Confirm",
        "",
        f"Open {link} – now.",
    ]


def test_an_address_in_use_is_not_betrayed() -> None:
    make_user(
        "Olga",
    )
    known = User.objects.get().email
    assert sign_up(Client(), known).status_code == sign_up(Client(), "new@example.org").status_code


@override_settings(ACCOUNT_RATE_LIMITS={"login_failed": "3/m/ip"})
def test_guessing_passwords_is_slowed_down() -> None:
    client = Client()
    pages = [
        client.post(reverse("account_login"), {"login": "o@example.org", "password": "x"})
        for _ in range(5)
    ]
    assert "Too many wrong passwords" in pages[-1].content.decode() or pages[-1].status_code == 429


def signed_in() -> tuple[User, Client]:
    user, client = make_user(), Client()
    client.force_login(user)
    return user, client


def test_the_account_page_changes_the_name_and_leads_to_the_rest() -> None:
    user, client = signed_in()
    address = reverse("account")
    page = client.get(address).content.decode()
    for name in ("account_email", "account_change_password", "mfa_list_webauthn", "mfa_index"):
        assert f'href="{reverse(name)}"' in page
    assert user.email in page
    answer = client.post(address, {"name": " Olga  Núñez "})
    assert answer.headers["Location"] == address
    user.refresh_from_db()
    assert user.name == "Olga Núñez"
    answer = client.post(address, {"name": "★"})
    assert answer.status_code == 422
    assert "A name needs at least one letter." in answer.content.decode()


@pytest.mark.parametrize("name", ["desk", "home", "account_change_password"])
def test_the_account_is_at_hand_when_signed_in(name: str) -> None:
    _user, client = signed_in()
    here = f'href="{reverse("account")}"'
    assert here in client.get(reverse(name)).content.decode()
    assert here not in Client().get(reverse("home")).content.decode()


def test_signing_out_everywhere_ends_every_session_of_this_person_alone() -> None:
    user, client = signed_in()
    other_device, somebody_else = Client(), signed_in()[1]
    other_device.force_login(user)
    answer = client.post(reverse("sign_out_everywhere"))
    assert answer.headers["Location"] == reverse("home")
    found = [one.get(reverse("desk")).status_code for one in (client, other_device, somebody_else)]
    assert found == [302, 302, 200]


@pytest.mark.parametrize(
    "name",
    [
        "account_login",
        "account_signup",
        "account_reset_password",
        "account",
        "account_email",
        "account_change_password",
        "mfa_index",
        "mfa_activate_totp",
        "mfa_add_webauthn",
    ],
)
def test_account_pages_wear_our_clothes(client, name: str) -> None:
    if name not in ("account_login", "account_signup", "account_reset_password"):
        data = {"login": "", "password": "pass-word-1"}
        user = make_user()
        user.emailaddress_set.create(email=user.email, verified=True, primary=True)
        data["login"] = user.email
        client.post(reverse("account_login"), data)
    page = client.get(reverse(name), follow=True).content.decode()
    assert "css/lodestar.css" in page
    assert "<style" not in page
    assert 'style="' not in page


NO_PASSKEYS = (
    *("0", "false", "null", "{}", "1", '"x"', "[1]", "{", '{"id": 1}'),
    '{"id": "eA", "rawId": "eA", "response": {}}',
    '{"id": "eA", "rawId": "eA", "response": {"clientDataJSON": "e30", "attestationObject": "AA"}}',
    '{"id": "eA", "rawId": "eA", "response": {"clientDataJSON": "e30", "authenticatorData": "AA",'
    ' "signature": "AA", "userHandle": "MQ"}}',
)


@pytest.mark.parametrize("credential", NO_PASSKEYS)
def test_what_is_no_passkey_is_not_kept_as_one(credential: str) -> None:
    user = make_user()
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    client = sign_in(Client(), user)
    page = reverse("mfa_add_webauthn")
    assert client.get(page).status_code == 200
    answer = client.post(page, {"name": "Master key", "credential": credential})
    assert answer.context["form"].errors
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("name", ["mfa_login_webauthn", "mfa_reauthenticate_webauthn"])
@pytest.mark.parametrize("credential", NO_PASSKEYS)
def test_what_is_no_passkey_lets_nobody_in(name: str, credential: str) -> None:
    user = make_user()
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x" * 32})
    client = sign_in(Client(), user) if "reauthenticate" in name else Client()
    client.get(reverse(name))
    answer = client.post(reverse(name), {"credential": credential})
    assert answer.status_code in (200, 302)
    assert (client.session.get("_auth_user_id") is None) == (name == "mfa_login_webauthn")


def test_an_account_goes_and_what_was_done_by_it_stays() -> None:
    event = make_event()
    user = organiser_of(event)
    played_by = Actor.of_user(user)
    make_player(event, here=False)
    client = sign_in(Client(), user)
    other = Client()
    other.force_login(user)
    address = reverse("account_delete")
    assert event.name in client.get(address).content.decode(), "nobody else organises it"
    assert client.post(address, {"email": user.email}).status_code == 409
    StaffMember.objects.create(event=event, user=make_user("Berta"), duty="organiser")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    assert client.post(address, {"email": "b@example.org"}).status_code == 422
    old = user.email
    assert client.post(address, {"email": old.upper()}).status_code == 302
    user.refresh_from_db()
    assert (str(user), user.is_active, user.has_usable_password()) == (
        f"Former staff member {user.pk}",
        False,
        False,
    )
    assert other.get(reverse("desk")).status_code == 302, "signed out everywhere"
    assert not EmailAddress.objects.exists()
    assert not event.staff.filter(user=user).exists()
    assert not any(old in str(row) for row in User.objects.values())
    rows = log_rows(log_of(event))
    assert {row.actor for row in rows} == {str(Actor.of_user(user).user)}
    assert played_by.signature == f"user:{user.pk}"


def test_an_account_is_deleted_only_by_who_has_its_password() -> None:
    """Not by whoever finds the laptop open: the address stands on the page before."""
    user = make_user()
    client = Client()
    client.force_login(user)
    address, again = reverse("account_delete"), reverse("account_reauthenticate")
    assert client.get(address).url.startswith(again)
    finder = Client()
    finder.force_login(user)
    finder.post(address, {"email": user.email})
    assert User.objects.get(pk=user.pk).is_active
    client.post(again, {"password": "another-word-1", "next": address})
    assert client.get(address).status_code == 302, "a wrong password opens nothing"
    assert client.post(again, {"password": "pass-word-1", "next": address}).status_code == 302
    page = client.get(address)
    assert (page.status_code, f'action="{address}"' in page.content.decode()) == (200, True)
    assert client.post(address, {"email": user.email}).url == reverse("home")
    assert not User.objects.get(pk=user.pk).is_active


def test_what_was_typed_too_late_is_sent_once_the_password_is_given_again() -> None:
    user = make_user()
    client = Client()
    client.force_login(user)
    address, again = reverse("account_delete"), reverse("account_reauthenticate")
    client.post(address, {"email": user.email})
    client.post(again, {"password": "pass-word-1", "next": address})
    assert not User.objects.get(pk=user.pk).is_active


def test_an_account_that_is_deleted_gets_no_name_and_no_duty_again() -> None:
    """By a page that was opened a moment before, in another browser."""
    event, series = make_event(), make_series()
    by = Actor.of_user(organiser_of(event))
    invitation = staff.invite(event=event, email="olga@example.org", duty="judge", by=by)
    to_series = series_actions.invite(
        series=series, email="olga@example.org", duty="judge", by=by_of(series)
    )
    user = make_user()
    delete_account(user=User.objects.get(pk=user.pk))
    own = Actor.of_user(user)
    for change in (
        lambda: rename_user(user=user, name="Olga Again"),
        lambda: delete_account(user=user),
        lambda: staff.accept_invitation(invitation=invitation, user=user, by=own),
        lambda: series_actions.accept_invitation(invitation=to_series, user=user, by=own),
        lambda: make_event(organiser=user),
        lambda: make_series(user),
    ):
        with pytest.raises(Refused, match="deleted"):
            change()
    user.refresh_from_db()
    assert user.name == ""


def test_an_account_is_taken_along() -> None:
    event = make_event()
    user = organiser_of(event)
    client = Client()
    client.force_login(user)
    data = client.get(reverse("account_data")).json()
    assert (data["name"], data["email"]) == (user.name, user.email)
    assert data["events"] == [{"event": event.name, "duty": "organiser"}]
    assert [one["what"] for one in data["done"]] == ["event.created", "event.published"]
