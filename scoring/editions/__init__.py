"""The editions that clubs play: the base game in both printings, Saboteur 2, the Duel.

Each has facts of its own for a deal, and pays nuggets instead of points with stars. The numbers are
those of the booklets; docs/rules.md names the sources, and what is chosen where they disagree.
"""

from collections.abc import Mapping
from types import MappingProxyType

from scoring.editions.base import BaseGame
from scoring.editions.duel import Duel
from scoring.editions.edition import Edition
from scoring.editions.saboteur_2 import Saboteur2

EDITIONS: Mapping[str, Edition] = MappingProxyType(
    {
        one.key: one
        for one in (
            BaseGame("base-classic"),
            BaseGame("base-new", card_each_miner=True),
            Saboteur2(),
            Duel(),
        )
    }
)
