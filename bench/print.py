"""How long a hundred scoresheets take, and how much memory, beside a plain HTML table.

    python -m bench.print

Each line is one process on one core. The plain layout is what one would write first: a page a
table, an HTML table with a cell for each thing to be written. Both are drawn by WeasyPrint.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROWS = (("plain", 100), ("ours", 100), ("ours", 400), ("cached", 100))


def main() -> None:
    """Print the table, each line measured in a process of its own."""
    print(f"{'layout':<8}{'sheets':>7}{'ms a sheet':>12}{'peak MiB':>10}{'KiB':>8}")
    measured = {}
    for layout, sheets in ROWS:
        with tempfile.TemporaryDirectory(prefix="lodestar-print-") as folder:
            environment = os.environ | {
                "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
                "LODESTAR_DATA_DIR": folder,
                "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "lodestar-compiled"),
                "PYTHONDONTWRITEBYTECODE": "",
            }
            for step in ("seat", layout):  # the print is a process of its own, as in a job
                done = subprocess.run(
                    [sys.executable, "-m", "bench.print", step, str(sheets)],
                    capture_output=True,
                    text=True,
                    check=True,
                    env=environment,
                )
        each, peak, size = (float(word) for word in done.stdout.split())
        measured[layout, sheets] = each
        print(f"{layout:<8}{sheets:>7}{each:>12.1f}{peak:>10.0f}{size:>8.0f}", flush=True)
    ratio = measured["plain", 100] / measured["ours", 100]
    print(f"\nThe plain layout takes {ratio:.1f} times as long.")
    print(f"Serving what was made before: {measured['cached', 100] * 100:.1f} ms for all.")


def measure(layout: str, count: int) -> None:
    """One line: milliseconds of CPU a sheet without the start, peak memory, size of the PDF."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    from bench import sheets

    if layout == "seat":
        sheets.seat(count)
        return
    make = {"plain": sheets.plain, "ours": sheets.ours, "cached": sheets.cached}[layout]
    warm, work = make(count)
    warm()
    began = time.process_time()
    content = work()
    each = (time.process_time() - began) * 1000 / count
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if keep := os.environ.get("KEEP"):
        Path(keep).write_bytes(content)
    print(each, peak, len(content) / 1024)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(sys.argv[1], int(sys.argv[2]))
    else:
        main()
