"""The short version of bench/crash.py: what phones were told is there, whatever was killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.postgres import programs

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="asks Linux for its processes")


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_nothing_that_was_acknowledged_is_lost_or_doubled(database: str) -> None:
    if database == "postgres" and programs() is None:
        pytest.skip("no PostgreSQL here")
    more = ["--postgres"] if database == "postgres" else []
    command = [sys.executable, "bench/crash.py", "--kills", "3", "--tables", "2", *more]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "lost 0, doubled 0, wrong 0" in found.stdout
