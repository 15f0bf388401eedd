"""What judges have an eye on while a round is played: calls, and who is not at the table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scoring.penalties import LATE_MINOR_SECONDS
from tournament.models import Event
from tournament.models.versions import Part
from tournament.queries.calls import CallRow, call_rows
from tournament.queries.lateness import LATE_CODES, LateRow, late_rows
from tournament.queries.seats import round_in_play
from tournament.queries.versions import versions_of

FOLLOWS = (Part.CALLS, Part.CLOCK, Part.SHEETS, Part.SEATS)


@dataclass(frozen=True, slots=True)
class Watch:
    """`follows`: what it was made of, as pages follow it; `round_id`: of the round that is played;
    `may_mend`: its tables could be changed; `codes`: the infractions of coming late, the smaller
    one up to `minor` seconds."""

    follows: str
    calls: tuple[CallRow, ...]
    late: tuple[LateRow, ...]
    round_id: int | None
    may_mend: bool
    codes: tuple[str, ...] = LATE_CODES
    minor: int = LATE_MINOR_SECONDS

    @property
    def missing(self) -> tuple[LateRow, ...]:
        return tuple(row for row in self.late if not row.arrived)

    @property
    def arrived(self) -> tuple[LateRow, ...]:
        return tuple(row for row in self.late if row.arrived)

    @property
    def is_on(self) -> bool:
        """Whether there is anything to have an eye on."""
        return self.round_id is not None or bool(self.calls)


def watch_of(event: Event, now: datetime) -> Watch:
    # First the versions: what changes meanwhile is asked for again.
    versions = versions_of(event).parts
    playing = round_in_play(event)
    return Watch(
        follows=" ".join(f"{part}:{versions[part]}" for part in FOLLOWS),
        calls=call_rows(event, now),
        late=late_rows(playing, now) if playing else (),
        round_id=playing.pk if playing else None,
        may_mend=playing is not None and playing.is_preliminary,
    )
