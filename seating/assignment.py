"""What is asked of a draw, looked through: people as numbers, a deadline, chance."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter

from scoring.refusal import Refusal
from seating.bounds import least_repeats
from seating.costs import PlanReport, RoundReport, cost_of, report_of
from seating.history import PlayerHistory
from seating.lookahead import is_crowded
from seating.problem import SeatingProblem, no_matter_who, problem_of
from seating.search import Late
from seating.sizes import SMALL, TOURNAMENT, table_sizes
from seating.weights import ODD, ODD_YET, from_six

# Few enough that an ordinary machine is done in two thirds of the time it is given.
TRIALS_PER_SECOND = 250_000
# More than so many find nothing better for the next round of a few people.
TRIALS_OF_FEW = 200_000

type Tables = tuple[tuple[int, ...], ...]
type Watch = Callable[[float], bool]


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """Who is to be seated, and what happened before.

    `history`: the tables of each earlier round in seat order, the dealer first; who is
    gone may stand in it. `sizes`: the table sizes, else the default split for at most
    `max_tables`, of the sizes `allowed`, all that the rules know. `forbidden`: pairs that never
    meet. `unwilling`: who would rather not deal. `ranking`: the players from the best on, to be
    seated in that order as far as few meet again. `at_random`: by nothing but chance, forbidden
    pairs aside. `start`: tables to begin with, at which those `pinned` stay. `more_to_come`: this
    is not the last round.
    `seconds`: after how long at the latest to stop and, unless `effort` says it, how much work
    to put into it; with the same effort a slow machine finds what a fast one does, only later.
    """

    players: tuple[int, ...]
    history: tuple[Tables, ...] = ()
    sizes: tuple[int, ...] | None = None
    max_tables: int | None = None
    allowed: Collection[int] = TOURNAMENT
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
    report: RoundReport


@dataclass(frozen=True, slots=True)
class Planned:
    """The tables of each round in seat order, the dealer first, and what they cost."""

    rounds: tuple[Tables, ...]
    report: PlanReport


class Assignment:
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
            # The watch is told each time, also once it is late: it shows how far the work is.
            told = self.watch is not None and self.watch(share)
            if told or perf_counter() - self.began > self.request.seconds:
                self.cut_short = True
            return self.cut_short

        return is_late

    def trials_of_a_round(self) -> int:
        """How much work to put into the next round alone."""
        return min(self.trials, TRIALS_OF_FEW) if len(self.players) <= SMALL else self.trials

    def problem(self, past: PlayerHistory) -> SeatingProblem:
        """What the next round is judged by."""
        request = self.request
        if request.at_random:
            return no_matter_who(len(self.players), self.sizes, self.forbidden())
        # A third meeting costs more than two second ones, so no seating costs less than this bound.
        bound = least_repeats(self.sizes, self.players, self.history, at_most_twice=True)
        return problem_of(
            past,
            self.sizes,
            bound=bound,
            forbidden=self.forbidden(),
            unwilling=sum(1 << p for p in self.numbers(request.unwilling)),
            ranking=self.ranking(),
            odd=ODD_YET if self.may_wait() else ODD,
        )

    def ranking(self) -> list[int]:
        """Everybody by number from the best on, if there is a ranking: behind it who has no rank,
        in an order by chance."""
        ranked = [self.index[p] for p in self.request.ranking if p in self.index]
        if not ranked:
            return []
        # A seated person who has left by now is in no standings, and still has to be placed.
        others = sorted({*range(len(self.players))}.difference(ranked))
        return ranked + self.random.sample(others, len(others))

    def may_wait(self) -> bool:
        """Whether odd tables may be evened out in the third round instead of the second.

        Then everybody can be at one once or twice in three rounds, and far fewer have to
        meet again in the second, since those of a small table need not all leave it. At a small
        event nobody knows who will be there then.
        """
        # In three rounds so many seats at odd tables: at least one for everybody, two at the most.
        odd = 3 * sum(size for size in self.sizes if from_six(size))
        in_range = len(self.players) <= odd <= 2 * len(self.players)
        second = self.request.more_to_come and len(self.history) == 1
        return second and in_range and len(self.players) > SMALL

    def may_look_ahead(self, problem: SeatingProblem) -> bool:
        """Whether another seating may be better for the round after this one."""
        asked = self.request
        free = asked.more_to_come and not (asked.at_random or asked.ranking or asked.start)
        return free and is_crowded(problem, len(self.history) + 1)

    def numbered_history(self) -> list[list[list[int]]]:
        """The history by number; who is not here has a number that nobody has."""
        return [
            [[self.index.get(player, -1) for player in table] for table in tables]
            for tables in self.history
        ]

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
        # Sets have no order to rely on, and the search's chances follow this one.
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
    # Their sizes were settled when those tables were made.
    if request.start:
        return tuple(len(table) for table in request.start)
    if request.sizes is None:
        return table_sizes(players, request.max_tables, request.allowed)
    fits = all(size in request.allowed for size in request.sizes)
    if not fits or sum(request.sizes) != players or not players:
        raise Refusal("sizes_wrong", sizes=request.sizes, players=players)
    return request.sizes
