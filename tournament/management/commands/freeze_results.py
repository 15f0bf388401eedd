"""`manage.py freeze_results [SLUG …]`: the results of events that were finished before results were
frozen."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.actions.results import freeze_results
from tournament.management.base import counted_words, require_data
from tournament.models import Event
from tournament.models.actors import Actor
from tournament.queries.results import unfrozen_events
from tournament.refusals import Refused


class Command(BaseCommand):
    help = "Freeze the results of finished events that have none yet, so that series count them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="SLUG", help="all events without one")

    def handle(self, *args: Any, **options: Any) -> None:
        require_data()
        slugs = options["slugs"]
        events = list(Event.objects.filter(slug__in=slugs) if slugs else unfrozen_events())
        if missing := set(slugs) - {event.slug for event in events}:
            raise CommandError(f"There is no event {', '.join(sorted(missing))}.")
        by = Actor.command("freeze_results")
        for event in events:
            try:
                made = freeze_results(event=event, by=by)
            except Refused as refused:
                raise CommandError(f"{event.slug}: {refused.message}") from refused
            said = "is frozen already" if made is None else counted_words(made.field, "result")
            self.stdout.write(f"{event.slug}: {said}")
