"""The standings of a season: computed from frozen results once a version, and explained line by
line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import FilteredRelation, Q, QuerySet
from django.utils.formats import number_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scoring.seasons import (
    HUNDRED,
    MERS_AT_MOST,
    Counted,
    Rule,
    SeasonResult,
    SeasonRule,
    counted,
    points_of,
    season,
    season_rule,
)
from tournament.models import (
    Freeze,
    Person,
    PersonLink,
    Player,
    Result,
    Series,
    SeriesEvent,
    SeriesTable,
)
from tournament.models.series import RULE_NAMES
from tournament.names import shown_name, told_apart
from tournament.queries.kept import kept
from tournament.queries.persons import public_names
from tournament.queries.series import Tree, counting_in, season_version
from tournament.spelling import folded

LINES_ON_A_PAGE = 100
BEST = 10  # on the page of the series itself


class SeasonEvent(NamedTuple):
    """An event that counts."""

    name: str
    slug: str
    weight: int
    field: int


# A result in the season: the place of its event in the season's events, rank, points. Plain tuples:
# of thousands, named ones take five times as long to be kept and read again.
type OwnResult = tuple[int, int, int]


class SeasonEntry(NamedTuple):
    """A row. `beside`: the event of an entry that nobody has joined with others; `person`: whose
    page everybody may open, or 0."""

    rank: int
    shared: bool
    total: int
    name: str
    beside: str
    person: int
    results: tuple[OwnResult, ...]


class Board(NamedTuple):
    """The standings of a season by one rule. `shared`: ranks of events that more than one has, as
    (place of the event, rank); `same_names`: two rows have one name: they may be one person, which
    nobody has said."""

    events: tuple[SeasonEvent, ...]
    shared: frozenset[tuple[int, int]]
    rows: tuple[SeasonEntry, ...]
    same_names: bool = False

    def __reduce__(self) -> tuple[object, ...]:
        """To be kept with plain rows: of thousands, named ones take three times as long."""
        return _board, (self.events, self.shared, tuple(map(tuple, self.rows)), self.same_names)


def _board(
    events: tuple[SeasonEvent, ...],
    shared: frozenset[tuple[int, int]],
    rows: Iterable[Iterable[Any]],
    same_names: bool,
) -> Board:
    return Board(events, shared, tuple(map(SeasonEntry._make, rows)), same_names)


def rule_of(table: SeriesTable) -> SeasonRule:
    return season_rule(table.rule, table.parameters)


class SeasonFacts:
    """What all standings of a series are counted from, fetched once, and only if it is asked for:
    in a fixed number of queries."""

    def __init__(self, series: Series, below: Sequence[Series] = ()) -> None:
        self.series, self.below = series, below

    @cached_property
    def _counting(self) -> list[tuple[SeriesEvent, int, int]]:
        """Each event that counts, with the key of its frozen result and how many were ranked."""
        listed = counting_in(self.series, self.below)
        frozen = Freeze.objects.in_force().filter(event__in=[one.event_id for one in listed])
        found = {
            event: (pk, field) for event, pk, field in frozen.values_list("event_id", "pk", "field")
        }
        return [(one, *found[one.event_id]) for one in listed if one.event_id in found]

    @cached_property
    def events(self) -> tuple[SeasonEvent, ...]:
        return tuple(
            SeasonEvent(one.event.name, one.event.slug, one.weight, field)
            for one, _freeze, field in self._counting
        )

    @cached_property
    def entries(self) -> Mapping[str, _Entry]:
        """Everybody by a key that sorts by name: what persons have joined together, everything else
        by itself."""
        order = {freeze: place for place, (_one, freeze, _field) in enumerate(self._counting)}
        own: dict[int, _Entry] = {}
        alone: dict[int, OwnResult] = {}
        linked = FilteredRelation(
            "player__person_links", condition=Q(player__person_links__withdrawn_at=None)
        )
        rows = Result.objects.filter(freeze__in=list(order)).annotate(link=linked).order_by()
        for freeze, player, rank, points, person in rows.values_list(
            "freeze_id", "player_id", "rank", "points", "link__person_id"
        ):
            found = (order[freeze], rank, points)
            if person is None:
                alone[player] = found
            elif (entry := own.get(person)) is None:
                own[person] = _Entry(person, "", [found])
            else:
                entry.results.append(found)
        for person, name in self._named():
            if person in own:
                own[person].name = name
        entries = {f"{folded(one.name)}\0person {pk}": one for pk, one in own.items()}
        for one in own.values():
            one.results.sort()
        return entries | _alone(alone, self.events)

    @cached_property
    def results(self) -> Mapping[str, Sequence[SeasonResult]]:
        """As the rules read them."""
        return {key: _for_rules(self.events, one.results) for key, one in self.entries.items()}

    @cached_property
    def shared(self) -> frozenset[tuple[int, int]]:
        """Ranks that more than one has."""
        ranks = Counter(one[:2] for entry in self.entries.values() for one in entry.results)
        return frozenset(rank for rank, count in ranks.items() if count > 1)

    def _named(self) -> Iterable[tuple[int, str]]:
        """Persons with their names, as everybody sees them."""
        whose = self._links().values("person")
        return public_names(Person.objects.filter(pk__in=whose).order_by()).items()

    @cached_property
    def public(self) -> frozenset[int]:
        """Persons whose page everybody may open."""
        public = Person.objects.filter(public=True, pk__in=self._links().values("person"))
        return frozenset(public.order_by().values_list("pk", flat=True))

    def _links(self) -> QuerySet[PersonLink]:
        events = [one.event_id for one, _freeze, _field in self._counting]
        return PersonLink.objects.in_force().filter(player__event__in=events).order_by()


def _for_rules(events: Sequence[SeasonEvent], results: Iterable[OwnResult]) -> list[SeasonResult]:
    found = []
    for place, rank, points in results:
        _name, _slug, weight, of = events[place]
        found.append(SeasonResult(rank, of, points, weight))
    return found


@dataclass(slots=True)
class _Entry:
    """`person`: 0 for an entry that nobody has joined with others."""

    person: int
    name: str
    results: list[OwnResult] = field(default_factory=list)


def _alone(results: Mapping[int, OwnResult], events: Sequence[SeasonEvent]) -> dict[str, _Entry]:
    """With the names that they have now, told apart where one event has two of a name."""
    if not results:
        return {}
    people = Player.objects.filter(event__slug__in=[one.slug for one in events]).order_by()
    shown = {
        pk: (number, shown_name(name, style, alias, number))
        for pk, number, name, style, alias in people.values_list(
            "pk", "number", "name", "name_style", "alias"
        )
        if pk in results
    }
    same = Counter((results[pk][0], folded(name)) for pk, (_number, name) in shown.items())
    found = {}
    for pk, (number, name) in shown.items():
        key = folded(name)
        if same[results[pk][0], key] > 1:
            name = told_apart(name, number)
            key = folded(name)
        found[f"{key}\0{pk}"] = _Entry(0, name, [results[pk]])
    return found


def season_board(series: Series, table: SeriesTable, facts: SeasonFacts) -> Board:
    """The whole standings, computed once a version, for all workers."""
    version = season_version(series, facts.below)
    name = f"season:{table.pk}:{get_language()}"
    # Now: the page that is made of it is kept as of this version.
    return kept(name, version, lambda: compute_board(table, facts), now=True).value


@dataclass(frozen=True, slots=True)
class Best:
    """The first few of the standings by one rule, and how many rows there are in all."""

    table: SeriesTable
    board: Board
    rows: int

    @property
    def more(self) -> bool:
        return self.rows > len(self.board.rows)


def best_of(series: Series, tables: Sequence[SeriesTable], tree: Tree) -> list[Best]:
    """Of all standings of a series; those that rest on the same events are counted from the same
    facts."""
    below = tree.below(series)
    facts = {True: SeasonFacts(series, below), False: SeasonFacts(series)}

    def make() -> dict[int, tuple[Board, int]]:
        return {one.pk: _best(one, facts[one.with_below]) for one in tables}

    version = season_version(series, below)
    found = kept(f"season:best:{series.pk}:{get_language()}", version, make, now=True).value
    # One that was added while another worker counted comes with the next version.
    return [Best(one, *found[one.pk]) for one in tables if one.pk in found]


def _best(table: SeriesTable, facts: SeasonFacts) -> tuple[Board, int]:
    board = compute_board(table, facts, BEST)
    used = {place for row in board.rows for place, _rank, _points in row.results}
    shared = frozenset(one for one in board.shared if one[0] in used)
    return board._replace(shared=shared), len(facts.entries)


def facts_for(series: Series, table: SeriesTable, tree: Tree) -> SeasonFacts:
    """`tree`: those below that everybody may see."""
    return SeasonFacts(series, tree.below(series) if table.with_below else ())


def compute_board(table: SeriesTable, facts: SeasonFacts, best: int | None = None) -> Board:
    """From the frozen results of all events that are over and wholly shown; `best`: only so many
    rows."""
    events, entries, public = facts.events, facts.entries, facts.public
    rows = []
    for key, rank, shared, total in season(rule_of(table), facts.results, best):
        entry = entries[key]
        rows.append(
            SeasonEntry(
                rank,
                shared,
                total,
                entry.name,
                "" if entry.person else events[entry.results[0][0]].name,
                entry.person if entry.person in public else 0,
                tuple(entry.results),
            )
        )
    # Keys begin with the names as they are compared.
    names = {key.partition("\0")[0] for key in entries}
    return Board(events, facts.shared, tuple(rows), len(names) < len(entries))


# --- in words ---------------------------------------------------------------------------------


def amount(hundredths: int) -> str:
    """ "826.09", "40", "1.5", as the reader writes numbers."""
    number = (Decimal(hundredths) / HUNDRED).normalize()
    digits = max(0, -int(number.as_tuple().exponent))
    return str(number_format(number, decimal_pos=digits, use_l10n=True, force_grouping=False))


def rule_words(table: SeriesTable) -> list[str]:
    """The rule for everybody: what a result is worth, which of them count, who shares a rank."""
    rule = rule_of(table)
    lines = [*_worth_words(rule)]
    if rule.best:
        lines.append(
            ngettext(
                "The best result counts.",
                "The best %(n)d results count.",
                rule.best,
            )
            % {"n": rule.best}
        )
    lines.append(_("Each result counts as many times as its event weighs, to two decimals."))
    lines.append(_("Whoever shares a rank gets what that rank brings; equal totals share a rank."))
    return lines


def _worth_words(rule: SeasonRule) -> list[str]:
    match rule.of:
        case Rule.PLACES:
            return [", ".join(_band_words(*band) for band in rule.bands) + "."]
        case Rule.SUM:
            return [_("The points of the game, as they stand in the result of the event.")]
        case Rule.COUNT_WINS:
            return [_("One for each event won.")]
        case _:
            return [
                _(
                    "1000 × (players − rank) ÷ (players − 1): 1000 for the first, 0 for the last. "
                    "Who was the only player has 0."
                )
            ]


def _band_words(first: int, last: int, points: int) -> str:
    words = {"first": first, "last": last, "points": points}
    if first == last:
        return _("rank %(first)d: %(points)d") % words
    return _("ranks %(first)d to %(last)d: %(points)d") % words


@dataclass(frozen=True, slots=True)
class LineWords:
    """A result of a row in words: "rank 2 of 24", "18 × 1.5 = 27"."""

    event: SeasonEvent
    place: str
    sum: str
    counts: bool


def line_words(rule: SeasonRule, board: Board, result: OwnResult, counted: Counted) -> LineWords:
    place, rank, points = result
    event, (worth, counts) = board.events[place], counted
    words = {"rank": rank, "field": event.field}
    if (place, rank) in board.shared:
        said = _("rank %(rank)d of %(field)d, shared") % words
    else:
        said = _("rank %(rank)d of %(field)d") % words
    return LineWords(event, said, _sum_words(rule, event, rank, points, worth), counts)


def _sum_words(rule: SeasonRule, event: SeasonEvent, rank: int, points: int, worth: int) -> str:
    """ "1000 × 22 ÷ 23 × 1.5 = 1434.78"."""
    match rule.of:
        case Rule.PLACES:
            value = str(points_of(rule.bands, rank))
        case Rule.SUM:
            value = str(points)
        case Rule.COUNT_WINS:
            value = "1" if rank == 1 else "0"
        case _ if event.field > 1:
            value = f"{MERS_AT_MOST} × {event.field - rank} ÷ {event.field - 1}"
        case _:
            value = "0"
    times = f" × {amount(event.weight)}" if event.weight != HUNDRED else ""
    said = amount(worth)
    return said if value + times == said else f"{value}{times} = {said}"


@dataclass(frozen=True, slots=True)
class RowWords:
    """A row of a page with its reasons; `total` in words; `events`: how many results it has."""

    row: SeasonEntry
    total: str
    lines: tuple[LineWords, ...]


def rows_in_words(table: SeriesTable, board: Board, rows: Iterable[SeasonEntry]) -> list[RowWords]:
    rule = rule_of(table)
    return [RowWords(row, amount(row.total), _lines(rule, board, row)) for row in rows]


def _lines(rule: SeasonRule, board: Board, row: SeasonEntry) -> tuple[LineWords, ...]:
    worth = counted(rule, _for_rules(board.events, row.results))
    return tuple(line_words(rule, board, *one) for one in zip(row.results, worth, strict=True))


def rule_name(table: SeriesTable) -> str:
    rule = rule_of(table)
    if rule.best:
        return f"{RULE_NAMES[rule.name]}: {RULE_NAMES[rule.of]}"
    return str(RULE_NAMES[rule.name])
