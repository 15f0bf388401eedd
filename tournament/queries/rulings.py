"""The rulings of an event, for everybody: those that hold, and those that did."""

from __future__ import annotations

from django.db.models import QuerySet

from tournament.models import Event, Ruling


def rulings_of(event: Event) -> QuerySet[Ruling]:
    """Newest first, those that were withdrawn too: a table has to learn of it."""
    return event.rulings.select_related("created_by", "withdrawn_by")


def rulings_mark(event: Event) -> tuple[tuple[int, bool], ...]:
    """What tells a print with these rulings from one with others: numbers, and which hold."""
    rows = event.rulings.values_list("number", "withdrawn_at")
    return tuple((number, withdrawn_at is None) for number, withdrawn_at in rows)
