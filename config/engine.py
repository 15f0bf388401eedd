"""Tasks done by this very process, with nothing else to start or to watch."""

from __future__ import annotations

import logging
import queue
import threading
from typing import Any

from django.db import connections
from django.tasks import Task, TaskResult, TaskResultStatus
from django.tasks.backends.base import BaseTaskBackend
from django.tasks.signals import task_enqueued
from django.utils import timezone
from django.utils.crypto import get_random_string

type AnyTask = Task[..., Any]
type AnyResult = TaskResult[..., Any]
type Tasks = queue.SimpleQueue[tuple[AnyTask, Any, Any]]

log = logging.getLogger(__name__)


THREADS = {"jobs": 2}  # of each web process, each with a process at work; of other queues one


class ThreadBackend(BaseTaskBackend):
    """A few threads that end with the process: what must not be lost has a row of its own, and is
    found again."""

    def __init__(self, alias: str, params: dict[str, Any]) -> None:
        super().__init__(alias, params)
        self._lock = threading.Lock()
        self._queues: dict[str, Tasks] = {}

    def enqueue(self, task: AnyTask, args: Any, kwargs: Any) -> Any:
        self.validate_task(task)
        self._queue(task.queue_name).put((task, args, kwargs))
        result: AnyResult = TaskResult(
            task=task,
            id=get_random_string(32),
            status=TaskResultStatus.READY,
            enqueued_at=timezone.now(),
            started_at=None,
            last_attempted_at=None,
            finished_at=None,
            args=list(args),
            kwargs=kwargs,
            backend=self.alias,
            errors=[],
            worker_ids=[],
        )
        task_enqueued.send(type(self), task_result=result)
        return result

    def _queue(self, name: str) -> Tasks:
        """Its threads start with its first task: a command that has none has no threads."""
        with self._lock:
            if name not in self._queues:
                waiting = self._queues[name] = queue.SimpleQueue()
                for _ in range(THREADS.get(name, 1)):
                    threading.Thread(target=_work, args=[waiting], name=name, daemon=True).start()
            return self._queues[name]


def _work(waiting: Tasks) -> None:
    while True:
        task, args, kwargs = waiting.get()
        try:
            task.call(*args, **kwargs)
        except Exception:
            log.exception("The task %s went wrong", task.module_path)
        finally:
            # They go back to the pool, or are opened anew: hours may pass to the next task.
            connections.close_all()
