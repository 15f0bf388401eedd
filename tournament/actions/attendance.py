"""The door, and people who come and go: one step of one player."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from tournament.actions.players import promote_waiting, refuse_erased
from tournament.models import Event, LogEntry, Player, Seat, Submission
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.players import HOLDS_A_PLACE, PlayerStatus
from tournament.models.rounds import RoundStatus
from tournament.queries.names import called
from tournament.queries.players import known_people, namesake_of
from tournament.queries.registration import places_left
from tournament.refusals import Refused
from tournament.states import PLAYER_STEPS

EXPECTED_OR_HERE = (PlayerStatus.WAITING, PlayerStatus.REGISTERED, PlayerStatus.CHECKED_IN)
GOES_BACK = ("undo-check-in", "undo-withdraw")


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
    if step in GOES_BACK and player.came_from not in ("", player.status):
        # Whoever is noted as not here was expected, whatever they were before.
        to = to if player.status == PlayerStatus.NO_SHOW else player.came_from
    if Submission.objects.processed(event, key) or player.status == to:
        return player
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    if to in EXPECTED_OR_HERE:
        refuse_erased(player)
    if player.status not in PLAYER_STEPS[step].sources:
        raise Refused(
            _("%(name)s is “%(state)s” now: this is not possible.")
            % {"name": called(player), "state": player.status_label}
        )
    if unless_seated and player.seats.in_force().exists():
        raise Refused(
            _("%(name)s is seated already: let them drop out instead.") % {"name": called(player)}
        )
    if step == "undo-withdraw" and to in HOLDS_A_PLACE and places_left(event) == 0:
        raise Refused(
            _("The place of %(name)s is taken now. Whoever comes all the same is checked in.")
            % {"name": player.name}
        )
    if player.status == PlayerStatus.WITHDRAWN and not namesake:
        _check_namesake(event, player)
    before = player.status
    player.status = to
    if to in (PlayerStatus.CHECKED_IN, PlayerStatus.WITHDRAWN) and step not in GOES_BACK:
        player.came_from = before
    dropped = to == PlayerStatus.DROPPED
    player.dropped_after = event.rounds.played().count() if dropped else None
    player.save(update_fields=["status", "dropped_after", "came_from"])
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
def check_in_all(
    *, event: Event, numbers: Collection[int], by: Actor, key: str = ""
) -> tuple[int, ...]:
    """Everybody of these who is expected, in one step; the start numbers of those who are here by
    it. Who came or went meanwhile stays as noted."""
    event = Event.objects.lock(event.pk)
    if Submission.objects.processed(event, key):
        return ()
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    # Not by the list itself: thousands of numbers are more than a query takes.
    expected, wanted = event.players.expected(), frozenset(numbers)
    found = tuple(n for n in expected.values_list("number", flat=True) if n in wanted)
    _set_status(event, found, PlayerStatus.CHECKED_IN, came_from=PlayerStatus.REGISTERED)
    Submission.objects.remember(event, key)
    if found:
        LogEntry.objects.record("players.checked_in", event=event, by=by, after=list(found))
    return found


@transaction.atomic
def undo_check_in_all(*, event: Event, numbers: Collection[int], by: Actor) -> None:
    """All of these who came by that one step are expected again; refused where one of them was
    seated since, or nobody is left."""
    event = Event.objects.lock(event.pk)
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    seats = Seat.objects.in_force().filter(round__event=event).order_by("player__number")
    seated = dict(seats.values_list("player__number", "player__name"))
    if name := next((name for number, name in seated.items() if number in numbers), ""):
        raise Refused(
            _("%(name)s is seated already: undo what is wrong one by one.") % {"name": name}
        )
    # Whoever came from elsewhere was checked in once more by somebody else.
    here = event.players.here().filter(came_from=PlayerStatus.REGISTERED)
    found = tuple(n for n in here.values_list("number", flat=True) if n in numbers)
    if not found:
        raise Refused(_("There is nothing to take back."))
    _set_status(event, found, PlayerStatus.REGISTERED, came_from="")
    LogEntry.objects.record("players.check_in_undone", event=event, by=by, after=list(found))


def _set_status(event: Event, numbers: Sequence[int], status: str, *, came_from: str) -> None:
    for first in range(0, len(numbers), 500):
        event.players.filter(number__in=numbers[first : first + 500]).update(
            status=status, came_from=came_from
        )


@transaction.atomic
def undo_check_in(*, player: Player, by: Actor) -> Player:
    return _step("undo-check-in", player, by, unless_seated=True)


@transaction.atomic
def undo_withdraw(*, player: Player, by: Actor) -> Player:
    """Withdrawn by mistake: as before, unless somebody has the place now."""
    return _step("undo-withdraw", player, by)


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
