"""Places at a later event: what an event promises, who was offered one, and what they said."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.models.base import PersonNameField, WithdrawableQuerySet, new_token
from tournament.models.events import Event
from tournament.models.people import User
from tournament.models.players import Player, PlayerStatus

MOST_PLACES = 500


class PlaceState(StrEnum):
    """What a place is at an instant: it follows from the facts and the clock."""

    OFFERED = "offered"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class PlaceEnd(models.TextChoices):
    """How a place came to hold no more."""

    DECLINED = "declined", _("Declined")
    EXPIRED = "expired", _("Not answered in time")
    WITHDRAWN = "withdrawn", _("Taken back")


class DirectWhy(models.TextChoices):
    """Why somebody has a place without having played for it."""

    FINALIST = "finalist", _("Finalist of last year's world final")
    CARRIED = "carried", _("Carried over from a cancelled year")
    LAST_CHANCE = "last_chance", _("Last-chance qualifier")
    WILD_CARD = "wild_card", _("Host's wild card")
    OTHER = "other", _("Another reason")


class SkipWhy(models.TextChoices):
    """Why somebody is passed over when places are offered."""

    GONE = "gone", _("Was gone")
    NO_WISH = "no_wish", _("Does not want the place")


class PlacePromise(models.Model):
    """Places that an event gives at another: `number` of them, or by `bands` ([players at least,
    places], by the first), to be answered in `due_days` after the offer or until `due_at`.

    `target`: an event of this site, else `target_name` says it in words. Whoever organises the
    target lets these places into its registration (`agreed_at`); that is this site's word alone.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="places_promised")
    target = models.ForeignKey(
        Event, on_delete=models.SET_NULL, null=True, related_name="places_promised_here"
    )
    target_name = models.CharField(_("where to"), max_length=100)
    number = models.PositiveSmallIntegerField(_("how many"), null=True)
    bands = models.JSONField(_("by how many play"), default=list)
    due_days = models.PositiveSmallIntegerField(_("days to answer"), null=True)
    due_at = models.DateTimeField(_("answer until"), null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    agreed_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    agreed_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    objects = WithdrawableQuerySet["PlacePromise"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(number__isnull=True) | Q(number__range=(1, MOST_PLACES)),
                name="place_promise_number_in_range",
            ),
            models.CheckConstraint(
                condition=Q(due_days__isnull=False, due_at__isnull=True)
                | Q(due_days__isnull=True, due_at__isnull=False),
                name="place_promise_due_one_way",
            ),
            models.UniqueConstraint(
                fields=["event", "target_name"],
                condition=Q(withdrawn_at__isnull=True),
                name="place_promise_once_per_target",
            ),
        ]

    def __str__(self) -> str:
        return self.target_name

    @property
    def is_let_in(self) -> bool:
        """Whether its places count at the target."""
        return self.target_id is not None and self.agreed_at is not None


class PlaceQuerySet(models.QuerySet["Place"]):
    def unended(self) -> Self:
        """Neither declined, expired nor taken back as far as is noted; the clock may say more."""
        return self.filter(ended_at__isnull=True)

    def direct(self) -> Self:
        return self.filter(promise__isnull=True)


class Place(models.Model):
    """A place that was offered to somebody: to a `player` down the order, the promise's place
    number `slot`; or directly, to a name and e-mail with a reason (`why`).

    A slot is held by one person; those who had it before are its earlier rows. `entry`: at the
    target, where that is an event of this site. `may_write`: who runs a target elsewhere may have
    the person's e-mail and phone.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="places")
    promise = models.ForeignKey(
        PlacePromise, on_delete=models.CASCADE, null=True, related_name="places"
    )
    slot = models.PositiveSmallIntegerField(null=True)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="places")
    rank = models.PositiveIntegerField(null=True)
    by_lot = models.BooleanField(default=False)
    name = PersonNameField(_("name"), max_length=60, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    why = models.CharField(_("reason"), max_length=12, choices=DirectWhy.choices, blank=True)
    why_words = models.CharField(max_length=200, blank=True)
    token = models.CharField(max_length=32, unique=True, default=new_token)
    offered_by = models.CharField(max_length=60)
    due_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)
    accepted_by = models.CharField(max_length=60, blank=True)
    accepted_at = models.DateTimeField(null=True)
    may_write = models.BooleanField(default=False)
    ended_as = models.CharField(max_length=10, choices=PlaceEnd.choices, blank=True)
    ended_by = models.CharField(max_length=60, blank=True)
    ended_at = models.DateTimeField(null=True)
    ended_reason = models.CharField(max_length=200, blank=True)
    entry = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, related_name="entered_by_place"
    )

    objects = PlaceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(
                    promise__isnull=False, slot__gte=1, player__isnull=False, rank__gte=1, why=""
                )
                | Q(promise__isnull=True, slot__isnull=True, player__isnull=True, rank__isnull=True)
                & Q(why__in=DirectWhy.values),
                name="place_by_rank_or_directly",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_as="")
                | Q(ended_at__isnull=False, ended_as__in=PlaceEnd.values),
                name="place_end_told",
            ),
            models.UniqueConstraint(
                fields=["promise", "slot"],
                condition=Q(ended_at__isnull=True),
                name="place_slot_held_once",
            ),
            models.UniqueConstraint(
                fields=["promise", "player"], name="place_offered_once_per_player"
            ),
            models.UniqueConstraint(
                fields=["event", "email"],
                condition=Q(ended_at__isnull=True, promise__isnull=True) & ~Q(email=""),
                name="place_direct_once_per_email",
            ),
        ]

    def __str__(self) -> str:
        return str(self.player) if self.player is not None else self.name

    @property
    def is_direct(self) -> bool:
        return self.promise_id is None

    @property
    def target(self) -> Event | None:
        """Where it is; None where that is not on this site."""
        return self.promise.target if self.promise is not None else self.event

    @property
    def target_name(self) -> str:
        return self.promise.target_name if self.promise is not None else self.event.name

    @property
    def is_let_in(self) -> bool:
        """Whether it counts in the registration of its target."""
        return self.promise is None or self.promise.is_let_in

    @property
    def person_name(self) -> str:
        return str(self.player.name if self.player is not None else self.name)

    @property
    def person_email(self) -> str:
        """Where the person is written to; empty where there is no e-mail any more."""
        return self.player.email if self.player is not None else self.email

    def state_at(self, now: datetime) -> PlaceState:
        """Who withdrew at the target has given the place back; whoever has not answered by
        `due_at` has it no more from that instant on."""
        if self.ended_at is not None:
            return PlaceState(self.ended_as)
        if self.accepted_at is not None:
            withdrew = self.entry is not None and self.entry.status == PlayerStatus.WITHDRAWN
            return PlaceState.DECLINED if withdrew else PlaceState.ACCEPTED
        return PlaceState.EXPIRED if self.due_at <= now else PlaceState.OFFERED

    def holds_at(self, now: datetime) -> bool:
        return self.state_at(now) in (PlaceState.OFFERED, PlaceState.ACCEPTED)


class PlaceSkip(models.Model):
    """Somebody who is passed over when the places of a promise are offered; withdrawn, they are
    asked again."""

    promise = models.ForeignKey(PlacePromise, on_delete=models.CASCADE, related_name="skips")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    why = models.CharField(max_length=8, choices=SkipWhy.choices)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)

    objects = WithdrawableQuerySet["PlaceSkip"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["promise", "player"],
                condition=Q(withdrawn_at__isnull=True),
                name="place_skip_once",
            ),
            models.CheckConstraint(condition=Q(why__in=SkipWhy.values), name="place_skip_why"),
        ]

    def __str__(self) -> str:
        return str(self.player)
