"""The demonstration, the simulation, and the settings from the environment."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from config import env, laptop
from tournament.apps import speaks_plainly_in_public
from tournament.demonstration import DEMO_SLUG
from tournament.models import Event, LogEntry, Penalty, Scoresheet, User
from tournament.queries.standings import standings_for

SQLITE = {"ENGINE": "django.db.backends.sqlite3"}
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.django_db
def test_the_demonstration_is_an_event_in_mid_course_made_once() -> None:
    for _ in range(2):
        call_command("demo", stdout=io.StringIO())
    event = Event.objects.get()
    assert event.slug == DEMO_SLUG
    assert (event.status, event.level, event.minimum_age) == ("running", 1, 18)
    assert event.local(event.starts_at).strftime("%A %d %B %Y %H:%M") == "Sunday 19 July 2026 10:00"
    assert len(event.prize_lines) == 6
    round_ = event.rounds.get(number=3)
    assert round_.status == "published"
    statuses = Scoresheet.objects.filter(table__round=round_).order_by("table__number")
    assert list(statuses.values_list("status", flat=True)) == [
        "confirmed",
        "submitted",
        "open",
        "open",
    ]
    assert Penalty.objects.count() == 1
    assert LogEntry.objects.filter(verb="deal.corrected").count() == 1
    assert len(standings_for(event).rows) == 24
    assert {user.name for user in User.objects.all()} == {"Olga Organiza", "Julio Juez"}


@pytest.mark.django_db
def test_a_simulation_plays_to_the_champion_and_repeats_itself() -> None:
    def champion() -> str:
        out = io.StringIO()
        call_command("simulate", players=18, rounds=2, seed=4, stdout=out)
        return out.getvalue().splitlines()[1]

    assert champion() == champion()
    assert champion().startswith("Champion: ")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "options", [{"players": 4}, {"rounds": 0}, {"cut": 4}, {"players": 8, "cut": 9}]
)
def test_a_simulation_that_makes_no_sense_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(CommandError):
        call_command("simulate", stdout=io.StringIO(), **options)


@pytest.mark.parametrize(
    ("read", "value", "message"),
    [
        (lambda: env.flag("LODESTAR_X", default=False), "maybe", "LODESTAR_X must be one of"),
        (lambda: env.number("LODESTAR_X", 1), "many", "LODESTAR_X must be a whole number"),
        (lambda: env.choice("LODESTAR_X", "open", "closed"), "ajar", "LODESTAR_X must be one of"),
        (lambda: env.caches("LODESTAR_X"), "memcached://x", "LODESTAR_X must look like redis://"),
        (lambda: env.caches("LODESTAR_X"), "redis://x:6379/0", "LODESTAR_X needs the package"),
        *(
            (lambda: env.database("LODESTAR_X", Path("x")), f"postgres://u:{word}@host/name", "%2F")
            for word in ("pa/ss", "pa#ss", "1/2#3", "pa?ss")
        ),
        (lambda: env.number("LODESTAR_X", 1, least=1), "0", "LODESTAR_X must be at least 1"),
        *(
            (lambda: env.zone("LODESTAR_X", "UTC"), zone, "LODESTAR_X must be a zone such as")
            for zone in ("Spain", "Europe", "../etc")
        ),
        *(
            (lambda: env.site("LODESTAR_X"), url, "LODESTAR_X must begin with https:// or http://")
            for url in ("saboteur.example.org", "localhost:8000", "ftp://x.org", "//x.org")
        ),
        *(
            (lambda: env.site("LODESTAR_X"), url, "LODESTAR_X must look like https://")
            for url in ("https://", "https://x.org:port", "https://[x")
        ),
        (lambda: env.sites("LODESTAR_X"), "https://a.org,b.org", "LODESTAR_X must begin with"),
        *(
            (lambda: env.mailer("LODESTAR_X"), url, "LODESTAR_X must look like smtp://user:pass")
            for url in ("mail.example.org", "smtp://u:pa/ss@host:587", "smtp://u:pa#ss@host:587")
        ),
        (lambda: env.files("LODESTAR_X"), "s3://k:se/cret@host/b", "LODESTAR_X must look like s3:"),
        (lambda: env.caches("LODESTAR_X"), "redis://x:port/0", "must look like redis://"),
        (lambda: env.tasks("LODESTAR_X", SQLITE), "celery", "LODESTAR_X must be one of"),
        (lambda: env.tasks("LODESTAR_X", SQLITE), "database", "LODESTAR_X=database needs Postgre"),
        (
            lambda: env.database("LODESTAR_X", Path("x")),
            "mysql://x/y",
            "must look like postgres://",
        ),
        (
            lambda: env.database("LODESTAR_X", Path("x")),
            "postgres://host",
            "must look like postgres",
        ),
    ],
)
def test_a_setting_that_makes_no_sense_names_itself(monkeypatch, read, value, message) -> None:
    monkeypatch.setenv("LODESTAR_X", value)
    with pytest.raises(ImproperlyConfigured, match=message):
        read()


def test_an_empty_setting_is_none(monkeypatch) -> None:
    """`LODESTAR_X=` in a file, where somebody has nothing to say."""
    monkeypatch.setenv("LODESTAR_X", " ")
    assert env.text("LODESTAR_X", "one") == "one"
    assert env.number("LODESTAR_X", 1) == 1
    assert env.flag("LODESTAR_X", default=True) is True
    assert env.choice("LODESTAR_X", "open", "closed") == "open"
    assert env.words("LODESTAR_X", "a,b") == ["a", "b"]
    assert env.site("LODESTAR_X") == ""


def test_a_site_is_known_without_the_slash_at_its_end(monkeypatch) -> None:
    monkeypatch.setenv("LODESTAR_X", "https://saboteur.example.org:8443/")
    assert env.site("LODESTAR_X") == "https://saboteur.example.org:8443"


def test_a_database_address_is_read_whole(monkeypatch) -> None:
    monkeypatch.setenv("LODESTAR_X", "postgres://u:p%40ss@db:5433/name?sslmode=require")
    found = env.database("LODESTAR_X", Path("x"))
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        "u",
        "p@ss",
        "db",
        "5433",
        "name",
    )
    assert found["OPTIONS"] == {"sslmode": "require", "pool": env.POSTGRES_POOL}


@pytest.mark.parametrize(
    ("args", "site", "hosts", "served"),
    [
        (["10.0.0.7:81"], "", "10.0.0.7,10.0.0.7,localhost,127.0.0.1", "10.0.0.7:81"),
        (["82"], "http://x.lan:82", "x.lan,10.0.0.5,localhost,127.0.0.1", "0.0.0.0:82"),
        ([], "", "10.0.0.5,10.0.0.5,localhost,127.0.0.1", "0.0.0.0:8000"),
    ],
)
def test_a_laptop_is_reached_by_its_address_or_by_the_name_it_is_given(
    monkeypatch, tmp_path: Path, args: list[str], site: str, hosts: str, served: str
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(laptop, "DATA_DIR", tmp_path)
    monkeypatch.setattr(laptop, "own_address", lambda: "10.0.0.5")
    monkeypatch.setattr(laptop, "execute_from_command_line", started.append)
    given = {"LODESTAR_SITE_URL": site} if site else {}
    monkeypatch.setattr(laptop.os, "environ", given)
    laptop.main([*args, "--copy", "/media/stick"])
    assert started == [["manage.py", "serve", served]]
    assert given["LODESTAR_ALLOWED_HOSTS"] == hosts
    assert given["LODESTAR_COPY_DIR"] == "/media/stick"


CHECK = ("manage.py", "check", "--deploy", "--fail-level", "WARNING")
KEY = {"LODESTAR_SECRET_KEY": "".join(chr(48 + step * 7 % 70) for step in range(70))}


def check_deploy(*command: str, **more: str) -> subprocess.CompletedProcess[str]:
    variables = {"PATH": "/usr/bin:/bin", "LODESTAR_SITE_URL": "https://saboteur.example.org"}
    return subprocess.run(
        [sys.executable, *(command or CHECK)],
        cwd=ROOT,
        env=variables | more,
        capture_output=True,
        text=True,
    )


def test_production_demands_its_key_and_is_clean_with_it(tmp_path: Path) -> None:
    folder = {"LODESTAR_DATA_DIR": str(tmp_path)}
    without = check_deploy(**folder)
    assert without.returncode != 0
    assert "LODESTAR_SECRET_KEY must be set" in without.stderr
    mail = {"LODESTAR_BEHIND_PROXY": "1", "LODESTAR_MAIL_URL": "smtp://u:p@mail.example.org:587"}
    found = check_deploy(**folder, **mail, **KEY)
    assert found.returncode == 0, found.stderr
    switches = {"LODESTAR_HSTS_SUBDOMAINS": "1", "LODESTAR_HSTS_PRELOAD": "1"}
    found = check_deploy(**folder, **mail, **KEY, **switches)
    assert found.returncode == 0, found.stderr
    alone = check_deploy(**folder, **(mail | {"LODESTAR_BEHIND_PROXY": "0"}), **KEY)
    assert "Set LODESTAR_BEHIND_PROXY=1" in alone.stderr
    hall = check_deploy(**folder, **KEY, LODESTAR_SITE_URL="http://192.168.1.20:8000")
    assert hall.returncode == 0, hall.stderr
    short = check_deploy(**folder, LODESTAR_SECRET_KEY="x" * 49)
    assert "LODESTAR_SECRET_KEY is too short" in short.stderr
    none = check_deploy(**folder, **KEY, LODESTAR_PROXY_COUNT="0", LODESTAR_BEHIND_PROXY="1")
    assert "LODESTAR_PROXY_COUNT must be at least 1" in none.stderr


def test_a_server_demands_its_address_and_other_commands_do_not(tmp_path: Path) -> None:
    without = KEY | {"LODESTAR_DATA_DIR": str(tmp_path), "LODESTAR_SITE_URL": ""}
    checked = check_deploy(**without)
    assert checked.returncode != 0
    assert "LODESTAR_SITE_URL must be set" in checked.stderr
    assert "ALLOWED_HOSTS" not in checked.stderr
    served = check_deploy("-c", "import config.wsgi", **without)
    assert served.returncode != 0
    assert "LODESTAR_SITE_URL must be set" in served.stderr
    bare = check_deploy(**(without | {"LODESTAR_SITE_URL": "saboteur.example.org"}))
    assert "LODESTAR_SITE_URL must begin with https:// or http://" in bare.stderr
    migrated = check_deploy("manage.py", "migrate", "--check", **without)
    assert "LODESTAR_SITE_URL" not in migrated.stderr


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("http://192.168.1.20:8000", False),
        ("http://[fe80::1]", False),
        ("http://laptop:8000", False),
        ("http://hall.local", False),
        ("http://saboteur.example.org", True),
        ("http://8.8.8.8", True),
        ("https://saboteur.example.org", False),
    ],
)
def test_plain_http_is_for_a_hall(address: str, public: bool, settings: Any) -> None:
    settings.SITE_URL, settings.HTTPS = address, address.startswith("https")
    assert bool(speaks_plainly_in_public()) is public


def test_the_rules_and_the_seating_run_without_django() -> None:
    """In a Python that has nothing installed."""
    for module, asked in (("scoring", "rulesets"), ("seating", "sizes")):
        run = subprocess.run(
            [
                sys.executable,
                "-I",
                "-S",
                "-c",
                f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
                f"sys.argv = ['x', {asked!r}]; import runpy; "
                f"runpy.run_module({module!r}, run_name='__main__')",
            ],
            input='{"players": 17}' if asked == "sizes" else "{}",
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        assert "django" not in run.stderr
