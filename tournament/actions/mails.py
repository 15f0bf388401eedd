"""What an organiser does about mails. A mail is no fact of the event, so none of it is logged."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament import mail as mails
from tournament.models import Event, Mail
from tournament.models.actors import Actor
from tournament.models.mails import MailKind, MailStatus
from tournament.postman import send
from tournament.refusals import Refused

BETWEEN_TESTS = timedelta(minutes=1)


@transaction.atomic
def send_again(*, mail: Mail) -> Mail:
    """One that was given up, from the start: the address works by now, or the mail server does."""
    mail = Mail.objects.lock(mail.pk)
    if not mail.repeatable:
        raise Refused(
            _("Only a mail that could not be sent, and whose words are kept, is repeated.")
        )
    mail.status, mail.attempts, mail.error = MailStatus.WAITING, 0, ""
    mail.next_at = timezone.now()
    mail.save(update_fields=["status", "attempts", "error", "next_at"])
    send([mail.pk])
    return mail


@transaction.atomic
def send_test(*, event: Event, by: Actor) -> str:
    """A mail to the organiser's own address, which is returned."""
    event = Event.objects.lock(event.pk)
    if by.user is None:
        raise Refused(_("Only an organiser can ask for a test mail."))
    tests = event.mails.filter(kind=MailKind.TEST, to=by.user.email)
    if tests.filter(created_at__gt=timezone.now() - BETWEEN_TESTS).exists():
        raise Refused(_("A test mail was asked for a moment ago: see below what became of it."))
    mails.send_test(event, by.user.email)
    return by.user.email
