"""Make the pictures of the documentation from the demonstration event.

    .venv/bin/python docs/pictures.py

Needs Chromium. It works in a database of its own, which it throws
away, and overwrites docs/img/.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "img"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1120, "height": 640}
DESK = {"width": 1120, "height": 1010}
LIMIT = 150_000
SITE = "https://lodestar.example.org"  # stands in QR codes

sys.path.insert(0, str(ROOT))
DATA = tempfile.TemporaryDirectory(prefix="lodestar-pictures-")
os.environ |= {
    "LODESTAR_DATA_DIR": DATA.name,
    "DATABASE_URL": f"sqlite:///{DATA.name}/pictures.sqlite3",
    "LODESTAR_DEBUG": "1",
    "LODESTAR_SITE_URL": SITE,
    "LODESTAR_HTTPS": "0",
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "DJANGO_ALLOW_ASYNC_UNSAFE": "1",
    "LODESTAR_TASKS": "immediate",
}

import django  # noqa: E402
import pypdfium2  # noqa: E402

django.setup()

from django.contrib.staticfiles.handlers import StaticFilesHandler  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

from tournament.actions import attendance, cuts, draws, events, players, rounds  # noqa: E402
from tournament.actions.scoresheets import confirm_sheet  # noqa: E402
from tournament.demonstration import DEMO_SLUG  # noqa: E402
from tournament.models import Event, Round, Table, User  # noqa: E402
from tournament.models.actors import Actor  # noqa: E402
from tournament.queries.cuts import current_cut, line_of  # noqa: E402
from tournament.simulation import (  # noqa: E402
    at,
    hand_in,
    invented_names,
    play_deals,
    tables_of,
)

type Step = Callable[[Page], object]


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Pictures need no access log."""


@contextmanager
def served() -> Iterator[str]:
    """The site, on a free port."""
    with make_server(
        "127.0.0.1",
        0,
        StaticFilesHandler(get_wsgi_application()),
        server_class=WSGIServer,
        handler_class=Quiet,
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Camera:
    """Takes pictures of pages, as somebody."""

    def __init__(self, browser: Browser, site: str, organiser: User) -> None:
        self.browser, self.site = browser, site
        client = Client()
        client.force_login(organiser)
        self.session = client.cookies["sessionid"].value

    def take(
        self,
        address: str,
        size: dict[str, int] = PHONE,
        *,
        light: str = "light",
        staff: bool = False,
        act: Step | None = None,
        part: str = "",
    ) -> Image.Image:
        context = self.browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            color_scheme=light,  # type: ignore[arg-type]
            reduced_motion="reduce",
            device_scale_factor=1.5,
            locale="en-GB",
        )
        if staff:
            context.add_cookies([{"name": "sessionid", "value": self.session, "url": self.site}])
        page = context.new_page()
        page.goto(self.site + address)
        page.evaluate("document.fonts.ready")
        if act:
            act(page)
        seen = page.locator(part).first.screenshot() if part else page.screenshot()
        context.close()
        return Image.open(BytesIO(seen)).convert("RGB")


def framed(image: Image.Image, width: int = 2) -> Image.Image:
    """A thin dark edge, so that a light page does not melt into the text around it."""
    frame = Image.new("RGB", (image.width + 2 * width, image.height + 2 * width), "#5c4f38")
    frame.paste(image, (width, width))
    return frame


def beside(*images: Image.Image, gap: int = 30) -> Image.Image:
    """Side by side, the higher ones made as small as the lowest, on white."""
    height = min(image.height for image in images)
    same = [framed(scaled(image, round(image.width * height / image.height))) for image in images]
    width = sum(image.width for image in same) + gap * (len(same) - 1)
    sheet = Image.new("RGB", (width, same[0].height), "white")
    left = 0
    for image in same:
        sheet.paste(image, (left, 0))
        left += image.width + gap
    return sheet


def scaled(image: Image.Image, width: int) -> Image.Image:
    height = round(image.height * width / image.width)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def palette(image: Image.Image, frequent: int, others: int) -> Image.Image:
    """The most frequent colours as they are, so that grounds stay clean, and a spread of others."""
    counted: list[tuple[int, Any]] = image.getcolors(image.width * image.height) or []
    exact = [colour for _count, colour in sorted(counted, reverse=True)[:frequent]]
    spread = image.quantize(others, method=Image.Quantize.MAXCOVERAGE).getpalette() or []
    held = Image.new("P", (1, 1))
    held.putpalette([part for colour in exact for part in colour] + spread)
    return held


def write(name: str, image: Image.Image, width: int) -> None:
    """As a PNG of few colours; fewer if it would be too large."""
    TARGET.mkdir(exist_ok=True)
    if image.width > width:
        image = scaled(image, width)
    path = TARGET / f"{name}.png"
    for frequent, others in ((160, 96), (96, 64), (40, 40)):
        few = palette(image, frequent, others)
        image.quantize(palette=few, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size < LIMIT:
            break
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")  # noqa: T201


# --- What the pages show -------------------------------------------------------------------


def tap_a_deal(page: Page) -> None:
    """Deal 2 of a table of six: seat 4 reached the gold, two saboteurs, a selfish dwarf."""
    page.locator('.pick:has(input[value="4"])').click()
    for seat in (2, 6):
        page.locator(f'.seat[data-seat="{seat}"] .saboteur').click()
    page.locator('.seat[data-seat="1"] .selfish').click()


def roles_in_view(page: Page) -> None:
    tap_a_deal(page)
    page.locator(".counters").evaluate("part => scrollTo(0, part.offsetTop - 70)")


def result_in_view(page: Page) -> None:
    tap_a_deal(page)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")


def typed(text: str) -> Step:
    def act(page: Page) -> None:
        page.get_by_label("Your name").press_sequentially(text)
        page.locator(".answer").wait_for()

    return act


def sheet_on_paper(session: str, event: Event, round_: Round) -> Image.Image:
    client = Client()
    client.cookies["sessionid"] = session
    answer = client.get(reverse("round_pdf", args=[event.slug, round_.pk]), follow=True)
    pages = pypdfium2.PdfDocument(b"".join(answer))
    image: Image.Image = pages[0].render(scale=110 / 72).to_pil().convert("RGB")
    return image


# --- The day, in the order of docs/running-an-event.md ---------------------------------------


def at_the_door(organiser: User) -> Event:
    """An event before its first round: most are here, a few are still to come."""
    by = Actor.of_user(organiser)
    demo = Event.objects.get(slug=DEMO_SLUG)
    event = events.create_event(
        settings={
            "name": "Copa de la Mina",
            "venue": "La Mina de Papel",
            "time_zone": demo.time_zone,
            "starts_at": demo.starts_at,
            "registration_closes_at": demo.registration_closes_at,
            "capacity": 24,
        },
        by=by,
    )
    event = events.publish_event(event=event, by=by)
    names = invented_names(18, random.Random(7))
    players.import_players(
        event=event, entries=[players.PlayerEntry(name=one) for one in names], by=by
    )
    for player in event.players.order_by("number")[2:]:
        attendance.check_in(player=player, by=by)
    return event


def pictures_of_the_morning(camera: Camera, organiser: User) -> None:
    by = Actor.of_user(organiser)
    new = camera.take(reverse("new_event"), LAPTOP, staff=True)
    write("new-event", framed(new), 900)
    event = at_the_door(organiser)
    door = camera.take(reverse("door", args=[event.slug]), staff=True)
    round_ = draws.draw_round(event=event, by=by, seed=5)
    draft = camera.take(reverse("round", args=[event.slug, round_.pk]), LAPTOP, staff=True)
    write("draft", framed(draft), 900)
    rounds.publish_round(round_=round_, by=by)
    seat = round_.seats.select_related("player").get(table__number=2, position=3)
    seats = camera.take(
        reverse("seats", args=[event.slug]), act=typed(seat.player.name), light="dark"
    )
    write("door-and-seat", beside(door, seats), 700)


def pictures_of_a_round(camera: Camera, demo: Event, running: Round) -> None:
    first, second, third, fourth = tables_of(running)
    link = reverse("table_link:sheet", args=[fourth.token])
    deal = reverse("table_link:deal", args=[fourth.token, 2])
    desk = camera.take(reverse("event_desk", args=[demo.slug]), DESK, light="dark", staff=True)
    standings = camera.take(reverse("standings", args=[demo.slug]))
    roles = camera.take(deal, act=roles_in_view)
    write("overview", beside(desk, roles, standings), 1400)
    write("desk", framed(desk), 900)
    write("dealer", beside(camera.take(link), roles, camera.take(deal, act=result_in_view)), 960)
    write("standings", framed(standings), 360)
    write("sheet", framed(sheet_on_paper(camera.session, demo, running)), 900)
    waiting = camera.take(reverse("table_link:sheet", args=[second.token]))
    paper = camera.take(reverse("staff_table:points", args=[demo.slug, third.pk]), staff=True)
    write("confirm-and-paper", beside(waiting, paper), 700)
    assert first.sheet.status == "confirmed"  # noqa: S101 - what the guide says about it


def finish_the_round(tables: list[Table]) -> None:
    rng = random.Random(3)
    for table in tables:
        table.sheet.refresh_from_db()
        if table.sheet.status == "open":
            play_deals(table, rng)
            hand_in(table)
        elif table.sheet.status == "submitted":
            confirm_sheet(sheet=table.sheet, version=table.sheet.version, by=at(table, 2))


def pictures_of_the_final(camera: Camera, demo: Event, running: Round, organiser: User) -> None:
    by = Actor.of_user(organiser)
    finish_the_round(tables_of(running))
    rounds.close_round(round_=running, by=by)
    cut = cuts.make_cut(event=demo, by=by)
    cut.event = demo
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=by)
    found = current_cut(demo)
    assert found is not None  # noqa: S101 - made above
    cuts.decline_seat(qualifier=found.qualifiers.get(place=3), reason="has to catch a train", by=by)
    finalists = camera.take(
        reverse("cut", args=[demo.slug]), {"width": 1000, "height": 830}, staff=True
    )
    write("finalists", framed(finalists), 800)


def pictures() -> None:
    call_command("migrate", verbosity=0)
    call_command("demo", stdout=StringIO())
    organiser = User.objects.get(email="organiser@example.org")
    demo = Event.objects.get(slug=DEMO_SLUG)
    running = demo.rounds.get(number=3)
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise SystemExit(f"No browser found: install one of {', '.join(BROWSERS)}.")
    with served() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGS)
        camera = Camera(browser, site, organiser)
        pictures_of_a_round(camera, demo, running)
        pictures_of_the_morning(camera, organiser)
        pictures_of_the_final(camera, demo, running, organiser)
        browser.close()


if __name__ == "__main__":
    pictures()
    DATA.cleanup()
