"""`manage.py demo`: the demonstration event and its logins, once."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from django.core.management.base import BaseCommand
from django.db import transaction

from tournament.demonstration import DEMO_SLUG, demonstration
from tournament.models import Event, StaffMember, User
from tournament.models.people import Duty

PASSWORD = "lamp-in-a-mine"  # noqa: S105 - printed on purpose, for the demonstration only
LOGINS = (
    ("organiser@example.org", "Olga Organiza", Duty.ORGANISER),
    ("judge@example.org", "Julio Juez", Duty.JUDGE),
)


class Command(BaseCommand):
    help = "Make the demonstration event in mid-course, with an organiser and a judge to log in as."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        users = [self._user(email, name) for email, name, _duty in LOGINS]
        if not Event.objects.filter(slug=DEMO_SLUG).exists():
            event = demonstration(users[0])
            StaffMember.objects.create(event=event, user=users[1], duty=Duty.JUDGE)
        for email, _name, duty in LOGINS:
            self.stdout.write(f"{duty.label}: {email}  password: {PASSWORD}")

    @staticmethod
    def _user(email: str, name: str) -> User:
        user = User.objects.filter(email=email).first()
        if user is None:
            user = User.objects.create_user(email, PASSWORD, name=name)
            EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
        return user
