"""What is promised, who got it, and who was passed over."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.models.base import WithdrawableQuerySet
from tournament.models.cuts import Lot
from tournament.models.events import Event
from tournament.models.people import User
from tournament.models.players import Player


class PrizeKind(models.TextChoices):
    RANK = "rank", _("For a rank")
    CHOICE = "choice", _("One of: the best choose first")
    RAFFLE = "raffle", _("Raffled")
    SABOTEUR = "saboteur", _("Best saboteur")
    SPECIAL = "special", _("Special")


class Prize(models.Model):
    """A thing that is promised, `stock` times. `first_rank` to `last_rank`: who gets a prize for a
    rank; `what_for`: the words of a special one. Taken off the list it is withdrawn, not gone."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="prizes_listed")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(_("prize"), max_length=100)
    kind = models.CharField(_("who gets it"), max_length=8, choices=PrizeKind.choices)
    first_rank = models.PositiveSmallIntegerField(null=True, blank=True)
    last_rank = models.PositiveSmallIntegerField(null=True, blank=True)
    what_for = models.CharField(_("what for"), max_length=100, blank=True)
    stock = models.PositiveSmallIntegerField(_("how many"), default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = WithdrawableQuerySet["Prize"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["position", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(kind__in=PrizeKind.values), name="prize_kind_known"),
            models.CheckConstraint(condition=Q(stock__gte=1), name="prize_is_there"),
            models.CheckConstraint(
                condition=Q(kind=PrizeKind.RANK, first_rank__gte=1, last_rank__gte=F("first_rank"))
                | (~Q(kind=PrizeKind.RANK) & Q(first_rank__isnull=True, last_rank__isnull=True)),
                name="prize_has_ranks_if_for_a_rank",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def who_gets_it(self) -> str:
        """In words, with its ranks."""
        if self.kind == PrizeKind.SPECIAL:
            return self.what_for or str(PrizeKind.SPECIAL.label)
        if self.kind != PrizeKind.RANK:
            return str(PrizeKind(self.kind).label)
        if self.first_rank == self.last_rank:
            return gettext("Rank %(rank)d") % {"rank": self.first_rank}
        ranks = {"first": self.first_rank, "last": self.last_rank}
        return gettext("Ranks %(first)d to %(last)d") % ranks


class PrizeGift(models.Model):
    """A prize given to a player; withdrawn with a reason it is back in stock. `by_wish`: of
    somebody who is not here; `lot`: of the raffle that gave it."""

    prize = models.ForeignKey(Prize, on_delete=models.CASCADE, related_name="gifts")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="prizes")
    lot = models.ForeignKey(Lot, on_delete=models.PROTECT, null=True, related_name="gifts")
    by_wish = models.BooleanField(default=False)
    given_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    given_at = models.DateTimeField(auto_now_add=True)
    handed_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    handed_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_reason = models.CharField(max_length=200, blank=True)

    objects = WithdrawableQuerySet["PrizeGift"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["prize", "player"],
                condition=Q(withdrawn_at__isnull=True),
                name="prize_once_per_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.prize}"


class PrizePass(models.Model):
    """Somebody who was not there when it was their turn on the podium; withdrawn, it is their turn
    again."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="prize_passes")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = WithdrawableQuerySet["PrizePass"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(withdrawn_at__isnull=True),
                name="prize_pass_once",
            ),
        ]

    def __str__(self) -> str:
        return str(self.player)
