"""A round's tables as they are, and what was changed in them by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Max

from tournament import rulebook
from tournament.models import Deal, Event, LogEntry, Round, Seat
from tournament.models.rounds import RoundStatus
from tournament.models.sheets import SheetStatus

type Seats = Mapping[int, tuple[int, ...]]

CHANGES = (
    "round.seats_swapped",
    "round.player_moved",
    "round.rest_improved",
    "round.mended",
)
UNDONE, REDONE = "round.change_undone", "round.change_redone"


def seats_by_table(round_: Round) -> dict[int, tuple[int, ...]]:
    """Table number -> players' keys in sitting order."""
    found: dict[int, tuple[int, ...]] = {}
    for table, player in (
        Seat.objects.filter(round=round_)
        .order_by("table__number", "position")
        .values_list("table__number", "player_id")
    ):
        found[table] = (*found.get(table, ()), player)
    return found


def version_of_tables(round_: Round) -> int:
    """Moves on with every change of the round: who sends an older one has not seen them all."""
    entries = LogEntry.objects.filter(
        event=round_.event_id, object_type="round", object_id=round_.pk
    )
    return entries.aggregate(last=Max("pk"))["last"] or 0


def playing_tables(round_: Round) -> frozenset[int]:
    """Numbers of the tables that stay as they are: a deal was entered, or the sheet handed in."""
    dealt = Deal.objects.filter(sheet__table__round=round_).values("sheet__table")
    tables = round_.tables.filter(pk__in=dealt) | round_.tables.exclude(
        sheet__status=SheetStatus.OPEN
    )
    return frozenset(tables.values_list("number", flat=True))


def known_sizes(event: Event) -> frozenset[int]:
    """Sizes of tables that the event's rules have."""
    return frozenset(rulebook.ruleset_of(event).rows)


type Tables = dict[int, list[int]]


@dataclass(frozen=True, slots=True)
class TableChange:
    """One change as the log keeps it: the tables concerned before and after (number -> start
    numbers), what each state costs, whose change it was, who was noted as missing with it."""

    verb: str
    before: Tables
    after: Tables
    costs: tuple[Mapping[str, int], Mapping[str, int]]
    who: tuple[int, ...] = ()
    table: int | None = None
    missing: tuple[int, ...] = ()

    @classmethod
    def of(cls, entry: LogEntry) -> TableChange:
        before: dict[str, Any] = entry.before or {}
        after: dict[str, Any] = entry.after or {}
        return cls(
            verb=entry.verb,
            before={int(n): table for n, table in before["tables"].items()},
            after={int(n): table for n, table in after["tables"].items()},
            costs=(before["cost"], after["cost"]),
            who=tuple(after.get("who", ())),
            table=after.get("table"),
            missing=tuple(after.get("missing", ())),
        )

    @property
    def people(self) -> set[int]:
        """Who is named when it is told."""
        return {*self.who, *self.missing}


@dataclass(frozen=True, slots=True)
class Changes:
    """What was done to the tables since the draw, or since they were published; oldest first.
    `undone`: what was taken back and can be done again, the next one last."""

    done: tuple[TableChange, ...] = ()
    undone: tuple[TableChange, ...] = ()


def changes_of(round_: Round) -> Changes:
    """The round's log read once: undoing takes the last change off, anything new forgets those."""
    done: list[TableChange] = []
    undone: list[TableChange] = []
    for entry in LogEntry.objects.filter(
        event=round_.event_id,
        object_type="round",
        object_id=round_.pk,
        verb__in=(*CHANGES, UNDONE, REDONE, "round.published"),
    ).order_by("pk"):
        if entry.verb == UNDONE and done:
            undone.append(done.pop())
        elif entry.verb == REDONE and undone:
            done.append(undone.pop())
        elif entry.verb in CHANGES:
            done.append(TableChange.of(entry))
            undone.clear()
        elif entry.verb == "round.published" and round_.status != RoundStatus.DRAWN:
            done.clear()
            undone.clear()
    return Changes(tuple(done), tuple(undone))


def sheets_to_print(round_: Round) -> tuple[int, ...]:
    """Tables whose printed sheet is no longer right."""
    stale = round_.tables.filter(changed_at__isnull=False).order_by("number")
    return tuple(stale.values_list("number", flat=True))
