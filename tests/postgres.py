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
    "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
    " -c jit=off -c max_connections=60"
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


class Postgres:
    """A server in a folder of its own, with DATABASE_URL `url`. `options`: as of `postgres`."""

    def __init__(self, folder: Path, options: str) -> None:
        binaries = programs()
        if binaries is None:
            raise SystemExit("No PostgreSQL server is installed.")
        self._binaries, self._folder, self._user = binaries, folder, unprivileged()
        if self._user:
            os.chown(folder, pwd.getpwnam(self._user).pw_uid, -1)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"postgres://postgres@/postgres?host={folder}&port={port}"
        self._options = f"{options} -c listen_addresses= -k {folder} -p {port}"
        names = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        self._run("initdb", *names)

    def start(self, *, check: bool = True) -> bool:
        """Whether it has started; without `check` a failure is no error and nothing is said."""
        log = str(self._folder / "log")
        more = ("-w", "-s", "-l", log, "-o", self._options, "start")
        return self._run("pg_ctl", *more, check=check)

    def stop(self) -> None:
        self._run("pg_ctl", "-m", "immediate", "-s", "stop", check=False)

    @property
    def pid(self) -> int:
        """Of its first process."""
        return int((self._folder / "data" / "postmaster.pid").read_text().split("\n")[0])

    def _run(self, program: str, *args: str, check: bool = True) -> bool:
        done = subprocess.run(
            [str(self._binaries / program), "-D", str(self._folder / "data"), *args],
            check=check,
            user=self._user,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=None if check else subprocess.DEVNULL,
        )
        return done.returncode == 0


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A running server in a new folder; yields its DATABASE_URL and takes it down afterwards."""
    postgres = Postgres(folder, QUICK)
    postgres.start()
    try:
        yield postgres.url
    finally:
        postgres.stop()


@contextmanager
def throw_away_server() -> Iterator[str]:
    """The same in a folder that any user can reach, whose path is short enough for a socket."""
    folder = Path(tempfile.mkdtemp(prefix="lodestar-pg-", dir="/tmp"))
    try:
        with server(folder) as url:
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def with_server(command: list[str]) -> int:
    with throw_away_server() as url:
        return subprocess.run(command, env={**os.environ, "DATABASE_URL": url}).returncode


if __name__ == "__main__":
    if sys.argv[1:] == ["--found"]:
        raise SystemExit(0 if programs() else 1)
    raise SystemExit(with_server(sys.argv[sys.argv.index("--") + 1 :]))
