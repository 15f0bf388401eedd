"""Whether people can register now."""

from __future__ import annotations

from django.utils import timezone

from tournament.models import Event
from tournament.models.events import EventStatus
from tournament.queries.places import reserved_places


def places_left(event: Event) -> int | None:
    """Free places; None where there is no limit. Never below 0. Those that wait for the invited
    are not free."""
    if event.capacity is None:
        return None
    # The door may let in more than there are places, and the limit may be lowered later.
    taken = event.players.holding_a_place().count() + reserved_places(event)
    return max(0, event.capacity - taken)


def registration_open(event: Event) -> bool:
    """Published, not started, and before the closing time."""
    return (
        event.status == EventStatus.REGISTRATION and timezone.now() < event.registration_closes_at
    )
