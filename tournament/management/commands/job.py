"""`manage.py job PK`: one job in a process of its own. The web application starts it."""

from __future__ import annotations

import signal
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament import jobs
from tournament.models import Job


class Command(BaseCommand):
    help = "Do one long piece of work that the web application asked for."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pk", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        job = Job.objects.filter(pk=options["pk"]).first()
        if job is None:
            raise CommandError("There is no such job.")
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the job's end is written
        jobs.run(job, alone=True)
