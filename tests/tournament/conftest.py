"""Shared by the tests of the site."""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import pytest

from tests.watch import Watch


@pytest.fixture
def watch() -> Iterator[Watch]:
    """It is noon until the test says otherwise."""
    watch = Watch()
    with mock.patch("django.utils.timezone.now", side_effect=lambda: watch.now):
        yield watch
