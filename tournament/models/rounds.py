"""Rounds, their tables, and who sits where."""

from __future__ import annotations

from typing import ClassVar, Self

from django.db import models
from django.db.models import Case, Q, Value, When
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.models.base import LockingQuerySet, new_token
from tournament.models.events import Event
from tournament.models.players import Player


class Stage(models.TextChoices):
    """In the order in which they are played."""

    PRELIMINARY = "preliminary", _("Preliminary")
    SEMI_FINAL = "semi_final", _("Semi-final")
    FINAL = "final", _("Final")


def deal_label(stage: str, number: int | None, deal: int) -> str:
    """ "Round 2, deal 1"; of a stage that has one round "Final, deal 1"."""
    if stage != Stage.PRELIMINARY:
        return gettext("%(stage)s, deal %(deal)d") % {"stage": Stage(stage).label, "deal": deal}
    return gettext("Round %(round)d, deal %(deal)d") % {"round": number, "deal": deal}


class RoundStatus(models.TextChoices):
    DRAWN = "drawn", _("Draft")
    PUBLISHED = "published", _("Playing")
    CLOSED = "closed", _("Closed")
    CANCELLED = "cancelled", _("Cancelled")


OPEN_ROUND = (RoundStatus.DRAWN, RoundStatus.PUBLISHED)
PLAYED_ROUND = (RoundStatus.PUBLISHED, RoundStatus.CLOSED)


class RoundQuerySet(LockingQuerySet["Round"]):
    def in_force(self) -> Self:
        """All but those that were cancelled."""
        return self.exclude(status=RoundStatus.CANCELLED)

    def open(self) -> Self:
        """Drawn or being played."""
        return self.filter(status__in=OPEN_ROUND)

    def played(self) -> Self:
        """Being played, or closed: what everybody may see."""
        return self.filter(status__in=PLAYED_ROUND)

    def closed(self) -> Self:
        return self.filter(status=RoundStatus.CLOSED)

    def preliminary(self) -> Self:
        return self.filter(stage=Stage.PRELIMINARY)

    def semi_final(self) -> Self:
        return self.filter(stage=Stage.SEMI_FINAL)

    def final(self) -> Self:
        return self.filter(stage=Stage.FINAL)

    def in_order_of_play(self) -> Self:
        # Not by number: the final's is 1 again.
        return self.order_by("published_at", "pk")


class Round(models.Model):
    """Everybody active is seated once.

    `draw_request` is what the draw was asked for: method, table sizes, the plan's seed; `report`
    the seating's own account of its quality. `version` counts the changes of the round: whoever
    sends an older one has not seen them all.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    stage = models.CharField(max_length=12, choices=Stage.choices, default=Stage.PRELIMINARY)
    # The alphabet puts the final first; the database keeps the order of play.
    stage_order = models.GeneratedField(
        expression=Case(
            *(When(stage=stage, then=Value(place)) for place, stage in enumerate(Stage.values)),
            default=Value(len(Stage.values)),
        ),
        output_field=models.PositiveSmallIntegerField(),
        db_persist=True,
    )
    number = models.PositiveSmallIntegerField()
    deals = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=RoundStatus.choices, default=RoundStatus.DRAWN)
    version = models.PositiveIntegerField(default=1)
    seed = models.BigIntegerField(default=0)
    draw_request = models.JSONField(default=dict, blank=True)
    report = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = RoundQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["event", "stage_order", "number", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["event", "stage", "number"],
                # The number of a cancelled round is free again.
                condition=~Q(status=RoundStatus.CANCELLED),
                name="round_number_once_per_stage",
            ),
            models.CheckConstraint(
                condition=Q(status__in=RoundStatus.values), name="round_status_known"
            ),
            models.CheckConstraint(condition=Q(stage__in=Stage.values), name="round_stage_known"),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        if not self.is_preliminary:
            return str(Stage(self.stage).label)
        return gettext("Tournament round %(number)d") % {"number": self.number}

    @property
    def is_preliminary(self) -> bool:
        """Whether everybody active plays; a cut leads to the other stages."""
        return self.stage == Stage.PRELIMINARY

    @property
    def is_semi_final(self) -> bool:
        return self.stage == Stage.SEMI_FINAL

    @property
    def is_final(self) -> bool:
        return self.stage == Stage.FINAL

    def has_deals(self) -> bool:
        """Whether a deal was entered. Under the locks of its sheets the answer stays true."""
        return self.tables.filter(sheet__deals__isnull=False).exists()


class Table(models.Model):
    """One group in one round. Its token is the link on its sheet. `printed_at`: when its sheet was
    fetched to be printed last; `changed_at`: when, after sheets of the round were printed, it got
    other people; empty once the staff says that its paper is right."""

    round = models.ForeignKey(
        Round, on_delete=models.CASCADE, related_name="tables", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    token = models.CharField(max_length=32, unique=True, default=new_token)
    printed_at = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField(null=True, blank=True)

    objects = LockingQuerySet["Table"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["round", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["round", "number"], name="table_number_once_per_round"),
        ]

    def __str__(self) -> str:
        return gettext("Table %(number)d") % {"number": self.number}


class SeatQuerySet(models.QuerySet["Seat"]):
    def in_force(self) -> Self:
        """In rounds that were not cancelled."""
        return self.exclude(round__status=RoundStatus.CANCELLED)


class Seat(models.Model):
    """A place at a table, numbered from 1. The first is the dealer's."""

    # The table knows the round as well; here it lets the database see that nobody sits twice in
    # one.
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats", db_index=False)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats", db_index=False)
    position = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")

    objects = SeatQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["table", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["round", "player"], name="seat_player_once_per_round"),
            models.UniqueConstraint(
                fields=["table", "position"], name="seat_position_once_per_table"
            ),
            models.CheckConstraint(condition=Q(position__gte=1), name="seat_position_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.position}"

    @property
    def is_dealer(self) -> bool:
        return self.position == 1
