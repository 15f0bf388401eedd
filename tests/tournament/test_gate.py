"""What is turned away by its head, before a byte of its body is read."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from config.gate import ANONYMOUS, FORM, MB, WAITING, Gate
from tournament.models import Event

SIGNED_IN = "sessionid=x"


class Unread(io.BytesIO):
    """A body that nobody may touch."""

    def read(self, *_size: Any) -> bytes:
        raise AssertionError("it was read")

    readline = read


def ask(gate: Gate, path: str = "/", *, body: Any = None, **head: str) -> tuple[str, bytes]:
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "wsgi.input": body or Unread(),
        **head,
    }
    told: list[str] = []
    said = b"".join(gate(environ, lambda status, _headers: told.append(status)))
    return told[0][:3], said


def passing(_environ: dict[str, Any], start: Any) -> Iterable[bytes]:
    start("200 OK", [])
    return [b"in"]


@pytest.mark.parametrize(
    ("path", "cookie", "most"),
    [
        ("/events/open/register/", "", ANONYMOUS),
        ("/desk/new/", SIGNED_IN, FORM),
        ("/desk/open/players/import/", SIGNED_IN, 2 * FORM),
        ("/desk/open/players/import/", "", ANONYMOUS),
        ("/desk/open/sponsors/", SIGNED_IN, 13 * MB),
        ("/desk/open/sponsors/3/", SIGNED_IN, 13 * MB),
        ("/desk/open/sponsors/3/remove/", SIGNED_IN, FORM),
    ],
)
def test_a_body_is_no_larger_than_its_page_takes(path: str, cookie: str, most: int) -> None:
    gate = Gate(passing)
    assert ask(gate, path, CONTENT_LENGTH=str(most), HTTP_COOKIE=cookie)[0] == "200"
    status, words = ask(gate, path, CONTENT_LENGTH=str(most + 1), HTTP_COOKIE=cookie)
    assert status == "413"
    assert b"Nothing was changed" in words


def test_it_is_said_in_the_readers_language() -> None:
    told = {"CONTENT_LENGTH": str(ANONYMOUS + 1), "HTTP_ACCEPT_LANGUAGE": "es"}
    status, words = ask(Gate(passing), **told)
    assert status == "413"
    assert b"128 kB" in words


@pytest.mark.parametrize("path", ["/t/abc/photos/", "/desk/x/tables/3/photos/", "/key/"])
def test_pages_that_look_at_the_size_themselves_are_asked(path: str) -> None:
    assert ask(Gate(passing), path, CONTENT_LENGTH=str(300 * MB))[0] == "200"


@pytest.mark.parametrize("length", ["-1", "x", "9" * 30, "²"])
def test_a_length_that_is_none_is_refused(length: str) -> None:
    assert ask(Gate(passing), CONTENT_LENGTH=length)[0] == "411"


def test_a_body_of_unknown_length_is_refused() -> None:
    assert ask(Gate(passing), HTTP_TRANSFER_ENCODING="chunked")[0] == "411"


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ("", "200"),
        ("text/plain", "200"),
        ('multipart/form-data; charset="UTF-8"; boundary=x', "200"),
        ("application/x-www-form-urlencoded; charset=UTF-8", "200"),
        ("application/x-www-form-urlencoded; charset=rot13", "415"),
        ("application/x-www-form-urlencoded; charset=utf-16", "415"),
        ("application/x-www-form-urlencoded; charset=utf8", "415"),
        ("text/plain; charset=base64", "415"),
        ("text/plain; charset*=utf-8''rot13", "415"),
        ("text/plain; charset=nonsense", "415"),
        ("text/plain; charset=\x00", "415"),
    ],
)
def test_letters_that_python_does_not_know_are_refused(told: str, status: str) -> None:
    assert ask(Gate(passing), CONTENT_TYPE=told)[0] == status


class Slow(io.BytesIO):
    """A body that has come when it is told to."""

    def __init__(self) -> None:
        super().__init__(b"ab")
        self.begun, self.goes_on = threading.Event(), threading.Event()

    def read(self, *_size: Any) -> bytes:
        self.begun.set()
        self.goes_on.wait()
        return super().read()


def reading(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
    if environ.get("CONTENT_LENGTH"):
        environ["wsgi.input"].read()
    return passing(environ, start)


def send(gate: Gate) -> str:
    return ask(gate, body=io.BytesIO(b"ab"), CONTENT_LENGTH="2")[0]


@contextmanager
def asked_beside(ask: Callable[[], str], times: int = 1) -> Iterator[list[str]]:
    """So many at once in threads of their own; what each was told, once all have been."""
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(ask())) for _ in range(times)]
    for thread in threads:
        thread.start()
    yield found
    for thread in threads:
        thread.join()


def test_some_threads_never_wait_for_bodies() -> None:
    """The one body that may come holds up others with a body, and no page."""
    gate, slow = Gate(reading, at_once=1, patience=0.0), Slow()
    with asked_beside(lambda: ask(gate, body=slow, CONTENT_LENGTH="2")[0]) as found:
        slow.begun.wait()
        assert ask(gate)[0] == "200"
        assert send(gate) == "503"
        slow.goes_on.set()
    assert found == ["200"]
    assert send(gate) == "200"


def test_few_wait_for_those_that_are_slow() -> None:
    """Whoever waits holds a thread as well; beyond a few, one is told at once."""
    gate, slow = Gate(reading, at_once=1, patience=threading.TIMEOUT_MAX), Slow()
    with asked_beside(lambda: ask(gate, body=slow, CONTENT_LENGTH="2")[0]):
        slow.begun.wait()
        with asked_beside(lambda: send(gate), times=WAITING + 3) as found:
            while len(found) < 3:
                time.sleep(0.01)
            assert found == ["503"] * 3
            slow.goes_on.set()
    assert found == ["503"] * 3 + ["200"] * WAITING


def test_a_body_that_has_come_makes_room_while_its_page_is_made() -> None:
    def making(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        if environ["wsgi.input"].read(2) == b"ab":
            assert ask(gate, body=io.BytesIO(b"cd"), CONTENT_LENGTH="2")[0] == "200"
        return passing(environ, start)

    gate = Gate(making, at_once=1, patience=0.0)
    assert ask(gate, body=io.BytesIO(b"ab"), CONTENT_LENGTH="2")[0] == "200"


def test_an_application_that_fails_gives_its_place_back() -> None:
    def failing(_environ: dict[str, Any], _start: Any) -> Iterable[bytes]:
        raise ValueError

    gate = Gate(failing, at_once=1, patience=0.0)
    for _ in range(2):
        with pytest.raises(ValueError):  # noqa: PT011 - the application's own
            ask(gate, body=io.BytesIO(b"ab"), CONTENT_LENGTH="2")


class Awaited(io.BytesIO):
    """A body that notes whether a connection to the database is held while it is waited for."""

    held: bool | None = None

    def read(self, size: int | None = -1) -> bytes:
        self.held = connection.connection is not None
        return super().read(size)


def looking_something_up(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
    assert not Event.objects.exists()
    return reading(environ, start)


@pytest.mark.django_db(transaction=True)
def test_who_waits_for_a_body_holds_no_connection() -> None:
    """48 phones that sent photos over bad lines held all 16 of a worker, and pages failed."""
    body = Awaited(b"ab")
    assert ask(Gate(looking_something_up), body=body, CONTENT_LENGTH="2")[0] == "200"
    assert body.held is False


@pytest.mark.django_db(transaction=True)
def test_a_transaction_keeps_its_connection() -> None:
    body = Awaited(b"ab")
    with transaction.atomic():
        assert ask(Gate(looking_something_up), body=body, CONTENT_LENGTH="2")[0] == "200"
    assert body.held


@pytest.mark.django_db
def test_what_a_stranger_sends_to_a_page_of_the_staff_is_not_read() -> None:
    answer = Client().generic(
        "POST",
        reverse("event_import"),
        b"",
        content_type="multipart/form-data; boundary=x",
        CONTENT_LENGTH=str(300 * MB),
        **{"wsgi.input": Unread()},
    )
    assert answer.status_code == 302
