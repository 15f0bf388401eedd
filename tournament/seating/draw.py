"""Seating people: the door to this package."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter

from scoring.refusal import Refusal
from tournament.seating.bounds import least_repeats
from tournament.seating.costs import PlanReport, Report, cost_of, report_of
from tournament.seating.past import Past, past_of
from tournament.seating.plan import Found, Sought, best_plan
from tournament.seating.problem import Problem, no_matter_who, problem_of
from tournament.seating.search import Late, search
from tournament.seating.seats import even_out, in_seat_order
from tournament.seating.sizes import MAX_SIZE, MIN_SIZE, PREFERRED, table_sizes

__all__ = [
    "DrawRequest",
    "Drawn",
    "PlanReport",
    "Planned",
    "Report",
    "continue_plan",
    "cost_of",
    "next_round",
    "plan",
    "report_of",
]

# Few enough that an ordinary machine is done in two thirds of the time it is given.
TRIALS_PER_SECOND = 250_000

type Tables = tuple[tuple[int, ...], ...]
type Watch = Callable[[float], bool]


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """Who is to be seated, and what happened before.

    `history`: the tables of each earlier round in seat order, the dealer first; who is
    gone may stand in it. `sizes`: the table sizes, else the default split for at most
    `max_tables`. `forbidden`: pairs that never meet. `unwilling`: who would rather not deal.
    `ranking`: the players from the best on, to be seated in that order as far as few meet
    again. `at_random`: by nothing but chance, forbidden pairs aside. `start`: tables to
    begin with, at which those `pinned` stay. `more_to_come`: this is not the last round.
    `seconds`: after how long at the latest to stop and, unless `effort` says it, how much work
    to put into it; with the same effort a slow machine finds what a fast one does, only later.
    """

    players: tuple[int, ...]
    history: tuple[Tables, ...] = ()
    sizes: tuple[int, ...] | None = None
    max_tables: int | None = None
    forbidden: frozenset[frozenset[int]] = frozenset()
    unwilling: frozenset[int] = frozenset()
    ranking: tuple[int, ...] = ()
    at_random: bool = False
    start: Tables = ()
    pinned: frozenset[int] = frozenset()
    more_to_come: bool = True
    seed: int = 0
    seconds: float = 1.0
    effort: float | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """The tables in seat order, the dealer first, and what they cost."""

    tables: Tables
    report: Report


@dataclass(frozen=True, slots=True)
class Planned:
    """The tables of each round in seat order, the dealer first, and what they cost."""

    rounds: tuple[Tables, ...]
    report: PlanReport


def next_round(request: DrawRequest, watch: Watch | None = None) -> Drawn:
    """Seat everybody once. The same request gives the same tables.

    `watch` is told now and then which share of the work is done; if it answers True, the
    best so far is the answer. Refuses `duplicate_player`, `too_few_players`,
    `too_few_tables`, `sizes_wrong` and, where no seating without them was found,
    `forbidden_impossible`.
    """
    work = _Work(request, watch)
    past = past_of(work.players, () if request.at_random else work.history)
    found = search(
        work.problem(past),
        work.random,
        work.trials,
        work.late,
        begin=work.begin(),
        pinned=work.numbers(request.pinned) if request.start else (),
    )
    (tables,) = found.tables()
    unwilling = work.numbers(request.unwilling)
    ordered = [in_seat_order(past, table, work.random, unwilling) for table in tables]
    return work.drawn(work.named(ordered))


def plan(request: DrawRequest, rounds: int, watch: Watch | None = None) -> Planned:
    """Seat everybody in each of the next `rounds` rounds, all of them with the same sizes.

    `ranking`, `at_random`, `start` and `pinned` play no part. Otherwise as `next_round`.
    """
    work = _Work(request, watch)
    past = past_of(work.players, work.history)
    sought = Sought(past, work.sizes, rounds, work.forbidden())
    found = best_plan(sought, work.random, work.trials, work.late)
    unwilling = work.numbers(request.unwilling)
    ordered = even_out(past, _begun(past, found, work.random, unwilling), work.random, unwilling)
    return work.planned(tuple(work.named(tables) for tables in ordered), found.source)


def continue_plan(
    request: DrawRequest, rounds: int, plan_seed: int, watch: Watch | None = None
) -> Drawn:
    """The next round of the plan for `rounds` rounds made of `plan_seed`, while it holds.

    It holds as long as everybody was there in the same tables as it has them. Otherwise,
    and after its last round, this is `next_round`.
    """
    done = len(request.history)
    if done < rounds and not request.start:
        before = replace(request, history=(), seed=plan_seed)
        kept = done == 0 or _kept_people(request)
        planned = plan(before, rounds, watch) if kept else None
        if planned is not None and _kept(planned.rounds[:done], request.history):
            return _Work(request, watch, seed=plan_seed).drawn(
                planned.rounds[done], cut_short=planned.report.cut_short, planned=rounds
            )
    return next_round(replace(request, more_to_come=done + 1 < rounds), watch)


def _kept_people(request: DrawRequest) -> bool:
    """Whether the same people were there in each round, at tables of the same sizes."""
    sizes = sorted(map(len, request.history[-1])) if request.sizes is None else request.sizes
    return all(
        {player for table in tables for player in table} == {*request.players}
        and sorted(map(len, tables)) == sorted(sizes)
        for tables in request.history
    )


def _kept(planned: Sequence[Tables], history: Sequence[Tables]) -> bool:
    return all(
        {frozenset(table) for table in one} == {frozenset(table) for table in other}
        for one, other in zip(planned, history, strict=True)
    )


def _begun(
    past: Past, found: Found, random: Random, unwilling: Collection[int]
) -> Sequence[Sequence[Sequence[int]]]:
    """Everybody on a seat they had least often, one round after the other."""
    if found.source == "algebra":  # the seats go round already
        return found.rounds
    for tables in found.rounds:
        for table in tables:
            table[:] = in_seat_order(past, table, random, unwilling)
        for table in tables:
            for seat, player in enumerate(table):
                past.seats[player][seat] += 1
    for tables in found.rounds:
        for table in tables:
            for seat, player in enumerate(table):
                past.seats[player][seat] -= 1
    return found.rounds


class _Work:
    """A request that was looked through: players as numbers from 0, a deadline, chance."""

    def __init__(self, request: DrawRequest, watch: Watch | None, seed: int | None = None) -> None:
        self.request, self.watch = request, watch
        self.began = perf_counter()
        self.players = _players(request)
        self.sizes = _sizes(request)
        self.index = {player: number for number, player in enumerate(self.players)}
        self.history = request.history
        self.seed = request.seed if seed is None else seed
        self.random = Random(self.seed)
        effort = request.seconds if request.effort is None else request.effort
        self.trials = int(effort * TRIALS_PER_SECOND)
        self.cut_short = False

    @property
    def late(self) -> Late:
        """Asked by the search whether to stop."""

        def is_late(share: float) -> bool:
            told = self.watch is not None and self.watch(share)
            if told or perf_counter() - self.began > self.request.seconds:
                self.cut_short = True
            return self.cut_short

        return is_late

    def problem(self, past: Past) -> Problem:
        """What the next round is judged by."""
        request = self.request
        if request.at_random:
            return no_matter_who(len(self.players), self.sizes, self.forbidden())
        bound = least_repeats(self.sizes, self.players, self.history, at_most_twice=True)
        return problem_of(
            past,
            self.sizes,
            bound=bound,
            forbidden=self.forbidden(),
            unwilling=sum(1 << p for p in self.numbers(request.unwilling)),
            may_wait=self.may_wait(),
            ranking=[self.index[player] for player in request.ranking if player in self.index],
        )

    def may_wait(self) -> bool:
        """Whether odd tables may be evened out in the third round instead of the second.

        Then everybody can be at one once or twice in three rounds, and far fewer have to
        meet again in the second, since those of a small table need not all leave it.
        """
        odd = 3 * sum(size for size in self.sizes if size != PREFERRED)
        in_range = len(self.players) <= odd <= 2 * len(self.players)
        return self.request.more_to_come and len(self.history) == 1 and in_range

    def begin(self) -> list[list[int]] | None:
        """The tables to begin with, as the table of each player."""
        if not self.request.start:
            return None
        where = {p: t for t, table in enumerate(self.request.start) for p in table}
        if {*where} != {*self.players}:
            raise Refusal("sizes_wrong", sizes=self.sizes, players=len(self.players))
        return [[where[player] for player in self.players]]

    def numbers(self, players: Collection[int]) -> frozenset[int]:
        """The numbers of those of them who are here."""
        return frozenset(self.index[player] for player in players if player in self.index)

    def named(self, tables: Sequence[Sequence[int]]) -> Tables:
        """Tables of numbers as tables of players."""
        return tuple(tuple(self.players[number] for number in table) for table in tables)

    def forbidden(self) -> tuple[tuple[int, int], ...]:
        """The forbidden pairs of whom both are here, by number, in one order."""
        pairs = (sorted(self.numbers(pair)) for pair in self.request.forbidden)
        return tuple(sorted((pair[0], pair[1]) for pair in pairs if len(pair) == 2))

    def drawn(self, tables: Tables, *, cut_short: bool = False, planned: int = 0) -> Drawn:
        """The answer with its report, unless a forbidden pair meets."""
        report = cost_of(tables, self.history, self.request.forbidden)
        _refuse_forbidden(report.forbidden)
        return Drawn(
            tables,
            replace(
                report,
                seconds=perf_counter() - self.began,
                seed=self.seed,
                cut_short=cut_short or self.cut_short,
                planned=planned,
            ),
        )

    def planned(self, rounds: tuple[Tables, ...], source: str) -> Planned:
        """The same for a plan, together with the rounds before it."""
        report = report_of([*self.history, *rounds], self.request.forbidden)
        _refuse_forbidden(report.forbidden)
        seconds = perf_counter() - self.began
        return Planned(
            rounds,
            replace(
                report, source=source, seconds=seconds, seed=self.seed, cut_short=self.cut_short
            ),
        )


def _refuse_forbidden(pairs: tuple[tuple[int, int], ...]) -> None:
    if pairs:
        raise Refusal("forbidden_impossible", pairs=pairs)


def _players(request: DrawRequest) -> list[int]:
    """The players in one order, whatever order they are asked for in."""
    twice = tuple(player for player, times in Counter(request.players).items() if times > 1)
    if twice:
        raise Refusal("duplicate_player", players=twice)
    return sorted(request.players)


def _sizes(request: DrawRequest) -> tuple[int, ...]:
    players = len(request.players)
    if request.start:
        return tuple(len(table) for table in request.start)
    if request.sizes is None:
        return table_sizes(players, request.max_tables)
    fits = all(MIN_SIZE <= size <= MAX_SIZE for size in request.sizes)
    if not fits or sum(request.sizes) != players or not players:
        raise Refusal("sizes_wrong", sizes=request.sizes, players=players)
    return request.sizes
