"""A second copy is kept as it goes: always a whole one, and nobody is held up by a stick."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from config import env
from tests.factories import PHOTO, make_event, make_table, organiser_of
from tests.watch import Watch
from tournament.actions.photos import attach_photo
from tournament.backups import files
from tournament.backups.second_copy import Copier, CopyState, Trouble, read_state
from tournament.models import Event, SheetPhoto
from tournament.simulation import at

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path) -> Path:
    """A data folder of this test's own."""
    settings.DATA_DIR = tmp_path / "data"
    settings.PHOTOS_DIR = settings.DATA_DIR / "photos"
    settings.DATA_DIR.mkdir()
    return settings.DATA_DIR


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    stick = tmp_path / "stick"
    stick.mkdir()
    return stick


@pytest.fixture
def copier(stick: Path) -> Copier:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has its own means")
    return Copier(Path(connection.settings_dict["NAME"]), stick)


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.name == "lodestar.second_copy"]


def break_stick(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """From now on half of the copy is written, then the stick refuses."""

    def refuse(_source: Path, target: Path) -> None:
        Path(target).write_bytes(b"half")
        raise OSError(number, "refused")

    monkeypatch.setattr(files.shutil, "copyfile", refuse)


def test_what_was_entered_is_in_the_copy_and_can_be_restored(
    copier: Copier, stick: Path, folder: Path, settings, monkeypatch
) -> None:
    monkeypatch.delenv("LODESTAR_SECRET_KEY", raising=False)
    table = make_table()
    (folder / "secret_key").write_text("the key")
    attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))
    copier.look()
    name = SheetPhoto.objects.get().image.name
    call_command("flush", interactive=False, verbosity=0)
    shutil.rmtree(folder)
    call_command("restore", str(stick), stdout=StringIO())
    assert Event.objects.get().name == table.round.event.name
    assert (settings.PHOTOS_DIR / name).read_bytes() == PHOTO.jpeg
    assert (folder / "secret_key").read_text() == "the key"


def test_only_what_is_new_is_copied_and_the_one_before_is_kept(copier: Copier, stick: Path) -> None:
    event = make_event()
    copier.look()
    first = (stick / "lodestar.sqlite3").stat()
    copier.look()
    again = (stick / "lodestar.sqlite3").stat()
    assert (again.st_ino, again.st_mtime_ns) == (first.st_ino, first.st_mtime_ns)
    Event.objects.filter(pk=event.pk).update(name="Later")
    copier.look()
    assert (stick / "lodestar-before.sqlite3").stat().st_ino == first.st_ino
    assert b"Later" in (stick / "lodestar.sqlite3").read_bytes()
    (stick / "lodestar.sqlite3").unlink()  # somebody tidied up
    copier.look()
    assert (stick / "lodestar.sqlite3").exists()


def test_a_stick_that_is_pulled_out_is_told_once_and_goes_on_when_it_is_back(
    copier: Copier, stick: Path, caplog: pytest.LogCaptureFixture, watch: Watch
) -> None:
    make_event()
    copier.look()
    away = stick.rename(stick.with_name("away"))
    for _ in range(3):
        copier.look()
    assert read_state().trouble == Trouble.GONE
    assert not stick.exists()
    assert [line.split(":")[0] for line in told(caplog)] == ["The second copy stands still"]
    (away / "lodestar.sqlite3").unlink()
    away.rename(stick)
    copier.look()
    assert told(caplog)[1:] == [f"The second copy goes on: {stick}"]
    assert (stick / "lodestar.sqlite3").exists()
    assert read_state().trouble == Trouble.NONE


@pytest.mark.parametrize(
    ("number", "trouble"),
    [(errno.ENOSPC, Trouble.FULL), (errno.EROFS, Trouble.LOCKED), (errno.EBUSY, Trouble.OTHER)],
)
def test_a_stick_that_takes_nothing_keeps_the_copy_it_has(
    copier: Copier, stick: Path, monkeypatch, caplog, number: int, trouble: Trouble
) -> None:
    event = make_event()
    copier.look()
    before = (stick / "lodestar.sqlite3").read_bytes()
    since = read_state().as_of
    Event.objects.filter(pk=event.pk).update(name="Later")
    break_stick(monkeypatch, number)
    copier.look()
    copier.look()
    assert (read_state().trouble, read_state().as_of) == (trouble, since)
    assert [path.name for path in stick.iterdir()] == ["lodestar.sqlite3"]
    assert (stick / "lodestar.sqlite3").read_bytes() == before
    assert len(told(caplog)) == 1
    monkeypatch.undo()
    copier.look()
    assert b"Later" in (stick / "lodestar.sqlite3").read_bytes()


def test_the_empty_mount_point_of_a_stick_is_not_the_stick(
    copier: Copier, stick: Path, monkeypatch
) -> None:
    is_mount = Path.is_mount
    monkeypatch.setattr(Path, "is_mount", lambda path: path == stick or is_mount(path))
    copier.look()
    monkeypatch.setattr(Path, "is_mount", is_mount)
    copier.look()
    assert read_state().trouble == Trouble.GONE


def test_what_a_laptop_left_there_that_fell_is_kept_by_the_next_one(
    copier: Copier, stick: Path, folder: Path
) -> None:
    """Somebody starts it there, in a hurry, before anything was restored."""
    make_event(name="Copa de Otoño")
    copier.look()
    call_command("flush", interactive=False, verbosity=0)
    (folder / "second_copy.json").unlink()  # another laptop's data folder
    again = Copier(Path(connection.settings_dict["NAME"]), stick)
    for name in ("One", "Two", "Three"):
        make_event(name=name)
        again.look()
    (kept,) = set(stick.glob("lodestar-2*.sqlite3"))
    call_command("restore", str(kept), replace=True, stdout=StringIO())
    assert Event.objects.get().name == "Copa de Otoño"


@pytest.fixture
def other(copier: Copier, stick: Path, folder: Path) -> Copier:
    """Of another laptop, with other rows."""
    make_event(name="Copa de Otoño")
    rows = folder / "other.sqlite3"
    with closing(sqlite3.connect(rows)) as file:
        file.execute("CREATE TABLE tournament_sheetphoto (image)")
    other = Copier(rows, stick)
    assert other._state.mark != copier._state.mark
    return other


def test_a_stick_that_comes_back_from_another_laptop_keeps_what_that_one_wrote(
    copier: Copier, other: Copier, stick: Path
) -> None:
    copier.look()
    stick.rename(stick.with_name("away"))
    copier.look()
    stick.with_name("away").rename(stick)
    other.look()
    theirs = (stick / "lodestar.sqlite3").read_bytes()
    for name in ("One", "Two"):
        Event.objects.update(name=name)
        copier.look()
    assert theirs in [path.read_bytes() for path in stick.glob("lodestar-2*.sqlite3")]
    assert b"Two" in (stick / "lodestar.sqlite3").read_bytes()


def test_of_two_servers_with_one_stick_the_first_gives_way_and_says_so(
    copier: Copier, other: Copier, stick: Path
) -> None:
    copier.look()
    ours = (stick / "lodestar.sqlite3").read_bytes()
    for _ in range(3):
        other.look()
        copier.look()
        assert read_state().trouble == Trouble.SHARED
    (kept,) = stick.glob("lodestar-2*.sqlite3")
    assert kept.read_bytes() == ours
    (stick / "lodestar.sqlite3").unlink()
    (stick / "lodestar-before.sqlite3").unlink(missing_ok=True)
    copier.look()  # the other one's stick is its own now
    assert read_state().trouble == Trouble.NONE


def test_a_copy_of_before_a_restart_is_told_as_it_was(copier: Copier, stick: Path) -> None:
    copier.look()
    stick.rename(stick.with_name("away"))
    copier.look()
    since = read_state().since
    again = Copier(Path(connection.settings_dict["NAME"]), stick)
    again.look()
    assert read_state().since == since


# --- The desk ---------------------------------------------------------------------------------


def desk_line(event: Event) -> str:
    client = Client()
    client.force_login(organiser_of(event))
    line = client.get(reverse("second_copy", args=[event.slug])).content.decode()
    page = client.get(reverse("event_desk", args=[event.slug])).content.decode()
    assert (line == "") == ("second-copy" not in page)
    return " ".join(line.split())


def state(**said: object) -> None:
    copier = Copier.__new__(Copier)
    copier._state = CopyState(**said)
    copier._write_state()


def test_the_desk_says_how_old_the_copy_is_where_one_is_kept(
    settings, stick: Path, watch: Watch
) -> None:
    event = make_event(time_zone="Europe/Madrid")
    now = watch.now.timestamp()
    settings.COPY_DIR = None
    assert desk_line(event) == ""
    settings.COPY_DIR = stick
    assert "Second copy: being made" in desk_line(event)
    state(as_of=now - 3)
    assert "Second copy: 3 s ago" in desk_line(event)
    for trouble, reason in (
        (Trouble.GONE, "The stick is not there"),
        (Trouble.FULL, "The stick is full"),
        (Trouble.LOCKED, "Nothing may be written on the stick"),
        (Trouble.SHARED, "Another server copies into the same folder"),
        (Trouble.OTHER, "The terminal in which the server runs says why"),
    ):
        state(as_of=now - 300, since=now - 200, trouble=trouble)
        line = desk_line(event)
        assert "has stood still since" in line
        assert reason in line
    state(as_of=now - 300)  # whoever copied is gone
    assert "has stood still since" in desk_line(event)


# --- Settings -----------------------------------------------------------------------------------


def test_with_postgresql_it_is_refused(monkeypatch) -> None:
    postgres = {"ENGINE": "django.db.backends.postgresql"}
    monkeypatch.setenv("LODESTAR_COPY_DIR", "")
    assert env.copy_folder("LODESTAR_COPY_DIR", postgres) is None
    monkeypatch.setenv("LODESTAR_COPY_DIR", "/media/stick")
    with pytest.raises(ImproperlyConfigured, match="LODESTAR_COPY_DIR is for the embedded"):
        env.copy_folder("LODESTAR_COPY_DIR", postgres)


def test_where_the_database_lies_no_copy_is_kept(monkeypatch, stick: Path) -> None:
    """Under none of its names: the copy would take the place of what is being copied."""
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": stick / "lodestar.sqlite3"}
    link = stick.with_name("link")
    link.symlink_to(stick)
    for one in (stick, link, stick / "x" / ".."):
        monkeypatch.setenv("LODESTAR_COPY_DIR", str(one))
        with pytest.raises(ImproperlyConfigured, match="is where the database lies"):
            env.copy_folder("LODESTAR_COPY_DIR", database)
    monkeypatch.setenv("LODESTAR_COPY_DIR", str(stick / "inside"))
    assert env.copy_folder("LODESTAR_COPY_DIR", database) == stick / "inside"


def test_a_folder_that_is_not_there_stops_the_start(settings, stick: Path) -> None:
    settings.COPY_DIR = stick / "no"
    with pytest.raises(CommandError, match="is the stick in"):
        call_command("serve")
