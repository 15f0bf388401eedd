"""How answers leave: what is small at once, and of what is large only so much at a time."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse

from config.outlet import WHOLE, Outlet
from tournament.models import Event


@dataclass
class Answer:
    """An answer of an application, which counts how often it is closed."""

    parts: list[bytes]
    closed: int = 0

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.parts)

    def close(self) -> None:
        self.closed += 1


@dataclass
class Site:
    """An application that gives one answer after the other."""

    answers: list[Any]
    length: int | None = None
    heads: list[str] = field(default_factory=list)

    def __call__(self, _environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        answer = self.answers.pop(0)
        length = sum(map(len, answer)) if self.length is None else self.length
        start("200 OK", [("Content-Length", str(length))] if length >= 0 else [])
        return answer  # type: ignore[no-any-return]

    def ask(self, outlet: Outlet, **environ: str) -> Iterable[bytes]:
        return outlet(
            {"REQUEST_METHOD": "GET", "wsgi.input": io.BytesIO()} | environ,
            lambda status, _headers: self.heads.append(status[:3]),
        )


def test_what_is_small_is_whole_and_over() -> None:
    """So neither thread nor connection waits for the phone."""
    small = Answer([b"a", b"b"])
    site = Site([small])
    assert site.ask(Outlet(site)) == [b"ab"]
    assert small.closed == 1


def test_a_list_is_passed_on() -> None:
    site = Site([[b"x" * (WHOLE + 1)]])
    assert site.ask(Outlet(site)) == [b"x" * (WHOLE + 1)]


def test_a_page_is_there_as_a_whole_however_large_it_is() -> None:
    """The standings of 2,000 are, and 8,000 phones look at them."""
    page = HttpResponse(b"x" * (WHOLE + 1))
    site = Site([page, page], WHOLE + 1)
    outlet = Outlet(site, at_once=1)
    for _ in range(2):
        assert site.ask(outlet) == [page.content]
    assert page.closed


@pytest.mark.parametrize("length", [WHOLE + 1, -1])
def test_what_is_large_or_of_unknown_length_leaves_in_parts(length: int) -> None:
    large = Answer([b"a", b"b"])
    site = Site([large], length)
    sent = site.ask(Outlet(site))
    assert not large.closed
    assert list(sent) == [b"a", b"b"]
    sent.close()  # type: ignore[attr-defined]
    assert large.closed == 1


def test_so_many_large_ones_leave_at_once() -> None:
    one, two, three, small = (Answer([b"x" * 9]) for _ in range(4))
    site = Site([one, two, three], 9)
    outlet = Outlet(site, at_once=1, whole=8)
    first = site.ask(outlet)
    refused = site.ask(outlet, HTTP_ACCEPT_LANGUAGE="es")
    assert b"archivos grandes" in b"".join(refused)
    assert two.closed == 1
    site.answers.insert(0, small)
    site.length = 3
    site.ask(outlet)  # pages go on
    site.length = 9
    for _ in range(2):  # a server may close twice
        first.close()  # type: ignore[attr-defined]
    third = site.ask(outlet)
    assert list(third) == [b"x" * 9]
    assert site.heads == ["200", "503", "200", "200"]


def test_an_answer_that_breaks_off_makes_room_for_another() -> None:
    class Failing(Answer):
        def close(self) -> None:
            raise OSError

    site = Site([Failing([b"x"]), Answer([b"x"])], WHOLE + 1)
    outlet = Outlet(site, at_once=1)
    broken = site.ask(outlet)
    with pytest.raises(OSError):  # noqa: PT011 - the answer's own
        broken.close()  # type: ignore[attr-defined]
    site.ask(outlet)
    assert site.heads == ["200", "200"]


@pytest.mark.django_db(transaction=True)
def test_while_a_large_answer_leaves_no_connection_is_held() -> None:
    """33 phones that took a photo slowly held all that two workers have, and pages failed."""

    def looking_something_up(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        assert not Event.objects.exists()
        return Site([Answer([b"x"])], WHOLE + 1)(environ, start)

    Outlet(looking_something_up)({}, lambda *_: None)
    assert connection.connection is None
