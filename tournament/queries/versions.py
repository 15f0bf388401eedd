"""How often an event has changed, or a part of what people watch of it."""

from __future__ import annotations

from tournament.models import Event, EventVersion
from tournament.models.versions import Part


def version_of(event: Event, part: Part | None = None) -> int:
    """The number of changes this event has seen, or this part of it."""
    return int(getattr(versions_of(event), part or "version"))


def versions_of(event: Event) -> EventVersion:
    """All of them. Pages fetch their event together with them (`access.py`), so that everything on
    a page rests on one look; an event that came without them is looked up each time."""
    if Event.current_version.is_cached(event):
        return event.current_version
    return EventVersion.objects.filter(pk=event.pk).first() or EventVersion(event=event)
