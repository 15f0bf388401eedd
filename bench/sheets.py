"""A round of tables of six to ten in a throw-away database, printed in several ways."""

from collections.abc import Callable
from html import escape
from pathlib import Path

import django

django.setup()

from tournament.documents import store  # noqa: E402
from tournament.documents.layout.rendering import fetch  # noqa: E402
from tournament.documents.request import DocumentRequest  # noqa: E402
from tournament.models import Event, Round  # noqa: E402
from tournament.models.rounds import RoundStatus  # noqa: E402
from tournament.queries.printed_sheets import TournamentSheet, printed_sheets  # noqa: E402

type Work = tuple[Callable[[], object], Callable[[], bytes]]


def seat(tables: int) -> None:
    """Make the database with a published round of so many tables."""
    import random

    from django.core.management import call_command

    from tournament.actions import players, seats
    from tournament.models import StaffMember, User
    from tournament.simulation import COMMAND, SimulationPlan, invented_names, simulated_event

    call_command("migrate", verbosity=0)
    event = simulated_event(SimulationPlan(players=0, rounds=3))
    sizes = [6 + number % 5 for number in range(tables)]
    names = invented_names(sum(sizes), random.Random(1))
    players.import_players(
        event=event, entries=[players.PlayerEntry(name=name) for name in names], by=COMMAND
    )
    round_ = Round.objects.create(event=event, number=1, deals=3, status=RoundStatus.PUBLISHED)
    keys = iter(event.players.order_by("number").values_list("pk", flat=True))
    seats.write_tables(round_, [[next(keys) for _ in range(size)] for size in sizes])
    user = User.objects.create_user(email="bench@example.org", password="x" * 20)
    StaffMember.objects.create(event=event, user=user, duty="organiser")


def seated() -> Round:
    """That round."""
    return Round.objects.select_related("event").get()


def ours(_count: int) -> Work:
    """The whole way of a job: facts, parts, one file."""
    round_ = seated()
    request = DocumentRequest(round_.event, "sheets", round_)
    one = DocumentRequest(round_.event, "sheets", round_, tables=(1,))
    return lambda: store.make(one), lambda: store.make(request).read_bytes()


def cached(_count: int) -> Work:
    """The whole way of a request for what was made before."""
    from django.test import Client
    from django.urls import reverse

    from tournament.models import User

    round_ = seated()
    store.make(DocumentRequest(round_.event, "sheets", round_))
    client = Client()
    client.force_login(User.objects.get())
    address = reverse("round_pdf", args=[round_.event.slug, round_.pk])

    def get() -> bytes:
        return b"".join(client.get(address))

    return get, get


def plain(count: int) -> Work:
    """A page a table, a table of cells with borders, all in one document."""
    from weasyprint import HTML

    round_ = seated()
    sheets = [one for one in printed_sheets(round_) if isinstance(one, TournamentSheet)]

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


def page(event: Event, sheet: TournamentSheet) -> str:
    """Seat, name, then role, points and star for each of three deals, then totals."""
    from tournament.documents.layout.codes import qr_svg

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
