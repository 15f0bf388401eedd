"""Who supports an event."""

from __future__ import annotations

import base64
from hashlib import sha256
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.base import LockingQuerySet
from tournament.models.events import Event

# Letters of a logo: some 300 kB, many times what a picture of that size comes to.
MOST_LETTERS = 400_000


class Sponsor(models.Model):
    """`logo`: a small JPEG that we made ourselves, in base64; in the row, so that it is wherever
    the row is: in a backup, in a second copy, in the file of the event."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="sponsors")
    name = models.CharField(_("name"), max_length=80)
    link = models.URLField(_("link"), max_length=200, blank=True)
    place = models.PositiveSmallIntegerField(_("place in the row"), default=1)
    logo = models.TextField(_("logo"), max_length=MOST_LETTERS, blank=True)
    logo_width = models.PositiveSmallIntegerField(default=0)
    logo_height = models.PositiveSmallIntegerField(default=0)

    objects = LockingQuerySet["Sponsor"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["place", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def jpeg(self) -> bytes:
        return base64.b64decode(self.logo)

    @property
    def logo_mark(self) -> str:
        """What tells this logo from one that was here before."""
        return sha256(self.logo.encode()).hexdigest()[:8]
