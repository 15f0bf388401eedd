"""The organiser's hand on a draft: swap, move, seat, take out, improve the rest, undo."""

from __future__ import annotations

import random

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from seating.cost_deltas import costed_tables
from seating.draw import DrawRequest, next_round
from seating.vacancies import keep_tables_in_place
from tournament.actions.attendance import mark_missing, mark_present
from tournament.actions.reseat import Change, Opened, open_tables, reseat
from tournament.actor import Actor
from tournament.models import LogEntry, Player, Round, Table
from tournament.models.rounds import RoundStatus
from tournament.queries.draftpage import may_improve
from tournament.queries.drafts import REDONE, UNDONE, changes_of
from tournament.queries.draws import pairs_apart
from tournament.queries.seating import history_of
from tournament.refused import Refused, refused

SECONDS = 0.7  # what "improve the rest" may think: the page waits for it


@transaction.atomic
def swap_seats(
    *,
    round_: Round,
    first: Player,
    second: Player,
    by: Actor,
    version: int | None = None,
    key: str = "",
) -> Round:
    """Two players of a draft change places; or somebody without a seat takes another's, who then
    has none."""
    if LogEntry.objects.done(round_.event, key):
        return round_
    opened = open_tables(round_, RoundStatus.DRAWN, version=version)
    tables = {n for player in (first, second) if (n := opened.table_of(player)) is not None}
    if first == second or not tables:
        raise Refused(_("Choose two different people who are seated in this round."))
    change = {first.pk: second.pk, second.pk: first.pk}
    seats = {n: [change.get(p, p) for p in opened.seats[n]] for n in tables}
    said = {"who": [first.number, second.number]}
    reseat(opened, Change("round.seats_swapped", seats, said), by=by, key=key)
    return opened.round


@transaction.atomic
def move_player(
    *,
    round_: Round,
    player: Player,
    table: Table | None,
    by: Actor,
    version: int | None = None,
    key: str = "",
) -> Round:
    """To another table's last seat, or (`table` None) out of this round; also seats somebody
    who was not seated. Sizes must stay within the rules."""
    if LogEntry.objects.done(round_.event, key):
        return round_
    opened = open_tables(round_, RoundStatus.DRAWN, version=version)
    home = opened.table_of(player)
    seats: dict[int, list[int]] = {}
    if home is not None:
        seats[home] = [p for p in opened.seats[home] if p != player.pk]
    if table is not None:
        if table.round_id != round_.pk or table.number not in opened.seats:
            raise Refused(_("This table is not in this round."))
        if table.number == home:
            raise Refused(_("%(name)s sits there already.") % {"name": player.name})
        seats[table.number] = [*opened.seats[table.number], player.pk]
    said = {"who": [player.number], "table": table.number if table else None}
    reseat(opened, Change("round.player_moved", seats, said), by=by, key=key)
    return opened.round


@transaction.atomic
def undo_change(*, round_: Round, by: Actor, version: int | None = None, key: str = "") -> LogEntry:
    """Take the last change of the tables back. The change stays in the log; this is a new fact."""
    return _step(round_, by, version, key, back=True)


@transaction.atomic
def redo_change(*, round_: Round, by: Actor, version: int | None = None, key: str = "") -> LogEntry:
    """Make the change again that was taken back last."""
    return _step(round_, by, version, key, back=False)


def _step(round_: Round, by: Actor, version: int | None, key: str, *, back: bool) -> LogEntry:
    opened = open_tables(round_, RoundStatus.DRAWN, RoundStatus.PUBLISHED, version=version)
    changes = changes_of(opened.round)
    steps = changes.done if back else changes.undone
    if not steps:
        raise Refused(_("There is nothing to undo.") if back else _("There is nothing to redo."))
    step = steps[-1]
    wanted = step.before if back else step.after
    for player in opened.event.players.filter(number__in=step.missing).order_by("number"):
        if back:
            mark_present(player=player, by=by)
        else:
            mark_missing(player=player, by=by)
    keys = dict(opened.event.players.values_list("number", "pk"))
    seats = {n: [keys[number] for number in table] for n, table in wanted.items()}
    said = {"of": step.verb, "missing": list(step.missing)}
    return reseat(opened, Change(UNDONE if back else REDONE, seats, said), by=by, key=key)


@transaction.atomic
def improve_rest(
    *,
    round_: Round,
    pinned_players: set[int],
    pinned_tables: set[int],
    by: Actor,
    version: int | None = None,
    seed: int | None = None,
    key: str = "",
) -> bool:
    """Seat those who are not pinned (by start number; by table) anew, around those who are.
    False: nothing better was found, and nothing was written."""
    if LogEntry.objects.done(round_.event, key):
        return True
    opened = open_tables(round_, RoundStatus.DRAWN, version=version)
    if not may_improve(opened.event, opened.round):
        raise Refused(_("This round is seated by the method that was announced, and by no other."))
    numbers = sorted(opened.seats)
    start = tuple(opened.seats[n] for n in numbers)
    pinned = {p for n in pinned_tables & set(numbers) for p in opened.seats[n]}
    pinned |= set(
        opened.event.players.filter(number__in=pinned_players).values_list("pk", flat=True)
    )
    tables = _solved(opened, start, frozenset(pinned), seed)
    if tables is None:
        return False
    seats = {
        n: new for n, old, new in zip(numbers, start, tables, strict=True) if set(old) != set(new)
    }
    said = {"pinned": len(pinned)}
    reseat(opened, Change("round.rest_improved", seats, said), by=by, key=key)
    return True


def _solved(
    opened: Opened, start: tuple[tuple[int, ...], ...], pinned: frozenset[int], seed: int | None
) -> list[tuple[int, ...]] | None:
    """Better tables in the places of the old ones, if there are any."""
    history = history_of(opened.event, before=opened.round)
    apart = pairs_apart(opened.event)
    players = tuple(sorted(player for table in start for player in table))
    unwilling = opened.event.players.filter(pk__in=players, deals=False)
    request = DrawRequest(
        players=players,
        history=history,
        sizes=tuple(len(table) for table in start),
        forbidden=apart,
        seed=random.SystemRandom().getrandbits(31) if seed is None else seed,
        seconds=SECONDS,
        unwilling=frozenset(unwilling.values_list("pk", flat=True)),
        start=start,
        pinned=pinned,
    )
    try:
        tables = keep_tables_in_place(start, next_round(request).tables, pinned)
    except Refusal as refusal:
        raise refused(refusal) from refusal
    costs = [costed_tables(some, history, apart).cost() for some in (start, tables)]
    return tables if costs[1] < costs[0] else None
