"""The log in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from tournament.models import Event, LogEntry, Scoresheet
from tournament.wording import VERBS


@dataclass(frozen=True, slots=True)
class LogRow:
    """One entry as a page shows it."""

    at: datetime
    what: str
    label: str
    actor: str
    reason: str
    before: Any
    after: Any


def as_row(entry: LogEntry) -> LogRow:
    return LogRow(
        at=entry.at,
        what=str(VERBS.get(entry.verb, entry.verb)),
        label=entry.label,
        actor=entry.actor_label,
        reason=entry.reason,
        before=entry.before,
        after=entry.after,
    )


def log_of(event: Event) -> QuerySet[LogEntry]:
    return LogEntry.objects.filter(event=event).order_by("-pk")


def history_of_sheet(sheet: Scoresheet) -> list[LogRow]:
    entries = LogEntry.objects.filter(object_type="scoresheet", object_id=sheet.pk)
    return [as_row(entry) for entry in entries.order_by("-pk")[:50]]
