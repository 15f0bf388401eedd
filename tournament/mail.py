"""Mails as plain text: to players in the language in which they were entered. A mail that cannot
be sent never undoes the change that it tells of."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, override

from tournament.links import absolute, ticket_url

if TYPE_CHECKING:
    from tournament.models import Invitation, Player

log = logging.getLogger(__name__)


def _send(template: str, to: str, context: dict[str, Any]) -> None:
    subject = " ".join(render_to_string(f"mail/{template}_subject.txt", context).split())
    body = render_to_string(f"mail/{template}.txt", context).strip() + "\n"
    try:
        EmailMessage(subject, body, to=[to]).send()
    except OSError:
        log.exception("The mail “%s” could not be sent.", template)


def _send_to_player(template: str, player: Player) -> None:
    if email := player.contact.email:
        context = {"player": player, "event": player.event, "url": ticket_url(player)}
        with override(player.language or get_language()):
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
