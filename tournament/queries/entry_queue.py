"""The stack of paper sheets of a round: which of them are in, and which comes next."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count

from tournament.models import Round
from tournament.models.scoresheets import BYE, SheetStatus


@dataclass(frozen=True, slots=True)
class EntryQueue:
    """So many of the round's sheets are in; `tables`: number -> key; `missing`: numbers."""

    tables: dict[int, int]
    missing: tuple[int, ...]

    @property
    def total(self) -> int:
        return len(self.tables)

    @property
    def done(self) -> int:
        return self.total - len(self.missing)

    def after(self, number: int) -> int | None:
        """The next table not in yet, from this one on and then from the first, by its key."""
        others = [one for one in self.missing if one != number]
        found = next((one for one in others if one > number), others[0] if others else None)
        return None if found is None else self.tables[found]


def entry_queue(round_: Round) -> EntryQueue:
    """A sheet is in once all its deals are entered, or it was handed in with fewer."""
    rows = list(
        round_.tables.order_by("number")
        .exclude(sheet__confirmed_by=BYE)
        .annotate(entered=Count("sheet__deals"))
        .values_list("number", "pk", "sheet__status", "entered")
    )
    return EntryQueue(
        tables={number: pk for number, pk, _status, _entered in rows},
        missing=tuple(
            number
            for number, _pk, status, entered in rows
            if status == SheetStatus.OPEN and entered < round_.deals
        ),
    )
