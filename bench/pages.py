"""Queries and milliseconds of every main page at 20, 200 and 2,000 players, on the database of
DATABASE_URL or a throw-away SQLite file: `python bench/pages.py [--players 20,200,2000]`.

Printed: per page the number of queries and the median of server milliseconds (Django's test
client: middleware, view, template) in a worker that has just begun beside others, and where nothing
was computed before, both also as times an empty view; what computing the standings from the facts
costs; the rate of the cached standings against an empty Django view; a dealer's save.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
FOLDER = tempfile.mkdtemp(prefix="lodestar-bench-")
os.environ.setdefault("DATABASE_URL", f"sqlite:///{FOLDER}/bench.sqlite3")
os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"

import django  # noqa: E402

django.setup()

from django.core.cache import caches  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402

from tournament import rulebook  # noqa: E402
from tournament.actions import draws, rounds, scoresheets  # noqa: E402
from tournament.models import Event, StaffMember, User  # noqa: E402
from tournament.models.actors import Actor  # noqa: E402
from tournament.queries import kept  # noqa: E402
from tournament.queries.scoresheets import missing_deals  # noqa: E402
from tournament.queries.standings import compute_standings  # noqa: E402
from tournament.simulation import (  # noqa: E402
    SimulationPlan,
    a_deal,
    at,
    enter_players,
    play_round,
    simulated_event,
    tables_of,
)
from tournament.web.live import pages  # noqa: E402

ROUNDS = 5
COMMAND = Actor.command("bench")


def median_ms(call: Callable[[], object], times: int = 7) -> float:
    spent = []
    for _ in range(times):
        begun = time.perf_counter()
        call()
        spent.append((time.perf_counter() - begun) * 1000)
    return statistics.median(spent)


def event_of(players: int, organiser: User, played: int = ROUNDS) -> Event:
    """Five rounds of three deals confirmed, a sixth published and open; one more is planned."""
    rng = random.Random(players)
    event = simulated_event(SimulationPlan(players=players, rounds=played + 2))
    StaffMember.objects.create(event=event, user=organiser, duty="organiser")
    enter_players(event, players, rng)
    for _ in range(played):
        play_round(event, rng)
    round_ = draws.draw_round(event=event, by=COMMAND, seed=1)
    rounds.publish_round(round_=round_, by=COMMAND)
    event.refresh_from_db()
    return event


# Without a login, as nearly everybody comes to them.
FOR_ANYBODY = {
    "home",
    "event",
    "rules",
    "seats",
    "find a seat",
    "standings",
    "standings, page 2",
    "why this rank",
    "pictures",
    "pulse",
    "ticket",
    "dealer's table",
    "dealer's deal",
}


def addresses(event: Event) -> dict[str, str]:
    slug = event.slug
    round_ = event.rounds.latest("pk")
    table = tables_of(round_)[0]
    player = event.players.get(number=1)
    return {
        "home": reverse("home"),
        "event": reverse("event", args=[slug]),
        "rules": reverse("rules", args=[slug]),
        "seats": reverse("seats", args=[slug]),
        "find a seat": reverse("seats", args=[slug]) + "?q=ana",
        "standings": reverse("standings", args=[slug]),
        "standings, page 2": reverse("standings", args=[slug]) + "?page=2",
        "why this rank": reverse("standing", args=[slug, 1]),
        "pictures": reverse("pictures", args=[slug]),
        "pulse": reverse("pulse", args=[slug]),
        "ticket": reverse("ticket", args=[player.token]),
        "dealer's table": reverse("table_link:sheet", args=[table.token]),
        "dealer's deal": reverse("table_link:deal", args=[table.token, 1]),
        "desk": reverse("event_desk", args=[slug]),
        "players": reverse("players", args=[slug]),
        "door": reverse("door", args=[slug]),
        "clock": reverse("clock", args=[slug]),
        "all standings": reverse("desk_standings", args=[slug]),
        "round": reverse("round", args=[slug, round_.pk]),
        "notebook": reverse("notebook", args=[slug]),
        "penalty": reverse("penalty", args=[slug, 1]),
        "log": reverse("log", args=[slug]),
    }


def forget(*, shared: bool = False) -> None:
    """What this process keeps, as after a restart; with `shared` also what all workers share, as
    before the very first visitor."""
    caches["local"].clear()
    pages.forget()
    kept.forget()
    if shared:
        caches["shared"].clear()


def measure_page(client: Client, address: str) -> tuple[int, float, float]:
    """Queries and milliseconds of a worker that has just begun, beside others; milliseconds where
    nothing was ever computed."""

    def visit(*, shared: bool) -> None:
        forget(shared=shared)
        answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)

    first = median_ms(lambda: visit(shared=True), 3)
    spent = median_ms(lambda: visit(shared=False), 5)
    forget()
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured), spent, first


def saves(event: Event) -> float:
    """Median milliseconds of a dealer's save, over the first tables of the open round."""
    rng = random.Random(7)
    round_ = event.rounds.latest("pk")
    spent = []
    for table in tables_of(round_)[:3] * 3:
        missing = missing_deals(table.sheet, round_)
        if not missing:
            continue
        table.sheet.refresh_from_db()
        entry = a_deal(rulebook.tournament_rules(event).row(table.seats.count()), rng)
        by = at(table, 1)
        begun = time.perf_counter()
        scoresheets.save_deal(
            sheet=table.sheet, number=missing[0], entry=entry, version=table.sheet.version, by=by
        )
        spent.append((time.perf_counter() - begun) * 1000)
    return statistics.median(spent)


def rates(calls: dict[str, Callable[[], object]], windows: int = 12) -> dict[str, list[float]]:
    """Requests a second of each call in short windows by turns, so that what else the machine
    does falls on all of them alike."""
    found: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(windows):
        for name, call in calls.items():
            call()
            done, begun = 0, time.perf_counter()
            while time.perf_counter() - begun < 0.25:
                call()
                done += 1
            found[name].append(done / (time.perf_counter() - begun))
    return found


def print_rates(event: Event) -> None:
    """The cached standings and the pulse against an empty view, all through the whole middleware;
    of the lane before it tells `crowd.py`."""
    page = reverse("standings", args=[event.slug])
    anybody = Client()
    packed = {"Accept-Encoding": "gzip"}
    pulse = reverse("pulse", args=[event.slug])
    found = rates(
        {
            "empty view": lambda: anybody.get("/empty/", headers=packed),
            "standings from cache": lambda: anybody.get(page, headers=packed),
            "pulse, learnt anew": lambda: anybody.get(pulse),
        }
    )
    empty = found["empty view"]
    for name, values in found.items():
        share = statistics.median(one / base for one, base in zip(values, empty, strict=True))
        print(f"{name}: {statistics.median(values):.0f}/s = {share:.0%} of the empty view")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", default="20,200,2000")
    sizes = [int(size) for size in parser.parse_args().players.split(",")]
    call_command("migrate", verbosity=0)
    organiser = User.objects.create_user("bench@example.org", "x", name="Bench")
    staff, anybody = Client(), Client()
    staff.force_login(organiser)
    events = {}
    for size in sizes:
        begun = time.perf_counter()
        events[size] = event_of(size, organiser)
        print(f"built {size} players, {ROUNDS} rounds in {time.perf_counter() - begun:.1f} s")
    empty = median_ms(lambda: anybody.get("/empty/"), 200)
    print(f"\n{connection.vendor}; queries / ms (times an empty view; nothing computed before)")
    print(f"{'page':24}" + "".join(f"{size:>30}" for size in sizes))
    names = list(addresses(events[sizes[0]]))
    for name in names:
        client = anybody if name in FOR_ANYBODY else staff
        row = [measure_page(client, addresses(events[size])[name]) for size in sizes]
        cells = (
            f"{queries:>6} /{ms:>7.1f} ({ms / empty:>4.0f};{first / empty:>5.0f})"
            for queries, ms, first in row
        )
        print(f"{name:24}" + "".join(cells))
    for size, event in events.items():
        ms = median_ms(partial(compute_standings, event))
        print(f"standings computed from the facts, {size} players: {ms:.0f} ms")
    costs = ", ".join(f"{size}: {saves(events[size]):.1f} ms" for size in sizes)
    print(f"a dealer's save: {costs}")
    print_rates(events[sizes[-1]])


if __name__ == "__main__":
    main()
