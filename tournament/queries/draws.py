"""What a draw depends on, and what an organiser looks over before it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Max
from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from scoring.rules import sizes_of
from seating.splits import Split, splits_for
from tournament import rulebook
from tournament.models import Event, Round, Scoresheet, Separation, Table
from tournament.models.events import EventStatus, SeatingMethod
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus
from tournament.queries.names import namesakes_in
from tournament.queries.seating_history import Tables, history_of
from tournament.queries.separations import separated_pairs
from tournament.queries.standings import standings_for
from tournament.refusals import SEATED_BY_CUT, Conflict, Refused, in_words

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
    separated: frozenset[frozenset[int]]
    unwilling: frozenset[int]
    ranks: tuple[tuple[int, ...], ...]
    rounds_planned: int
    max_tables: int | None
    plan_seed: int | None
    sizes: tuple[int, ...]
    bye_to: str

    @property
    def with_bye(self) -> bool:
        """Whether somebody is without an opponent in this round."""
        return bool(self.bye_to) and len(self.present) % 2 == 1

    @property
    def had_bye(self) -> frozenset[int]:
        """Whoever sat without an opponent before."""
        return frozenset(table[0] for tables in self.history for table in tables if len(table) == 1)

    @property
    def met_at(self) -> tuple[Tables, ...]:
        """The history as far as people met in it."""
        return tuple(tuple(t for t in tables if len(t) > 1) for tables in self.history)


def basis_of_draw(event: Event, instead_of: Round | None = None) -> DrawBasis:
    """Of the next round, or of a draft that is drawn again."""
    rounds = event.rounds.preliminary().in_force()
    if instead_of is not None:
        number = instead_of.number
    else:
        number = (rounds.aggregate(last=Max("number"))["last"] or 0) + 1
    # In one order, so that two equal bases are equal.
    here = event.players.here().order_by("number")
    present = dict(here.values_list("pk", "willing_to_deal"))
    history = history_of(event, before=instead_of)
    method = method_of(event, number)
    # A first round that is drawn again begins another plan.
    first = rounds.order_by("number").first() if number > 1 else None
    return DrawBasis(
        number=number,
        method=method,
        present=tuple(present),
        history=history,
        separated=separated_pairs(event),
        unwilling=frozenset(player for player, willing in present.items() if not willing),
        ranks=_ranks(event, present, history) if method == SeatingMethod.STANDINGS else (),
        rounds_planned=event.rounds_planned,
        max_tables=event.max_tables,
        plan_seed=None if first is None else first.draw_request.get("plan_seed", first.seed),
        sizes=sizes_of(rulebook.ruleset_of(event)),
        bye_to=event.bye_to if rulebook.has_byes(event) else "",
    )


def round_drawn_by(event: Event, pk: int) -> Round:
    """The round that this very press has drawn already; if it is gone, the page is old."""
    round_ = event.rounds.in_force().filter(pk=pk).first()
    if round_ is None:
        raise Conflict(_("This page is old: the round it drew was cancelled. Press again."))
    return round_


def check_may_draw(event: Event, instead_of: Round | None = None) -> None:
    """Raises Refused, saying why no round can be drawn now."""
    if event.status not in (EventStatus.REGISTRATION, EventStatus.RUNNING):
        raise Refused(_("Publish the event before the first round is drawn."))
    rounds = event.rounds.open()
    if instead_of is not None:
        if not instead_of.is_preliminary:
            raise Refused(SEATED_BY_CUT)
        # The draft does not stand in its own way; once it is published, it does.
        rounds = rounds.exclude(pk=instead_of.pk, status=RoundStatus.DRAWN)
    if rounds.exists():
        raise Refused(_("There is a round already that is not closed."))
    if (
        instead_of is not None
        # Asked of the database: the round at hand is as it was when the page was made.
        and not event.rounds.filter(pk=instead_of.pk, status=RoundStatus.DRAWN).exists()
    ):
        raise Refused(_("Only a draft can be drawn again."))
    if table := _open_again(event):
        raise Refused(
            _(
                "A sheet is open again: %(round)s, %(table)s. The standings seat this round: "
                "confirm it first."
            )
            % {"round": table.round.label, "table": table}
        )
    if event.cuts.in_force().exists():
        raise Refused(_("The cut is made. Undo it before another round is drawn."))


def _open_again(event: Event) -> Table | None:
    """A table of a closed round whose sheet does not count, where the standings seat the next."""
    closed = event.rounds.preliminary().closed()
    if method_of(event, closed.count() + 1) != SeatingMethod.STANDINGS:
        return None
    sheets = Scoresheet.objects.filter(table__round__in=closed).unconfirmed()
    return Table.objects.filter(sheet__in=sheets).select_related("round").first()


def method_of(event: Event, number: int) -> str:
    """How the round of this number is seated: before the standings say anything, like fewest."""
    if event.seating == SeatingMethod.STANDINGS and number < event.standings_from:
        return SeatingMethod.FEWEST
    return event.seating


def _ranks(
    event: Event, present: dict[int, bool], history: tuple[Tables, ...]
) -> tuple[tuple[int, ...], ...]:
    """Those present by rank, who shares one together; newcomers behind everybody who has played."""
    played = {player for tables in history for table in tables for player in table}
    keys = dict(event.players.values_list("number", "pk"))
    ranks: dict[int, list[int]] = {}
    ranked: set[int] = set()
    for row in standings_for(event).rows:
        player = keys[row.number]
        # The standings hold who has dropped out as well, and who has not played beside those who
        # have 0.
        if player in present and player in played:
            ranks.setdefault(row.rank, []).append(player)
            ranked.add(player)
    # Behind everybody: who has not played yet, and who plays without a rank.
    new = tuple(player for player in present if player not in ranked)
    return (*(tuple(ranks[rank]) for rank in sorted(ranks)), *((new,) if new else ()))


@dataclass(frozen=True, slots=True)
class SplitOption:
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
    choices: tuple[SplitOption, ...]
    refusal: str
    pairs: tuple[Separation, ...]
    unwilling: tuple[str, ...]
    names: tuple[str, ...]
    in_pairs: bool
    with_bye: bool

    @property
    def first(self) -> bool:
        return self.number == 1


def preparation_of(event: Event, games: int | None, instead_of: Round | None = None) -> Preparation:
    """With the ways to seat everybody who is here; `games` None: there are as many as needed."""
    basis = basis_of_draw(event, instead_of)
    refusal, splits = "", tuple[Split, ...]()
    # At least the round to be drawn, though it may be one more than was planned.
    left = max(1, event.rounds_planned - basis.number + 1)
    if basis.with_bye:  # who is without an opponent changes: what is forced is known of this round
        left = 1
    try:
        # Which of them has no opponent does not matter for how many tables there are.
        paired = basis.present[1:] if basis.with_bye else basis.present
        splits = splits_for(paired, basis.met_at, games, left, basis.sizes)
    except Refusal as found:
        refusal = in_words(found).message
    return Preparation(
        number=basis.number,
        rounds_left=left,
        method=basis.method,
        here=len(basis.present),
        expected=event.players.expected().count(),
        games=games,
        choices=tuple(map(SplitOption, splits)),
        refusal=refusal,
        pairs=tuple(event.separations.in_force().select_related("first", "second")),
        unwilling=_unwilling(event),
        names=_names(event),
        in_pairs=bool(basis.bye_to),
        with_bye=basis.with_bye,
    )


def _unwilling(event: Event) -> tuple[str, ...]:
    people = event.players.here().filter(willing_to_deal=False)
    same = namesakes_in(event)
    known = people.values_list("name", "number")
    return tuple(same.staff_name(name, number) for name, number in known)


def _names(event: Event) -> tuple[str, ...]:
    """To choose from while typing; at a big event a part of the name is quicker."""
    known = event.players.exclude(status=PlayerStatus.WITHDRAWN).values_list("number", "name")
    # One more than are shown tells that there are too many.
    people = list(known[: MOST_NAMES + 1])
    if len(people) > MOST_NAMES:
        return ()
    return tuple(f"{number} {name}" for number, name in people)
