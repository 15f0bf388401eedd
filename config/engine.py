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

log = logging.getLogger(__name__)


class ThreadBackend(BaseTaskBackend):
    """A few threads that end with the process: what must not be lost has a row of its own, and is
    found again. Option `threads`: how many tasks at once."""

    def __init__(self, alias: str, params: dict[str, Any]) -> None:
        super().__init__(alias, params)
        self._waiting: queue.SimpleQueue[tuple[AnyTask, Any, Any]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []

    def enqueue(self, task: AnyTask, args: Any, kwargs: Any) -> Any:
        self.validate_task(task)
        self._waiting.put((task, args, kwargs))
        self._start()
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

    def _start(self) -> None:
        with self._lock:
            if len(self._threads) < self.options.get("threads", 1):
                thread = threading.Thread(target=self._work, name=self.alias, daemon=True)
                self._threads.append(thread)
                thread.start()

    def _work(self) -> None:
        while True:
            task, args, kwargs = self._waiting.get()
            try:
                task.call(*args, **kwargs)
            except Exception:
                log.exception("The task %s went wrong", task.module_path)
            finally:
                # They go back to the pool, or are opened anew: hours may pass to the next task.
                connections.close_all()
