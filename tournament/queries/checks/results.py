"""The frozen result of a finished event."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from tournament.models import Result
from tournament.models.events import EventStatus
from tournament.queries.checks.facts import Facts
from tournament.queries.results import results_now

_SAME = ("number", "rank", "shared", "points", "stars", "reached", "won")


def results_as_frozen(facts: Facts) -> Iterator[str]:
    """What was frozen when the event was finished is what the facts come to."""
    frozen = facts.event.freezes.in_force().first()
    if facts.event.status != EventStatus.FINISHED or frozen is None:
        return
    try:
        computed = {one.number: one for one in results_now(facts.event)}
    except Refusal:  # a deal that is illegal: named by the check of the deals
        return
    stored = {one.number: one for one in frozen.results.all()}
    if frozen.field != len(stored) or stored.keys() != computed.keys():
        yield _("The frozen result has %(stored)d players, and the standings %(computed)d.") % {
            "stored": len(stored),
            "computed": len(computed),
        }
        return
    for number, one in stored.items():
        if _told(one) != _told(computed[number]):
            yield _("The frozen result of player %(number)d is not what the standings say.") % {
                "number": number
            }
            return


def _told(result: Result) -> list[object]:
    return [getattr(result, name) for name in _SAME]
