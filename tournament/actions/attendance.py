"""The door, and people who come and go: one step of one player."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from tournament.actions.players import promote_waiting
from tournament.models import Event, LogEntry, Player, Seat, Submission
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus
from tournament.queries.names import called
from tournament.queries.players import known_people, namesake_of
from tournament.refusals import Refused
from tournament.states import PLAYER_STEPS


def _step(
    step: str,
    player: Player,
    by: Actor,
    *,
    unless_seated: bool = False,
    namesake: bool = False,
    reason: str = "",
    key: str = "",
) -> Player:
    """One step of a player (`PLAYER_STEPS`): promote who waited, log once. What it depends on is
    read under the event's lock: a draw may be written at this very moment."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.select_related("contact").get(pk=player.pk)
    to = PLAYER_STEPS[step].target
    if step == "undo-check-in" and player.status == PlayerStatus.CHECKED_IN:
        to = player.checked_in_from or to
    if Submission.objects.processed(event, key) or player.status == to:
        return player
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    if player.status not in PLAYER_STEPS[step].sources:
        raise Refused(
            _("%(name)s is “%(state)s” now: this is not possible.")
            % {"name": called(player), "state": player.status_label}
        )
    if unless_seated and player.seats.in_force().exists():
        raise Refused(
            _("%(name)s is seated already: let them drop out instead.") % {"name": called(player)}
        )
    if player.status == PlayerStatus.WITHDRAWN and not namesake:
        _check_namesake(event, player)
    before = player.status
    player.status = to
    if to == PlayerStatus.CHECKED_IN:
        player.checked_in_from = before
    dropped = to == PlayerStatus.DROPPED
    player.dropped_after = event.rounds.played().count() if dropped else None
    player.save(update_fields=["status", "dropped_after", "checked_in_from"])
    promoted = [] if event.status == EventStatus.RUNNING else promote_waiting(event)
    Submission.objects.remember(event, key, player)
    LogEntry.objects.record(
        PLAYER_STEPS[step].verb,
        event=event,
        by=by,
        about=player,
        before=before,
        after={"status": to, "promoted": [one.number for one in promoted]} if promoted else to,
        reason=reason,
    )
    return player


def _check_namesake(event: Event, player: Player) -> None:
    """Whoever withdrew and registered again has another entry, and would play with both."""
    number = namesake_of(known_people(event), player.name, player.email)
    if number is not None:
        raise Refused(
            _(
                "This entry has withdrawn, and %(name)s is in the list again, with number "
                "%(number)d. Check in both only if they are two people."
            )
            % {"name": player.name, "number": number},
            code="namesake",
        )


@transaction.atomic
def withdraw(*, player: Player, by: Actor, reason: str = "") -> Player:
    """Before playing: gives the place to the next on the waiting list."""
    return _step("withdraw", player, by, unless_seated=True, reason=reason)


@transaction.atomic
def check_in(*, player: Player, by: Actor, key: str = "", namesake: bool = False) -> Player:
    """At the door, or late: from the next draw on the player is seated. `namesake`: somebody said
    that this withdrawn entry is another person than the one who has the name now."""
    return _step("check-in", player, by, key=key, namesake=namesake)


@transaction.atomic
def undo_check_in(*, player: Player, by: Actor) -> Player:
    return _step("undo-check-in", player, by, unless_seated=True)


@transaction.atomic
def mark_no_show(*, player: Player, by: Actor) -> Player:
    return _step("no-show", player, by)


@transaction.atomic
def drop(*, player: Player, by: Actor, reason: str = "") -> Player:
    """Keeps the points, is seated no more, and cannot reach the cut. Whoever was never seated has
    none: that is a withdrawal, and the place goes to the next who waits."""
    event = Event.objects.lock(player.event_id)
    here = event.players.here().filter(pk=player.pk).exists()
    seated = Seat.objects.in_force().filter(round__event=event, player=player).exists()
    return _step("withdraw" if here and not seated else "drop", player, by, reason=reason)


@transaction.atomic
def come_back(*, player: Player, by: Actor) -> Player:
    """Somebody who dropped out plays on."""
    return _step("come-back", player, by)


@transaction.atomic
def mark_missing(*, player: Player, by: Actor) -> Player:
    """Has a seat, but is not there when the round begins: has dropped out after having played,
    else was never here; who has gone already stays so. Undone at the door, or with the change of
    the tables."""
    if player.status not in PLAYER_STEPS["miss"].sources:
        return player
    if player.seats.filter(round__status=RoundStatus.CLOSED).exists():
        return drop(player=player, by=by)
    return _step("miss", player, by)


@transaction.atomic
def mark_present(*, player: Player, by: Actor) -> Player:
    """Here after all, whatever was noted."""
    return (come_back if player.status == PlayerStatus.DROPPED else check_in)(player=player, by=by)
