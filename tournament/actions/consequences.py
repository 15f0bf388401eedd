"""What a correction would do to what counts already, before it is done.

The change is carried out and taken back in one transaction, and the standings before and after are
compared: so what is shown is what the actions do, not what somebody thought they do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Event, LogEntry, Scoresheet
from tournament.models.actors import Actor
from tournament.models.scoresheets import SheetStatus
from tournament.queries.consequences import Consequences, compared
from tournament.queries.standings import StandingsTable, compute_standings
from tournament.refusals import Conflict


def consequences_of(
    event: Event, change: Callable[[], Any], *, counting: Scoresheet | None = None
) -> Consequences:
    """What `change` would do; whatever it refuses is raised. `counting`: a sheet that is open and
    is looked at as if it were confirmed, before and after."""
    with transaction.atomic():
        before = _board(event, counting)
        change()
        after = _board(event, counting)
        found = compared(event, before, after, once_confirmed=counting is not None)
        transaction.set_rollback(True)
    return found


def carry_out_noted(
    event: Event,
    change: Callable[[], Any],
    found: Consequences,
    by: Actor,
    *,
    counting: Scoresheet | None = None,
) -> Any:
    """Carry the change out; its log entry keeps what it did. Conflict where it would do something
    else by now than what was found."""
    with transaction.atomic():
        # Locked, so that nothing comes between the last look and the change.
        Event.objects.lock(event.pk)
        if found.matter and consequences_of(event, change, counting=counting) != found:
            raise Conflict(
                _("Things went on meanwhile. Look at what it does now, then press again.")
            )
        last = LogEntry.objects.filter(event=event).values_list("pk", flat=True).first() or 0
        done = change()
        own = LogEntry.objects.filter(event=event, actor=by.signature, pk__gt=last)
        # The first entry is the change's own; others belong to what followed from it.
        if found.matter and (entry := own.order_by("pk").first()):
            entry.effect = found.as_facts()
            entry.save(update_fields=["effect"])
        return done


def _board(event: Event, counting: Scoresheet | None) -> StandingsTable:
    fresh = Event.objects.get(pk=event.pk)
    if counting is None:
        return compute_standings(fresh)
    with transaction.atomic():
        sheet = Scoresheet.objects.filter(pk=counting.pk)
        sheet.update(status=SheetStatus.CONFIRMED, confirmed_at=timezone.now())
        board = compute_standings(fresh)
        transaction.set_rollback(True)
    return board
