"""What tests and benches ask of the system about processes of their own."""

from __future__ import annotations

import socket
from pathlib import Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def workers_of(pid: int) -> set[int]:
    """The process ids of a server's workers, as Linux knows them; none if it is gone."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        return set()
    return {int(child) for child in children if _is_worker(int(child))}


def _is_worker(pid: int) -> bool:
    """Python starts a helper beside the workers, which keeps track of shared things."""
    try:
        return b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return False
