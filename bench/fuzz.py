"""Hostile requests over every address: `python bench/fuzz.py [--requests 38000] [--postgres]`.

A real server (two workers) with events in every state; each route of the site map is asked by
everybody there is (a visitor, a ticket, a table's link, judges, organisers of this and of another
event, the host's staff), by every method, with spoiled addresses, queries, forms, bodies, files and
heads, and now and then with a form as it should be. Request number n is the same with the same
`--seed`. Prints what was answered, each 5xx with its cause, what belongs to others and was given
away, and the slowest. Exits 1 if anything of the kind was found.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.server import (
    CSRF,
    URLENCODED,
    Answer,
    Form,
    Server,
    Visitor,
    a_site,
    links_of,
    session_of,
)

HOME = 5  # among the identities: who organises the event of the access matrix
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND")
WORLD_LASTS = 5000  # requests, until it is worn out by what was pressed, and another one is made
CLIENTS = 4
OF_EACH = 5  # addresses of one route that are kept
SENT = 4  # times that a form is sent as it was read, before its page is asked again
READ = 2  # pages of one route that somebody looks at for more
UPLOADS = ("add_photo", "import", "sponsors", "sponsor", "key")  # routes that take files
TOLD = (403, 404, 405, 409, 422, 429)  # told apart
SLOW = 10  # so many of the slowest answers are told

# --- What is hostile -----------------------------------------------------------------------------

LONG = "word " * 20_000
WORDS = (
    *("", " ", "\x00", "a\x00b", "\ud800", "\udfff\ud800", "\u202egnp.exe", "\u200f", "\ufeff"),
    *("-1", "0", "1e309", "NaN", "Infinity", "-0", "9" * 19, "9" * 400, "-" + "9" * 30, "0x10"),
    *("²", "٣", "፩", "1_000", "1.5", "1,5", "+1", "true", "null", "None", "undefined", "[]", "{}"),
    *("'", '"', "' OR 1=1 --", "<script>alert(1)</script>", "{{ 7*7 }}", "{% load x %}", "%s%n"),
    *("../../etc/passwd", "..\\..", "//evil.example", "javascript:alert(1)", "\r\nSet-Cookie: a=b"),
    *(
        "İ" * 60,
        "ß" * 130,
        "🎉" * 60,
        "e\u0301" * 300,
        "a" * 5000,
        LONG,
        "=1+1",
        "@",
        "a@b",
        "\t\n",
    ),
    *("2026-13-45T99:99", "0001-01-01T00:00", "9999-12-31T23:59", "24:00", "Europe/Nowhere", "x;y"),
    *("a@" + ".".join(["İ" * 60] * 4) + ".org", "x" * 254 + "@example.org", "a" * 41, "1:2:3", ":"),
)
DEEP = "[" * 50_000 + "]" * 50_000
BODIES: tuple[tuple[str, str], ...] = (
    ("application/json", DEEP),
    ("application/json", '{"a":' * 5000 + "1" + "}" * 5000),
    ("application/json", '{"kind": ["deal"], "number": {"a": 1}, "seen": 1e999}'),
    (
        "application/json",
        '{"kind": "deal", "number": 1e400, "roles": null, "connector": "\\ud800"}',
    ),
    ("application/json", "[]"),
    ("application/json", "null"),
    ("application/json", '"\\u0000"'),
    ("application/json", "9" * 5000),
    ("application/json", '{"kind": "submit", "reopened": "yes", "players": [1, 2]}'),
    ("application/json; charset=utf-16", "{}"),
    (f"{URLENCODED}; charset=rot13", "name=nzr"),
    (f"{URLENCODED}; charset=utf-7", "name=+AGE-"),
    (f"{URLENCODED}; charset=idna", "name=a"),
    (f"{URLENCODED}; charset=base64", "name=a"),
    (f"{URLENCODED}; charset=utf-16", "name=a"),
    (f"{URLENCODED}; charset=\x00", "name=a"),
    (URLENCODED, "&".join("a=1" for _ in range(6000))),
    (URLENCODED, "%zz=%&=&&;%00=%ff%fe&" + "x" * 1000),
    ("multipart/form-data", "no boundary"),
    ("multipart/form-data; boundary=", "--\r\n\r\n"),
    ("multipart/form-data; boundary=é", "--é\r\n\r\n"),
    (
        "multipart/form-data; boundary=x",
        "--x\r\nContent-Disposition: form-data; name=a\r\n\r\nno end",
    ),
    (
        "multipart/form-data; boundary=x",
        '--x\r\nContent-Disposition: form-data; name="a"; filename="',
    ),
    (
        "multipart/form-data; boundary=x",
        '--x\r\nContent-Disposition: form-data; name="a"\r\n'
        "Content-Transfer-Encoding: base64\r\n\r\n!!!\r\n--x--\r\n",
    ),
    (
        "multipart/form-data; boundary=x",
        '--x\r\nContent-Disposition: form-data; name="a"\r\n'
        "Content-Type: text/plain; charset=rot13\r\n\r\nnzr\r\n--x--\r\n",
    ),
    ("multipart/form-data; boundary=x", "--x\r\n" + "X-A: b\r\n" * 3000 + "\r\n--x--"),
    ("multipart/mixed; boundary=x", "--x--"),
    ("application/xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
    ("text/plain", "\x00" * 1000),
    ("", "name=a"),
    ("a", "\ud800"),
)
HEADS: tuple[tuple[str, str], ...] = (
    ("Accept-Language", "x" * 3000),
    ("Accept-Language", "es;q=nan, *;q=1e999"),
    ("Accept-Encoding", "br;q=0, *;q=x"),
    ("Content-Length", "-1"),
    ("Content-Length", "1e3"),
    ("Transfer-Encoding", "chunked"),
    ("Cookie", "sessionid=\x01; csrftoken=a; theme=<b>; django_language=../.."),
    ("Cookie", "sessionid=" + "x" * 5000),
    ("Cookie", "messages=" + "é" * 50),
    ("Host", "evil.example"),
    ("Host", ""),
    ("Origin", "null"),
    ("Referer", "http://[::1"),
    ("Referer", "http://127.0.0.1:99999999/\ud800"),
    ("HX-Request", "true"),
    ("HX-Current-URL", "http://[/%zz"),
    ("HX-Target", "\x00"),
    ("HX-PTag", "x" * 900),
    ("If-None-Match", '*, "a", W/"'),
    ("If-Modified-Since", "Mon, 99 Foo 99999 99:99:99 GMT"),
    ("Range", "bytes=9-1,-,5-"),
    ("Idempotency-Key", "x" * 900),
    ("Idempotency-Key", "\x00"),
    ("X-Forwarded-For", "::%eth0, 999.1.1.1, '"),
    ("X-Forwarded-Host", "evil.example"),
    ("X-HTTP-Method-Override", "DELETE"),
    ("Expect", "100-continue"),
)
FILES: tuple[tuple[str, str, bytes], ...] = (
    ("a.jpg", "image/jpeg", b"\xff\xd8\xff\xe0 not an image"),
    ("a.jpg", "image/jpeg", b""),
    ("a.svg", "image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
    ("a.gif", "image/gif", b"GIF89a\xff\xff\xff\xff\x00\x00\x00;"),
    ("a.png", "image/png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff"),
    ("../../a.csv", "text/csv", b"name;email\n" + b"=1+1;@\n" * 50),
    ("a.csv", "text/csv", b'"' + b"x" * 5000),
    ("a.csv", "text/csv", b"\xff\xfea\x00\x00\xd8"),
    ("a.csv", "text/csv", b"a\x00b;c\r" * 30),
    ("a.csv", "text/csv", b";" * 60_000),
    ("a.xlsx", "application/octet-stream", b"PK\x03\x04 cut off"),
    ("a.xlsx", "application/octet-stream", b"PK\x05\x06" + b"\x00" * 18),
    ("a.json", "application/json", DEEP.encode()),
    ("a.json", "application/json", b'{"format": "lodestar-event", "version": 1}'),
    ("a.json", "application/json", b'{"format": 1e999, "event": {"rounds": [null]}}'),
    ("a.zip", "application/zip", b"PK\x05\x06" + b"\x00" * 18),
    ("a.zip", "application/zip", b"PK\x03\x04" + b"\xff" * 300),
    ("a\x00.pdf", "application/pdf", b"%PDF-1.7 no"),
    ("", "", b"x"),
)


def odd(rng: random.Random) -> str:
    return rng.choice(WORDS)


def in_path(text: str) -> str:
    """As somebody's own client may send it: escaped, or not."""
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def urlencoded(data: list[tuple[str, str]]) -> bytes:
    pairs = [(name.encode("utf-8", "surrogatepass"), _bytes(value)) for name, value in data]
    return urlencode(pairs).encode()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def multipart(data: list[tuple[str, str]], files: list[tuple[str, str, str, bytes]]) -> bytes:
    parts = [
        b'--x\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n' % (_bytes(n), _bytes(v))
        for n, v in data
    ]
    parts += [
        b'--x\r\nContent-Disposition: form-data; name="%b"; filename="%b"\r\n'
        b"Content-Type: %b\r\n\r\n%b\r\n" % (_bytes(name), _bytes(file), kind.encode(), content)
        for name, file, kind, content in files
    ]
    return b"".join(parts) + b"--x--\r\n"


# --- Who asks, and for what ----------------------------------------------------------------------


@dataclass(slots=True)
class Identity:
    """`duty`: as the access matrix calls it, at the home event; `user`: who has a login."""

    name: str
    duty: str
    visitor: Visitor
    user: Any = None
    own: frozenset[str] = frozenset()  # events and series whose pages are theirs

    def signs_in(self) -> None:
        if self.user is not None:
            self.visitor.cookies["sessionid"] = session_of(self.user)


@dataclass(frozen=True, slots=True)
class Address:
    """A real one. `form`: one that is sent there, as `page` had it for `reader`."""

    name: str
    path: str
    kwargs: tuple[tuple[str, Any], ...] = ()
    page: str = ""
    reader: int = 0

    @property
    def slug(self) -> str:
        return str(dict(self.kwargs).get("slug", ""))

    @property
    def is_secret(self) -> bool:
        """Whoever has it may open it."""
        return "token" in dict(self.kwargs)


@dataclass(slots=True)
class World:
    identities: list[Identity]
    addresses: dict[str, list[Address]]
    forms: dict[str, list[Address]]
    secrets: re.Pattern[bytes]
    read: dict[str, list[Form]] = field(default_factory=dict)  # still to be sent so often

    def form(self, address: Address) -> Form:
        """What stands on its page just now, or did a moment ago."""
        if not address.page:
            return Form(address.path)
        left = self.read.setdefault(address.path, [])
        if not left:
            try:
                reader = self.identities[address.reader].visitor
                found = reader.form(address.page, address.path)
            except LookupError:  # it is gone from its page: then it is sent empty
                found = Form(address.path)
            left += [found] * SENT
        try:
            return left.pop()
        except IndexError:  # another client was quicker
            return Form(address.path)


def a_world(port: int, network: int) -> World:
    """Events in every state, each with what is to be seen of it by who works there; nothing of the
    world before is left, nor do its numbers come back."""
    from django.core.management import call_command
    from django.db import connections

    from tests.browser.world import make_world as states
    from tests.factories import make_user
    from tests.tournament import test_access_matrix as matrix
    from tournament.management.commands.demo import Command as Demo
    from tournament.models import User

    call_command("flush", interactive=False, reset_sequences=False)
    seen, home = states(), matrix.make_world()
    Demo().handle(evenings=True)
    club = User.objects.get(email="organiser@example.org")
    host = make_user("Hanna", is_staff=True, is_superuser=True)
    visitors = [
        ("anonymous", matrix.PUBLIC, None, ()),
        ("player's ticket", matrix.PLAYER, None, (f"/p/{home.tickets[matrix.PLAYER]}/",)),
        ("dealer's link", matrix.DEALER, None, (f"/t/{home.tables[matrix.DEALER]}/",)),
        ("judge", matrix.JUDGE, home.users[matrix.JUDGE], ()),
        ("judge", matrix.JUDGE, seen.judge, ()),
        ("organiser", matrix.ORGANISER, home.users[matrix.ORGANISER], ()),
        ("organiser", matrix.ORGANISER, seen.organiser, ()),
        ("organiser", matrix.ORGANISER, club, ()),
        ("organiser of another", matrix.OTHER_ORGANISER, home.users[matrix.OTHER_ORGANISER], ()),
        ("host's staff", matrix.OTHER_ORGANISER, host, ()),
    ]
    identities = [
        Identity(name, duty, Visitor(port, network=f"10.{network}.0.{n}"), user)
        for n, (name, duty, user, _opened) in enumerate(visitors)
    ]
    for identity, (*_who, opened) in zip(identities, visitors, strict=True):
        identity.signs_in()
        identity.own = own_of(identity.user)
        for page in opened:
            identity.visitor.get(page)
    world = World(identities, defaultdict(list), defaultdict(list), _secrets())
    for name in sorted(matrix.names()):
        duty = {"ticket": matrix.PLAYER, "table_link": matrix.DEALER}.get(
            name.split("_")[0] if name.startswith("ticket") else name.split(":")[0], matrix.PUBLIC
        )
        keep(world, home.address(name, duty), reader=HOME)
    connections.close_all()
    for number, identity in enumerate(identities):
        if identity.name in ("anonymous", "organiser"):
            harvest(world, number)
    return world


def own_of(user: Any) -> frozenset[str]:
    from tournament.models import Event, Series

    if user is None:
        return frozenset()
    found = (model.objects.filter(staff__user=user) for model in (Event, Series))
    return frozenset(slug for rows in found for slug in rows.values_list("slug", flat=True))


def _secrets() -> re.Pattern[bytes]:
    """What no page shows to whom it does not belong: links, and addresses of mail."""
    from tournament.models import Contact, Invitation, Person, Place, Player, Table

    found = [one for one in Contact.objects.values_list("email", flat=True) if one]
    for model in (Player, Table, Invitation, Person, Place):
        found += model._default_manager.values_list("token", flat=True)
    return re.compile(b"|".join(re.escape(one.encode()) for one in sorted(set(found))))


def keep(world: World, path: str, page: str = "", reader: int = 0) -> Address | None:
    """Among the addresses of its route, if there is still room; None if there is no such route."""
    from django.urls import Resolver404, resolve

    try:
        match = resolve(urlsplit(path).path)
    except (Resolver404, ValueError):
        return None
    found = Address(match.view_name, path, tuple(match.kwargs.items()), page, reader)
    for shelf in (world.addresses, world.forms) if page else (world.addresses,):
        known = shelf[found.name]
        if len(known) < OF_EACH and path not in [one.path for one in known]:
            known.append(found)
    return found


def harvest(world: World, number: int) -> None:
    """Follow the links from one's own start, reading a few pages of each route."""
    visitor, read = world.identities[number].visitor, Counter[str]()
    waiting, asked = [one.path for shelf in world.addresses.values() for one in shelf], set[str]()
    waiting = ["/", "/desk/", "/accounts/", *waiting]
    while waiting:
        path = waiting.pop(0)
        if path in asked or not path.startswith("/"):
            continue
        asked.add(path)
        found = keep(world, path, reader=number)
        if found is None or read[found.name] >= READ or found.name.endswith(("pdf", "document")):
            continue
        answer = visitor.get(path)
        if answer.status != 200 or "html" not in answer.headers.get("content-type", ""):
            continue
        read[found.name] += 1
        links, sent = links_of(answer.text, path)
        waiting += links
        for action in sent:
            keep(world, action, path, number)


# --- One request ---------------------------------------------------------------------------------


@dataclass(slots=True)
class Request:
    """`plain`: to a real address, as it is; then it is known who may have it."""

    method: str
    path: str
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    plain: bool = True
    kind: str = ""

    def __str__(self) -> str:
        body = f" {self.body[:300]!r}" if self.body else ""
        return f"{self.kind}: {self.method} {self.path[:300]!r}{body} {self.headers}"[:900]


class Attack:
    """How request number n is put together."""

    def __init__(self, world: World, rng: random.Random) -> None:
        self.world, self.rng = world, rng

    def compose(self) -> tuple[Identity, Address, Request]:
        rng, world = self.rng, self.world
        address = rng.choice(world.addresses[rng.choice(sorted(world.addresses))])
        identity = rng.choice(world.identities)
        way = rng.choices(
            (self.plain, self.path, self.query, self.body, self.file, self.head, self.form),
            (10, 10, 10, 12, 6, 10, 42),
        )[0]
        if way == self.form and world.forms:
            address = rng.choice(world.forms[rng.choice(sorted(world.forms))])
        if way == self.file and rng.random() < 0.7:
            takes = [name for name in world.forms if name.endswith(UPLOADS)]
            address = rng.choice(world.forms[rng.choice(sorted(takes))])
        if rng.random() < 0.5:  # who may, by what is known of it
            identity = world.identities[address.reader]
        return identity, address, way(address, identity)

    def plain(self, address: Address, identity: Identity) -> Request:
        method = self.rng.choice(METHODS)
        body = urlencoded([("csrfmiddlewaretoken", CSRF)]) if method != "GET" else b""
        return Request(method, address.path, body, {"Content-Type": URLENCODED}, kind="plain")

    def path(self, address: Address, identity: Identity) -> Request:
        rng = self.rng
        parts = address.path.split("/")
        place = rng.randrange(1, max(2, len(parts)))
        word = odd(rng)[:3000]
        if rng.random() < 0.2:
            written = word.replace("\r", "").replace("\n", "").replace(" ", "+")
        else:
            written = in_path(word)
        parts[place : place + rng.choice((0, 1))] = [written]
        method = rng.choice(("GET", "POST", "HEAD"))
        return Request(method, "/".join(parts), plain=False, kind="path", **_form_if(method))

    def query(self, address: Address, identity: Identity) -> Request:
        rng = self.rng
        names = (
            "q",
            "page",
            "v",
            "version",
            "preset",
            "table",
            "round",
            "next",
            "key",
            "then",
            "on",
        )
        pairs = [(rng.choice(names), odd(rng)[:6000]) for _ in range(rng.randint(1, 4))]
        path = f"{address.path.split('?')[0]}?{urlencoded(pairs).decode()}"
        if rng.random() < 0.1:
            path += "&" + rng.choice(("%", "%zz=%ff", "=", "a[]=1&a[]=2", "\xff=\xfe"))
        return Request(rng.choice(("GET", "GET", "HEAD", "POST")), path, plain=False, kind="query")

    def body(self, address: Address, identity: Identity) -> Request:
        rng = self.rng
        kind, text = rng.choice(BODIES)
        body = _bytes(text)
        if rng.random() < 0.7 and URLENCODED in kind:
            body = b"csrfmiddlewaretoken=" + CSRF.encode() + b"&" + body
        # The token in a header opens the way to the view, whatever the body is.
        headers = {"Content-Type": kind.replace("\x00", "%00"), "X-CSRFToken": CSRF}
        method = rng.choice(("POST", "POST", "POST", "PUT", "PATCH", "DELETE"))
        return Request(method, address.path, body, headers, plain=False, kind="body")

    def file(self, address: Address, identity: Identity) -> Request:
        rng = self.rng
        form = self.world.form(address)
        names = form.files or ["file", "photo", "logo", "list"]
        files = [(rng.choice(names), *rng.choice(FILES))]
        body = multipart([("csrfmiddlewaretoken", CSRF), *form.filled()], files)
        headers = {"Content-Type": "multipart/form-data; boundary=x"}
        return Request("POST", address.path, body, headers, plain=False, kind="file")

    def head(self, address: Address, identity: Identity) -> Request:
        rng = self.rng
        name, value = rng.choice(HEADS)
        method = rng.choice(("GET", "GET", "POST"))
        body = urlencoded([("csrfmiddlewaretoken", CSRF)]) if method == "POST" else b""
        headers = {"Content-Type": URLENCODED, name: value}
        return Request(method, address.path, body, headers, plain=False, kind="head")

    def form(self, address: Address, identity: Identity) -> Request:
        """The form as it stands just now, mostly with one field spoiled."""
        rng = self.rng
        sent = [one for one in self.world.form(address).filled() if one[0] != "csrfmiddlewaretoken"]
        spoiled = bool(sent) and rng.random() < 0.85
        if spoiled:
            place = rng.randrange(len(sent))
            name, value = sent[place]
            how = rng.random()
            if how < 0.65:
                sent[place] = (name, odd(rng))
            elif how < 0.75:
                sent[place] = (f"{name}[]", value)
            elif how < 0.85:
                sent += [(name, odd(rng))]
            elif how < 0.95:
                del sent[place]
            else:
                sent = [(one, odd(rng)) for one, _value in sent]
        token = CSRF if rng.random() < 0.9 else rng.choice(("", "y" * 32, "\ud800", "x" * 64))
        data = [("csrfmiddlewaretoken", token), *sent]
        kind = "spoiled form" if spoiled else "form"
        headers = {"HX-Request": "true"} if rng.random() < 0.2 else {}
        plain = token == CSRF
        if rng.random() < 0.2:
            headers["Content-Type"] = "multipart/form-data; boundary=x"
            return Request("POST", address.path, multipart(data, []), headers, plain, kind)
        headers["Content-Type"] = URLENCODED
        return Request("POST", address.path, urlencoded(data), headers, plain, kind)


def _form_if(method: str) -> dict[str, Any]:
    if method != "POST":
        return {}
    body = urlencoded([("csrfmiddlewaretoken", CSRF)])
    return {"body": body, "headers": {"Content-Type": URLENCODED}}


# --- What is found -------------------------------------------------------------------------------


@dataclass
class Result:
    asked: Counter[str] = field(default_factory=Counter)
    answers: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    kinds: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    taken: Counter[str] = field(default_factory=Counter)  # routes that did what was asked
    errors: list[str] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    slow: list[tuple[float, str]] = field(default_factory=list)

    def see(
        self, number: int, who: Identity, address: Address, request: Request, got: Answer
    ) -> None:
        kind = str(got.status) if got.status in TOLD else f"{got.status // 100}xx"
        kind = kind if got.status else "none"
        what = f"{number}, {who.name}, {address.name}, {request}"
        self.asked[address.name] += 1
        self.answers[who.name][kind] += 1
        self.kinds[request.kind][kind] += 1
        if got.status // 100 in (2, 3) and not _asks_for_login(got):
            self.taken[address.name] += 1
        if kind == "5xx":
            self.errors.append(f"{got.status} to {what}")
        if kind == "none":
            self.silent.append(what)
        self.slow = sorted([*self.slow, (got.seconds, what[:200])], reverse=True)[:SLOW]

    @property
    def is_clean(self) -> bool:
        return not (self.errors or self.leaks)


def _asks_for_login(got: Answer) -> bool:
    return got.leads_to.startswith("/accounts/")


def given_away(world: World, who: Identity, address: Address, request: Request, got: Answer) -> str:
    """What the answer lets somebody have that is not theirs."""
    from tests.tournament import test_access_matrix as matrix

    if not request.plain or address.is_secret or address.slug in who.own:
        return ""
    outsider = matrix.OTHER_ORGANISER if who.user else matrix.PUBLIC
    row = (matrix.CHANGE if request.method == "POST" else matrix.READ).get(address.name)
    let_in = got.status in (200, 201, 204, 409, 422) or (
        got.status == 302 and not _asks_for_login(got)
    )
    if request.method in ("GET", "HEAD", "POST") and row and row[outsider] != matrix.IN and let_in:
        return f"{got.status} to somebody who is none of {address.slug}"
    if request.method != "GET" or got.status != 200 or "account" in address.name:
        return ""
    theirs = " ".join(who.visitor.cookies.values()).encode()
    seen = [one for one in world.secrets.findall(got.body) if one not in theirs]
    return f"shows {seen[0].decode()}" if seen else ""


@dataclass
class Campaign:
    server: Server
    seed: int
    total: int
    result: Result = field(default_factory=Result)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self) -> None:
        first = 0
        while first < self.total:
            last = min(first + WORLD_LASTS, self.total)
            world = a_world(self.server.port, 1 + first // WORLD_LASTS)
            _forget_counts()
            numbers = iter(range(first, last))
            threads = [
                threading.Thread(target=self._send, args=(world, numbers)) for _ in range(CLIENTS)
            ]
            for thread in threads:
                thread.start()
            try:
                for thread in threads:
                    thread.join()
            except (KeyboardInterrupt, SystemExit):  # what was found until now is told
                self.total = 0
                for thread in threads:
                    thread.join()
            first = last

    def _send(self, world: World, numbers: Iterator[int]) -> None:
        from django.db import connections

        while (number := self._next(numbers)) is not None:
            attack = Attack(world, random.Random(f"{self.seed} {number}"))
            who, address, request = attack.compose()
            got = who.visitor.ask(request.method, request.path, request.body, request.headers)
            if number % 200 == 0:
                _forget_counts()
            if who.user and _asks_for_login(got):
                who.signs_in()  # something signed them out
            told = given_away(world, who, address, request, got)
            if told and who.user and address.slug in own_of(who.user):
                told = ""  # they took an invitation up
            with self.lock:
                self.result.see(number, who, address, request, got)
                if told:
                    self.result.leaks.append(f"{told}: {number}, {who.name}, {request}")
        connections.close_all()

    def _next(self, numbers: Iterator[int]) -> int | None:
        with self.lock:
            number = next(numbers, None) if self.total else None
        if number and number % 500 == 0:
            print(f"{number} requests, {len(self.result.errors)} errors", file=sys.stderr)
        return number


def _forget_counts() -> None:
    """Limits are tried elsewhere; here they would make the campaign hollow."""
    from django.core.cache import cache

    cache.clear()


def causes(log: str) -> Counter[str]:
    """The tracebacks in it, by their last lines."""
    told = re.findall(r"ERROR.*\n(?:.*\n)*?(?=\d{4}-|\[|\Z)", log)
    trace = r"Traceback \(most recent call last\):\n((?:[ ].*\n|\n)*)(\S.*)"
    found = [last for one in told if (last := (re.findall(trace, one) or [None])[-1])]
    return Counter(
        f"{error[:200]} ← {' ← '.join(where[-3:][::-1])}"
        for frames, error in found
        if (where := re.findall(r'File "[^"]*?([^/"]+/[^/"]+\.py)", line (\d+)', frames))
        and (where := [":".join(one) for one in where])
    )


def tell(result: Result, log: str, routes: set[str]) -> None:
    columns = ("2xx", "3xx", *map(str, TOLD), "4xx", "5xx", "none")
    for title, table in (("identity", result.answers), ("way", result.kinds)):
        print(f"\n{title:22}" + "".join(f"{one:>7}" for one in columns))
        for name, counts in sorted(table.items()):
            print(f"{name:22}" + "".join(f"{counts[one]:7}" for one in columns))
    print(f"\n{result.asked.total()} requests to {len(result.asked)} of {len(routes)} routes")
    print(f"did nothing for anybody: {', '.join(sorted(routes - {*result.taken})) or 'none'}")
    for title, lines in (
        ("errors", result.errors),
        ("given away", result.leaks),
        ("without an answer", result.silent),
    ):
        print(f"{title}: {len(lines)}")
        for line in lines[:30]:
            print("  ", line.encode(errors="backslashreplace").decode())
    for cause, times in causes(log).most_common(20):
        print(f"  {times} × {cause}")
    print("slowest:")
    for seconds, what in result.slow:
        print(f"   {seconds:.1f} s {what}".encode(errors="backslashreplace").decode())


def all_routes() -> set[str]:
    """Of ours and of the accounts."""
    from django.urls import URLPattern, get_resolver

    def walk(patterns: Any, space: str) -> Iterator[str]:
        for one in patterns:
            if isinstance(one, URLPattern):
                yield f"{space}{one.name}"
            else:
                yield from walk(
                    one.url_patterns, f"{space}{one.namespace}:" if one.namespace else space
                )

    return set(walk(get_resolver().url_patterns, ""))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=38_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true")
    asked = parser.parse_args()
    with a_site(postgres=asked.postgres, LODESTAR_BEHIND_PROXY="1", LODESTAR_JOB_SECONDS="20") as (
        folder,
        _postgres,
    ):
        log = folder / "server.log"
        server = Server(log)
        before = server.workers()
        campaign = Campaign(server, asked.seed, asked.requests)
        try:
            campaign.run()
            died = [pid for pid in before if pid not in server.workers()]
        finally:
            server.stop()
        tell(campaign.result, log.read_text(errors="replace"), all_routes())
    if died:
        print(f"{len(died)} workers died")
    return 0 if campaign.result.is_clean and not died else 1


if __name__ == "__main__":
    sys.exit(main())
