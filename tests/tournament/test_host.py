"""What the host meets: a full disk, the log, starts at the same time, rights of files."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.cache import caches
from django.db import OperationalError, connection
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from config import env
from config.logs import HideLinks
from tests.factories import make_event, make_players, make_round, organiser_of
from tests.pages import flat
from tournament.queries import kept, room
from tournament.web.live import pages
from tournament.web.middleware import takes_nothing

ROOT = Path(__file__).resolve().parent.parent.parent


def hidden(address: str) -> str:
    record = logging.LogRecord("x", 30, "x", 1, "%s: %s", ("Not Found", address), None)
    HideLinks().filter(record)
    return record.getMessage()


def with_tokens(patterns=None, before: str = "") -> list[str]:
    """The beginnings of all addresses that hold a secret."""
    found = []
    for one in get_resolver().url_patterns if patterns is None else patterns:
        here = before + str(one.pattern)
        if not isinstance(one, URLPattern):
            found += with_tokens(one.url_patterns, here)
        elif "<token:" in here:
            found.append(here.split("<token:")[0])
    return found


def test_no_secret_of_a_link_stands_in_the_log() -> None:
    beginnings = set(with_tokens())
    assert {"t/", "p/", "me/"} <= beginnings
    for start in beginnings:
        assert hidden(f"/{start}Ab3_-xyz9876/photos/") == f"Not Found: /{start}…/photos/"
    for name in ("confirm-email", "password/reset/key"):
        assert "secret-abc" not in hidden(f"/accounts/{name}/1-secret-abcdef/")
    assert hidden("/events/open-of-tarragona/") == "Not Found: /events/open-of-tarragona/"


@pytest.mark.django_db
def test_a_wrong_method_tells_the_log_no_link(client, caplog) -> None:
    make_round_of_links = make_event()
    (player,) = make_players(make_round_of_links, 1)
    caplog.handler.addFilter(HideLinks())
    client.put(reverse("ticket", args=[player.token]))
    client.get(reverse("ticket", args=["x" * 22]))
    assert len(caplog.messages) == 2
    assert player.token not in caplog.text
    assert "x" * 22 not in caplog.text


@pytest.fixture
def full_disk(django_db_blocker):
    """SQLite is told to take no page more."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL looks after its disk by itself")

    def fill() -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA page_count")
            (count,) = cursor.fetchone()
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA page_count")
            (count,) = cursor.fetchone()
            cursor.execute(f"PRAGMA max_page_count = {count}")

    yield fill
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1073741823")


@pytest.mark.django_db(transaction=True)
def test_on_a_full_disk_one_reads_on_and_saves_say_why(full_disk) -> None:
    event = make_event()
    make_players(event, 12)
    make_round(event)
    client = Client()
    client.force_login(organiser_of(event))
    full_disk()
    for name in ("event", "seats", "standings", "event_desk", "players"):
        caches["local"].clear()
        kept.forget()
        pages.forget()
        assert client.get(reverse(name, args=[event.slug])).status_code == 200, name
    data = {"name": "Ana " + "a" * 50, "email": "", "note": "n" * 200, "name_style": "full"}
    told = {}
    for number in range(200):
        page = client.post(
            reverse("player_add", args=[event.slug]), data | {"name": f"Ana Number{number}"}
        )
        told[page.status_code] = page
        if page.status_code == 507:
            break
    words = flat(told[507])
    assert "The server cannot save just now" in words
    assert "Send it now" in words
    assert 'value="Ana Number' in words


def test_the_words_of_both_databases_are_known() -> None:
    told = OperationalError("could not extend file")
    told.__cause__ = type("DiskFull", (Exception,), {"sqlstate": "53100"})()
    assert takes_nothing(told)
    assert takes_nothing(OperationalError("attempt to write a readonly database"))
    assert not takes_nothing(OperationalError("database is locked"))
    assert not takes_nothing(ValueError("disk is full"))


@pytest.mark.django_db
def test_the_desk_warns_before_the_disk_is_full(client, monkeypatch) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    desk = reverse("event_desk", args=[event.slug])
    for free, warns in ((room.LITTLE, False), (room.LITTLE - 1, True)):
        usage = SimpleNamespace(free=free)
        monkeypatch.setattr(room.shutil, "disk_usage", lambda _path, usage=usage: usage)
        assert ("MB left" in flat(client.get(desk))) == warns


@pytest.mark.django_db(transaction=True)
def test_health_is_503_where_nothing_can_be_written(client) -> None:
    assert client.get(reverse("health")).status_code == 200
    sqlite = connection.vendor == "sqlite"
    off, on = (
        ("PRAGMA query_only = 1", "PRAGMA query_only = 0")
        if sqlite
        else (
            "SET default_transaction_read_only = on",
            "SET default_transaction_read_only = off",
        )
    )
    with connection.cursor() as cursor:
        cursor.execute(off)
    try:
        page = client.get(reverse("health"))
    finally:
        with connection.cursor() as cursor:
            cursor.execute(on)
    assert (page.status_code, page.json()) == (503, {"status": "the database takes nothing"})


def test_the_database_is_for_its_owner_alone(tmp_path: Path, monkeypatch) -> None:
    folder, old = tmp_path / "new", tmp_path / "old.sqlite3"
    monkeypatch.delenv("LODESTAR_X", raising=False)
    env.database("LODESTAR_X", folder / "lodestar.sqlite3")
    assert folder.stat().st_mode & 0o777 == 0o700
    old.touch(mode=0o644)
    old.chmod(0o644)
    env.database("LODESTAR_X", old)
    assert old.stat().st_mode & 0o777 == 0o600
    assert tmp_path.stat().st_mode & 0o777 == 0o700


@pytest.mark.once
def test_three_that_start_together_all_start(tmp_path: Path) -> None:
    variables = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    variables |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LODESTAR_SECRET_KEY": "x" * 60,
        "LODESTAR_DATA_DIR": str(tmp_path),
    }

    def migrate(_number: int) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "manage.py", "migrate", "-v0"]
        return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, check=False)

    with ThreadPoolExecutor(3) as together:
        found = list(together.map(migrate, range(3)))
    assert [one.returncode for one in found] == [0, 0, 0], found
    assert (tmp_path / "lodestar.sqlite3").stat().st_mode & 0o777 == 0o600
