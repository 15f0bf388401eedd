"""What a crash costs: `python bench/crash.py [--kills 500] [--postgres]`.

Phones of many tables enter, correct, hand in and take back through the real addresses of a real
server (two workers), each waiting for its answer and sending again until it has one. Meanwhile
`kill -9` hits a worker, the whole server or PostgreSQL at random moments, answers are lost after
they were sent, bodies break off, and for a while nothing can be written. At the end the log of
each sheet must tell exactly what its phone was told, once and in order, and the sheet the same.
"""

from __future__ import annotations

import argparse
import json
import random
import secrets
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.server import HOST, PATIENCE, Server, a_site, kill

FATE = (("worker", 70), ("server", 20), ("database", 10))


# --- A table's phone -----------------------------------------------------------------------------


@dataclass
class Phone:
    """It sends one thing until it is answered; `told`: what it was told has happened, in order."""

    port: int
    token: str
    players: str
    deals: int
    legal: Callable[[random.Random], tuple[str, int]]
    rng: random.Random
    told: list[tuple[str, str]] = field(default_factory=list)
    stands: list[str] = field(default_factory=list)
    version: int = 0
    asked: int = 0
    unknown: int = 0
    wrong: list[str] = field(default_factory=list)

    def play(self, stop: threading.Event) -> None:
        """Enter and correct at random, hand in, take back; at the end hand in and have it
        confirmed."""
        self.stands = [""] * self.deals
        while not stop.is_set():
            self._deal()
            if all(self.stands) and self.rng.random() < 0.2:
                self._send({"kind": "submit", "reopened": True}, ("sheet.submitted", ""))
                self._form("reopen/", {"reason": "Once more"}, ("sheet.reopened", ""))
        while not all(self.stands):
            self._deal()
        self._send({"kind": "submit", "reopened": True}, ("sheet.submitted", ""))
        self._send({"kind": "confirm", "seat": 2}, ("sheet.confirmed", ""))

    def _deal(self) -> None:
        missing = next((n for n, text in enumerate(self.stands, 1) if not text), 0)
        number = missing or self.rng.randint(1, self.deals)
        before = self.stands[number - 1]
        roles, connector = self.legal(self.rng)
        text = f"{roles}:{connector}"
        if text == before:
            return
        what = ("deal.corrected" if before else "deal.entered", f"{number} {text}")
        self.stands[number - 1] = text
        if self.rng.random() < 0.3:
            names = {"m": "miner", "s": "saboteur", "x": "selfish"}
            form = {f"role-{n}": names[one] for n, one in enumerate(roles, 1)}
            form |= {"connector": str(connector or "none"), "version": str(self.version)}
            self._form(f"deals/{number}/", form, what)
        else:
            entry = {"kind": "deal", "number": number, "roles": roles, "connector": connector}
            self._send(entry | {"seen": before}, what)

    def _send(self, entry: dict[str, Any], what: tuple[str, str]) -> None:
        """By the outbox."""
        body = json.dumps({"seen": ",".join(self.stands), "players": self.players} | entry)
        headers = {"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(12)}
        status, answer = self._until_answered("deals/", body, headers)
        if status == 200:
            self.version = json.loads(answer)["version"]
            self.told.append(what)
        else:
            self.wrong.append(f"{what}: {status} {answer[:200]!r}")

    def _form(self, page: str, form: dict[str, str], what: tuple[str, str]) -> None:
        """By the page's own form, as without a script."""
        token = "x" * 32
        body = urlencode(form | {"key": secrets.token_hex(8), "csrfmiddlewaretoken": token})
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"csrftoken={token}",
            "Referer": f"http://{HOST}:{self.port}/",
        }
        status, answer = self._until_answered(page, body, headers)
        if status == 302:
            self.version += 1
            self.told.append(what)
        else:
            self.wrong.append(f"{what}: {status} {answer[:200]!r}")

    def _until_answered(self, page: str, body: str, headers: dict[str, str]) -> tuple[int, bytes]:
        # A phone never gives up; whatever is not answered in ten minutes never will be.
        end = time.monotonic() + 5 * PATIENCE
        while time.monotonic() < end:
            self.asked += 1
            try:
                status, answer = self._ask(page, body, headers)
            except (OSError, HTTPException):
                status, answer = 0, b""
            if status in (200, 302, 409, 410, 422, 400, 403, 404):
                return status, answer
            self.unknown += 1
            time.sleep(self.rng.uniform(0.02, 0.2))
        return 0, b"never answered"

    def _ask(self, page: str, body: str, headers: dict[str, str]) -> tuple[int, bytes]:
        line = HTTPConnection(HOST, self.port, timeout=20)
        fate = self.rng.random()
        try:
            if fate < 0.05:  # the net breaks in the middle of the body
                line.putrequest("POST", f"/t/{self.token}/{page}")
                for name, value in headers.items():
                    line.putheader(name, value)
                line.putheader("Content-Length", str(len(body)))
                line.endheaders(body[: len(body) // 2].encode())
                return 0, b""
            line.request("POST", f"/t/{self.token}/{page}", body, headers)
            if fate < 0.15:  # the answer is lost on the way
                time.sleep(self.rng.uniform(0, 0.05))
                return 0, b""
            answer = line.getresponse()
            return answer.status, answer.read()
        finally:
            line.close()


# --- A run ---------------------------------------------------------------------------------------


@dataclass
class Result:
    """`lost`, `doubled`: what phones were told and the log has not, and the other way round."""

    kills: Counter[str] = field(default_factory=Counter)
    asked: int = 0
    acknowledged: int = 0
    unknown: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.wrong)

    def __str__(self) -> str:
        kills = ", ".join(f"{kind} {count}" for kind, count in sorted(self.kills.items()))
        return (
            f"{self.kills.total()} faults ({kills}): {self.asked} requests, "
            f"{self.acknowledged} acknowledged, {self.unknown} without an answer, "
            f"lost {len(self.lost)}, doubled {len(self.doubled)}, wrong {len(self.wrong)}"
        )


def run(*, kills: int, tables: int, seed: int, postgres: Any = None) -> Result:
    """One run in this process's Django, which must be set up on the database that is crashed."""
    from django.db import connections

    rng, result, stop = random.Random(seed), Result(), threading.Event()
    event = seated_event(tables)
    connections.close_all()
    server = Server()
    phones = list(phones_of(event, server.port, rng))
    connections.close_all()
    threads = [threading.Thread(target=phone.play, args=(stop,)) for phone in phones]
    for thread in threads:
        thread.start()
    try:
        _crash(server, kills, rng, result, postgres)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        server.stop()
    for phone in phones:
        _compare(phone, result)
    return result


def _crash(server: Server, kills: int, rng: random.Random, result: Result, postgres: Any) -> None:
    kinds, weights = zip(*(one for one in FATE if postgres or one[0] != "database"), strict=True)
    done = 0
    while done < kills:
        time.sleep(rng.uniform(0.05, 0.8))
        kind = rng.choices(kinds, weights)[0]
        if kind == "worker":
            server.kill_worker(rng)
        elif kind == "server":
            server.kill()
        else:
            kill(postgres.pid)
            _start_again(postgres)
        result.kills[kind] += 1
        done += 1
        if rng.random() < 0.1:
            room = rng.choice((0, 500_000))
            server.write_nothing(rng.uniform(0.1, 0.5), room)
            result.kills["disk read-only" if room == 0 else "disk full"] += 1
        server.wait()


def _start_again(postgres: Any) -> None:
    """Its children take a moment to notice that their parent is gone."""
    end = time.monotonic() + PATIENCE
    while not postgres.start(check=False):
        if time.monotonic() > end:
            raise SystemExit("PostgreSQL does not come back.")
        time.sleep(0.2)


def seated_event(tables: int) -> Any:
    from tests.factories import make_event, make_players, make_round

    event = make_event()
    make_players(event, tables * 5)
    make_round(event)
    return event


def phones_of(event: Any, port: int, rng: random.Random) -> Iterator[Phone]:
    from tournament import rulebook
    from tournament.simulation import a_deal, tables_of

    def legal(seats: int) -> Callable[[random.Random], tuple[str, int]]:
        row = rulebook.tournament_rules(event).row(seats)

        def deal(rng: random.Random) -> tuple[str, int]:
            entry = a_deal(row, rng)
            return rulebook.letters_of(entry.roles), entry.connector or 0

        return deal

    round_ = event.rounds.latest("pk")
    for table in tables_of(round_):
        seats = table.seats.order_by("position").values_list("player__number", flat=True)
        yield Phone(
            port=port,
            token=table.token,
            players=",".join(map(str, seats)),
            deals=round_.deals,
            legal=legal(len(seats)),
            rng=random.Random(rng.random()),
        )


def _compare(phone: Phone, result: Result) -> None:
    """The log of this sheet is what the phone was told, in order; the sheet is what it ends in."""
    from tournament.models import LogEntry, Scoresheet

    sheet = Scoresheet.objects.get(table__token=phone.token)
    entries = LogEntry.objects.about(sheet).order_by("pk")
    logged = [(entry.verb, _text(entry)) for entry in entries]
    told, found = Counter(phone.told), Counter(logged)
    result.lost += [f"{phone.token}: {one}" for one in (told - found).elements()]
    result.doubled += [f"{phone.token}: {one}" for one in (found - told).elements()]
    if not (told - found or found - told) and logged != phone.told:
        result.wrong.append(f"{phone.token}: in another order")
    stands = [deal.text for deal in sheet.deals.order_by("number")]
    if (stands, sheet.status, sheet.version) != (phone.stands, "confirmed", len(logged)):
        result.wrong.append(f"{phone.token}: {stands} {sheet.status} {sheet.version}")
    result.wrong += phone.wrong
    result.asked += phone.asked
    result.unknown += phone.unknown
    result.acknowledged += len(phone.told)


def _text(entry: Any) -> str:
    """What a deal was entered as."""
    if not entry.verb.startswith("deal."):
        return ""
    deal = entry.after
    return f"{deal['deal']} {deal['roles']}:{deal['connector'] or 0}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true")
    asked = parser.parse_args()
    with a_site(postgres=asked.postgres) as (_folder, postgres):
        result = run(
            kills=asked.kills,
            tables=asked.tables,
            seed=asked.seed,
            postgres=postgres,
        )
    print(f"{'PostgreSQL' if asked.postgres else 'SQLite'}: {result}")
    for line in [*result.lost, *result.doubled, *result.wrong][:20]:
        print("  ", line)
    return 0 if result.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
