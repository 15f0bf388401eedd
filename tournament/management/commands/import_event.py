"""`manage.py import_event FILE [--slug SLUG] [--organiser EMAIL]`: an event from its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.actions.event_import import import_event
from tournament.backups import tables
from tournament.forms.event_file import EventFileForm, opened
from tournament.management.base import in_words
from tournament.models import User
from tournament.models.actors import Actor
from tournament.models.people import Duty
from tournament.refusals import Refused


class Command(BaseCommand):
    help = "Make an event of the file that export_event or the desk has written."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--slug", default="", help="another address for it")
        parser.add_argument("--organiser", default="", metavar="EMAIL", help="who organises it")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            slug = EventFileForm.base_fields["slug"].clean(options["slug"])
        except ValidationError as error:
            raise CommandError(f"--slug: {error.messages[0]}") from error
        if not tables.are_here():  # a new laptop
            call_command("migrate", verbosity=0)
        try:
            with options["file"].open("rb") as file, opened(file) as parts:
                event = import_event(parts=parts, by=_actor(options["organiser"]), slug=slug)
        except OSError as error:
            raise CommandError(f"The file can't be read: {in_words(error)}") from error
        except Refused as refused:
            raise CommandError(refused.message) from refused
        self.stdout.write(f"{event.name}: /desk/{event.slug}/")
        if not event.staff.filter(duty=Duty.ORGANISER).exists():
            self.stdout.write("Nobody here organises it: make an account, and import with it.")


def _actor(email: str) -> Actor:
    if not email:
        return Actor.command("import_event")
    user = User.objects.filter(email=email.lower()).first()
    if user is None:
        raise CommandError(f"Nobody here has the e-mail {email}.")
    return Actor.of_user(user)
