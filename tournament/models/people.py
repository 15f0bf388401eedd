"""Logins, and the duties they have at an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.models.base import new_token

if TYPE_CHECKING:
    from tournament.models.events import Event


# Where no mail goes (RFC 2606): the address of a row whose account was deleted.
FORMER = "@deleted.invalid"


class UserManager(BaseUserManager["User"]):
    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        # Django leaves what stands before the @ as it was typed; nobody has two logins by capitals.
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email__iexact=username)


class User(AbstractUser):
    """A person who can log in: an organiser or a judge. Players and dealers need no login."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    name = models.CharField(_("name"), max_length=80)
    email = models.EmailField(_("e-mail"), unique=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    def __str__(self) -> str:
        if self.is_former:
            return gettext("Former staff member %(number)d") % {"number": self.pk}
        return self.name or self.email

    @property
    def is_former(self) -> bool:
        """Whether the account was deleted: the row stays, for what was done by it."""
        return self.email.endswith(FORMER)

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)


def display_name(user: User) -> str:
    return str(user)


class Duty(models.TextChoices):
    ORGANISER = "organiser", _("Organiser")
    JUDGE = "judge", _("Judge")


class StaffMember(models.Model):
    """A user's duty at one event."""

    event: models.ForeignKey[Event] = models.ForeignKey(
        "tournament.Event", on_delete=models.CASCADE, related_name="staff", db_index=False
    )
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="duties")
    duty = models.CharField(max_length=10, choices=Duty.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["event", "user"], name="staff_user_once_per_event"),
            models.CheckConstraint(
                condition=models.Q(duty__in=Duty.values), name="staff_duty_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_duty_display()}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> Self:
        """Neither accepted nor taken back."""
        return self.filter(accepted_at__isnull=True, revoked_at__isnull=True)


class Invitation(models.Model):
    """A link that gives whoever opens it, logged in, a duty at an event; it works once."""

    event: models.ForeignKey[Event] = models.ForeignKey(
        "tournament.Event", on_delete=models.CASCADE, related_name="invitations"
    )
    email = models.EmailField(_("e-mail"))
    duty = models.CharField(max_length=10, choices=Duty.choices)
    token = models.CharField(max_length=32, unique=True, default=new_token)
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.email}: {self.get_duty_display()}"

    @property
    def open(self) -> bool:
        return self.accepted_at is None and self.revoked_at is None
