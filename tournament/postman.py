"""Delivers mails that were written, and says what became of each.

A mail is marked after the mail server has taken it. Whoever delivers one claims it first, for as
long as `CLAIM`: two never send it at once, and one whose process is killed is sent by the next.
So a mail may come twice, never not at all; its Message-ID is the same then.
"""

from __future__ import annotations

import logging
import smtplib
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, mailers
from django.db import connection, transaction
from django.db.models import F
from django.tasks import task
from django.utils import timezone

from tournament import limits
from tournament.links import ticket_url
from tournament.models import Mail, Player
from tournament.models.mails import CROWDED, TICKET_MAILS, MailKind, MailStatus

CLAIM = timedelta(minutes=5)
# After each try that failed; after the last one it is given up, a good day after it was written.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240, 480, 720))
BODIES_KEPT = timedelta(days=7)
FAILED_KEPT = timedelta(days=30)

log = logging.getLogger(__name__)


@task
def deliver(pks: list[int] | None = None) -> None:
    """Send these mails, or all that are due."""
    mails = Mail.objects.all() if pks is None else Mail.objects.filter(pk__in=pks)
    mailer: Any = mailers["default"]
    try:
        while (mail := _claim(mails)) is not None:
            if not _try(mailer, mail):
                break
    finally:
        with suppress(OSError):
            mailer.close()


class _Batch:
    """Mails of one transaction, which go out together once it stands."""

    def __init__(self, pks: list[int]) -> None:
        self.pks = pks

    def __call__(self) -> None:
        deliver.enqueue(self.pks)


def post(mails: Iterable[Mail]) -> None:
    """Keep these mails with what they tell, and send them once that stands."""
    send([mail.pk for mail in Mail.objects.bulk_create(mails)])


def send(pks: list[int]) -> None:
    """Have these delivered once the transaction stands."""
    within = set(connection.savepoint_ids)
    for savepoints, waiting, *_rest in connection.run_on_commit:  # type: ignore[var-annotated]
        if isinstance(waiting, _Batch) and savepoints == within:
            waiting.pks.extend(pks)
            return
    transaction.on_commit(_Batch(pks), robust=True)


def _claim(mails: Any) -> Mail | None:
    """The next one that is due, for us alone until `next_at`."""
    while True:
        now = timezone.now()
        mail: Mail | None = mails.due(now).order_by("next_at", "pk").first()
        if mail is None:
            return None
        mine = Mail.objects.due(now).filter(pk=mail.pk)
        if mine.update(next_at=now + CLAIM, attempts=F("attempts") + 1):
            return Mail.objects.select_related("event", "player").get(pk=mail.pk)


def _try(mailer: Any, mail: Mail) -> bool:
    """Send one; False if the server can't be reached at all, so that others need not be tried."""
    if seconds := _crowded(mail):
        _wait(mail, timedelta(seconds=seconds), CROWDED)
        return True
    try:
        mailer.open()
    except OSError as error:
        _put_off(mail, error)
        return False
    try:
        mailer.send_messages([message_of(mail)])
    except Exception as error:
        # What is left of the conversation would spoil the next one.
        with suppress(OSError):
            mailer.close()
        if _lasting(error):
            _fail(mail, error)
        else:
            _put_off(mail, error)
    else:
        _sent(mail)
    return True


def _crowded(mail: Mail) -> int:
    """For how many seconds its mailbox gets nothing more; counted once a mail. What opens an
    account has limits of its own, and must arrive whatever others have sent."""
    if mail.kind == MailKind.ACCOUNT or (mail.attempts > 1 and not mail.crowded):
        return 0
    try:
        limits.spend("delivery", mailbox=mail.to.casefold())
    except limits.TooOften as often:
        return often.seconds
    return 0


def message_of(mail: Mail) -> EmailMessage:
    """The same one at each try, the time of sending aside."""
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    headers = {
        "Message-ID": f"<{mail.pk}.{mail.created_at:%Y%m%d%H%M%S%f}@{host}>",
        "Auto-Submitted": "auto-generated",  # no machine is to answer
    }
    if mail.language:
        headers["Content-Language"] = mail.language
    if mail.kind == MailKind.ANNOUNCEMENT and mail.event is not None:
        headers |= {"List-Id": f"<{mail.event.slug}.{host}>", "Precedence": "bulk"}
        if mail.player is not None:
            # Where whoever wants no more of them withdraws the entry.
            headers["List-Unsubscribe"] = f"<{ticket_url(mail.player)}>"
    return EmailMessage(mail.subject, mail.body, to=[mail.to], headers=headers)


def _lasting(error: Exception) -> bool:
    """Whether another try would fail alike: the address or the mail itself is refused."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _answer in error.recipients.values())
    if isinstance(error, smtplib.SMTPDataError):
        return error.smtp_code >= 500
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return True
    # No way to the server, or it does not let us in: the host mends that. All else is the mail's.
    return not isinstance(error, OSError)


def _words(error: Exception) -> str:
    """What the mail server said, for the organiser."""
    answers: list[tuple[int, bytes | str]]
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        answers = [*error.recipients.values()]
    elif isinstance(error, smtplib.SMTPResponseException):
        answers = [(error.smtp_code, error.smtp_error)]
    else:
        return (str(error) or type(error).__name__)[:300]
    said = [
        f"{code} {answer.decode(errors='replace') if isinstance(answer, bytes) else answer}"
        for code, answer in answers
    ]
    return " ".join(" · ".join(said).split())[:300]


def _put_off(mail: Mail, error: Exception) -> None:
    if mail.attempts > len(PAUSES):
        _fail(mail, error)
        return
    _wait(mail, PAUSES[mail.attempts - 1], _words(error))


def _wait(mail: Mail, pause: timedelta, why: str) -> None:
    log.warning("Mail %s was not sent, and is tried again: %s", mail.pk, why)
    next_at = timezone.now() + pause
    Mail.objects.waiting().filter(pk=mail.pk).update(next_at=next_at, error=why)


def _fail(mail: Mail, error: Exception) -> None:
    log.error("Mail %s can't be sent: %s", mail.pk, _words(error), exc_info=error)
    failed = {"status": MailStatus.FAILED, "error": _words(error)}
    Mail.objects.waiting().filter(pk=mail.pk).update(**failed)


@transaction.atomic
def _sent(mail: Mail) -> None:
    now = timezone.now()
    sent: dict[str, Any] = {"status": MailStatus.SENT, "sent_at": now, "error": ""}
    if mail.kind == MailKind.ACCOUNT:
        sent["body"] = ""  # its link opens an account
    marked = Mail.objects.waiting().filter(pk=mail.pk).update(**sent)
    if marked and mail.kind in TICKET_MAILS:
        # Unless the entry has another address by now.
        whose = Player.objects.filter(mails=mail, contact__email=mail.to)
        whose.update(ticket_sent_at=now)


def forget_bodies() -> int:
    """The words of mails that were sent a while ago, or could not be; that they were, stays."""
    now = timezone.now()
    with_words = Mail.objects.exclude(body="")
    old = with_words.filter(status=MailStatus.SENT, sent_at__lt=now - BODIES_KEPT)
    lost = with_words.failed().filter(created_at__lt=now - FAILED_KEPT)
    return old.update(body="") + lost.update(body="")
