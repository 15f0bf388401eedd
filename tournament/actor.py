"""Whoever acts: a user, a table's link, a player's link, a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext

if TYPE_CHECKING:
    from tournament.models import Player, Table, User


@dataclass(frozen=True, slots=True)
class Actor:
    """`ref` tells two persons apart ("user:3", "player:17"); `label` names one in the log.

    Somebody at a table acts through its link (`table`) as the player who sits there (`player`).
    """

    ref: str
    label: str
    user: User | None = None
    table: Table | None = None
    player: Player | None = None

    @classmethod
    def of_user(cls, user: User) -> Actor:
        return cls(ref=f"user:{user.pk}", label=str(user), user=user)

    @classmethod
    def at_table(cls, table: Table, player: Player) -> Actor:
        label = gettext("%(player)s, table's link") % {"player": player.public_name}
        return cls(ref=f"player:{player.pk}", label=label, table=table, player=player)

    @classmethod
    def of_player(cls, player: Player) -> Actor:
        label = gettext("%(player)s, own link") % {"player": player.public_name}
        return cls(ref=f"player:{player.pk}", label=label, player=player)

    @classmethod
    def command(cls, name: str) -> Actor:
        return cls(ref=f"command:{name}", label=name)

    @classmethod
    def visitor(cls) -> Actor:
        return cls(ref="visitor", label=gettext("public registration"))
