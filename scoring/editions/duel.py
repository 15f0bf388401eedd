"""The Duel: two at a table, the gold of each typed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.editions.edition import NOBODY, Edition, Given, Payout
from scoring.reading import integers
from scoring.refusal import Refusal

DEALS = 3  # of one duel


@dataclass(frozen=True, slots=True)
class Duel(Edition):
    """A field of many plays rounds of two; who has more over the three deals has won."""

    key: str = "duel"

    sizes: ClassVar[range] = range(2, 3)
    facts: ClassVar[tuple[str, ...]] = ("gold",)
    order: ClassVar[tuple[str, ...]] = ("wins", "points")

    def read_size(self, given: Given) -> int:
        return len(integers(given["gold"], "gold"))

    def read(self, given: Given, size: int) -> tuple[int, ...]:
        return integers(given["gold"], "gold")

    def pay(self, facts: tuple[int, ...]) -> Payout:
        if lacking := [one for one in facts if one < 0]:
            raise Refusal("gold_value", value=lacking[0])
        return Payout(facts, _ahead(facts))

    def possible(self, points: Sequence[int]) -> tuple[str, ...]:
        return (str(self.pay(tuple(points)).winner),)

    def numbers(self) -> dict[str, Any]:
        return {"tables": {"2": {"deals": DEALS}}, "payouts": {}}


def _ahead(gold: Sequence[int]) -> int | str:
    first, second = gold
    if first == second:
        return NOBODY
    return 1 if first > second else 2
