"""How the tables of a preliminary round change after the draw. The final's seats are passed on by
`cuts.decline_seat`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from seating.cost_deltas import costed_tables
from seating.costs import RoundReport, cost_of
from tournament.actions.rounds import lock_round, lock_sheets, refuse_after_cut, save_round
from tournament.actions.seats import replace_tables
from tournament.models import (
    Event,
    LogEntry,
    Player,
    Round,
    SeatingChange,
    SheetPhoto,
    Submission,
)
from tournament.models.actors import Actor
from tournament.models.players import PlayerStatus
from tournament.models.seating_changes import ChangeStatus
from tournament.queries.names import called
from tournament.queries.seating_changes import known_sizes, playing_tables, seats_by_table
from tournament.queries.seating_history import history_of
from tournament.queries.separations import separated_pairs
from tournament.refusals import Conflict, Refused


@dataclass(frozen=True, slots=True)
class LockedRound:
    """A locked round and who sits where: table number -> players' keys, the dealer first. `done`:
    the change that this very press has made already; there is nothing left to do then."""

    event: Event
    round: Round
    seats: dict[int, tuple[int, ...]]
    done: int | None = None

    def table_of(self, player: Player) -> int | None:
        return next((n for n, table in self.seats.items() if player.pk in table), None)


def lock_round_and_sheets(
    round_: Round, *statuses: str, version: int | None, key: str = ""
) -> LockedRound:
    """Lock the round and its sheets. Raises Conflict if the round changed since `version`."""
    event = Event.objects.lock(round_.event_id)
    # Under the lock: of two equal presses at once the second sees what the first has done.
    if done := Submission.objects.outcome(event, key):
        return LockedRound(event, round_, {}, done)
    event, round_ = lock_round(round_, *statuses)
    refuse_after_cut(round_)
    lock_sheets(round_)
    if version is not None and version != round_.version:
        raise Conflict(
            _(
                "Somebody else changed this round meanwhile. Nothing of yours was written:"
                " look again."
            )
        )
    return LockedRound(event, round_, seats_by_table(round_))


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """New people at some tables, as `replace_tables` takes them. The rest tells whose change it
    is, as `SeatingChange` keeps it."""

    kind: str
    seats: Mapping[int, Sequence[int]]
    players: Collection[int] = ()
    table: int | None = None
    missing: Collection[int] = ()


def change_seating(
    locked: LockedRound, change: ChangeRequest, *, by: Actor, key: str = ""
) -> SeatingChange:
    """Write the tables that differ, and the change, so that it can be undone. What was undone
    before can't be done again. Raises Refused where a rule would be broken."""
    before, after = _write(locked, change.seats)
    SeatingChange.objects.filter(round=locked.round).undone().update(status=ChangeStatus.SUPERSEDED)
    made = SeatingChange.objects.create(
        round=locked.round,
        kind=change.kind,
        before=before,
        after=after,
        players=list(change.players),
        table=change.table,
        missing=list(change.missing),
    )
    Submission.objects.remember(locked.event, key, made)
    _log(locked, f"round.{change.kind}", before, after, by)
    return made


def step_back_or_forth(
    locked: LockedRound, change: SeatingChange, *, back: bool, by: Actor, key: str = ""
) -> None:
    """Undo a change, or do one again that was undone."""
    wanted = change.tables_before if back else change.tables_after
    keys = dict(locked.event.players.values_list("number", "pk"))
    seats = {n: [keys[number] for number in table] for n, table in wanted.items()}
    before, after = _write(locked, seats, returning=change.gone if back else ())
    change.status = ChangeStatus.UNDONE if back else ChangeStatus.DONE
    change.save(update_fields=["status"])
    verb = "round.change_undone" if back else "round.change_redone"
    Submission.objects.remember(locked.event, key, change)
    _log(locked, verb, before, after, by)


def _log(locked: LockedRound, verb: str, before: object, after: object, by: Actor) -> None:
    LogEntry.objects.record(
        verb, event=locked.event, by=by, about=locked.round, before=before, after=after
    )


def _write(
    locked: LockedRound, seats: Mapping[int, Sequence[int]], returning: Collection[int] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Check and write the tables that differ; how they were and how they are now. `returning`:
    start numbers of people who get a seat back although they are not here."""
    changed = {n: tuple(t) for n, t in seats.items() if tuple(t) != locked.seats.get(n, ())}
    if not changed:
        raise Refused(_("That changes nothing."))
    after = {n: table for n, table in {**locked.seats, **changed}.items() if table}
    _check(locked, changed, after, returning)
    gone = _gone_from(locked, changed)
    history = history_of(locked.event, before=locked.round)
    replace_tables(locked.round, changed)
    _keep_report(locked.round, cost_of(tuple(after.values()), history))
    numbers = dict(locked.event.players.values_list("pk", "number"))

    def told(tables: Mapping[int, Sequence[int]]) -> dict[str, Any]:
        return {
            "tables": {str(n): [numbers[p] for p in tables.get(n, ())] for n in sorted(changed)},
            "cost": costed_tables(tuple(tables.values()), history).cost()._asdict(),
        }

    return told(locked.seats) | {"gone": gone}, told(after)


def _gone_from(locked: LockedRound, changed: Collection[int]) -> list[int]:
    """Start numbers of those at these tables who are not here: undo puts them back as they were."""
    people = [player for number in changed for player in locked.seats.get(number, ())]
    gone = locked.event.players.filter(pk__in=people).exclude(status=PlayerStatus.CHECKED_IN)
    return sorted(gone.values_list("number", flat=True))


def _check(
    locked: LockedRound,
    changed: Mapping[int, Sequence[int]],
    after: Mapping[int, Sequence[int]],
    returning: Collection[int],
) -> None:
    seated = [player for table in after.values() for player in table]
    if len(seated) != len(set(seated)):
        raise Refused(_("Nobody can sit in two seats."))
    if playing := sorted(set(changed) & playing_tables(locked.round)):
        raise Refused(
            ngettext(
                "Table %(tables)s has entered deals: it stays as it is.",
                "Tables %(tables)s have entered deals: they stay as they are.",
                len(playing),
            )
            % {"tables": ", ".join(map(str, playing))}
        )
    _check_sizes(locked.event, changed)
    _check_byes(locked, changed)
    _check_photos(locked.round, [number for number, table in changed.items() if not table])
    _check_newcomers(locked, set(seated).difference(*locked.seats.values()), returning)
    _check_separations(locked, changed)


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


def _check_byes(locked: LockedRound, changed: Mapping[int, Sequence[int]]) -> None:
    """Nobody is without an opponent twice."""
    alone = {table[0] for table in changed.values() if len(table) == 1}
    if not alone:
        return
    history = history_of(locked.event, before=locked.round)
    before = {table[0] for tables in history for table in tables if len(table) == 1}
    for player in locked.event.players.filter(pk__in=alone & before).order_by("number"):
        raise Refused(
            _("%(name)s has been without an opponent already.") % {"name": called(player)}
        )


def _check_photos(round_: Round, closed: Collection[int]) -> None:
    """A photo is never lost before its event, and it hangs on the table's sheet."""
    kept = SheetPhoto.objects.filter(sheet__table__round=round_, sheet__table__number__in=closed)
    for number in kept.order_by("sheet__table__number").values_list(
        "sheet__table__number", flat=True
    ):
        raise Refused(
            _("There is a photo of the sheet of table %(number)d: the table stays.")
            % {"number": number}
        )


def _check_newcomers(
    locked: LockedRound, newcomers: Iterable[int], returning: Collection[int]
) -> None:
    known = locked.event.players.filter(pk__in=newcomers)
    gone = known.exclude(status=PlayerStatus.CHECKED_IN).exclude(number__in=returning)
    gone = gone.order_by("number")
    for name in gone.values_list("name", flat=True):
        raise Refused(_("%(name)s is not checked in.") % {"name": name})
    if known.count() != len(set(newcomers)):
        raise Refused(_("Somebody of these is not in this event."))


def _check_separations(locked: LockedRound, changed: Mapping[int, Sequence[int]]) -> None:
    """Only those who would newly meet: a pair that sits together already bars no other change."""
    together = {
        frozenset(pair) for table in locked.seats.values() for pair in combinations(table, 2)
    }
    for pair in separated_pairs(locked.event) - together:
        if any(pair <= set(table) for table in changed.values()):
            one, other = Player.objects.filter(pk__in=pair).order_by("number")
            raise Refused(
                _("%(first)s and %(second)s are kept apart: they can't sit at one table.")
                % {"first": called(one), "second": called(other)}
            )


def _keep_report(round_: Round, report: RoundReport) -> None:
    round_.report = {**report.as_dict(), "seed": round_.seed, "edited": True}
    save_round(round_, "report")
