"""The short version of bench/races.py: of two that press at the same moment one is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.postgres import programs

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="asks Linux for its processes")


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_what_may_not_both_happen_does_not(database: str) -> None:
    if database == "postgres" and programs() is None:
        pytest.skip("no PostgreSQL here")
    more = ["--postgres"] if database == "postgres" else []
    command = [sys.executable, "bench/races.py", "--races", "5", "--only", "two_", *more]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "5 races of 5 kinds" in found.stdout
