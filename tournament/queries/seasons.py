"""The standings of a season: computed from frozen results once a version, and explained line by
line."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from django.utils.formats import number_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scoring.seasons import (
    HUNDRED,
    MERS_AT_MOST,
    Rule,
    SeasonResult,
    SeasonRule,
    points_of,
    season,
    season_rule,
)
from tournament.models import Freeze, PersonLink, Result, Series, SeriesTable
from tournament.models.series import RULE_NAMES
from tournament.names import shown_name, told_apart
from tournament.queries.kept import kept
from tournament.queries.series import ListedEvent, Tree, events_of, season_version
from tournament.spelling import folded

LINES_ON_A_PAGE = 100
BEST = 10  # on the page of the series itself


class SeasonEvent(NamedTuple):
    """An event that counts."""

    name: str
    slug: str
    weight: int
    field: int


class SeasonLine(NamedTuple):
    """A result in the season: `event` is its place in the board's events; `worth` in hundredths."""

    event: int
    rank: int
    shared: bool
    points: int
    worth: int
    counts: bool


class SeasonEntry(NamedTuple):
    """A row. `beside`: the event of an entry that nobody has joined with others; `person`: whose
    page everybody may open, or 0."""

    rank: int
    shared: bool
    total: int
    name: str
    beside: str
    person: int
    lines: tuple[SeasonLine, ...]


class Board(NamedTuple):
    """The standings of a season by one rule."""

    events: tuple[SeasonEvent, ...]
    rows: tuple[SeasonEntry, ...]


def rule_of(table: SeriesTable) -> SeasonRule:
    return season_rule(table.rule, table.parameters)


def season_board(series: Series, table: SeriesTable, tree: Tree) -> Board:
    """Computed once a version, for all workers. `tree`: those below that everybody may see."""
    below = tree.below(series) if table.with_below else ()
    version = season_version(series, below)
    name = f"season:{table.pk}:{get_language()}"
    return kept(name, version, lambda: compute_board(series, table, below)).value


def compute_board(series: Series, table: SeriesTable, below: Sequence[Series] = ()) -> Board:
    """From the frozen results of all events that are over and wholly shown, in a fixed number of
    queries."""
    listed = [one for one in events_of(series, below) if one.counts]
    fields = _fields(listed)
    listed = [one for one in listed if one.event.pk in fields]
    events = tuple(
        SeasonEvent(one.event.name, one.event.slug, one.entry.weight, fields[one.event.pk])
        for one in listed
    )
    entries = _entries(listed)
    results = {
        key: [
            SeasonResult(rank, events[place].field, points, events[place].weight)
            for place, rank, _shared, points in entry.results
        ]
        for key, entry in entries.items()
    }
    rows = season(rule_of(table), results)
    return Board(
        events,
        tuple(
            SeasonEntry(
                row.rank,
                row.shared,
                row.total,
                entry.name,
                events[entry.results[0][0]].name if not entry.joined else "",
                entry.page,
                tuple(
                    SeasonLine(*result, *found)
                    for result, found in zip(entry.results, row.counted, strict=True)
                ),
            )
            for row in rows
            for entry in [entries[row.entry]]
        ),
    )


def _fields(listed: Sequence[ListedEvent]) -> dict[int, int]:
    """How many were ranked, of each event that has a frozen result."""
    found = Freeze.objects.in_force().filter(event__in=[one.event.pk for one in listed])
    return dict(found.values_list("event_id", "field"))


@dataclass(slots=True)
class _Entry:
    name: str
    joined: bool
    page: int
    results: list[tuple[int, int, bool, int]]  # place of the event, rank, shared, points


def _entries(listed: Sequence[ListedEvent]) -> Mapping[str, _Entry]:
    """Everybody by a key that sorts by name: what persons have joined together, everything else by
    itself."""
    order = {one.event.pk: place for place, one in enumerate(listed)}
    people = {
        player: (person, name, public)
        for player, person, name, public in PersonLink.objects.in_force()
        .filter(player__event__in=order)
        .values_list("player_id", "person_id", "person__name", "person__public")
    }
    rows = Result.objects.filter(freeze__replaced_at__isnull=True, freeze__event__in=order)
    found: dict[str, _Entry] = {}
    named: dict[tuple[int, str], list[_Entry]] = defaultdict(list)
    numbers: dict[int, int] = {}
    for event, player, rank, shared, points, number, given, style, alias in rows.values_list(
        "freeze__event_id",
        "player_id",
        "rank",
        "shared",
        "points",
        "number",
        "player__name",
        "player__name_style",
        "player__alias",
    ):
        result = (order[event], rank, shared, points)
        if (whose := people.get(player)) is not None:
            person, name, public = whose
            key = f"{folded(name)}\0person {person}"
            if key not in found:
                found[key] = _Entry(name, True, person if public else 0, [])
            found[key].results.append(result)
            continue
        name = shown_name(given, style, alias, number)
        entry = found[f"{folded(name)}\0{player}"] = _Entry(name, False, 0, [result])
        named[order[event], folded(name)].append(entry)
        numbers[id(entry)] = number
    for same in named.values():
        if len(same) > 1:
            for entry in same:
                entry.name = told_apart(entry.name, numbers[id(entry)])
    for entry in found.values():
        entry.results.sort()
    return found


def same_names(board: Board) -> bool:
    """Whether two rows have one name: they may be one person, which nobody has said."""
    names = Counter(folded(row.name) for row in board.rows)
    return any(count > 1 for count in names.values())


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


def line_words(rule: SeasonRule, board: Board, line: SeasonLine) -> LineWords:
    event = board.events[line.event]
    words = {"rank": line.rank, "field": event.field}
    place = (
        _("rank %(rank)d of %(field)d, shared") if line.shared else _("rank %(rank)d of %(field)d")
    )
    return LineWords(event, place % words, _sum_words(rule, event, line), line.counts)


def _sum_words(rule: SeasonRule, event: SeasonEvent, line: SeasonLine) -> str:
    """ "1000 × 22 ÷ 23 × 1.5 = 1434.78"."""
    match rule.of:
        case Rule.PLACES:
            value = str(points_of(rule.bands, line.rank))
        case Rule.SUM:
            value = str(line.points)
        case Rule.COUNT_WINS:
            value = "1" if line.rank == 1 else "0"
        case _ if event.field > 1:
            value = f"{MERS_AT_MOST} × {event.field - line.rank} ÷ {event.field - 1}"
        case _:
            value = "0"
    times = f" × {amount(event.weight)}" if event.weight != HUNDRED else ""
    worth = amount(line.worth)
    return worth if value + times == worth else f"{value}{times} = {worth}"


@dataclass(frozen=True, slots=True)
class RowWords:
    """A row of a page with its reasons; `total` in words; `events`: how many results it has."""

    row: SeasonEntry
    total: str
    lines: tuple[LineWords, ...]


def rows_in_words(table: SeriesTable, board: Board, rows: Iterable[SeasonEntry]) -> list[RowWords]:
    rule = rule_of(table)
    return [
        RowWords(row, amount(row.total), tuple(line_words(rule, board, one) for one in row.lines))
        for row in rows
    ]


def rule_name(table: SeriesTable) -> str:
    rule = rule_of(table)
    if rule.best:
        return f"{RULE_NAMES[rule.name]}: {RULE_NAMES[rule.of]}"
    return str(RULE_NAMES[rule.name])
