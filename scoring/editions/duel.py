"""The Duel: two at a table, the gold of each typed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoring.editions.edition import (
    NOBODY,
    Edition,
    Given,
    Losses,
    Payout,
    SetUp,
    numbers_of,
    without,
)
from scoring.reading import integers
from scoring.refusal import Refusal

DEALS = 3  # of one duel


@dataclass(frozen=True, slots=True)
class DuelDeal:
    """The gold of each seat."""

    gold: tuple[int, ...]

    @property
    def roles(self) -> None:
        return None

    @property
    def connector(self) -> None:
        return None

    @property
    def size(self) -> int:
        return len(self.gold)


@dataclass(frozen=True, slots=True)
class Duel(Edition):
    """A field of many plays rounds of two; who has more over the deals of a table has won the duel,
    and has a star for it. Whoever is without an opponent has won without gold."""

    key: str = "duel"

    sizes: ClassVar[range] = range(2, 3)
    facts: ClassVar[tuple[str, ...]] = ("gold",)
    preliminary_order: ClassVar[tuple[str, ...]] = ("stars", "points")
    final_order: ClassVar[tuple[str, ...]] = (
        "stars",
        "points",
        "preliminary_stars",
        "preliminary_points",
        "lot",
    )
    bye_wins: ClassVar[bool] = True

    def set_up(self, size: int) -> SetUp:
        return SetUp(size, {}, 0)

    def read_size(self, given: Given) -> int:
        return len(integers(given["gold"], "gold"))

    def read(self, given: Given, size: int) -> DuelDeal:
        return DuelDeal(integers(given["gold"], "gold"))

    def write(self, facts: DuelDeal) -> dict[str, Any]:
        return {"gold": list(facts.gold)}

    def read_text(self, text: str) -> DuelDeal:
        """ "5/3": the gold of each."""
        return DuelDeal(numbers_of(text))

    def write_text(self, facts: DuelDeal) -> str:
        return "/".join(map(str, facts.gold))

    def pay(self, facts: DuelDeal) -> Payout:
        if lacking := [one for one in facts.gold if one < 0]:
            raise Refusal("gold_value", value=lacking[0])
        return Payout(facts.gold, _ahead(facts.gold))

    def ended(self, paid: Sequence[Payout], deals: int, losses: Losses) -> Payout:
        """The last deal says who has won the duel."""
        counted = [
            without(found, losses.get(number, frozenset())) for number, found in enumerate(paid, 1)
        ]
        if len(paid) < deals:
            return counted[-1]
        ahead = _ahead([sum(gold) for gold in zip(*(one.points for one in counted), strict=True)])
        return replace(counted[-1], won=None if ahead == NOBODY else int(ahead))

    def possible(self, points: Sequence[int]) -> tuple[str, ...]:
        return (str(self.pay(DuelDeal(tuple(points))).winner),)

    def numbers(self) -> dict[str, Any]:
        return {"tables": {"2": {"deals": DEALS}}, "payouts": {}}


def _ahead(gold: Sequence[int]) -> int | str:
    first, second = gold
    if first == second:
        return NOBODY
    return 1 if first > second else 2
