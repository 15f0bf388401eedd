"""The web server, with what a hall full of phones needs: `python -m config.server`.

Every way to start Lodestar for real comes here: `./dev serve`, the container, a server of one's
own. Arguments are Granian's and come after ours, so that they win.
"""

from __future__ import annotations

import os
import resource
import sys

CONNECTIONS = 8192  # open at once, for each worker; a phone keeps its own between two polls

OPTIONS = (
    *("--interface", "wsgi"),
    # What browsers speak without https, and servers in front. To look at each connection for what
    # else it may speak costs as much as a poll.
    *("--http", "1"),
    "--no-ws",
    # A body that comes slowly occupies its thread until it is read, and a large answer until it is
    # taken. With four threads, four phones that send a photo over a bad line would freeze every
    # page for everybody. The gate and the outlet leave a fifth of them to pages.
    *("--blocking-threads", "96"),
    # A worker that dies takes nobody with it: another one takes its place.
    "--respawn-failed-workers",
    # Without it the end waits for whoever sends nothing.
    *("--workers-kill-timeout", "5"),
    # Granian counts connections here, not requests, and shares 1,024 among all workers: phone 1,025
    # would wait without an error.
    *("--backlog", str(CONNECTIONS)),
    *("--backpressure", str(CONNECTIONS)),
)


def command(*more: str) -> list[str]:
    """The server as a command line."""
    return [sys.executable, "-m", "granian", *OPTIONS, *more, "config.wsgi:application"]


def allow_many_files() -> None:
    """Each connection is an open file, and many systems give a process no more than 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + 1024
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def serve(*more: str) -> None:
    """Become the server; this process is replaced by it."""
    allow_many_files()
    os.execv(sys.executable, command(*more))  # noqa: S606 - our own server, no shell


if __name__ == "__main__":
    serve(*sys.argv[1:])
