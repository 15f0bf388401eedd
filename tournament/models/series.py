"""A season of events: the tree, the staff, events with their weights, standings by rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from scoring.seasons import HUNDRED, Rule
from tournament.models.actors import Actor
from tournament.models.base import LockingQuerySet, WithdrawableQuerySet, new_token
from tournament.models.events import Event
from tournament.models.penalties import Penalty
from tournament.models.people import Duty, User

MOST_WEIGHT = 100 * HUNDRED
MOST_DEEP = 6  # series, one in the other
RESERVED_SERIES = frozenset({"new"})


class Side(models.TextChoices):
    """Whose organiser did it."""

    EVENT = "event", _("the event")
    SERIES = "series", _("the series")


class SeriesQuerySet(LockingQuerySet["Series"]):
    def shown(self) -> Self:
        """Those that everybody may see."""
        return self.filter(public=True)


class Series(models.Model):
    """A season, or a part of one. `version`: one more with every change of it or of its tree."""

    parent = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="children",
        verbose_name=_("part of"),
    )
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=100)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    starts_on = models.DateField(_("from"))
    ends_on = models.DateField(_("to"))
    public = models.BooleanField(_("everybody sees it"), default=False)
    version = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = SeriesQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-starts_on", "name", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(ends_on__gte=F("starts_on")), name="series_ends_after_start"
            ),
            models.CheckConstraint(
                condition=Q(parent__isnull=True) | ~Q(parent=F("id")),
                name="series_not_part_of_itself",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SeriesMember(models.Model):
    """A user's duty at a series."""

    series = models.ForeignKey(
        Series, on_delete=models.CASCADE, related_name="staff", db_index=False
    )
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="series_duties")
    duty = models.CharField(max_length=10, choices=Duty.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["series", "user"], name="series_user_once_per_series"),
            models.CheckConstraint(condition=Q(duty__in=Duty.values), name="series_duty_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_duty_display()}"


class SeriesInvitationQuerySet(models.QuerySet["SeriesInvitation"]):
    def open(self) -> Self:
        """Neither accepted nor taken back."""
        return self.filter(accepted_at__isnull=True, revoked_at__isnull=True)


class SeriesInvitation(models.Model):
    """A link that gives whoever opens it, logged in, a duty at a series; it works once."""

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(_("e-mail"))
    duty = models.CharField(max_length=10, choices=Duty.choices)
    token = models.CharField(max_length=32, unique=True, default=new_token)
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = SeriesInvitationQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.email}: {self.get_duty_display()}"

    @property
    def open(self) -> bool:
        return self.accepted_at is None and self.revoked_at is None


class SeriesEventQuerySet(WithdrawableQuerySet["SeriesEvent"]):
    def entered(self) -> Self:
        """Those that are in: both sides agree."""
        return self.in_force().filter(accepted_at__isnull=False)

    def asked(self) -> Self:
        """Those that one side still has to answer."""
        return self.in_force().filter(accepted_at__isnull=True)


class SeriesEvent(models.Model):
    """An event in a series, or asked to be. `weight` in hundredths; `asked_by`: the side that
    proposed it, which the other accepts. Taken out it stays, with the reason."""

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="entries")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="series_entries")
    weight = models.PositiveIntegerField(_("weight"), default=HUNDRED)
    asked_by = models.CharField(max_length=6, choices=Side.choices)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    accepted_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    accepted_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_reason = models.CharField(max_length=200, blank=True)

    objects = SeriesEventQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["series", "event"],
                condition=Q(withdrawn_at__isnull=True),
                name="series_event_once",
            ),
            models.CheckConstraint(
                condition=Q(weight__range=(1, MOST_WEIGHT)), name="series_event_weight_in_range"
            ),
            models.CheckConstraint(
                condition=Q(asked_by__in=Side.values), name="series_event_side_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.series_id}: {self.event_id}"


RULE_NAMES = {
    Rule.PLACES: _("Points for ranks"),
    Rule.SUM: _("Sum of the points of the game"),
    Rule.BEST_N: _("The best results"),
    Rule.COUNT_WINS: _("Events won"),
    Rule.MERS: _("From 1000 for the first to 0 for the last"),
}


class SeriesTable(models.Model):
    """Standings of a series by one rule; `parameters` as `scoring.seasons.season_rule` reads them.
    `with_below`: the events of the series below it count as well."""

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="tables")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=60)
    rule = models.CharField(
        _("rule"), max_length=12, choices=[(one.value, RULE_NAMES[one]) for one in Rule]
    )
    parameters = models.JSONField(default=dict, blank=True)
    with_below = models.BooleanField(_("the events of the series below count too"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = WithdrawableQuerySet["SeriesTable"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["position", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(rule__in=[one.value for one in Rule]), name="series_table_rule_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class KeptPenalty(models.Model):
    """A penalty that the staff of a series sees beyond the season, until a day, for a reason."""

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="kept_penalties")
    penalty = models.ForeignKey(Penalty, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=200)
    until = models.DateField()
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = WithdrawableQuerySet["KeptPenalty"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["series", "penalty"],
                condition=Q(withdrawn_at__isnull=True),
                name="kept_penalty_once_per_series",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.series_id}: {self.penalty_id}"


def tree_of(*series: Series) -> set[int]:
    """The keys of all series of the trees that these are in."""
    parents = dict(Series.objects.values_list("pk", "parent_id"))
    roots = {_root(one.pk, parents) for one in series}
    return {pk for pk in parents if _root(pk, parents) in roots}


def _root(pk: int, parents: Mapping[int, int | None]) -> int:
    seen = {pk}
    while (above := parents.get(pk)) is not None and above not in seen:
        seen.add(above)
        pk = above
    return pk


class SeriesLogQuerySet(models.QuerySet["SeriesLogEntry"]):
    def record(
        self,
        verb: str,
        *,
        series: Series,
        by: Actor,
        about: models.Model | None = None,
        before: Any = None,
        after: Any = None,
        reason: str = "",
    ) -> SeriesLogEntry:
        """Write the entry and move the version of the whole tree on: pages of one show others. The
        last thing an action does."""
        entry = self.create(
            series=series,
            verb=verb,
            object_type=(about._meta.model_name or "") if about is not None else "",
            object_id=about.pk if about is not None else None,
            before=before,
            after=after,
            reason=reason[:500],
            actor=by.signature,
            user=by.user,
        )
        Series.objects.filter(pk__in=tree_of(series)).update(version=F("version") + 1)
        return entry


class SeriesLogEntry(models.Model):
    """As an event's `LogEntry`: references and values, no names."""

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="log")
    verb = models.CharField(max_length=40)
    object_type = models.CharField(max_length=20, blank=True)
    object_id = models.BigIntegerField(null=True, blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    actor = models.CharField(max_length=60)
    user = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = SeriesLogQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]

    def __str__(self) -> str:
        return f"{self.verb} {self.object_type} {self.object_id or ''}".rstrip()
