"""No page is wider than a phone: in Spanish, whose words are longer, whatever people are called."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from tests.browser.devices import Wide
from tests.browser.test_accessibility import PAGES
from tests.browser.test_accessibility_staff import DESK, EVENT, JUDGE
from tests.browser.world import Address, World, of_round
from tests.names import LONG, WIDE
from tournament.models import Player, User

# One word each, as long as names may be: nothing tells where it could be broken.
HARDEST = (LONG, WIDE, LONG, "م" * 60, "龍" * 60, "Щ" * 60, f"{'M' * 29}-{'W' * 30}")


@pytest.fixture(autouse=True)
def _hard_names(world: World) -> Iterator[None]:
    """Everybody in that world is called one of these, some of them the same."""
    players, users = list(Player.objects.order_by("event", "number")), list(User.objects.all())
    before = copy.deepcopy((players, users))
    for player, name in zip(players, cycle(HARDEST), strict=False):
        player.name, player.alias = name, player.alias and WIDE
    for user in users:
        user.name = "W" * 80
    save_names(players, users)
    yield
    save_names(*before)


def save_names(players: list[Player], users: list[User]) -> None:
    Player.objects.bulk_update(players, ["name", "alias"])
    User.objects.bulk_update(users, ["name"])


def asked(page: Address, query: str) -> Address:
    return lambda world: page(world) + query


MORE: dict[str, Address] = {
    "somebody in the hand": asked(of_round("drawn"), "?move=1"),
    "ways out": asked(of_round("drawn", "round_absences"), "?see=1&missing=1"),
    "a late arrival": asked(of_round("drawn", "round_absences"), "?see=1&late=12"),
}


@pytest.mark.parametrize(
    ("duty", "pages"),
    [("anybody", PAGES), ("judge", JUDGE), ("organiser", DESK | EVENT | MORE)],
    ids=["anybody", "judge", "organiser"],
)
def test_every_name_breaks_anywhere(duty: str, pages: Any, wide_in_spanish: Wide) -> None:
    assert wide_in_spanish(duty, pages.values()) == []
