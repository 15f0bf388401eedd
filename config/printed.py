"""Mails where no mail server is set: on the terminal, as somebody reads them."""

from __future__ import annotations

from django.core.mail import EmailMessage
from django.core.mail.backends import console


class EmailBackend(console.EmailBackend):
    """The raw form of a mail breaks long lines, and so the link that somebody has to open."""

    def write_message(self, message: EmailMessage) -> None:
        to = ", ".join(message.recipients())
        self.stream.write(f"To: {to}\nSubject: {message.subject}\n\n{message.body}\n{'-' * 79}\n")
