"""One deal: the facts that are stored, and the points and stars computed from them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scoring.refusal import Refusal
from scoring.roles import Role, Winner
from scoring.rulesets import RoleRow, Ruleset
from scoring.sheets import read_points

NO_SEATS: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class DealFacts:
    """What happened at a table in one deal, seat by seat.

    Either `roles`, with the `connector`'s seat (from 1, None: nobody connected), or the
    `points` of a paper sheet that holds nothing else. A void deal may have neither.
    `counts_waived`: the organiser let other role counts than the table's row stand.
    """

    roles: tuple[Role, ...] | None = None
    connector: int | None = None
    void: bool = False
    points: tuple[int, ...] | None = None
    counts_waived: bool = False

    def __post_init__(self) -> None:
        if self.roles is not None and self.points is not None:
            raise Refusal("malformed", place="points", problem="roles_and_points")
        if self.roles is None and self.points is None and not self.void:
            raise Refusal("malformed", place="roles", problem="missing")
        if self.roles is None and self.connector is not None:
            raise Refusal("malformed", place="connector", problem="without_roles")

    @property
    def seats(self) -> int | None:
        """How many sat at the table; None for a void deal that does not say."""
        facts = self.points if self.roles is None else self.roles
        return None if facts is None else len(facts)


@dataclass(frozen=True, slots=True)
class DealResult:
    """Who won, and the points and stars of each seat.

    No winner: the deal was void, or its points fit more than one.
    """

    winner: Winner | None
    points: tuple[int, ...]
    stars: tuple[int, ...]


# All that decides a result is in the arguments, so none goes stale; the standings ask for the same
# deals after every change.
@lru_cache(maxsize=1 << 16)
def score_deal(
    ruleset: Ruleset,
    deal: DealFacts,
    deal_losses: frozenset[int] = NO_SEATS,
    seats: int | None = None,
) -> DealResult:
    """The result of a deal; the seats in `deal_losses` (from 1) get nothing for it.

    `seats` is needed only for a void deal without roles and points. Refuses `table_size`,
    `role_counts`, `connector_not_at_table`, `deal_loss_not_at_table`, `points_impossible`.
    """
    size = seats or 0 if deal.seats is None else deal.seats
    # Also where nothing is paid: rules that do not know a table know no deal of it. Where nobody
    # said how many sat there, it is 0, which no rules know.
    row = ruleset.row(size)
    _check_seats(deal, size, deal_losses)
    if deal.void:
        return DealResult(None, (0,) * size, (0,) * size)
    if deal.points is not None:
        return _score_points(ruleset, deal.points, deal_losses)
    assert deal.roles is not None
    # Other counts are a slip of whoever marked them, unless the staff has said why they were dealt.
    if not deal.counts_waived:
        _check_counts(row, deal.roles)
    return _without(deal_losses, pay_roles(ruleset, deal.roles, deal.connector))


def _check_seats(deal: DealFacts, size: int, deal_losses: Collection[int]) -> None:
    if deal.connector is not None and not 1 <= deal.connector <= size:
        raise Refusal("connector_not_at_table", connector=deal.connector, size=size)
    strangers = tuple(sorted(seat for seat in deal_losses if not 1 <= seat <= size))
    if strangers:
        raise Refusal("deal_loss_not_at_table", seats=strangers, size=size)


def _check_counts(row: RoleRow, roles: tuple[Role, ...]) -> None:
    """Refuse `role_counts`: the seats of a role there is too much of, else the role that is
    missing. The rest are miners, so their number is right when the others' are."""
    wrong = {
        role: seats
        for role in (Role.SABOTEUR, Role.SELFISH)
        if len(seats := _seats_of(role, roles)) != getattr(row, role.value)
    }
    if not wrong:
        return
    role = max(wrong, key=lambda one: len(wrong[one]) - getattr(row, one.value))
    expected, seats = getattr(row, role.value), wrong[role]
    raise Refusal(
        "role_counts",
        role=role,
        expected=expected,
        found=len(seats),
        seats=seats if len(seats) > expected else (),
    )


def _seats_of(role: Role, roles: Sequence[Role]) -> tuple[int, ...]:
    return tuple(seat for seat, held in enumerate(roles, 1) if held is role)


def pay_roles(ruleset: Ruleset, roles: tuple[Role, ...], connector: int | None) -> DealResult:
    """Points and stars by the roles dealt, however many of each there are."""
    if connector is None:
        saboteurs = _seats_of(Role.SABOTEUR, roles)
        # By those who were dealt, not by the row: the two differ where the counts were waived.
        pay = ruleset.points_per_saboteur(len(saboteurs))
        return _result(Winner.SABOTEURS, len(roles), dict.fromkeys(saboteurs, pay), saboteurs)
    held = roles[connector - 1]
    if held is Role.SELFISH:
        alone = {connector: ruleset.selfish_points}
        return _result(Winner.SELFISH, len(roles), alone, (connector,))
    paid = dict.fromkeys(_seats_of(Role.MINER, roles), ruleset.miner_points)
    if held is not Role.MINER:  # a saboteur who connects: nobody has the third point or a star
        return _result(Winner.MINERS, len(roles), paid, ())
    paid[connector] = ruleset.connector_points
    return _result(Winner.MINERS, len(roles), paid, (connector,))


def _result(
    winner: Winner, size: int, paid: dict[int, int], starred: Collection[int]
) -> DealResult:
    seats = range(1, size + 1)
    return DealResult(
        winner,
        tuple(paid.get(seat, 0) for seat in seats),
        tuple(int(seat in starred) for seat in seats),
    )


def _without(deal_losses: frozenset[int], result: DealResult) -> DealResult:
    """The result with nothing at these seats; nobody else's score moves."""
    if not deal_losses:
        return result
    return DealResult(
        result.winner, _zeroed(result.points, deal_losses), _zeroed(result.stars, deal_losses)
    )


def _zeroed(values: tuple[int, ...], seats: frozenset[int]) -> tuple[int, ...]:
    return tuple(0 if seat in seats else value for seat, value in enumerate(values, 1))


def _score_points(
    ruleset: Ruleset, points: tuple[int, ...], deal_losses: frozenset[int]
) -> DealResult:
    reading = read_points(ruleset, points, deal_losses)
    # A single 4 may be the one saboteur's or the selfish dwarf's.
    winner = reading.possible[0] if len(reading.possible) == 1 else None
    return DealResult(winner, reading.points, reading.stars)
