"""What the editions have in common: facts of a deal are read, checked and paid, table by table."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Protocol

from scoring.penalties import INFRACTIONS, Infraction
from scoring.reading import MISSING, boolean, fields, integer, integers, items, join, malformed
from scoring.refusal import Refusal

NOBODY = "nobody"
NUMBER = re.compile(r"-?[0-9]{1,3}")

type Given = Mapping[str, Any]  # a deal as `reading.fields` gives it
type Losses = Mapping[int, frozenset[int]]  # deal -> seats that get nothing for it; both from 1


class Facts(Protocol):
    """What every edition's facts of a deal tell, or None where it has no such thing."""

    @property
    def roles(self) -> tuple[str, ...] | None: ...
    @property
    def connector(self) -> int | None: ...
    @property
    def size(self) -> int: ...


@dataclass(frozen=True, slots=True)
class EditionDeal:
    """A deal as it is remembered: its facts, or the nuggets of a paper sheet that holds nothing
    else. A void one may have neither."""

    facts: Any = None  # the edition's own `Facts`
    void: bool = False
    points: tuple[int, ...] | None = None

    @property
    def seats(self) -> int | None:
        """How many sat at the table; None for a void deal that does not say."""
        if self.points is not None:
            return len(self.points)
        return None if self.facts is None else self.facts.size

    @property
    def roles(self) -> tuple[str, ...] | None:
        return None if self.facts is None else self.facts.roles

    @property
    def connector(self) -> int | None:
        return None if self.facts is None else self.facts.connector


@dataclass(frozen=True, slots=True)
class Payout:
    """What a deal brought each seat. `winner`: a side, a seat, "nobody", or None for a void deal
    or one of which points alone are known; of Saboteur 2 it is None, and `winners` are the seats
    (from 1). `stars`: in the Duel's last deal, who has won the duel; else nobody has any."""

    points: tuple[int, ...]
    winner: str | int | None = None
    winners: tuple[int, ...] | None = None
    won: int | None = None

    @property
    def stars(self) -> tuple[int, ...]:
        return tuple(int(seat == self.won) for seat in range(1, len(self.points) + 1))


@dataclass(frozen=True, slots=True)
class SetUp:
    """What is dealt at a table: role cards by role, all of them shuffled, and the hand of each.
    `spare`: so many of the role cards are left over unseen."""

    size: int
    cards: Mapping[str, int]
    hand_cards: int
    spare: int = 0


class Edition(ABC):
    """One edition. `sizes`: of a table.

    Players have two sums: `points`, the nuggets, and `stars`, which only the Duel knows: the duels
    won. The orders name them, first things first.
    """

    key: str
    sizes: ClassVar[range]
    facts: ClassVar[tuple[str, ...]]
    letters: ClassVar[Mapping[str, str]] = {}  # role -> its letter where a deal is a short text
    preliminary_order: ClassVar[tuple[str, ...]] = ("points",)
    final_order: ClassVar[tuple[str, ...]] = ("points", "preliminary_points", "lot")
    infractions: ClassVar[Mapping[str, Infraction]] = INFRACTIONS
    bye_wins: ClassVar[bool] = False  # a table of one, without deals, is a duel won

    # --- One deal ---------------------------------------------------------------------------

    def score(self, given: Given) -> Payout:
        """What a deal of these facts pays. Refuses `malformed`, `table_size`, and what else the
        edition knows. A void deal is read and its table's size is checked, no more."""
        size = self.read_size(given)
        checked = self.read(given, size)
        is_void = _flag(given, "void")
        self.check_size(size)
        return self.nothing(size) if is_void else self.pay(checked)

    def read_deal(self, given: Given) -> EditionDeal:
        """A deal of an event file, by its form alone; refuses `malformed`. Without `roles` (of the
        Duel `gold`) it has `points`, or is void."""
        void = _flag(given, "void")
        points, needed = given.get("points", MISSING), self.facts[0]
        if points is not MISSING:
            for name in self.facts:
                if given.get(name, MISSING) is not MISSING:
                    raise malformed("points", "roles_and_points")
            return EditionDeal(void=void, points=integers(points, "points"))
        if given.get(needed, MISSING) is MISSING:
            if not void:
                raise malformed(needed, "missing")
            return EditionDeal(void=True)
        return EditionDeal(self.read(given, self.read_size(given)), void)

    def write_deal(self, deal: EditionDeal) -> dict[str, Any]:
        """What `read_deal` takes back to the same deal."""
        found = {} if deal.facts is None else self.write(deal.facts)
        if deal.points is not None:
            found["points"] = list(deal.points)
        return found | ({"void": True} if deal.void else {})

    @property
    def deal_fields(self) -> tuple[str, ...]:
        """The fields of a deal in an event file; what was before is computed from the sheet."""
        return (*(name for name in self.facts if name != "before"), "void", "points")

    def result(self, deal: EditionDeal, size: int, before: Sequence[int] = ()) -> Payout:
        """What a deal at a table of this size pays; `before`: the nuggets of each seat until then.
        Refuses what `score` refuses, and `points_impossible`."""
        self.check_size(size)
        if deal.seats not in (None, size):
            raise malformed(self.facts[0] if deal.points is None else "points", "wrong_number")
        if deal.void:
            return self.nothing(size)
        if deal.points is not None:
            possible = self.possible(deal.points)
            return Payout(deal.points, possible[0] if len(possible) == 1 else None)
        return _paid(self, self.after(deal.facts, before))

    # --- A table's deals ----------------------------------------------------------------------

    def score_table(
        self, deals: Sequence[EditionDeal], losses: Losses, size: int
    ) -> Iterator[Payout]:
        """Each deal with what it pays, in the order played; who lost one to a penalty gets nothing
        of it, and nobody else's nuggets move. Refuses, at the deal that is wrong, what `result`
        refuses, and what cannot be after the deals before it."""
        before = (0,) * size
        paid: list[Payout] = []
        for number, deal in enumerate(deals, 1):
            lost = losses.get(number, frozenset())
            found = self._lost_in(deal, lost) or self.result(deal, size, before)
            before = tuple(map(sum, zip(before, found.points, strict=True)))
            paid.append(found)
            self.check_table(deals[:number], paid)
            yield self.ended(paid, len(deals), losses)

    def _lost_in(self, deal: EditionDeal, lost: frozenset[int]) -> Payout | None:
        """Typed points may show what a penalty took, or nothing; which deal it was, they tell no
        more then."""
        if deal.points is None or deal.void or all(deal.points[seat - 1] for seat in lost):
            return None
        self.check_size(len(deal.points))
        return Payout(deal.points)

    def ended(self, paid: Sequence[Payout], deals: int, losses: Losses) -> Payout:
        """The last of these, as it counts. `deals`: how many there are in all."""
        return without(paid[-1], losses.get(len(paid), frozenset()))

    def check_table(  # noqa: B027
        self, deals: Sequence[EditionDeal], paid: Sequence[Payout]
    ) -> None:
        """Refuses a deal, the last of these, that cannot come after the others."""

    # --- What an event may ask ----------------------------------------------------------------

    def check_size(self, size: int) -> None:
        """Refuses `table_size`."""
        if size not in self.sizes:
            raise Refusal("table_size", seats=size, expected=tuple(self.sizes))

    def row(self, size: int) -> SetUp:
        """What is dealt at a table of this size; refuses `table_size`."""
        self.check_size(size)
        return self.set_up(size)

    def changed(self, changes: Mapping[str, object]) -> "Edition":
        """An event changes no number of an edition; refuses `ruleset_change`."""
        for name in changes:
            raise Refusal("ruleset_change", field=str(name), problem="unknown_field")
        return self

    def changes(self) -> dict[str, object]:
        return {}

    def nothing(self, size: int) -> Payout:
        """A void deal."""
        return Payout((0,) * size)

    def after(self, facts: Any, before: Sequence[int]) -> Any:
        """The facts of a deal that was played after these nuggets were won."""
        return facts

    @abstractmethod
    def set_up(self, size: int) -> SetUp:
        """What is dealt at a table of a size that the edition has."""

    @abstractmethod
    def read_size(self, given: Given) -> int:
        """How many sit at the table."""

    @abstractmethod
    def read(self, given: Given, size: int) -> Any:
        """The facts, by their form alone; refuses `malformed`."""

    @abstractmethod
    def write(self, facts: Any) -> dict[str, Any]:
        """What `read` takes back to the same facts."""

    @abstractmethod
    def read_text(self, text: str) -> Any:
        """The facts of a short text (docs/decisions/deal-facts.md); refuses `malformed`."""

    @abstractmethod
    def write_text(self, facts: Any) -> str:
        """What `read_text` takes back to the same facts."""

    @abstractmethod
    def pay(self, facts: Any) -> Payout:
        """What they come to; refuses what cannot be."""

    @abstractmethod
    def possible(self, points: Sequence[int]) -> tuple[str, ...]:
        """Who can have won where only points were typed, sorted; refuses `points_impossible`."""

    @abstractmethod
    def numbers(self) -> dict[str, Any]:
        """The edition's numbers, for `python -m scoring rulesets`."""


# All that decides it is in the arguments; the standings ask for the same deals again and again.
@lru_cache(maxsize=1 << 14)
def _paid(edition: Edition, facts: Any) -> Payout:
    return edition.pay(facts)


def without(paid: Payout, lost: frozenset[int]) -> Payout:
    """With nothing at these seats."""
    if not lost:
        return paid
    points = tuple(0 if seat in lost else one for seat, one in enumerate(paid.points, 1))
    return replace(paid, points=points)


def _flag(given: Given, name: str) -> bool:
    value = given.get(name, MISSING)
    return value is not MISSING and boolean(value, name)


def number_of(text: str) -> int:
    """A whole number of at most three digits in a deal's text; refuses `malformed`."""
    if not NUMBER.fullmatch(text):
        raise malformed("facts", "not_an_integer")
    return int(text)


def numbers_of(text: str, between: str = "/") -> tuple[int, ...]:
    """Several of them; none where the text is empty."""
    return tuple(map(number_of, text.split(between))) if text else ()


def parts_of(text: str, most: int) -> list[str]:
    """The parts of a deal's text, those left out empty."""
    parts = text.split(":")
    if len(parts) > most:
        raise malformed("facts", "not_known")
    return parts + [""] * (most - len(parts))


def roles_of(text: str, letters: Mapping[str, str]) -> tuple[str, ...]:
    """The roles of these letters, seat by seat; refuses `role_unknown`."""
    names = {letter: role for role, letter in letters.items()}
    for seat_number, letter in enumerate(text, 1):
        if letter not in names:
            raise Refusal("role_unknown", seats=(seat_number,), role=letter)
    return tuple(names[letter] for letter in text)


def letters_of(roles: Sequence[str], letters: Mapping[str, str]) -> str:
    """The other way round."""
    return "".join(letters.get(role, "?") for role in roles)


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
