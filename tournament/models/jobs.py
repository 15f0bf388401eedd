"""A long piece of work that runs in a process of its own, and how far it is."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.models.base import LockingQuerySet
from tournament.models.events import Event
from tournament.models.people import User

# A working process gives a sign of life twice a second: after so long without one it is gone.
STALLED_AFTER = timedelta(seconds=30)
# And one that nobody has begun by then was lost with whoever was to begin it: others before it take
# two minutes at most.
LOST_AFTER = timedelta(minutes=10)


class JobStatus(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    RUNNING = "running", _("Working")
    DONE = "done", _("Done")
    FAILED = "failed", _("Not done")
    CANCELLED = "cancelled", _("Stopped")


OPEN_JOB = (JobStatus.WAITING, JobStatus.RUNNING)


class JobQuerySet(LockingQuerySet["Job"]):
    def open(self) -> Self:
        return self.filter(status__in=OPEN_JOB)


class Job(models.Model):
    """`kind` names the work (`tournament.jobs`), `dedupe_key` what it makes: of one thing there is
    never a second job while the first is open. `payload` are its arguments, `result` what came of
    it, `message` why nothing did, in the asker's language."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=12)
    dedupe_key = models.CharField(max_length=40, blank=True)
    payload = models.JSONField(default=dict, blank=True)
    # Nobody: a visitor who asked for the public standings.
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    language = models.CharField(max_length=12, blank=True)
    status = models.CharField(max_length=10, choices=JobStatus.choices, default=JobStatus.WAITING)
    progress = models.PositiveSmallIntegerField(default=0)
    result = models.JSONField(default=dict, blank=True)
    message = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["event", "kind", "dedupe_key"],
                # Jobs that have ended do not stand in the way of the next.
                condition=Q(status__in=OPEN_JOB),
                name="job_once_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(status__in=JobStatus.values), name="job_status_known"
            ),
            models.CheckConstraint(
                condition=Q(progress__range=(0, 100)), name="job_progress_in_percent"
            ),
            models.CheckConstraint(
                condition=Q(status__in=OPEN_JOB) | Q(ended_at__isnull=False),
                name="job_ended_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.dedupe_key}: {self.status}"

    @property
    def open(self) -> bool:
        return self.status in OPEN_JOB

    @property
    def stopping(self) -> bool:
        """Somebody has pressed "Stop it"; its process has not heeded yet."""
        return self.open and self.cancel_requested_at is not None

    @property
    def stalled(self) -> bool:
        """Open, but its process is gone (the machine was switched off, say)."""
        if self.heartbeat_at is None:
            return self.open and timezone.now() - self.created_at > LOST_AFTER
        return self.open and timezone.now() - self.heartbeat_at > STALLED_AFTER
