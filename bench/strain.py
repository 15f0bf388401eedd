"""What wears a server down: `python bench/strain.py [--minutes 30] [--postgres]`.

A real server (two workers) with an event of 200 players. Printed: what a log-in costs, as times one
hash of a password; whether 2,000 open connections are all answered; how pages fare while 96 phones
send photos over bad lines, and while they take one slowly, as times without them; and the memory of
the workers while phones save, people read, the desk works and sheets are printed, minute by minute.
"""

from __future__ import annotations

import argparse
import random
import select
import socket
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.crash import phones_of, seated_event  # noqa: E402
from bench.server import CSRF, HOST, Server, a_site  # noqa: E402
from config.server import allow_many_files  # noqa: E402
from tests.processes import cpu_seconds, megabytes  # noqa: E402

TABLES, CONNECTIONS, SENDERS = 40, 2000, 96
PHOTO, PER_SECOND = 600_000, 20_000  # bytes of a photo, and of what a bad line carries
PASSWORD = "pass-word-1"  # as tests/factories.py gives


def ask(
    port: int, method: str, address: str, body: str = "", headers: dict[str, str] | None = None
) -> tuple[int, bytes]:
    line = HTTPConnection(HOST, port, timeout=60)
    try:
        line.request(method, address, body or None, headers or {})
        answer = line.getresponse()
        return answer.status, answer.read()
    finally:
        line.close()


# --- Logging in ----------------------------------------------------------------------------------


def log_in(port: int, email: str, password: str) -> int:
    form = {"login": email, "password": password, "csrfmiddlewaretoken": CSRF}
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"csrftoken={CSRF}",
        "Referer": f"http://{HOST}:{port}/",
    }
    return ask(port, "POST", "/accounts/login/", urlencode(form), headers)[0]


def hash_seconds(times: int = 10) -> float:
    from django.contrib.auth.hashers import make_password

    begun = time.process_time()
    for _ in range(times):
        make_password(PASSWORD)
    return (time.process_time() - begun) / times


def tell_log_in(server: Server, emails: list[str]) -> None:
    """Each account once: wrong passwords are counted."""
    page = _cost(server, lambda _n: ask(server.port, "GET", "/accounts/login/")[0], 200)
    one = hash_seconds()
    tries: tuple[tuple[str, Callable[[int], int], int], ...] = (
        ("right password", lambda n: log_in(server.port, emails[n], PASSWORD), 302),
        ("wrong password", lambda n: log_in(server.port, emails[n], "wrong"), 200),
        ("unknown account", lambda n: log_in(server.port, f"nobody{n}@example.org", "wrong"), 200),
    )
    for name, attempt, status in tries:
        cost = _cost(server, attempt, status)
        print(f"  {name:16} {cost / one:5.2f} hashes (its page alone {page / one:.2f})", flush=True)


def _cost(server: Server, attempt: Callable[[int], int], status: int, times: int = 20) -> float:
    """CPU seconds of the server for one."""
    before = cpu_seconds(server.process.pid)
    found = Counter(attempt(number) for number in range(times))
    assert found == {status: times}, found
    used: float = cpu_seconds(server.process.pid) - before
    return used / times


# --- Connections and slow bodies -----------------------------------------------------------------


def tell_connections(port: int, slug: str) -> None:
    """All stay open, and each asks twice."""
    allow_many_files()
    asked = f"GET /live/{slug}/ HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
    with ExitStack() as stack:
        phones = [
            stack.enter_context(socket.create_connection((HOST, port), timeout=60))
            for _ in range(CONNECTIONS)
        ]
        for _ in range(2):
            answered = sum(_is_answered(phone, asked) for phone in phones)
            print(f"  {answered} of {CONNECTIONS} are answered", flush=True)


def _is_answered(phone: socket.socket, asked: bytes) -> bool:
    phone.sendall(asked)
    got = b""
    while b"\r\n\r\n" not in got:
        if not (more := phone.recv(65536)):
            return False
        got += more
    head, _sep, body = got.partition(b"\r\n\r\n")
    lengths = [line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    missing = int(lengths[0].split(b":")[1]) - len(body) if lengths else 0
    while missing > 0:
        missing -= len(phone.recv(65536)) or missing
    return head.startswith(b"HTTP/1.1 200")


@contextmanager
def bad_lines(port: int, tokens: list[str]) -> Iterator[Counter[int]]:
    """Phones of these tables that send a photo of the sheet, slowly, one after the other; what they
    are told."""
    stop, told = threading.Event(), Counter[int]()

    def send(token: str) -> None:
        while not stop.is_set():
            with suppress(OSError), socket.create_connection((HOST, port), timeout=60) as line:
                status = _send_slowly(line, token, stop)
                if status:
                    told[status] += 1
                stop.wait(5 if status == 503 else 0)  # as it is asked to

    with ThreadPoolExecutor(SENDERS) as pool:
        for number in range(SENDERS):
            pool.submit(send, tokens[number % len(tokens)])
        time.sleep(5)  # until they have their threads
        try:
            yield told
        finally:
            stop.set()


def _send_slowly(line: socket.socket, token: str, stop: threading.Event) -> int:
    """The status of the answer; 0: it was not waited for. What is sent is no picture, and told so
    once it is there: of reading it, only the waiting is to be seen."""
    form = (
        '--b\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n'
        f'{CSRF}\r\n--b\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n'
        f"Content-Type: image/jpeg\r\n\r\n{'x' * PHOTO}\r\n--b--\r\n"
    ).encode()
    line.sendall(
        f"POST /t/{token}/photos/ HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {len(form)}\r\n"
        f"Cookie: csrftoken={CSRF}\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\n\r\n".encode()
    )
    piece = PER_SECOND // 4
    for start in range(0, len(form), piece):
        if stop.is_set():
            return 0
        if select.select([line], [], [], 0.25)[0]:  # it is answered before the end
            break
        line.sendall(form[start : start + piece])
    return int(line.recv(4096).split()[1])


@contextmanager
def slow_readers(port: int, address: str) -> Iterator[Counter[int]]:
    """Phones that ask for a large file and take nothing of it; what they were told."""
    told = Counter[int]()
    asked = f"GET {address} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
    with ExitStack() as stack:
        for _ in range(SENDERS):
            line = stack.enter_context(socket.socket())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.settimeout(60)
            line.connect((HOST, port))
            line.sendall(asked)
            told[int(line.recv(15).split()[1])] += 1
        yield told


def tell_slow(port: int, slug: str, tokens: list[str], photo: str) -> None:
    from django.urls import reverse

    pages = {name: reverse(name, args=[slug]) for name in ("standings", "seats", "pulse")}
    pages["table"] = f"/t/{tokens[-1]}/"
    quiet = {name: _page_seconds(port, address) for name, address in pages.items()}
    for title, slow, rest in (
        ("send photos over bad lines", bad_lines(port, tokens), PHOTO / PER_SECOND),
        ("ask for a photo and take nothing of it", slow_readers(port, photo), 0),
    ):
        print(f"While {SENDERS} phones {title}", flush=True)
        with slow as told:
            loud = {name: _page_seconds(port, address) for name, address in pages.items()}
            time.sleep(rest)  # until they are answered
        for name, before in quiet.items():
            middle, longest = (pick(loud[name]) / pick(before) for pick in (statistics.median, max))
            print(f"  {name:10} median {middle:.2f} ×, longest {longest:.2f} ×", flush=True)
        print(f"  they were answered {dict(told)}", flush=True)


def _page_seconds(port: int, address: str) -> list[float]:
    found = []
    for _ in range(60):
        begun = time.perf_counter()
        status, _body = ask(port, "GET", address)
        assert status == 200, (status, address)
        found.append(time.perf_counter() - begun)
    return found


def a_large_photo(event: Any) -> str:
    """Its address."""
    from django.urls import reverse

    from tests.factories import PHOTO as SMALL
    from tests.factories import at
    from tournament.actions.photos import attach_photo
    from tournament.models import Table

    table = Table.objects.get(round__event=event, number=1)
    attach_photo(sheet=table.sheet, photo=SMALL, by=at(table, 1))
    kept = table.sheet.photos.get()
    Path(kept.image.path).write_bytes(random.randbytes(5_000_000))
    return reverse("table_link:photo", args=[table.token, kept.pk])


# --- Memory --------------------------------------------------------------------------------------


@contextmanager
def a_day(server: Server, event: Any, phones: list[Any]) -> Iterator[Counter[int]]:
    """Tables save, people read, the desk works, sheets are printed, all at once and on and on."""
    stop, told = threading.Event(), Counter[int]()
    public, desk = _addresses(event)
    cookie = _session(event)

    def read(addresses: list[str], pause: float, cookie: str = "") -> None:
        rng = random.Random(pause)
        while not stop.wait(pause):
            with suppress(OSError, HTTPException):
                headers = {"Cookie": cookie} if cookie else {}
                told[ask(server.port, "GET", rng.choice(addresses), headers=headers)[0]] += 1

    jobs: list[tuple[Callable[..., None], tuple[Any, ...]]]
    jobs = [(phone.play, (stop,)) for phone in phones]
    jobs += [(read, (public, 0.05 + one / 100)) for one in range(4)]
    jobs += [(read, (desk, 0.2 + one / 100, cookie)) for one in range(2)]
    threads = [threading.Thread(target=target, args=args) for target, args in jobs]
    for thread in threads:
        thread.start()
    try:
        yield told
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _addresses(event: Any) -> tuple[list[str], list[str]]:
    from django.urls import reverse

    def of(name: str, *args: Any) -> str:
        return reverse(name, args=[event.slug, *args])

    tickets = [reverse("ticket", args=[one.token]) for one in event.players.all()[:40]]
    numbers = range(1, event.players.count() + 1, 7)
    public = [of(name) for name in ("event", "rules", "seats", "standings", "fairness", "pictures")]
    public += [of("pulse"), of("standings_pdf"), *tickets, *(of("standing", n) for n in numbers)]
    desk = [of(name) for name in ("event_desk", "players", "door", "log", "prints", "mails")]
    return public, [*desk, of("round_pdf", event.rounds.get().pk)]


def _session(event: Any) -> str:
    from django.test import Client

    from tests.factories import organiser_of

    client = Client()
    client.force_login(organiser_of(event))
    return f"sessionid={client.cookies['sessionid'].value}"


def tell_memory(server: Server, event: Any, phones: list[Any], minutes: int) -> None:
    rows: list[list[float]] = []
    with a_day(server, event, phones) as told:
        for minute in range(minutes + 1):
            rows.append([megabytes(pid) for pid in server.workers()])
            if minute < minutes:
                time.sleep(60)
    print("  MB of each worker:", " ".join("+".join(f"{mb:.0f}" for mb in row) for row in rows))
    totals = [sum(row) for row in rows[len(rows) // 6 :]]  # without what they fill at first
    third = max(1, len(totals) // 3)
    first, last = (statistics.mean(part) for part in (totals[:third], totals[-third:]))
    print(f"  last third {last / first:.3f} × the first, after warming up; answers {dict(told)}")
    print(f"  saved {sum(len(phone.told) for phone in phones)}, wrong {_wrong(phones)}", flush=True)


def _wrong(phones: list[Any]) -> int:
    return sum(len(phone.wrong) for phone in phones)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=int, default=30)
    parser.add_argument("--postgres", action="store_true")
    asked = parser.parse_args()
    with a_site(postgres=asked.postgres, light=False, LODESTAR_NETWORK_FACTOR="1000"):
        strain(asked.minutes)
    return 0


def strain(minutes: int) -> None:
    from django.db import connections

    from tests.factories import make_user

    event = seated_event(TABLES)
    photo = a_large_photo(event)
    emails = [make_user().email for _ in range(20)]
    connections.close_all()
    server = Server()
    phones = list(phones_of(event, server.port, random.Random(1)))
    connections.close_all()
    try:
        print("A log-in costs")
        tell_log_in(server, emails)
        print("Open connections")
        tell_connections(server.port, event.slug)
        tell_slow(server.port, event.slug, [phone.token for phone in phones], photo)
        print(f"Memory over {minutes} minutes")
        tell_memory(server, event, phones[:8], minutes)
    finally:
        server.stop()
        connections.close_all()


if __name__ == "__main__":
    sys.exit(main())
