"""What several models share: locking a row, and tokens for links that cannot be guessed."""

from __future__ import annotations

import secrets
from typing import Any, Self

from django.db import models

from tournament.names import ErasedName

# Locks are taken in one order, so that two never wait for each other: persons by key, series by
# key, events by key, job, round (or cut, or penalty), sheets by key, photo or call, and the event's
# version last. The event's lock covers its players. Saving a deal, confirming and calling a judge
# lock the sheet and the version alone, so tables do not wait for each other.


class PersonNameField(models.CharField):  # type: ignore[type-arg]
    """A name; one that was erased is read as words in the reader's language (`ErasedName`),
    wherever it is read from."""

    def from_db_value(self, value: str | None, *_args: Any) -> str | None:
        return value and ErasedName.read(value)

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value(value.stored if isinstance(value, ErasedName) else value)


class LockingQuerySet[M: models.Model](models.QuerySet[M]):
    """`lock(pk)` fetches a row that nobody else may change until the transaction ends.

    The lock lets others refer to the row (`no_key`): the log entry of a deal being saved refers to
    the event, and would else wait for whoever holds the event and waits for the sheet.
    """

    def lock(self, pk: Any) -> M:
        # `of`: the rows that `select_related` brings along stay free.
        return self.select_for_update(of=("self",), no_key=True).get(pk=pk)

    def locked(self) -> Self:
        # In one order everywhere: two who lock several rows never wait for each other.
        return self.select_for_update(of=("self",), no_key=True).order_by("pk")


class WithdrawableQuerySet[M: models.Model](LockingQuerySet[M]):
    """Rows that stay on record when they no longer hold, with `withdrawn_at`."""

    def in_force(self) -> Self:
        return self.filter(withdrawn_at__isnull=True)


def new_token() -> str:
    """A link's secret part: 128 bits, short enough for a QR code that a phone reads at once."""
    return secrets.token_urlsafe(16)
