"""What happened to a series, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from scoring.seasons import HUNDRED
from tournament.labels import SERIES_VERBS
from tournament.models import (
    Event,
    Merge,
    Penalty,
    Series,
    SeriesInvitation,
    SeriesLogEntry,
    SeriesTable,
    User,
)
from tournament.models.people import Duty
from tournament.queries.log import actor_names
from tournament.queries.seasons import amount


@dataclass(frozen=True, slots=True)
class SeriesLogRow:
    created_at: datetime
    what: str
    about: str
    actor: str
    reason: str
    detail: str


def series_log(series: Series) -> QuerySet[SeriesLogEntry]:
    """Latest first."""
    return SeriesLogEntry.objects.filter(series=series).order_by("-pk")


def series_log_rows(entries: Iterable[SeriesLogEntry]) -> list[SeriesLogRow]:
    """In a number of queries that depends on the kinds of things, not on how many there are."""
    found = list(entries)
    names = _names(found)
    actors = actor_names(one.actor for one in found)
    return [
        SeriesLogRow(
            created_at=one.created_at,
            what=str(SERIES_VERBS.get(one.verb, one.verb)),
            about=names.get((one.object_type, one.object_id or 0), ""),
            actor=actors[one.actor],
            reason=one.reason,
            detail=_detail(one),
        )
        for one in found
    ]


def _detail(entry: SeriesLogEntry) -> str:
    """ "1 → 1.5", a duty."""
    before, after = entry.before, entry.after
    if (duty := after or before) in Duty.values:
        return str(Duty(str(duty)).label)
    if isinstance(after, dict) and isinstance(weight := after.get("weight"), int):
        was = before.get("weight") if isinstance(before, dict) else None
        if was is not None:
            return f"{amount(was)} → {amount(weight)}"
        return f"× {amount(weight)}" if weight != HUNDRED else ""
    if entry.verb == "series.changed" and isinstance(after, dict):
        fields = (str(Series._meta.get_field(name).verbose_name) for name in after)  # type: ignore[union-attr]
        return ", ".join(fields)
    return ""


def _pair(merge: Merge) -> str:
    return " · ".join(str(side.player) for side in merge.sides.all())


type _Rows = Callable[[], QuerySet[Any]]

_NAMES: Mapping[str, tuple[_Rows, Callable[[Any], str]]] = {
    "series": (Series.objects.all, str),
    "event": (Event.objects.all, str),
    "seriestable": (SeriesTable.objects.all, str),
    "seriesinvitation": (SeriesInvitation.objects.all, lambda one: str(one.email)),
    "user": (User.objects.all, str),
    "merge": (lambda: Merge.objects.prefetch_related("sides__player"), _pair),
    "penalty": (lambda: Penalty.objects.select_related("player"), lambda one: str(one.player)),
}


def _names(entries: Iterable[SeriesLogEntry]) -> dict[tuple[str, int], str]:
    keys: dict[str, set[int]] = {}
    for one in entries:
        if one.object_id is not None:
            keys.setdefault(one.object_type, set()).add(one.object_id)
    return {
        (kind, row.pk): name(row)
        for kind, wanted in keys.items()
        if kind in _NAMES
        for rows, name in [_NAMES[kind]]
        for row in rows().filter(pk__in=wanted)
    }
