"""A round's tables as they are, and which of them can still change."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Count, F, Q

from scoring.rules import sizes_of
from tournament import rulebook
from tournament.models import Deal, Event, Round, Seat
from tournament.models.scoresheets import SheetStatus

type Seats = Mapping[int, tuple[int, ...]]


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


def playing_tables(round_: Round) -> frozenset[int]:
    """Numbers of the tables that stay as they are: a deal was entered, or the sheet handed in."""
    dealt = Deal.objects.filter(sheet__table__round=round_).values("sheet__table")
    tables = round_.tables.filter(pk__in=dealt) | round_.tables.exclude(
        sheet__status=SheetStatus.OPEN
    )
    # Who sits without an opponent plays nothing, so an opponent can still come.
    several = tables.annotate(people=Count("seats")).filter(people__gt=1)
    return frozenset(several.values_list("number", flat=True))


def known_sizes(event: Event) -> frozenset[int]:
    """Sizes of tables that the event's rules have; one: without an opponent."""
    sizes = sizes_of(rulebook.ruleset_of(event))
    return frozenset((1, *sizes) if rulebook.has_byes(event) else sizes)


def sheets_to_print(round_: Round) -> tuple[int, ...]:
    """Tables whose printed sheet is no longer right, or that are new since the others were."""
    changed = round_.tables.filter(changed_at__isnull=False)
    stale = changed.filter(Q(printed_at=None) | Q(printed_at__lt=F("changed_at")))
    return tuple(stale.order_by("number").values_list("number", flat=True))
