"""`./dev run`: migrate, load the demonstration, serve it, say where and with which logins."""

from __future__ import annotations

import os
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.urls import reverse

from tournament.demonstration import DEMO_SLUG
from tournament.models import Table
from tournament.models.rounds import RoundStatus


class Command(BaseCommand):
    help = "Set the database up, load the demonstration event and serve it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", nargs="?", default="127.0.0.1:8000")

    def handle(self, *args: Any, **options: Any) -> None:
        address = options["address"]
        if os.environ.get("RUN_MAIN") == "true":  # the reloader's second process
            call_command("runserver", address)
            return
        call_command("migrate", verbosity=0)
        self.stdout.write("")
        call_command("demo", stdout=self.stdout)
        host = address if ":" in address else f"127.0.0.1:{address}"
        site = os.environ["LODESTAR_SITE_URL"] = f"http://{host.replace('0.0.0.0', '127.0.0.1')}"  # noqa: S104
        self.stdout.write(f"Event:     {site}{reverse('event', args=[DEMO_SLUG])}")
        self.stdout.write(f"Desk:      {site}{reverse('event_desk', args=[DEMO_SLUG])}")
        table = (
            Table.objects.filter(round__event__slug=DEMO_SLUG, round__status=RoundStatus.PUBLISHED)
            .order_by("-number")
            .first()
        )
        if table is not None:
            self.stdout.write(f"A table:   {site}{reverse('table_link:sheet', args=[table.token])}")
        self.stdout.write("Stop with Ctrl-C.\n")
        self.stdout.flush()
        call_command("runserver", address)
