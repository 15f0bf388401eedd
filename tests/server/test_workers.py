"""A server's workers: tasks that the web left in PostgreSQL, done by a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.postgres import programs, throw_away_server

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.skipif(programs() is None, reason="needs PostgreSQL")

ASK = """
from tournament import jobs
from tournament.actions.mails import send_test
from tournament.documents import store
from tournament.documents.request import DocumentRequest
from tournament.models import Event
from tournament.models.actors import Actor
event = Event.objects.get()
by = Actor.of_user(event.staff.filter(duty="organiser").first().user)
send_test(event=event, by=by)
wanted = DocumentRequest(event=event, kind="standings", languages=("en",))
jobs.start(
    event=event,
    kind=store.KIND,
    dedupe_key="x",
    payload=store.payload_of(wanted, "/somewhere/"),
    by=by,
)
"""
TELL = """
from tournament.models import Event, Job, Mail
print(*Mail.objects.filter(kind="test").values_list("status", "attempts"))
print(*Job.objects.values_list("status", "progress"))
"""


@pytest.fixture
def manage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """A command of a server that leaves its tasks to workers; what it says."""
    with throw_away_server() as url:
        environment = os.environ | {
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LODESTAR_DATA_DIR": str(tmp_path_factory.mktemp("data")),
            "LODESTAR_DEBUG": "0",
            "LODESTAR_SECRET_KEY": "x" * 60,
            "LODESTAR_SITE_URL": "http://localhost",
            "LODESTAR_TASKS": "database",
        }

        def run(*args: str) -> str:
            command = [sys.executable, "manage.py", *args]
            done = subprocess.run(
                command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, timeout=300
            )
            return done.stdout.decode()

        yield run


def test_workers_do_what_the_web_left(
    manage: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    manage("migrate", "-v0")
    manage("demo")
    manage("shell", "-v0", "-c", ASK)
    assert manage("shell", "-v0", "-c", TELL).split("\n")[:2] == [
        "('waiting', 0)",
        "('waiting', 0)",
    ]
    worker = ("db_worker", "--batch", "--no-startup-delay")
    manage(*worker, "--queue-name=default")
    assert manage("shell", "-v0", "-c", TELL).split("\n")[:2] == [
        "('sent', 1)",
        "('waiting', 0)",
    ]
    manage(*worker, "--queue-name=jobs")
    assert manage("shell", "-v0", "-c", TELL).split("\n")[:2] == ["('sent', 1)", "('done', 100)"]
    manage("upkeep")  # prunes what its tables hold of tasks that are done
    saved = tmp_path_factory.mktemp("backup") / "backup.zip"
    manage("backup", str(saved))
    manage("restore", str(saved), "--replace")
    assert "('sent', 1)" in manage("shell", "-v0", "-c", TELL)
