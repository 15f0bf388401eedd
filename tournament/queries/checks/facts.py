"""Everything that the checks compare, fetched in a fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from tournament.models import (
    Cut,
    Deal,
    Event,
    Lot,
    Penalty,
    Player,
    Qualifier,
    Round,
    Scoresheet,
    Seat,
    SheetPhoto,
    Table,
)
from tournament.models.rounds import PLAYED_ROUND, RoundStatus, Stage
from tournament.queries.checks.told import Told, told_by_log


@dataclass(frozen=True)
class Facts:
    """An event's rows. `tables`, `seats`, `sheets`, `deals`: by the key of what they belong to;
    seats by position, deals by number. `inquiries`: penalties that have one."""

    event: Event
    players: Mapping[int, Player]
    rounds: Mapping[int, Round]
    tables: Mapping[int, list[Table]]
    seats: Mapping[int, list[Seat]]
    sheets: Mapping[int, Scoresheet]
    deals: Mapping[int, list[Deal]]
    penalties: list[Penalty]
    inquiries: frozenset[int]
    cuts: list[Cut]
    qualifiers: Mapping[int, list[Qualifier]]
    lots: list[Lot]
    photos: list[SheetPhoto]
    told: Told

    @cached_property
    def in_force(self) -> list[Round]:
        return [one for one in self.rounds.values() if one.status != RoundStatus.CANCELLED]

    @cached_property
    def played(self) -> list[Round]:
        return [one for one in self.rounds.values() if one.status in PLAYED_ROUND]

    @cached_property
    def cuts_in_force(self) -> list[Cut]:
        return [one for one in self.cuts if one.undone_at is None]

    def is_frozen(self, stage: str) -> bool:
        """Whether a cut in force rests on this stage."""
        order = Stage.values.index
        return any(order(cut.stage) > order(stage) for cut in self.cuts_in_force)

    @cached_property
    def table_of_sheet(self) -> Mapping[int, Table]:
        tables = {one.pk: one for tables in self.tables.values() for one in tables}
        return {sheet.pk: tables[key] for key, sheet in self.sheets.items() if key in tables}

    def tables_of(self, rounds: Iterable[Round]) -> Iterable[tuple[Round, Table]]:
        for round_ in rounds:
            for table in self.tables.get(round_.pk, ()):
                yield round_, table

    def sheets_of(self, rounds: Iterable[Round]) -> Iterable[tuple[Round, Table, Scoresheet]]:
        for round_, table in self.tables_of(rounds):
            if sheet := self.sheets.get(table.pk):
                yield round_, table, sheet

    def place(self, table: Table) -> str:
        """ "Tournament round 2, table 3"."""
        return f"{self.rounds[table.round_id]}, {table}"

    def deal_place(self, table: Table, number: int) -> str:
        return _("%(table)s, deal %(deal)d") % {"table": self.place(table), "deal": number}

    def name(self, player: int) -> str:
        """Of whoever has this key; also of somebody who is not of this event."""
        return str(self.players[player]) if player in self.players else f"#{player}"


def facts_of(event: Event) -> Facts:
    """All that is stored of an event, and what its log told of it."""
    seats = Seat.objects.filter(table__round__event=event).order_by("table_id", "position")
    deals = Deal.objects.filter(sheet__table__round__event=event).order_by("sheet_id", "number")
    qualifiers = Qualifier.objects.filter(cut__event=event).order_by("cut_id", "place")
    tables = Table.objects.filter(round__event=event).order_by("round_id", "number")
    sheets = Scoresheet.objects.filter(table__round__event=event)
    penalties = list(event.penalties.order_by("pk"))
    return Facts(
        event=event,
        players={one.pk: one for one in event.players.order_by("number")},
        rounds={one.pk: one for one in event.rounds.order_by("pk")},
        tables=_grouped(tables, "round_id"),
        seats=_grouped(seats, "table_id"),
        sheets={one.table_id: one for one in sheets},
        deals=_grouped(deals, "sheet_id"),
        penalties=penalties,
        inquiries=frozenset(
            event.penalties.filter(inquiry__isnull=False).values_list("pk", flat=True)
        ),
        cuts=list(event.cuts.order_by("pk")),
        qualifiers=_grouped(qualifiers, "cut_id"),
        lots=list(event.lots.order_by("pk")),
        photos=list(SheetPhoto.objects.filter(sheet__table__round__event=event).order_by("pk")),
        told=told_by_log(event),
    )


def _grouped[M](rows: Iterable[M], key: str) -> Mapping[int, list[M]]:
    found: dict[int, list[M]] = defaultdict(list)
    for row in rows:
        found[getattr(row, key)].append(row)
    return dict(found)
