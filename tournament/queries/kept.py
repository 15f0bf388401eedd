"""What is dear to compute and watched by many: computed once for all workers.

While one worker is at it the others serve the last one, and a result rests before it is computed
again (`LIVE_REST` times what it cost), so that a hall where a sheet comes in every second does not
keep a core busy with the standings. In a shop it costs milliseconds and rests as long.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import caches

KEPT_FOR = 24 * 3600  # seconds
CLAIMED_FOR = 30  # seconds: whoever died while computing blocks nobody longer
MOST_IN_MEMORY = 500


@dataclass(frozen=True, slots=True)
class Kept[T]:
    """`version`: what it was computed from; `since`: the version from which on it has been equal to
    what it is now; `made_at`: seconds since 1970; `cost`: seconds."""

    version: int
    since: int
    made_at: float
    cost: float
    value: T

    @property
    def rests(self) -> bool:
        return 0 <= time.time() - self.made_at < settings.LIVE_REST * self.cost


_memory: dict[str, Kept[object]] = {}


def forget() -> None:
    """Empty this process's memory."""
    _memory.clear()


def kept[T](name: str, version: int, make: Callable[[], T], *, now: bool = False) -> Kept[T]:
    """The value of this name as of this version, or the last one while it rests or somebody else is
    computing it. `now`: for whoever must not decide by an older one."""
    last = _last(name, version, now=now)
    if last is not None and (last.version == version or (not now and last.rests)):
        return last  # type: ignore[return-value]
    claim = f"{name}:claim"
    claimed = caches["shared"].add(claim, 1, CLAIMED_FOR)
    if last is not None and not claimed and not now:
        return last  # type: ignore[return-value]
    try:
        return _make(name, version, make, last)
    finally:
        if claimed:
            caches["shared"].delete(claim)


def _last(name: str, version: int, *, now: bool) -> Kept[object] | None:
    """This worker's, or where that is older the one all share."""
    mine = _memory.get(name)
    if mine is not None and (mine.version == version or (mine.rests and not now)):
        return mine
    shared = caches["shared"].get(name)
    if not isinstance(shared, Kept):
        return mine
    _remember(name, shared)
    return shared


def _make[T](name: str, version: int, make: Callable[[], T], last: Kept[object] | None) -> Kept[T]:
    begun = time.perf_counter()
    value = make()
    cost = time.perf_counter() - begun
    same = last is not None and last.value == value
    since = last.since if last is not None and same else version
    made = Kept(version, since, time.time(), cost, value)
    _remember(name, made)
    caches["shared"].set(name, made, KEPT_FOR)
    return made


def _remember(name: str, found: Kept[object]) -> None:
    if len(_memory) >= MOST_IN_MEMORY:
        _memory.clear()
    _memory[name] = found
