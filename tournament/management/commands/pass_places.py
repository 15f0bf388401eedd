"""`manage.py pass_places`: places that were not answered in time go to the next in order. For a
timer of the machine, every quarter of an hour say."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from tournament.actions.places import events_with_lapsed, pass_on
from tournament.management.base import counted_words, require_data
from tournament.models.actors import Actor
from tournament.refusals import Refused


class Command(BaseCommand):
    help = "Pass on the places at later events that were not answered in time."

    def handle(self, *args: Any, **options: Any) -> None:
        require_data()
        for event in events_with_lapsed():
            try:
                offered = pass_on(event=event, by=Actor.command("pass_places"))
            except Refused as refused:
                self.stderr.write(f"{event.slug}: {refused.message}")
                continue
            self.stdout.write(f"{event.slug}: {counted_words(len(offered), 'place')} passed on")
