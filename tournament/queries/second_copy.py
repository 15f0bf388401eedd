"""How old the second copy is that the server keeps as it goes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings

from tournament.backups.second_copy import Trouble, read_state

SILENT_AFTER = 60  # seconds without a word: also a slow stick has its copy by then


@dataclass(frozen=True, slots=True)
class SecondCopy:
    """`age`: seconds; None before the first one. `stands_since`: None while it goes on."""

    age: int | None
    stands_since: datetime | None
    trouble: Trouble


def second_copy_state(now: datetime) -> SecondCopy | None:
    """None where no copy is kept."""
    if not settings.COPY_DIR:
        return None
    state = read_state()
    age = round(max(0.0, now.timestamp() - state.as_of)) if state.as_of else None
    since = state.since
    if not state.trouble and age is not None and age > SILENT_AFTER:
        since = state.as_of
    return SecondCopy(age, datetime.fromtimestamp(since, UTC) if since else None, state.trouble)
