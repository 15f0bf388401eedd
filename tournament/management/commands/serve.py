"""`./dev serve`: one machine, production settings, the embedded database or DATABASE_URL."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import server


class Command(BaseCommand):
    help = "Migrate, collect static files, and serve with Granian."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", nargs="?", default="127.0.0.1:8000")
        parser.add_argument("--workers", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.COPY_DIR and not settings.COPY_DIR.is_dir():
            raise CommandError(f"There is no folder {settings.COPY_DIR}: is the stick in?")
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        host, _sep, port = options["address"].rpartition(":")
        self.stdout.write(f"Lodestar at {settings.SITE_URL or options['address']}")
        if settings.COPY_DIR:
            self.stdout.write(f"Second copy in {settings.COPY_DIR}")
        self.stdout.flush()
        server.serve(
            *("--host", host or "127.0.0.1"),
            *("--port", port),
            *("--workers", str(options["workers"])),
        )
