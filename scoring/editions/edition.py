"""What the editions have in common: facts of a deal are read, checked and paid."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.reading import MISSING, boolean, fields, integer, items, join, malformed
from scoring.refusal import Refusal

NOBODY = "nobody"

type Given = Mapping[str, Any]  # a deal as `reading.fields` gives it


@dataclass(frozen=True, slots=True)
class Payout:
    """What a deal brought each seat. `winner`: a side, a seat, "nobody", or None for a void deal;
    of Saboteur 2 it is None, and `winners` are the seats (from 1)."""

    points: tuple[int, ...]
    winner: str | int | None = None
    winners: tuple[int, ...] | None = None


class Edition(ABC):
    """One edition. `sizes`: of a table; `order`: what ranks a player, first things first."""

    key: str
    sizes: ClassVar[range]
    facts: ClassVar[tuple[str, ...]]
    order: ClassVar[tuple[str, ...]] = ("points",)

    def score(self, given: Given) -> Payout:
        """What a deal of these facts pays. Refuses `malformed`, `table_size`, and what else the
        edition knows. A void deal is read and its table's size is checked, no more."""
        size = self.read_size(given)
        checked = self.read(given, size)
        void = given.get("void", MISSING)
        is_void = void is not MISSING and boolean(void, "void")
        self.check_size(size)
        return self.nothing(size) if is_void else self.pay(checked)

    def check_size(self, size: int) -> None:
        """Refuses `table_size`."""
        if size not in self.sizes:
            raise Refusal("table_size", seats=size, expected=tuple(self.sizes))

    def nothing(self, size: int) -> Payout:
        """A void deal."""
        return Payout((0,) * size)

    @abstractmethod
    def read_size(self, given: Given) -> int:
        """How many sit at the table."""

    @abstractmethod
    def read(self, given: Given, size: int) -> Any:
        """The facts, by their form alone; refuses `malformed`."""

    @abstractmethod
    def pay(self, facts: Any) -> Payout:
        """What they come to; refuses what cannot be."""

    @abstractmethod
    def possible(self, points: Sequence[int]) -> tuple[str, ...]:
        """Who can have won where only points were typed, sorted; refuses `points_impossible`."""

    @abstractmethod
    def numbers(self) -> dict[str, Any]:
        """The edition's numbers, for `python -m scoring rulesets`."""


def given_or(given: Given, name: str, otherwise: Any) -> Any:
    """A field that may be left out, or be null."""
    found = given.get(name, MISSING)
    return otherwise if found is MISSING or found is None else found


def seat(value: object, place: str) -> int:
    """A seat's number; whether there is such a seat is a matter of the rules."""
    return integer(value, place)


def read_connector(given: Given) -> int | None:
    """The seat that reached the gold; None for nobody."""
    found = given_or(given, "connector", None)
    return None if found is None else seat(found, "connector")


def check_connector(connector: int | None, size: int) -> None:
    """Refuses `connector_not_at_table`."""
    if connector is not None and not 1 <= connector <= size:
        raise Refusal("connector_not_at_table", connector=connector, size=size)


def check_roles(roles: Sequence[str], known: Sequence[str]) -> None:
    """Refuses `role_unknown` with the seat."""
    for number, role in enumerate(roles, 1):
        if role not in known:
            raise Refusal("role_unknown", seats=(number,), role=role)


def per_seat(value: object, place: str, size: int) -> list[Any]:
    """A list with an item for each seat."""
    found = items(value, place)
    if len(found) != size:
        raise malformed(place, "wrong_number")
    return found


def pairs(value: object, place: str, first: str, second: str) -> tuple[tuple[int, int], ...]:
    """A list of objects with two seats each."""
    found = []
    for index, part in enumerate(items(value, place)):
        at = join(place, index)
        both = fields(part, at, required=(first, second))
        found.append((seat(both[first], join(at, first)), seat(both[second], join(at, second))))
    return tuple(found)
