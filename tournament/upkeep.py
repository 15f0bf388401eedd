"""What falls due by the clock: mails to try again, places to pass on, words to forget.

Each web worker looks once a minute, so nothing has to be set up beside it; what it finds is given
to the tasks' engine. Where several find the same, the rows' own locks let one do it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.tasks import task
from django.utils import timezone

from tournament import postman
from tournament.actions.places import events_with_lapsed, pass_on
from tournament.actions.retention import erase_contacts, erase_names
from tournament.models import Mail
from tournament.models.actors import Actor
from tournament.queries.retention import due_for_contacts, due_for_names
from tournament.refusals import Refused

EVERY = 60.0  # seconds
TIDY_EVERY = 3600.0

log = logging.getLogger(__name__)


@task
def pass_places() -> list[str]:
    """Places that were not answered in time go to the next in order; what came of it."""
    return list(_pass_places())


def _pass_places() -> Iterator[str]:
    for event in events_with_lapsed():
        try:
            offered = pass_on(event=event, by=Actor.command("pass_places"))
        except Refused as refused:
            log.warning("%s: %s", event.slug, refused.message)
            yield f"{event.slug}: {refused.message}"
        else:
            yield f"{event.slug}: {len(offered)} passed on"


@task
def forget_people() -> None:
    """Contacts and names of events that are over long enough."""
    by, now = Actor.command("upkeep"), timezone.now()
    for event in due_for_contacts(now):
        erase_contacts(event=event, by=by)
    for event in due_for_names(now):
        erase_names(event=event, by=by)


@task
def tidy() -> None:
    """What nobody needs any more."""
    postman.forget_bodies()
    forget_people.call()
    call_command("clearsessions")
    if settings.TASKS_ENGINE == "database":
        call_command("prune_db_task_results", "--queue-name=*", "--min-age-days=1", verbosity=0)


def look() -> None:
    """Give what is due now to the engine."""
    if Mail.objects.due(timezone.now()).exists():
        postman.deliver.enqueue()
    if events_with_lapsed():
        pass_places.enqueue()


def start() -> None:
    """Look from now on, as long as this process lives."""
    threading.Thread(target=_keep_looking, name="upkeep", daemon=True).start()


def _keep_looking() -> None:
    tidied = -TIDY_EVERY
    while True:
        try:
            look()
            if time.monotonic() - tidied >= TIDY_EVERY:
                tidied = time.monotonic()
                tidy.enqueue()
        except Exception:  # the database comes back, and so does the next minute
            log.exception("The upkeep went wrong; it goes on in a minute")
        finally:
            connections.close_all()
        time.sleep(EVERY)
