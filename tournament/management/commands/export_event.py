"""`manage.py export_event SLUG FILE`: an event with everything, to be imported elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.documents.event_archive import write_archive
from tournament.management.base import in_words, require_data
from tournament.models import Event


class Command(BaseCommand):
    help = "Write an event into one file: event.json, private.json and the photos."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        require_data()
        event = Event.objects.filter(slug=options["slug"]).first()
        if event is None:
            raise CommandError(f"There is no event {options['slug']}.")
        path: Path = options["file"]
        try:
            path.touch(mode=0o600, exist_ok=False)  # names, e-mails and links are in it
            with path.open("wb") as file:
                write_archive(event, file)
        except OSError as error:
            raise CommandError(f"It can't be written: {in_words(error)}") from error
        self.stdout.write(f"{event.slug}: {path.stat().st_size} bytes in {path}")
        self.stdout.write("It holds everybody's contacts and links: keep it safe.")
