"""The cut, its lots, and seats that are declined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.lots import lot_order
from scoring.standings import SemiFinalRow, StandingRow, standings
from tournament import rulebook
from tournament.actions.rounds import lock_sheets, save_round
from tournament.actions.seats import replace_tables
from tournament.models import (
    Cut,
    Event,
    LogEntry,
    Lot,
    Player,
    Qualifier,
    Round,
    Scoresheet,
    Submission,
)
from tournament.models.actors import Actor
from tournament.models.cuts import QualifierStatus
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus, Stage
from tournament.queries.cuts import (
    all_is_played,
    drawn_on_line,
    final_of,
    follows_semi_final,
    line_of,
    next_cut,
    round_of,
    rounds_before,
)
from tournament.queries.names import called
from tournament.queries.seating_changes import seats_by_table
from tournament.queries.standings import shared_places
from tournament.refusals import Conflict, Refused


@transaction.atomic
def make_cut(*, event: Event, by: Actor, key: str = "") -> Cut:
    """Freeze the standings of the stage that is over and name who is above the line into the next;
    those level on it wait for a lot."""
    event = Event.objects.lock(event.pk)
    if done := Submission.objects.outcome(event, key):
        if cut := event.cuts.in_force().filter(pk=done).first():
            return cut
        raise Conflict(_("This page is old: the cut it made was undone. Press again."))
    stage = next_cut(event)
    _check_may_cut(event, stage)
    cut = Cut.objects.create(
        event=event,
        stage=stage,
        size=event.semi_seats if stage == Stage.SEMI_FINAL else event.cut_size,
        standings=[asdict(row) for row in _rows_before(event, stage)],
        excluded=[
            rulebook.player_id(number)
            for number in event.players.exclude(status=PlayerStatus.CHECKED_IN).values_list(
                "number", flat=True
            )
        ],
    )
    line = line_of(cut)
    _offer_seats(cut)
    Submission.objects.remember(event, key, cut)
    LogEntry.objects.record(
        "cut.made",
        event=event,
        by=by,
        about=cut,
        after={"qualified": list(line.qualified), "level": list(line.level)},
    )
    return cut


def _rows_before(event: Event, stage: str) -> Sequence[StandingRow | SemiFinalRow]:
    """The standings of the stage before this one."""
    found = standings(rulebook.event_file(event))
    return found.semi_final if follows_semi_final(event, stage) else found.preliminary


def _check_may_cut(event: Event, stage: str) -> None:
    if event.status != EventStatus.RUNNING:
        raise Refused(_("The event is not running."))
    if not event.has_final:
        raise Refused(_("This event has no final."))
    if event.cuts.in_force().into(stage).exists():
        raise Refused(_("The cut is made already."))
    rounds = rounds_before(event, stage)
    if not rounds.exists():
        if follows_semi_final(event, stage):
            raise Refused(_("The semi-final has not been played yet."))
        raise Refused(_("No round has been played yet."))
    if rounds.exclude(status=RoundStatus.CLOSED).exists():
        raise Refused(_("Close the running round first."))
    if Scoresheet.objects.filter(table__round__in=rounds).unconfirmed().exists():
        raise Refused(_("A sheet was reopened and is not confirmed yet."))


def _offer_seats(cut: Cut) -> list[Qualifier]:
    """Seats for everybody who is above the line now and was not offered one before."""
    offered = {one.player_id for one in cut.qualifiers.all()}
    # Not their number: a seat taken back removes one, which need not be the last.
    place = cut.qualifiers.aggregate(last=Max("place"))["last"] or 0
    players = rulebook.players_by_id(cut.event)
    drawn = drawn_on_line(cut)
    new = []
    for player_id in line_of(cut).qualified:
        player = players[player_id]
        if player.pk not in offered:
            place += 1
            new.append(Qualifier(cut=cut, player=player, place=place, by_lot=player_id in drawn))
    return Qualifier.objects.bulk_create(new)


def lock_cut(cut: Cut) -> tuple[Event, Cut]:
    event = Event.objects.lock(cut.event_id)
    cut = Cut.objects.lock(cut.pk)
    cut.event = event
    if cut.undone_at is not None or event.status != EventStatus.RUNNING:
        raise Refused(_("This cut is not in force any more."))
    return event, cut


def record_lot(
    event: Event,
    *,
    line: str,
    players: Sequence[str],
    paper_order: Sequence[str] | None,
    paper_note: str,
    final: Round | None = None,
) -> Lot:
    """The event's next secret decides, or an order drawn on paper is typed in."""
    if paper_order is None:
        number = event.lots.exclude(secret="").count() + 1
        if number > rulebook.LOTS_AT_MOST:
            raise Refused(_("This event has drawn all its lots. Draw this one on paper."))
        secret = rulebook.lot_secret(event, number)
        order = lot_order(secret, line, players)
        return Lot.objects.create(
            event=event,
            line=line,
            final=final,
            players=list(players),
            order=order,
            secret=secret,
        )
    if sorted(paper_order) != sorted(players):
        raise Refused(_("The order must hold everybody who is level, each once."))
    if not paper_note:
        raise Refused(_("Say who drew the lot, and how."))
    return Lot.objects.create(
        event=event,
        line=line,
        final=final,
        players=list(players),
        order=list(paper_order),
        paper_note=paper_note,
    )


def log_lot(lot: Lot, by: Actor, key: str) -> Lot:
    Submission.objects.remember(lot.event, key, lot)
    LogEntry.objects.record(
        "lot.drawn",
        event=lot.event,
        by=by,
        about=lot,
        after=list(lot.order),
        reason=lot.paper_note,
    )
    return lot


@transaction.atomic
def settle_line(
    *,
    cut: Cut,
    by: Actor,
    paper_order: Sequence[str] | None = None,
    paper_note: str = "",
    key: str = "",
) -> Lot | None:
    """A lot among all who are level on the line, for all free seats."""
    event, cut = lock_cut(cut)
    if Submission.objects.processed(event, key):
        return event.lots.of_standings().exclude(line__startswith="place:").last()
    line = line_of(cut)
    if line.line is None:
        raise Refused(_("Nobody is level on the line: no lot is needed."))
    lot = record_lot(
        event,
        line=line.line,
        players=line.level,
        paper_order=paper_order,
        paper_note=paper_note,
    )
    _offer_seats(cut)
    return log_lot(lot, by, key)


@transaction.atomic
def settle_place(
    *,
    event: Event,
    rank: int,
    by: Actor,
    paper_order: Sequence[str] | None = None,
    paper_note: str = "",
    key: str = "",
) -> Lot:
    """A lot among those who share a rank, where a single prize or place depends on it."""
    event = Event.objects.lock(event.pk)
    if Submission.objects.processed(event, key):
        return event.lots.filter(line__startswith="place:").latest("pk")
    if event.status != EventStatus.RUNNING:
        raise Refused(_("The event is not running."))
    if not all_is_played(event):
        raise Refused(_("Not everything is played and confirmed yet: this place may change."))
    tied = shared_places(event).get(rank)
    if not tied:
        raise Refused(_("Nobody shares this rank: no lot is needed."))
    lot = record_lot(
        event,
        line=f"place:{rank}",
        final=final_of(event),
        players=tied,
        paper_order=paper_order,
        paper_note=paper_note,
    )
    return log_lot(lot, by, key)


@transaction.atomic
def decline_seat(*, qualifier: Qualifier, reason: str, by: Actor) -> Qualifier:
    """The seat goes to the next in order, until the first deal of its stage. A person who is next
    takes the very seat if the stage is drawn already."""
    event, cut = lock_cut(qualifier.cut)
    qualifier = cut.qualifiers.select_related("player").get(pk=qualifier.pk)
    if qualifier.status != QualifierStatus.IN:
        raise Refused(_("This seat was declined already."))
    stage = _not_begun(cut)
    qualifier.status = QualifierStatus.DECLINED
    qualifier.reason = reason
    qualifier.save(update_fields=["status", "reason"])
    moved_up = _offer_seats(cut)
    if stage is not None:
        _pass_seat_on(stage, qualifier.player, moved_up[0].player if moved_up else None)
    LogEntry.objects.record(
        "seat.declined",
        event=event,
        by=by,
        about=qualifier,
        after={"moves up": [one.player.number for one in moved_up]},
        reason=reason,
    )
    return qualifier


@transaction.atomic
def take_seat_back(*, qualifier: Qualifier, by: Actor) -> Qualifier:
    """A declined seat is taken after all, until the first deal of its stage. The last who moved up
    has none then."""
    event, cut = lock_cut(qualifier.cut)
    qualifier = cut.qualifiers.select_related("player").get(pk=qualifier.pk)
    player = qualifier.player
    if qualifier.status != QualifierStatus.DECLINED:
        raise Refused(_("This seat was not declined."))
    if player.status != PlayerStatus.CHECKED_IN:
        raise Refused(_("%(name)s is not here.") % {"name": called(player)})
    stage = _not_begun(cut)
    qualifier.status, qualifier.reason = QualifierStatus.IN, ""
    qualifier.save(update_fields=["status", "reason"])
    leaves = None
    if cut.qualifiers.seated().count() > cut.size:
        last = cut.qualifiers.seated().exclude(pk=qualifier.pk).select_related("player").last()
        assert last is not None  # noqa: S101 - more are in than there are seats
        leaves = last.player
        last.delete()
    if stage is not None and leaves is not None:
        _pass_seat_on(stage, leaves, player)
    elif stage is not None:
        raise Refused(
            _("It is drawn without this seat: %(round)s. Cancel it first.") % _named(stage)
        )
    LogEntry.objects.record(
        "seat.taken_back",
        event=event,
        by=by,
        about=qualifier,
        after={"leaves": [leaves.number] if leaves else []},
    )
    return qualifier


def _named(round_: Round) -> dict[str, str]:
    return {"round": round_.label}


def _not_begun(cut: Cut) -> Round | None:
    """The round that the cut leads into, if it is drawn; no deal of it is entered meanwhile."""
    later = cut.event.cuts.in_force().filter(pk__gt=cut.pk).exists()
    round_ = round_of(cut.event, cut.stage)
    if round_ is not None:
        lock_sheets(round_)
    if later or (round_ is not None and round_.has_deals()):
        raise Refused(
            _("It has begun: %(round)s. Its seats stay as they are.")
            % {"round": Stage(cut.stage).label}
        )
    return round_


def _pass_seat_on(round_: Round, leaves: Player, comes: Player | None) -> None:
    """Whoever comes takes the very seat."""
    if comes is None:
        raise Refused(
            _(
                "The next ones are level, or nobody is left. Cancel it first: %(round)s. Then "
                "settle the seat."
            )
            % _named(round_)
        )
    seats = seats_by_table(round_)
    number = next(number for number, table in seats.items() if leaves.pk in table)
    table = [comes.pk if player == leaves.pk else player for player in seats[number]]
    replace_tables(round_, {number: table})
    save_round(round_)


@transaction.atomic
def undo_cut(*, cut: Cut, reason: str, by: Actor) -> Cut:
    """The record is kept, out of force; sheets can be corrected and the cut made anew."""
    event, cut = lock_cut(cut)
    if event.cuts.in_force().filter(pk__gt=cut.pk).exists():
        raise Refused(_("A later cut is made. Undo that one first."))
    if (round_ := round_of(event, cut.stage)) is not None:
        raise Refused(_("It is drawn already: %(round)s. Cancel it first.") % _named(round_))
    if not reason:
        raise Refused(_("Say why the cut is undone."))
    cut.undone_at = timezone.now()
    cut.save(update_fields=["undone_at"])
    LogEntry.objects.record("cut.undone", event=event, by=by, about=cut, reason=reason)
    return cut
