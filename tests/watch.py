"""The time that actions and pages see: a value that a test turns on, never awaited."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


class Watch:
    def __init__(self) -> None:
        self.now = NOON

    def goes(self, *, minutes: float = 0, seconds: float = 0) -> None:
        self.now += timedelta(minutes=minutes, seconds=seconds)
