"""The facts that printed documents show, as plain values that are the same for the same content."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.db.models import Max

from scoring.rules import AnyResult, sizes_of
from tournament import rulebook
from tournament.links import ticket_url
from tournament.models import Deal, Event, Penalty, Player, Round, Table
from tournament.models.players import HOLDS_A_PLACE, PlayerStatus
from tournament.models.rounds import RoundStatus
from tournament.models.scoresheets import BYE, SheetStatus
from tournament.names import NameStyle, without_number
from tournament.queries.players import by_alphabet
from tournament.queries.seats import SeatRow, TableRow, table_rows
from tournament.queries.standings import Row, StandingsTable, standings_for

BEST_SIZE = 6  # players at a table, where tables are not drawn yet; fewer where the rules say so


@dataclass(frozen=True, slots=True)
class EventFacts:
    """The event as every document names it."""

    name: str
    venue: str
    starts: str
    zone: str
    status: str
    round: str = ""


def event_facts(event: Event, round_: Round | None = None) -> EventFacts:
    starts = event.local(event.starts_at).isoformat()
    place = f"{round_.stage} {round_.number} {round_.deals}" if round_ else ""
    return EventFacts(event.name, event.venue, starts, event.time_zone, event.status, place)


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """Somebody with a place. `name` is for the staff, `shown` for everybody."""

    number: int
    name: str
    shown: str
    status: str
    note: str
    ticket: str

    @property
    def here(self) -> bool:
        return self.status == PlayerStatus.CHECKED_IN


def entries_of(event: Event, statuses: Sequence[str]) -> tuple[ListedPlayer, ...]:
    """Everybody in one of these states, by name."""
    people = event.players.filter(status__in=statuses)
    found = [
        ListedPlayer(one.number, one.name, one.public_name, one.status, one.note, ticket_url(one))
        for one in people
    ]
    return tuple(sorted(found, key=lambda one: by_alphabet(one.name, one.number)))


def expected(event: Event) -> tuple[ListedPlayer, ...]:
    """Whom the door waits for or has seen."""
    return entries_of(event, (PlayerStatus.REGISTERED, PlayerStatus.CHECKED_IN))


def on_waiting_list(event: Event) -> tuple[ListedPlayer, ...]:
    """In the order in which places are given out."""
    waiting = entries_of(event, (PlayerStatus.WAITING,))
    return tuple(sorted(waiting, key=lambda one: one.number))


def tables_expected(event: Event, only: Sequence[int] = ()) -> tuple[int, ...]:
    """The numbers that stand on tables: those of the round with most tables, else as many as the
    people entered, or the places there are, will need."""
    if only:
        return tuple(only)
    drawn = Table.objects.filter(round__event=event).exclude(round__status=RoundStatus.CANCELLED)
    # Whoever is without an opponent needs no table.
    drawn = drawn.exclude(sheet__confirmed_by=BYE)
    highest = drawn.aggregate(most=Max("number"))["most"] or 0
    if not highest:
        people = event.players.filter(status__in=HOLDS_A_PLACE).count()
        people = max(people, event.capacity or 0)
        biggest = max(sizes_of(rulebook.ruleset_of(event)))
        highest = people // 2 if biggest == 2 else -(-people // BEST_SIZE)
        if event.max_tables:
            # Nobody is entered and no limit set: as many as there are games.
            highest = min(highest, event.max_tables) or event.max_tables
    return tuple(range(1, highest + 1))


def seating_mark(round_: Round, tables: Sequence[TableRow]) -> str:
    """What tells a printed seating from one made before or after a change."""
    seats = [(table.number, marked_seats(table)) for table in tables]
    return _mark((round_.stage, round_.number, seats))


def marked_seats(table: TableRow) -> list[tuple[int, int, str]]:
    """What a print's mark is made of: who sits where. A namesake who comes later makes nobody's
    print wrong."""
    return [(s.position, s.number, without_number(s.name, s.number)) for s in table.seats]


def standings_mark(board: StandingsTable) -> str:
    """What tells printed standings from later ones."""
    rows = [(row.rank, row.number, row.points, row.stars) for row in board.ranked]
    return _mark((rows, len(board.out), board.cut_made))


def rules_mark(rules: Mapping[str, object], rulings: Sequence[tuple[int, bool]] = ()) -> str:
    """What tells a printed notice of the rules from one with other rules, or other rulings."""
    # Sorted at every depth: a database gives the frozen rules' keys back in an order of its own.
    told = json.dumps(rules, sort_keys=True, default=str)
    return _mark((told, *rulings)) if rulings else _mark(told)


def _mark(facts: object) -> str:
    # Eight digits keep the code small, and are enough to tell two prints apart.
    return sha256(repr(facts).encode()).hexdigest()[:8]


def seats_by_name(tables: Sequence[TableRow]) -> tuple[SeatRow, ...]:
    """Everybody who is seated, by the name shown, accents or not."""
    seats = [seat for table in tables for seat in table.seats]
    return tuple(sorted(seats, key=lambda one: by_alphabet(one.name, one.number)))


@dataclass(frozen=True, slots=True)
class PrintedDeal:
    """One deal of a table: roles by their names or none, points and stars in sitting order."""

    number: int
    void: bool
    connector: int | None
    roles: tuple[str, ...]
    points: tuple[int, ...]
    stars: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PrintedTable:
    number: int
    status: str
    names: tuple[tuple[int, str], ...]
    deals: tuple[PrintedDeal | None, ...]

    @property
    def is_bye(self) -> bool:
        """Somebody without an opponent."""
        return len(self.names) == 1

    @property
    def counts(self) -> bool:
        return self.status == SheetStatus.CONFIRMED

    def total(self, seat: int) -> tuple[int, int]:
        """Points and stars of the seat at this place in the sitting order."""
        played = [deal for deal in self.deals if deal and not deal.void]
        return sum(d.points[seat] for d in played), sum(d.stars[seat] for d in played)


def played_tables(round_: Round, only: Sequence[int] = ()) -> tuple[PrintedTable, ...]:
    """What happened in every deal of a round, in four queries."""
    event = round_.event
    stored: dict[int, dict[int, Deal]] = defaultdict(dict)
    # Confirmed or not: the document says which tables are not confirmed yet.
    for deal in Deal.objects.filter(sheet__table__round=round_).select_related("sheet"):
        stored[deal.sheet.table_id][deal.number] = deal
    losses = _losses(round_)
    return tuple(
        PrintedTable(
            table.number,
            table.status,
            tuple((seat.number, seat.name) for seat in table.seats),
            _played(event, stored[table.pk], round_.deals, table, losses),
        )
        for table in table_rows(round_)
        if not only or table.number in only
    )


def _losses(round_: Round) -> set[tuple[int, int | None]]:
    """(player, deal) for each deal loss of the round."""
    given = Penalty.objects.costing_a_deal(round_)
    return set(given.values_list("player_id", "deal_number"))


def _played(
    event: Event,
    deals: Mapping[int, Deal],
    count: int,
    table: TableRow,
    losses: Collection[tuple[int, int | None]],
) -> tuple[PrintedDeal | None, ...]:
    """The table's deals; None where one is not entered."""
    lost = {
        number: frozenset(s.position for s in table.seats if (s.player_id, number) in losses)
        for number in deals
    }
    found = {
        deal.number: _printed(event, deal, result)
        for deal, result in rulebook.results_of(event, deals.values(), lost, len(table.seats))
    }
    return tuple(found.get(number) for number in range(1, count + 1))


def _printed(event: Event, deal: Deal, result: AnyResult) -> PrintedDeal:
    facts = rulebook.facts_of(event, deal)
    stars = tuple(int(star) for star in result.stars)
    return PrintedDeal(
        deal.number,
        deal.void,
        facts.connector,
        tuple(map(str, facts.roles or ())),
        tuple(result.points),
        stars,
    )


@dataclass(frozen=True, slots=True)
class Diploma:
    """A finalist's place, or one of the first three where there was no final. `left_after`: the
    round after which somebody left who keeps the place all the same; 0 who stayed to the end."""

    rank: int
    shared: bool
    number: int
    name: str
    left_after: int = 0


def diplomas_of(event: Event) -> tuple[Diploma, ...]:
    """In order of rank. A person who goes by another name has that one on the diploma; the name
    alone, whoever else has it."""
    known = {player.number: player for player in event.players.all()}
    closed = event.rounds.closed()
    # A place in the final was played for to the end, whoever leaves then.
    final = closed.final().exists()
    rows = standings_for(event).final if final else _podium_without_final(event)
    return tuple(
        Diploma(
            row.rank,
            row.shared,
            row.number,
            _name_on_diploma(known[row.number]),
            0 if final else _left_after(known[row.number], closed.count()),
        )
        for row in rows
    )


def _podium_without_final(event: Event) -> Sequence[Row]:
    """Without a final the places are certain only once the event is finished."""
    board = standings_for(event)
    return board.podium if event.finished_at and board.begun else ()


def _name_on_diploma(player: Player) -> str:
    return player.alias if player.name_style == NameStyle.ALIAS else player.name


def _left_after(player: Player, rounds: int) -> int:
    """The last round of somebody who dropped out before all were played."""
    if player.status != PlayerStatus.DROPPED or player.dropped_after is None:
        return 0
    return player.dropped_after if player.dropped_after < rounds else 0
