"""Who is kept apart."""

from __future__ import annotations

from tournament.models import Event


def separated_pairs(event: Event) -> frozenset[frozenset[int]]:
    """The pairs of players' keys that no draw puts at one table."""
    pairs = event.separations.in_force()
    return frozenset(frozenset(pair) for pair in pairs.values_list("first_id", "second_id"))
