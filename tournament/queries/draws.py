"""What a draw depends on, and what an organiser looks over before it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Max

from scoring.refusal import Refusal
from seating.splits import Split, splits_for
from tournament.models import Event, PairApart, Round
from tournament.models.events import Seating
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus, Stage
from tournament.queries.seating import Tables, history_of
from tournament.queries.standings import board_for
from tournament.refused import refused

MOST_NAMES = 300


@dataclass(frozen=True, slots=True)
class DrawBasis:
    """What a draw depends on; two equal ones give the same draw for the same seed.

    Players by key. `ranks`: best first, who shares a rank together; empty unless the standings
    seat this round. `plan_seed`: that of the first round, which began a plan of all of them.
    """

    number: int
    method: str
    present: tuple[int, ...]
    history: tuple[Tables, ...]
    apart: frozenset[frozenset[int]]
    unwilling: frozenset[int]
    ranks: tuple[tuple[int, ...], ...]
    rounds_planned: int
    max_tables: int | None
    plan_seed: int | None


def basis_of_draw(event: Event, instead_of: Round | None = None) -> DrawBasis:
    """Of the next round, or of a draft that is drawn again."""
    rounds = event.rounds.filter(stage=Stage.PRELIMINARY).exclude(status=RoundStatus.CANCELLED)
    if instead_of is not None:
        number = instead_of.number
    else:
        number = (rounds.aggregate(last=Max("number"))["last"] or 0) + 1
    here = event.players.filter(status=PlayerStatus.CHECKED_IN).order_by("number")
    present = dict(here.values_list("pk", "deals"))
    history = history_of(event, before=instead_of)
    method = method_of(event, number)
    first = rounds.order_by("number").first() if number > 1 else None
    return DrawBasis(
        number=number,
        method=method,
        present=tuple(present),
        history=history,
        apart=pairs_apart(event),
        unwilling=frozenset(player for player, deals in present.items() if not deals),
        ranks=_ranks(event, present, history) if method == Seating.STANDINGS else (),
        rounds_planned=event.rounds_planned,
        max_tables=event.max_tables,
        plan_seed=None if first is None else first.asked.get("plan_seed", first.seed),
    )


def method_of(event: Event, number: int) -> str:
    """How the round of this number is seated: before the standings say anything, like fewest."""
    if event.seating == Seating.STANDINGS and number < event.standings_from:
        return Seating.FEWEST
    return event.seating


def pairs_apart(event: Event) -> frozenset[frozenset[int]]:
    """The pairs that no draw puts at one table."""
    pairs = event.pairs_apart.filter(withdrawn_at=None)
    return frozenset(frozenset(pair) for pair in pairs.values_list("first_id", "second_id"))


def _ranks(
    event: Event, present: dict[int, bool], history: tuple[Tables, ...]
) -> tuple[tuple[int, ...], ...]:
    """Those present by rank, who shares one together; newcomers behind everybody who has played."""
    played = {player for tables in history for table in tables for player in table}
    keys = dict(event.players.values_list("number", "pk"))
    ranks: dict[int, list[int]] = {}
    for row in board_for(event).rows:
        player = keys[row.number]
        if player in present and player in played:
            ranks.setdefault(row.rank, []).append(player)
    new = tuple(player for player in present if player not in played)
    return (*(tuple(ranks[rank]) for rank in sorted(ranks)), *((new,) if new else ()))


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to seat everybody: `words` like "2 × 6, 1 × 5", and what it costs."""

    split: Split

    @property
    def value(self) -> str:
        return "-".join(map(str, self.split.sizes))

    @property
    def tables(self) -> int:
        return self.split.tables

    @property
    def words(self) -> str:
        counts = Counter(self.split.sizes)
        return ", ".join(f"{counts[size]} × {size}" for size in sorted(counts, reverse=True))


@dataclass(frozen=True, slots=True)
class Preparation:
    """What an organiser looks over before a draw. `refusal`: why there can be none."""

    number: int
    rounds_left: int
    method: str
    here: int
    expected: int
    games: int | None
    choices: tuple[Choice, ...]
    refusal: str
    pairs: tuple[PairApart, ...]
    unwilling: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def first(self) -> bool:
        return self.number == 1


def preparation_of(event: Event, games: int | None, instead_of: Round | None = None) -> Preparation:
    """With the ways to seat everybody who is here; `games` None: there are as many as needed."""
    basis = basis_of_draw(event, instead_of)
    refusal, splits = "", tuple[Split, ...]()
    left = max(1, event.rounds_planned - basis.number + 1)
    try:
        splits = splits_for(basis.present, basis.history, games, left)
    except Refusal as found:
        refusal = refused(found).message
    people = event.players.filter(status=PlayerStatus.CHECKED_IN)
    return Preparation(
        number=basis.number,
        rounds_left=left,
        method=basis.method,
        here=len(basis.present),
        expected=event.players.filter(status=PlayerStatus.REGISTERED).count(),
        games=games,
        choices=tuple(map(Choice, splits)),
        refusal=refusal,
        pairs=tuple(event.pairs_apart.filter(withdrawn_at=None).select_related("first", "second")),
        unwilling=tuple(people.filter(deals=False).values_list("name", flat=True)),
        names=_names(event),
    )


def _names(event: Event) -> tuple[str, ...]:
    """To choose from while typing; at a big event a part of the name is quicker."""
    known = event.players.exclude(status=PlayerStatus.WITHDRAWN).values_list("number", "name")
    people = list(known[: MOST_NAMES + 1])
    if len(people) > MOST_NAMES:
        return ()
    return tuple(f"{number} {name}" for number, name in people)
