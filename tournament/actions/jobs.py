"""A job's life: asked for, begun, a sign of life now and then, ended. What a job does to the event
stands in the log as if its asker had done it at once; the job itself is no fact of the event."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.limits import TooOften
from tournament.models import Event, Job
from tournament.models.actors import Actor
from tournament.models.jobs import JobStatus

type Watch = Callable[[float], bool]  # told how far the work is, 0 to 1; true: stop


class Stopped(Exception):
    """The job is not wanted any more: it was cancelled, or given up for dead."""


def stalled_message() -> str:
    return _("The work broke off: its process is gone, and nothing was changed. Press again.")


@transaction.atomic
def request_job(
    *, event: Event, kind: str, dedupe_key: str, payload: dict[str, Any], by: Actor
) -> tuple[Job, bool]:
    """The one open job that makes this, and whether it is new. One that broke off makes room."""
    # Two presses at once meet here, not at the constraint.
    event = Event.objects.lock(event.pk)
    for job in event.jobs.open().filter(kind=kind, dedupe_key=dedupe_key).locked():
        if not job.stalled:
            return job, False
        _end(job, JobStatus.FAILED, message=stalled_message())
    _check_room(by)
    job = Job.objects.create(
        event=event,
        kind=kind,
        dedupe_key=dedupe_key,
        payload=payload,
        created_by=by.user,
        language=get_language() or "",
    )
    return job, True


# Open jobs: of one account, and of visitors together, who get what was made before.
MOST_OF_ONE, MOST_OF_VISITORS = 5, 2
GONE_AFTER = timedelta(minutes=10)  # without a sign of life


def _check_room(by: Actor) -> None:
    """Raises `TooOften` where much is waiting: one account does not keep the others from theirs."""
    # Presses at once, of whoever and at whichever events, meet at the row that stands for all jobs.
    list(ContentType.objects.filter(app_label="tournament", model="job").select_for_update())
    since = timezone.now() - GONE_AFTER
    waiting = Job.objects.open().filter(Q(heartbeat_at__gt=since) | Q(created_at__gt=since))
    own = waiting.filter(created_by=by.user).count()
    if own >= (MOST_OF_VISITORS if by.user is None else MOST_OF_ONE):
        raise TooOften(
            _("Other work of yours is waiting. Press again when some of it is done."), 60
        )
    if waiting.count() >= settings.MOST_JOBS:
        raise TooOften(_("The server has very much work just now. Press again in a minute."), 60)


@transaction.atomic
def begin(*, job: Job) -> Job | None:
    """From now on it is running; None if somebody else has it, or it was cancelled before."""
    job = Job.objects.lock(job.pk)
    if job.status != JobStatus.WAITING:
        return None
    job.status = JobStatus.RUNNING
    job.started_at = job.heartbeat_at = timezone.now()
    job.save(update_fields=["status", "started_at", "heartbeat_at"])
    return job


def heartbeat(*, job: Job, progress: int) -> bool:
    """A sign of life, and how far it is; whether the job is to stop."""
    running = Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING)
    alive = running.update(heartbeat_at=timezone.now(), progress=min(max(progress, 0), 100))
    return not alive or running.filter(cancel_requested_at__isnull=False).exists()


@transaction.atomic
def finish(*, job: Job, write: Callable[[], dict[str, Any]]) -> Job:
    """Write what the job found, and end it, in one transaction: what is written belongs to a job
    that is done, and a job that was stopped has written nothing. Raises Stopped."""
    Event.objects.lock(job.event_id)  # before the job, as everywhere; what is written needs it
    job = Job.objects.lock(job.pk)
    if job.status != JobStatus.RUNNING or job.cancel_requested_at is not None:
        raise Stopped
    return _end(job, JobStatus.DONE, result=write(), progress=100)


@transaction.atomic
def give_up(*, job: Job, status: JobStatus, message: str = "") -> bool:
    """End a job that makes nothing; False if it has ended already."""
    job = Job.objects.lock(job.pk)
    if not job.open:
        return False
    _end(job, status, message=message)
    return True


@transaction.atomic
def cancel(*, job: Job) -> Job:
    """Ask for its end. A job that has not begun, or whose process is gone, ends here."""
    job = Job.objects.lock(job.pk)
    if not job.open:
        return job
    if job.status == JobStatus.WAITING or job.stalled:
        return _end(job, JobStatus.CANCELLED)
    job.cancel_requested_at = job.cancel_requested_at or timezone.now()
    job.save(update_fields=["cancel_requested_at"])
    return job


def _end(job: Job, status: JobStatus, **more: Any) -> Job:
    job.status, job.ended_at = status, timezone.now()
    for name, value in more.items():
        setattr(job, name, value)
    job.save(update_fields=["status", "ended_at", *more])
    return job
