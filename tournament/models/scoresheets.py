"""One table's deals. Stored: the role of each seat, the connector, whether the deal was void;
of a club's edition the facts it has.

The roles of a deal are one short text, a letter a seat in sitting order: a deal is written and
read whole, its role counts hold over all seats, and the standings of 2,000 players read 5,000
rows instead of 30,000 (docs/decisions/deal-facts.md).
"""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.models.base import LockingQuerySet
from tournament.models.rounds import Table

BYE = "bye"  # in the place of whoever confirmed: there is no opponent, and nothing to enter


class SheetStatus(models.TextChoices):
    OPEN = "open", _("Open")
    SUBMITTED = "submitted", _("Waiting for confirmation")
    CONFIRMED = "confirmed", _("Confirmed")


class ScoresheetQuerySet(LockingQuerySet["Scoresheet"]):
    def confirmed(self) -> Self:
        """Those that count."""
        return self.filter(status=SheetStatus.CONFIRMED)

    def unconfirmed(self) -> Self:
        return self.exclude(status=SheetStatus.CONFIRMED)


class Scoresheet(models.Model):
    """The deals of one table. `version` counts its changes: two phones notice each other."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="sheet")
    status = models.CharField(max_length=10, choices=SheetStatus.choices, default=SheetStatus.OPEN)
    version = models.PositiveIntegerField(default=0)
    submitted_by = models.CharField(max_length=60, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    confirmed_by = models.CharField(max_length=60, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    # What its table is asked to put right; empty once it is handed in again.
    reopen_reason = models.CharField(max_length=200, blank=True)

    objects = ScoresheetQuerySet.as_manager()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(status__in=SheetStatus.values), name="sheet_status_known"
            ),
            models.CheckConstraint(
                condition=~Q(status=SheetStatus.CONFIRMED) | Q(confirmed_at__isnull=False),
                name="sheet_confirmed_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.status}"

    @property
    def is_bye(self) -> bool:
        return self.confirmed_by == BYE


class Deal(models.Model):
    """Facts of one deal: `roles` (letters m, s, x) with the `connector`; or, typed from paper, the
    `points` (digits, of an edition numbers with / between); or an edition's own `facts`, as its
    `read_text` takes them."""

    sheet = models.ForeignKey(
        Scoresheet, on_delete=models.CASCADE, related_name="deals", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    roles = models.CharField(max_length=12, blank=True)
    points = models.CharField(max_length=60, blank=True)
    facts = models.CharField(max_length=200, blank=True)
    connector = models.PositiveSmallIntegerField(null=True, blank=True)
    void = models.BooleanField(default=False)
    counts_waived = models.BooleanField(default=False)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["sheet", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["sheet", "number"], name="deal_number_once_per_sheet"),
            models.CheckConstraint(
                condition=(Q(roles="", facts="") & ~Q(points=""))
                | (Q(points="", facts="") & ~Q(roles=""))
                | (Q(points="", roles="") & ~Q(facts=""))
                # Nobody need know any more what was dealt in a deal that counts for nothing.
                | Q(void=True, points="", roles="", facts=""),
                name="deal_has_facts_or_points",
            ),
            models.CheckConstraint(
                condition=Q(connector__isnull=True) | Q(points="", facts="", connector__gte=1),
                name="deal_connector_goes_with_roles",
            ),
            models.CheckConstraint(
                condition=(Q(void=False) & Q(counts_waived=False)) | ~Q(reason=""),
                name="deal_exception_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet_id}/{self.number}"

    @property
    def text(self) -> str:
        """What stands here, in one short text that a phone can write as well: "smmsxm:3" (role
        letters and connector, 0 for nobody), an edition's facts, the points typed, or "void"."""
        if self.void:
            return "void"
        return self.points or self.facts or f"{self.roles}:{self.connector or 0}"


def logged_deal(deal: Deal | None) -> dict[str, object] | None:
    """The stored facts of a deal, for the log."""
    if deal is None:
        return None
    shown: dict[str, object] = {"deal": deal.number, "connector": deal.connector}
    if deal.facts:
        shown["facts"] = deal.facts
    else:
        shown |= {"roles": deal.roles} if deal.roles else {"points": deal.points}
    return (
        shown
        | ({"void": True} if deal.void else {})
        | ({"reason": deal.reason} if deal.reason else {})
    )
