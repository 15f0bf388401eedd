"""A table's sheet with everything computed that a page or a document shows of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.deals import pay_roles
from scoring.editions.edition import SetUp
from scoring.roles import Role
from scoring.rules import AnyResult
from scoring.rulesets import RoleRow, Ruleset
from scoring.sheets import Outcome, expected_points
from tournament import rulebook
from tournament.models import Deal, Event, Round, Scoresheet, Seat, Table
from tournament.models.players import PlayerStatus
from tournament.models.scoresheets import SheetStatus
from tournament.names import without_number
from tournament.queries.boxes import BoxNotes, notes_at
from tournament.queries.names import namesakes_in


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat in one deal. `lost`: a penalty took points and star."""

    position: int
    name: str
    role: str | None
    points: int
    star: bool
    lost: bool


@dataclass(frozen=True, slots=True)
class DealView:
    """One deal of the sheet; `lines` is empty while it was not entered. `text`: `Deal.text`."""

    number: int
    entered: bool
    void: bool
    typed: bool
    reason: str
    winner: str | None
    connector: int | None
    lines: tuple[SeatResult, ...]
    text: str = ""
    winners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatView:
    position: int
    number: int
    name: str
    player_id: int
    points: int
    stars: int
    per_deal: tuple[SeatResult | None, ...]
    losses: frozenset[int]
    gone: bool

    @property
    def cells(self) -> list[tuple[SeatResult | None, bool]]:
        """Each deal's result, and whether a penalty costs this seat the deal, played or not."""
        return [(line, deal in self.losses) for deal, line in enumerate(self.per_deal, 1)]

    @property
    def is_dealer(self) -> bool:
        return self.position == 1

    @property
    def plain_name(self) -> str:
        return without_number(self.name, self.number)

    @property
    def apart(self) -> str:
        """What tells the player from somebody of the same name; where names are cut, it is not."""
        return self.name.removeprefix(self.plain_name).strip()


@dataclass(frozen=True, slots=True)
class SheetView:
    """A sheet as its table sees it. `losses`: deal -> the seats that lost it to a penalty."""

    event: Event
    round: Round
    table: Table
    sheet: Scoresheet
    row: RoleRow | SetUp
    seats: tuple[SeatView, ...]
    deals: tuple[DealView, ...]
    losses: Mapping[int, frozenset[int]] = field(default_factory=dict)

    @property
    def box(self) -> BoxNotes:
        """What is said of the cards at this table."""
        return notes_at(self.event, self.table.number)

    @property
    def next_number(self) -> int | None:
        return next((deal.number for deal in self.deals if not deal.entered), None)

    @property
    def last_entered(self) -> int | None:
        """The deal entered last in the order of play; its result is shown open."""
        return max((deal.number for deal in self.deals if deal.entered), default=None)

    @property
    def is_open(self) -> bool:
        return self.sheet.status == SheetStatus.OPEN

    @property
    def is_submitted(self) -> bool:
        return self.sheet.status == SheetStatus.SUBMITTED

    @property
    def is_confirmed(self) -> bool:
        return self.sheet.status == SheetStatus.CONFIRMED

    @property
    def any_entered(self) -> bool:
        return any(deal.entered for deal in self.deals)

    def deal(self, number: int) -> DealView:
        return self.deals[number - 1]


def sheet_view(table: Table) -> SheetView:
    """In a fixed number of queries. `table` comes with its round, event and sheet."""
    round_, event = table.round, table.round.event
    seats = list(table.seats.select_related("player").order_by("position"))
    losses = rulebook.losses_at(event, round_, seats)
    stored = {deal.number: deal for deal in table.sheet.deals.all()}
    count = max([round_.deals, *stored])
    names = shown_names(event, seats)
    played = {
        deal.number: _deal_view(event, deal, result, losses.get(deal.number, frozenset()), names)
        for deal, result in rulebook.results_of(event, stored.values(), losses, len(seats))
    }
    if len(stored) < round_.deals and table.sheet.status == SheetStatus.OPEN:
        played = {number: _undecided(event, deal) for number, deal in played.items()}
    deals = tuple(played.get(number) or _empty_deal(number) for number in range(1, count + 1))
    return SheetView(
        event=event,
        round=round_,
        table=table,
        sheet=table.sheet,
        row=_row_for(event, len(seats)),
        seats=tuple(
            _seat_view(seat, name, deals, losses) for seat, name in zip(seats, names, strict=True)
        ),
        deals=deals,
        losses=losses,
    )


def _row_for(event: Event, seats: int) -> RoleRow | SetUp:
    """What the table deals; whoever is without an opponent deals nothing."""
    if seats == 1 and rulebook.has_byes(event):
        return SetUp(1, {}, 0)
    return rulebook.ruleset_of(event).row(seats)


def _undecided(event: Event, deal: DealView) -> DealView:
    """A duel is won by all of its deals: before the last nobody has."""
    if not rulebook.has_byes(event):
        return deal
    return replace(deal, lines=tuple(replace(line, star=False) for line in deal.lines))


def shown_names(event: Event, seats: Sequence[Seat]) -> list[str]:
    """Of the players in these seats, as everybody sees them."""
    same = namesakes_in(event)
    return [same.public_name_of(seat.player) for seat in seats]


def _empty_deal(number: int) -> DealView:
    return DealView(
        number=number,
        entered=False,
        void=False,
        typed=False,
        reason="",
        winner=None,
        connector=None,
        lines=(),
    )


def _deal_view(
    event: Event, deal: Deal, result: AnyResult, losses: frozenset[int], names: Sequence[str]
) -> DealView:
    """`names`: in sitting order."""
    facts = rulebook.facts_of(event, deal)
    roles = facts.roles
    lines = tuple(
        SeatResult(
            position=index + 1,
            name=name,
            role=roles[index] if roles else None,
            points=result.points[index],
            star=bool(result.stars[index]),
            lost=index + 1 in losses,
        )
        for index, name in enumerate(names)
    )
    return DealView(
        number=deal.number,
        entered=True,
        void=deal.void,
        typed=bool(deal.points),
        reason=deal.reason,
        winner=None if result.winner is None else str(result.winner),
        winners=getattr(result, "winners", None) or (),
        connector=facts.connector,
        lines=lines,
        text=deal.text,
    )


def view_of_deal(view: SheetView, deal: Deal) -> DealView:
    """A deal that is not on the sheet, as the sheet would show it. Raises `scoring.Refusal`."""
    others = view.sheet.deals.exclude(number=deal.number) if rulebook.edition_of(view.event) else ()
    scored = rulebook.results_of(view.event, [*others, deal], view.losses, len(view.seats))
    result = next(result for one, result in scored if one is deal)
    lost = view.losses.get(deal.number, frozenset())
    return _deal_view(view.event, deal, result, lost, [seat.name for seat in view.seats])


def _seat_view(
    seat: Seat, name: str, deals: tuple[DealView, ...], losses: Mapping[int, frozenset[int]]
) -> SeatView:
    lines = tuple(deal.lines[seat.position - 1] if deal.lines else None for deal in deals)
    return SeatView(
        position=seat.position,
        number=seat.player.number,
        name=name,
        player_id=seat.player_id,
        points=sum(line.points for line in lines if line),
        stars=sum(line.star for line in lines if line),
        per_deal=lines,
        losses=frozenset(deal for deal, seats in losses.items() if seat.position in seats),
        gone=seat.player.status != PlayerStatus.CHECKED_IN,
    )


def missing_deals(sheet: Scoresheet, round_: Round) -> list[int]:
    """Numbers of the deals not entered yet, in order."""
    entered = set(Deal.objects.filter(sheet=sheet).values_list("number", flat=True))
    return [number for number in range(1, round_.deals + 1) if number not in entered]


def deal_texts(sheet: Scoresheet, round_: Round) -> tuple[str, ...]:
    """What stands on the sheet, deal by deal (`Deal.text`), "" where none is entered."""
    stored = {deal.number: deal.text for deal in sheet.deals.all()}
    count = max([round_.deals, *stored])
    return tuple(stored.get(number, "") for number in range(1, count + 1))


def first_gap(sheet: Scoresheet) -> int | None:
    """The first deal missing before a later one that is there."""
    entered = set(sheet.deals.values_list("number", flat=True))
    return next((n for n in range(1, max(entered, default=0)) if n not in entered), None)


def check_sums(event: Event, seats: int) -> list[tuple[str, tuple[int, ...], int]]:
    """Outcome, the points it gives in descending order, and their sum: the check on paper."""
    expected = expected_points(rulebook.tournament_rules(event), seats)
    return [
        (outcome.value, tuple(point for point in points if point), sum(points))
        for outcome, points in expected.items()
    ]


# Two of each, so that one of them can have reached the gold beside another who has not.
_TWO_OF_EACH = (Role.MINER, Role.SELFISH, Role.SABOTEUR) * 2


def payouts_by_role(event: Event, seats: int) -> dict[str, Any]:
    """What a deal pays, for the page to look up: who reached the gold (a role, or "none") -> the
    outcome, and points and star of the one who did (`connector`) and of everybody else by role.
    With nobody at the gold a saboteur's points stand by how many saboteurs were dealt."""
    ruleset = rulebook.tournament_rules(event)
    found: dict[str, Any] = {
        "none": {str(count): _nobody(ruleset, count) for count in range(seats + 1)}
    }
    for connector, role in enumerate(_TWO_OF_EACH[:3], 1):
        result = pay_roles(ruleset, _TWO_OF_EACH, connector)
        paid = list(zip(result.points, result.stars, strict=True))
        # The miners win then, but without a star: for the page an outcome of its own.
        connected = role is Role.SABOTEUR
        found[role] = {
            "outcome": Outcome.SABOTEUR_CONNECTS.value if connected else result.winner,
            "connector": paid[connector - 1],
            "roles": dict(zip(_TWO_OF_EACH[3:], paid[3:], strict=True)),
        }
    return found


def _nobody(ruleset: Ruleset, saboteurs: int) -> dict[str, Any]:
    # One of each other role, to be told that they get nothing.
    dealt = (Role.SABOTEUR,) * saboteurs + (Role.MINER, Role.SELFISH)
    result = pay_roles(ruleset, dealt, None)
    paid = zip(result.points, result.stars, strict=True)
    return {"outcome": result.winner, "roles": dict(zip(dealt, paid, strict=True))}
