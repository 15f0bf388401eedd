"""Which ranks of hidden standings everybody has been told."""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import Min, Q

from tournament.models.base import WithdrawableQuerySet
from tournament.models.events import Event


class RevealQuerySet(WithdrawableQuerySet["Reveal"]):
    def of(self, event: Event) -> Self:
        """Those of an event that hold."""
        return self.in_force().filter(event=event)

    def lowest(self) -> int | None:
        """The best rank that is told, with all behind it; None: none is."""
        found: int | None = self.aggregate(lowest=Min("down_to"))["lowest"]
        return found

    def last_told(self) -> Reveal | None:
        """The one that is taken back first."""
        return self.order_by("down_to").first()


class Reveal(models.Model):
    """One press: from now on everybody sees the ranks from `down_to` on, down to the last. A press
    that was taken back stays on record."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="reveals")
    down_to = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = RevealQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(down_to__gte=1), name="reveal_from_the_first_rank"),
            models.UniqueConstraint(
                fields=["event", "down_to"],
                # The same rank can be told again after the press was taken back.
                condition=Q(withdrawn_at__isnull=True),
                name="reveal_once_per_rank",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.down_to}"
