"""What tests and benches ask of the system about processes of their own."""

from __future__ import annotations

import os
import socket
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


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


def family(pid: int) -> list[int]:
    """A process and all that it has begun."""
    found = [pid]
    for thread in Path(f"/proc/{pid}/task").iterdir():
        children = (thread / "children").read_text().split()
        found += [one for child in children for one in family(int(child))]
    return found


def cpu_seconds(pid: int) -> float:
    """That a process and all that it has begun have used so far."""
    used = 0
    for one in family(pid):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        used += int(fields[11]) + int(fields[12])
    return used / TICK


def megabytes(pid: int) -> float:
    """Of memory that one process has, shared pages counted whole; 0 if it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except FileNotFoundError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)
