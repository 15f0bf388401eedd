"""`./dev test`: style, types, layers, then every test on SQLite and on PostgreSQL.

`--quick` leaves out PostgreSQL, the browser, printed pages and processes. With other arguments,
only pytest with these, on SQLite; `--postgres` first takes PostgreSQL instead. In CI (CI=true) a
browser and PostgreSQL are compulsory.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.postgres import programs, with_server

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
CI = os.environ.get("CI", "").lower() == "true"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# What each database has to show.
ON_BOTH = "not pure and not once and not paper and not browser and not server"
AT_ONCE = "not once and not paper and not process and not browser and not server"
CHECKS: tuple[tuple[str, list[str]], ...] = (
    ("style", [str(BIN / "ruff"), "check", "."]),
    ("format", [str(BIN / "ruff"), "format", "--check", "."]),
    ("templates", [str(BIN / "djlint"), "templates", "--lint", "--quiet"]),
    ("layout of templates", [str(BIN / "djangofmt"), "--check", "templates"]),
    ("layout of styles and scripts", [str(BIN / "biome"), "format", "static"]),
    ("layers", [str(BIN / "lint-imports")]),
    ("types", [str(BIN / "mypy")]),
    ("migrations", [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"]),
)


def say(text: str) -> None:
    print(f"\n== {text}", flush=True)


def run(command: list[str]) -> bool:
    return subprocess.run(command, cwd=ROOT).returncode == 0


def pytest(*args: str) -> list[str]:
    return [sys.executable, "-m", "pytest", *args]


def failing_checks() -> list[str]:
    failed = []
    for name, command in CHECKS:
        say(name)
        if not run(command):
            failed.append(name)
    return failed


def missing_tools() -> list[str]:
    """What this machine lacks for a whole run."""
    lacks = []
    if not any(shutil.which(name) for name in BROWSERS):
        lacks.append("Chromium (the browser tests)")
    if programs() is None:
        lacks.append("PostgreSQL (the second run)")
    if not shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"):
        lacks.append("nginx (what stands in front of the container)")
    if not shutil.which("pdftotext"):
        lacks.append("poppler-utils (some tests of paper)")
    return lacks


def everything() -> int:
    lacks = missing_tools()
    if lacks and CI:
        say(f"FAILED: in CI these are compulsory: {', '.join(lacks)}")
        return 1
    failed = failing_checks()
    say("tests on SQLite")
    if not run(pytest("-n", "2", "--dist", "loadgroup")):
        failed.append("tests on SQLite")
    if programs() is not None:
        say("tests on PostgreSQL")
        if with_server(pytest("-n", "2", "--dist", "loadgroup", "-m", ON_BOTH)):
            failed.append("tests on PostgreSQL")
    for lack in lacks:
        say(f"LEFT OUT, not installed here: {lack}")
    return verdict(failed)


def quick() -> int:
    """For the minute between two edits."""
    failed = failing_checks()
    say("tests on SQLite, without browser and server")
    if not run(pytest("-n", "2", "-m", AT_ONCE)):
        failed.append("tests on SQLite")
    return verdict(failed)


def verdict(failed: list[str]) -> int:
    say(f"FAILED: {', '.join(failed)}" if failed else "all green")
    return 1 if failed else 0


def main(args: list[str]) -> int:
    os.chdir(ROOT)
    if not args:
        return everything()
    if args == ["--quick"]:
        return quick()
    if args[0] == "--postgres":
        return with_server(pytest(*args[1:]))
    return subprocess.run(pytest(*args)).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
