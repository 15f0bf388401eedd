"""A laptop that falls: the server is killed, and another one goes on with the second copy."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.processes import free_port
from tests.server.test_server import HANGS, ROOT, Server

pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="asks Linux for its processes")


def manage(command: list[str], **variables: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "LODESTAR_DEBUG": "0"} | variables
    done = [sys.executable, "manage.py", *command]
    subprocess.run(done, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "first").mkdir()
    (tmp_path / "stick").mkdir()
    return {
        "LODESTAR_DATA_DIR": str(tmp_path / "first"),
        "LODESTAR_SECRET_KEY": "x" * 60,
        "LODESTAR_SITE_URL": "http://localhost",
        "LODESTAR_COPY_DIR": str(tmp_path / "stick"),
    }


@pytest.fixture
def server(variables: dict[str, str]) -> Iterator[Server]:
    """Two workers, of which one copies."""
    manage(["migrate", "-v0"], **variables)
    manage(["demo"], **variables)
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "LODESTAR_DEBUG": "0"} | variables
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", f"127.0.0.1:{port}", "--workers", "2"],
        cwd=ROOT,
        env=environment,
        start_new_session=True,
    )
    try:
        started = Server(port, process)
        started.wait_until_healthy()
        yield started
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(HANGS)


def enter(folder: Path, name: str) -> None:
    """What somebody enters last."""
    with closing(sqlite3.connect(folder / "lodestar.sqlite3", timeout=20)) as database:
        database.execute("UPDATE tournament_event SET name = ?", [name])
        database.commit()


def entered(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "lodestar.sqlite3")) as database:
        return str(database.execute("SELECT name FROM tournament_event").fetchone()[0])


def until(happens: Callable[[], bool]) -> None:
    end = time.monotonic() + HANGS
    while not happens():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.1)


def is_copied(stick: Path, name: str) -> bool:
    # Between two renames it is not there for a moment.
    return (stick / "lodestar.sqlite3").exists() and name.encode() in (
        stick / "lodestar.sqlite3"
    ).read_bytes()


def test_another_laptop_goes_on_with_the_copy(
    server: Server, variables: dict[str, str], tmp_path: Path
) -> None:
    first, stick, second = (tmp_path / name for name in ("first", "stick", "second"))
    enter(first, "Before a worker dies")
    until(lambda: is_copied(stick, "Before a worker dies"))
    for _ in range(2):  # whichever of them copies
        server.replace_a_worker()
    enter(first, "Before the laptop falls")
    until(lambda: is_copied(stick, "Before the laptop falls"))
    os.killpg(server.process.pid, signal.SIGKILL)
    server.process.wait(HANGS)
    manage(["restore", str(stick)], **variables | {"LODESTAR_DATA_DIR": str(second)})
    assert entered(second) == "Before the laptop falls"
