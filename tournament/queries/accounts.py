"""What is stored of a login, and where it is needed."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator

from tournament.models import Event, Invitation, LogEntry, Series, User
from tournament.models.events import EventStatus
from tournament.models.people import Duty


def needed_by(user: User) -> list[Event | Series]:
    """Events that are not over, and series, which would have no organiser without them."""
    organises = {"staff__user": user, "staff__duty": Duty.ORGANISER}
    events = Event.objects.filter(**organises).exclude(status=EventStatus.FINISHED)
    found: list[Event | Series] = [*events, *Series.objects.filter(**organises)]
    return [
        one
        for one in found
        if not one.staff.filter(duty=Duty.ORGANISER).exclude(user=user).exists()
    ]


def account_data(user: User) -> dict[str, Any]:
    """As JSON has it. What was done at events stands in their logs, with the event."""
    duties = user.duties.select_related("event").order_by("pk")
    of_series = user.series_duties.select_related("series").order_by("pk")
    invited = Invitation.objects.filter(email__iexact=user.email).select_related("event")
    done = LogEntry.objects.filter(user=user).order_by("event__name", "pk")
    return {
        "name": user.name,
        "email": user.email,
        "since": user.date_joined.isoformat(),
        "last_sign_in": user.last_login and user.last_login.isoformat(),
        "ways_to_sign_in": {
            "password": user.has_usable_password(),
            "others": list(Authenticator.objects.filter(user=user).values_list("type", flat=True)),
        },
        "events": [{"event": one.event.name, "duty": one.duty} for one in duties],
        "series": [{"series": one.series.name, "duty": one.duty} for one in of_series],
        "invitations": [{"event": one.event.name, "duty": one.duty} for one in invited],
        "done": [
            {"event": event, "at": at.isoformat(), "what": verb}
            for event, at, verb in done.values_list("event__name", "created_at", "verb")
        ],
    }
