"""A related object that each of a list asks for by itself: refused in every test."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import FieldFetchBlocked
from django.db import models
from django.db.models import query
from django.db.models.fetch_modes import FetchMode


class RaiseForLists(FetchMode):
    """As FETCH_RAISE for whatever came in a list, as FETCH_ONE for a single object."""

    __slots__ = ()
    track_peers = True

    def fetch(self, fetcher: Any, instance: models.Model) -> None:
        if sum(peer() is not None for peer in instance._state.peers) > 1:
            name = f"{type(instance).__name__}.{fetcher.field.name}"
            raise FieldFetchBlocked(f"{name} is asked for one by one: select or prefetch it.")
        fetcher.fetch_one(instance)

    def __reduce__(self) -> str:
        return "RAISE_FOR_LISTS"


RAISE_FOR_LISTS = RaiseForLists()


def refuse_one_by_one() -> None:
    query.DEFAULT_FETCH_MODE = RAISE_FOR_LISTS
