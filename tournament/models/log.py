"""What happened, in order: one entry an action, never changed, never deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.db import models
from django.db.models import F, Q

from tournament.models.events import Event, Pulse
from tournament.models.people import User

if TYPE_CHECKING:
    from tournament.actor import Actor


class LogEntryQuerySet(models.QuerySet["LogEntry"]):
    def record(
        self,
        verb: str,
        *,
        event: Event,
        by: Actor,
        about: models.Model | None = None,
        label: str = "",
        before: Any = None,
        after: Any = None,
        reason: str = "",
        key: str = "",
    ) -> LogEntry:
        """Write the entry and move the event's version on. The last thing an action does."""
        entry = self.create(
            event=event,
            verb=verb,
            object_type=(about._meta.model_name or "") if about is not None else "",
            object_id=about.pk if about is not None else None,
            label=(label or (str(about) if about is not None else ""))[:200],
            before=before,
            after=after,
            reason=reason[:500],
            actor=by.ref,
            actor_label=by.label[:120],
            user=by.user,
            key=key,
        )
        if not Pulse.objects.filter(pk=event.pk).update(version=F("version") + 1):
            Pulse.objects.create(event=event, version=1)
        return entry

    def done(self, event: Event, key: str) -> bool:
        """Whether the submission with this key was carried out already."""
        return bool(key) and self.filter(event=event, key=key).exists()

    def about(self, event: Event, key: str) -> int | None:
        """The key of the object that the submission with this key made or changed, if any."""
        if not key:
            return None
        return self.filter(event=event, key=key).values_list("object_id", flat=True).first()


class LogEntry(models.Model):
    """One change: who, what, to what, before and after, and why."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="log")
    verb = models.CharField(max_length=40)
    object_type = models.CharField(max_length=20, blank=True)
    object_id = models.BigIntegerField(null=True, blank=True)
    label = models.CharField(max_length=200, blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    actor = models.CharField(max_length=60)
    actor_label = models.CharField(max_length=120)
    user = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    key = models.CharField(max_length=40, blank=True)

    objects = LogEntryQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["event", "key"], condition=~Q(key=""), name="log_key_once_per_event"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["event", "object_type", "object_id"], name="log_by_object")
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.label}"
