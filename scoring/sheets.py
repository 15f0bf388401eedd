"""Reading paper sheets that hold points alone, and telling which cannot be right.

The size of a table and the outcome of a deal fix which points are paid, so points alone
decide the stars and expose a wrong sheet.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType

from scoring.refusal import Refusal
from scoring.roles import Winner
from scoring.rulesets import Ruleset


class Outcome(StrEnum):
    """How a deal can end, as far as the points tell."""

    MINERS = "miners"
    SABOTEURS = "saboteurs"
    SELFISH = "selfish"
    SABOTEUR_CONNECTS = "saboteur_connects"


@dataclass(frozen=True, slots=True)
class PointsReading:
    """Who can have won, and what each seat gets: a deal loss shows in neither list."""

    possible: tuple[Winner, ...]
    stars: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Payout:
    """The points one outcome pays at one table size, highest first, without the zeros."""

    outcome: Outcome
    points: tuple[int, ...]
    starred: int  # so many of them, from the front, come with a star

    @property
    def winner(self) -> Winner:
        if self.outcome is Outcome.SABOTEUR_CONNECTS:
            return Winner.MINERS
        return Winner(self.outcome.value)

    @property
    def tells_stars(self) -> bool:
        """Whether the points say which seat has the star."""
        return set(self.points[: self.starred]).isdisjoint(self.points[self.starred :])


@lru_cache(maxsize=256)
def _payouts(ruleset: Ruleset, seats: int) -> tuple[_Payout, ...]:
    row = ruleset.row(seats)
    pay, connector = ruleset.miner_points, ruleset.connector_points
    each = ruleset.points_per_saboteur(row.saboteur)
    found = [
        _Payout(Outcome.MINERS, (connector, *(pay,) * (row.miner - 1)), 1),
        _Payout(Outcome.SABOTEURS, (each,) * row.saboteur, row.saboteur),
        _Payout(Outcome.SABOTEUR_CONNECTS, (pay,) * row.miner, 0),
    ]
    if row.selfish:
        found.append(_Payout(Outcome.SELFISH, (ruleset.selfish_points,), 1))
    return tuple(found)


def expected_points(ruleset: Ruleset, seats: int) -> Mapping[Outcome, tuple[int, ...]]:
    """The points each outcome pays at a table of this size, highest first, zeros left out.

    Their sum is the check sum of a paper sheet. Refuses `table_size`.
    """
    return MappingProxyType(
        {payout.outcome: _positive(payout.points) for payout in _payouts(ruleset, seats)}
    )


@lru_cache(maxsize=1 << 14)
def read_points(
    ruleset: Ruleset, points: tuple[int, ...], deal_losses: frozenset[int] = frozenset()
) -> PointsReading:
    """What a deal's points, seat by seat, say about its winner and stars.

    Seats in `deal_losses` (from 1) may show what they would have got, or 0. Refuses
    `table_size`, `points_impossible`, and `points_ambiguous` where changed numbers leave
    the stars open.
    """
    payouts = _payouts(ruleset, len(points))
    fitting = [payout for payout in payouts if _explains(payout, points, deal_losses)]
    if not fitting:
        raise _impossible(payouts, points)
    stars = {_stars(payout, points, deal_losses) for payout in fitting}
    # With an event's own numbers a miner may get what the connector gets: the star is then
    # anybody's.
    if len(stars) > 1 or not all(payout.tells_stars for payout in fitting):
        raise Refusal("points_ambiguous", found=_positive(points))
    winners = sorted({payout.winner for payout in fitting})
    counted = tuple(0 if seat in deal_losses else paid for seat, paid in enumerate(points, 1))
    return PointsReading(tuple(winners), stars.pop(), counted)


def _explains(payout: _Payout, points: tuple[int, ...], deal_losses: frozenset[int]) -> bool:
    """Whether these points are the outcome's, some of them hidden by a deal loss."""
    paid, shown = Counter(_positive(payout.points)), Counter(_shown(points))
    # A sheet may show what a penalty took or leave it out: only a seat that shows 0 hides
    # something.
    hidden = sum(1 for seat in deal_losses if 1 <= seat <= len(points) and not points[seat - 1])
    return shown <= paid and (paid - shown).total() <= hidden


def _stars(
    payout: _Payout, points: tuple[int, ...], deal_losses: frozenset[int]
) -> tuple[int, ...]:
    """The stars of each seat: a value earns one if this outcome gives one with it."""
    # By value: where a seat without a star may show the same, `tells_stars` has it refused.
    values = frozenset(payout.points[: payout.starred]) - {0}
    return tuple(
        int(paid in values and seat not in deal_losses) for seat, paid in enumerate(points, 1)
    )


def _impossible(payouts: tuple[_Payout, ...], points: tuple[int, ...]) -> Refusal:
    """The refusal, naming the seats whose points do not fit the nearest outcome."""
    shown = Counter(_shown(points))

    def wrong(payout: _Payout) -> int:
        paid = Counter(payout.points)
        return (shown - paid).total() + (paid - shown).total()

    surplus = shown - Counter(min(payouts, key=wrong).points)
    known = {value for payout in payouts for value in payout.points}
    unknown = set(shown) - known
    # Points that no outcome pays are wrong for certain, and say more than those that are too many.
    seats = tuple(seat for seat, paid in enumerate(points, 1) if paid in (unknown or surplus))
    # Two outcomes may pay the same; each is named once.
    expected = tuple(sorted({_positive(payout.points) for payout in payouts}, reverse=True))
    return Refusal("points_impossible", seats=seats, found=_positive(points), expected=expected)


def _shown(points: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(paid for paid in points if paid)


def _positive(points: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(_shown(points), reverse=True))


def plausible_total(points: int, stars: int, deals: int) -> bool:
    """Whether somebody can have these points and stars after so many deals.

    A star comes with 3 or 4 points and a miner's win without one with 2, so 1 never occurs
    and without a star the points are even. Holds for the official payouts.
    """
    if not 0 <= stars <= deals or (stars == 0 and points % 2):
        return False
    return 3 * stars <= points <= 4 * stars + 2 * (deals - stars)
