"""How long an event keeps what it knows of people: two clocks, which begin when it is over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.utils.translation import ngettext

from tournament.models import Contact, Event, LogEntry, Player, Result
from tournament.models.events import EventStatus
from tournament.models.places import Place

CONTACTS, NAMES = "contacts.erased", "names.erased"
PODIUM = 3  # ranks whose names stay: who won is history
CLOCKS = ("contact_days", "name_days")


@dataclass(frozen=True, slots=True)
class Retention:
    """When each goes, counted from `over_at`; while an event is not over, from when something last
    happened in it."""

    over_at: datetime
    contacts_at: datetime
    names_at: datetime
    is_over: bool


def retention_of(event: Event) -> Retention:
    over_at = _over_at(event)
    return Retention(
        over_at,
        over_at + timedelta(days=event.contact_days),
        over_at + timedelta(days=event.name_days),
        is_over=event.status == EventStatus.FINISHED,
    )


def longer_than_told(event: Event, settings: Mapping[str, Any]) -> dict[str, str]:
    """By setting, why its days can't become so many: whoever has an entry was told fewer."""
    longer = [name for name in CLOCKS if settings.get(name, 0) > getattr(event, name)]
    if not longer or not event.players.exists():
        return {}
    return {name: _told(getattr(event, name)) for name in longer}


def _told(days: int) -> str:
    return ngettext(
        "Whoever is entered was told %(days)d day: it can only become shorter.",
        "Whoever is entered was told %(days)d days: it can only become shorter.",
        days,
    ) % {"days": days}


def _over_at(event: Event) -> datetime:
    planned = event.ends_at or event.starts_at
    if event.status == EventStatus.FINISHED and event.finished_at is not None:
        return event.finished_at
    # Postponed, or a season of evenings: whatever still happens in it keeps it alive.
    log = LogEntry.objects.filter(event=event).exclude(verb__in=(CONTACTS, NAMES))
    last = log.aggregate(last=Max("created_at"))["last"]
    return max(planned, last or planned)


def due_for_contacts(now: datetime) -> list[Event]:
    events = Event.objects.filter(contacts_erased_at=None, starts_at__lt=now)
    return [one for one in _long_over(events, "contact_days", now) if _due(one, now, names=False)]


def due_for_names(now: datetime) -> list[Event]:
    events = Event.objects.filter(names_erased_at=None, starts_at__lt=now)
    return [one for one in _long_over(events, "name_days", now) if _due(one, now, names=True)]


def _long_over(events: Iterable[Event], days: str, now: datetime) -> list[Event]:
    """Before the log is asked."""
    return [
        one
        for one in events
        if (one.ends_at or one.starts_at) + timedelta(days=getattr(one, days)) <= now
    ]


def _due(event: Event, now: datetime, *, names: bool) -> bool:
    found = retention_of(event)
    return (found.names_at if names else found.contacts_at) <= now


def contacts_to_erase(event: Event, now: datetime) -> QuerySet[Contact]:
    """All but those of people who have yet to answer whether they take a place."""
    asked = Place.objects.unended().filter(accepted_at=None, due_at__gt=now, player__event=event)
    return Contact.objects.filter(player__event=event).exclude(
        player__in=asked.values_list("player", flat=True)
    )


def names_to_erase(event: Event) -> QuerySet[Player]:
    """All but whoever keeps it, and the best of an event that was finished."""
    best = Result.objects.filter(
        freeze__event=event, freeze__replaced_at=None, rank__lte=PODIUM
    ).values_list("player", flat=True)
    kept = Q(keeps_name=True) | Q(pk__in=list(best))
    return event.players.filter(erased_at=None).exclude(kept)


@dataclass(frozen=True, slots=True)
class Going:
    """For the organiser: when, and how many names go and stay then."""

    retention: Retention
    names: int
    kept: int


def going_of(event: Event) -> Going:
    names = names_to_erase(event).count()
    return Going(retention_of(event), names, event.players.filter(erased_at=None).count() - names)
