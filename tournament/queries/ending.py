"""What finishing an event makes final: who is champion, what is shared, what was not played."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.models import Event
from tournament.queries.standings import PODIUM, Row, shared_places, standings_for
from tournament.queries.versions import version_of


@dataclass(frozen=True, slots=True)
class Ending:
    """`version`: of the event as it is told here. `first`: who stands first; `podium`: the first
    three places; `shared`: those of them that a lot could part. `needs_reason`: it was not played
    to its end, or not at all; `running`: a round is still open, so it cannot end now."""

    version: int
    first: tuple[Row, ...]
    podium: tuple[Row, ...]
    shared: tuple[int, ...]
    rounds: int
    rounds_missing: int
    final_missing: bool
    running: bool

    @property
    def needs_reason(self) -> bool:
        return not self.rounds or self.final_missing


def ending_of(event: Event) -> Ending:
    # The version first: whoever finishes by an older one is asked to look again.
    version = version_of(event)
    board = standings_for(event)
    rows = board.ranked
    played = any(row.deals for row in board.rows) or board.final_begun
    podium = tuple(row for row in rows if row.rank <= PODIUM) if played else ()
    closed = event.rounds.closed()
    rounds = closed.preliminary().count()
    return Ending(
        version=version,
        first=tuple(row for row in podium if row.rank == 1),
        podium=podium,
        shared=tuple(rank for rank in sorted(shared_places(event)) if rank <= PODIUM),
        rounds=rounds,
        rounds_missing=max(0, event.rounds_planned - rounds),
        final_missing=event.has_final and not closed.final().exists(),
        running=event.rounds.open().exists(),
    )
