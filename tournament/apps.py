"""The application, and what it looks at when it starts."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks


class TournamentConfig(AppConfig):
    name = "tournament"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        checks.register(who_speaks_https, checks.Tags.security)


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
