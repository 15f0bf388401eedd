"""The cut: a frozen record of the standings, who qualified, and the lots that were needed."""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.models.base import LockingQuerySet
from tournament.models.events import Event
from tournament.models.players import Player
from tournament.models.rounds import Round, RoundStatus


class CutQuerySet(LockingQuerySet["Cut"]):
    def in_force(self) -> Self:
        """The one that was not undone; at most one for each event."""
        return self.filter(undone_at__isnull=True)


class Cut(models.Model):
    """Made once the last preliminary round is closed. `standings` are rows as `scoring` gave
    them: later drops and corrections change nothing in them. `excluded` had dropped out then: who
    comes back later is not in the cut again."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="cuts")
    size = models.PositiveSmallIntegerField()
    standings = models.JSONField()
    excluded = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    objects = CutQuerySet.as_manager()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(undone_at__isnull=True), name="cut_once_per_event"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.size}"


class QualifierStatus(models.TextChoices):
    IN = "in", _("In the final")
    DECLINED = "declined", _("Declined")


class QualifierQuerySet(models.QuerySet["Qualifier"]):
    def in_final(self) -> Self:
        """Those who took the seat, or have not been asked yet."""
        return self.filter(status=QualifierStatus.IN)

    def declined(self) -> Self:
        return self.filter(status=QualifierStatus.DECLINED)


class Qualifier(models.Model):
    """A finalist's seat offered to a player. `place` is the order in which seats were offered."""

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


class Lot(models.Model):
    """A tie that was drawn among players who are level, for good: undoing a cut takes no lot back.

    `line`: what it decides, in the words of the event file: "cut" or "place:N". `final`: the round
    whose place it decides; when that is cancelled, the lot has no effect. Ours: `secret` is
    revealed and anybody can recompute `order`; its commitment was public before. Paper: no secret,
    a reason and who drew it.
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
        """The place it decides; None: the line to the final."""
        kind, _colon, number = self.line.partition(":")
        return int(number) if kind == "place" else None
