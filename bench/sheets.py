"""A round of tables of six to ten in a throw-away database, printed in several ways."""

import os
import tempfile
from collections.abc import Callable
from html import escape
from pathlib import Path

FOLDER = tempfile.mkdtemp(prefix="lodestar-print-")
os.environ["DATABASE_URL"] = f"sqlite:///{FOLDER}/bench.sqlite3"
os.environ["LODESTAR_DATA_DIR"] = FOLDER

import django  # noqa: E402

django.setup()

import random  # noqa: E402

from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from tournament.actions import players, rounds  # noqa: E402
from tournament.documents import prints  # noqa: E402
from tournament.documents.ask import Ask  # noqa: E402
from tournament.documents.render import fetch  # noqa: E402
from tournament.models import Event, Round, StaffMember, User  # noqa: E402
from tournament.models.rounds import RoundStatus  # noqa: E402
from tournament.queries.paper import paper_sheets  # noqa: E402
from tournament.simulation import COMMAND, Plan, invented_names, simulated_event  # noqa: E402

type Work = tuple[Callable[[], object], Callable[[], bytes]]


def seated(tables: int) -> Round:
    """A published round of so many tables."""
    call_command("migrate", verbosity=0)
    event = simulated_event(Plan(players=0, rounds=3))
    sizes = [6 + number % 5 for number in range(tables)]
    names = invented_names(sum(sizes), random.Random(1))
    players.import_players(
        event=event, entries=[players.Entry(name=name) for name in names], by=COMMAND
    )
    round_ = Round.objects.create(event=event, number=1, deals=3, status=RoundStatus.PUBLISHED)
    keys = iter(event.players.order_by("number").values_list("pk", flat=True))
    rounds.write_tables(round_, [[next(keys) for _ in range(size)] for size in sizes])
    return round_


def ours(count: int) -> Work:
    """The whole way of a job: facts, parts, one file."""
    round_ = seated(count)
    ask = Ask(round_.event, "sheets", round_)
    one = Ask(round_.event, "sheets", round_, tables=(1,))
    return lambda: prints.make(one), lambda: prints.make(ask).read_bytes()


def cached(count: int) -> Work:
    """The whole way of a request for what was made before."""
    round_ = seated(count)
    user = User.objects.create_user(email="bench@example.org", password="x" * 20)
    StaffMember.objects.create(event=round_.event, user=user, duty="organiser")
    prints.make(Ask(round_.event, "sheets", round_))
    client = Client()
    client.force_login(user)
    address = reverse("round_pdf", args=[round_.event.slug, round_.pk])

    def get() -> bytes:
        return b"".join(client.get(address).streaming_content)

    return get, get


def plain(count: int) -> Work:
    """A page a table, a table of cells with borders, all in one document."""
    from weasyprint import HTML

    round_ = seated(count)
    sheets = paper_sheets(round_)

    def document(first: int) -> bytes:
        pages = "".join(page(round_.event, sheet) for sheet in sheets[:first])
        html = HTML(string=f"<style>{STYLE}</style>{pages}", base_url=BASE, url_fetcher=fetch)
        return bytes(html.write_pdf())

    return lambda: document(1), lambda: document(count)


BASE = (Path(__file__).parent.parent / "static" / "css").as_uri() + "/"
STYLE = """
@import url("fonts.css");
@page { size: A4 landscape; margin: 12mm; @bottom-right { content: counter(page) } }
body { font: 11pt "Lodestar Sans"; }
section { break-after: page; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
td, th { border: .3mm solid #000; height: 10mm; }
"""


def page(event: Event, sheet: object) -> str:
    """Seat, name, then role, points and star for each of three deals, then totals."""
    from tournament.documents.codes import qr_svg
    from tournament.queries.paper import PaperSheet

    assert isinstance(sheet, PaperSheet)
    head = "".join(f"<th colspan=3>Deal {deal}" for deal in (1, 2, 3))
    sub = "<th>Role<th>Points<th>Star" * 3
    rows = "".join(
        f"<tr><td>{seat.position}<td colspan=3>{escape(seat.name)}{'<td>' * 11}"
        for seat in sheet.seats
    )
    return (
        f"<section><h1>{escape(event.name)}</h1><p>Table {sheet.table}, {sheet.round.label}</p>"
        f"<div style='width:25mm;height:25mm'>{qr_svg(sheet.link)}</div>"
        f"<p>{sheet.row.saboteur} saboteurs, {sheet.row.miner} miners, {sheet.row.selfish}"
        f" selfish dwarfs, {sheet.row.hand_cards} hand cards</p>"
        f"<table><tr><th rowspan=2>Seat<th rowspan=2 colspan=3>Name{head}<th colspan=2>Total"
        f"<tr>{sub}<th>Points<th>Stars{rows}</table>"
        f"<p>Dealer: ______________ Second person: ______________</p></section>"
    )
