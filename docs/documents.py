"""Make the pictures by which documents are chosen, from the demonstration event.

    .venv/bin/python docs/documents.py

It works in a database of its own, which it throws away, and overwrites static/img/docs/ (small,
for the page of prints) and docs/img/paper-*.webp (for docs/paper.md).
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Collection
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SMALL, LARGE = ROOT / "static" / "img" / "docs", ROOT / "docs" / "img"
LONG_EDGE = {SMALL: 280, LARGE: 900}
MOST = 250_000  # bytes of all small ones

sys.path.insert(0, str(ROOT))
DATA = tempfile.TemporaryDirectory(prefix="lodestar-documents-")
os.environ |= {
    "LODESTAR_DATA_DIR": DATA.name,
    "DATABASE_URL": f"sqlite:///{DATA.name}/pictures.sqlite3",
    "LODESTAR_DEBUG": "1",
    "LODESTAR_SITE_URL": "https://lodestar.example.org",
    "LODESTAR_HTTPS": "0",
    "DJANGO_SETTINGS_MODULE": "config.settings",
}

import django  # noqa: E402

django.setup()

import pypdfium2  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.utils import translation  # noqa: E402
from PIL import Image  # noqa: E402

from tournament.actions import attendance, cuts, events, finals, players, prizes, rounds  # noqa: E402
from tournament.actions.penalties import give_penalty  # noqa: E402
from tournament.actions.scoresheets import confirm_sheet  # noqa: E402
from tournament.demonstration import EVENINGS  # noqa: E402
from tournament.documents.catalogue import DOCUMENTS, documents_for, picture_for  # noqa: E402
from tournament.documents.request import DocumentRequest  # noqa: E402
from tournament.models import Event, Round, User  # noqa: E402
from tournament.models.actors import Actor  # noqa: E402
from tournament.queries.cuts import current_cut, line_of  # noqa: E402
from tournament.queries.prizes import podium_of, raffle_people  # noqa: E402
from tournament.simulation import (  # noqa: E402
    at,
    hand_in,
    invented_names,
    play_deals,
    tables_of,
)


def before_the_day(by: Actor) -> Event:
    """An event that people are registered for, and some are here already."""
    demo = Event.objects.get()
    event = events.create_event(
        settings={
            "name": "Copa de la Mina",
            "venue": "La Mina de Papel",
            "time_zone": demo.time_zone,
            "starts_at": demo.starts_at,
            "registration_closes_at": demo.registration_closes_at,
            "dwarf_note": demo.dwarf_note,
        },
        by=by,
    )
    event = events.publish_event(event=event, by=by)
    entries = [players.PlayerEntry(name=one) for one in invented_names(32, random.Random(7))]
    players.import_players(event=event, entries=entries, by=by)
    for player in event.players.order_by("number")[:5]:
        attendance.check_in(player=player, by=by)
    return event


def play(round_: Round, by: Actor) -> None:
    rng = random.Random(3)
    for table in tables_of(round_):
        table.sheet.refresh_from_db()
        if table.sheet.status == "open":
            play_deals(table, rng)
            hand_in(table)
            table.sheet.refresh_from_db()
        if table.sheet.status == "submitted":
            confirm_sheet(sheet=table.sheet, version=table.sheet.version, by=at(table, 2))
    rounds.close_round(round_=round_, by=by)


def after_the_day(demo: Event, by: Actor) -> None:
    """The demonstration played to its end."""
    player = demo.players.get(number=8)
    give_penalty(
        player=player, infraction="2.1", step=2, reason="Four minutes late for round 2.", by=by
    )
    play(demo.rounds.get(number=3), by)
    cut = cuts.make_cut(event=demo, by=by)
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=by)
    cut = current_cut(demo) or cut
    final = rounds.publish_round(round_=finals.draw_final(cut=cut, by=by), by=by)
    play(final, by)
    events.finish_event(event=demo, by=by)
    give_prizes(demo, by)


def give_prizes(event: Event, by: Actor) -> None:
    """The best three choose, and promo cards are raffled; one thing is left over."""
    for entry in (
        prizes.PrizeEntry("Seat at the national final", "rank", 1, 1, 1),
        prizes.PrizeEntry("Backpack", "choice", 2),
        prizes.PrizeEntry("Scarf", "choice", 2),
        prizes.PrizeEntry("Promo card", "raffle", 12),
    ):
        prizes.add_prize(event=event, entry=entry, by=by)
    for _person in range(3):
        podium = podium_of(event)
        prizes.give_on_podium(
            player=podium.turns[0].player, thing=podium.things[0].prize, by_wish=False, by=by
        )
    prizes.draw_raffle(event=event, here=raffle_people(event), by=by)


def picture(kind: str, event: Event, round_: Round | None) -> Image.Image:
    """A document's first page; of the print pack, its pages behind each other."""
    request = DocumentRequest(event, kind, round_ if DOCUMENTS[kind].of_round else None)
    parts = DOCUMENTS[kind].parts(request, DOCUMENTS[kind].facts(request))
    if kind != "pack":
        return first_page(parts[0]())
    sheets = first_page(parts[2]())
    lists = [first_page(part()) for part in parts[:2]]
    width, height = lists[0].size
    stack = Image.new("RGB", (width, height), "white")
    for place, page in enumerate((sheets, lists[1], lists[0])):
        small = page.resize((round(page.width * 0.66), round(page.height * 0.66)))
        framed = Image.new("RGB", (small.width + 8, small.height + 8), "#8a8070")
        framed.paste(small, (4, 4))
        room = width - framed.width, height - framed.height
        stack.paste(framed, (room[0] * (2 - place) // 2, room[1] * (2 - place) // 2))
    return stack


def first_page(content: bytes) -> Image.Image:
    image: Image.Image = pypdfium2.PdfDocument(content)[0].render(scale=3).to_pil().convert("RGB")
    return image


def write(kind: str, image: Image.Image, folders: Collection[Path] = LONG_EDGE) -> None:
    for folder in folders:
        edge = LONG_EDGE[folder]
        folder.mkdir(parents=True, exist_ok=True)
        share = edge / max(image.size)
        small = image.resize(
            (round(image.width * share), round(image.height * share)), Image.Resampling.LANCZOS
        )
        name = kind if folder == SMALL else f"paper-{kind}"
        small.save(folder / f"{name}.webp", quality=72 if folder == SMALL else 60, method=6)


def of_editions() -> None:
    """What the evenings of a club show in place of a tournament's."""
    call_command("demo", evenings=True, stdout=StringIO())
    for slug, *_rest in EVENINGS.values():
        event = Event.objects.get(slug=slug)
        round_ = event.rounds.order_by("number")[0]
        round_.event = event
        for kind in documents_for(event):
            shown = picture_for(event, kind).name
            if shown.startswith(f"{kind}-"):
                write(shown, picture(kind, event, round_), [SMALL])


def pictures() -> None:
    call_command("migrate", verbosity=0)
    call_command("demo", stdout=StringIO())
    by = Actor.of_user(User.objects.get(email="organiser@example.org"))
    demo = Event.objects.get()
    morning = before_the_day(by)
    running = demo.rounds.get(number=3)
    running.event = demo
    with translation.override("en"):
        for kind, document in DOCUMENTS.items():
            if document.when == "before":
                write(kind, picture(kind, morning, None))
            elif document.of_round and kind != "results":
                write(kind, picture(kind, demo, running))
        after_the_day(demo, by)
        demo.refresh_from_db()
        for kind, document in DOCUMENTS.items():
            if document.when == "after" or kind == "results":
                write(kind, picture(kind, demo, running))
        of_editions()
    taken = sum(path.stat().st_size for path in SMALL.glob("*.webp"))
    print(f"static/img/docs: {taken / 1000:.0f} kB")  # noqa: T201
    assert taken < MOST  # noqa: S101 - the page has to open on a phone


if __name__ == "__main__":
    pictures()
    DATA.cleanup()
