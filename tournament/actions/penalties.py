"""The judge's notebook."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.penalties import INFRACTIONS, ZEROING
from tournament import rulebook
from tournament.models import (
    Event,
    Inquiry,
    LogEntry,
    Penalty,
    Player,
    Scoresheet,
    Seat,
    Submission,
)
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.penalties import PenaltyStep
from tournament.models.players import PlayerStatus
from tournament.models.rounds import PLAYED_ROUND
from tournament.models.versions import ALL, NOTE_TOUCHES, Part
from tournament.queries.cuts import is_frozen
from tournament.queries.names import called
from tournament.queries.penalties import deals_of
from tournament.refusals import Refused


@dataclass(frozen=True, slots=True)
class DealRef:
    """A deal by stage, round number and deal number; it may not have been played yet."""

    stage: str
    round_number: int
    deal_number: int


@dataclass(frozen=True, slots=True)
class InquiryNote:
    """The fair inquiry before a disqualification: who was heard, finding, who decided."""

    heard: str
    finding: str
    decided_by: str


@transaction.atomic
def give_penalty(
    *,
    player: Player,
    infraction: str,
    step: int,
    reason: str,
    by: Actor,
    deal: DealRef | None = None,
    inquiry: InquiryNote | None = None,
    key: str = "",
) -> Penalty:
    """Record a penalty. Steps 3 and 4 name the deal they zero; step 4 needs its inquiry, and
    takes the player out of the event. Nobody else's score moves."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.get(pk=player.pk)
    if done := Submission.objects.outcome(event, key):
        return Penalty.objects.get(pk=done)
    _check(event, infraction, step, reason, deal, inquiry)
    if step < PenaltyStep.DEAL_LOSS:
        deal = None
    disqualified = step == PenaltyStep.DISQUALIFICATION
    if deal is not None and not disqualified:
        _not_under_a_cut(event, deal.stage)
        _check_hits(player, deal)
    penalty = Penalty.objects.create(
        event=event,
        player=player,
        infraction=infraction,
        step=step,
        stage=deal.stage if deal else "",
        round_number=deal.round_number if deal else None,
        deal_number=deal.deal_number if deal else None,
        reason=reason,
        status_before=_status_before(player) if disqualified else "",
        judge=by.user,
    )
    before = player.status
    if disqualified and inquiry is not None:
        Inquiry.objects.create(penalty=penalty, **asdict(inquiry))
        player.status = PlayerStatus.DISQUALIFIED
        player.save(update_fields=["status"])
    Submission.objects.remember(event, key, penalty)
    LogEntry.objects.record(
        "penalty.given",
        event=event,
        by=by,
        about=penalty,
        before=before if before != player.status else None,
        after={"infraction": infraction, "step": step},
        reason=reason,
        parts=_touched(penalty),
    )
    return penalty


def _check_hits(player: Player, deal: DealRef) -> None:
    """A deal loss costs a deal that the player has played, plays, or will play."""
    same = player.penalties.costing_a_deal().filter(
        stage=deal.stage, round_number=deal.round_number, deal_number=deal.deal_number
    )
    if same.exists():
        raise Refused(_("%(name)s has lost this deal already.") % {"name": called(player)})
    possible, _default = deals_of(player)
    if f"{deal.stage}:{deal.round_number}:{deal.deal_number}" not in dict(possible):
        raise Refused(
            _("%(name)s does not play this deal: choose another.") % {"name": called(player)}
        )


def _status_before(player: Player) -> str:
    """What the player is again if this disqualification is withdrawn: for a second one, what they
    were before the first."""
    first = player.penalties.disqualifying().order_by("pk").first()
    return first.status_before if first is not None else player.status


def _check(
    event: Event,
    infraction: str,
    step: int,
    reason: str,
    deal: DealRef | None,
    inquiry: InquiryNote | None,
) -> None:
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    if infraction not in INFRACTIONS:
        raise Refused(_("Choose an infraction from the list."))
    if step not in PenaltyStep.values:
        raise Refused(_("Choose a step."))
    if step >= PenaltyStep.DEAL_LOSS and not reason:
        raise Refused(_("Say what happened."))
    if step >= PenaltyStep.DEAL_LOSS and deal is None:
        raise Refused(_("Say which deal it costs."))
    if step == PenaltyStep.DISQUALIFICATION and (
        inquiry is None or not (inquiry.heard and inquiry.finding and inquiry.decided_by)
    ):
        raise Refused(
            _("A disqualification needs its inquiry: who was heard, the finding, who decided.")
        )


@transaction.atomic
def withdraw_penalty(*, penalty: Penalty, reason: str, by: Actor) -> Penalty:
    """It stays in the log and has no effect any more; a disqualified player is back."""
    event = Event.objects.lock(penalty.event_id)
    penalty = Penalty.objects.select_related("player").lock(penalty.pk)
    if not penalty.active:
        raise Refused(_("This penalty was withdrawn already."))
    if not reason:
        raise Refused(_("Say why the penalty is withdrawn."))
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished. Open it again first."))
    if penalty.deal_number:
        # Given after the cut it is not in the cut's record, so that stays as it is.
        if event.cuts.in_force().filter(created_at__gt=penalty.created_at).exists():
            _not_under_a_cut(event, penalty.stage)
        _deal_stands_without(penalty)
    penalty.withdrawn_at = timezone.now()
    penalty.withdrawn_by = by.user
    penalty.withdrawal_reason = reason
    penalty.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawal_reason"])
    player = penalty.player
    back = (
        penalty.step == PenaltyStep.DISQUALIFICATION
        and not player.penalties.disqualifying().exists()
    )
    if back:
        player.status = penalty.status_before
        player.save(update_fields=["status"])
    LogEntry.objects.record(
        "penalty.withdrawn",
        event=event,
        by=by,
        about=penalty,
        after=player.status if back else None,
        reason=reason,
        parts=_touched(penalty),
    )
    return penalty


def _touched(penalty: Penalty) -> frozenset[Part]:
    """What a penalty changes of what people watch: a caution is on one ticket alone."""
    return ALL if penalty.step in ZEROING else NOTE_TOUCHES


def _not_under_a_cut(event: Event, stage: str) -> None:
    """The record of the cut is frozen: no deal under it is won back or lost."""
    if is_frozen(event, stage):
        raise Refused(
            _("The cut is made: what it rests on stands. Choose a later deal, or undo the cut.")
        )


def _deal_stands_without(penalty: Penalty) -> None:
    """Points typed from paper may count on this loss: the sheet has to be typed again first."""
    seat = (
        Seat.objects.filter(
            player=penalty.player,
            round__stage=penalty.stage,
            round__number=penalty.round_number or 0,
            round__status__in=PLAYED_ROUND,
        )
        .select_related("table__round__event", "table__sheet")
        .first()
    )
    if seat is None:
        return
    sheet = Scoresheet.objects.lock(seat.table.sheet.pk)
    deal = sheet.deals.filter(number=penalty.deal_number or 0).first()
    if deal is None:
        return
    seats = list(seat.table.seats.all())
    losses = rulebook.losses_at(penalty.event, seat.table.round, seats, without=penalty)
    if rulebook.first_wrong(penalty.event, sheet.deals.all(), losses, len(seats)):
        raise Refused(
            _(
                "The typed points of %(table)s, deal %(deal)d, are only possible with this loss. "
                "Reopen the sheet and type that deal again, then withdraw the penalty."
            )
            % {"table": seat.table, "deal": deal.number}
        )
