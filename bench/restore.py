"""How long a backup and a restore take at a large event, and what a second copy costs its saves.

    python -m bench.restore [--players 2000] [--rounds 6] [--photos 300]

On the database of DATABASE_URL, which has to be empty, or on a throw-away SQLite file.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(tempfile.mkdtemp(prefix="lodestar-restore-"))
DATA, STICK = FOLDER / "data", FOLDER / "stick"
os.environ.setdefault("DATABASE_URL", f"sqlite:///{DATA}/lodestar.sqlite3")
os.environ["LODESTAR_DATA_DIR"] = str(DATA)
os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
PHOTO_BYTES = 300_000
SAVES = 300

import django  # noqa: E402

django.setup()

from django.core.files.base import ContentFile  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from PIL import Image  # noqa: E402

from tournament.backups import tables  # noqa: E402
from tournament.backups.backup import size_of, write_backup  # noqa: E402
from tournament.backups.restore import restore  # noqa: E402
from tournament.backups.second_copy import Copier  # noqa: E402
from tournament.models import Event, LogEntry, Scoresheet, SheetPhoto  # noqa: E402
from tournament.queries.check_event import first_difference  # noqa: E402
from tournament.simulation import COMMAND, SimulationPlan, simulate  # noqa: E402


def play(players: int, rounds: int, photos: int) -> None:
    """The event, through the actions of its pages; photos as large as a phone's are kept."""
    call_command("migrate", verbosity=0)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=OFF")  # of this preparation alone
    simulate(SimulationPlan(players=players, rounds=rounds))
    dot = io.BytesIO()
    Image.new("RGB", (1, 1)).save(dot, "JPEG")
    for sheet in Scoresheet.objects.order_by("pk")[:photos]:
        content = dot.getvalue() + os.urandom(PHOTO_BYTES) + b"\xff\xd9"
        image = ContentFile(content, name="photo.jpg")
        SheetPhoto.objects.create(sheet=sheet, image=image, created_by="x")
    connection.close()


@contextmanager
def timed(what: str) -> Iterator[None]:
    begun = time.perf_counter()
    yield
    say(what, f"{time.perf_counter() - begun:.2f} s")


def say(what: str, figure: str) -> None:
    print(f"{what:<52}{figure:>18}", flush=True)


def there_and_back() -> None:
    file = FOLDER / "backup.zip"
    with timed("backup"):
        manifest = write_backup(file)
    say("  its rows, its size", f"{sum(manifest.rows.values())}, {size_of(file)}")
    call_command("flush", interactive=False, verbosity=0)
    shutil.rmtree(DATA / "photos")
    with timed("restore where nothing is"):
        restore(file, replace=False, say=lambda _line: None)
    with timed("restore in place of it, which is kept first"):
        restore(file, replace=True, say=lambda _line: None)
    with timed("checking it"):
        difference = first_difference(Event.objects.get())
    say("  found", difference or "all right")


def second_copy() -> None:
    """Of one file: SQLite alone."""
    STICK.mkdir()
    database = Path(connection.settings_dict["NAME"])
    copier = Copier(database, STICK)
    with timed("the first copy, with all photos"):
        copier.look()
    say("  the database alone", size_of(database))
    begun = time.perf_counter()
    for number in range(10):
        tables.snapshot(database, FOLDER / str(number))
    say("  taking it from the database", f"{(time.perf_counter() - begun) * 100:.0f} ms")
    say(f"{SAVES} saves, median and slowest of 100, without", measured_saves())
    stop = threading.Event()
    costs: list[float] = []

    def copy() -> None:
        while not stop.wait(1):
            copier.look()
            costs.append(copier.cost)

    # A connection of SQLite stays in its thread.
    copier = Copier(database, STICK)
    thread = threading.Thread(target=copy)
    thread.start()
    say("  the same while a copy is kept", measured_saves())
    stop.set()
    thread.join()
    say("each copy, every second", f"{statistics.median(costs) * 1000:.0f} ms")


def measured_saves() -> str:
    """Each an action's transaction: an entry of the log, and the event's version."""
    event = LogEntry.objects.select_related("event").earliest("pk").event
    took = []
    for _ in range(SAVES):
        begun = time.perf_counter()
        LogEntry.objects.record("deal.entered", event=event, by=COMMAND)
        took.append((time.perf_counter() - begun) * 1000)
        time.sleep(0.02)
    took.sort()
    return f"{statistics.median(took):.1f}, {took[-SAVES // 100]:.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--photos", type=int, default=300)
    asked = parser.parse_args()
    try:
        with timed(f"playing {asked.players} players, {asked.rounds} rounds"):
            play(asked.players, asked.rounds, asked.photos)
        there_and_back()
        if connection.vendor == "sqlite":
            second_copy()
    finally:
        connection.close()
        shutil.rmtree(FOLDER)


if __name__ == "__main__":
    main()
