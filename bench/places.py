"""What passing a place down the order costs at 20, 200 and 2,000 players, on the database of
DATABASE_URL or a throw-away SQLite file: `python bench/places.py [--players 20,200,2000]`.

Printed: the number of queries and the median of milliseconds of the computation (who has a place,
who was passed over, who is next), with the standings at hand as after any look at them; of the same
where half of all are passed over; and of a whole pass from one person to the next.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
FOLDER = tempfile.mkdtemp(prefix="lodestar-bench-")
os.environ.setdefault("DATABASE_URL", f"sqlite:///{FOLDER}/bench.sqlite3")
os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

from tournament.actions import events, places  # noqa: E402
from tournament.models import PlacePromise, PlaceSkip  # noqa: E402
from tournament.models.actors import Actor  # noqa: E402
from tournament.models.players import PlayerStatus  # noqa: E402
from tournament.queries.place_courses import course_of  # noqa: E402
from tournament.simulation import SimulationPlan, simulate  # noqa: E402

COMMAND = Actor.command("bench")


def median_ms(call: Callable[[], object], times: int = 9) -> float:
    spent = []
    for _ in range(times):
        begun = time.perf_counter()
        call()
        spent.append((time.perf_counter() - begun) * 1000)
    return statistics.median(spent)


def offered(players: int) -> PlacePromise:
    """A finished event with 8 places, all offered."""
    start = timezone.now() + timedelta(days=60)
    settings = {
        "name": f"Final after {players}",
        "time_zone": "UTC",
        "starts_at": start,
        "registration_closes_at": start,
    }
    target = events.create_event(settings=settings, by=COMMAND)
    target = events.publish_event(event=target, by=COMMAND)
    event = simulate(SimulationPlan(players=players, rounds=2))
    entry = places.PromiseEntry(target=target, number=8, due_days=7)
    promise = places.promise_places(event=event, entry=entry, by=COMMAND)
    places.offer_places(event=event, by=COMMAND)
    return fresh(promise)


def fresh(promise: PlacePromise) -> PlacePromise:
    return PlacePromise.objects.select_related("event", "target").get(pk=promise.pk)


def skip_half(promise: PlacePromise) -> None:
    """The better half is gone, but for those who have a place; one place is free."""
    taken = promise.places.values("player_id")
    here = promise.event.players.filter(status=PlayerStatus.CHECKED_IN).exclude(pk__in=taken)
    half = list(here)[: here.count() // 2]
    PlaceSkip.objects.bulk_create(
        PlaceSkip(promise=promise, player=one, why="gone") for one in half
    )


def pass_one(promise: PlacePromise) -> None:
    last = promise.places.unended().order_by("pk").last()
    if last is not None:
        places.decline_place(place=last, by=COMMAND)


def report(players: int) -> None:
    promise = offered(players)
    now = timezone.now() + timedelta(days=8)  # all have expired, so each looks for the next

    def look() -> object:
        return course_of(promise, now)

    look()
    with CaptureQueriesContext(connection) as queries:
        look()
    plain = median_ms(look)
    passing = median_ms(lambda: pass_one(promise), 5)
    skip_half(promise)
    halved = median_ms(look)
    print(f"{players:>7} {len(queries):>8} {plain:>10.1f} {halved:>12.1f} {passing:>14.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", default="20,200,2000")
    call_command("migrate", verbosity=0)
    print(
        f"{'players':>7} {'queries':>8} {'course ms':>10} {'half gone ms':>12} {'one pass ms':>14}"
    )
    for players in map(int, parser.parse_args().players.split(",")):
        report(players)


if __name__ == "__main__":
    main()
