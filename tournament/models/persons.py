"""A person whose results of several events stand together, because the person asked for it.

That an entry is a person's is a link: a fact with a beginning and an end. Nothing here is guessed
from names.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.models.base import LockingQuerySet, WithdrawableQuerySet, new_token
from tournament.models.people import User
from tournament.models.players import Player
from tournament.models.series import Series


class PersonQuerySet(LockingQuerySet["Person"]):
    pass


class Person(models.Model):
    """Somebody as they want to be called. `token`: of the page that is theirs alone; `public`:
    everybody may open their page, with the roles they were dealt if `shows_roles`."""

    name = models.CharField(_("name"), max_length=60, blank=True)
    token = models.CharField(max_length=32, unique=True, default=new_token)
    public = models.BooleanField(_("everybody may open my page"), default=False)
    shows_roles = models.BooleanField(
        _("how often I was miner, saboteur or selfish dwarf is on it"), default=False
    )
    language = models.CharField(max_length=12, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)

    objects = PersonQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name

    @property
    def email(self) -> str:
        """Empty once they have left."""
        return self.contact.email if hasattr(self, "contact") else ""


class PersonContact(models.Model):
    """What a person is known by: one address, one person. Kept apart so that it can be erased."""

    person = models.OneToOneField(
        Person, on_delete=models.CASCADE, primary_key=True, related_name="contact"
    )
    # In small letters.
    email = models.EmailField(_("e-mail"), unique=True)

    def __str__(self) -> str:
        return self.email


class PersonClaim(models.Model):
    """Somebody who holds a ticket asks to keep its result; the link that is mailed to the address
    of the entry says yes. It works once."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims")
    email = models.EmailField(_("e-mail"))
    name = models.CharField(_("name"), max_length=60)
    language = models.CharField(max_length=12, blank=True)
    token = models.CharField(max_length=32, unique=True, default=new_token)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, blank=True)

    objects = LockingQuerySet["PersonClaim"].as_manager()

    def __str__(self) -> str:
        return f"{self.player_id}: {self.name}"


class Merge(models.Model):
    """Organisers of a series think that two entries are of one person; both sides are asked.

    `into`: the person who has both since it was done; `joined`: the one who was another before, if
    there was one. Taken apart it stays, with the reason.
    """

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="merges")
    reason = models.CharField(max_length=200, blank=True)
    into = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="merges")
    joined = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="joins")
    proposed_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_reason = models.CharField(max_length=200, blank=True)
    # Before it was done: taken back, or somebody said no.
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = LockingQuerySet["Merge"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]

    def __str__(self) -> str:
        return f"{self.series_id}: {self.pk}"

    @property
    def open(self) -> bool:
        """Whether somebody still has to answer."""
        return self.done_at is None and self.closed_at is None

    @property
    def holds(self) -> bool:
        return self.done_at is not None and self.undone_at is None


class MergeSide(models.Model):
    """One of the two: an entry, and the person who has it, if there is one. `email`: where the
    question went, until it is settled; `agrees`: None until they have answered by their link."""

    merge = models.ForeignKey(Merge, on_delete=models.CASCADE, related_name="sides")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="merge_sides")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    email = models.EmailField(blank=True)
    token = models.CharField(max_length=32, unique=True, default=new_token)
    agrees = models.BooleanField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["merge", "player"], name="merge_side_once"),
        ]

    def __str__(self) -> str:
        return f"{self.merge_id}: {self.player_id}"


class PersonLink(models.Model):
    """An entry that is a person's. `merge`: that it came by; `ended_by`: the one that it went by,
    to another person."""

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="links")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="person_links")
    merge = models.ForeignKey(Merge, on_delete=models.SET_NULL, null=True, related_name="made")
    ended_by = models.ForeignKey(Merge, on_delete=models.SET_NULL, null=True, related_name="ended")
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = WithdrawableQuerySet["PersonLink"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # Whoever is first has it.
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(withdrawn_at__isnull=True),
                name="person_link_one_per_entry",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.player_id}"
