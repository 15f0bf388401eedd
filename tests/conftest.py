"""Shared by all tests: where a test lies decides its marker, and chance has a seed."""

from __future__ import annotations

import gc
import random
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import pytest
from django.core.cache import caches

from tests.fetching import refuse_one_by_one

HERE = Path(__file__).resolve().parent
MARKERS = {"scoring": "pure", "seating": "pure", "browser": "browser", "server": "server"}

# A property is asked of the same cases each time: what is green once is green always.
hypothesis.settings.register_profile("repeatable", derandomize=True)
hypothesis.settings.load_profile("repeatable")

refuse_one_by_one()


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        folder = item.path.relative_to(HERE).parts[0]
        if folder in MARKERS:
            item.add_marker(MARKERS[folder])
        if "own_process" in getattr(item, "fixturenames", ()):
            item.add_marker("process")
        # A file's tests share a worker; so do all that look at the browser's world, which is made
        # once for each worker.
        shared = "world" if "made_world" in item.fixturenames else str(item.path.relative_to(HERE))
        item.add_marker(pytest.mark.xdist_group(shared))


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end: no need to look for garbage in it again."""
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Draws and lots by a seed of each test's own, before any fixture."""
    if item.get_closest_marker("pure"):
        return
    from tournament.actions import seats
    from tournament.models import events

    # With workers, the group stands behind it.
    chance = random.Random(item.nodeid.partition("@")[0])
    seats.chance = chance
    events.secrets = SimpleNamespace(token_hex=lambda size: chance.randbytes(size).hex())


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Rolled-back events share their keys, so what is kept of one must not reach the next."""
    from tournament.queries import kept
    from tournament.web.live import pages

    caches["local"].clear()
    kept.forget()
    pages.forget()
