"""Addresses as they stand in mails and QR codes: with the site's own name in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse

if TYPE_CHECKING:
    from tournament.models import Event, Person, Place, Player, Screen


def absolute(path: str) -> str:
    return f"{settings.SITE_URL}{path}"


def ticket_url(player: Player) -> str:
    return absolute(reverse("ticket", args=[player.token]))


def person_url(person: Person) -> str:
    """The page that is theirs alone."""
    return absolute(reverse("me", args=[person.token]))


def table_url(token: str) -> str:
    """The address of a table's own pages."""
    return absolute(reverse("table_link:sheet", args=[token]))


def seats_url(event: Event) -> str:
    """Where everybody finds their seat."""
    return absolute(reverse("seats", args=[event.slug]))


def standings_url(event: Event) -> str:
    return absolute(reverse("standings", args=[event.slug]))


def rules_url(event: Event) -> str:
    return absolute(reverse("rules", args=[event.slug]))


def questions_url(event: Event) -> str:
    """What people ask at the tables."""
    return absolute(reverse("questions", args=[event.slug]))


def event_url(event: Event) -> str:
    """Where everybody registers, and finds everything else."""
    return absolute(reverse("event", args=[event.slug]))


def screen_url(screen: Screen) -> str:
    """What is opened once on a television."""
    return absolute(reverse("screen", args=[screen.token]))


def place_url(place: Place) -> str:
    """Where somebody takes or declines a place at a later event."""
    return absolute(reverse("place", args=[place.token]))
