"""The one way in which a round's tables change after the draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from seating.cost_deltas import costed_tables
from seating.costs import RoundReport, cost_of
from tournament.actions.rounds import lock_sheets, locked_round, not_the_final
from tournament.actor import Actor
from tournament.models import Event, LogEntry, Player, Round, Scoresheet, Seat, Table
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus
from tournament.queries.drafts import known_sizes, playing_tables, seats_by_table, version_of_tables
from tournament.queries.draws import pairs_apart
from tournament.queries.seating import history_of
from tournament.refused import Conflict, Refused


@dataclass(frozen=True, slots=True)
class Opened:
    """A locked round and who sits where: table number -> players' keys, the dealer first."""

    event: Event
    round: Round
    seats: dict[int, tuple[int, ...]]

    def table_of(self, player: Player) -> int | None:
        return next((n for n, table in self.seats.items() if player.pk in table), None)


def open_tables(round_: Round, *statuses: str, version: int | None) -> Opened:
    """Lock the round and its sheets. Raises Conflict if the tables changed since `version`."""
    event, round_ = locked_round(round_, *statuses)
    not_the_final(round_)
    lock_sheets(round_)
    if version is not None and version != version_of_tables(round_):
        raise Conflict(
            _(
                "Somebody else changed this round meanwhile. Nothing of yours was written:"
                " look again."
            )
        )
    return Opened(event, round_, seats_by_table(round_))


@dataclass(frozen=True, slots=True)
class Change:
    """New people at some tables: number -> players' keys, the dealer first; empty closes a table,
    an unknown number opens one. `said`: what the list of changes tells of it."""

    verb: str
    seats: Mapping[int, Sequence[int]]
    said: dict[str, Any] = field(default_factory=dict)


def reseat(opened: Opened, change: Change, *, by: Actor, key: str = "") -> LogEntry:
    """Write the tables that differ and one log entry with them before and after. Raises Refused
    where a rule would be broken."""
    changed = {n: tuple(t) for n, t in change.seats.items() if tuple(t) != opened.seats.get(n, ())}
    if not changed:
        raise Refused(_("That changes nothing."))
    after = {n: table for n, table in {**opened.seats, **changed}.items() if table}
    _check(opened, changed, after)
    history = history_of(opened.event, before=opened.round)
    _write(opened, changed)
    _keep_report(opened.round, cost_of(tuple(after.values()), history))
    people = {
        player for seats in (opened.seats, after) for table in seats.values() for player in table
    }
    numbers = dict(Player.objects.filter(pk__in=people).values_list("pk", "number"))
    sides = [
        {
            "tables": {str(n): [numbers[p] for p in seats.get(n, ())] for n in sorted(changed)},
            "cost": costed_tables(tuple(seats.values()), history).cost()._asdict(),
        }
        for seats in (opened.seats, after)
    ]
    return LogEntry.objects.record(
        change.verb,
        event=opened.event,
        by=by,
        about=opened.round,
        before=sides[0],
        after=sides[1] | change.said,
        key=key,
    )


def _check(
    opened: Opened, changed: Mapping[int, Sequence[int]], after: Mapping[int, Sequence[int]]
) -> None:
    seated = [player for table in after.values() for player in table]
    if len(seated) != len(set(seated)):
        raise Refused(_("Nobody can sit in two seats."))
    if playing := sorted(set(changed) & playing_tables(opened.round)):
        raise Refused(
            ngettext(
                "Table %(tables)s has entered deals: it stays as it is.",
                "Tables %(tables)s have entered deals: they stay as they are.",
                len(playing),
            )
            % {"tables": ", ".join(map(str, playing))}
        )
    _check_sizes(opened.event, changed)
    _check_newcomers(opened, set(seated).difference(*opened.seats.values()))
    _check_apart(opened, changed)


def _check_sizes(event: Event, changed: Mapping[int, Sequence[int]]) -> None:
    sizes = known_sizes(event)
    for number, table in changed.items():
        if table and len(table) not in sizes:
            raise Refused(
                _(
                    "Table %(table)d would have %(size)d players: the rules need %(least)d to"
                    " %(most)d. Swap instead."
                )
                % {"table": number, "size": len(table), "least": min(sizes), "most": max(sizes)}
            )


def _check_newcomers(opened: Opened, newcomers: Iterable[int]) -> None:
    here = opened.event.players.filter(pk__in=newcomers)
    gone = here.exclude(status=PlayerStatus.CHECKED_IN).order_by("number")
    for name in gone.values_list("name", flat=True):
        raise Refused(_("%(name)s is not checked in.") % {"name": name})
    if here.count() != len(set(newcomers)):
        raise Refused(_("Somebody of these is not in this event."))


def _check_apart(opened: Opened, changed: Mapping[int, Sequence[int]]) -> None:
    """Only those who would newly meet: a pair that sits together already bars no other change."""
    together = {
        frozenset(pair) for table in opened.seats.values() for pair in combinations(table, 2)
    }
    for pair in pairs_apart(opened.event) - together:
        if any(pair <= set(table) for table in changed.values()):
            one, other = Player.objects.filter(pk__in=pair).order_by("number")
            raise Refused(
                _("%(first)s and %(second)s are kept apart: they can't sit at one table.")
                % {"first": one.name, "second": other.name}
            )


def _write(opened: Opened, changed: Mapping[int, Sequence[int]]) -> None:
    round_ = opened.round
    round_.seats.filter(table__number__in=changed).delete()
    people = {player for table in changed.values() for player in table}
    round_.seats.filter(player__in=people).delete()
    closed = [n for n, table in changed.items() if not table]
    round_.tables.filter(number__in=closed).delete()
    known = set(round_.tables.values_list("number", flat=True))
    made = Table.objects.bulk_create(
        [Table(round=round_, number=n) for n, table in changed.items() if table and n not in known]
    )
    Scoresheet.objects.bulk_create([Scoresheet(table=table) for table in made])
    tables = {table.number: table for table in round_.tables.filter(number__in=changed)}
    Seat.objects.bulk_create(
        [
            Seat(round=round_, table=tables[n], position=position, player_id=player)
            for n, table in changed.items()
            for position, player in enumerate(table, 1)
        ]
    )
    # A phone that has the old table open is told so when it saves.
    Scoresheet.objects.filter(table__in=tables.values()).update(version=F("version") + 1)
    if was_published(round_):
        round_.tables.filter(number__in=tables).update(changed_at=timezone.now())


def was_published(round_: Round) -> bool:
    """Sheets may have been printed: the round is published, or was before it became a draft."""
    if round_.status != RoundStatus.DRAWN:
        return True
    entries = LogEntry.objects.filter(event=round_.event_id, verb="round.published")
    return entries.filter(object_type="round", object_id=round_.pk).exists()


def _keep_report(round_: Round, report: RoundReport) -> None:
    round_.report = {**report.as_dict(), "seed": round_.seed, "edited": True}
    round_.save(update_fields=["report"])
