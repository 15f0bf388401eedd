"""The judge's log: penalties are withdrawn with a reason, never deleted."""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.models.base import WithdrawableQuerySet
from tournament.models.events import Event
from tournament.models.people import User
from tournament.models.players import Player, PlayerStatus
from tournament.models.rounds import Round, Stage, deal_label


class PenaltyStep(models.IntegerChoices):
    CAUTION = 1, _("Caution")
    WARNING = 2, _("Warning")
    DEAL_LOSS = 3, _("Deal loss")
    DISQUALIFICATION = 4, _("Disqualification")


class PenaltyQuerySet(WithdrawableQuerySet["Penalty"]):
    def costing_a_deal(self, round_: Round | None = None) -> Self:
        """In force, and the player has nothing for the deal they name; of one round, if given."""
        found = self.in_force().filter(step__gte=PenaltyStep.DEAL_LOSS)
        if round_ is None:
            return found
        # A loss in a round that was cancelled and played anew counts in the new one.
        return found.filter(event=round_.event_id, stage=round_.stage, round_number=round_.number)

    def disqualifying(self) -> Self:
        return self.in_force().filter(step=PenaltyStep.DISQUALIFICATION)


class Penalty(models.Model):
    """A judge's entry: an infraction (`scoring.penalties`), a step, and the deal it zeroes.

    The deal is named by stage, round number and deal number rather than by a row: between two
    rounds it may be the first deal of a round that is not drawn yet. `status_before` is what the
    player was before a disqualification, to be again if it is withdrawn.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="penalties")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="penalties")
    infraction = models.CharField(max_length=12)
    step = models.PositiveSmallIntegerField(choices=PenaltyStep.choices)
    stage = models.CharField(max_length=12, choices=Stage.choices, blank=True)
    round_number = models.PositiveSmallIntegerField(null=True, blank=True)
    deal_number = models.PositiveSmallIntegerField(null=True, blank=True)
    reason = models.CharField(_("what happened"), max_length=500, blank=True)
    status_before = models.CharField(max_length=12, choices=PlayerStatus.choices, blank=True)
    judge = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    withdrawal_reason = models.CharField(max_length=500, blank=True)

    objects = PenaltyQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at", "-pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(step__in=PenaltyStep.values), name="penalty_step_known"
            ),
            models.CheckConstraint(
                condition=Q(step__lt=PenaltyStep.DEAL_LOSS)
                | (~Q(stage="") & Q(round_number__gte=1) & Q(deal_number__gte=1)),
                name="penalty_deal_loss_names_its_deal",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True) | ~Q(withdrawal_reason=""),
                name="penalty_withdrawn_with_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(step__lt=PenaltyStep.DISQUALIFICATION) | ~Q(status_before=""),
                name="penalty_disqualification_remembers_the_status",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.infraction} -> {self.step}"

    @property
    def deal_label(self) -> str:
        """The deal that it costs, in words; empty where it costs none, or all of them."""
        if not self.deal_number or self.step == PenaltyStep.DISQUALIFICATION:
            return ""
        return deal_label(self.stage, self.round_number, self.deal_number)

    @property
    def active(self) -> bool:
        return self.withdrawn_at is None


class Inquiry(models.Model):
    """The fair inquiry that a disqualification needs."""

    penalty = models.OneToOneField(
        Penalty, on_delete=models.CASCADE, primary_key=True, related_name="inquiry"
    )
    heard = models.CharField(_("who was heard"), max_length=300)
    finding = models.TextField(_("finding"), max_length=2000)
    decided_by = models.CharField(_("who decided"), max_length=120)

    def __str__(self) -> str:
        return str(self.penalty_id)
