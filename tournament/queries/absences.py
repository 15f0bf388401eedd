"""Somebody is missing or late: the ways out as the assistant shows them, side by side."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from seating.cost_deltas import costed_tables
from seating.costs import RoundReport, cost_of
from seating.repair import (
    RepairCase,
    RepairOption,
    Vacancy,
    redraw_tables,
    repair_options,
    vacancies_for,
)
from tournament.models import Event, Round
from tournament.models.events import SeatingMethod
from tournament.models.players import PlayerStatus
from tournament.queries.cost_labels import cost_label, cost_tone, listed
from tournament.queries.draws import basis_of_draw
from tournament.queries.names import namesakes_in
from tournament.queries.seating_changes import known_sizes, playing_tables
from tournament.queries.seats import SeatRow, table_rows

SECONDS = 0.3  # what the new draw among the choices may think: the page waits for it
SHOWN_PLACES = 6


@dataclass(frozen=True, slots=True)
class AbsenceTable:
    number: int
    seats: tuple[SeatRow, ...]
    playing: bool


@dataclass(frozen=True, slots=True)
class WayOut:
    """One way out. `seats`: the tables that change, by start numbers; `notes`: who meets again."""

    kind: str
    title: str
    sizes: str
    moves: tuple[str, ...]
    more_moves: int
    tables: tuple[int, ...]
    total: str
    cost: str
    tone: str
    notes: tuple[str, ...]
    seats: dict[int, list[int]]


@dataclass(frozen=True, slots=True)
class AbsencePage:
    """`problem`: why nothing can be done. `places`: free seats of one late arrival, best first."""

    version: int
    tables: tuple[AbsenceTable, ...]
    arrivals: tuple[SeatRow, ...]
    missing: frozenset[int]
    late: frozenset[int]
    problem: str
    ways: tuple[WayOut, ...]
    places: tuple[WayOut, ...]


def unseated(event: Event, round_: Round) -> tuple[SeatRow, ...]:
    """Who is checked in but has no seat in this round."""
    here = event.players.here().exclude(seats__round=round_)
    same = namesakes_in(event)
    return tuple(
        SeatRow(number, name, name, 0, 0, pk)
        for number, real, pk in here.order_by("number").values_list("number", "name", "pk")
        for name in [same.staff_name(real, number)]
    )


def known_gone(round_: Round) -> tuple[int, ...]:
    """Start numbers of those who have a seat in this round but are known not to be here."""
    seats = round_.seats.exclude(player__status=PlayerStatus.CHECKED_IN)
    return tuple(seats.order_by("player__number").values_list("player__number", flat=True))


def round_to_join(event: Event) -> Round | None:
    """The drawn or published round in which somebody who comes now can still have a seat."""
    # The seats of the final come from the cut: nobody joins it late.
    found = event.rounds.preliminary().open().order_by("-pk").first()
    if found is None or len(playing_tables(found)) == found.tables.count():
        return None
    found.event = event
    return found


def absence_page(
    event: Event, round_: Round, *, missing: Collection[int], late: Collection[int], asked: bool
) -> AbsencePage:
    """`missing` and `late` are start numbers; without `asked` only who could be ticked."""
    playing = playing_tables(round_)
    rows = [table for table in table_rows(round_) if table.seats]
    tables = tuple(AbsenceTable(t.number, t.seats, t.number in playing) for t in rows)
    arrivals = unseated(event, round_)
    seated = {seat.number for table in tables if not table.playing for seat in table.seats}
    # An old page may still tick somebody whose table has begun to play.
    gone, come = frozenset(missing) & seated, frozenset(late) & {one.number for one in arrivals}
    page = AbsencePage(round_.version, tables, arrivals, gone, come, "", (), ())
    if not asked:
        return page
    if not gone and not come:
        return replace(page, problem=_("Tick who is missing, or who has come."))
    return _solved(event, round_, page)


def _solved(event: Event, round_: Round, page: AbsencePage) -> AbsencePage:
    keys = {seat.number: seat.player_id for table in page.tables for seat in table.seats}
    keys |= {one.number: one.player_id for one in page.arrivals}
    basis = basis_of_draw(event, instead_of=round_)
    late = tuple(keys[one.number] for one in page.arrivals if one.number in page.late)
    case = RepairCase(
        tables=tuple(tuple(seat.player_id for seat in table.seats) for table in page.tables),
        history=basis.history,
        missing=frozenset(keys[number] for number in page.missing),
        arrivals=late,
        locked=frozenset(n for n, table in enumerate(page.tables) if table.playing),
        forbidden=basis.separated,
        sizes=known_sizes(event),
        max_tables=basis.max_tables,
        unwilling=basis.unwilling,
    )
    words = _WaysOut(page, case)
    anew = redraw_tables(
        case,
        # The same page shows the same new draw when it is loaded again, after a change another.
        seed=round_.seed + page.version,
        seconds=min(SECONDS, settings.DRAW_EFFORT),
        ranking=tuple(player for rank in basis.ranks for player in rank),
        at_random=basis.method == SeatingMethod.LOT,
    )
    choices = [*repair_options(case), anew]
    ways = tuple(words.way(choice) for choice in choices if choice)
    places: tuple[WayOut, ...] = ()
    if len(late) == 1:
        places = tuple(words.place(place, late[0]) for place in vacancies_for(case, late[0]))
    problem = "" if ways else _("The tables that are left can't be made of so few people.")
    return replace(page, ways=ways, places=places[:SHOWN_PLACES], problem=problem)


class _WaysOut:
    """Choices in the words of the page."""

    def __init__(self, page: AbsencePage, case: RepairCase) -> None:
        self.case, self.history = case, bool(case.history)
        self.before = cost_of(case.tables, case.history)
        # Without the pairs kept apart: a way out that seats them together is not offered at all.
        self.cost = costed_tables(case.tables, case.history).cost()
        self.numbers = [table.number for table in page.tables]
        people = [seat for table in page.tables for seat in table.seats] + list(page.arrivals)
        self.names = {one.player_id: one.staff_name for one in people}
        self.start = {one.player_id: one.number for one in people}
        self.late = [self.names[player] for player in case.arrivals]

    def number(self, place: int) -> int:
        """A table's number; new ones are numbered on."""
        # Places count the tables that have people; the numbers among them may have gaps.
        if place < len(self.numbers):
            return self.numbers[place]
        return max(self.numbers) + 1 + place - len(self.numbers)

    def way(self, choice: RepairOption) -> WayOut:
        cost = costed_tables(choice.tables, self.case.history).cost().minus(self.cost)
        moves = (
            []
            # With all tables anew nearly everybody moves: the list would say nothing.
            if choice.kind == "redraw"
            else [self._move(m.player, m.start, m.end) for m in choice.moves]
        )
        return WayOut(
            kind=choice.kind,
            title=self._title(choice),
            sizes=_sizes(choice.sizes),
            moves=tuple(moves[:SHOWN_PLACES]),
            more_moves=len(moves[SHOWN_PLACES:]) if choice.kind != "redraw" else 0,
            tables=tuple(self.number(n) for n in choice.changed),
            # In the first round nobody has met anybody yet.
            total=self._total(choice.report) if self.history else "",
            cost=cost_label(cost) if self.history else "",
            tone=cost_tone(cost),
            notes=self._notes(choice.report),
            seats={
                self.number(n): [self.start[p] for p in choice.tables[n]] for n in choice.changed
            },
        )

    def place(self, place: Vacancy, player: int) -> WayOut:
        number = self.number(place.table)
        # Whoever is missing frees a seat that somebody late may take.
        kept = [p for p in self.case.tables[place.table] if p not in self.case.missing]
        return WayOut(
            kind="seat",
            title=_("Table %(table)d") % {"table": number},
            sizes=ngettext("%(count)d player then", "%(count)d players then", place.size)
            % {"count": place.size},
            moves=(),
            more_moves=0,
            tables=(number,),
            total="",
            cost=cost_label(place.cost) if self.history else "",
            tone=cost_tone(place.cost),
            notes=(),
            seats={number: [self.start[p] for p in (*kept, player)]},
        )

    def _title(self, choice: RepairOption) -> str:
        closed = [self.number(n) for n, table in enumerate(choice.tables) if not table]
        titles = {
            "leave": _("Leave the gap"),
            "seat": _("A free seat for %(names)s") % {"names": listed(self.late)},
            "move": ngettext("Move one person", "Move %(count)d people", len(choice.moves))
            % {"count": len(choice.moves)},
            "close": _("Close table %(table)s")
            % {"table": listed([str(number) for number in closed])},
            "open": _("A new table"),
            "redraw": _("Draw all tables anew")
            if not self.case.locked
            else _("Draw the other tables anew"),
        }
        return titles[choice.kind]

    def _move(self, player: int, start: int | None, end: int) -> str:
        if start is None:
            return _("%(name)s → table %(table)d") % {
                "name": self.names[player],
                "table": self.number(end),
            }
        return _("%(name)s: table %(start)d → %(end)d") % {
            "name": self.names[player],
            "start": self.number(start),
            "end": self.number(end),
        }

    def _total(self, report: RoundReport) -> str:
        return ngettext(
            "%(count)d pair meets again in all", "%(count)d pairs meet again in all", report.repeats
        ) % {"count": report.repeats}

    def _notes(self, report: RoundReport) -> tuple[str, ...]:
        """Who meets again, sits off-size again, deals again, who did not before."""
        names = self.names
        pairs = [
            _("%(first)s meets %(second)s again") % {"first": names[a], "second": names[b]}
            for a, b in sorted(set(report.pairs) - set(self.before.pairs))
        ]
        off = _new(report.off_size_players, self.before.off_size_players)
        sized = [_("%(name)s: smaller or larger table again") % {"name": names[p]} for p in off]
        deals = _new(report.dealers, self.before.dealers)
        dealing = [_("%(name)s deals again") % {"name": names[p]} for p in deals]
        return tuple([*pairs, *sized, *dealing][:SHOWN_PLACES])


def _new(after: Sequence[int], before: Sequence[int]) -> list[int]:
    return sorted(set(after) - set(before))


def _sizes(sizes: Sequence[int]) -> str:
    """ "3 tables of 6, 1 of 5"."""
    counts: Mapping[int, int] = {
        size: sizes.count(size) for size in sorted(set(sizes), reverse=True)
    }
    return ", ".join(
        ngettext("%(count)d table of %(size)d", "%(count)d tables of %(size)d", count)
        % {"count": count, "size": size}
        for size, count in counts.items()
    )
