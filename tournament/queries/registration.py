"""Whether people can register now."""

from __future__ import annotations

from django.utils import timezone

from tournament.models import Event
from tournament.models.events import EventStatus


def registration_open(event: Event) -> bool:
    """Published, not started, and before the closing time."""
    return (
        event.status == EventStatus.REGISTRATION and timezone.now() < event.registration_closes_at
    )
