"""A drawn round: publishing, cancelling, closing."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament import rulebook
from tournament.models import (
    Cut,
    Deal,
    Event,
    LogEntry,
    Player,
    Round,
    RoundClock,
    Scoresheet,
    Table,
    TableTime,
)
from tournament.models.actors import Actor
from tournament.models.base import new_token
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import OPEN_ROUND, RoundStatus
from tournament.queries.cuts import cut_into, is_frozen
from tournament.queries.names import listed_names
from tournament.queries.rules import rules_in_force
from tournament.queries.seating_changes import playing_tables
from tournament.refusals import SEATED_BY_CUT, Refused
from tournament.states import ROUND_STEPS


def lock_round(round_: Round, *statuses: str) -> tuple[Event, Round]:
    """Lock the event, then the round, and refuse a round in another state."""
    event = Event.objects.lock(round_.event_id)
    round_ = Round.objects.lock(round_.pk)
    round_.event = event
    if round_.status not in statuses:
        raise Refused(
            _("%(round)s is “%(state)s”: this is not possible now.")
            % {"round": round_.label, "state": RoundStatus(round_.status).label}
        )
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished. Open it again first."))
    return event, round_


def lock_sheets(round_: Round) -> None:
    """Wait for whoever is saving a deal at one of the tables, and keep the next one waiting."""
    list(Scoresheet.objects.filter(table__round=round_).locked().values_list("pk", flat=True))


def refuse_after_cut(round_: Round) -> None:
    if not round_.is_preliminary:
        raise Refused(SEATED_BY_CUT)


def save_round(round_: Round, *fields: str) -> None:
    """One change more: who sends an older version has not seen it."""
    round_.version += 1
    round_.save(update_fields=[*fields, "version"])


def _lock_for(step: str, round_: Round, *, lock_deals: bool = False) -> tuple[Event, Round]:
    """Lock a round that this step is possible for. `lock_deals`: no deal is saved meanwhile."""
    event, round_ = lock_round(round_, *ROUND_STEPS[step].sources)
    if lock_deals:
        lock_sheets(round_)
    return event, round_


def _write_step(
    step: str,
    event: Event,
    round_: Round,
    by: Actor,
    *fields: str,
    target: str | None = None,
    **more: Any,
) -> Round:
    """Write the round in its new state (`target`, or the step's own), and the log entry."""
    round_.status = target or ROUND_STEPS[step].target
    save_round(round_, "status", *fields)
    LogEntry.objects.record(ROUND_STEPS[step].verb, event=event, by=by, about=round_, **more)
    return round_


@transaction.atomic
def publish_round(*, round_: Round, by: Actor) -> Round:
    """Everybody sees their seat; the tables' links let deals in."""
    event, round_ = _lock_for("publish", round_)
    gone = list(Player.objects.filter(seats__round=round_).exclude(status=PlayerStatus.CHECKED_IN))
    # A finalist who has left is no hindrance: the seat passes on by declining.
    if gone and round_.is_preliminary:
        raise Refused(
            _("Seated, but no longer here: %(names)s. Take them out, or draw again.")
            % {"names": listed_names(gone)}
        )
    round_.published_at = timezone.now()
    return _write_step("publish", event, round_, by, "published_at")


@transaction.atomic
def unpublish_round(*, round_: Round, by: Actor) -> Round:
    """Somebody is missing: back to a draft, while no deal has been entered."""
    event, round_ = _lock_for("unpublish", round_, lock_deals=True)
    if playing_tables(round_):
        raise Refused(_("Deals have been entered already: the tables stay as they are."))
    round_.published_at = None
    # Started anew when it is published again, for every table.
    RoundClock.objects.filter(round=round_).delete()
    TableTime.objects.filter(table__round=round_).delete()
    # Nobody is late for a draft, and no judge is wanted there.
    now = timezone.now()
    round_.late_arrivals.in_force().update(withdrawn_at=now)
    event.calls.open().filter(table__round=round_).update(withdrawn_at=now)
    return _write_step("unpublish", event, round_, by, "published_at")


@transaction.atomic
def cancel_round(*, round_: Round, reason: str, by: Actor, drawn_again: bool = False) -> Round:
    """The round does not count; its facts stay stored, and it can be brought back. Once it was
    published a reason is needed. Without any round left, the event is as before its first draw."""
    event, round_ = _lock_for("cancel", round_, lock_deals=True)
    if not reason and round_.status == RoundStatus.PUBLISHED:
        raise Refused(_("The round is published: say why it is cancelled."))
    played = Deal.objects.filter(sheet__table__round__event=event)
    others = event.rounds.in_force().exclude(pk=round_.pk)
    if not played.exists() and not others.exists():
        event.status, event.frozen_rules = EventStatus.REGISTRATION, None
        if event.semi_bands:
            event.semi_seats = 0  # who is there at the next first draw decides anew
        event.save(update_fields=["status", "frozen_rules", "semi_seats"])
    before = round_.status
    after = {"drawn_again": True} if drawn_again else None
    return _write_step("cancel", event, round_, by, before=before, after=after, reason=reason)


@transaction.atomic
def restore_round(*, round_: Round, by: Actor) -> Round:
    """Bring a cancelled round back as it was, into the situation it was drawn for: nothing has come
    after it, its people are here, a final's are the finalists."""
    event, round_ = _lock_for("restore", round_)
    if event.status not in (EventStatus.REGISTRATION, EventStatus.RUNNING):
        raise Refused(_("Publish the event first."))
    same = Q(stage=round_.stage, number=round_.number)
    later = event.rounds.in_force().filter(Q(pk__gt=round_.pk) | Q(status__in=OPEN_ROUND) | same)
    if later.exists() or is_frozen(event, round_.stage):
        raise Refused(_("Something came after this round: it can't be brought back."))
    if not round_.is_preliminary:
        _check_qualified(cut_into(event, round_.stage), round_)
    _check_still_here(round_)
    _check_rules_still_hold(event, round_)
    # The step leads to a draft; a round that people had seen goes on where it was.
    played = round_.published_at is not None
    begin_play(event)
    return _write_step(
        "restore", event, round_, by, target=RoundStatus.PUBLISHED if played else None
    )


def _check_qualified(cut: Cut | None, round_: Round) -> None:
    if cut is None:
        raise Refused(_("The cut is undone: make it again, then give the seats anew."))
    seated = set(round_.seats.values_list("player_id", flat=True))
    if seated != set(cut.qualifiers.seated().values_list("player_id", flat=True)):
        raise Refused(_("Others have the seats now: give them anew."))


def _check_rules_still_hold(event: Event, round_: Round) -> None:
    """The settings may have changed while no round was in force, and a deal loss been withdrawn on
    which typed points rest."""
    if event.frozen_rules is None and round_.deals != event.deals_of(round_.stage):
        raise Refused(_("The settings have changed since: draw a new round instead."))
    for table in round_.tables.select_related("sheet").order_by("number"):
        seats = list(table.seats.select_related("player").order_by("position"))
        losses = rulebook.losses_at(event, round_, seats)
        deals = table.sheet.deals.order_by("number")
        if wrong := rulebook.first_wrong(event, deals, losses, len(seats)):
            raise Refused(
                _(
                    "The typed points of %(table)s, deal %(deal)d, are only possible with a "
                    "deal loss that was withdrawn. Give it again first."
                )
                % {"table": table, "deal": wrong.number}
            )


def _check_still_here(round_: Round) -> None:
    """Whoever left in the middle of a game stays in it; nobody begins one in their absence."""
    begun = Deal.objects.filter(sheet__table__round=round_).values("sheet__table")
    seats = round_.seats.exclude(table__in=begun)
    gone = seats.exclude(player__status=PlayerStatus.CHECKED_IN).order_by("player__number")
    if names := list(gone.values_list("player__name", flat=True)):
        raise Refused(
            _("Seated, but no longer here: %(names)s. Draw a new round instead.")
            % {"names": ", ".join(names)}
        )


@transaction.atomic
def close_round(*, round_: Round, by: Actor) -> Round:
    """Needs every sheet confirmed."""
    event, round_ = _lock_for("close", round_, lock_deals=True)
    unconfirmed = Scoresheet.objects.filter(table__round=round_).unconfirmed()
    missing = unconfirmed.order_by("table__number").values_list("table__number", flat=True)
    if missing:
        raise Refused(
            _("Not confirmed yet: table %(tables)s.")
            % {"tables": ", ".join(str(number) for number in missing)}
        )
    round_.closed_at = timezone.now()
    return _write_step("close", event, round_, by, "closed_at")


@transaction.atomic
def reopen_round(*, round_: Round, by: Actor, reason: str) -> Round:
    """The last round goes on, for instance because a table plays its last deal after all."""
    event, round_ = _lock_for("reopen", round_)
    if event.rounds.in_force().filter(pk__gt=round_.pk).exists():
        raise Refused(_("A later round exists. Reopen the sheet that is wrong instead."))
    if is_frozen(event, round_.stage):
        raise Refused(_("The cut is made. Undo it first."))
    round_.closed_at = None
    return _write_step("reopen", event, round_, by, "closed_at", reason=reason)


def begin_play(event: Event) -> None:
    """With its first round an event is running, and its rules are fixed."""
    if event.frozen_rules is None:
        if event.semi_bands:
            event.semi_seats = semi_seats_for(event, event.players.here().count())
        event.frozen_rules = rules_in_force(event)
        event.status = EventStatus.RUNNING
        event.save(update_fields=["frozen_rules", "status", "semi_seats"])


def semi_seats_for(event: Event, players: int) -> int:
    """How many play the semi-final, as it was announced for so many players; 0: there is none."""
    fitting = [seats for least, seats in event.semi_bands if players >= least]
    return fitting[-1] if fitting else 0


@transaction.atomic
def new_table_link(*, table: Table, by: Actor) -> Table:
    """A new link for a table; the old one stops working."""
    event = Event.objects.lock(table.round.event_id)
    table = Table.objects.lock(table.pk)
    table.token = new_token()
    table.save(update_fields=["token"])
    LogEntry.objects.record("table.new_link", event=event, by=by, about=table)
    return table
