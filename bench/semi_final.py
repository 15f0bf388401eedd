"""What the line into the semi-final costs at 20, 200 and 2,000 players, on a throw-away SQLite file
or the database of DATABASE_URL: `python bench/semi_final.py`.

Printed: queries and the median of milliseconds of the line as it is now (who is in, who is level,
how many seats are free), which the desk, the tickets and each decline ask for.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
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
from django.db import connection  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from bench.places import median_ms  # noqa: E402
from tournament.actions import cuts  # noqa: E402
from tournament.models import Cut, Event  # noqa: E402
from tournament.queries.cuts import line_of  # noqa: E402
from tournament.simulation import (  # noqa: E402
    COMMAND,
    SimulationPlan,
    enter_players,
    play_round,
    simulated_event,
)


def cut_of(players: int) -> Cut:
    """One round is played; eighteen come into the semi-final."""
    rng = random.Random(players)
    event = simulated_event(SimulationPlan(players=players, rounds=1))
    Event.objects.filter(pk=event.pk).update(semi_seats=18)
    event.refresh_from_db()
    enter_players(event, players, rng)
    play_round(event, rng)
    event.refresh_from_db()
    cut = cuts.make_cut(event=event, by=COMMAND)
    return Cut.objects.select_related("event").get(pk=cut.pk)


def main() -> None:
    call_command("migrate", verbosity=0)
    for players in (20, 200, 2000):
        cut = cut_of(players)
        call = partial(line_of, cut)
        with CaptureQueriesContext(connection) as queries:
            call()
        print(f"{players:7d}  {len(queries):3d} queries  {median_ms(call):7.1f} ms")


if __name__ == "__main__":
    main()
