"""A draft as its page shows it: tables as cards, what they cost, where a picked person may go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from seating.cost_deltas import Cost, MoveTargets, move_targets
from seating.costs import RoundReport, cost_of
from tournament import rulebook
from tournament.models import Event, Round, SeatingChange
from tournament.models.events import SeatingMethod
from tournament.queries.cost_labels import change_cost, change_label, cost_label, cost_tone
from tournament.queries.draws import method_of
from tournament.queries.names import namesakes_in
from tournament.queries.seating_changes import known_sizes
from tournament.queries.seating_history import history_of
from tournament.queries.seats import TableRow, table_rows
from tournament.queries.separations import separated_pairs

SHOWN_CHANGES = 6
LISTED = 200


@dataclass(frozen=True, slots=True)
class MoveOption:
    """A place for whoever is picked: what it costs, or why it can't be (`tone` "refused")."""

    value: str
    words: str
    tone: str


@dataclass(frozen=True, slots=True)
class SeatCard:
    number: int
    name: str
    position: int = 0
    notes: tuple[str, ...] = ()
    pinned: bool = False
    step: MoveOption | None = None


@dataclass(frozen=True, slots=True)
class TableCard:
    number: int
    seats: tuple[SeatCard, ...]
    pinned: bool = False
    step: MoveOption | None = None


@dataclass(frozen=True, slots=True)
class ChangeLine:
    what: str
    cost: str
    tone: str


@dataclass(frozen=True, slots=True)
class DraftPage:
    """`picked`: who is in the hand; `out`: what it costs to leave them without a seat."""

    version: int
    tables: tuple[TableCard, ...]
    unseated: tuple[SeatCard, ...]
    report: RoundReport
    history: bool
    improvable: bool
    in_pairs: bool
    picked: SeatCard | None
    picked_table: int | None
    out: MoveOption | None
    changes: tuple[ChangeLine, ...]
    earlier: int
    may_redo: bool
    pins: int

    @property
    def listed(self) -> bool:
        """Few enough people for a list to choose from."""
        return sum(len(table.seats) for table in self.tables) <= LISTED


@dataclass(frozen=True, slots=True)
class Pins:
    """Who stays where they are while the rest is improved: start numbers, and whole tables."""

    players: frozenset[int] = frozenset()
    tables: frozenset[int] = frozenset()


NO_PINS = Pins()


def draft_page(
    event: Event, round_: Round, *, moving: int | None = None, pins: Pins = NO_PINS
) -> DraftPage:
    """In a constant number of queries, whatever the draft's size."""
    rows = [table for table in table_rows(round_) if table.seats]
    names = {seat.player_id: seat.staff_name for table in rows for seat in table.seats}
    numbers = {seat.number: seat.player_id for table in rows for seat in table.seats}
    here = event.players.here().exclude(pk__in=numbers.values())
    same = namesakes_in(event)
    waiting = [
        (number, pk, same.staff_name(name, number))
        for number, pk, name in here.order_by("number").values_list("number", "pk", "name")
    ]
    names |= {pk: name for _number, pk, name in waiting}
    numbers |= {number: pk for number, pk, _name in waiting}
    history = history_of(event, before=round_)
    groups = tuple(tuple(seat.player_id for seat in table.seats) for table in rows)
    report = cost_of(groups, history)
    # An old link may name somebody who has left.
    moving = moving if moving in numbers else None
    steps = _MoveOptions(event, rows, history, names, numbers.get(moving or 0))
    in_pairs = rulebook.has_byes(event)
    notes = _notes(report, names, in_pairs=in_pairs)
    changes = SeatingChange.objects.still_open(round_)
    done = list(changes.done())
    tables = tuple(
        TableCard(
            table.number,
            tuple(
                SeatCard(
                    seat.number,
                    seat.staff_name,
                    seat.position,
                    notes.get(seat.player_id, ()),
                    seat.number in pins.players,
                    steps.swap(seat.player_id, seat.number),
                )
                for seat in table.seats
            ),
            table.number in pins.tables,
            steps.table(place),
        )
        for place, table in enumerate(rows)
    )
    cards = {seat.number: (seat, table.number) for table in tables for seat in table.seats}
    unseated = tuple(SeatCard(number, name) for number, _pk, name in waiting)
    loose = {card.number: (card, None) for card in unseated}
    picked, home = {**cards, **loose}.get(moving or 0, (None, None))
    return DraftPage(
        version=round_.version,
        tables=tables,
        unseated=unseated,
        report=report,
        history=bool(history),
        # Without a round before there is nothing to be improved on.
        improvable=bool(history) and may_improve(event, round_),
        in_pairs=in_pairs,
        picked=picked,
        picked_table=home,
        out=steps.out(),
        changes=_lines(event, done[-SHOWN_CHANGES:]),
        earlier=max(0, len(done) - SHOWN_CHANGES),
        may_redo=changes.undone().exists(),
        pins=len(pins.players) + len(pins.tables),
    )


def may_improve(event: Event, round_: Round) -> bool:
    """Where a lot or the standings were announced to seat the round, nothing else does."""
    return method_of(event, round_.number) == SeatingMethod.FEWEST


def _notes(
    report: RoundReport, names: Mapping[int, str], *, in_pairs: bool
) -> dict[int, tuple[str, ...]]:
    """What is not as it should be at each person's seat."""
    met: dict[int, list[str]] = {}
    for one, other in report.pairs:
        met.setdefault(one, []).append(names[other])
        met.setdefault(other, []).append(names[one])
    found = {p: [_("met %(met)s") % {"met": ", ".join(who)}] for p, who in met.items()}
    for player in () if in_pairs else report.off_size_players:
        found.setdefault(player, []).append(_("smaller or larger table again"))
    for player in report.dealers:
        found.setdefault(player, []).append(_("deals again"))
    return {player: tuple(words) for player, words in found.items()}


def _lines(event: Event, changes: list[SeatingChange]) -> tuple[ChangeLine, ...]:
    """Latest first."""
    who = {number for change in changes for number in change.people}
    same = namesakes_in(event)
    known = event.players.filter(number__in=who).values_list("number", "name")
    names = {number: same.staff_name(name, number) for number, name in known}
    return tuple(
        ChangeLine(change_label(change, names), cost_label(cost), cost_tone(cost))
        for change in reversed(changes)
        for cost in [change_cost(change)]
    )


class _MoveOptions:
    """Where the picked player may go. Without one there are no steps."""

    def __init__(
        self,
        event: Event,
        rows: list[TableRow],
        history: tuple[tuple[tuple[int, ...], ...], ...],
        names: Mapping[int, str],
        player: int | None,
    ) -> None:
        self.rows, self.player, self.names = rows, player, names
        self.groups = [tuple(seat.player_id for seat in table.seats) for table in rows]
        self.sizes = known_sizes(event)
        self.home = next((n for n, group in enumerate(self.groups) if player in group), None)
        self.apart = separated_pairs(event)
        self.targets = (
            move_targets(self.groups, history, player, self.apart)
            if player is not None
            else MoveTargets({}, {}, None)
        )
        # Hundreds of seats share a few different costs.
        self.words = cache(lambda cost: cost_label(cost) if history else "")

    def _step(self, value: str, cost: Cost, before: str = "") -> MoveOption:
        words = " · ".join(part for part in (before, self.words(cost)) if part)
        return MoveOption(value, words, cost_tone(cost))

    def _size_refused(self, table: int, size: int) -> str:
        """Why a table can't have so many; empty where it can."""
        if size in self.sizes:
            return ""
        words = ngettext(
            "table %(table)d would have %(count)d player",
            "table %(table)d would have %(count)d players",
            size,
        )
        return words % {"table": self.rows[table].number, "count": size}

    def _leaving(self) -> str:
        home = self.home
        return "" if home is None else self._size_refused(home, len(self.groups[home]) - 1)

    def _met(self, *groups: tuple[int, ...]) -> str:
        """Who is kept apart and would meet."""
        for group in map(frozenset, groups):
            for pair in self.apart:
                if pair <= group:
                    first, second = sorted(self.names[player] for player in pair)
                    return _("%(first)s and %(second)s are kept apart") % {
                        "first": first,
                        "second": second,
                    }
        return ""

    def table(self, place: int) -> MoveOption | None:
        cost = self.targets.tables.get(place)
        if cost is None or self.player is None:
            return None
        value, size = f"table:{self.rows[place].number}", len(self.groups[place]) + 1
        refused = self._leaving() or self._size_refused(place, size)
        if not refused and cost.forbidden > 0:
            refused = self._met((*self.groups[place], self.player))
        if refused:
            return MoveOption(value, refused, "refused")
        then = ngettext("%(count)d player then", "%(count)d players then", size) % {"count": size}
        return self._step(value, cost, then)

    def swap(self, other: int, number: int) -> MoveOption | None:
        cost = self.targets.swaps.get(other)
        if cost is None or self.player is None:
            return None
        if cost.forbidden > 0:
            # Only the two tables of the swap can bring a pair together that is kept apart.
            change = {self.player: other, other: self.player}
            places = [group for group in self.groups if change.keys() & set(group)]
            met = self._met(*(tuple(change.get(p, p) for p in group) for group in places))
            return MoveOption(f"swap:{number}", met, "refused")
        return self._step(f"swap:{number}", cost)

    def out(self) -> MoveOption | None:
        cost = self.targets.out
        if cost is None:
            return None
        if refused := self._leaving():
            return MoveOption("out", refused, "refused")
        return self._step("out", cost)
