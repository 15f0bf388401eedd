"""What the organiser told many players: to whom it goes, and what a ticket shows of it."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Count, Q, QuerySet

from tournament.models import Announcement, Event, Player
from tournament.models.announcements import IN_AUDIENCE
from tournament.models.events import EventStatus

_HAS_EMAIL = Q(contact__email__gt="")  # leaves out a contact that was erased


def addressees(event: Event, audience: str) -> QuerySet[Player]:
    """Whoever of the audience has an e-mail."""
    return event.players.filter(_HAS_EMAIL, status__in=IN_AUDIENCE[audience])


def audience_sizes(event: Event) -> Mapping[str, tuple[int, int]]:
    """Audience -> how many they are, and how many of them have an e-mail."""
    rows = event.players.order_by().values_list("status")
    counts = {
        status: (people, mailable)
        for status, people, mailable in rows.annotate(
            people=Count("pk"), mailable=Count("pk", filter=_HAS_EMAIL)
        )
    }
    return {
        audience: (
            sum(counts.get(status, (0, 0))[0] for status in statuses),
            sum(counts.get(status, (0, 0))[1] for status in statuses),
        )
        for audience, statuses in IN_AUDIENCE.items()
    }


def announcements_of(event: Event) -> QuerySet[Announcement]:
    """Latest first, those taken down too."""
    return event.announcements.select_related("created_by")


def announcements_for(player: Player) -> tuple[Announcement, ...]:
    """What stands on the ticket of this player, latest first."""
    if player.event.status == EventStatus.FINISHED:
        return ()
    audiences = [key for key, statuses in IN_AUDIENCE.items() if player.status in statuses]
    if not audiences:
        return ()
    return tuple(player.event.announcements.in_force().filter(audience__in=audiences))
