"""Small words for templates."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone

from tournament.labels import (
    AT_ZERO,
    BADGE_TONES,
    MIDDLE_CARDS,
    RULESET_NAMES,
    WINNERS,
    infraction_name,
)
from tournament.models import Event
from tournament.policies import duty_of
from tournament.queries.clocks import EventClock, clock_of

register = template.Library()


@register.simple_tag(takes_context=True)
def duty_here(context: dict[str, Any]) -> str:
    """The duty that whoever looks has at the event of the page; "" for everybody else."""
    return duty_of(context["user"], context["event"]) or ""


@register.filter
def ruleset_name(key: str) -> str:
    return str(RULESET_NAMES.get(key, key))


@register.filter
def middle_card(ruleset: str) -> str:
    """When the middle card is turned up, by the key of the ruleset."""
    return str(MIDDLE_CARDS[ruleset])


@register.filter
def winner_words(winner: str | None) -> str:
    """ "The miners win." and so on; nothing for a void deal."""
    return str(WINNERS.get(winner or "", ""))


@register.filter
def infraction_words(code: str) -> str:
    """ "1.1 Play error, minor"."""
    return infraction_name(code)


@register.filter
def badge_tone(status: str) -> str:
    """The class of a badge that names the status of an event, round, sheet, player or finalist."""
    return BADGE_TONES.get(status, "quiet")


@register.filter
def get(mapping: dict[object, object], key: object) -> object:
    """A value of a mapping by a key that is itself a variable."""
    return mapping.get(key, "")


@register.inclusion_tag("includes/clock.html")
def clock(
    event: Event, table: int | None = None, found: EventClock | None = None
) -> dict[str, Any]:
    """The event's clock, at this table; a script makes it run. `found`: where the page has it."""
    now = timezone.now()
    found = found or clock_of(event, now)
    return {
        "event": event,
        "table": table,
        "clock": found,
        "reading": found.read(now, table),
        "ends_at": found.ends_at(table),
        "at_zero": AT_ZERO[event.at_zero],
    }
