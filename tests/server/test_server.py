"""The server as it is started for real: a process of its own, talked to over sockets.

Times are limits for a server that hangs, not measures of one that works.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

import pytest

from config.server import allow_many_files
from tests.processes import free_port, workers_of
from tournament.demonstration import DEMO_SLUG

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="asks Linux for its processes")

HANGS = 60  # seconds after which something that should answer is taken to hang
HEALTH = b"GET /health/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
SILENT_BODY = (
    b"POST /theme/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\ntheme="
)


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its port and its first process."""

    port: int
    process: subprocess.Popen[bytes]

    def is_healthy(self) -> bool:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=HANGS)
        try:
            connection.request("GET", "/health/", headers={"Host": "localhost"})
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def get(self, address: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=HANGS)
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", address, headers={"Host": "localhost"} | told)
        answer = connection.getresponse()
        named = {name.lower(): value for name, value in answer.getheaders()}
        found = answer.status, named, answer.read()
        connection.close()
        return found

    def wait_until_healthy(self) -> None:
        end = time.monotonic() + HANGS
        while not self.is_healthy():
            assert self.process.poll() is None, "the server has ended"
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.1)

    def replace_a_worker(self) -> None:
        """Kill one, as a crash would, and wait for the other one."""
        before = self.workers()
        assert len(before) == 2
        os.kill(min(before), signal.SIGKILL)
        end = time.monotonic() + HANGS
        while len(self.workers() - {min(before)}) < 2:
            assert time.monotonic() < end, "no other worker came"
            time.sleep(0.1)
        self.wait_until_healthy()

    def open(self, sent: bytes) -> socket.socket:
        """A connection on which this was sent."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=HANGS)
        connection.sendall(sent)
        return connection

    def workers(self) -> set[int]:
        """The process ids of the workers, as the system knows them."""
        return workers_of(self.process.pid)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`serve`, as a club's laptop starts it, with a database of its own."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LODESTAR_DEBUG": "0",
        "LODESTAR_DATA_DIR": str(tmp_path_factory.mktemp("data")),
        "LODESTAR_SECRET_KEY": "x" * 60,
        "LODESTAR_SITE_URL": f"http://localhost:{port}",
    }
    for command in (["migrate", "-v0"], ["demo"]):
        done = [sys.executable, "manage.py", *command]
        subprocess.run(done, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", f"127.0.0.1:{port}", "--workers", "2"],
        cwd=ROOT,
        env=environment,
        start_new_session=True,
    )
    started = Server(port, process)
    try:
        started.wait_until_healthy()
        yield started
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(HANGS)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def test_bodies_that_never_come_hold_nobody_up(server: Server) -> None:
    with ExitStack() as stack:
        for _ in range(240):  # more than both workers have threads
            stack.enter_context(server.open(SILENT_BODY))
        for _ in range(20):  # the server takes a moment to give them their threads
            assert server.is_healthy()
            time.sleep(0.1)


def test_a_body_that_is_too_large_is_refused_before_it_comes(server: Server) -> None:
    head = SILENT_BODY.replace(b"2000", b"314572800")
    with server.open(head) as stranger:
        assert re.match(rb"HTTP/1\.1 413 ", stranger.recv(4096))


def test_a_body_is_read_to_its_end(server: Server) -> None:
    body = b"theme=dark&next=/&more=" + b"x" * 100_000
    connection = HTTPConnection("127.0.0.1", server.port, timeout=HANGS)
    kind = {"Host": "localhost", "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/theme/", body, kind)
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Set-Cookie", "")[:10]) == (302, "theme=dark")
    connection.close()


def test_a_worker_that_is_killed_is_replaced(server: Server) -> None:
    server.replace_a_worker()


def test_fifteen_hundred_open_connections_are_all_answered(server: Server) -> None:
    allow_many_files()
    with ExitStack() as stack:
        phones = [stack.enter_context(server.open(HEALTH)) for _ in range(1500)]
        heads = [phone.recv(4096) for phone in phones]
    assert [head for head in heads if not re.match(rb"HTTP/1\.1 200 ", head)] == []


def test_a_poll_is_answered_by_the_lane_and_the_clock_outlives_a_worker(server: Server) -> None:
    pulse = f"/live/{DEMO_SLUG}/"
    status, headers, body = server.get(pulse)
    clock = json.loads(body)["clock"]
    assert status == 200
    assert clock["starts"] <= int(headers["lodestar-time"])
    status, known, body = server.get(pulse, If_None_Match=headers["etag"])
    assert (status, body) == (304, b"")
    assert int(known["lodestar-time"]) >= int(headers["lodestar-time"])
    server.replace_a_worker()
    status, _headers, body = server.get(pulse)
    assert (status, json.loads(body)["clock"]) == (200, clock)
    for nonsense in ("x" * 3000, "*;*", '"0"'):
        assert server.get(pulse, If_None_Match=nonsense)[0] == 200
    assert server.get("/live/nowhere/")[0] == 404
