"""The organiser's hand on a draft: swap, move, seat, take out, improve the rest, undo."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from seating.cost_deltas import costed_tables
from seating.draw import DrawRequest, next_round
from seating.vacancies import keep_tables_in_place
from tournament.actions.attendance import mark_missing, mark_present
from tournament.actions.seating_changes import (
    ChangeRequest,
    LockedRound,
    change_seating,
    lock_round_and_sheets,
    step_back_or_forth,
)
from tournament.actions.seats import new_seed
from tournament.models import Player, Round, SeatingChange, Table
from tournament.models.actors import Actor
from tournament.models.rounds import OPEN_ROUND, RoundStatus
from tournament.models.seating_changes import ChangeKind
from tournament.queries.drafts import may_improve
from tournament.queries.names import called
from tournament.queries.seating_history import history_of
from tournament.queries.separations import separated_pairs
from tournament.refusals import Refused, in_words

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
    locked = lock_round_and_sheets(round_, RoundStatus.DRAWN, version=version, key=key)
    if locked.done:
        return locked.round
    tables = {n for player in (first, second) if (n := locked.table_of(player)) is not None}
    if first == second or not tables:
        raise Refused(_("Choose two different people who are seated in this round."))
    swapped = {first.pk: second.pk, second.pk: first.pk}
    seats = {n: [swapped.get(p, p) for p in locked.seats[n]] for n in tables}
    players = (first.number, second.number)
    change = ChangeRequest(ChangeKind.SEATS_SWAPPED, seats, players)
    change_seating(locked, change, by=by, key=key)
    return locked.round


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
    locked = lock_round_and_sheets(round_, RoundStatus.DRAWN, version=version, key=key)
    if locked.done:
        return locked.round
    home = locked.table_of(player)
    seats: dict[int, list[int]] = {}
    if home is not None:
        seats[home] = [p for p in locked.seats[home] if p != player.pk]
    if table is not None:
        if table.round_id != round_.pk or table.number not in locked.seats:
            raise Refused(_("This table is not in this round."))
        if table.number == home:
            raise Refused(_("%(name)s sits there already.") % {"name": called(player)})
        seats[table.number] = [*locked.seats[table.number], player.pk]
    where = table.number if table else None
    change = ChangeRequest(ChangeKind.PLAYER_MOVED, seats, (player.number,), where)
    change_seating(locked, change, by=by, key=key)
    return locked.round


@transaction.atomic
def undo_change(
    *, round_: Round, by: Actor, version: int | None = None, key: str = ""
) -> SeatingChange:
    """Take the last change of the tables back. That it was made stays on record."""
    locked = lock_round_and_sheets(round_, *OPEN_ROUND, version=version, key=key)
    if locked.done:
        return SeatingChange.objects.get(pk=locked.done)
    change = SeatingChange.objects.still_open(locked.round).done().last()
    if change is None:
        raise Refused(_("There is nothing to undo."))
    # First: whoever gets a seat back has to be here.
    for player in _missing(locked, change):
        mark_present(player=player, by=by)
    step_back_or_forth(locked, change, back=True, by=by, key=key)
    return change


@transaction.atomic
def redo_change(
    *, round_: Round, by: Actor, version: int | None = None, key: str = ""
) -> SeatingChange:
    """Make the change again that was taken back last."""
    locked = lock_round_and_sheets(round_, *OPEN_ROUND, version=version, key=key)
    if locked.done:
        return SeatingChange.objects.get(pk=locked.done)
    change = SeatingChange.objects.still_open(locked.round).undone().first()
    if change is None:
        raise Refused(_("There is nothing to redo."))
    for player in _missing(locked, change):
        mark_missing(player=player, by=by)
    step_back_or_forth(locked, change, back=False, by=by, key=key)
    return change


def _missing(locked: LockedRound, change: SeatingChange) -> QuerySet[Player]:
    """Who was noted as not here together with the change."""
    return locked.event.players.filter(number__in=change.missing).order_by("number")


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
    locked = lock_round_and_sheets(round_, RoundStatus.DRAWN, version=version, key=key)
    if locked.done:
        return True
    if not may_improve(locked.event, locked.round):
        raise Refused(_("This round is seated by the method that was announced, and by no other."))
    numbers = sorted(locked.seats)
    start = tuple(locked.seats[n] for n in numbers)
    pinned = {p for n in pinned_tables & set(numbers) for p in locked.seats[n]}
    pinned |= set(
        locked.event.players.filter(number__in=pinned_players).values_list("pk", flat=True)
    )
    tables = _solved(locked, start, frozenset(pinned), seed)
    if tables is None:
        return False
    seats = {
        n: new for n, old, new in zip(numbers, start, tables, strict=True) if set(old) != set(new)
    }
    change_seating(locked, ChangeRequest(ChangeKind.REST_IMPROVED, seats), by=by, key=key)
    return True


def _solved(
    locked: LockedRound,
    start: tuple[tuple[int, ...], ...],
    pinned: frozenset[int],
    seed: int | None,
) -> list[tuple[int, ...]] | None:
    """Better tables in the places of the old ones, if there are any."""
    history = history_of(locked.event, before=locked.round)
    apart = separated_pairs(locked.event)
    players = tuple(sorted(player for table in start for player in table))
    unwilling = locked.event.players.filter(pk__in=players, willing_to_deal=False)
    request = DrawRequest(
        players=players,
        history=history,
        sizes=tuple(len(table) for table in start),
        forbidden=apart,
        seed=new_seed() if seed is None else seed,
        seconds=min(SECONDS, settings.DRAW_EFFORT),
        unwilling=frozenset(unwilling.values_list("pk", flat=True)),
        start=start,
        pinned=pinned,
    )
    try:
        tables = keep_tables_in_place(start, next_round(request).tables, pinned)
    except Refusal as refusal:
        raise in_words(refusal) from refusal
    costs = [costed_tables(some, history, apart).cost() for some in (start, tables)]
    return tables if costs[1] < costs[0] else None
