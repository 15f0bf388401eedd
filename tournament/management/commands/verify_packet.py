"""`manage.py verify_packet FILE [--key KEY]`: whether a packet is as its site made it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament import signatures
from tournament.management.base import in_words


class Command(BaseCommand):
    help = "Check the signature of a packet against this site's keys, or against the one given."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--key", help="the key that stands on the sender's page /key/")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            signer = signatures.signer_of(path.read_bytes())
        except OSError as error:
            raise CommandError(f"It can't be read: {in_words(error)}") from error
        except signatures.BadSignature:
            raise CommandError(
                f"{path} is no packet as it was signed: it was changed, cut off, or never signed."
            ) from None
        wanted = options["key"]
        known = signatures.known_keys() if wanted is None else (wanted.strip().lower(),)
        if signer not in known:
            raise CommandError(
                f"{path} is signed by another key: {signer}\n"
                "If that is the key on the sender's page /key/, give it by --key."
            )
        self.stdout.write(f"{path}: as it was made, signed by {signer}")
