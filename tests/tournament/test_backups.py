"""A backup is whole, is checked before anything is replaced, and brings everything back."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.test import Client

from tests.factories import PHOTO, make_event, make_user
from tests.tournament.test_jobs import database_url
from tournament.actions.photos import attach_photo
from tournament.backups import archive, source, tables
from tournament.backups import restore as restoring
from tournament.backups.restore import restore
from tournament.models import Event, EventVersion, Scoresheet, SharedCache, SheetPhoto, User
from tournament.models.actors import Actor

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.django_db(transaction=True)

type Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path, monkeypatch) -> Path:
    """A data folder of this test's own, with a key in it."""
    monkeypatch.delenv("LODESTAR_SECRET_KEY", raising=False)
    settings.DATA_DIR = tmp_path / "data"
    settings.PHOTOS_DIR = settings.DATA_DIR / "photos"
    settings.DATA_DIR.mkdir()
    (settings.DATA_DIR / "secret_key").write_text("the key of the first laptop")
    return settings.DATA_DIR


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """Of the demonstration with a photo, by somebody who is signed in."""
    call_command("demo", stdout=StringIO())
    sheet = Scoresheet.objects.filter(status="confirmed").first()
    by = Actor.of_user(User.objects.get(email="organiser@example.org"))
    attach_photo(sheet=sheet, photo=PHOTO, by=by)
    Client().force_login(by.user)
    SharedCache.objects.create(cache_key="x", value="x", expires="2036-01-01T00:00Z")
    return written(tmp_path / "backup.zip")


_MADE_ONCE: list[bytes] = []


@pytest.fixture
def any_backup(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """For tests in which nothing of it arrives: made once for all. Another event is here."""
    if not _MADE_ONCE:
        _MADE_ONCE.append(request.getfixturevalue("backup").read_bytes())
        call_command("flush", interactive=False, verbosity=0)
    make_event()
    file = tmp_path / "any.zip"
    file.write_bytes(_MADE_ONCE[0])
    return file


def written(path: Path) -> Path:
    call_command("backup", str(path), stdout=StringIO())
    return path


def restored(path: Path, **options: bool) -> str:
    out = StringIO()
    call_command("restore", str(path), stdout=out, **options)
    return out.getvalue()


def all_rows() -> Rows:
    """As the database has them."""
    found = {}
    names = [one._meta.db_table for one in tables.tables() if one is not EventVersion]  # raised
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f'SELECT * FROM "{name}"')  # noqa: S608
            found[name] = sorted(cursor.fetchall(), key=repr)
    return found


def everything(folder: Path) -> tuple[Rows, list[tuple[str, bytes]]]:
    """All that a refused restore must leave alone."""
    kept = [path for path in folder.rglob("*") if path.is_file() and "sqlite3" not in path.name]
    return all_rows(), sorted((str(path), path.read_bytes()) for path in kept)


def repacked(path: Path, change: Callable[[Path], None]) -> Path:
    """The same backup with something else in it, and a table of contents that agrees."""
    inside = path.parent / "inside"
    manifest = archive.unpack(path, inside)
    change(inside / archive.DATABASE)
    members = {name: inside / name for name in manifest.members}
    changed = path.with_name("changed.zip")
    with changed.open("wb") as file:
        archive.pack(members, replace(manifest, members={}), file)
    return changed


def executed(statement: str) -> Callable[[Path], None]:
    def change(database: Path) -> None:
        with sqlite3.connect(database) as file:
            file.execute(statement)

    return change


# --- There and back -------------------------------------------------------------------------------


def test_everything_comes_back_as_it_was(backup: Path, folder: Path, settings) -> None:
    before = all_rows()
    versions = EventVersion.objects.get().parts
    photo = SheetPhoto.objects.get().image.name
    call_command("flush", interactive=False, verbosity=0)
    shutil.rmtree(settings.PHOTOS_DIR)
    (folder / "secret_key").write_text("the key of the second laptop")
    said = restored(backup)
    assert "Restored: 1 event: Clasificatorio Madrid 2026." in said
    assert all_rows() == before
    assert Session.objects.count() == 1
    assert (settings.PHOTOS_DIR / photo).read_bytes() == PHOTO.jpeg
    assert (folder / "secret_key").read_text() == "the key of the first laptop"
    assert not SharedCache.objects.exists()
    raised = EventVersion.objects.get().parts
    assert [part for part in versions if raised[part] <= versions[part]] == []
    assert sorted(path.name for path in folder.iterdir()) == ["backup.lock", "photos", "secret_key"]


def test_what_is_in_the_file_is_what_the_database_has(backup: Path, tmp_path: Path) -> None:
    """On PostgreSQL: it goes across to SQLite, and the test before shows that it comes back."""
    archive.unpack(backup, tmp_path / "inside")
    with tables.opened(tmp_path / "inside" / archive.DATABASE) as alias:
        assert connections[alias].vendor == "sqlite"
        for model in tables.tables():
            names = [field.attname for field in tables.columns(model)]
            rows = model._base_manager.order_by("pk").values_list(*names)
            assert list(rows.using(alias)) == list(rows), model


def test_numbers_that_were_given_out_are_not_given_out_again(backup: Path, tmp_path: Path) -> None:
    gone = make_user().pk
    User.objects.get(pk=gone).delete()
    later = written(tmp_path / "later.zip")
    call_command("flush", interactive=False, verbosity=0)
    restored(later)
    assert make_user().pk == gone + 1


def test_versions_go_on_rising_with_each_restore(backup: Path) -> None:
    seen = []
    for _ in range(3):
        restored(backup, replace=True)
        seen.append(EventVersion.objects.get().version)
    assert seen == sorted(set(seen))


def test_a_backup_of_nothing_is_one(tmp_path: Path) -> None:
    assert "Restored: nothing, as in the backup." in restored(written(tmp_path / "empty.zip"))


def test_what_a_killed_process_left_behind_goes_after_a_day(folder: Path, tmp_path: Path) -> None:
    old, fresh, other = (folder / name for name in (".lodestar-work-1", ".lodestar-work-2", "x"))
    for path in (old, fresh, other):
        path.mkdir()
    for path in (old, other):
        os.utime(path, (0, 0))
    written(tmp_path / "empty.zip")
    assert [path.exists() for path in (old, fresh, other)] == [False, True, True]


def test_the_file_is_for_its_owner_alone_and_replaces_none(backup: Path) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    before = backup.read_bytes()
    with pytest.raises(CommandError, match="is there already"):
        written(backup)
    with pytest.raises(CommandError, match="There is no folder"):
        written(backup.parent / "no" / "x.zip")
    assert backup.read_bytes() == before
    assert not list(backup.parent.glob("*.part"))


def test_a_key_of_the_environment_is_not_replaced(backup: Path, folder: Path, monkeypatch) -> None:
    (folder / "secret_key").write_text("another")
    monkeypatch.setenv("LODESTAR_SECRET_KEY", "given" * 10)
    assert "stays the one of LODESTAR_SECRET_KEY" in restored(backup, replace=True)
    assert (folder / "secret_key").read_text() == "another"


def test_a_lost_photo_does_not_cost_the_rest(backup: Path, tmp_path: Path, settings) -> None:
    shutil.rmtree(settings.PHOTOS_DIR)
    later = written(tmp_path / "later.zip")
    assert "Restored: 1 event" in restored(later, replace=True)


# --- Where something is ---------------------------------------------------------------------------


def test_what_is_here_is_named_and_kept_before_it_is_replaced(backup: Path, folder: Path) -> None:
    make_event(name="Copa de Otoño")
    with pytest.raises(CommandError, match=r"2 events: .*, Copa de Otoño\. .* add --replace"):
        restored(backup)
    assert Event.objects.count() == 2
    restored(backup, replace=True)
    assert Event.objects.get().slug == "clasificatorio-madrid-2026"
    (kept,) = (folder / "replaced").iterdir()
    restored(kept, replace=True)
    assert Event.objects.filter(name="Copa de Otoño").exists()


def test_a_login_alone_is_something_too(backup: Path) -> None:
    call_command("flush", interactive=False, verbosity=0)
    make_user()
    with pytest.raises(CommandError, match="no event, but 1 login"):
        restored(backup)


# --- What is no backup, or no longer --------------------------------------------------------------


def text(path: Path) -> Path:
    path.write_text("Players: Ana, Luis")
    return path


def another_zip(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("xl/workbook.xml", "<x/>")
    return path


def cut_off(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[:-2000])
    return path


def bit_turned(path: Path) -> Path:
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)
    return path


def other_contents(**said: Any) -> Callable[[Path], Path]:
    def change(path: Path) -> Path:
        with zipfile.ZipFile(path, "a") as packed:
            contents = json.loads(packed.read("manifest.json")) | said
            packed.writestr("manifest.json", json.dumps(contents))
        return path

    return change


def inside(statement: str) -> Callable[[Path], Path]:
    return lambda path: repacked(path, executed(statement))


def no_database(path: Path) -> Path:
    def change(database: Path) -> None:
        database.write_text("x" * 5000)

    return repacked(path, change)


EVIL = {"lodestar.sqlite3": {"size": 1, "sha256": ""}, "../x": {"size": 1, "sha256": ""}}
FUTURE = "INSERT INTO django_migrations (app, name, applied) VALUES ('tournament', '0099_x', '')"


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (text, "is no backup of Lodestar"),
        (another_zip, "is no backup of Lodestar"),
        (cut_off, "cut off or damaged"),
        (bit_turned, "damaged"),
        (other_contents(format="lodestar-backup/2"), r"another kind \(lodestar-backup/2\)"),
        (other_contents(rows=None, foreign=1), "its table of contents can't be read"),
        (other_contents(members=EVIL), "names what can't be in it"),
        (other_contents(members={}), "names what can't be in it"),
        (no_database, "the database in it is damaged"),
        (inside("DROP TABLE django_migrations"), "not one of Lodestar's"),
        (
            inside("DELETE FROM tournament_deal WHERE id = (SELECT min(id) FROM tournament_deal)"),
            "tournament_deal had [0-9]+ rows",
        ),
        (
            inside("UPDATE tournament_seat SET player_id = player_id + 99999"),
            "damaged: .*tournament_seat",
        ),
        (inside(FUTURE), "newer Lodestar .*tournament 0099_x.*update this one first"),
        (
            inside("ALTER TABLE tournament_lot ADD COLUMN x"),
            "tournament_lot is not the one of this",
        ),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_touched(
    any_backup: Path, folder: Path, spoil: Callable[[Path], Path], reason: str
) -> None:
    spoiled = spoil(any_backup)
    before = everything(folder)
    with pytest.raises(CommandError, match=rf"(?i){reason}.* Nothing was changed\."):
        restored(spoiled, replace=True)
    assert everything(folder) == before


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no"):
        restored(tmp_path / "nowhere")
    with pytest.raises(CommandError, match="no second copy and no data folder"):
        restored(tmp_path / "data")


def test_a_file_of_another_kind_names_its_command(any_backup: Path, tmp_path: Path) -> None:
    event_file = tmp_path / "event.zip"
    call_command("export_event", Event.objects.get().slug, str(event_file), stdout=StringIO())
    with pytest.raises(CommandError, match="import_event takes it"):
        restored(event_file, replace=True)
    with pytest.raises(CommandError, match="the command “restore”"):
        call_command("import_event", str(any_backup))


def test_a_backup_has_a_name_of_its_own_in_a_folder(tmp_path: Path) -> None:
    for name, reason in ((tmp_path, "is a folder"), (f"{tmp_path}/new/", "There is no folder")):
        with pytest.raises(CommandError, match=reason):
            call_command("backup", str(name))


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a database that is a file")
def test_what_is_here_is_not_put_in_its_own_place(tmp_path: Path, settings, monkeypatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "NAME", str(tmp_path / archive.DATABASE))
    (tmp_path / archive.DATABASE).touch()
    for here in (tmp_path, tmp_path / archive.DATABASE):
        with pytest.raises(CommandError, match="is what is here already"):
            restored(here, replace=True)


@pytest.mark.once
@pytest.mark.process
def test_a_new_folder_is_told_or_filled(any_backup: Path, tmp_path: Path) -> None:
    """By the commands as somebody runs them: the tables are made by none of the tests."""
    event_file = tmp_path / "event.zip"
    call_command("export_event", Event.objects.get().slug, str(event_file), stdout=StringIO())
    there = {"LODESTAR_DATA_DIR": str(tmp_path / "new"), "LODESTAR_DEBUG": "1"}
    for command, said in (
        (["check_event"], "Nothing is here yet"),
        (["backup", str(tmp_path / "x.zip")], "Nothing is here yet"),
        (["import_event", str(event_file)], "/desk/"),
    ):
        ran = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env={**os.environ, **there, "DATABASE_URL": ""},
            capture_output=True,
            text=True,
        )
        assert said in ran.stdout + ran.stderr, ran.stderr
        assert "Traceback" not in ran.stderr


def test_what_the_database_refuses_leaves_the_old_rows(backup: Path, monkeypatch) -> None:
    """Rows that no check of ours foresees: the transaction takes all of it back."""
    before = all_rows()
    copy_rows = tables.copy_rows

    def twice(source: str, target: str) -> None:
        copy_rows(source, target)
        if target == "default":
            copy_rows(source, target)

    monkeypatch.setattr(tables, "copy_rows", twice)
    with pytest.raises(CommandError, match="The database refuses it"):
        restored(backup, replace=True)
    assert all_rows() == before


def test_a_backup_of_an_older_lodestar_gets_the_tables_of_this_one(
    backup: Path, monkeypatch
) -> None:
    def make_older(database: Path) -> None:
        with tables.opened(database) as alias:
            call_command("migrate", "mfa", "zero", database=alias, verbosity=0)

    older = repacked(backup, make_older)
    unpack = archive.unpack

    def unpacked(path: Path, folder: Path) -> archive.Manifest:
        found = unpack(path, folder)
        rows = {name: count for name, count in found.rows.items() if not name.startswith("mfa")}
        return replace(found, rows=rows)

    monkeypatch.setattr(source.archive, "unpack", unpacked)
    before = all_rows()
    restored(older, replace=True)
    after = all_rows()
    assert after["tournament_deal"] == before["tournament_deal"]
    assert after["mfa_authenticator"] == []


# --- A data folder, a second copy -----------------------------------------------------------------


def test_the_folder_of_a_laptop_that_fell_is_restored_with_its_log(
    backup: Path, tmp_path: Path
) -> None:
    """What SQLite has not put into the file yet lies beside it."""
    fallen = tmp_path / "fallen"
    archive.unpack(backup, fallen)
    live = sqlite3.connect(fallen / "lodestar.sqlite3")
    live.execute("PRAGMA journal_mode=WAL")
    live.execute("UPDATE tournament_event SET name = 'In the log'")
    live.commit()
    left = tmp_path / "left"
    shutil.copytree(fallen, left)  # as if the power had gone
    live.close()
    assert (left / "lodestar.sqlite3-wal").exists()
    restored(left, replace=True)
    assert Event.objects.get().name == "In the log"


def test_a_copy_that_is_torn_gives_way_to_the_one_before(backup: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    archive.unpack(backup, stick)
    shutil.copy(stick / "lodestar.sqlite3", stick / "lodestar-before.sqlite3")
    newest = stick / "lodestar.sqlite3"
    newest.write_bytes(newest.read_bytes()[: newest.stat().st_size // 2])
    restored(stick, replace=True)
    assert Event.objects.count() == 1


# --- Killed in the middle -------------------------------------------------------------------------

# Restores, and kills itself where it is told: as `kill -9` at this very moment.
KILLED = """
import os, signal, sys
import django
django.setup()
from pathlib import Path
from django.conf import settings
from tournament.backups import restore
settings.DATA_DIR = Path(sys.argv[1])
settings.PHOTOS_DIR = settings.DATA_DIR / "photos"
die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
setattr(restore, sys.argv[3], die)
restore.restore(Path(sys.argv[2]), replace=True, say=print)
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("where", "changed"),
    [("_put_photos", False), ("_raise_versions", False), ("_put_key", True)],
)
def test_killed_in_the_middle_all_is_old_or_all_is_new(
    backup: Path, folder: Path, monkeypatch, where: str, changed: bool
) -> None:
    new = all_rows()
    make_event(name="Copa de Otoño")
    old = all_rows()
    monkeypatch.setenv("DATABASE_URL", database_url())
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.settings")
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(folder), str(backup), where],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    assert ended.returncode == -signal.SIGKILL
    assert all_rows() == (new if changed else old)
    restored(backup, replace=True)  # what was left behind is in nobody's way
    assert all_rows() == new


def test_the_versions_are_no_mix_with_what_workers_keep_in_memory(backup: Path) -> None:
    """A worker that goes on has pages of before, named by numbers that do not come again."""
    Client().get("/events/clasificatorio-madrid-2026/standings/")
    Event.objects.update(name="Changed behind its back")
    restore(backup, replace=True, say=lambda _line: None)
    page = Client().get("/events/clasificatorio-madrid-2026/standings/").content.decode()
    assert "Clasificatorio Madrid 2026" in page
    assert "behind its back" not in page


def test_two_backups_of_one_name_do_not_write_into_each_other(
    any_backup: Path, tmp_path: Path, monkeypatch
) -> None:
    """The second waits, and finds the name taken; what the first wrote is whole."""
    target, pack, begun = tmp_path / "once.zip", archive.pack, threading.Event()
    told: list[str] = []

    def slow(*args: Any) -> None:
        begun.set()
        time.sleep(0.5)
        pack(*args)

    def second() -> None:
        begun.wait(10)
        try:
            written(target)
        except CommandError as error:
            told.append(str(error))
        finally:
            connection.close()

    monkeypatch.setattr(archive, "pack", slow)
    thread = threading.Thread(target=second)
    thread.start()
    written(target)
    thread.join()
    assert told == [f"{target} is there already; give another name."]
    archive.unpack(target, tmp_path / "unpacked")


def test_who_saves_during_a_restore_waits_and_is_in_neither_half(
    backup: Path, folder: Path, monkeypatch
) -> None:
    """Between keeping what is here and replacing it nothing is saved that would be in neither."""
    keep, saved = restoring._keep_old, threading.Event()

    def save() -> None:
        Event.objects.update(name="Saved meanwhile")
        saved.set()
        connection.close()

    saving = threading.Thread(target=save)

    def kept() -> Path:
        saving.start()
        path = keep()
        assert not saved.wait(0.5)
        return path

    with monkeypatch.context() as patched:
        patched.setattr(restoring, "_keep_old", kept)
        restored(backup, replace=True)
    saving.join(20)
    assert Event.objects.get().name == "Saved meanwhile"
    (old,) = (folder / "replaced").glob("*.zip")
    restored(old, replace=True)
    assert Event.objects.get().name == "Clasificatorio Madrid 2026"


def test_a_database_that_cannot_be_read_is_told(any_backup: Path, tmp_path: Path, monkeypatch):
    def full(*_args: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(tables, "snapshot", full)
    monkeypatch.setattr(tables, "make_tables", full)
    with pytest.raises(CommandError, match="can't be read: database or disk is full"):
        written(tmp_path / "new.zip")
    with pytest.raises(CommandError, match=r"disk is full. Nothing was changed\."):
        restored(any_backup, replace=True)
    assert not list(tmp_path.glob("new.zip*"))


# --- What somebody else has made ------------------------------------------------------------------


def bomb(path: Path) -> Path:
    """Says that it is small, and unpacks to 300 MB."""
    manifest = json.loads(zipfile.ZipFile(path).read("manifest.json"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("manifest.json", json.dumps(manifest))
        packed.writestr("lodestar.sqlite3", bytes(300_000_000))
    return path


def without_room(path: Path) -> Path:
    return other_contents(members={"lodestar.sqlite3": {"size": 10**18, "sha256": ""}})(path)


def deep(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("manifest.json", "[" * 100_000)
    return path


def with_a_password(path: Path) -> Path:
    """As other programs make it: each entry is marked as locked."""
    data = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        found = data.find(mark)
        while found >= 0:
            data[found + at] |= 1
            found = data.find(mark, found + 1)
    path.write_bytes(data)
    return path


PHOTO_ROWS = "UPDATE tournament_sheetphoto SET image = '{}'"


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (bomb, "is not what was written"),
        (without_room, "not so much room"),
        (deep, "is no backup of Lodestar"),
        (with_a_password, "cut off or damaged"),
        (other_contents(rows=[1]), "can't be read"),
        (other_contents(members={"lodestar.sqlite3": {"size": "x", "sha256": 1}}), "can't be read"),
        (inside(PHOTO_ROWS.format("../../../stolen.jpg")), "names a photo as none is named"),
        (inside(PHOTO_ROWS.format("/etc/passwd")), "names a photo as none is named"),
        (inside(PHOTO_ROWS.format("1/../../secret_key")), "names a photo as none is named"),
    ],
)
def test_what_was_made_to_do_harm_does_none(
    any_backup: Path, folder: Path, spoil: Callable[[Path], Path], reason: str
) -> None:
    spoiled = spoil(any_backup)
    before = everything(folder)
    with pytest.raises(CommandError, match=rf"(?i){reason}.* Nothing was changed\."):
        restored(spoiled, replace=True)
    assert everything(folder) == before


def test_a_crafted_stick_writes_nothing_outside(any_backup: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    archive.unpack(any_backup, stick)
    (tmp_path / "planted.py").write_text("print('here')")
    executed(PHOTO_ROWS.format("../../planted.py"))(stick / "lodestar.sqlite3")
    with pytest.raises(CommandError, match="names a photo as none is named"):
        restored(stick, replace=True)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_bit_is_turned_it_is_told(any_backup: Path, tmp_path: Path, seed: int) -> None:
    """Never a traceback, and never something else than was written."""
    data, chance = any_backup.read_bytes(), Random(seed)
    broken = tmp_path / "broken.zip"
    for _ in range(40):
        turned = bytearray(data)
        # The ends of a ZIP say where and what; the middle is compressed rows.
        at = chance.choice([chance.randrange(len(data)), -1 - chance.randrange(600)])
        turned[at] ^= 1 << chance.randrange(8)
        broken.write_bytes(turned)
        with suppress(archive.BadBackup):
            archive.unpack(broken, tmp_path / "out")
