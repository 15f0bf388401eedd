"""Where accounts differ from what allauth does by itself: who may sign up, what counts as guessing
a password, and which address stands in mails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.translation import gettext_lazy as _

from tournament.forms.fields import MailAddressField
from tournament.links import absolute
from tournament.models import Invitation, SeriesInvitation
from tournament.web.limits import network_of

INVITATIONS: Mapping[str, type[Invitation | SeriesInvitation]] = {
    "invitation": Invitation,
    "series_invitation": SeriesInvitation,
}


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
        """Links begin with the site's own address, whatever name the browser called it by."""
        request = allauth_context.request
        if request is not None and settings.SITE_URL:
            parts = urlsplit(settings.SITE_URL)
            called = (f"http://{request.get_host()}/", f"https://{request.get_host()}/")
            context = {
                name: absolute("/" + value.split("/", 3)[3])
                if isinstance(value, str) and value.startswith(called)
                else value
                for name, value in context.items()
            }
            context["current_site"] = {"name": parts.netloc, "domain": parts.netloc}
        super().send_mail(template_prefix, email, context)


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
