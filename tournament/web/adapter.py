"""Where accounts differ from what allauth does by itself: who may sign up, what counts as guessing
a password, and which address stands in mails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.translation import gettext_lazy as _

from tournament import mail
from tournament.forms.fields import MailAddressField
from tournament.links import absolute
from tournament.models import Invitation, SeriesInvitation
from tournament.web.limits import network_of

INVITATIONS: Mapping[str, type[Invitation | SeriesInvitation]] = {
    "invitation": Invitation,
    "series_invitation": SeriesInvitation,
}


@dataclass(frozen=True, slots=True)
class _Site:
    name: str
    domain: str


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    error_messages = DefaultAccountAdapter.error_messages | {
        "too_many_login_attempts": _(
            "Too many wrong passwords from your network. Try again in five minutes, sign in by a "
            "passkey, or choose a new password by “Forgot your password?”."
        ),
    }

    def clean_email(self, email: str) -> str:
        """In small letters by now: some are longer than they were."""
        return str(MailAddressField().clean(email))

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Everybody, or whoever was sent here by an invitation that still waits, or nobody."""
        # For the page that says so.
        request.by_invitation = settings.SIGN_UP == "invitation"  # type: ignore[attr-defined]
        if settings.SIGN_UP == "invitation":
            return _comes_by_invitation(request)
        return bool(settings.SIGN_UP == "open")

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """An account's wrong passwords are counted for each network: a stranger elsewhere locks
        nobody out."""
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}:{network_of(request)}"

    def send_account_already_exists_mail(self, email: str) -> None:
        """As slow as for an address that is new, whose password is hashed: time tells nobody who
        has an account."""
        make_password("as long as it takes")
        super().send_account_already_exists_mail(email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Into the same outbox as all mails: none is lost, and a page answers as fast whether or
        not there is such a login. Addresses in it are the site's own: whoever asks chooses the
        name by which they ask for a page."""
        host = urlsplit(settings.SITE_URL).netloc
        about = {"email": email, "current_site": _Site(name=host, domain=host)} | context
        ours = {key: _ours(key, value) for key, value in about.items()}
        message = self.render_mail(template_prefix, email, ours)
        mail.send_to_account(email, message.subject, message.body)


def _comes_by_invitation(request: HttpRequest) -> bool:
    address = request.POST.get("next") or request.GET.get("next", "")
    try:
        found = resolve(urlsplit(address).path)
    except (Resolver404, ValueError):
        return False
    invitations = INVITATIONS.get(found.view_name)
    if invitations is None:
        return False
    return bool(invitations.objects.open().filter(token=found.kwargs["token"]).exists())


def _ours(key: str, value: Any) -> Any:
    if not (key.endswith("url") and isinstance(value, str)):
        return value
    parts = urlsplit(value)
    return absolute(parts._replace(scheme="", netloc="").geturl())
