"""What a hall of phones costs: `python bench/crowd.py [--players 2000] [--workers 1]`, on the
database of DATABASE_URL or a throw-away SQLite file.

The server runs on the first core with Granian as everywhere, all others on the rest. Phones that
only ask come from h2load (Debian: nghttp2-client), those that fetch what has changed from asyncio.
Printed: shares of the server's core from /proc, latencies, and ratios to an empty Django view
measured in the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
FOLDER = tempfile.mkdtemp(prefix="lodestar-crowd-")
os.environ.setdefault("DATABASE_URL", f"sqlite:///{FOLDER}/crowd.sqlite3")
os.environ["LODESTAR_DATA_DIR"] = FOLDER
os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"

import django  # noqa: E402

django.setup()

from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.cache import caches  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, connections  # noqa: E402
from django.urls import reverse  # noqa: E402

from bench.pages import event_of  # noqa: E402
from bench.phones import Hall  # noqa: E402
from tests.processes import cpu_seconds  # noqa: E402
from tournament import rulebook  # noqa: E402
from tournament.actions import draws, rounds  # noqa: E402
from tournament.models import Event, Round, Scoresheet, User  # noqa: E402
from tournament.queries.scoresheets import missing_deals  # noqa: E402
from tournament.simulation import COMMAND, a_deal, hand_in, play_deals, tables_of  # noqa: E402

HOST, PORT = "127.0.0.1", 8765


# --- The server, and what it uses ---------------------------------------------------------------


@contextmanager
def server(workers: int) -> Iterator[int]:
    """Its process, alone on the first core."""
    command = [
        *(sys.executable, "-m", "config.server", "--host", HOST, "--port", str(PORT)),
        *("--workers", str(workers), "--log-level", "warning"),
    ]
    process = subprocess.Popen(
        command, cwd=ROOT, env=os.environ | {"LODESTAR_DEBUG": "0"}, preexec_fn=_first_core
    )
    try:
        for _ in range(150):
            try:
                if get("/health/")[0] == 200:
                    break
            except OSError:
                time.sleep(0.2)
        yield process.pid
    finally:
        process.terminate()
        process.wait(20)


def _first_core() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


class Meter:
    """Samples the server's share of its core, every quarter of a second."""

    def __init__(self, pid: int) -> None:
        self.samples: list[tuple[float, float]] = []
        self._pid, self._stop = pid, threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Meter:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            self.samples.append((time.perf_counter(), cpu_seconds(self._pid)))
            time.sleep(0.25)

    def share(self, first: float = 0.0) -> float:
        """Of one core, on average; without the first seconds."""
        since = self.samples[0][0] + first
        rows = [row for row in self.samples if row[0] >= since]
        (begun, used), (ended, more) = rows[0], rows[-1]
        return (more - used) / (ended - begun)

    def longest_above(self, limit: float) -> float:
        """For how many seconds on end the share was above the limit."""
        longest = current = 0.0
        for (begun, used), (ended, more) in zip(self.samples, self.samples[1:], strict=False):
            above = (more - used) / (ended - begun) > limit
            current = current + ended - begun if above else 0.0
            longest = max(longest, current)
        return longest


# --- Single requests ------------------------------------------------------------------------------


def get(address: str, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    line = HTTPConnection(HOST, PORT, timeout=60)
    line.request("GET", address, headers={"Accept-Encoding": "gzip"} | (headers or {}))
    answer = line.getresponse()
    found = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    line.close()
    return found


def post(address: str, data: dict[str, object], cookies: str = "") -> int:
    """A form."""
    token = "x" * 32
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"csrftoken={token}; {cookies}",
        "Referer": f"http://{HOST}:{PORT}/",
    }
    return _sent(address, urlencode(data | {"csrfmiddlewaretoken": token}), headers)


def send(address: str, entry: dict[str, object]) -> int:
    """As a phone's outbox does."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": secrets.token_urlsafe(15)}
    return _sent(address, json.dumps(entry), headers)


def _sent(address: str, body: str, headers: dict[str, str]) -> int:
    line = HTTPConnection(HOST, PORT, timeout=60)
    line.request("POST", address, body, headers)
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer.status


def signed_in(user: User) -> str:
    """The cookie of somebody signed in."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return f"sessionid={session.session_key}"


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


# --- What is measured -------------------------------------------------------------------------


def rate(address: str, headers: tuple[str, ...] = ()) -> float:
    """Requests a second with 16 connections that never rest."""
    command = ["h2load", "--h1", "-c", "16", "-D", "4", "--warm-up-time", "1"]
    command += [part for one in headers for part in ("-H", one)]
    said = subprocess.run(
        [*command, f"http://{HOST}:{PORT}{address}"], capture_output=True, text=True, check=True
    ).stdout
    line = next(line for line in said.splitlines() if line.startswith("finished in"))
    return float(line.split(",")[1].split()[0])


def compare_rates(event: Event) -> None:
    pulse = reverse("pulse", args=[event.slug])
    etag = get(pulse)[1]["etag"]
    empty, unchanged = [], []
    for _ in range(3):
        empty.append(rate("/empty/"))
        unchanged.append(rate(pulse, (f"If-None-Match: {etag}",)))
    ratio = statistics.median(b / a for a, b in zip(empty, unchanged, strict=True))
    print(
        f"empty view {statistics.median(empty):.0f}/s, unchanged poll "
        f"{statistics.median(unchanged):.0f}/s = {ratio:.1f} times"
    )


class Crowd:
    """Phones that only ask, as h2load makes them: each every five seconds, kept alive."""

    def __init__(self, event: Event, phones: int, seconds: int) -> None:
        pulse = reverse("pulse", args=[event.slug])
        etag = get(pulse)[1]["etag"]
        self.phones, self.log = phones, Path(FOLDER) / f"crowd-{phones}.tsv"
        self.log.unlink(missing_ok=True)
        each = max(2, seconds // 5)
        self.asked = each * phones
        command = [
            *("h2load", "--h1", "-c", str(phones), "-n", str(self.asked), "--rps", "0.2"),
            *("-r", str(max(1, phones // 50)), "--rate-period", "100ms", "-T", "600", "-N", "600"),
            *("-H", f"If-None-Match: {etag}", "-H", "Accept-Encoding: gzip"),
            *("--log-file", str(self.log), f"http://{HOST}:{PORT}{pulse}"),
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def finish(self) -> list[float]:
        """The milliseconds of every answer; the number of those that never came is told."""
        said, _ = self.process.communicate()
        rows = [line.split("\t") for line in self.log.read_text().splitlines()]
        good = [int(row[2]) / 1000 for row in rows if row[1] in ("200", "304")]
        self.unanswered = self.asked - len(good)
        self.said = said
        return good


def ask_only(event: Event, pid: int, phones: int, seconds: int) -> None:
    crowd = Crowd(event, phones, seconds)
    with Meter(pid) as meter:
        spent = crowd.finish()
    print(
        f"{phones} phones: {meter.share(6):.1%} of the core, unanswered {crowd.unanswered} of "
        f"{crowd.asked}, p50 {percentile(spent, 0.5):.1f} ms, p99 {percentile(spent, 0.99):.1f} ms,"
        f" most {max(spent):.0f} ms"
    )


def publish(event: Event, pid: int, phones: int, organiser: str) -> None:
    """A round is published to phones that wait on the page of seats."""
    round_ = draws.draw_round(event=event, by=COMMAND, seed=2)
    get(reverse("live_part", args=[event.slug, "seats", "en"]))
    hall = Hall(HOST, PORT, event.slug)
    published = 0.0

    async def wait() -> None:
        nonlocal published
        over = asyncio.Event()
        visit = asyncio.create_task(hall.visit(phones, over))
        await asyncio.sleep(12)
        address = reverse("round_publish", args=[event.slug, round_.pk])
        status = await asyncio.to_thread(post, address, {}, organiser)
        assert status == 302, status
        published = time.time()
        for _ in range(120):
            await asyncio.sleep(0.25)
            if len(hall.news) >= phones:
                break
        over.set()
        await visit

    with Meter(pid) as meter:
        asyncio.run(wait())
    after = [moment - published for moment in hall.news]
    print(
        f"published to {phones} phones: {len(after)} have it, the last after {max(after):.1f} s, "
        f"half after {percentile(after, 0.5):.1f} s; errors {hall.errors}; above 60 % of the core "
        f"for {meter.longest_above(0.6):.2f} s on end"
    )


def pages_of(event: Event, organiser: str) -> dict[str, tuple[str, dict[str, str]]]:
    player = event.players.get(number=1)
    table = tables_of(event.rounds.latest("pk"))[0]
    staff = {"Cookie": organiser}
    return {
        "ticket": (reverse("ticket", args=[player.token]), {}),
        "seats": (reverse("seats", args=[event.slug]), {}),
        "standings": (reverse("standings", args=[event.slug]), {}),
        "table": (reverse("table_link:sheet", args=[table.token]), {}),
        "desk": (reverse("event_desk", args=[event.slug]), staff),
    }


def page_times(event: Event, organiser: str, times: int = 15) -> dict[str, float]:
    """Median milliseconds of other pages, asked one after the other."""
    found: dict[str, list[float]] = {}
    for _ in range(times):
        for name, (address, headers) in pages_of(event, organiser).items():
            begun = time.perf_counter()
            assert get(address, headers)[0] == 200, name
            found.setdefault(name, []).append((time.perf_counter() - begun) * 1000)
    return {name: statistics.median(values) for name, values in found.items()}


def a_save(event: Event, sheet: Scoresheet, rng: random.Random) -> tuple[str, dict[str, object]]:
    """Address and entry of a deal at one table, as its phone sends it."""
    table = sheet.table
    seats = list(table.seats.order_by("position").values_list("player__number", flat=True))
    deal = a_deal(rulebook.tournament_rules(event).row(len(seats)), rng)
    entry: dict[str, object] = {
        "kind": "deal",
        "players": ",".join(map(str, seats)),
        "seen": "",
        "number": missing_deals(sheet, table.round)[0],
        "roles": rulebook.letters_of(deal.roles),
        "connector": deal.connector or 0,
    }
    return reverse("table_link:outbox", args=[table.token]), entry


def saves(event: Event, pid: int, phones: int, organiser: str, seconds: int) -> None:
    """Dealers save five deals a second while the phones ask; the other pages beside it."""
    idle = page_times(event, organiser)
    rng = random.Random(7)
    round_ = event.rounds.latest("pk")
    sheets = [table.sheet for table in tables_of(round_)]
    entries = [a_save(event, sheet, rng) for sheet in sheets[: 5 * seconds]]
    spent: list[float] = []
    board = caches["shared"].get(f"part:{event.pk}:standings:en")
    crowd = Crowd(event, phones, seconds)
    time.sleep(6)

    def dealers() -> None:
        for address, entry in entries:
            begun = time.perf_counter()
            status = send(address, entry)
            assert status == 200, status
            spent.append((time.perf_counter() - begun) * 1000)
            time.sleep(max(0.0, 0.2 - (time.perf_counter() - begun)))

    with Meter(pid) as meter:
        saving = threading.Thread(target=dealers)
        saving.start()
        busy = page_times(event, organiser)
        saving.join()
        asked = crowd.finish()
    slower = ", ".join(f"{name} {busy[name] / idle[name]:.1f}" for name in idle)
    print(
        f"{len(spent)} deals saved at {phones} phones: p50 {percentile(spent, 0.5):.1f} ms, "
        f"p99 {percentile(spent, 0.99):.1f} ms; polls p99 {percentile(asked, 0.99):.1f} ms; "
        f"{meter.share():.1%} of the core; other pages against idle: {slower}"
    )
    after = caches["shared"].get(f"part:{event.pk}:standings:en")
    print(f"standings made anew by deals that are not confirmed: {after != board}")


def confirm(event: Event) -> None:
    """A sheet is confirmed: how long until the part is there, and how often it was made."""
    name = f"part:{event.pk}:standings:en"
    table = tables_of(event.rounds.latest("pk"))[-1]
    before = caches["shared"].get(name)
    play_deals(table, random.Random(3))
    hand_in(table)
    begun = time.perf_counter()
    pulse = reverse("pulse", args=[event.slug])
    made = set()
    while time.perf_counter() - begun < 12:
        get(pulse)
        kept = caches["shared"].get(name)
        if kept and kept.made_at != before.made_at:
            made.add(kept.made_at)
        time.sleep(0.1)
    kept = caches["shared"].get(name)
    print(
        f"a confirmed sheet: the standings of {event.players.count()} were made {len(made)} time, "
        f"in {kept.cost * 1000:.0f} ms, {kept.made_at - before.made_at:.1f} s after the last"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=2000)
    parser.add_argument("--phones", default="2000,8000,16000")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=40)
    asked = parser.parse_args()
    if not shutil.which("h2load"):
        sys.exit("h2load is missing: apt-get install nghttp2-client")
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, set(cores[1:]))
    call_command("migrate", verbosity=0)
    organiser = User.objects.create_user("bench@example.org", "x", name="Bench")
    event = event_of(asked.players, organiser, played=2)
    cookie = signed_in(organiser)
    open_round = event.rounds.latest("pk")
    os.sched_setaffinity(0, set(cores))
    with server(asked.workers) as pid:
        os.sched_setaffinity(0, set(cores[1:] or cores))
        print(f"{connection.vendor}, {asked.players} players, {asked.workers} worker(s)")
        for part in ("standings", "seats"):
            get(reverse("live_part", args=[event.slug, part, "en"]))
        compare_rates(event)
        for phones in map(int, asked.phones.split(",")):
            ask_only(event, pid, phones, asked.seconds)
        saves(event, pid, 2000, cookie, asked.seconds - 10)
        confirm(event)
        _finish(open_round)
        event.refresh_from_db()
        publish(event, pid, 2000, cookie)
    connections.close_all()
    shutil.rmtree(FOLDER, ignore_errors=True)


def _finish(round_: Round) -> None:
    """Play what is open, so that the next round can be drawn."""
    rng = random.Random(5)
    for table in tables_of(round_):
        table.sheet.refresh_from_db()
        if table.sheet.status == "open":
            play_deals(table, rng)
            hand_in(table)
    rounds.close_round(round_=round_, by=COMMAND)


if __name__ == "__main__":
    main()
