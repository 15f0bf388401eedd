"""The lane in front of Django: what it answers itself, and when it asks."""

from __future__ import annotations

import gzip
import threading
from typing import Any

import pytest

from tournament.web.live.lane import SOON, Lane

ADDRESS = "/live/open/"


class Site:
    """A site that says which version is so now, and counts who asks."""

    def __init__(self) -> None:
        self.version, self.asked, self.status = 1, 0, "200 OK"
        self.last: dict[str, Any] = {}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.asked, self.last = self.asked + 1, environ
        headers = [
            ("Content-Type", "text/plain"),
            ("ETag", f'"{self.version}"'),
            ("Lodestar-Version", str(self.version)),
            ("Set-Cookie", "who=me"),
            ("Vary", "Cookie"),
        ]
        start_response(self.status, headers)
        return [f"version {self.version}".encode()]


class Visit:
    """One request through a lane whose clock stands at `now` seconds."""

    def __init__(self) -> None:
        self.site, self.now = Site(), 0.0
        self.lane = Lane(self.site, seconds=1.0, clock=lambda: self.now)

    def get(self, path: str = ADDRESS, *, query: str = "", method: str = "GET", **headers: str):
        environ = {"PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": method} | {
            f"HTTP_{name.upper()}": value for name, value in headers.items()
        }
        told: dict[str, Any] = {}

        def start(status: str, headers: list[tuple[str, str]]) -> None:
            told.update(status=int(status[:3]), headers=dict(headers))

        body = b"".join(self.lane(environ, start))
        return told["status"], told["headers"], body


@pytest.fixture
def visit() -> Visit:
    return Visit()


def test_one_request_a_second_goes_through_and_everybody_gets_its_answer(visit: Visit) -> None:
    for _ in range(100):
        assert visit.get()[2] == b"version 1"
    assert visit.site.asked == 1
    visit.site.version, visit.now = 2, 0.9
    assert visit.get()[2] == b"version 1"
    visit.now = 1.0
    assert visit.get()[2] == b"version 2"
    assert visit.site.asked == 2


def test_a_phone_that_has_it_is_told_so_without_a_body_but_with_the_time(visit: Visit) -> None:
    etag = visit.get()[1]["ETag"]
    status, headers, body = visit.get(if_none_match=etag)
    assert (status, body) == (304, b"")
    assert int(headers["Lodestar-Time"]) > 0
    visit.site.version, visit.now = 2, 1.0
    assert visit.get(if_none_match=etag)[0] == 200


@pytest.mark.parametrize("nonsense", ["", "*;", '"0"', "x" * 5000, '"\x00"', 'W/"-1"'])
def test_a_nonsense_version_is_answered_with_what_is_so(visit: Visit, nonsense: str) -> None:
    assert visit.get(if_none_match=nonsense)[2] == b"version 1"
    assert visit.get(query=f"v={nonsense}")[2] == b"version 1"
    assert visit.site.asked == 1


def test_whoever_knows_of_a_newer_version_gets_it_at_once(visit: Visit) -> None:
    assert visit.get(query="v=1")[2] == b"version 1"
    visit.site.version, visit.now = 2, SOON
    assert visit.get(query="v=2")[2] == b"version 2"
    assert visit.site.asked == 2
    # A number that will never be asks five times a second, however many send it.
    for _ in range(100):
        visit.get(query="v=99999")
    assert visit.site.asked == 2


def test_nobody_is_named_to_the_site_and_nothing_of_a_person_is_kept(visit: Visit) -> None:
    headers = visit.get(cookie="sessionid=1", authorization="me", if_none_match='"1"')[1]
    assert "HTTP_COOKIE" not in visit.site.last
    assert "HTTP_AUTHORIZATION" not in visit.site.last
    assert "Set-Cookie" not in headers
    assert headers["Vary"] == "Accept-Encoding"


def test_the_answer_is_packed_once_for_whoever_unpacks_it(visit: Visit) -> None:
    _, headers, body = visit.get(accept_encoding="gzip, br")
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body) == b"version 1"
    assert "Content-Encoding" not in visit.get()[1]


def test_other_addresses_and_other_methods_pass(visit: Visit) -> None:
    assert visit.get("/events/open/")[1]["Set-Cookie"] == "who=me"
    assert visit.get(method="HEAD")[1]["Set-Cookie"] == "who=me"
    assert visit.get(method="POST")[1]["Set-Cookie"] == "who=me"
    assert visit.site.asked == 3


def test_while_the_site_fails_the_last_answer_stands(visit: Visit) -> None:
    visit.get()
    visit.site.status, visit.now = "500 Internal Server Error", 1.0
    assert visit.get()[::2] == (200, b"version 1")
    assert visit.get()[0] == 200
    assert visit.site.asked == 2, "a second's rest, also after a failure"
    visit.site.status, visit.now = "404 Not Found", 2.0
    assert visit.get()[0] == 404, "what is hidden now is gone at once"


def test_an_error_without_a_last_answer_is_told(visit: Visit) -> None:
    visit.site.status = "500 Internal Server Error"
    assert visit.get()[0] == 500


def test_while_one_asks_the_others_get_the_last_answer(visit: Visit) -> None:
    visit.get()
    visit.now = 1.0
    inside, go_on = threading.Event(), threading.Event()
    plain = Site.__call__

    def slow(site: Site, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        inside.set()
        go_on.wait(30)
        return plain(site, environ, start_response)

    visit.site.version = 2
    visit.lane._application = lambda environ, start: slow(visit.site, environ, start)
    first: list[bytes] = []
    asking = threading.Thread(target=lambda: first.append(visit.get()[2]))
    asking.start()
    assert inside.wait(30)
    assert visit.get()[2] == b"version 1"
    go_on.set()
    asking.join(30)
    assert first == [b"version 2"]
    assert visit.site.asked == 2


def test_it_forgets_before_it_fills_the_memory(visit: Visit, monkeypatch) -> None:
    monkeypatch.setattr("tournament.web.live.lane.MOST_ADDRESSES", 3)
    for number in range(10):
        visit.get(f"/live/{number}/")
    assert len(visit.lane._answers) <= 3
