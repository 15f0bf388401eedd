"""Mails as plain text: to players in the language in which they were entered. A mail that cannot
be sent never undoes the change that it tells of."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connection
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, override

from tournament.links import absolute, person_url, place_url, ticket_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournament.models import (
        Announcement,
        Invitation,
        MergeSide,
        Person,
        PersonClaim,
        Place,
        Player,
        SeriesEvent,
        SeriesInvitation,
    )

log = logging.getLogger(__name__)


# One thread: a mail server that hangs delays other mails, never a page. What waits when the
# process ends is still sent.
_POSTMAN = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


def _send(
    template: str, to: str, context: dict[str, Any], *, ticket_of: Player | None = None
) -> None:
    """Written at once, in the active language; delivered behind the page's back. A ticket that
    could not be delivered counts as not sent, so that the organiser sees it."""
    subject = " ".join(render_to_string(f"mail/{template}_subject.txt", context).split())
    body = render_to_string(f"mail/{template}.txt", context).strip() + "\n"
    message = EmailMessage(subject, body, to=[to])
    if settings.MAIL_IN_BACKGROUND:
        _POSTMAN.submit(_deliver_apart, message, ticket_of)
    else:
        _deliver(message, ticket_of)


def _deliver_apart(message: EmailMessage, ticket_of: Player | None) -> None:
    """In the thread, which gives back the connection it may have used."""
    try:
        _deliver(message, ticket_of)
    finally:
        connection.close()


def _deliver(message: EmailMessage, ticket_of: Player | None) -> None:
    try:
        message.send()
    except OSError:
        log.exception("The mail “%s” could not be sent.", message.subject)
        if ticket_of is not None:
            type(ticket_of).objects.filter(pk=ticket_of.pk).update(ticket_sent_at=None)


def _send_to_player(
    template: str, player: Player, *, ticket_of: Player | None = None, **more: Any
) -> None:
    if email := player.email:
        context = {"player": player, "event": player.event, "url": ticket_url(player), **more}
        with override(player.language or player.event.language or get_language()):
            _send(template, email, context, ticket_of=ticket_of)


def send_ticket(player: Player) -> None:
    """The confirmation with the ticket's link, or word of the waiting list."""
    _send_to_player("ticket", player, ticket_of=player)


def send_promotion(player: Player) -> None:
    """A place became free."""
    _send_to_player("promotion", player, ticket_of=player)


def send_announcement(announcement: Announcement, players: Iterable[Player]) -> None:
    """What the organiser wrote, as it was written, to each of these players."""
    for player in players:
        _send_to_player("announcement", player, announcement=announcement)


def send_invitation(invitation: Invitation) -> None:
    url = absolute(reverse("invitation", args=[invitation.token]))
    _send(
        "invitation",
        invitation.email,
        {"invitation": invitation, "event": invitation.event, "url": url},
    )


def send_place(place: Place) -> None:
    """Somebody is offered a place at a later event."""
    _send_of_place("place", place)


def send_place_withdrawn(place: Place) -> None:
    """And has it no more."""
    _send_of_place("place_withdrawn", place)


def _send_of_place(template: str, place: Place) -> None:
    rows = type(place)._default_manager.select_related(
        "event", "promise__target", "player__contact"
    )
    place = rows.get(pk=place.pk)
    if email := place.person_email:
        language = place.player.language if place.player is not None else ""
        context = {"place": place, "event": place.event, "url": place_url(place)}
        with override(language or place.event.language or get_language()):
            _send(template, email, context)


def send_series_invitation(invitation: SeriesInvitation) -> None:
    url = absolute(reverse("series_invitation", args=[invitation.token]))
    _send(
        "series_invitation",
        invitation.email,
        {"invitation": invitation, "series": invitation.series, "url": url},
    )


def send_series_question(entry: SeriesEvent, to: Iterable[str]) -> None:
    """To the organisers of the side that has to answer whether the event is in the series."""
    of_event = entry.asked_by == "series"
    name, slug = (
        ("event_series", entry.event.slug) if of_event else ("series_desk", entry.series.slug)
    )
    context = {
        "event": entry.event,
        "series": entry.series,
        "of_event": of_event,
        "url": absolute(reverse(name, args=[slug])),
    }
    for address in to:
        _send("series_question", address, context)


def send_claim(claim: PersonClaim) -> None:
    """The link that says: this entry is mine."""
    url = absolute(reverse("claim", args=[claim.token]))
    context = {"claim": claim, "event": claim.player.event, "url": url}
    with override(claim.language or get_language()):
        _send("claim", claim.email, context)


def send_person_link(person: Person) -> None:
    """The address of the page that is a person's own."""
    with override(person.language or get_language()):
        _send("person", person.email, {"person": person, "url": person_url(person)})


def send_merge(side: MergeSide, other: Player) -> None:
    """Whether two entries are one person's."""
    player = side.player
    url = absolute(reverse("merge_answer", args=[side.token]))
    context = {
        "merge": side.merge,
        "series": side.merge.series,
        "player": player,
        "other": other,
        "url": url,
    }
    with override(player.language or player.event.language or get_language()):
        _send("merge", side.email, context)
