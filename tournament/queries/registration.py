"""Whether people can register now."""

from __future__ import annotations

from django.utils import timezone

from tournament.models import Event
from tournament.models.events import EventStatus


def places_left(event: Event) -> int | None:
    """Free places; None where there is no limit. Never below 0."""
    if event.capacity is None:
        return None
    # The door may let in more than there are places, and the limit may be lowered later.
    return max(0, event.capacity - event.players.holding_a_place().count())


def registration_open(event: Event) -> bool:
    """Published, not started, and before the closing time."""
    return (
        event.status == EventStatus.REGISTRATION and timezone.now() < event.registration_closes_at
    )
