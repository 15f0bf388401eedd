"""Saboteur 2: two to twelve at a table, two teams, and five sorts of dwarfs beside them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar

from scoring.editions.edition import (
    Edition,
    Given,
    Payout,
    SetUp,
    check_connector,
    check_roles,
    given_or,
    letters_of,
    number_of,
    numbers_of,
    pairs,
    parts_of,
    per_seat,
    read_connector,
    roles_of,
    seat,
)
from scoring.reading import integer, integers, items, join, malformed, texts
from scoring.refusal import Refusal

BLUE, GREEN, BOSS, PROFITEER, GEOLOGIST, SABOTEUR = (
    "blue",
    "green",
    "boss",
    "profiteer",
    "geologist",
    "saboteur",
)
COLOURS = (BLUE, GREEN)
DWARFS = {BLUE: 4, GREEN: 4, BOSS: 1, PROFITEER: 1, GEOLOGIST: 2, SABOTEUR: 3}
PAID = {1: 5, 2: 4, 3: 3, 4: 2}  # each winner, by how many win
PAID_TO_MANY = 1
LESS = {BOSS: 1, PROFITEER: 2}
HAND = 6


@dataclass(frozen=True, slots=True)
class DwarfDeal:
    """`doors`: the colours on the path to the gold; `thieves`: who and whom, in the order in which
    the cards were laid; `before`: the nuggets that each seat had."""

    roles: tuple[str, ...]
    connector: int | None
    doors: tuple[str, ...]
    crystals: int
    jailed: tuple[int, ...]
    thieves: tuple[tuple[int, int], ...]
    before: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.roles)


@dataclass(frozen=True, slots=True)
class Saboteur2(Edition):
    """The settings are what the texts leave open, each as most of them have it.

    `profiteer_with_saboteurs`: he wins with them as well; `behind_our_door`: a team wins when the
    other team's dwarf connects behind a door of its colour; `crystals_rounded_up`: two geologists
    who share an odd number; `paid_to_many`: each of five or more winners.
    """

    key: str = "saboteur-2"
    profiteer_with_saboteurs: bool = True
    behind_our_door: bool = True
    crystals_rounded_up: bool = False
    paid_to_many: int = PAID_TO_MANY

    sizes: ClassVar[range] = range(2, 13)
    letters: ClassVar[Mapping[str, str]] = {
        BLUE: "b",
        GREEN: "g",
        BOSS: "o",
        PROFITEER: "p",
        GEOLOGIST: "e",
        SABOTEUR: "s",
    }
    facts: ClassVar[tuple[str, ...]] = (
        "roles",
        "connector",
        "doors",
        "crystals",
        "jailed",
        "thieves",
        "before",
    )

    def set_up(self, size: int) -> SetUp:
        return SetUp(size, DWARFS, HAND, spare=sum(DWARFS.values()) - size)

    def after(self, facts: DwarfDeal, before: Sequence[int]) -> DwarfDeal:
        return replace(facts, before=tuple(before)) if before else facts

    def write(self, facts: DwarfDeal) -> dict[str, Any]:
        found: dict[str, Any] = {
            "doors": list(facts.doors),
            "crystals": facts.crystals,
            "jailed": list(facts.jailed),
            "thieves": [{"thief": thief, "victim": victim} for thief, victim in facts.thieves],
        }
        return {
            "roles": list(facts.roles),
            "connector": facts.connector,
            **{name: value for name, value in found.items() if value},
        }

    def read_text(self, text: str) -> DwarfDeal:
        """ "bgsp:1:g:3:4:2>1/3>1": roles, who reached the gold (0: nobody), doors, crystals, who is
        jailed, and who stole from whom in the order laid; what is empty at the end is left out."""
        letters, connector, doors, crystals, jailed, thieves = parts_of(text, 6)
        return DwarfDeal(
            roles=roles_of(letters, self.letters),
            connector=number_of(connector) or None,
            doors=roles_of(doors, _DOORS),
            crystals=number_of(crystals or "0"),
            jailed=numbers_of(jailed),
            thieves=tuple(_both(one) for one in thieves.split("/") if one),
            before=(0,) * len(letters),
        )

    def write_text(self, facts: DwarfDeal) -> str:
        parts = (
            letters_of(facts.roles, self.letters),
            str(facts.connector or 0),
            letters_of(facts.doors, _DOORS),
            str(facts.crystals or ""),
            "/".join(map(str, facts.jailed)),
            "/".join(f"{thief}>{victim}" for thief, victim in facts.thieves),
        )
        return ":".join(parts).rstrip(":")

    def nothing(self, size: int) -> Payout:
        return Payout((0,) * size, winners=())

    def read_size(self, given: Given) -> int:
        return len(texts(given["roles"], "roles"))

    def read(self, given: Given, size: int) -> DwarfDeal:
        before = given_or(given, "before", None) or [0] * size
        return DwarfDeal(
            roles=texts(given["roles"], "roles"),
            connector=read_connector(given),
            doors=texts(given_or(given, "doors", []), "doors"),
            crystals=integer(given_or(given, "crystals", 0), "crystals"),
            jailed=_jailed(given_or(given, "jailed", [])),
            thieves=pairs(given_or(given, "thieves", []), "thieves", "thief", "victim"),
            before=integers(per_seat(before, "before", size), "before", 0),
        )

    def pay(self, facts: DwarfDeal) -> Payout:
        _check(facts)
        winners = tuple(self._winners(facts))
        paid = [0] * len(facts.roles)
        for number in winners:
            paid[number - 1] = self._share(facts.roles[number - 1], len(winners))
        geologists = [
            number
            for number, role in enumerate(facts.roles, 1)
            if role == GEOLOGIST and number not in facts.jailed
        ]
        for number in geologists:
            paid[number - 1] += self._crystals(facts.crystals, len(geologists))
        _steal(facts, paid)
        return Payout(tuple(paid), winners=winners)

    def _winners(self, facts: DwarfDeal) -> Iterator[int]:
        """The seats that win, without the jailed."""
        sides = self._sides(facts)
        for number, role in enumerate(facts.roles, 1):
            if role in sides and number not in facts.jailed:
                yield number

    def _sides(self, facts: DwarfDeal) -> Collection[str]:
        if facts.connector is None:
            return {SABOTEUR, PROFITEER} if self.profiteer_with_saboteurs else {SABOTEUR}
        teams = self._teams(facts.roles[facts.connector - 1], facts.doors)
        return {*teams, PROFITEER, *((BOSS,) if teams else ())}

    def _teams(self, connected: str, doors: Collection[str]) -> Collection[str]:
        """The colours that win by the path."""
        free = [colour for colour in COLOURS if _other(colour) not in doors]
        if connected not in COLOURS:
            return free
        if connected in free:
            return (connected,)
        return [_other(connected)] if self.behind_our_door and _other(connected) in free else ()

    def _share(self, role: str, winners: int) -> int:
        return max(0, PAID.get(winners, self.paid_to_many) - LESS.get(role, 0))

    def _crystals(self, crystals: int, geologists: int) -> int:
        if self.crystals_rounded_up:
            return -(-crystals // geologists)
        return crystals // geologists

    def possible(self, points: Sequence[int]) -> tuple[str, ...]:
        """Crystals and thieves leave anything open."""
        return ()

    def numbers(self) -> dict[str, Any]:
        return {
            "tables": {str(size): {"hand_cards": HAND} for size in self.sizes},
            "dwarfs": dict(DWARFS),
            "payouts": {
                "winners": {str(number): paid for number, paid in PAID.items()},
                "five_or_more": self.paid_to_many,
                "less": dict(LESS),
            },
        }


_DOORS = {BLUE: "b", GREEN: "g"}


def _both(text: str) -> tuple[int, int]:
    both = numbers_of(text, ">")
    if len(both) != 2:
        raise malformed("facts", "wrong_number")
    return both[0], both[1]


def _other(colour: str) -> str:
    return GREEN if colour == BLUE else BLUE


def _jailed(value: object) -> tuple[int, ...]:
    found: list[int] = []
    for index, part in enumerate(items(value, "jailed")):
        place = join("jailed", index)
        number = seat(part, place)
        if number in found:
            raise malformed(place, "twice")
        found.append(number)
    return tuple(found)


def _check(facts: DwarfDeal) -> None:
    size = len(facts.roles)
    check_roles(facts.roles, tuple(DWARFS))
    _check_counts(facts.roles)
    check_connector(facts.connector, size)
    _check_doors(facts)
    if facts.crystals < 0:
        raise Refusal("crystals_negative", found=facts.crystals)
    for number in facts.jailed:
        if not 1 <= number <= size:
            raise Refusal("jailed_not_at_table", seat=number, size=size)
    for thief, victim in facts.thieves:
        if thief == victim:
            raise Refusal("thief_self", seat=thief)
    for number in chain.from_iterable(facts.thieves):
        if not 1 <= number <= size:
            raise Refusal("thief_not_at_table", seat=number, size=size)


def _check_counts(roles: Sequence[str]) -> None:
    for role, most in DWARFS.items():
        seats = tuple(number for number, one in enumerate(roles, 1) if one == role)
        if len(seats) > most:
            raise Refusal("role_counts", role=role, expected=most, found=len(seats), seats=seats)


def _check_doors(facts: DwarfDeal) -> None:
    for index, door in enumerate(facts.doors):
        if door not in COLOURS or door in facts.doors[:index]:
            raise Refusal("door_unknown", door=door)
    if facts.doors and facts.connector is None:
        raise Refusal("doors_without_gold")


def _steal(facts: DwarfDeal, paid: list[int]) -> None:
    """The thieves, seat by seat clockwise from the one whose card was laid last, each with all its
    cards; who has nothing at that moment loses nothing."""
    cards = [pair for pair in facts.thieves if pair[0] not in facts.jailed]
    if not cards:
        return
    size, first = len(facts.roles), cards[-1][0]
    # Sorting keeps a seat's own cards in the order in which they were laid.
    for thief, victim in sorted(cards, key=lambda pair: (pair[0] - first) % size):
        if facts.before[victim - 1] + paid[victim - 1] >= 1:
            paid[victim - 1] -= 1
            paid[thief - 1] += 1
