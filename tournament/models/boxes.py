"""The boxes of the game that are played with: which edition each is, and what is in it."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournament.models.base import WithdrawableQuerySet
from tournament.models.events import Event
from tournament.models.people import User
from tournament.spelling import folded

# Editions that are offered; any other text may stand there.
EDITIONS = ("2004–2024", "2025")
# The promo card of 2026, as it is called in our languages, is printed with the backs of 2025 alone:
# among other cards it could be told from behind.
PROMO_2026 = ("carrusel", "carousel", "karussell", "carrousel", "carosello")
MOST_TABLES = 400


def promo_fits(edition: str, promo_cards: str) -> bool:
    """Whether the promo cards have the backs of this edition; where none is named nobody knows."""
    of_2026 = any(word in folded(promo_cards) for word in PROMO_2026)
    return not edition or not of_2026 or "2025" in edition


class Box(models.Model):
    """One copy of the game. Taken out of the event it stays on record; its tables have none then.
    `dwarf_note`: which printed dwarfs are its selfish ones."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="boxes")
    name = models.CharField(_("name or number"), max_length=40)
    edition = models.CharField(_("edition of the box"), max_length=100, blank=True)
    promo_cards = models.CharField(_("promo cards in it"), max_length=200, blank=True)
    dwarf_note = models.CharField(
        _("which cards are the selfish dwarfs"), max_length=200, blank=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = WithdrawableQuerySet["Box"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["event", "name"],
                condition=Q(withdrawn_at__isnull=True),
                name="box_name_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def fits(self) -> bool:
        return promo_fits(self.edition, self.promo_cards)


class BoxTable(models.Model):
    """A table, by its number in every round, plays with this box."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    box = models.ForeignKey(Box, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering: ClassVar[list[str]] = ["number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["event", "number"], name="box_one_for_a_table"),
            models.CheckConstraint(
                condition=Q(number__range=(1, MOST_TABLES)), name="box_table_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.box_id}"


class CheckMoment(models.TextChoices):
    BEFORE = "before", pgettext_lazy("check of a box", "before")
    AFTER = "after", pgettext_lazy("check of a box", "after")


class BoxCheck(models.Model):
    """Somebody has counted the cards. `missing`: in words; empty where it was complete. Each stays
    on record, the latest of its moment is shown."""

    box = models.ForeignKey(Box, on_delete=models.CASCADE, related_name="checks")
    moment = models.CharField(max_length=6, choices=CheckMoment.choices)
    missing = models.CharField(max_length=300, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(moment__in=CheckMoment.values), name="box_check_moment_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.box_id}: {self.moment}"
