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

from tournament.links import absolute, ticket_url

if TYPE_CHECKING:
    from tournament.models import Invitation, Player

log = logging.getLogger(__name__)


# One thread: a mail server that hangs delays other mails, never a page. What waits when the
# process ends is still sent.
_POSTMAN = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


def _send(template: str, to: str, context: dict[str, Any]) -> None:
    """Written at once, in the active language; delivered behind the page's back. A ticket that
    could not be delivered counts as not sent, so that the organiser sees it."""
    subject = " ".join(render_to_string(f"mail/{template}_subject.txt", context).split())
    body = render_to_string(f"mail/{template}.txt", context).strip() + "\n"
    message = EmailMessage(subject, body, to=[to])
    player = context.get("player")
    if settings.MAIL_IN_BACKGROUND:
        _POSTMAN.submit(_deliver_apart, message, player)
    else:
        _deliver(message, player)


def _deliver_apart(message: EmailMessage, player: Player | None) -> None:
    """In the thread, which gives back the connection it may have used."""
    try:
        _deliver(message, player)
    finally:
        connection.close()


def _deliver(message: EmailMessage, player: Player | None) -> None:
    try:
        message.send()
    except OSError:
        log.exception("The mail “%s” could not be sent.", message.subject)
        if player is not None:
            type(player).objects.filter(pk=player.pk).update(ticket_sent_at=None)


def _send_to_player(template: str, player: Player) -> None:
    if email := player.contact.email:
        context = {"player": player, "event": player.event, "url": ticket_url(player)}
        with override(player.language or player.event.language or get_language()):
            _send(template, email, context)


def send_ticket(player: Player) -> None:
    """The confirmation with the ticket's link, or word of the waiting list."""
    _send_to_player("ticket", player)


def send_promotion(player: Player) -> None:
    """A place became free."""
    _send_to_player("promotion", player)


def send_invitation(invitation: Invitation) -> None:
    url = absolute(reverse("invitation", args=[invitation.token]))
    _send(
        "invitation",
        invitation.email,
        {"invitation": invitation, "event": invitation.event, "url": url},
    )
