"""Lots that anybody can verify: the secret's hash is shown first, the secret afterwards."""

import hashlib
import hmac
import re
from collections.abc import Sequence

from scoring.reading import malformed

_HEX = re.compile("(?:[0-9a-fA-F]{2})+", re.ASCII)


def commitment(secret_hex: str) -> str:
    """SHA-256 of the secret's bytes, in hex: publish it before the lot is drawn."""
    return hashlib.sha256(_secret(secret_hex)).hexdigest()


def lot_order(secret_hex: str, purpose: str, players: Sequence[str]) -> tuple[str, ...]:
    """The players by ascending HMAC-SHA-256(secret, purpose + newline + player)."""
    key = _secret(secret_hex)

    def ticket(player: str) -> bytes:
        return hmac.digest(key, f"{purpose}\n{player}".encode(), "sha256")

    # Bytes sort as their hex does, in which everybody else compares them.
    return tuple(sorted(players, key=ticket))


def _secret(secret_hex: str) -> bytes:
    if not _HEX.fullmatch(secret_hex):
        raise malformed("secret", "not_hex")
    return bytes.fromhex(secret_hex)
