"""The cut: a frozen record of the standings, who qualified, and the lots that were needed."""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.models.base import LockingQuerySet
from tournament.models.events import Event
from tournament.models.players import Player
from tournament.models.rounds import Round, RoundStatus, Stage


class CutQuerySet(LockingQuerySet["Cut"]):
    def in_force(self) -> Self:
        """Those that were not undone; at most one of an event for each stage."""
        return self.filter(undone_at__isnull=True)

    def into(self, stage: str) -> Self:
        return self.filter(stage=stage)


class Cut(models.Model):
    """Made once the stage before is closed; `stage` is the one it leads into. `standings` are rows
    of the stage before as `scoring` gave them: later drops and corrections change nothing in them.
    `excluded` had dropped out then: who comes back later is not in the cut again."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="cuts")
    stage = models.CharField(max_length=12, choices=Stage.choices, default=Stage.FINAL)
    size = models.PositiveSmallIntegerField()
    standings = models.JSONField()
    excluded = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    objects = CutQuerySet.as_manager()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["event", "stage"],
                condition=Q(undone_at__isnull=True),
                name="cut_once_per_stage",
            ),
            models.CheckConstraint(
                condition=Q(stage__in=(Stage.SEMI_FINAL, Stage.FINAL)), name="cut_leads_on"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.size}"


class QualifierStatus(models.TextChoices):
    IN = "in", _("Takes the seat")
    DECLINED = "declined", _("Declined")


class QualifierQuerySet(models.QuerySet["Qualifier"]):
    def seated(self) -> Self:
        """Those who took the seat, or have not been asked yet."""
        return self.filter(status=QualifierStatus.IN)

    def declined(self) -> Self:
        return self.filter(status=QualifierStatus.DECLINED)


class Qualifier(models.Model):
    """A seat of the stage after a cut, offered to a player. `place`: the order in which seats were
    offered."""

    cut = models.ForeignKey(
        Cut, on_delete=models.CASCADE, related_name="qualifiers", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="qualified")
    place = models.PositiveSmallIntegerField()
    status = models.CharField(
        max_length=8, choices=QualifierStatus.choices, default=QualifierStatus.IN
    )
    by_lot = models.BooleanField(default=False)
    reason = models.CharField(max_length=200, blank=True)

    objects = QualifierQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["place"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["cut", "player"], name="qualifier_once_per_cut"),
            models.UniqueConstraint(fields=["cut", "place"], name="qualifier_place_once_per_cut"),
        ]

    def __str__(self) -> str:
        return f"{self.place}: {self.player_id}"


class LotQuerySet(models.QuerySet["Lot"]):
    def in_force(self) -> Self:
        """All but those for a place of a final that is cancelled."""
        # A lot on the line has no final; a NULL is not excluded.
        return self.exclude(final__status=RoundStatus.CANCELLED)

    def of_standings(self) -> Self:
        """All but raffles and those for places, which decide nothing in the standings."""
        return self.exclude(line__startswith="raffle:").exclude(line__startswith="offer:")


class Lot(models.Model):
    """A tie that was drawn among players who are level, for good: undoing a cut takes no lot back.

    `line`: what it decides, in the words of the event file: "semi_final", "cut", "table:N" or
    "place:N"; or "raffle:N" and "offer:N", the event's raffle, or its lot for places at a later
    event, of this number, which decide nothing in the standings. `final`: the round whose place it
    decides; when that is cancelled, the lot has no effect. Ours: `secret` is revealed and anybody
    can recompute `order`; its commitment was public before. Paper: no secret, a reason and who drew
    it.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="lots")
    line = models.CharField(max_length=20)
    final = models.ForeignKey(Round, on_delete=models.CASCADE, null=True, related_name="lots")
    players = models.JSONField()
    order = models.JSONField()
    secret = models.CharField(max_length=64, blank=True)
    paper_note = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LotQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=~Q(secret="") | ~Q(paper_note=""), name="lot_has_secret_or_paper_note"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.line}: {self.order}"

    @property
    def place(self) -> int | None:
        """The place it decides; None: a line into the semi-final or the final."""
        kind, _colon, number = self.line.partition(":")
        return int(number) if kind == "place" else None
