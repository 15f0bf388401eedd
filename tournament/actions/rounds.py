"""A drawn round: publishing, cancelling, closing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.actor import Actor
from tournament.models import Deal, Event, LogEntry, Player, Round, Scoresheet, Seat, Table
from tournament.models.base import new_token
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus
from tournament.models.sheets import SheetStatus
from tournament.queries.rules import rules_in_force
from tournament.refused import Refused

OPEN_ROUND = (RoundStatus.DRAWN, RoundStatus.PUBLISHED)


def write_tables(round_: Round, tables: Sequence[Sequence[int]]) -> None:
    """Tables, seats and open sheets of a round; `tables` holds players' keys, dealer first."""
    made = Table.objects.bulk_create(
        [Table(round=round_, number=number) for number in range(1, len(tables) + 1)]
    )
    _write_seats(round_, dict(zip(made, tables, strict=True)))
    Scoresheet.objects.bulk_create([Scoresheet(table=table) for table in made])


def _write_seats(round_: Round, seating: Mapping[Table, Sequence[int]]) -> None:
    Seat.objects.bulk_create(
        [
            Seat(round=round_, table=table, position=position, player_id=player)
            for table, players in seating.items()
            for position, player in enumerate(players, 1)
        ]
    )


def locked_round(round_: Round, *statuses: str) -> tuple[Event, Round]:
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


def has_deals(round_: Round) -> bool:
    """Whether a deal was entered. Under the sheets' locks the answer stays true."""
    return Deal.objects.filter(sheet__table__round=round_).exists()


def not_the_final(round_: Round) -> None:
    if round_.is_final:
        raise Refused(_("The final's table is given by the cut: let a finalist decline instead."))


def lock_sheets(round_: Round) -> None:
    """Wait for whoever is saving a deal at one of the tables, and keep the next one waiting."""
    list(Scoresheet.objects.filter(table__round=round_).locked().values_list("pk", flat=True))


@transaction.atomic
def publish_round(*, round_: Round, by: Actor) -> Round:
    """Everybody sees their seat; the tables' links let deals in."""
    event, round_ = locked_round(round_, RoundStatus.DRAWN)
    gone = list(Player.objects.filter(seats__round=round_).exclude(status=PlayerStatus.CHECKED_IN))
    if gone and not round_.is_final:
        raise Refused(
            _("Seated, but no longer here: %(names)s. Take them out, or draw again.")
            % {"names": ", ".join(player.name for player in gone)}
        )
    round_.status = RoundStatus.PUBLISHED
    round_.published_at = timezone.now()
    round_.save(update_fields=["status", "published_at"])
    LogEntry.objects.record("round.published", event=event, by=by, about=round_)
    return round_


@transaction.atomic
def unpublish_round(*, round_: Round, by: Actor) -> Round:
    """Somebody is missing: back to a draft, while no deal has been entered."""
    event, round_ = locked_round(round_, RoundStatus.PUBLISHED)
    lock_sheets(round_)
    if has_deals(round_):
        raise Refused(_("Deals have been entered already: the tables stay as they are."))
    round_.status = RoundStatus.DRAWN
    round_.published_at = None
    round_.save(update_fields=["status", "published_at"])
    LogEntry.objects.record("round.unpublished", event=event, by=by, about=round_)
    return round_


@transaction.atomic
def cancel_round(*, round_: Round, reason: str, by: Actor) -> Round:
    """The round does not count; its facts stay stored, and it can be brought back. Once it was
    published a reason is needed. Without any round left, the event is as before its first draw."""
    event, round_ = locked_round(round_, RoundStatus.DRAWN, RoundStatus.PUBLISHED)
    lock_sheets(round_)
    if not reason and round_.status == RoundStatus.PUBLISHED:
        raise Refused(_("The round is published: say why it is cancelled."))
    before = round_.status
    round_.status = RoundStatus.CANCELLED
    round_.save(update_fields=["status"])
    played = Deal.objects.filter(sheet__table__round__event=event)
    left = event.rounds.exclude(status=RoundStatus.CANCELLED)
    if not played.exists() and not left.exists():
        event.status, event.frozen_rules = EventStatus.REGISTRATION, None
        event.save(update_fields=["status", "frozen_rules"])
    LogEntry.objects.record(
        "round.cancelled", event=event, by=by, about=round_, before=before, reason=reason
    )
    return round_


@transaction.atomic
def restore_round(*, round_: Round, by: Actor) -> Round:
    """Bring a cancelled round back as it was, while nothing has come after it."""
    event, round_ = locked_round(round_, RoundStatus.CANCELLED)
    later = event.rounds.exclude(status=RoundStatus.CANCELLED).filter(
        Q(pk__gt=round_.pk) | Q(status__in=OPEN_ROUND)
    )
    if later.exists() or (event.cuts.filter(undone_at=None).exists() and not round_.is_final):
        raise Refused(_("Something came after this round: it can't be brought back."))
    played = round_.published_at is not None
    round_.status = RoundStatus.PUBLISHED if played else RoundStatus.DRAWN
    round_.save(update_fields=["status"])
    if event.frozen_rules is None:
        event.frozen_rules = rules_in_force(event)
        event.status = EventStatus.RUNNING
        event.save(update_fields=["status", "frozen_rules"])
    LogEntry.objects.record("round.restored", event=event, by=by, about=round_)
    return round_


@transaction.atomic
def close_round(*, round_: Round, by: Actor) -> Round:
    """Needs every sheet confirmed."""
    event, round_ = locked_round(round_, RoundStatus.PUBLISHED)
    lock_sheets(round_)
    missing = list(
        round_.tables.exclude(sheet__status=SheetStatus.CONFIRMED).values_list("number", flat=True)
    )
    if missing:
        raise Refused(
            _("Not confirmed yet: table %(tables)s.")
            % {"tables": ", ".join(str(number) for number in missing)}
        )
    round_.status = RoundStatus.CLOSED
    round_.closed_at = timezone.now()
    round_.save(update_fields=["status", "closed_at"])
    LogEntry.objects.record("round.closed", event=event, by=by, about=round_)
    return round_


@transaction.atomic
def reopen_round(*, round_: Round, by: Actor, reason: str) -> Round:
    """The last round goes on, for instance because a table plays its last deal after all."""
    event, round_ = locked_round(round_, RoundStatus.CLOSED)
    if event.rounds.exclude(status=RoundStatus.CANCELLED).filter(pk__gt=round_.pk).exists():
        raise Refused(_("A later round exists. Reopen the sheet that is wrong instead."))
    if not round_.is_final and event.cuts.filter(undone_at=None).exists():
        raise Refused(_("The cut is made. Undo it first."))
    round_.status = RoundStatus.PUBLISHED
    round_.closed_at = None
    round_.save(update_fields=["status", "closed_at"])
    LogEntry.objects.record("round.reopened", event=event, by=by, about=round_, reason=reason)
    return round_


@transaction.atomic
def new_table_link(*, table: Table, by: Actor) -> Table:
    """A new link for a table; the old one stops working."""
    event = Event.objects.lock(table.round.event_id)
    table = Table.objects.lock(table.pk)
    table.token = new_token()
    table.save(update_fields=["token"])
    LogEntry.objects.record("table.new_link", event=event, by=by, about=table)
    return table
