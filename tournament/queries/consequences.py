"""What a correction does to what counts already: who moves, who enters or leaves the cut, and what
rests on the standings as they were (`actions/consequences.py` looks ahead)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from tournament.labels import TOUCHED
from tournament.models import Event
from tournament.models.events import SeatingMethod
from tournament.queries.cuts import current_cut
from tournament.queries.standings import Row, StandingsTable

MOST = 60  # lines that a log entry keeps; the page shows all


@dataclass(frozen=True, slots=True)
class Move:
    """One player whose line changes. A rank of 0: not in the standings."""

    number: int
    name: str
    rank_before: int
    rank_after: int
    points_before: int
    points_after: int
    stars_before: int
    stars_after: int

    @property
    def moves(self) -> bool:
        return self.rank_before != self.rank_after


@dataclass(frozen=True, slots=True)
class Consequences:
    """`moves`: best rank first; `enters` and `leaves`: start numbers above the line of the cut, or
    in the final; `touched`: keys of `TOUCHED`; `once_confirmed`: compared as if the open sheet were
    confirmed."""

    moves: tuple[Move, ...]
    enters: tuple[int, ...]
    leaves: tuple[int, ...]
    touched: tuple[str, ...]
    once_confirmed: bool = False

    @property
    def matter(self) -> bool:
        return bool(self.moves or self.enters or self.leaves)

    @property
    def digest(self) -> str:
        """Names them: what was seen is what is carried out."""
        return sha256(repr(self).encode()).hexdigest()[:16]

    @property
    def touched_words(self) -> list[str]:
        return [str(TOUCHED[key]) for key in self.touched]

    def names_of(self, numbers: Iterable[int]) -> list[str]:
        names = {move.number: move.name for move in self.moves}
        return [names.get(number, str(number)) for number in numbers]

    @property
    def entering(self) -> list[str]:
        return self.names_of(self.enters)

    @property
    def leaving(self) -> list[str]:
        return self.names_of(self.leaves)

    def as_facts(self) -> dict[str, Any]:
        """For the log: start numbers and ranks."""
        ranks = [[one.number, one.rank_before, one.rank_after] for one in self.moves if one.moves]
        return {
            "ranks": ranks[:MOST],
            "enters": list(self.enters),
            "leaves": list(self.leaves),
            "touched": list(self.touched),
        }


def _lines(board: StandingsTable) -> dict[int, Row]:
    return {row.number: row for row in (*board.ranked, *board.out)}


def _above(board: StandingsTable) -> set[int]:
    """Who is above the line, or in the final."""
    return {row.number for row in board.final} | {
        row.number for row in board.at_the_line if row.state == "in"
    }


def compared(
    event: Event, before: StandingsTable, after: StandingsTable, *, once_confirmed: bool = False
) -> Consequences:
    """What differs, and what rests on it."""
    old, new = _lines(before), _lines(after)
    moves = []
    for number in old.keys() | new.keys():
        one, other = old.get(number), new.get(number)
        line = one or other
        assert line is not None  # noqa: S101 - it is in one of the two
        figures = [
            (row.rank, row.points, row.stars) if row is not None else (0, 0, 0)
            for row in (one, other)
        ]
        if figures[0] != figures[1]:
            pairs = zip(*figures, strict=True)
            moves.append(Move(number, line.public_name, *(each for pair in pairs for each in pair)))
    above = _above(before), _above(after)
    seen = "hidden" if event.hides_standings else "public"
    return Consequences(
        moves=tuple(sorted(moves, key=lambda one: (one.rank_after or 10**6, one.number))),
        enters=tuple(sorted(above[1] - above[0])),
        leaves=tuple(sorted(above[0] - above[1])),
        touched=(*_touched(event, before, after), "later" if once_confirmed else seen)
        if moves
        else (),
        once_confirmed=once_confirmed,
    )


def _touched(event: Event, before: StandingsTable, after: StandingsTable) -> tuple[str, ...]:
    """What rests on the standings as they were."""
    found = []
    if current_cut(event) is not None:
        found.append("record")
    if event.lots.of_standings().exists():
        found.append("lot")
    elif after.level and (after.level, after.free) != (before.level, before.free):
        found.append("level")
    if event.seating == SeatingMethod.STANDINGS and event.rounds.in_force().filter(
        number__gte=event.standings_from
    ):
        found.append("draw")
    if before.champions != after.champions and after.final:
        found.append("champion")
    return (*found, "prints")


def effect_words(effect: dict[str, Any] | None, names: dict[int, str]) -> str:
    """What a log entry says that its change did, with the names as they are now."""
    if not effect:
        return ""

    def name(number: int) -> str:
        return names.get(number, str(number))

    parts = [
        f"{name(number)} {before or '–'} → {after or '–'}"
        for number, before, after in effect.get("ranks", ())
    ]
    if parts:
        parts = [_("Ranks: %(moves)s.") % {"moves": ", ".join(parts)}]
    for key, words in (("enters", _("In: %(names)s.")), ("leaves", _("Out: %(names)s."))):
        if numbers := effect.get(key):
            parts.append(words % {"names": ", ".join(name(number) for number in numbers)})
    return " ".join(parts)
