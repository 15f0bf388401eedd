"""What comes first of all: a look at a request's head, before a byte of its body is read.

A body that comes slowly occupies its thread. So what is larger than its page takes is turned away
by its head, and some threads never wait for bodies: pages go on, however many send slowly.
"""

from __future__ import annotations

import codecs
import re
import threading
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.db import connections
from django.utils import translation
from django.utils.functional import Promise
from django.utils.http import parse_header_parameters
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

KB, MB = 1024, 1024 * 1024
FORM = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 64 * KB
ANONYMOUS = 128 * KB  # of somebody who is not signed in: an entry, a sheet, an answer
# Pages that take files. None: their views look at the size by themselves, unread, and say more.
UPLOADS: tuple[tuple[re.Pattern[str], int | None], ...] = (
    (re.compile(r"/(t/[^/]+|desk/[^/]+/tables/\d+)/photos/"), None),
    (re.compile(r"/(key|desk/import)/"), None),
    (re.compile(r"/desk/[^/]+/players/import/"), 2 * FORM),
    (re.compile(r"/desk/[^/]+/sponsors/(\d+/)?"), 13 * MB),
)
AT_ONCE = 48  # bodies of each worker, of its 96 threads (config/server.py)
WAITING = 4  # requests that wait until one of them is through: they hold threads as well
PATIENCE = 1.0  # seconds that they do

LARGE = gettext_lazy(
    "This is larger than the page takes, which is {size}. Nothing was changed: go back, and send "
    "less."
)
BUSY = gettext_lazy(
    "Very many are sending something just now. Nothing was changed: go back, and press again in a "
    "moment."
)
UNREADABLE = gettext_lazy("Nothing was changed: what was sent can't be read.")

type StartResponse = Callable[..., Any]
type Application = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]


class Gate:
    """A WSGI application in front of the others."""

    def __init__(
        self, application: Application, *, at_once: int = AT_ONCE, patience: float = PATIENCE
    ) -> None:
        self._application = application
        self._bodies = threading.BoundedSemaphore(at_once)
        self._waiting = threading.BoundedSemaphore(WAITING)
        self._patience = patience

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        if not _readable(environ.get("CONTENT_TYPE", "")):
            return refuse(environ, start_response, "415 Unsupported Media Type", UNREADABLE)
        length = _length(environ)
        if length is None or environ.get("HTTP_TRANSFER_ENCODING"):
            return refuse(environ, start_response, "411 Length Required", UNREADABLE)
        if length == 0:
            return self._application(environ, start_response)
        most = _most(environ)
        if most is not None and length > most:
            words = format_lazy(LARGE, size=_size(most))
            return refuse(environ, start_response, "413 Content Too Large", words)
        if not self._has_room():
            return refuse(environ, start_response, "503 Service Unavailable", BUSY)
        body = _Body(environ["wsgi.input"], length, self._bodies.release)
        try:
            return self._application(environ | {"wsgi.input": body}, start_response)
        finally:
            body.done()  # nothing more is read: an answer that is being sent reads no body

    def _has_room(self) -> bool:
        if self._bodies.acquire(blocking=False):
            return True
        if not self._waiting.acquire(blocking=False):
            return False
        try:
            return self._bodies.acquire(timeout=self._patience)
        finally:
            self._waiting.release()


class _Body:
    """A request's body, which tells once that it has been read. While it is waited for, no
    connection to the database is held: pages that look something up first, such as the one that
    takes photos, would hold all of the pool."""

    def __init__(self, stream: Any, length: int, done: Callable[[], None]) -> None:
        self._stream, self._left, self.done = stream, length, once(done)

    def read(self, size: int = -1) -> bytes:
        give_connections_back()
        return self._seen(self._stream.read(self._left if size < 0 else size))

    def readline(self, size: int = -1) -> bytes:
        give_connections_back()
        return self._seen(self._stream.readline(self._left if size < 0 else size))

    def _seen(self, part: bytes) -> bytes:
        self._left -= len(part)
        if self._left <= 0 or not part:
            self.done()
        return part


def once(act: Callable[[], None]) -> Callable[[], None]:
    """What acts the first time alone."""
    left = [act]

    def acting() -> None:
        if left:
            left.pop()()

    return acting


def give_connections_back() -> None:
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()


def _length(environ: dict[str, Any]) -> int | None:
    told = environ.get("CONTENT_LENGTH") or "0"
    return int(told) if told.isascii() and told.isdigit() and len(told) < 19 else None


def _most(environ: dict[str, Any]) -> int | None:
    path = environ.get("PATH_INFO", "")
    found = next((most for page, most in UPLOADS if page.fullmatch(path)), FORM)
    known = f"{settings.SESSION_COOKIE_NAME}=" in environ.get("HTTP_COOKIE", "")
    return ANONYMOUS if found is not None and not known else found


def _readable(content_type: str) -> bool:
    """Whether it names no letters, or some that Python knows as letters; a form comes in UTF-8, and
    Django stumbles over any other name, even “utf8”."""
    try:
        kind, told = parse_header_parameters(content_type)
        charset = told.get("charset", "utf-8")
        if kind == "application/x-www-form-urlencoded":
            return charset.lower() == "utf-8"
        return bool(codecs.lookup(charset)._is_text_encoding)
    except (LookupError, ValueError):
        return False


def _size(most: int) -> str:
    return f"{most // MB} MB" if most >= MB else f"{most // KB} kB"


def refuse(
    environ: dict[str, Any], start_response: StartResponse, status: str, words: Promise
) -> Iterable[bytes]:
    """An answer of these words alone, in the reader's language."""
    request = WSGIRequest(environ | {"CONTENT_TYPE": ""})  # which may be what is wrong
    with translation.override(translation.get_language_from_request(request)):
        body = f"{words}\n".encode()
    headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(body)))]
    if status.startswith("503"):
        headers.append(("Retry-After", "5"))
    start_response(status, headers)
    return [body]
