"""`manage.py restore FILE`: a backup, or the folder of a second copy, in place of what is here."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from tournament.backups.archive import BadBackup
from tournament.backups.restore import restore
from tournament.management.base import in_words


class Command(BaseCommand):
    help = "Put a backup, or a second copy, in place of everything here; checked before it is."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", type=Path, help="a backup's file, or a folder")
        parser.add_argument(
            "--replace", action="store_true", help="also where there are events; they are kept"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            restore(options["source"], replace=options["replace"], say=self.stdout.write)
        except BadBackup as bad:
            raise CommandError(f"{bad} Nothing was changed.") from bad
        # While what is here is kept: a full disk, say.
        except (DatabaseError, sqlite3.Error) as error:
            raise CommandError(f"The database fails: {error}. Nothing was changed.") from error
        except OSError as error:
            raise CommandError(f"{in_words(error)} Nothing was changed.") from error
        self._check()

    def _check(self) -> None:
        """Say it if something does not fit together; it is here all the same."""
        self.stdout.write("Checking it:")
        try:
            call_command("check_event", stdout=self.stdout)
        except CommandError:
            self.stderr.write("Look at that before the event goes on.")
