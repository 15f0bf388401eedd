"""What the staff decided where a rule left a question open. It holds at every table."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.models.base import WithdrawableQuerySet
from tournament.models.events import Event
from tournament.models.people import User


class Ruling(models.Model):
    """Never edited, never deleted: one that was wrong is withdrawn with a reason, and keeps its
    number, by which people at the tables call it."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rulings")
    number = models.PositiveSmallIntegerField()
    question = models.CharField(_("question"), max_length=300)
    decision = models.TextField(_("decision"), max_length=600)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawal_reason = models.CharField(max_length=200, blank=True)

    objects = WithdrawableQuerySet["Ruling"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["event", "number"], name="ruling_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="ruling_numbers_from_one"),
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True) | ~Q(withdrawal_reason=""),
                name="ruling_withdrawn_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.question}"
