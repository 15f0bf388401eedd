"""How often an event has changed, and which part of what people watch was touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from django.db import models
from django.db.models import F

from tournament.models.events import Event


class Part(StrEnum):
    """What pages that follow the event show, each with a version of its own."""

    STANDINGS = "standings"
    SEATS = "seats"
    SHEETS = "sheets"  # how far each table is
    CLOCK = "clock"
    NOTICES = "notices"  # what tickets say beside these
    CALLS = "calls"  # of judges, and who is not at the table
    SCREENS = "screens"
    RULINGS = "rulings"  # at every table and beside the rules
    BOARD = "board"  # the desk's
    NAMES = "names"  # who shares a name; no page follows it
    RESULTS = "results"  # what a season shows of the event; no page of its own follows it


ALL: frozenset[Part] = frozenset(Part)
_NOTHING: frozenset[Part] = frozenset()
# A penalty that costs no deal; whoever has one for coming late is on the judges' list no more.
NOTE_TOUCHES = frozenset({Part.NOTICES, Part.CALLS, Part.BOARD})

# Which parts an action touches, by its verb in the log or the verb's family; any other touches
# them all. Too many cost a phone one fetch; one too few would show what is no longer so, and
# tests/tournament/test_parts.py plays a day to find it.
_TOUCHED: Mapping[str, frozenset[Part]] = {
    "announcement": frozenset({Part.NOTICES}),
    "box": _NOTHING,
    "call": frozenset({Part.CALLS, Part.BOARD}),
    "clock": frozenset({Part.CLOCK, Part.BOARD}),
    "deal": frozenset({Part.BOARD}),
    "place": frozenset({Part.RESULTS}),
    "prize": _NOTHING,
    "late": frozenset({Part.CALLS, Part.BOARD}),
    "person": frozenset({Part.RESULTS}),
    "results": frozenset({Part.RESULTS}),
    "ruling": frozenset({Part.RULINGS}),
    "screen": frozenset({Part.SCREENS}),
    "separation": _NOTHING,
    "series": frozenset({Part.RESULTS}),
    "sheet": frozenset({Part.STANDINGS, Part.SHEETS, Part.BOARD}),
    "sheet.photo_added": frozenset({Part.BOARD}),
    "sheet.photo_removed": frozenset({Part.BOARD}),
    "sheet.submitted": frozenset({Part.SHEETS, Part.BOARD}),
    "sponsor": _NOTHING,
    "staff": _NOTHING,
    "tickets": _NOTHING,
}


def parts_touched(verb: str) -> frozenset[Part]:
    """The parts that an action of this verb may have changed."""
    return _TOUCHED.get(verb, _TOUCHED.get(verb.partition(".")[0], ALL))


class EventVersionQuerySet(models.QuerySet["EventVersion"]):
    def raise_for(self, event: Event, parts: Iterable[Part]) -> None:
        """One change more, of the event and of these parts."""
        # Added by the database: two actions at once make two steps of it.
        more = {name: F(name) + 1 for name in ("version", *parts)}
        if not self.filter(pk=event.pk).update(**more):
            self.create(event=event, **dict.fromkeys(more, 1))


class EventVersion(models.Model):
    """The event's version: one more with every change, by the action's log entry; beside it, of
    each part that people watch, how often it was touched.

    An action made of others records an entry for each. It has locked all it needs before the first
    one, so the version is never held while another lock is awaited.
    """

    event = models.OneToOneField(
        Event, on_delete=models.CASCADE, primary_key=True, related_name="current_version"
    )
    version = models.PositiveBigIntegerField(default=0)
    standings = models.PositiveBigIntegerField(default=0)
    seats = models.PositiveBigIntegerField(default=0)
    sheets = models.PositiveBigIntegerField(default=0)
    clock = models.PositiveBigIntegerField(default=0)
    notices = models.PositiveBigIntegerField(default=0)
    calls = models.PositiveBigIntegerField(default=0)
    screens = models.PositiveBigIntegerField(default=0)
    rulings = models.PositiveBigIntegerField(default=0)
    board = models.PositiveBigIntegerField(default=0)
    names = models.PositiveBigIntegerField(default=0)
    results = models.PositiveBigIntegerField(default=0)

    objects = EventVersionQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.event_id}: {self.version}"

    @property
    def parts(self) -> dict[Part, int]:
        return {part: getattr(self, part) for part in Part}


class CacheTable(models.Model):
    """A table of Django's database cache, which all workers share; nothing here is a fact."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.cache_key


class SharedCache(CacheTable):
    """What is dear and watched by many."""

    class Meta:
        db_table = "shared_cache"


class Counts(CacheTable):
    """How often somebody did what has a limit (`tournament.limits`)."""

    class Meta:
        db_table = "counts"
