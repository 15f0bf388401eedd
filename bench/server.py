"""A real server on a database of its own, and who asks it: for the benches that attack it.

The environment has to be set (`a_site`) before anything of Django is imported.
"""

from __future__ import annotations

import os
import random
import re
import resource
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.processes import free_port, workers_of  # noqa: E402

HOST = "127.0.0.1"
PATIENCE = 120  # seconds until something that should come back is taken to be gone
CSRF = "x" * 32  # of everybody here: in the cookie, and in the form


# --- The server ----------------------------------------------------------------------------------


class Server:
    """Lodestar as it is started for real, on the database of the environment. `log`: where it says
    what went wrong; nowhere without."""

    def __init__(self, log: Path | None = None) -> None:
        self.port = free_port()
        self._log = log
        self._start()

    def _start(self) -> None:
        self._spawn()
        self.wait()

    def _spawn(self) -> None:
        command = [sys.executable, "-m", "config.server", "--host", HOST, "--port", str(self.port)]
        level = "error" if self._log else "critical"
        with (self._log or Path(os.devnull)).open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--workers", "2", "--log-level", level],
                cwd=ROOT,
                stdout=log,
                stderr=log,
            )

    def is_healthy(self) -> bool:
        line = HTTPConnection(HOST, self.port, timeout=10)
        try:
            line.request("GET", "/health/")
            return line.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            line.close()

    def wait(self) -> None:
        """Until it answers. Granian ends when a worker dies twice in six seconds: then somebody, or
        systemd, starts it again."""
        end = time.monotonic() + PATIENCE
        while not self.is_healthy():
            if self.process.poll() is not None:
                self._spawn()
            if time.monotonic() > end:
                self.process.terminate()
                raise SystemExit("The server does not come back.")
            time.sleep(0.05)

    def workers(self) -> list[int]:
        return sorted(workers_of(self.process.pid))

    def kill_worker(self, rng: random.Random) -> None:
        if workers := self.workers():
            kill(rng.choice(workers))

    def kill(self) -> None:
        """All of it at once, as if the laptop fell, and a new one."""
        workers = self.workers()
        kill(self.process.pid)
        self.process.wait()
        for pid in workers:
            kill(pid)
        self._start()

    def write_nothing(self, seconds: float, room: int) -> None:
        """As on a disk that is full or read-only: no file grows beyond `room` bytes."""
        for limit in (room, resource.RLIM_INFINITY):
            for pid in self.workers():
                with suppress(ProcessLookupError):
                    resource.prlimit(pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
            if limit == room:
                time.sleep(seconds)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


def kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@contextmanager
def a_site(*, postgres: bool, light: bool = True, **settings: str) -> Iterator[tuple[Path, Any]]:
    """A new data folder and database, migrated, with Django set up on them; the server of
    PostgreSQL or None beside it. `light`: what is made up here costs little. `settings`: more of
    the environment."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and what was started ends with it
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LODESTAR_DEBUG": "0",
        "LODESTAR_SECRET_KEY": secrets.token_urlsafe(50),
        "LODESTAR_ALLOWED_HOSTS": HOST,
        **settings,
    }
    with (
        tempfile.TemporaryDirectory(
            prefix="lodestar-bench-", dir="/tmp", ignore_cleanup_errors=True
        ) as name,
        _database(postgres, Path(name)) as found,
    ):
        import django
        from django.core.management import call_command
        from django.db import connections

        os.environ["LODESTAR_TASKS"] = "immediate"  # here; the server does as servers do
        django.setup()
        del os.environ["LODESTAR_TASKS"]
        if light:
            _make_light()
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        try:
            yield Path(name), found
        finally:
            connections.close_all()


def _make_light() -> None:
    """What is made up in this process need not be drawn, hashed and mailed with care."""
    from django.conf import settings
    from django.contrib.auth.hashers import PBKDF2PasswordHasher

    settings.DRAW_EFFORT = 0.02
    settings.MAILERS = {"default": {"BACKEND": "django.core.mail.backends.dummy.EmailBackend"}}
    PBKDF2PasswordHasher.iterations = 1


@contextmanager
def _database(wants_postgres: bool, folder: Path) -> Iterator[Any]:
    os.environ["LODESTAR_DATA_DIR"] = str(folder)
    if not wants_postgres:
        os.environ["DATABASE_URL"] = f"sqlite:///{folder}/bench.sqlite3"
        yield None
        return
    from tests.postgres import Postgres

    place = folder / "postgres"
    place.mkdir()
    folder.chmod(0o755)
    postgres = Postgres(place, "-c max_connections=80")  # with all that makes it durable
    postgres.start()
    os.environ["DATABASE_URL"] = postgres.url
    try:
        yield postgres
    finally:
        postgres.stop()


# --- Who asks it ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answer:
    """`status`: 0 if none came."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    seconds: float = 0.0

    @property
    def leads_to(self) -> str:
        return self.headers.get("location", "")

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")


@dataclass(slots=True)
class Form:
    """What a browser would send of a form as it stands. `buttons`: one of them is sent too."""

    action: str
    method: str = "get"
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    def filled(self, **changes: str) -> list[tuple[str, str]]:
        sent = [(name, value) for name, value in self.fields if name not in changes]
        button = [one for one in self.buttons[:1] if one[0] not in changes]
        return [*sent, *button, *changes.items()]


class Visitor:
    """A browser: its cookies, and the network it comes from. Sends what it is given, byte by byte,
    whether a server can read it or not."""

    def __init__(self, port: int, *, session: str = "", network: str = "10.0.0.1") -> None:
        self.port = port
        self.network = network
        self.cookies = {"csrftoken": CSRF} | ({"sessionid": session} if session else {})

    def get(self, address: str) -> Answer:
        return self.ask("GET", address)

    def post(self, address: str, data: Iterable[tuple[str, str]]) -> Answer:
        body = urlencode([("csrfmiddlewaretoken", CSRF), *data]).encode()
        return self.ask("POST", address, body, {"Content-Type": URLENCODED})

    def ask(
        self, method: str, address: str, body: bytes = b"", headers: Mapping[str, str] = {}
    ) -> Answer:
        begun = time.perf_counter()
        told = {
            "Host": HOST,
            "Connection": "close",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-Forwarded-For": self.network,
            **({"Content-Length": str(len(body))} if body else {}),
            **headers,
        }
        lines = [
            f"{method} {address} HTTP/1.1",
            *(f"{name}: {told[name]}" for name in told),
            "\r\n",
        ]
        head = "\r\n".join(lines).encode("utf-8", "surrogatepass")
        try:
            with socket.create_connection((HOST, self.port), timeout=PATIENCE) as line:
                with suppress(OSError):  # a server that refuses need not read it all
                    line.sendall(head + body)
                found = HTTPResponse(line, method=method)
                found.begin()
                named = {name.lower(): value for name, value in found.getheaders()}
                got = found.read()
        except (OSError, HTTPException):
            return Answer(0, seconds=time.perf_counter() - begun)
        return Answer(found.status, named, got, time.perf_counter() - begun)

    def form(self, page: str, action: str = "") -> Form:
        """The page's form that is sent there; without `action` to the page itself."""
        wanted, answer = action or page, self.get(page)
        for form in forms_of(answer.text, page):
            if form.action == wanted and form.method == "post":
                return form
        raise LookupError(f"{page} ({answer.status}) has no form for {wanted}")


URLENCODED = "application/x-www-form-urlencoded"


class _Forms(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.page, self.found = page, list[Form]()
        self._named: dict[str, Form] = {}  # by their id: fields may stand elsewhere
        self._select = self._area = ""
        self._outside = self._form = Form(page)  # for what stands in no form

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = self._known(has.get("id", ""))
            self._form.action = urljoin(self.page, has.get("action", "")).split("#")[0]
            self._form.method = has.get("method", "get").lower()
            return
        form = self._known(has["form"]) if "form" in has else self._form
        name, value = has.get("name", ""), has.get("value", "")
        if has.get("formaction"):
            more = Form(urljoin(self.page, has["formaction"]), "post", form.fields)
            self.found.append(more)
        if tag == "option" and self._select:
            self._chosen(value, "selected" in has)
        elif tag == "select":
            self._select = name
        elif name:
            self._field(form, tag, has.get("type", "text"), has)

    def _known(self, known_as: str) -> Form:
        form = self._named.get(known_as) or Form(self.page)
        if known_as:
            self._named[known_as] = form
        if not any(form is one for one in self.found):
            self.found.append(form)
        return form

    def _field(self, form: Form, tag: str, kind: str, has: Mapping[str, str]) -> None:
        name, value = has["name"], has.get("value", "")
        if tag == "textarea":
            self._area = name
            form.fields.append((name, ""))
        elif tag == "button" or kind == "submit":
            form.buttons.append((name, value))
        elif tag != "input":
            return
        elif kind == "file":
            form.files.append(name)
        elif kind not in ("checkbox", "radio"):
            form.fields.append((name, value))
        elif "checked" in has:
            form.fields.append((name, has.get("value", "on")))

    def _chosen(self, value: str, selected: bool) -> None:
        """The first, until one says that it is the one."""
        fields = self._form.fields
        standing = [n for n, (name, _value) in enumerate(fields) if name == self._select]
        if not standing:
            fields.append((self._select, value))
        elif selected:
            fields[standing[-1]] = (self._select, value)

    def handle_data(self, data: str) -> None:
        if self._area and self._form.fields:
            name, text = self._form.fields[-1]
            self._form.fields[-1] = (name, text + data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = self._outside
        elif tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._area = ""


def forms_of(html: str, page: str) -> list[Form]:
    parser = _Forms(page)
    # Where no field stands outside of its form, the rest need not be read.
    parser.feed(html if ' form="' in html else "".join(re.findall(r"(?s)<form\b.*?</form>", html)))
    return parser.found


def links_of(html: str, page: str) -> tuple[list[str], list[str]]:
    """The addresses a page leads to, and those it sends forms to."""
    links = re.findall(r'\s(?:href|hx-get)="([^"#]+)', html)
    sent = re.findall(r'\sformaction="([^"]+)', html)
    for head in re.findall(r"<form\b[^>]*>", html):
        if 'method="post"' in head:
            sent += re.findall(r'\saction="([^"]*)', head) or [""]
    return [urljoin(page, unescape(one)) for one in links], [
        urljoin(page, unescape(one)).split("#")[0] for one in sent
    ]


def session_of(user: Any) -> str:
    """Signed in, without a password that has to be hashed."""
    from django.test import Client

    from tests.factories import sign_in

    return str(sign_in(Client(), user).cookies["sessionid"].value)
