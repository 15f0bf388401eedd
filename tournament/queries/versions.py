"""How often an event has changed, or a part of what people watch of it."""

from __future__ import annotations

from tournament.models import Event, EventVersion
from tournament.models.versions import Part


def version_of(event: Event, part: Part | None = None) -> int:
    """The number of changes this event has seen, or this part of it."""
    found = EventVersion.objects.filter(pk=event.pk)
    return found.values_list(part or "version", flat=True).first() or 0


def versions_of(event: Event) -> EventVersion:
    """All of them in one look."""
    return EventVersion.objects.filter(pk=event.pk).first() or EventVersion(event=event)
