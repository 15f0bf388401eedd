"""The tree of series, and which events are in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Coalesce

from scoring.seasons import HUNDRED
from tournament.models import (
    Event,
    EventVersion,
    KeptPenalty,
    Penalty,
    Result,
    Series,
    SeriesEvent,
    SeriesMember,
    SeriesTable,
    User,
)
from tournament.models.events import EventStatus
from tournament.models.people import Duty
from tournament.models.series import Side
from tournament.names import shown_name
from tournament.queries.visibility import wholly_shown


@dataclass(frozen=True, slots=True)
class Branch:
    """A series and those below it, for a list that shows the tree."""

    series: Series
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """All series, in the order in which they are listed."""

    every: tuple[Series, ...]

    def above(self, series: Series) -> tuple[Series, ...]:
        """What it is a part of, the whole first."""
        by_key = {one.pk: one for one in self.every}
        found: list[Series] = []
        parent = by_key.get(series.parent_id or 0)
        while parent is not None and parent not in found:
            found.insert(0, parent)
            parent = by_key.get(parent.parent_id or 0)
        return tuple(found)

    def children(self, series: Series) -> tuple[Series, ...]:
        return tuple(one for one in self.every if one.parent_id == series.pk)

    def below(self, series: Series) -> tuple[Series, ...]:
        """Everything under it, without itself."""
        found: list[Series] = []
        for child in self.children(series):
            found += [child, *self.below(child)]
        return tuple(found)

    def branches(self, parent: Series | None = None) -> tuple[Branch, ...]:
        """Those of a parent; without one those that are part of none that is here."""
        known = {one.pk for one in self.every}
        tops = (
            self.children(parent)
            if parent is not None
            else [one for one in self.every if one.parent_id not in known]
        )
        return tuple(Branch(one, self.branches(one)) for one in tops)


def public_tree() -> Tree:
    """What everybody sees."""
    return Tree(tuple(Series.objects.shown()))


def whole_tree() -> Tree:
    return Tree(tuple(Series.objects.all()))


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An event of a series. `within`: the series below in which it is, if it is not in this one;
    `winners`: of a finished event whose standings everybody may see."""

    entry: SeriesEvent
    within: Series | None
    shown: bool
    winners: tuple[str, ...] = ()

    @property
    def event(self) -> Event:
        return self.entry.event

    @property
    def over(self) -> bool:
        return self.event.status == EventStatus.FINISHED

    @property
    def playing(self) -> bool:
        return self.event.status == EventStatus.RUNNING

    @property
    def counts(self) -> bool:
        """Whether its result stands in the season."""
        return self.over and self.shown

    @property
    def twofold(self) -> bool:
        return self.entry.weight != HUNDRED


def entries_in(series: Iterable[Series]) -> QuerySet[SeriesEvent]:
    """What is in these series, without drafts: the earliest first."""
    return (
        SeriesEvent.objects.entered()
        .filter(series__in=list(series))
        .exclude(event__status=EventStatus.DRAFT)
        .order_by("event__starts_at", "event__pk", "pk")
    )


# Of hundreds of events, all that is not shown would take its time.
_OF_AN_ENTRY = ("series", "event", "weight", "accepted_at")
_OF_AN_EVENT = tuple(
    f"event__{name}"
    for name in (
        "name",
        "slug",
        "venue",
        "starts_at",
        "time_zone",
        "status",
        "standings_shown",
        "hidden_from_round",
    )
)
_OF_A_SERIES = ("series__name", "series__slug")


def events_of(series: Series, below: Sequence[Series] = ()) -> tuple[ListedEvent, ...]:
    """The events of a series and of those below it, each once: the series' own weight is before
    that of another. In a fixed number of queries."""
    wanted = entries_in([series, *below]).select_related("event", "series")
    found = _each_once(series, wanted.only(*_OF_AN_ENTRY, *_OF_AN_EVENT, *_OF_A_SERIES))
    over = [one.event for one in found if one.event.status == EventStatus.FINISHED]
    shown = wholly_shown(over)
    winners = _winners(shown)
    return tuple(
        ListedEvent(
            entry,
            within=entry.series if entry.series_id != series.pk else None,
            shown=entry.event_id in shown,
            winners=winners.get(entry.event_id, ()),
        )
        for entry in found
    )


def counting_in(series: Series, below: Sequence[Series] = ()) -> list[SeriesEvent]:
    """Those whose results count: over, and everybody may see their standings whole; the earliest
    first."""
    wanted = entries_in([series, *below]).filter(event__status=EventStatus.FINISHED)
    found = _each_once(
        series,
        wanted.select_related("event").only(*_OF_AN_ENTRY, *_OF_AN_EVENT),
    )
    shown = wholly_shown(one.event for one in found)
    return [one for one in found if one.event_id in shown]


def _each_once(series: Series, entries: Iterable[SeriesEvent]) -> list[SeriesEvent]:
    found: dict[int, SeriesEvent] = {}
    for entry in entries:
        if entry.event_id not in found or entry.series_id == series.pk:
            found[entry.event_id] = entry
    return list(found.values())


def _winners(events: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """Who stands first, as the frozen results have it, with the names of now."""
    found: dict[int, tuple[str, ...]] = {}
    rows = Result.objects.filter(
        won=True, freeze__replaced_at__isnull=True, freeze__event__in=events
    ).order_by("pk")
    for event, number, name, style, alias in rows.values_list(
        "freeze__event_id", "number", "player__name", "player__name_style", "player__alias"
    ):
        found[event] = (*found.get(event, ()), shown_name(name, style, alias, number))
    return found


@dataclass(frozen=True, slots=True)
class TakenOut:
    """An event that was in the series once."""

    event: Event
    entry: SeriesEvent


def taken_out(series: Series) -> tuple[TakenOut, ...]:
    """Those that counted and count no more, unless they are in again."""
    again = SeriesEvent.objects.entered().filter(series=series).values("event")
    gone = (
        SeriesEvent.objects.filter(
            series=series, accepted_at__isnull=False, withdrawn_at__isnull=False
        )
        .exclude(event__in=again)
        .exclude(event__status=EventStatus.DRAFT)
        .select_related("event")
        .order_by("withdrawn_at", "pk")
    )
    latest = {one.event_id: TakenOut(one.event, one) for one in gone}
    return tuple(latest.values())


def season_version(series: Series, below: Sequence[Series] = ()) -> int:
    """Higher with whatever changes what a season shows: of the series, or of an event in it."""
    events = SeriesEvent.objects.entered().filter(series__in=[series, *below]).values("event")
    changes = EventVersion.objects.filter(event__in=events).aggregate(
        sum=Coalesce(Sum(F("results") + F("names")), 0)
    )["sum"]
    # An event that is taken out takes its changes along, and raises the series' own number.
    return int(series.version * 10**9 + changes)


@dataclass(frozen=True, slots=True)
class DeskEntry:
    """An event as the desk of a series, or of the event, lists it. `may_answer`: whoever looks is
    of the side that was asked."""

    entry: SeriesEvent
    may_answer: bool


def desk_entries(series: Series) -> tuple[DeskEntry, ...]:
    """All that are in or asked for, drafts too: the earliest first."""
    found = SeriesEvent.objects.in_force().filter(series=series).select_related("event")
    return tuple(
        DeskEntry(one, one.accepted_at is None and one.asked_by == Side.EVENT)
        for one in found.order_by("event__starts_at", "pk")
    )


def series_of_event(event: Event) -> tuple[DeskEntry, ...]:
    found = SeriesEvent.objects.in_force().filter(event=event).select_related("series")
    return tuple(
        DeskEntry(one, one.accepted_at is None and one.asked_by == Side.SERIES)
        for one in found.order_by("series__name", "pk")
    )


def shown_series_of(event: Event) -> QuerySet[Series]:
    """The series that everybody may see the event in."""
    entries = SeriesEvent.objects.entered().filter(event=event)
    return Series.objects.shown().filter(pk__in=entries.values("series")).order_by("name")


def organised_by(user: User) -> QuerySet[Series]:
    members = SeriesMember.objects.filter(user=user, duty=Duty.ORGANISER)
    return Series.objects.filter(pk__in=members.values("series")).order_by("name")


def tables_of_series(series: Series) -> list[SeriesTable]:
    tables = list(SeriesTable.objects.in_force().filter(series=series))
    for one in tables:
        one.series = series
    return tables


# --- penalties over a season ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeasonPenalty:
    """A deal loss or a disqualification; `kept`: beyond the season, and why."""

    penalty: Penalty
    kept: KeptPenalty | None


def penalties_over(series: Series, today: date) -> tuple[SeasonPenalty, ...]:
    """What the staff of a series sees: everything that cost a deal or more while the season lasts;
    after its last day only what was kept with a reason, until the day that was said with it."""
    kept = {
        one.penalty_id: one
        for one in KeptPenalty.objects.in_force().filter(series=series, until__gte=today)
    }
    found = Penalty.objects.costing_a_deal().select_related("player", "event")
    if today <= series.ends_on:
        events = SeriesEvent.objects.entered().filter(
            series__in=[series, *whole_tree().below(series)]
        )
        found = found.filter(event__in=events.values("event"))
    else:
        found = found.filter(pk__in=kept)
    return tuple(
        SeasonPenalty(one, kept.get(one.pk)) for one in found.order_by("-created_at", "-pk")
    )
