"""The application, and what it looks at when it starts."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core import checks

# Names that only a network of one's own knows.
HOME = (".local", ".lan", ".home", ".internal", ".localdomain", ".home.arpa", ".localhost")


class TournamentConfig(AppConfig):
    name = "tournament"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        checks.register(who_speaks_https, checks.Tags.security)
        checks.register(has_an_address, checks.Tags.security, deploy=True)
        checks.register(speaks_plainly_in_public, checks.Tags.security, deploy=True)


def who_speaks_https(**_given: Any) -> list[checks.CheckMessage]:
    """Said at every start: without it a browser is sent round and round."""
    if not settings.HTTPS or settings.BEHIND_PROXY:
        return []
    return [
        checks.Warning(
            "The site's address is https, but nothing says who speaks it.",
            hint="Set LODESTAR_BEHIND_PROXY=1 if a server in front does, and have it send "
            "X-Forwarded-Proto: else each page redirects to itself for ever. Ignore this where "
            "Lodestar itself was given a certificate.",
            id="lodestar.W001",
        )
    ]


def has_an_address(**_given: Any) -> list[checks.CheckMessage]:
    """Commands run without it; mails and QR codes lead nowhere."""
    if settings.SITE_URL:
        return []
    return [
        checks.Error(
            "LODESTAR_SITE_URL must be set.",
            hint="The site's own address stands in mails and QR codes, for example "
            "https://saboteur.example.org (docs/hosting.md).",
            id="lodestar.E001",
        )
    ]


def speaks_plainly_in_public(**_given: Any) -> list[checks.CheckMessage]:
    """Plain http is right for a laptop in a hall, which nobody gives a certificate, and nowhere
    else. Django's own warnings of it know no hall; this one takes their place."""
    if settings.HTTPS or not _is_public(urlsplit(settings.SITE_URL).hostname or ""):
        return []
    return [
        checks.Warning(
            "The site's address is public, and plain http.",
            hint="Passwords and sessions can be read on their way. Put a server with a certificate "
            "in front (docs/hosting.md) and write LODESTAR_SITE_URL with https://.",
            id="lodestar.W002",
        )
    ]


def _is_public(host: str) -> bool:
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(HOME)
