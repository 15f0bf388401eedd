"""nginx with the configuration of the container, in front of a server that says what reached it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.processes import free_port
from tournament.web.live.views import CACHED

ROOT = Path(__file__).resolve().parent.parent.parent
CONFIGURATION = ROOT / "docker" / "nginx.conf"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
HANGS = 60  # seconds after which something that should answer is taken to hang

needs_nginx = pytest.mark.skipif(NGINX is None, reason="needs nginx")


@dataclass
class Web:
    """What stands behind: it counts what reaches it, by address, and may be told to wait."""

    seen: dict[str, int] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    bodies: list[int] = field(default_factory=list)
    may_go: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)


def handler(web: Web) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with web.lock:
                web.seen[self.path] = web.seen.get(self.path, 0) + 1
                web.headers = dict(self.headers)
            web.may_go.wait(HANGS)
            self.answer(b"here", CACHED if self.path.startswith("/live/") else "private")

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            web.bodies.append(len(self.rfile.read(length)))
            self.answer(b"taken", "no-store")

        def answer(self, body: bytes, cache: str) -> None:
            self.send_response(200)
            self.send_header("Cache-Control", cache)
            self.send_header("ETag", '"1"')
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: Any) -> None:
            pass

    return Handler


class Behind(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True

    def handle_error(self, *_args: Any) -> None:
        """Whoever asked has gone: nothing to say."""


@dataclass
class Front:
    port: int
    web: Web
    behind: Behind

    def get(self, address: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=HANGS)
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", address, headers=told)
        answer = connection.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return found


@pytest.fixture
def front(tmp_path: Path) -> Iterator[Front]:
    web = Web()
    web.may_go.set()
    behind = Behind(("127.0.0.1", 0), handler(web))
    threading.Thread(target=behind.serve_forever, daemon=True).start()
    port = free_port()
    words = CONFIGURATION.read_text()
    for theirs, ours in (
        ("server web:8000;", f"server 127.0.0.1:{behind.server_port};"),
        ("listen 80;", f"listen 127.0.0.1:{port};"),
        ("/var/cache/nginx/lodestar", str(tmp_path / "cache")),
    ):
        assert theirs in words
        words = words.replace(theirs, ours)
    folders = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    own = "user root;" if os.geteuid() == 0 else ""
    whole = tmp_path / "whole.conf"
    whole.write_text(
        f"{own} pid {tmp_path}/pid; error_log {tmp_path}/errors; daemon off;"
        f"events {{}} http {{ access_log off; {folders}\n{words}\n}}"
    )
    process = subprocess.Popen([str(NGINX), "-p", str(tmp_path), "-c", str(whole)])
    try:
        end = time.monotonic() + HANGS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                assert process.poll() is None, "nginx has ended"
                assert time.monotonic() < end, "nginx does not answer"
                time.sleep(0.05)
        yield Front(port, web, behind)
    finally:
        web.may_go.set()
        process.send_signal(signal.SIGTERM)
        process.wait(HANGS)
        behind.shutdown()
        behind.server_close()


@needs_nginx
@pytest.mark.parametrize("address", ["/live/cup/", "/live/cup/standings/en/"])
def test_what_everybody_sees_is_asked_for_once(front: Front, address: str) -> None:
    front.web.may_go.clear()
    with ThreadPoolExecutor(30) as phones:
        answers = [phones.submit(front.get, address) for _ in range(30)]
        until(lambda: front.web.seen.get(address) == 1)
        front.web.may_go.set()
        assert {one.result()[0] for one in answers} == {200}
    # Those that came after the second is over may have had it asked once more.
    assert front.web.seen[address] <= 2
    fresh = [one for one in answers if "Age" not in one.result()[1]]
    assert len(fresh) <= 2, "a kept answer says that it is one: its time is not the server's"


@needs_nginx
def test_a_poll_that_names_what_it_has_gets_304_and_nobody_behind_is_asked(front: Front) -> None:
    front.get("/live/cup/")
    status, headers, body = front.get("/live/cup/", If_None_Match='"1"')
    assert (status, headers["Age"], body) == (304, "1", b"")


@needs_nginx
@pytest.mark.parametrize("address", ["/live/cup/staff/", "/desk/", "/events/cup/"])
def test_what_is_somebodys_own_is_asked_for_each_time(front: Front, address: str) -> None:
    for _ in range(3):
        front.get(address)
    assert front.web.seen[address] == 3


@needs_nginx
def test_what_was_kept_is_shown_while_nobody_is_behind(front: Front) -> None:
    front.get("/live/cup/")
    front.behind.shutdown()
    front.behind.server_close()
    time.sleep(1.5)  # longer than it is fresh
    status, headers, body = front.get("/live/cup/")
    assert (status, headers["Age"], body) == (200, "1", b"here")


@needs_nginx
def test_a_body_that_comes_slowly_occupies_nobody_behind(front: Front) -> None:
    head = b"POST /t/x/ HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n"
    slow = [socket.create_connection(("127.0.0.1", front.port), timeout=HANGS) for _ in range(80)]
    for one in slow:
        one.sendall(head + b"x" * 100_000)
    assert front.get("/events/cup/")[0] == 200
    assert front.web.bodies == []
    for one in slow:
        one.sendall(b"x" * 100_000)
    for one in slow:
        assert one.recv(100).startswith(b"HTTP/1.1 200")
        one.close()
    assert front.web.bodies == [200_000] * 80


@needs_nginx
def test_a_body_beyond_any_photo_is_refused_by_its_size(front: Front) -> None:
    head = b"POST /t/x/ HTTP/1.1\r\nHost: x\r\nContent-Length: 300000000\r\n\r\n"
    with socket.create_connection(("127.0.0.1", front.port), timeout=HANGS) as large:
        large.sendall(head)
        assert large.recv(100).startswith(b"HTTP/1.1 413")
    assert front.web.bodies == []


@needs_nginx
def test_who_asks_and_how_is_passed_on(front: Front) -> None:
    front.get("/events/", Host="club.example", X_Forwarded_Proto="https", X_Forwarded_For="9.9.9.9")
    told = front.web.headers
    assert told["Host"] == "club.example"
    assert told["X-Forwarded-Proto"] == "https"
    assert told["X-Forwarded-For"] == "9.9.9.9, 127.0.0.1"


def until(happens: Any) -> None:
    end = time.monotonic() + HANGS
    while not happens():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)
