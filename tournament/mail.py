"""Mails as plain text: to players in the language in which they were entered. Each is written in
the transaction of what it tells, and delivered after it (`tournament.postman`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, override

from tournament.links import absolute, person_url, place_url, ticket_url
from tournament.models.events import EventStatus
from tournament.models.mails import Mail, MailKind
from tournament.postman import post

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournament.models import (
        Announcement,
        Event,
        Invitation,
        MergeSide,
        Person,
        PersonClaim,
        Place,
        Player,
        SeriesEvent,
        SeriesInvitation,
    )


def _written(kind: MailKind, to: str, context: dict[str, Any], **about: Any) -> Mail:
    """In the active language. `about`: the event, series and player that it tells of."""
    subject = render_to_string(f"mail/{kind}_subject.txt", context)
    body = render_to_string(f"mail/{kind}.txt", context)
    return _of_words(kind, to, subject, body, **about)


def _of_words(kind: MailKind, to: str, subject: str, body: str, **about: Any) -> Mail:
    return Mail(
        kind=kind,
        to=to,
        subject=" ".join(subject.split())[:300],
        body=body.strip() + "\n",
        language=get_language() or "",
        next_at=timezone.now(),
        **about,
    )


def _to_player(kind: MailKind, player: Player, **more: Any) -> Mail:
    context = {"player": player, "event": player.event, "url": ticket_url(player), **more}
    with override(player.language or player.event.language or get_language()):
        return _written(kind, player.email, context, event=player.event, player=player)


def _send_ticket(kind: MailKind, player: Player) -> None:
    """It takes the place of those that have not arrived, whose link or address may be old. A draft
    mails nobody: whoever is in it has no ticket yet."""
    if player.email and player.event.status != EventStatus.DRAFT:
        forget_tickets(player)
        post([_to_player(kind, player)])


def forget_tickets(player: Player) -> None:
    """Those that have not arrived: they would bring an old link, or go to an old address."""
    player.mails.of_tickets().filter(sent_at=None).delete()


def send_ticket(player: Player) -> None:
    """The confirmation with the ticket's link, or word of the waiting list."""
    _send_ticket(MailKind.TICKET, player)


def send_promotion(player: Player) -> None:
    """A place became free."""
    _send_ticket(MailKind.PROMOTION, player)


def send_announcement(announcement: Announcement, players: Iterable[Player]) -> None:
    """What the organiser wrote, as it was written, to each of these players who has an e-mail."""
    post(
        [
            _to_player(MailKind.ANNOUNCEMENT, player, announcement=announcement)
            for player in players
            if player.email
        ]
    )


def send_invitation(invitation: Invitation) -> None:
    event = invitation.event
    url = absolute(reverse("invitation", args=[invitation.token]))
    context = {"invitation": invitation, "event": event, "url": url}
    post([_written(MailKind.INVITATION, invitation.email, context, event=event)])


def send_place(place: Place) -> None:
    """Somebody is offered a place at a later event."""
    _send_of_place(MailKind.PLACE, place)


def send_place_withdrawn(place: Place) -> None:
    """And has it no more."""
    _send_of_place(MailKind.PLACE_WITHDRAWN, place)


def _send_of_place(kind: MailKind, place: Place) -> None:
    rows = type(place)._default_manager.select_related(
        "event", "promise__target", "player__contact"
    )
    place = rows.get(pk=place.pk)
    if email := place.person_email:
        language = place.player.language if place.player is not None else ""
        context = {"place": place, "event": place.event, "url": place_url(place)}
        with override(language or place.event.language or get_language()):
            post([_written(kind, email, context, event=place.event, player=place.player)])


def send_series_invitation(invitation: SeriesInvitation) -> None:
    series = invitation.series
    url = absolute(reverse("series_invitation", args=[invitation.token]))
    context = {"invitation": invitation, "series": series, "url": url}
    post([_written(MailKind.SERIES_INVITATION, invitation.email, context, series=series)])


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
    # Whoever asked sees whether the question arrived.
    asker: dict[str, Any] = {"series": entry.series} if of_event else {"event": entry.event}
    post([_written(MailKind.SERIES_QUESTION, address, context, **asker) for address in to])


def send_claim(claim: PersonClaim) -> None:
    """The link that says: this entry is mine."""
    player = claim.player
    url = absolute(reverse("claim", args=[claim.token]))
    context = {"claim": claim, "event": player.event, "url": url}
    with override(claim.language or get_language()):
        post([_written(MailKind.CLAIM, claim.email, context, event=player.event, player=player)])


def send_person_link(person: Person) -> None:
    """The address of the page that is a person's own."""
    with override(person.language or get_language()):
        context = {"person": person, "url": person_url(person)}
        post([_written(MailKind.PERSON, person.email, context)])


def send_merge(side: MergeSide, other: Player) -> None:
    """Whether two entries are one person's."""
    player, series = side.player, side.merge.series
    url = absolute(reverse("merge_answer", args=[side.token]))
    context = {
        "merge": side.merge,
        "series": series,
        "player": player,
        "other": other,
        "url": url,
    }
    with override(player.language or player.event.language or get_language()):
        post([_written(MailKind.MERGE, side.email, context, series=series, player=player)])


def send_test(event: Event, to: str) -> None:
    """Whether mails of this event arrive, before anybody depends on it."""
    post([_written(MailKind.TEST, to, {"event": event}, event=event)])


def send_to_account(to: str, subject: str, body: str) -> None:
    """What the pages of logins have to say: a confirmation, a new password."""
    post([_of_words(MailKind.ACCOUNT, to, subject, body)])
