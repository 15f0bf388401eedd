"""Which statements of the main pages read a whole table, at 2,000 players beside small events:
`python bench/plans.py [--players 2000]`, on the database of DATABASE_URL or a throw-away SQLite.

Printed once for each statement: the page, the tables that are read to the end although they hold
more than `LARGE` rows, and the statement.
"""

from __future__ import annotations

import argparse
import re

from django.apps import apps
from django.core.cache import caches
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench.pages import addresses, event_of  # sets Django up
from tournament.models import Event, User
from tournament.queries import kept
from tournament.web.live import pages

LARGE = 1000
SCANNED = {"sqlite": r"SCAN (\w+)", "postgresql": r"Seq Scan on (\w+)"}
EXPLAIN = {"sqlite": "EXPLAIN QUERY PLAN ", "postgresql": "EXPLAIN "}


def small_tables() -> set[str]:
    """The tables of models that hold at most `LARGE` rows."""
    return {m._meta.db_table for m in apps.get_models() if m._default_manager.count() <= LARGE}


def scanned(statement: str, small: set[str]) -> list[str]:
    """The tables that it reads to the end, as the statement calls them; small ones left out."""
    with connection.cursor() as cursor:
        cursor.execute(EXPLAIN[connection.vendor] + statement)
        plan = "\n".join(" ".join(map(str, row)) for row in cursor.fetchall())
    names = {alias: table for table, alias in re.findall(r'"(\w+)" "?([TU]\d+)', statement)}
    found = re.findall(SCANNED[connection.vendor], plan)
    return sorted({names.get(name, name) for name in found} - small)


def print_plans(client: Client, event: Event) -> None:
    small, seen = small_tables(), set[str]()
    for name, address in addresses(event).items():
        caches["local"].clear()
        kept.forget()
        pages.forget()
        with CaptureQueriesContext(connection) as asked:
            client.get(address)
        for query in asked.captured_queries:
            statement = query["sql"]
            shape = re.sub(r"\d+|'[^']*'", "?", statement)
            if not statement.startswith("SELECT") or shape in seen:
                continue
            seen.add(shape)
            if found := scanned(statement, small):
                print(f"{name}: {', '.join(found)}\n    {statement[:700]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2000)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    organiser = User.objects.create_user("plans@example.org", "x")
    for players in (24, 60):
        event_of(players, organiser)
    event = event_of(options.players, organiser)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        if connection.vendor == "postgresql":  # it reads most of a table at once, and is right to
            cursor.execute("SET enable_seqscan = off")
    client = Client()
    client.force_login(organiser)
    print_plans(client, event)


if __name__ == "__main__":
    main()
