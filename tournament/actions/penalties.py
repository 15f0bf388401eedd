"""The judge's notebook."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.penalties import INFRACTIONS
from tournament.actor import Actor
from tournament.models import Event, Inquiry, LogEntry, Penalty, Player
from tournament.models.events import EventStatus
from tournament.models.penalties import PenaltyStep
from tournament.models.players import PlayerStatus
from tournament.refused import Refused


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
    if done := LogEntry.objects.about(event, key):
        return Penalty.objects.get(pk=done)
    _check(event, infraction, step, reason, deal, inquiry)
    penalty = Penalty.objects.create(
        event=event,
        player=player,
        infraction=infraction,
        step=step,
        stage=deal.stage if deal and step >= PenaltyStep.DEAL_LOSS else "",
        round_number=deal.round_number if deal and step >= PenaltyStep.DEAL_LOSS else None,
        deal_number=deal.deal_number if deal and step >= PenaltyStep.DEAL_LOSS else None,
        reason=reason,
        judge=by.user,
    )
    before = player.status
    if step == PenaltyStep.DISQUALIFICATION and inquiry is not None:
        Inquiry.objects.create(
            penalty=penalty,
            heard=inquiry.heard,
            finding=inquiry.finding,
            decided_by=inquiry.decided_by,
        )
        player.status = PlayerStatus.DISQUALIFIED
        player.save(update_fields=["status"])
    LogEntry.objects.record(
        "penalty.given",
        event=event,
        by=by,
        about=penalty,
        label=str(player),
        before=before if before != player.status else None,
        after={"infraction": infraction, "step": step},
        reason=reason,
        key=key,
    )
    return penalty


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
    if not reason:
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
    penalty.withdrawn_at = timezone.now()
    penalty.withdrawn_by = by.user
    penalty.withdrawal_reason = reason
    penalty.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawal_reason"])
    player = penalty.player
    back = penalty.step == PenaltyStep.DISQUALIFICATION and not _still_disqualified(player)
    if back:
        player.status = PlayerStatus.CHECKED_IN
        player.save(update_fields=["status"])
    LogEntry.objects.record(
        "penalty.withdrawn",
        event=event,
        by=by,
        about=penalty,
        label=str(player),
        after=PlayerStatus.CHECKED_IN if back else None,
        reason=reason,
    )
    return penalty


def _still_disqualified(player: Player) -> bool:
    return player.penalties.filter(
        step=PenaltyStep.DISQUALIFICATION, withdrawn_at__isnull=True
    ).exists()
