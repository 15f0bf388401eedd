"""A lane in front of Django, for what thousands of phones ask again and again.

It keeps the last answer of each address under `/live/` and gives it to everybody for a second; a
phone that has it already is told so with 304. Once a second and address one request goes through to
Django to learn what is so now, while the others are served the last answer. No cookie is read and
none is set there, so one copy serves everybody.
"""

from __future__ import annotations

import gzip
import re
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

PREFIX = "/live/"
TIME = "Lodestar-Time"  # milliseconds since 1970, on every answer
MOST_ADDRESSES = 2000
WAIT = 10.0  # seconds for whoever is learning the first answer of an address
SOON = 0.2  # seconds: how old an answer may be for a phone that knows of a newer one
# What Django's middleware adds for pages says nothing here.
_PASSED_ON = frozenset({"content-type", "cache-control", "etag", "lodestar-version"})
_WANTED = re.compile(r"(?:^|&)v=(\d{1,18})(?:&|$)")

type StartResponse = Callable[..., Any]
type Application = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]
type Headers = list[tuple[str, str]]


def time_now() -> str:
    """The server's time for the header."""
    return str(round(time.time() * 1000))


@dataclass(slots=True)
class _Answer:
    """One address. `checked`: when Django was asked last, on the monotonic clock."""

    learning: threading.Lock = field(default_factory=threading.Lock)
    checked: float = float("-inf")
    headers: Headers = field(default_factory=list)
    etag: str = ""
    version: str = ""
    packed: bytes | None = None


class Lane:
    """A WSGI application that answers what it can and passes on the rest."""

    def __init__(
        self,
        application: Application,
        *,
        seconds: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._application = application
        self._seconds = seconds
        self._clock = clock
        self._answers: dict[str, _Answer] = {}

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        path: str = environ.get("PATH_INFO", "")
        if not path.startswith(PREFIX) or environ.get("REQUEST_METHOD") != "GET":
            return self._application(environ, start_response)
        answer = self._answers.get(path)
        if answer is None or not self._fresh(answer, environ):
            answer = answer or self._new_answer(path)
            if (refused := self._learn(path, answer, environ)) is not None:
                status, headers, body = refused
                start_response(status, headers)
                return [body]
        return _respond(answer, environ, start_response)

    def _fresh(self, answer: _Answer, environ: dict[str, Any]) -> bool:
        age = self._clock() - answer.checked
        if answer.packed is None or age >= self._seconds:
            return False
        wanted = _WANTED.search(environ.get("QUERY_STRING", ""))
        return wanted is None or wanted[1] == answer.version or age < SOON

    def _new_answer(self, path: str) -> _Answer:
        if len(self._answers) >= MOST_ADDRESSES:
            self._answers.clear()
        return self._answers.setdefault(path, _Answer())

    def _learn(
        self, path: str, answer: _Answer, environ: dict[str, Any]
    ) -> tuple[str, Headers, bytes] | None:
        """Ask Django, unless somebody does it already. What Django says instead of an answer, if
        there is none to give."""
        # Whoever has nothing to give waits for the first answer, or for the newer one.
        patient = answer.packed is None or "v=" in environ.get("QUERY_STRING", "")
        if not answer.learning.acquire(blocking=patient, timeout=WAIT if patient else -1):
            return None if answer.packed is not None else _busy()
        try:
            if self._fresh(answer, environ):  # learnt while this one waited
                return None
            status, headers, body = _ask(self._application, environ)
            if not status.startswith("200"):
                answer.checked = self._clock()
                if status.startswith("5") and answer.packed is not None:
                    return None  # better the last answer than none
                self._answers.pop(path, None)
                return status, headers, body
            answer.headers = [one for one in headers if one[0].lower() in _PASSED_ON]
            told = {name.lower(): value for name, value in headers}
            answer.etag, answer.version = told.get("etag", ""), told.get("lodestar-version", "")
            answer.packed = (
                body if told.get("content-encoding") == "gzip" else gzip.compress(body, 6, mtime=0)
            )
            answer.checked = self._clock()
            return None
        finally:
            answer.learning.release()


def _ask(application: Application, environ: dict[str, Any]) -> tuple[str, Headers, bytes]:
    """The application's whole answer, to a request that names nobody."""
    asked = {
        name: value
        for name, value in environ.items()
        if name not in ("HTTP_COOKIE", "HTTP_IF_NONE_MATCH", "HTTP_AUTHORIZATION")
    }
    got: list[tuple[str, Headers]] = []

    def start(status: str, headers: Headers, _error: Any = None) -> None:
        got.append((status, headers))

    chunks = application(asked, start)
    try:
        body = b"".join(chunks)
    finally:
        if hasattr(chunks, "close"):
            chunks.close()
    status, headers = got[-1]
    return status, headers, body


def _busy() -> tuple[str, Headers, bytes]:
    return "503 Service Unavailable", [("Retry-After", "1"), ("Content-Length", "0")], b""


def _respond(
    answer: _Answer, environ: dict[str, Any], start_response: StartResponse
) -> Iterable[bytes]:
    headers = [*answer.headers, (TIME, time_now()), ("Vary", "Accept-Encoding")]
    if answer.etag and answer.etag in environ.get("HTTP_IF_NONE_MATCH", ""):
        start_response("304 Not Modified", headers)
        return []
    body = answer.packed or b""
    if "gzip" in environ.get("HTTP_ACCEPT_ENCODING", ""):
        headers.append(("Content-Encoding", "gzip"))
    else:
        body = gzip.decompress(body)
    headers += [("Content-Length", str(len(body))), ("X-Content-Type-Options", "nosniff")]
    start_response("200 OK", headers)
    return [body]
