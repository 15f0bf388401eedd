"""Telling everybody the ranks of standings that are hidden."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Event, LogEntry, Reveal
from tournament.models.actors import Actor
from tournament.queries.standings import standings_for
from tournament.queries.visibility import Withheld, public_standings
from tournament.refusals import Conflict, Refused


@transaction.atomic
def reveal_ranks(*, event: Event, down_to: int, by: Actor) -> int:
    """Everybody sees the ranks from `down_to` on, as they stand at any time; 1: nothing is hidden
    any more. Pressed twice it counts once. Returns how many people were revealed."""
    event = Event.objects.lock(event.pk)
    if event.reveals.in_force().filter(down_to=down_to).exists():
        return 0
    public = public_standings(event)
    if public.withheld not in (Withheld.REST, Withheld.RANKS):
        raise Refused(_("Nothing is hidden now."))
    if down_to < 1:
        raise Refused(_("Say down to which rank."))
    if public.withheld == Withheld.RANKS and down_to > public.hidden_ranks:
        raise Refused(_("Rank %(rank)d is revealed already.") % {"rank": down_to})
    board = standings_for(event)
    told = [
        row
        for row in board.ranked
        if row.rank >= down_to
        and (public.withheld == Withheld.REST or row.rank <= public.hidden_ranks)
    ]
    if not told and down_to != 1:
        raise Refused(_("Nobody has rank %(rank)d or stands behind it.") % {"rank": down_to})
    reveal = Reveal.objects.create(event=event, down_to=down_to)
    LogEntry.objects.record(
        "standings.revealed", event=event, by=by, about=reveal, after={"down_to": down_to}
    )
    return len(told)


@transaction.atomic
def take_reveal_back(*, event: Event, by: Actor, seen: int | None = None) -> Reveal:
    """The last press is taken back: what it revealed is hidden again. `seen`: the reveal that is
    meant; pressed twice it is taken back once. Raises Conflict where it is not the last one."""
    event = Event.objects.lock(event.pk)
    taken_back = event.reveals.filter(withdrawn_at__isnull=False)
    if seen is not None and (done := taken_back.filter(pk=seen).first()):
        return done
    reveal = event.reveals.in_force().last_told()
    if reveal is None:
        raise Refused(_("Nothing is revealed that could be hidden again."))
    if seen is not None and seen != reveal.pk:
        raise Conflict(_("More is revealed by now: look first at what would be hidden again."))
    reveal.withdrawn_at = timezone.now()
    reveal.save(update_fields=["withdrawn_at"])
    LogEntry.objects.record(
        "standings.hidden_again",
        event=event,
        by=by,
        about=reveal,
        before={"down_to": reveal.down_to},
    )
    return reveal


def hide_anew(event: Event) -> None:
    """Part of an action that changes what is hidden: whatever was revealed rested on the old
    setting."""
    event.reveals.in_force().update(withdrawn_at=timezone.now())
