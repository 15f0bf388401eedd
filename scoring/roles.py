"""The role cards, and who can win a deal."""

from collections.abc import Sequence
from enum import StrEnum

from scoring.refusal import Refusal


class Role(StrEnum):
    """What a card makes of a player for one deal."""

    MINER = "miner"
    SABOTEUR = "saboteur"
    SELFISH = "selfish"


class Winner(StrEnum):
    """The side a deal went to."""

    MINERS = "miners"
    SABOTEURS = "saboteurs"
    SELFISH = "selfish"


_BY_NAME: dict[str, Role] = {role.value: role for role in Role}


def read_roles(names: Sequence[str]) -> tuple[Role, ...]:
    """The roles of these names, seat by seat; refuses `role_unknown` with the seat."""
    roles = tuple(_BY_NAME.get(name) for name in names)
    known = tuple(role for role in roles if role is not None)
    if len(known) != len(roles):
        seat = roles.index(None)
        raise Refusal("role_unknown", seats=(seat + 1,), role=names[seat])
    return known
