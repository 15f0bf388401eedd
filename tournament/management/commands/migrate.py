"""Django's `migrate`, one at a time: servers that start together wait for the first one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from config.env import keep_private

KEY = 7_130_227  # names the lock in PostgreSQL


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with alone(options["database"]):
            super().handle(*args, **options)


@contextmanager
def alone(alias: str) -> Iterator[None]:
    """Wait until nobody else migrates this database. A process that ends, however it ends, gives
    the lock back."""
    connection = connections[alias]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [KEY])
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [KEY])
        return
    name = Path(str(connection.settings_dict["NAME"]))
    if not name.is_absolute():  # in memory: nobody else's
        yield
        return
    import fcntl

    keep_private(name)  # empty as yet
    with name.with_name(f"{name.name}.migrate").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
