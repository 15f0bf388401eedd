"""How fair the seating of an event has been, for each player and as a whole."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from django.core.cache import caches
from django.utils.translation import get_language

from scoring.eventfile import EventFile, PlayedTable
from scoring.rules import score_table
from seating.costs import PlanReport, report_of
from tournament import rulebook
from tournament.models import Event, Player, Seat
from tournament.models.events import SeatingMethod
from tournament.models.versions import Part
from tournament.queries.names import find_namesakes
from tournament.queries.seating_history import Tables
from tournament.queries.separations import separated_pairs
from tournament.queries.versions import version_of
from tournament.queries.visibility import shown_through
from tournament.spelling import NameSearch


@dataclass(frozen=True, slots=True)
class PlayerFairness:
    """How one player fared: how often at a table of each size, how often dealer, and who was met
    more than once, how often."""

    number: int
    name: str
    rounds: int
    sizes: tuple[tuple[int, int], ...]
    dealt: int
    met: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class SizeAverage:
    """What a seat at a table of this size was worth in the event's own deals, on average."""

    size: int
    deals: int
    average: float


@dataclass(frozen=True, slots=True)
class Fairness:
    """Rounds that were published; a draft tells nobody anything. `methods`: how they were seated,
    in order, each once."""

    rounds: int
    methods: tuple[str, ...]
    report: PlanReport
    sizes: tuple[int, ...]
    rows: tuple[PlayerFairness, ...]
    paid: tuple[SizeAverage, ...]

    @property
    def by_lot(self) -> bool:
        return set(self.methods) == {SeatingMethod.LOT}

    @property
    def unbeaten(self) -> bool:
        """Proved: neither could fewer meet again nor odd tables be shared out more evenly."""
        return self.report.optimal and (not self.report.off_size or self.report.off_level)

    @property
    def beyond(self) -> int:
        """How many meetings again there are beyond those that were proved to be unavoidable."""
        return max(0, self.report.repeats - self.report.bound)

    def found(self, query: str) -> list[PlayerFairness]:
        """The rows of people whose shown name holds each word, or whose start number it is."""
        if not query.strip():
            return list(self.rows)
        search = NameSearch.of(query)
        return [row for row in self.rows if search.finds(row.number, row.name)]


def fairness_of(event: Event) -> Fairness:
    """Computed once per version and language, in a fixed number of queries."""
    # By language as well: whoever shows a number alone is “Player 7” in the reader's words.
    key = f"fairness:{event.pk}:{version_of(event, Part.SEATS)}:{get_language()}"
    found = caches["local"].get(key)
    if found is None:
        found = compute_fairness(event)
        caches["local"].set(key, found, 3600)
    return found  # type: ignore[no-any-return]


def compute_fairness(event: Event) -> Fairness:
    rounds, methods = _rounds(event)
    sizes = tuple(sorted({len(table) for tables in rounds for table in tables}))
    return Fairness(
        rounds=len(rounds),
        methods=methods,
        report=report_of(rounds, separated_pairs(event)),
        sizes=sizes,
        rows=_rows(event, rounds, sizes),
        # Of rounds that everybody may know of: the page is the same for all who look.
        paid=paid_by_size(rulebook.event_file(event, through=shown_through(event))),
    )


def _rounds(event: Event) -> tuple[list[Tables], tuple[str, ...]]:
    """The tables of each preliminary round, players by key, dealer first; and the methods."""
    shown = event.rounds.preliminary().played().order_by("number")
    # In the order of play, which `seats` takes over, whatever order its own rows come in.
    requests = dict(shown.values_list("pk", "draw_request"))
    seats: dict[int, dict[int, list[int]]] = {pk: {} for pk in requests}
    for round_, table, player in (
        Seat.objects.filter(round__in=seats)
        .order_by("table__number", "position")
        .values_list("round_id", "table_id", "player_id")
    ):
        seats[round_].setdefault(table, []).append(player)
    methods = dict.fromkeys(one.get("method", SeatingMethod.FEWEST) for one in requests.values())
    return [tuple(map(tuple, tables.values())) for tables in seats.values()], tuple(methods)


def _rows(
    event: Event, rounds: Sequence[Tables], sizes: tuple[int, ...]
) -> tuple[PlayerFairness, ...]:
    sat: dict[int, Counter[int]] = defaultdict(Counter)
    dealt: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    for tables in rounds:
        for table in tables:
            dealt[table[0]] += 1
            # Sorted, so that two people are one pair whichever seats they had.
            met.update(combinations(sorted(table), 2))
            for player in table:
                sat[player][len(table)] += 1
    names = _names(event, sat)
    again: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for (one, other), times in met.items():
        if times > 1:
            again[one].append((names[other][1], times))
            again[other].append((names[one][1], times))
    return tuple(
        PlayerFairness(
            number=number,
            name=name,
            rounds=sat[player].total(),
            sizes=tuple((size, sat[player][size]) for size in sizes),
            dealt=dealt[player],
            met=tuple(sorted(again[player], key=lambda one: (-one[1], one[0]))),
        )
        for player, (number, name) in names.items()
    )


def _names(event: Event, seated: dict[int, Counter[int]]) -> dict[int, tuple[int, str]]:
    """Key -> start number and public name, by start number."""
    players = Player.objects.filter(event=event).order_by("number")
    same = find_namesakes(event.pk)
    return {
        pk: (number, same.public_name(name, style, alias, number))
        for pk, number, name, style, alias in players.values_list(
            "pk", "number", "name", "name_style", "alias"
        )
        if pk in seated
    }


def _won(event: EventFile, table: PlayedTable) -> Iterator[tuple[int, ...]]:
    """What each deal paid, as the table wrote it. A paper sheet may leave out what a deal loss
    took, so its points alone need not make an outcome: they are taken as they stand."""
    told = [deal for deal in table.deals if deal.points is None]
    scored = score_table(event.ruleset, told, {}, len(table.seats))
    for deal in table.deals:
        yield next(scored).points if deal.points is None else deal.points


def paid_by_size(event: EventFile) -> tuple[SizeAverage, ...]:
    """By confirmed sheets of all rounds; what penalties took is counted as it was won."""
    points: Counter[int] = Counter()
    deals: Counter[int] = Counter()
    for round_ in event.rounds:
        for table in round_.tables:
            size = len(table.seats)
            for deal, won in zip(table.deals, _won(event, table), strict=True):
                if not deal.void:
                    deals[size] += 1
                    points[size] += sum(won)
    return tuple(
        SizeAverage(size, deals[size], points[size] / (deals[size] * size))
        for size in sorted(deals)
    )
