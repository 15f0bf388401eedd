"""`manage.py upkeep`: at once what falls due by the clock. A running server does it by itself; this
is for a site whose server is not running, or whose host prefers a timer."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from tournament import postman, upkeep
from tournament.management.base import require_data


class Command(BaseCommand):
    help = "Send mails that are due, pass on places that have expired, and tidy up."

    def handle(self, *args: Any, **options: Any) -> None:
        require_data()
        for line in upkeep.pass_places.call():
            self.stdout.write(line)
        postman.deliver.call()
        upkeep.tidy.call()
