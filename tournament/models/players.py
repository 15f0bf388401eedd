"""A person's entry in one event, and, apart from it, how to reach the person."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.models.base import LockingQuerySet, PersonNameField, new_token
from tournament.models.events import Event, EventStatus
from tournament.names import NameStyle, shown_name

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class PlayerStatus(models.TextChoices):
    WAITING = "waiting", _("Waiting list")
    REGISTERED = "registered", _("Registered")
    CHECKED_IN = "checked_in", _("Checked in")
    NO_SHOW = "no_show", _("Not here")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    DROPPED = "dropped", _("Dropped out")
    DISQUALIFIED = "disqualified", _("Disqualified")


# Who dropped out or was disqualified has had the place: it is not given out again.
HOLDS_A_PLACE = (
    PlayerStatus.REGISTERED,
    PlayerStatus.CHECKED_IN,
    PlayerStatus.NO_SHOW,
    PlayerStatus.DROPPED,
    PlayerStatus.DISQUALIFIED,
)


class Source(models.TextChoices):
    WEB = "web", _("own registration")
    STAFF = "staff", _("entered by the organiser")
    IMPORT = "import", _("imported")
    WALK_IN = "walk_in", _("walk-in")


class PlayerQuerySet(LockingQuerySet["Player"]):
    def here(self) -> Self:
        """Checked in: seated by the next draw."""
        return self.filter(status=PlayerStatus.CHECKED_IN)

    def expected(self) -> Self:
        """Registered, and not at the door yet."""
        return self.filter(status=PlayerStatus.REGISTERED)

    def waiting(self) -> Self:
        return self.filter(status=PlayerStatus.WAITING)

    def wanting_erasing(self) -> Self:
        """They have asked for it on their ticket, and it is not done."""
        return self.filter(erasure_asked_at__isnull=False)

    def lacking_a_guardian(self) -> Self:
        """Under 18 in an event that is not over, and no parent or guardian has agreed yet."""
        gone = (PlayerStatus.WITHDRAWN, PlayerStatus.DROPPED, PlayerStatus.DISQUALIFIED)
        found = self.filter(minor=True, guardian_agreed_at=None).exclude(status__in=gone)
        return found.exclude(event__status=EventStatus.FINISHED)

    def holding_a_place(self) -> Self:
        return self.filter(status__in=HOLDS_A_PLACE)


class Player(models.Model):
    """An entry: start number, name, and where the person is in the event."""

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="players", db_index=False
    )
    number = models.PositiveIntegerField(_("start number"))
    name = PersonNameField(_("name"), max_length=60)
    name_style = models.CharField(
        _("name in public"), max_length=8, choices=NameStyle.choices, default=NameStyle.FULL
    )
    alias = models.CharField(_("other name"), max_length=60, blank=True)
    status = models.CharField(
        max_length=12, choices=PlayerStatus.choices, default=PlayerStatus.REGISTERED
    )
    # What they were before they were checked in or withdrew: undoing makes them that again.
    came_from = models.CharField(max_length=12, choices=PlayerStatus.choices, blank=True)
    dropped_after = models.PositiveSmallIntegerField(null=True, blank=True)
    age_confirmed = models.BooleanField(_("of age"), default=False)
    minor = models.BooleanField(_("under 18"), default=False)
    guardian_agreed_at = models.DateTimeField(
        _("a parent or guardian has agreed"), null=True, blank=True
    )
    willing_to_deal = models.BooleanField(_("does not mind dealing"), default=True)
    # A stand-in, a house player, a judge who fills a table: seated and scored, in no standing.
    unranked = models.BooleanField(_("plays without a rank"), default=False)
    source = models.CharField(max_length=8, choices=Source.choices, default=Source.WEB)
    # After the event, when names are erased.
    keeps_name = models.BooleanField(_("name stays in the results"), default=False)
    note = models.CharField(_("note for the organiser"), max_length=200, blank=True)
    language = models.CharField(max_length=12, blank=True)
    token = models.CharField(max_length=32, unique=True, default=new_token)
    ticket_sent_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    erasure_asked_at = models.DateTimeField(null=True, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["event", "number"], name="player_number_once_per_event"
            ),
            models.CheckConstraint(
                condition=Q(status__in=PlayerStatus.values), name="player_status_known"
            ),
            models.CheckConstraint(
                condition=~Q(name_style=NameStyle.ALIAS) | ~Q(alias=""),
                name="player_alias_given_when_shown",
            ),
            models.CheckConstraint(
                condition=Q(minor=False) | ~Q(name_style=NameStyle.FULL),
                name="player_minor_not_shown_in_full",
            ),
            models.CheckConstraint(
                condition=Q(minor=True) | Q(guardian_agreed_at__isnull=True),
                name="player_guardian_of_a_minor",
            ),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True)
                | Q(name__startswith="erased:", alias="", note="", minor=False),
                name="player_erased_has_no_name",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["event", "status"], name="player_by_status")
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.name}"

    @property
    def email(self) -> str:
        """Empty where there is none, or where the contact was erased."""
        return self.contact.email if hasattr(self, "contact") else ""

    @property
    def phone(self) -> str:
        return self.contact.phone if hasattr(self, "contact") else ""

    @property
    def guardian(self) -> str:
        return self.contact.guardian if hasattr(self, "contact") else ""

    @property
    def guardian_contact(self) -> str:
        return self.contact.guardian_contact if hasattr(self, "contact") else ""

    @property
    def lacks_a_guardian(self) -> bool:
        """Under 18, and no parent or guardian has agreed yet."""
        return self.minor and self.guardian_agreed_at is None

    @property
    def public_name(self) -> str:
        return shown_name(self.name, self.name_style, self.alias, self.number)

    @property
    def name_for_others(self) -> str:
        """In what the organisers hand on: of who is under 18 only what everybody sees."""
        return self.public_name if self.minor else self.name

    @property
    def status_label(self) -> str | _StrPromise:
        return PlayerStatus(self.status).label


class Contact(models.Model):
    """How to reach a player; kept apart so that it can be erased alone."""

    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, primary_key=True, related_name="contact"
    )
    email = models.EmailField(_("e-mail"), blank=True)
    phone = models.CharField(_("phone"), max_length=30, blank=True)
    # Of somebody under 18: who answers for them, and an e-mail or a phone.
    guardian = models.CharField(_("parent or guardian"), max_length=60, blank=True)
    guardian_contact = models.CharField(
        _("contact of the parent or guardian"), max_length=100, blank=True
    )

    def __str__(self) -> str:
        return self.email
