"""What a second web process and a second worker bring: `python bench/scale.py [--seconds 8]`.

One PostgreSQL with all that makes it durable, nginx with the container's configuration, one and two
web processes behind it; one and two task workers. Measured: deals saved by sixteen tables, a page
read by 32 visitors, the pulse polled by 200 phones (h2load: Debian's nghttp2-client), and prints.
Printed: rates, ratios, and how busy the machine's cores were: where they are full, they are the
limit, and a second process can bring nothing more on this machine.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.processes import free_port  # noqa: E402

HOST = "127.0.0.1"
TABLES = 16
PRINTS = 8


@dataclass(frozen=True, slots=True)
class Measure:
    """`rate` a second; `busy`: share of all cores, 0 to 1."""

    rate: float
    busy: float


def measured(work: Callable[[], int]) -> Measure:
    """`work` returns how much it did."""
    before, began = _ticks(), time.monotonic()
    done = work()
    took, after = time.monotonic() - began, _ticks()
    total, idle = after[0] - before[0], after[1] - before[1]
    return Measure(done / took, 1 - idle / total)


def _ticks() -> tuple[int, int]:
    """All and idle ones of the machine."""
    values = [int(one) for one in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    return sum(values), values[3] + values[4]


# --- What runs -----------------------------------------------------------------------------------


@contextmanager
def process(*command: str) -> Iterator[None]:
    started = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        started.terminate()
        started.wait(60)


@contextmanager
def site(webs: int, folder: Path) -> Iterator[int]:
    """Web processes behind nginx; yields its port."""
    ports = [free_port() for _ in range(webs)]
    front = free_port()
    words = (ROOT / "docker" / "nginx.conf").read_text()
    words = words.replace("server web:8000;", "".join(f"server {HOST}:{one};" for one in ports))
    words = words.replace("listen 80;", f"listen {HOST}:{front};")
    words = words.replace("/var/cache/nginx/lodestar", str(folder / "cache"))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{one}_temp_path {folder}/{one};" for one in kinds)
    whole = folder / "nginx.conf"
    whole.write_text(
        f"{'user root;' if os.geteuid() == 0 else ''} daemon off; pid {folder}/pid;"
        f"error_log {folder}/errors; worker_processes 1; events {{ worker_connections 4096; }}"
        f"http {{ access_log off; {temporary}\n{words}\n}}"
    )
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    with ExitStack() as running:
        for port in ports:
            server = (sys.executable, "-m", "config.server", "--host", HOST, "--port", str(port))
            running.enter_context(process(*server, "--workers", "1", "--log-level", "critical"))
        running.enter_context(process(nginx, "-p", str(folder), "-c", str(whole)))
        for port in (*ports, front):
            _wait(port)
        yield front


def _wait(port: int) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            line = HTTPConnection(HOST, port, timeout=5)
            line.request("GET", "/health/")
            if line.getresponse().status == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise SystemExit("A server does not answer.")


# --- What is asked of it -------------------------------------------------------------------------


def saves(port: int, phones: list[Any], seconds: float) -> int:
    """Each table enters and corrects, one deal after the other; how many were acknowledged."""
    counts: list[int] = []
    end = time.monotonic() + seconds

    def play(phone: Any) -> None:
        line = HTTPConnection(HOST, port, timeout=60)
        done = 0
        while time.monotonic() < end:
            number = phone.rng.randint(1, phone.deals)
            roles, connector = phone.legal(phone.rng)
            text, before = f"{roles}:{connector}", phone.stands[number - 1]
            if text == before:
                continue
            entry = {"kind": "deal", "number": number, "roles": roles, "connector": connector}
            body = json.dumps(entry | {"seen": before, "players": phone.players})
            headers = {
                "Content-Type": "application/json",
                "Idempotency-Key": secrets.token_hex(12),
            }
            line.request("POST", f"/t/{phone.token}/deals/", body, headers)
            answer = line.getresponse()
            said = answer.read()
            if answer.status != 200:
                raise SystemExit(f"A deal was not taken: {answer.status} {said[:200]!r}")
            phone.stands[number - 1] = text
            done += 1
        line.close()
        counts.append(done)

    threads = [threading.Thread(target=play, args=[phone]) for phone in phones]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts)


def asked(port: int, address: str, clients: int, seconds: float) -> int:
    """Answers 200 to as many clients as h2load makes."""
    said = subprocess.run(
        [
            "h2load",
            "--h1",
            "-c",
            str(clients),
            "-D",
            str(int(seconds)),
            f"http://{HOST}:{port}{address}",
        ],
        check=True,
        stdout=subprocess.PIPE,
    ).stdout.decode()
    found = re.search(r"status codes: (\d+) 2xx", said)
    assert found is not None, said
    return int(found[1])


def prints(event: Any, workers: int) -> int:
    """Ask for prints of single tables, and wait until workers have made them."""
    from tournament import jobs
    from tournament.documents import store
    from tournament.documents.request import DocumentRequest
    from tournament.models import Job
    from tournament.models.actors import Actor

    by = Actor.of_user(event.staff.get().user)
    round_ = event.rounds.latest("pk")
    Job.objects.all().delete()
    for number in range(1, PRINTS + 1):
        wanted = DocumentRequest(event, "sheets", round_, (number,), languages=("en",))
        jobs.start(
            event=event,
            kind=store.KIND,
            dedupe_key=f"{workers} {number}",
            payload=store.payload_of(wanted, "/"),
            by=by,
        )
    command = (
        sys.executable,
        "manage.py",
        "db_worker",
        "--queue-name",
        "jobs",
        "--interval",
        "0.1",
    )
    with ExitStack() as running:
        for _ in range(workers):
            running.enter_context(process(*command, "--no-startup-delay", "-v0"))
        while Job.objects.open().exists():
            time.sleep(0.05)
    assert not Job.objects.exclude(status="done").exists()
    return PRINTS


# --- A run ---------------------------------------------------------------------------------------


def run(folder: Path, seconds: float) -> None:
    from django.core.management import call_command
    from django.db import connections
    from django.urls import reverse

    from bench.crash import phones_of, seated_event

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    event = seated_event(TABLES)
    phones = list(phones_of(event, 0, random.Random(1)))
    for phone in phones:
        phone.stands = [""] * phone.deals
    connections.close_all()
    page, pulse = (reverse(name, args=[event.slug]) for name in ("event", "pulse"))
    found: dict[str, list[Measure]] = {"saves": [], "pages": [], "pulses": [], "prints": []}
    for webs in (1, 2):
        place = folder / f"nginx-{webs}"
        place.mkdir()
        with site(webs, place) as port:
            saves(port, phones, 1)  # warm
            found["saves"].append(measured(partial(saves, port, phones, seconds)))
            found["pages"].append(measured(partial(asked, port, page, 32, seconds)))
            found["pulses"].append(measured(partial(asked, port, pulse, 200, seconds)))
    for workers in (1, 2):
        found["prints"].append(measured(partial(prints, event, workers)))
    print(f"{os.cpu_count()} cores; a second, with one and with two; how busy the cores were")
    for name, (one, two) in found.items():
        print(
            f"{name:8} {one.rate:9.1f} {two.rate:9.1f}   × {two.rate / one.rate:4.2f}"
            f"   {one.busy:4.0%} {two.busy:4.0%}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=8)
    wanted = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="lodestar-scale-", dir="/tmp"))
    folder.chmod(0o755)
    from tests.postgres import Postgres

    place = folder / "postgres"
    place.mkdir()
    postgres = Postgres(place, "-c max_connections=100")
    postgres.start()
    os.environ |= {
        "DATABASE_URL": postgres.url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LODESTAR_ALLOWED_HOSTS": "*",
        "LODESTAR_DATA_DIR": str(folder),
        "LODESTAR_DEBUG": "0",
        "LODESTAR_SECRET_KEY": secrets.token_urlsafe(50),
        "LODESTAR_SITE_URL": f"http://{HOST}",
        "LODESTAR_TASKS": "database",
    }
    try:
        import django

        django.setup()
        run(folder, wanted.seconds)
    finally:
        from django.db import connections

        connections.close_all()
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
