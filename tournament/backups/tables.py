"""All rows of a database, read from one and written into another of either kind.

What is kept is an SQLite file with our own tables, whichever database is in use: anybody can read
it, it can be checked and migrated before a single row of the old data is touched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import batched
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

from tournament.models import CacheTable, Counts, Event, SharedCache

BATCH = 500
type Model = type[models.Model]


# What a server's tasks engine has to do holds no facts: those have rows of their own.
ENGINE = "django_tasks_db"


def tables() -> list[Model]:
    """All that is remembered, of every app. Tables of caches hold no facts."""
    found = apps.get_models(include_auto_created=True)
    return [
        one
        for one in found
        if one._meta.managed
        and not one._meta.proxy
        and not issubclass(one, CacheTable)
        and one._meta.app_label != ENGINE
    ]


def are_here() -> bool:
    """Whether this database has our tables: a new data folder has none yet."""
    return Event._meta.db_table in connection.introspection.table_names()


def columns(model: Model) -> list[models.Field[Any, Any]]:
    """Those that are stored; the others the database computes."""
    return [field for field in model._meta.concrete_fields if not field.generated]


@contextmanager
def opened(path: Path) -> Iterator[str]:
    """An SQLite file as a database beside ours; yields its alias."""
    alias = f"beside {path}"
    wanted = {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        # Nobody else sees it before it is put in place, and what cuts it off costs nothing.
        "OPTIONS": {"init_command": "PRAGMA synchronous=OFF"},
    }
    # Django fills in all else only for what it is given as the default one.
    connections.databases[alias] = connections.configure_settings({"default": wanted})["default"]
    try:
        connections[alias].connect()
        yield alias
    finally:
        connections[alias].close()
        del connections[alias]
        del connections.databases[alias]


def snapshot(source: Path, target: Path) -> None:
    """An SQLite database as it is at this instant, in one file. Readers and writers go on."""
    # Not made if it is missing, as it would be by default.
    address = f"{source.absolute().as_uri()}?mode=rw"
    with (
        closing(sqlite3.connect(address, uri=True, timeout=20)) as live,
        closing(sqlite3.connect(target)) as copy,
    ):
        copy.execute("PRAGMA synchronous=OFF")  # whoever puts it in place has it on the disk
        live.backup(copy)
        # So that it is one file for whoever opens it, also where nothing can be written.
        copy.execute("PRAGMA journal_mode=DELETE")


def make_tables(alias: str) -> None:
    """All tables, empty, and the record of the migrations that made ours. In a new file: going
    through the migrations themselves would take seconds."""
    connection = connections[alias]
    with connection.schema_editor() as editor:
        for model in apps.get_models():  # those between two models come along
            if model._meta.app_label != ENGINE:
                editor.create_model(model)
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    for app, name in MigrationRecorder(connections["default"]).applied_migrations():
        if app != ENGINE:
            recorder.record_applied(app, name)


def count_rows(alias: str) -> dict[str, int]:
    """Table -> rows."""
    return {one._meta.db_table: one._base_manager.using(alias).count() for one in tables()}


def hold_writers() -> None:
    """Let nobody else write until the caller's transaction ends; who reads goes on."""
    # SQLite's transactions hold everybody else from their first statement on.
    if connection.vendor == "postgresql":
        names = ", ".join(f'"{model._meta.db_table}"' for model in tables())
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {names} IN EXCLUSIVE MODE")


def empty(alias: str) -> None:
    """Delete all rows, those of caches too, which speak of what is gone."""
    connection = connections[alias]
    every: list[Model] = [*tables(), SharedCache, Counts]
    names = [one._meta.db_table for one in every]
    with connection.cursor() as cursor:
        for statement in connection.ops.sql_flush(no_style(), names, reset_sequences=True):
            cursor.execute(statement)


def copy_rows(source: str, target: str) -> None:
    """All rows of one database into the other, whose tables are empty, with the numbers that were
    given out: none is given out again. In the caller's transaction: keys are looked at when it
    ends, so the order of tables does not matter."""
    for model in tables():
        _copy_table(model, source, connections[target])
        if isinstance(model._meta.pk, models.AutoField | models.BigAutoField):
            last = _last_number(model, connections[source])
            _go_on_from(model, last, connections[target])


def _copy_table(model: Model, source: str, target: BaseDatabaseWrapper) -> None:
    fields = columns(model)
    quote = target.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    insert = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})"  # noqa: S608
    rows = model._base_manager.using(source).order_by("pk")
    values = rows.values_list(*(field.attname for field in fields)).iterator(BATCH)
    with target.cursor() as cursor:
        for batch in batched(values, BATCH):
            # As they are: `bulk_create` would set the times of creation to now.
            cursor.executemany(
                insert,
                [
                    [
                        field.get_db_prep_save(value, target)
                        for field, value in zip(fields, row, strict=True)
                    ]
                    for row in batch
                ],
            )


def _last_number(model: Model, connection: BaseDatabaseWrapper) -> int:
    """The last primary key that was given out."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        else:
            sequence = _sequence(model, connection)
            cursor.execute(f"SELECT last_value FROM {sequence} WHERE is_called")  # noqa: S608
        found = cursor.fetchone()
    return int(found[0]) if found else 0


def _go_on_from(model: Model, last: int, connection: BaseDatabaseWrapper) -> None:
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])
        elif last:
            cursor.execute("SELECT setval(%s, %s)", [_sequence(model, connection), last])


def _sequence(model: Model, connection: BaseDatabaseWrapper) -> str:
    pk = model._meta.pk
    assert pk is not None  # noqa: S101 - every model has one
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_serial_sequence(%s, %s)", [f'"{model._meta.db_table}"', pk.column]
        )
        return str(cursor.fetchone()[0])
