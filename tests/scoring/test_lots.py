"""Lots that anybody can repeat with a hash on the command line."""

import hashlib
import hmac

import pytest

from scoring.lots import commitment, lot_order
from scoring.refusal import Refusal

SECRET = "00ff"


def test_order_is_by_ascending_hmac_of_purpose_and_player() -> None:
    players = [f"p{i}" for i in range(9)]

    def ticket(player: str) -> str:
        return hmac.new(b"\x00\xff", f"cut\n{player}".encode(), hashlib.sha256).hexdigest()

    assert lot_order(SECRET, "cut", players) == tuple(sorted(players, key=ticket))


def test_order_does_not_depend_on_how_the_players_are_listed() -> None:
    players = [f"p{i}" for i in range(9)]
    assert lot_order(SECRET, "cut", players) == lot_order(SECRET, "cut", players[::-1])


def test_order_of_fewer_players_is_the_same_without_the_others() -> None:
    whole = lot_order(SECRET, "cut", "abcdef")
    assert lot_order(SECRET, "cut", "bdf") == tuple(p for p in whole if p in "bdf")


def test_commitment_is_the_hash_of_the_secrets_bytes() -> None:
    assert commitment(SECRET) == hashlib.sha256(b"\x00\xff").hexdigest()


@pytest.mark.parametrize("secret", ["", "0", "zz", "00 ff", "00ff\n", "\u0660\u0660"])
def test_secret_that_is_not_hex_is_refused(secret: str) -> None:
    with pytest.raises(Refusal, match="malformed"):
        commitment(secret)
