"""A throw-away PostgreSQL: `python tests/postgres.py -- COMMAND` runs the command with DATABASE_URL
pointing at it; `--found` only says (by its exit status) whether the server's programs are here."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PLACES = (
    "/usr/lib/postgresql/*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)
QUICK = (
    "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=60 "
    "-c listen_addresses="
)


def programs() -> Path | None:
    """The folder that holds initdb and pg_ctl, the newest version first; None if there is none."""
    if "PG_BINDIR" in os.environ:
        return Path(os.environ["PG_BINDIR"])
    found = [path for place in PLACES for path in Path("/").glob(place.lstrip("/"))]
    for path in sorted(found, key=lambda path: path.parts, reverse=True):
        if (path / "initdb").exists():
            return path
    initdb = shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb else None


def unprivileged() -> str | None:
    """PostgreSQL refuses root: a user to run as, or None if we are not root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in known), None)


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A running server in a new folder; yields its DATABASE_URL and takes it down afterwards."""
    binaries = programs()
    if binaries is None:
        raise SystemExit("No PostgreSQL server is installed.")
    user = unprivileged()
    if user:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)

    def run(program: str, *args: str, check: bool = True) -> None:
        subprocess.run(
            [str(binaries / program), *args],
            check=check,
            user=user,
            cwd=folder,
            stdout=subprocess.DEVNULL,
        )

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data = str(folder / "data")
    run(
        "initdb",
        "-D",
        data,
        "-U",
        "postgres",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C.UTF-8",
        "--no-sync",
    )
    options = f"{QUICK} -k {folder} -p {port}"
    run("pg_ctl", "-D", data, "-w", "-s", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgres://postgres@/postgres?host={folder}&port={port}"
    finally:
        run("pg_ctl", "-D", data, "-m", "immediate", "-s", "stop", check=False)


def with_server(command: list[str]) -> int:
    folder = Path(tempfile.mkdtemp(prefix="lodestar-pg-", dir="/tmp"))
    try:
        with server(folder) as url:
            return subprocess.run(command, env={**os.environ, "DATABASE_URL": url}).returncode
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--found"]:
        raise SystemExit(0 if programs() else 1)
    raise SystemExit(with_server(sys.argv[sys.argv.index("--") + 1 :]))
