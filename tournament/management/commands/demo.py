"""`manage.py demo`: the demonstration event and its logins, once; `--evenings` adds those of a club
that plays other boxes."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from tournament.demonstration import DEMO_SLUG, EVENINGS, club_evening, demonstration
from tournament.models import Event, StaffMember, User
from tournament.models.people import Duty

PASSWORD = "lamp-in-a-mine"  # noqa: S105 - printed on purpose, for the demonstration only
LOGINS = (
    ("organiser@example.org", "Olga Organiza", Duty.ORGANISER),
    ("judge@example.org", "Julio Juez", Duty.JUDGE),
)


class Command(BaseCommand):
    help = "Make the demonstration event in mid-course, with an organiser and a judge to log in as."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--evenings", action="store_true")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        users = [self._user(email, name) for email, name, _duty in LOGINS]
        if not Event.objects.filter(slug=DEMO_SLUG).exists():
            event = demonstration(users[0])
            StaffMember.objects.create(event=event, user=users[1], duty=Duty.JUDGE)
        for preset, (slug, *_rest) in EVENINGS.items() if options["evenings"] else ():
            if not Event.objects.filter(slug=slug).exists():
                evening = club_evening(users[0], preset)
                StaffMember.objects.create(event=evening, user=users[1], duty=Duty.JUDGE)
        for email, _name, duty in LOGINS:
            self.stdout.write(f"{duty.label}: {email}  password: {PASSWORD}")

    @staticmethod
    def _user(email: str, name: str) -> User:
        user = User.objects.filter(email=email).first()
        if user is None:
            user = User.objects.create_user(email, PASSWORD, name=name)
            EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
        return user
