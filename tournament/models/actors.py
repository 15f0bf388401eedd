"""Whoever acts: a user, somebody at a table, a player by the own link, a command, a visitor."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tournament.models.people import User
from tournament.models.players import Player
from tournament.models.rounds import Table

COURIER = "courier"


@dataclass(frozen=True, slots=True)
class Actor:
    """`ref` tells two persons apart ("user:3", "player:17").

    Somebody at a table acts through its link (`table`) as the player who sits there (`player`).
    `courier`: whose phone carried that here because the table's own had no net: a user's `ref`, or
    `COURIER` of a phone that nobody is signed in on.
    """

    ref: str
    user: User | None = None
    table: Table | None = None
    player: Player | None = None
    courier: str = ""

    @property
    def signature(self) -> str:
        """What stands in the log and beside photos: `ref`, and by whose link. No name: that is
        looked up for whoever reads."""
        if self.player is None:
            return self.ref
        return f"{self.ref}@{self.courier or ('table' if self.table is not None else 'ticket')}"

    def as_player(self, player: Player) -> Actor:
        """Somebody else of the same table, on the same phone."""
        return replace(self, ref=f"player:{player.pk}", player=player)

    @classmethod
    def of_user(cls, user: User) -> Actor:
        return cls(ref=f"user:{user.pk}", user=user)

    @classmethod
    def at_table(cls, table: Table, player: Player) -> Actor:
        return cls(ref=f"player:{player.pk}", table=table, player=player)

    @classmethod
    def of_player(cls, player: Player) -> Actor:
        return cls(ref=f"player:{player.pk}", player=player)

    @classmethod
    def command(cls, name: str) -> Actor:
        return cls(ref=f"command:{name}")

    @classmethod
    def visitor(cls) -> Actor:
        return cls(ref="visitor")
