"""`manage.py backup FILE`: one file with everything; the server may be in use meanwhile."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from tournament.backups.archive import BadBackup
from tournament.backups.backup import size_of, write_backup
from tournament.management.base import counted_words, in_words, require_data


class Command(BaseCommand):
    help = "Write everything into one new file: all rows, photos, the secret key of this folder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")

    def handle(self, *args: Any, **options: Any) -> None:
        require_data()
        file = Path(options["file"])
        if options["file"].endswith(os.sep) and not file.exists():  # a path forgets its last stroke
            raise CommandError(f"There is no folder {file}.")
        try:
            manifest = write_backup(file)
        except BadBackup as bad:
            raise CommandError(str(bad)) from bad
        except OSError as error:
            raise CommandError(f"It can't be written: {in_words(error)}") from error
        except (DatabaseError, sqlite3.Error) as error:
            raise CommandError(f"The database can't be read: {error}") from error
        rows = sum(manifest.rows.values())
        photos = sum(name.endswith(".jpg") for name in manifest.members)
        counted = f"{counted_words(rows, 'row')}, {counted_words(photos, 'photo')}"
        self.stdout.write(f"{file}: {counted}, {size_of(file)}.")
        self.stdout.write("It holds secrets: keep it as you keep the laptop.")
