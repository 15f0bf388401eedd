"""Shared by all tests: where a test lies decides its marker."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.cache import cache

HERE = Path(__file__).resolve().parent
MARKERS = {"scoring": "pure", "seating": "pure", "browser": "browser", "server": "server"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        folder = item.path.relative_to(HERE).parts[0]
        if folder in MARKERS:
            item.add_marker(MARKERS[folder])


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Rolled-back events share their keys, so what is kept of one must not reach the next."""
    from tournament.views import live

    cache.clear()
    live.forget()
