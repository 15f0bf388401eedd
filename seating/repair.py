"""Somebody is missing, or somebody came late: what can be done with the tables as they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

from scoring.refusal import Refusal
from seating.cost_deltas import CostedTables, costed_tables
from seating.costs import RoundReport, cost_of
from seating.draw import DrawRequest, next_round
from seating.sizes import PREFERRED, table_sizes
from seating.vacancies import RepairCase, TableRepair, Vacancy, vacancies_for

__all__ = [
    "Move",
    "RepairCase",
    "RepairOption",
    "Vacancy",
    "redraw_tables",
    "repair_options",
    "vacancies_for",
]

CLOSED_AT_MOST = 3  # tables tried for closing


@dataclass(frozen=True, slots=True)
class Move:
    """Somebody who sits at another table than before; `start` is None for an arrival."""

    player: int
    start: int | None
    end: int


@dataclass(frozen=True, slots=True)
class RepairOption:
    """One way out. `kind`: "leave" the gaps, "seat" the arrivals, "move" a few, "close" a table,
    "open" one, "redraw" all. `tables` stand at their old places, a closed one empty, new ones at
    the end; `changed` are the places of those whose sheets are no longer right."""

    kind: str
    tables: tuple[tuple[int, ...], ...]
    changed: tuple[int, ...]
    moves: tuple[Move, ...]
    report: RoundReport

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(len(table) for table in self.tables if table)


def repair_options(case: RepairCase) -> tuple[RepairOption, ...]:
    """What can be done without a new draw, the least change first. May be empty."""
    if case.bereft():
        return ()
    found = [_leave(case), _move(case), _close(case), _open(case)]
    return tuple(choice for choice in found if choice)


def redraw_tables(
    case: RepairCase,
    *,
    seed: int = 0,
    seconds: float = 0.5,
    ranking: tuple[int, ...] = (),
    at_random: bool = False,
) -> RepairOption | None:
    """Everybody at a table that is not locked, drawn anew by the event's method; None where that
    cannot be."""
    free = [n for n in range(len(case.tables)) if n not in case.locked]
    people = {p for n in free for p in case.tables[n]} - case.missing | set(case.arrivals)
    room = None if case.max_tables is None else case.max_tables - len(case.locked)
    request = DrawRequest(
        players=tuple(sorted(people)),
        history=case.history,
        max_tables=room,
        allowed=tuple(size for size in case.sizes if size > 1),
        forbidden=case.forbidden,
        seed=seed,
        seconds=seconds,
        unwilling=case.unwilling & people,
        ranking=tuple(player for player in ranking if player in people),
        at_random=at_random,
    )
    if case.bereft() or room == 0:
        return None
    # The old places first, so that as many tables as can keep their numbers; more are numbered on.
    places = chain(free, count(len(case.tables)))
    try:
        drawn = next_round(request).tables
    except Refusal:
        return None
    # A place that the draw has no table for stays empty: that table is closed.
    tables = dict.fromkeys(free, ()) | dict(zip(places, drawn, strict=False))
    return _choice(case, "redraw", {**dict(enumerate(case.tables)), **tables})


def _leave(case: RepairCase) -> RepairOption | None:
    """The gaps stay, arrivals take free seats."""
    work = TableRepair(case)
    return _done(work, "seat" if case.arrivals else "leave") if work.seat(case.arrivals) else None


def _move(case: RepairCase) -> RepairOption | None:
    """As few as possible change tables, so that no table is short."""
    work = TableRepair(case)
    if not work.seat(case.arrivals) or not (short := work.short()):
        return None
    if not all(work.fill(n, work.least) for n in short):
        return None
    work.exchange()
    return _done(work, "move")


def _close(case: RepairCase) -> RepairOption | None:
    """One table less, its people spread; the fewest moves, then the least cost."""
    first = TableRepair(case)
    # Arrivals may fill what was short. Whether all of them find a seat shows once a table is
    # closed.
    first.seat(case.arrivals)
    closed = sorted(first.short(), key=lambda n: len(first.at(n)))[:CLOSED_AT_MOST]
    # No table is short, but the default split of so many people has fewer tables.
    if not closed and _too_many_tables(case, first):
        closed = sorted(first.open(), key=lambda n: len(first.at(n)))[:CLOSED_AT_MOST]
    found = [choice for n in closed if (choice := _closed(case, n))]
    return min(found, key=lambda choice: _figures(case, choice), default=None)


def _too_many_tables(case: RepairCase, work: TableRepair) -> bool:
    people = sum(len(work.at(n)) for n in work.open())
    room = None if case.max_tables is None else max(1, case.max_tables - len(case.locked))
    try:
        return len(table_sizes(people, room, case.sizes)) < len(work.open())
    except Refusal:
        return False


def _closed(case: RepairCase, n: int) -> RepairOption | None:
    work = TableRepair(case)
    people = work.at(n)
    work.seating.put({n: ()})
    if not work.seat((*people, *case.arrivals)):
        return None
    if not all(work.fill(m, work.least) for m in work.short()):
        return None
    work.exchange()
    return _done(work, "close")


def _open(case: RepairCase) -> RepairOption | None:
    """One table more, for those who came and a few from bigger tables."""
    work = TableRepair(case)
    tables = sum(1 for table in work.seating.tables.values() if table)
    if not case.arrivals or (case.max_tables is not None and tables >= case.max_tables):
        return None
    n = len(case.tables)
    usual = min(PREFERRED, max(case.sizes))
    work.seating.put({n: case.arrivals[:usual]})
    if not work.seat(case.arrivals[usual:]) or not work.fill(n, work.least):
        return None
    work.exchange()
    return _done(work, "open")


def _done(work: TableRepair, kind: str) -> RepairOption | None:
    return _choice(work.case, kind, work.seating.tables, work.seating)


def _figures(case: RepairCase, choice: RepairOption) -> tuple[object, ...]:
    cost = costed_tables(choice.tables, case.history).cost()
    return len(choice.moves), cost, choice.changed


def _choice(
    case: RepairCase,
    kind: str,
    tables: Mapping[int, Sequence[int]],
    seating: CostedTables | None = None,
) -> RepairOption | None:
    """The choice made of these tables; None if one of them breaks a rule."""
    old = dict(enumerate(case.tables))
    new = [tuple(tables[n]) for n in sorted(tables)]
    # A new table nobody is left at is no table; an old one stays as an empty place.
    while len(new) > len(old) and not new[-1]:
        new.pop()
    # A new draw has chosen its dealers itself.
    if seating is not None:
        new = [_with_dealer(case, table, old.get(n, ()), seating) for n, table in enumerate(new)]
    changed = tuple(n for n, table in enumerate(new) if table != old.get(n, ()))
    if any(new[n] and not _allowed(case, new[n]) for n in changed) or not any(new):
        return None
    start = {player: n for n, table in old.items() for player in table}
    moves = tuple(
        Move(player, start.get(player), n)
        for n in changed
        for player in new[n]
        if start.get(player) != n
    )
    report = cost_of([table for table in new if table], case.history)
    return RepairOption(kind, tuple(new), changed, moves, report)


def _allowed(case: RepairCase, table: Sequence[int]) -> bool:
    here = set(table)
    return len(table) in case.sizes and not any(pair <= here for pair in case.forbidden)


def _with_dealer(
    case: RepairCase, table: tuple[int, ...], old: tuple[int, ...], seating: CostedTables
) -> tuple[int, ...]:
    """Where the dealer is gone, whoever has dealt least sits in the first seat."""
    # As long as the dealer is there, the sheet lies before the right person.
    if not table or table[0] in old[:1]:
        return table
    first = min(table, key=lambda p: (p in case.unwilling, seating.dealt(p), table.index(p)))
    return (first, *(player for player in table if player != first))
