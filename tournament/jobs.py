"""Long work, each piece in a process of its own: `HANDLERS` says what there is.

A web process only writes the job down; a task starts `manage.py job`, and the page of the job
tells how far it is (docs/decisions/jobs.md). Work computes first, asking its watch now and then
whether to stop, and returns what is to be written; that is written in the transaction that ends the
job.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.tasks import task
from django.utils import translation
from django.utils.translation import gettext as _

from tournament.actions import draws
from tournament.actions import jobs as actions
from tournament.actions.jobs import Stopped, Watch
from tournament.documents import packet, store
from tournament.models import Event, Job
from tournament.models.actors import Actor
from tournament.models.jobs import JobStatus
from tournament.refusals import Refused

type Work = Callable[[Job, Watch], Callable[[], dict[str, Any]]]

HANDLERS: dict[str, Work] = {
    draws.KIND: draws.draw_by_job,
    store.KIND: store.print_by_job,
    packet.KIND: packet.make_by_job,
}

HEARTBEAT = 0.5  # seconds between two signs of life, so progress is written at most twice a second
PATIENCE = 5.0  # seconds in which work has to heed that it was cancelled

logger = logging.getLogger(__name__)


def start(*, event: Event, kind: str, dedupe_key: str, payload: dict[str, Any], by: Actor) -> Job:
    """The job that makes this: a new one, or the one that is at it already."""
    job, new = actions.request_job(
        event=event, kind=kind, dedupe_key=dedupe_key, payload=payload, by=by
    )
    if new and settings.JOBS_INLINE:
        run(job)
        job.refresh_from_db()
    elif new:
        # The process could start before the row is there for it to see.
        transaction.on_commit(partial(work.enqueue, job.pk))
    return job


@task(queue_name="jobs")
def work(pk: int) -> None:
    """Whoever does the task waits for the process, so that no more go on at once than it has
    threads, or a server has workers."""
    _spawn(pk)


def _spawn(pk: int) -> None:
    """A process in a session of its own: it outlives a web server that is restarted."""
    subprocess.run(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "job", str(pk)],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        check=False,  # what went wrong stands in the job's row
    )


def run(job: Job, *, alone: bool = False) -> None:
    """Do a job to its end, whatever that is. `alone`: this process has nothing else to do, so
    another thread watches over the job and may end the process."""
    begun = actions.begin(job=job)
    if begun is None:
        return
    with translation.override(begun.language or settings.LANGUAGE_CODE):
        guard = JobSupervisor(begun, alone=alone)
        try:
            with guard:
                # The handler computes first, as an argument: nothing is locked while it thinks.
                actions.finish(job=begun, write=HANDLERS[begun.kind](begun, guard.watch))
        except Stopped:
            actions.give_up(job=begun, status=JobStatus.CANCELLED)
        except Refused as refused:
            actions.give_up(job=begun, status=JobStatus.FAILED, message=refused.message[:500])
        # Also what ends a process: the job's end has to be written, or its page would wait for 30
        # seconds.
        except BaseException as error:
            actions.give_up(job=begun, status=JobStatus.FAILED, message=_went_wrong())
            logger.exception("Job %s went wrong", begun.pk)
            if not isinstance(error, Exception):
                raise


def _went_wrong() -> str:
    return _("The work went wrong, and nothing was changed. The host finds the reason in the log.")


def _took_too_long() -> str:
    return _("The work took too long and was stopped; nothing was changed.")


class JobSupervisor:
    """Gives the job's signs of life, tells the work when to stop, and ends what does not heed."""

    def __init__(self, job: Job, *, alone: bool) -> None:
        self._job, self._alone = job, alone
        self._share, self._stop, self._over = 0.0, False, threading.Event()
        self._began = self._beaten = time.monotonic()
        self._cancelled_at: float | None = None

    def watch(self, share: float) -> bool:
        """For the work: it is so far (0 to 1); true: stop."""
        self._share = share
        # Without a thread that watches, the work itself gives the signs of life.
        if not self._alone and time.monotonic() - self._beaten >= HEARTBEAT:
            self._beat()
        return self._stop

    def __enter__(self) -> None:
        if self._alone:
            threading.Thread(target=self._guard, daemon=True).start()

    def __exit__(self, *_error: object) -> None:
        self._over.set()

    def _beat(self) -> None:
        self._beaten = time.monotonic()
        # Once told to stop it stays so, whatever the next look finds.
        self._stop = actions.heartbeat(job=self._job, progress=int(self._share * 100)) or self._stop

    def _guard(self) -> None:
        with translation.override(self._job.language or settings.LANGUAGE_CODE):
            while not self._over.wait(HEARTBEAT):
                try:
                    self._beat()
                    self._end_what_does_not_heed()
                except DatabaseError:  # it comes back, or the job counts as broken off
                    logger.warning("Job %s can't reach the database", self._job.pk)
                    connection.close()
            # A thread has a connection of its own, which nobody else would give back.
            connection.close()

    def _end_what_does_not_heed(self) -> None:
        now = time.monotonic()
        if now - self._began > settings.JOB_SECONDS:
            self._exit(JobStatus.FAILED, _took_too_long())
        if self._stop:
            # Patience counts from the first time it was seen.
            self._cancelled_at = self._cancelled_at or now
            if now - self._cancelled_at > PATIENCE:
                self._exit(JobStatus.CANCELLED)

    def _exit(self, status: JobStatus, message: str = "") -> None:
        """The database takes back what is not committed when the process is gone."""
        # False: the work has ended in the meantime, and must not be cut off while it finishes.
        if actions.give_up(job=self._job, status=status, message=message):
            # Not `sys.exit`, which would end this thread alone.
            os._exit(1)
