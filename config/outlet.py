"""What comes last of all: how an answer leaves.

A phone on a bad line takes an answer slowly, and whatever waits for it holds a thread. So pages and
small files go to the server whole, and the thread and its connection to the database are free at
once; of large files, only so many are under way that pages go on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.utils.translation import gettext_lazy

from config.gate import KB, Application, StartResponse, give_connections_back, once, refuse

WHOLE = 256 * KB
AT_ONCE = 24  # larger answers of each worker, of its 96 threads (config/server.py)
BUSY = gettext_lazy("Very many are loading large files just now. Try again in a moment.")


class Outlet:
    """A WSGI application around another one."""

    def __init__(
        self, application: Application, *, at_once: int = AT_ONCE, whole: int = WHOLE
    ) -> None:
        self._application = application
        self._streams = threading.BoundedSemaphore(at_once)
        self._whole = whole

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        head: list[Any] = []
        answer = self._application(environ, lambda *told: head.extend(told))
        is_there = isinstance(answer, list) or not getattr(
            answer, "streaming", True
        )  # as pages are
        if is_there or _length(head[1]) <= self._whole:
            start_response(*head)
            return _at_once(answer)
        if not self._streams.acquire(blocking=False):
            _close(answer)
            return refuse(environ, start_response, "503 Service Unavailable", BUSY)
        give_connections_back()
        start_response(*head)
        return _Stream(answer, self._streams.release)


class _Stream:
    """A large answer, which tells once that it is through or given up."""

    def __init__(self, answer: Iterable[bytes], done: Callable[[], None]) -> None:
        self._answer, self._done = answer, once(done)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._answer)

    def close(self) -> None:
        try:
            _close(self._answer)
        finally:
            self._done()


def _at_once(answer: Iterable[bytes]) -> list[bytes]:
    try:
        return [b"".join(answer)]
    finally:
        _close(answer)


def _close(answer: Any) -> None:
    if hasattr(answer, "close"):
        answer.close()


def _length(headers: list[tuple[str, str]]) -> float:
    """Of the body in bytes; without end where nobody knows."""
    told = (value for name, value in headers if name.lower() == "content-length")
    return float(next(told, "inf"))
