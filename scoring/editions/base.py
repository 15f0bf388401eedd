"""The base game, in both printings: three to ten at a table, gold cards for the miners."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.editions.edition import (
    NOBODY,
    Edition,
    EditionDeal,
    Given,
    Payout,
    SetUp,
    check_connector,
    check_roles,
    given_or,
    letters_of,
    number_of,
    parts_of,
    per_seat,
    read_connector,
    roles_of,
)
from scoring.reading import integers, join, malformed, texts
from scoring.refusal import Refusal

MINER, SABOTEUR = "miner", "saboteur"
# Saboteurs among the role cards, which are one more than players.
SABOTEURS = {3: 1, 4: 1, 5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
HANDS = {3: 6, 4: 6, 5: 6, 6: 5, 7: 5, 8: 4, 9: 4, 10: 4}
BOX = {1: 16, 2: 8, 3: 4}  # gold cards by their nuggets
NUGGETS = sum(value * number for value, number in BOX.items())
PAID = {1: 4, 2: 3, 3: 3, 4: 2}  # each saboteur, by how many are in play
MOST_CARDS = 9  # with ten players too


@dataclass(frozen=True, slots=True)
class BaseDeal:
    """`gold`: for each seat the cards it took."""

    roles: tuple[str, ...]
    connector: int | None
    gold: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        return len(self.roles)


@dataclass(frozen=True, slots=True)
class BaseGame(Edition):
    """`card_each_miner`: of the new printing, where as many cards are drawn as there are miners;
    in the classic one it is as many as players, handed on until all are gone."""

    key: str
    card_each_miner: bool = False

    sizes: ClassVar[range] = range(3, 11)
    facts: ClassVar[tuple[str, ...]] = ("roles", "connector", "gold")
    letters: ClassVar[Mapping[str, str]] = {MINER: "m", SABOTEUR: "s"}

    def set_up(self, size: int) -> SetUp:
        saboteurs = SABOTEURS[size]
        cards = {SABOTEUR: saboteurs, MINER: size + 1 - saboteurs}
        return SetUp(size, cards, HANDS[size], spare=1)

    def read_size(self, given: Given) -> int:
        return len(texts(given["roles"], "roles"))

    def read(self, given: Given, size: int) -> BaseDeal:
        gold = given_or(given, "gold", None) or [[]] * size
        return BaseDeal(
            roles=texts(given["roles"], "roles"),
            connector=read_connector(given),
            gold=tuple(
                integers(cards, join("gold", index))
                for index, cards in enumerate(per_seat(gold, "gold", size))
            ),
        )

    def write(self, facts: BaseDeal) -> dict[str, Any]:
        return {
            "roles": list(facts.roles),
            "connector": facts.connector,
            **({"gold": [list(cards) for cards in facts.gold]} if any(facts.gold) else {}),
        }

    def read_text(self, text: str) -> BaseDeal:
        """ "smms:3:/12//3": roles, who reached the gold (0: nobody), the cards of each seat."""
        letters, connector, gold = parts_of(text, 3)
        cards = gold.split("/") if gold else [""] * len(letters)
        if len(cards) != len(letters):
            raise malformed("facts", "wrong_number")
        return BaseDeal(
            roles=roles_of(letters, self.letters),
            connector=number_of(connector) or None,
            gold=tuple(tuple(map(number_of, one)) for one in cards),
        )

    def write_text(self, facts: BaseDeal) -> str:
        letters = letters_of(facts.roles, self.letters)
        # The order in which somebody drew them is nobody's business.
        gold = "/".join("".join(map(str, sorted(cards))) for cards in facts.gold)
        return f"{letters}:{facts.connector or 0}" + (f":{gold}" if any(facts.gold) else "")

    def pay(self, facts: BaseDeal) -> Payout:
        size = len(facts.roles)
        check_roles(facts.roles, (SABOTEUR, MINER))
        self._check_counts(facts.roles)
        check_connector(facts.connector, size)
        if facts.connector is None:
            return _pay_saboteurs(facts)
        expected = self.cards(facts.roles, facts.connector)
        taken = tuple(map(len, facts.gold))
        if taken != expected:
            raise Refusal("gold_cards", found=taken, expected=expected)
        check_cards(Counter(card for cards in facts.gold for card in cards))
        return Payout(tuple(map(sum, facts.gold)), "miners")

    def _check_counts(self, roles: Sequence[str]) -> None:
        dealt = SABOTEURS[len(roles)]
        seats = tuple(number for number, role in enumerate(roles, 1) if role == SABOTEUR)
        if len(seats) not in (dealt, dealt - 1):
            raise Refusal(
                "role_counts",
                role=SABOTEUR,
                expected=dealt,
                found=len(seats),
                seats=seats if len(seats) > dealt else (),
            )

    def cards(self, roles: Sequence[str], connector: int) -> tuple[int, ...]:
        """How many gold cards each seat takes: they go counter-clockwise, which is downwards, from
        who connected to one miner after the other until all are gone."""
        size = len(roles)
        around = [(connector - 1 - step) % size for step in range(size)]
        miners = [index for index in around if roles[index] == MINER]
        drawn = len(miners) if self.card_each_miner else min(size, MOST_CARDS)
        found = [0] * size
        for number in range(drawn):
            found[miners[number % len(miners)]] += 1
        return tuple(found)

    def check_table(self, deals: Sequence[EditionDeal], paid: Sequence[Payout]) -> None:
        """Refuses `gold_box` and `gold_sum`: over its deals a table has one box, of which the
        saboteurs were paid as well."""
        nuggets = sum(sum(found.points) for found in paid)
        if nuggets > NUGGETS:
            raise Refusal("gold_sum", found=nuggets, expected=NUGGETS)
        drawn = Counter(
            card
            for deal in deals
            if deal.facts is not None and not deal.void
            for cards in deal.facts.gold
            for card in cards
        )
        check_cards(drawn)
        wanted = [
            nuggets
            for deal, found in zip(deals, paid, strict=True)
            if found.winner == "saboteurs"
            for nuggets in found.points
            if nuggets
        ]
        if not _can_pay(wanted, {value: number - drawn[value] for value, number in BOX.items()}):
            value = max(BOX, key=lambda one: drawn[one] / BOX[one])
            raise Refusal("gold_box", value=value, found=drawn[value], expected=BOX[value])

    def possible(self, points: Sequence[int]) -> tuple[str, ...]:
        size, paid = len(points), [one for one in points if one]
        dealt = SABOTEURS[size]
        found = []
        if not paid and dealt == 1:
            found.append(NOBODY)
        # Every miner has a card, so who has nothing is a saboteur.
        if size - len(paid) in (dealt, dealt - 1) and self._could_be_cards(points):
            found.append("miners")
        if len(paid) in (dealt, dealt - 1) and paid and {*paid} == {PAID[len(paid)]}:
            found.append("saboteurs")
        if not found:
            raise Refusal("points_impossible", seats=(), found=tuple(points), expected=())
        return tuple(sorted(found))

    def _could_be_cards(self, points: Sequence[int]) -> bool:
        roles = [MINER if one else SABOTEUR for one in points]
        return any(
            _fits(points, self.cards(roles, connector)) for connector in range(1, len(roles) + 1)
        )

    def numbers(self) -> dict[str, Any]:
        return {
            "tables": {
                str(size): {"role_cards": size + 1, "saboteur": one, "hand_cards": HANDS[size]}
                for size, one in SABOTEURS.items()
            },
            "payouts": {
                "saboteur": {str(number): paid for number, paid in PAID.items()},
                "gold_cards": {str(value): number for value, number in BOX.items()},
                "cards_drawn": "miners" if self.card_each_miner else "players",
            },
        }


def check_cards(cards: Counter[int]) -> None:
    """Refuse what is no gold card (`gold_value`), or more than the box holds (`gold_box`)."""
    for value in cards:
        if value not in BOX:
            raise Refusal("gold_value", value=value)
    for value, number in BOX.items():
        if cards[value] > number:
            raise Refusal("gold_box", value=value, found=cards[value], expected=number)


def _can_pay(wanted: Sequence[int], left: Mapping[int, int]) -> bool:
    """Whether these cards can be shared out so that each of so many has what is wanted."""
    # Big cards first: what they cannot give, twos and ones can.
    reached = {(left[1], left[2], left[3])}
    for nuggets in wanted:
        reached = {
            (ones - nuggets + 2 * two + 3 * three, twos - two, threes - three)
            for ones, twos, threes in reached
            for three in range(min(threes, nuggets // 3) + 1)
            for two in range(min(twos, (nuggets - 3 * three) // 2) + 1)
            if ones >= nuggets - 2 * two - 3 * three
        }
    return bool(reached)


def _pay_saboteurs(facts: BaseDeal) -> Payout:
    if any(facts.gold):
        raise Refusal("gold_without_connector")
    number = facts.roles.count(SABOTEUR)
    if not number:  # the one saboteur's card was left over
        return Payout((0,) * len(facts.roles), NOBODY)
    paid = tuple(PAID[number] if role == SABOTEUR else 0 for role in facts.roles)
    return Payout(paid, "saboteurs")


def _fits(points: Sequence[int], cards: Sequence[int]) -> bool:
    """Whether so many cards of the box can come to these nuggets, seat by seat."""
    reached = {(0, 0)}  # twos and threes that are used up; what is left are ones
    for nuggets, number in zip(points, cards, strict=True):
        ways = [
            (nuggets - number - 2 * threes, threes)
            for threes in range(number + 1)
            if 0 <= nuggets - number - 2 * threes <= number - threes
        ]
        reached = {
            (twos + more_twos, threes + more_threes)
            for twos, threes in reached
            for more_twos, more_threes in ways
            if twos + more_twos <= BOX[2] and threes + more_threes <= BOX[3]
        }
    drawn = sum(cards)
    return any(drawn - twos - threes <= BOX[1] for twos, threes in reached)
