"""The door, and people who come and go: one step of one player."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from tournament.actions.players import promote_waiting
from tournament.actor import Actor
from tournament.models import Event, LogEntry, Player, Seat
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus
from tournament.refused import Refused


def _set_status(
    player: Player,
    *,
    allowed: Sequence[str],
    to: str,
    verb: str,
    by: Actor,
    dropped_after: int | None = None,
    reason: str = "",
    key: str = "",
) -> Player:
    """Move a player from one of the allowed states to another, promote who waited, log once."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.get(pk=player.pk)
    if LogEntry.objects.done(event, key) or player.status == to:
        return player
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    if player.status not in allowed:
        raise Refused(
            _("%(name)s is “%(state)s” now: this is not possible.")
            % {"name": player.name, "state": player.status_label}
        )
    before = player.status
    player.status, player.dropped_after = to, dropped_after
    player.save(update_fields=["status", "dropped_after"])
    promoted = [] if event.status == EventStatus.RUNNING else promote_waiting(event)
    LogEntry.objects.record(
        verb,
        event=event,
        by=by,
        about=player,
        before=before,
        after={"status": to, "promoted": [one.number for one in promoted]} if promoted else to,
        reason=reason,
        key=key,
    )
    return player


S = PlayerStatus


@transaction.atomic
def withdraw(*, player: Player, by: Actor, reason: str = "") -> Player:
    """Before playing: gives the place to the next on the waiting list."""
    if Seat.objects.filter(player=player).exclude(round__status=RoundStatus.CANCELLED).exists():
        raise Refused(
            _("%(name)s is seated already: let them drop out instead.") % {"name": player.name}
        )
    return _set_status(
        player,
        allowed=(S.WAITING, S.REGISTERED, S.CHECKED_IN, S.NO_SHOW),
        to=S.WITHDRAWN,
        verb="player.withdrew",
        by=by,
        reason=reason,
    )


@transaction.atomic
def check_in(*, player: Player, by: Actor, key: str = "") -> Player:
    """At the door, or late: from the next draw on the player is seated."""
    return _set_status(
        player,
        allowed=(S.REGISTERED, S.NO_SHOW, S.WAITING, S.WITHDRAWN),
        to=S.CHECKED_IN,
        verb="player.checked_in",
        by=by,
        key=key,
    )


@transaction.atomic
def undo_check_in(*, player: Player, by: Actor) -> Player:
    if Seat.objects.filter(player=player).exclude(round__status=RoundStatus.CANCELLED).exists():
        raise Refused(
            _("%(name)s is seated already: let them drop out instead.") % {"name": player.name}
        )
    return _set_status(
        player,
        allowed=(S.CHECKED_IN, S.NO_SHOW),
        to=S.REGISTERED,
        verb="player.check_in_undone",
        by=by,
    )


@transaction.atomic
def mark_no_show(*, player: Player, by: Actor) -> Player:
    return _set_status(player, allowed=(S.REGISTERED,), to=S.NO_SHOW, verb="player.no_show", by=by)


@transaction.atomic
def drop(*, player: Player, by: Actor, reason: str = "") -> Player:
    """Keeps the points, is seated no more, and cannot reach the cut."""
    rounds_begun = player.event.rounds.filter(
        status__in=(RoundStatus.PUBLISHED, RoundStatus.CLOSED)
    ).count()
    return _set_status(
        player,
        allowed=(S.CHECKED_IN,),
        to=S.DROPPED,
        verb="player.dropped",
        by=by,
        dropped_after=rounds_begun,
        reason=reason,
    )


@transaction.atomic
def come_back(*, player: Player, by: Actor) -> Player:
    """Somebody who dropped out, or withdrew, plays on."""
    return _set_status(
        player,
        allowed=(S.DROPPED, S.WITHDRAWN),
        to=S.CHECKED_IN,
        verb="player.came_back",
        by=by,
    )


@transaction.atomic
def mark_missing(*, player: Player, by: Actor) -> Player:
    """Has a seat, but is not there when the round begins: has dropped out after having played,
    else was never here; who has gone already stays so. Undone at the door, or with the change of
    the tables."""
    if player.status not in (S.CHECKED_IN, S.REGISTERED):
        return player
    if Seat.objects.filter(player=player, round__status=RoundStatus.CLOSED).exists():
        return drop(player=player, by=by)
    return _set_status(
        player,
        allowed=(S.CHECKED_IN, S.REGISTERED),
        to=S.NO_SHOW,
        verb="player.no_show",
        by=by,
    )


@transaction.atomic
def mark_present(*, player: Player, by: Actor) -> Player:
    """Here after all, whatever was noted."""
    return (come_back if player.status == S.DROPPED else check_in)(player=player, by=by)
