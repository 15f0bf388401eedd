"""What happened, in order: one entry an action, never changed, never deleted.

An entry holds references and values. Whoever reads it gets a sentence in their own language with
the names as they are now (`queries/log.py`), so nobody's name outlives the event in here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from django.db import models

from tournament.models.actors import Actor
from tournament.models.events import Event
from tournament.models.people import User
from tournament.models.versions import EventVersion, Part, parts_touched


class LogEntryQuerySet(models.QuerySet["LogEntry"]):
    def record(
        self,
        verb: str,
        *,
        event: Event,
        by: Actor,
        about: models.Model | None = None,
        before: Any = None,
        after: Any = None,
        reason: str = "",
        parts: Iterable[Part] | None = None,
    ) -> LogEntry:
        """Write the entry and move the event's version on. The last thing an action does. `parts`:
        what it has changed of what people watch, where its verb alone does not say."""
        entry = self.create(
            event=event,
            verb=verb,
            object_type=(about._meta.model_name or "") if about is not None else "",
            object_id=about.pk if about is not None else None,
            before=before,
            after=after,
            # PostgreSQL would refuse a longer one, and with it the action that was carried out.
            reason=reason[:500],
            actor=by.signature,
            user=by.user,
        )
        EventVersion.objects.raise_for(event, parts_touched(verb) if parts is None else parts)
        return entry

    def about(self, *things: models.Model) -> LogEntryQuerySet:
        """What happened to these things, all of one model."""
        model = things[0]._meta.model_name if things else ""
        return self.filter(object_type=model, object_id__in=[one.pk for one in things])


class LogEntry(models.Model):
    """One change: who (`Actor.signature`), what, to what, before and after, and why."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="log")
    verb = models.CharField(max_length=40)
    object_type = models.CharField(max_length=20, blank=True)
    # No foreign key: an entry outlives what it tells of.
    object_id = models.BigIntegerField(null=True, blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    # What a correction did to the standings: start numbers and ranks (`queries/consequences.py`).
    effect = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    actor = models.CharField(max_length=60)
    user = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LogEntryQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["object_type", "object_id"], name="log_by_object")
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.object_type} {self.object_id or ''}".rstrip()
