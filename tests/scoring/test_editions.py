"""The editions: what holds for every deal, what each setting changes, points typed alone."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.editions import EDITIONS
from scoring.editions.base import BOX, HANDS, MINER, SABOTEUR, SABOTEURS, BaseGame
from scoring.editions.saboteur_2 import DWARFS, PAID, Saboteur2
from scoring.refusal import Refusal

CLASSIC, NEW = EDITIONS["base-classic"], EDITIONS["base-new"]
chances = st.randoms(use_true_random=False)


def a_base_deal(edition: BaseGame, rng: random.Random) -> dict[str, object]:
    """One that can be: roles as dealt, gold handed out from the box."""
    size = rng.randint(3, 10)
    cards = [SABOTEUR] * SABOTEURS[size] + [MINER] * (size + 1 - SABOTEURS[size])
    rng.shuffle(cards)
    roles = cards[:size]
    deal: dict[str, object] = {"roles": roles, "connector": None}
    if rng.random() < 0.7:
        connector = rng.randint(1, size)
        box = [value for value, number in BOX.items() for _card in range(number)]
        rng.shuffle(box)
        taken = edition.cards(roles, connector)
        gold = [[box.pop() for _card in range(number)] for number in taken]
        deal |= {"connector": connector, "gold": gold}
    return deal


@pytest.mark.parametrize("edition", [CLASSIC, NEW], ids=["classic", "new"])
@given(rng=chances)
def test_the_base_game_pays_no_more_than_it_can(edition: BaseGame, rng: random.Random) -> None:
    deal = a_base_deal(edition, rng)
    paid = edition.score(deal)
    size = len(paid.points)
    roles = deal["roles"]
    won = {"miners": MINER, "saboteurs": SABOTEUR}.get(str(paid.winner))
    for role, nuggets in zip(roles, paid.points, strict=True):
        assert (nuggets > 0) == (role == won)
    assert sum(paid.points) <= 3 * min(size, 9)
    # What was paid can be typed without its roles, and is read the same way.
    assert paid.winner in edition.possible(paid.points)


@pytest.mark.parametrize("edition", [CLASSIC, NEW], ids=["classic", "new"])
@given(rng=chances)
def test_the_order_of_seats_turns_with_the_table(edition: BaseGame, rng: random.Random) -> None:
    deal = a_base_deal(edition, rng)
    size = len(deal["roles"])
    turned = {
        "roles": turn(deal["roles"]),
        "connector": deal["connector"] and deal["connector"] % size + 1,
        "gold": turn(deal["gold"]) if "gold" in deal else None,
    }
    assert edition.score(turned).points == tuple(turn(edition.score(deal).points))


def turn[T](seats: Sequence[T]) -> list[T]:
    return [seats[-1], *seats[:-1]]


def a_dwarf_deal(rng: random.Random) -> dict[str, object]:
    dwarfs = [role for role, number in DWARFS.items() for _one in range(number)]
    rng.shuffle(dwarfs)
    size = rng.randint(2, 12)
    found = rng.random() < 0.7
    seats = range(1, size + 1)
    return {
        "roles": dwarfs[:size],
        "connector": rng.choice(seats) if found else None,
        "doors": rng.sample(["blue", "green"], rng.randint(0, 2)) if found else [],
        "crystals": rng.randint(0, 6),
        "jailed": rng.sample(seats, rng.randint(0, 2)),
        "before": [rng.randint(0, 5) for _seat in seats],
    }


def with_thieves(deal: dict[str, object], rng: random.Random) -> dict[str, object]:
    size = len(deal["roles"])
    pairs = [rng.sample(range(1, size + 1), 2) for _card in range(rng.randint(1, 4))]
    return deal | {"thieves": [{"thief": thief, "victim": victim} for thief, victim in pairs]}


@given(rng=chances)
def test_thieves_make_no_gold_and_lose_none(rng: random.Random) -> None:
    edition = Saboteur2()
    deal = a_dwarf_deal(rng)
    before, after = edition.score(deal), edition.score(with_thieves(deal, rng))
    assert sum(before.points) == sum(after.points)
    assert before.winners == after.winners
    for had, paid in zip(deal["before"], after.points, strict=True):
        assert had + paid >= 0, "nobody owes"


@given(rng=chances)
def test_winners_are_paid_by_their_number(rng: random.Random) -> None:
    deal = a_dwarf_deal(rng) | {"crystals": 0}
    paid = Saboteur2().score(deal)
    most = PAID.get(len(paid.winners), 1)
    for number, (role, nuggets) in enumerate(zip(deal["roles"], paid.points, strict=True), 1):
        less = {"boss": 1, "profiteer": 2}.get(role, 0)
        assert nuggets == (max(0, most - less) if number in paid.winners else 0)
    assert not {*deal["jailed"]} & {*paid.winners}
    assert all(deal["roles"][number - 1] != "geologist" for number in paid.winners)


@given(rng=chances)
def test_blue_and_green_are_treated_alike(rng: random.Random) -> None:
    deal = a_dwarf_deal(rng)
    other = {"blue": "green", "green": "blue"}
    swapped = deal | {
        "roles": [other.get(role, role) for role in deal["roles"]],
        "doors": [other[door] for door in deal["doors"]],
    }
    assert Saboteur2().score(swapped).points == Saboteur2().score(deal).points


NOBODY_REACHED_IT = {"roles": ["blue", "saboteur", "profiteer"], "connector": None}
BEHIND_OUR_DOOR = {"roles": ["blue", "green", "boss"], "connector": 1, "doors": ["green"]}
FIVE_CRYSTALS = {"roles": ["blue", "geologist", "geologist"], "connector": 1, "crystals": 5}
SIX_WIN = {"roles": ["blue"] * 4 + ["green", "green", "saboteur"], "connector": 7}


@pytest.mark.parametrize(
    ("deal", "points", "setting", "otherwise"),
    [
        # Two winners take 4, the profiteer 2 less; without him the saboteur takes 5.
        (NOBODY_REACHED_IT, (0, 4, 2), {"profiteer_with_saboteurs": False}, (0, 5, 0)),
        # Green and the boss win as two, 4 and 3; or nobody does.
        (BEHIND_OUR_DOOR, (0, 4, 3), {"behind_our_door": False}, (0, 0, 0)),
        # Half of five is 2, or 3; the blue dwarf has won alone.
        (FIVE_CRYSTALS, (5, 2, 2), {"crystals_rounded_up": True}, (5, 3, 3)),
        (SIX_WIN, (1, 1, 1, 1, 1, 1, 0), {"paid_to_many": 2}, (2, 2, 2, 2, 2, 2, 0)),
    ],
    ids=["profiteer", "door", "crystals", "many"],
)
def test_a_setting_changes_what_it_says(deal, points, setting, otherwise) -> None:
    assert Saboteur2().score(deal).points == points
    assert Saboteur2(**setting).score(deal).points == otherwise


@pytest.mark.parametrize(
    ("key", "typed", "possible"),
    [
        ("base-classic", [0, 0, 0, 0], ("nobody",)),
        ("base-classic", [4, 0, 0, 0], ("saboteurs",)),
        ("base-classic", [3, 0, 3, 0, 0], ("saboteurs",)),
        # Two saboteurs of 5: three miners share five cards, two of them two each.
        ("base-classic", [6, 0, 3, 5, 0], ("miners",)),
        # Three miners with a card each, of three: the box has four.
        ("base-new", [3, 0, 3, 3, 0], ("miners",)),
        # One of two saboteurs of 5 is left over: four miners.
        ("base-new", [1, 2, 3, 1, 0], ("miners",)),
        ("duel", [5, 3], ("1",)),
        ("duel", [4, 4], ("nobody",)),
        ("saboteur-2", [4, -1, 0], ()),
    ],
)
def test_points_alone_tell_who_can_have_won(key: str, typed: list[int], possible) -> None:
    assert EDITIONS[key].possible(typed) == possible


@pytest.mark.parametrize(
    ("key", "typed"),
    [
        ("base-classic", [2, 0, 0, 0]),  # one saboteur takes 4
        ("base-classic", [0, 0, 0, 0, 0]),  # a saboteur is in play, so somebody won
        ("base-classic", [7, 0, 1, 1, 0]),  # two cards hold no 7
        ("base-new", [4, 0, 1, 1, 0]),  # one card holds no 4
        ("base-new", [3, 3, 3, 3, 3, 0, 0, 0]),  # five threes of four
    ],
)
def test_points_that_nothing_pays_are_refused(key: str, typed: list[int]) -> None:
    with pytest.raises(Refusal, match="points_impossible"):
        EDITIONS[key].possible(typed)


def test_each_row_of_the_base_game_is_the_booklet_s() -> None:
    assert [SABOTEURS[size] for size in range(3, 11)] == [1, 1, 2, 2, 3, 3, 3, 4]
    assert [HANDS[size] for size in range(3, 11)] == [6, 6, 6, 5, 5, 4, 4, 4]
    assert sum(BOX.values()) == 28
    assert sum(DWARFS.values()) == 15
