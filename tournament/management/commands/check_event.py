"""`manage.py check_event [SLUG …]`: whether what is stored of events fits together."""

from __future__ import annotations

import time
from itertools import starmap
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.management.base import counted_words, require_data
from tournament.models import Event
from tournament.queries.check_event import CheckResult, check_event


class Command(BaseCommand):
    help = "Recompute events from their facts and compare; names the first difference of each."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="SLUG", help="all events without one")

    def handle(self, *args: Any, **options: Any) -> None:
        require_data()
        slugs = options["slugs"]
        events = list(Event.objects.filter(slug__in=slugs) if slugs else Event.objects.all())
        if missing := set(slugs) - {event.slug for event in events}:
            raise CommandError(f"There is no event {', '.join(sorted(missing))}.")
        if [event for event in events if not self._is_right(event)]:
            raise CommandError("There are differences.")

    def _is_right(self, event: Event) -> bool:
        begun = time.perf_counter()
        result = check_event(event)
        seconds = time.perf_counter() - begun
        said = f"all right: {_counted(result)}" if result.difference is None else result.difference
        self.stdout.write(f"{event.slug}: {said} ({seconds:.1f} s)")
        return result.difference is None


def _counted(result: CheckResult) -> str:
    counts = (
        (result.rounds, "round", ""),
        (result.tables, "table", ""),
        (result.deals, "deal", ""),
        (result.penalties, "penalty", "penalties"),
        (result.lots, "lot", ""),
        (result.photos, "photo", ""),
        (result.entries, "log entry", "log entries"),
    )
    return ", ".join(starmap(counted_words, counts))
