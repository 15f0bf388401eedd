"""A season of 200 events and 5,000 persons, on the database of DATABASE_URL or a throw-away SQLite
file: `python bench/series.py [--events 200] [--persons 5000] [--field 40]`.

Printed: what the standings cost from frozen results, by each rule; the page made for the first
time in a version, made by a worker that finds them computed, served again, and to a browser that
has it; each also as times an empty view. And how many queries each takes.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
FOLDER = tempfile.mkdtemp(prefix="lodestar-bench-")
os.environ.setdefault("DATABASE_URL", f"sqlite:///{FOLDER}/bench.sqlite3")
os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.db.models import F  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from tournament.models import (  # noqa: E402
    Event,
    EventVersion,
    Freeze,
    Person,
    PersonLink,
    Player,
    Result,
    Series,
    SeriesEvent,
    SeriesTable,
)
from tournament.queries.seasons import Board, SeasonFacts, compute_board  # noqa: E402
from tournament.queries.series import public_tree  # noqa: E402
from tournament.web.live import pages  # noqa: E402

BANDS = [[1, 1, 25], [2, 2, 18], [3, 3, 15], [4, 6, 10], [7, 12, 5]]
RULES: dict[str, dict[str, object]] = {
    "places": {"bands": BANDS},
    "sum": {},
    "best-n": {"best": 5, "of": "mers"},
    "count-wins": {},
    "mers": {},
}


def median_ms(
    call: Callable[[], object], times: int = 7, before: Callable[[], object] = int
) -> float:
    spent = []
    for _ in range(times):
        before()
        begun = time.perf_counter()
        call()
        spent.append((time.perf_counter() - begun) * 1000)
    return statistics.median(spent)


@transaction.atomic
def a_season(events: int, persons: int, field: int) -> Series:
    """Events with their results as they are frozen; all entries are joined to persons."""
    rng = random.Random(1)
    series = Series.objects.create(
        slug="season",
        name="Season",
        starts_on=date(2026, 1, 1),
        ends_on=date(2026, 12, 31),
        public=True,
    )
    people = Person.objects.bulk_create(
        [Person(name=f"Person Number{n}", public=n % 2 == 0) for n in range(persons)]
    )
    # Each at least once, as far as there are seats.
    waiting = list(people)
    rng.shuffle(waiting)
    for number in range(events):
        event = _event(number)
        group = [waiting.pop() for _ in range(min(len(waiting), field))]
        if len(group) < field:
            group += rng.sample(
                [one for one in people if one not in set(group)], field - len(group)
            )
        _result(event, group, rng)
        SeriesEvent.objects.create(
            series=series,
            event=event,
            weight=rng.choice((100, 100, 150, 200)),
            asked_by="series",
            accepted_at=timezone.now(),
        )
    for position, (rule, parameters) in enumerate(RULES.items(), 1):
        SeriesTable.objects.create(
            series=series, position=position, name=rule, rule=rule, parameters=parameters
        )
    return series


def _event(number: int) -> Event:
    start = datetime(2026, 1, 1, 10, tzinfo=UTC) + timedelta(days=number)
    event = Event.objects.create(
        slug=f"event-{number}",
        name=f"Event number {number}",
        time_zone="Europe/Madrid",
        starts_at=start,
        registration_closes_at=start,
        status="finished",
        venue="A shop",
    )
    EventVersion.objects.create(event=event)
    return event


def _result(event: Event, group: list[Person], rng: random.Random) -> None:
    players = Player.objects.bulk_create(
        [Player(event=event, number=n, name=one.name) for n, one in enumerate(group, 1)]
    )
    PersonLink.objects.bulk_create(
        [PersonLink(person=one, player=player) for one, player in zip(group, players, strict=True)]
    )
    freeze = Freeze.objects.create(event=event, version=1, field=len(group))
    Result.objects.bulk_create(
        [
            Result(
                freeze=freeze,
                player=player,
                number=player.number,
                name=player.name,
                rank=rank,
                shared=False,
                points=rng.randrange(20, 90),
                stars=0,
                reached="preliminary",
                won=rank == 1,
            )
            for rank, player in enumerate(players, 1)
        ]
    )


def additions() -> int:
    found = 0
    for number in range(1_000_000):
        found += number
    return found


def changes() -> None:
    """Something in the season."""
    Series.objects.update(version=F("version") + 1)


def queries_of(call: Callable[[], object], before: Callable[[], object] = int) -> int:
    before()
    with CaptureQueriesContext(connection) as queries:
        call()
    return len(queries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=200)
    parser.add_argument("--persons", type=int, default=5000)
    parser.add_argument("--field", type=int, default=40)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    series = a_season(options.events, options.persons, options.field)
    print(
        f"{options.events} events, {options.persons} persons, "
        f"{Result.objects.count()} results, {connection.vendor}"
    )
    client = Client()
    for address in (reverse("series_list"), reverse("series", args=[series.slug])):
        client.get(address)  # loads what a server has loaded
    gc.collect()
    gc.freeze()  # as the server does
    empty = median_ms(lambda: client.get("/empty/"), 30)
    print(f"\nempty view {empty:29.2f} ms")
    # What this machine does just now: one that is busy with other things takes several times that.
    print(f"a million additions {median_ms(additions):20.2f} ms")
    _boards(series, empty)
    _pages(series, client, empty)


def _said(name: str, spent: float, empty: float, queries: int) -> None:
    print(f"{name:32}{spent:8.1f} ms  {spent / empty:7.1f} ×  {queries:3d} queries")


def _boards(series: Series, empty: float) -> None:
    print("\nstandings from frozen results, by rule; of one that rests on the same facts")
    for table in series.tables.all():
        anew = partial(_anew, series, table)
        _said(table.name, median_ms(anew), empty, queries_of(anew))
        facts = SeasonFacts(series)
        compute_board(table, facts)
        again = partial(compute_board, table, facts)
        _said("  facts known", median_ms(again), empty, queries_of(again))
    print(f"rows: {len(_anew(series, table).rows)}; series known: {len(public_tree().every)}")


def _anew(series: Series, table: SeriesTable) -> Board:
    return compute_board(table, SeasonFacts(series))


def _pages(series: Series, client: Client, empty: float) -> None:
    table = series.tables.get(rule="mers")
    for name, address in (
        ("the series", reverse("series", args=[series.slug])),
        ("standings", reverse("series_standings", args=[series.slug, table.pk])),
        (
            "standings, page 20",
            reverse("series_standings", args=[series.slug, table.pk]) + "?page=20",
        ),
    ):
        _page(name, address, client, empty)


def _page(name: str, address: str, client: Client, empty: float) -> None:
    """Something changes before each look: the worker beside has counted it already, or nobody."""

    def look() -> None:
        client.get(address)

    print(f"\n{name}")
    _said("first in a version", median_ms(look, 7, changes), empty, queries_of(look, changes))
    _said(
        "standings known", median_ms(look, 7, pages.forget), empty, queries_of(look, pages.forget)
    )

    def again() -> None:
        client.get(address)

    _said("served again", median_ms(again, 30), empty, queries_of(again))
    tag = client.get(address)["ETag"]

    def known() -> None:
        client.get(address, headers={"If-None-Match": tag})

    _said("not changed (304)", median_ms(known, 30), empty, queries_of(known))
    body = client.get(address, headers={"Accept-Encoding": "gzip"}).content
    print(f"packed: {len(body) / 1024:.0f} kB")


if __name__ == "__main__":
    main()
