"""The one place where seats are written: when a round is drawn, and when its tables change."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence

from django.db.models import F
from django.utils import timezone

from tournament.models import Round, Scoresheet, Seat, Table
from tournament.models.scoresheets import BYE, SheetStatus

chance: random.Random = random.SystemRandom()  # tests put one with a seed in its place


def new_seed() -> int:
    """The seed of a draw: nobody can know it beforehand, and it is kept with the round."""
    return chance.getrandbits(31)


def write_tables(round_: Round, tables: Sequence[Sequence[int]]) -> None:
    """Tables, seats and open sheets of a new round; `tables` holds players' keys, dealer first."""
    _seat(round_, dict(zip(_new_tables(round_, range(1, len(tables) + 1)), tables, strict=True)))


def replace_tables(round_: Round, changed: Mapping[int, Sequence[int]]) -> None:
    """New people at some tables: number -> players' keys, dealer first; empty closes a table, an
    unknown number opens one. Where sheets were printed they are marked as no longer right."""
    round_.seats.filter(table__number__in=changed).delete()
    people = {player for table in changed.values() for player in table}
    round_.seats.filter(player__in=people).delete()
    round_.tables.filter(number__in=[n for n, table in changed.items() if not table]).delete()
    known = set(round_.tables.values_list("number", flat=True))
    _new_tables(round_, [n for n, table in changed.items() if table and n not in known])
    tables = {table.number: table for table in round_.tables.filter(number__in=changed)}
    _seat(round_, {tables[n]: table for n, table in changed.items() if table})
    # A phone that has the old table open is told so when it saves.
    Scoresheet.objects.filter(table__in=tables.values()).update(version=F("version") + 1)
    if round_.tables.filter(printed_at__isnull=False).exists():
        round_.tables.filter(number__in=tables).update(changed_at=timezone.now())


def note_printed(round_: Round, numbers: Collection[int]) -> None:
    """The sheets of these tables, or of all, were fetched to be printed. No change of the event: it
    only tells which paper may lie about."""
    tables = round_.tables.filter(number__in=numbers) if numbers else round_.tables.all()
    tables.update(printed_at=timezone.now())


def _new_tables(round_: Round, numbers: Sequence[int]) -> list[Table]:
    made = Table.objects.bulk_create([Table(round=round_, number=number) for number in numbers])
    Scoresheet.objects.bulk_create([Scoresheet(table=table) for table in made])
    return made


def _seat(round_: Round, seating: Mapping[Table, Sequence[int]]) -> None:
    Seat.objects.bulk_create(
        [
            Seat(round=round_, table=table, position=position, player_id=player)
            for table, players in seating.items()
            for position, player in enumerate(players, 1)
        ]
    )
    alone = [table for table, players in seating.items() if len(players) == 1]
    # Nothing is played without an opponent, so there is nothing to hand in.
    Scoresheet.objects.filter(table__in=alone).update(
        status=SheetStatus.CONFIRMED, confirmed_by=BYE, confirmed_at=timezone.now()
    )
    others = Scoresheet.objects.filter(table__in=seating, confirmed_by=BYE).exclude(table__in=alone)
    others.update(status=SheetStatus.OPEN, confirmed_by="", confirmed_at=None)
