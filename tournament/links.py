"""Addresses as they stand in mails and QR codes: with the site's own name in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse

if TYPE_CHECKING:
    from tournament.models import Player


def absolute(path: str) -> str:
    return f"{settings.SITE_URL}{path}"


def ticket_url(player: Player) -> str:
    return absolute(reverse("ticket", args=[player.token]))


def table_url(token: str) -> str:
    """The address of a table's own pages."""
    return absolute(reverse("dealer_table", args=[token]))
