"""Finding one's seat as letters are typed, without a question to the server."""

from __future__ import annotations

from playwright.sync_api import Page, Request, expect

from tests.browser.devices import Site
from tests.factories import make_event, make_players, make_round
from tests.names import HARD_NAMES
from tournament.models import Event, Player
from tournament.models.versions import ALL, EventVersion
from tournament.queries.seats import find_seats, table_rows
from tournament.queries.versions import versions_of
from tournament.web.live import pages


def named_event() -> Event:
    """Everybody seated has a hard name."""
    event = make_event()
    players = make_players(event, len(HARD_NAMES))
    for player, hard in zip(players, HARD_NAMES, strict=True):
        Player.objects.filter(pk=player.pk).update(name=hard.name, name_style="full")
    make_round(event)
    EventVersion.objects.raise_for(event, ALL)
    pages.forget()
    return event


def shown(page: Page) -> list[str]:
    return [one.strip() for one in page.locator("#answer [data-slot=name]").all_text_contents()]


def test_the_browser_finds_whom_the_server_finds(phone: Page, site: Site) -> None:
    event = named_event()
    assert versions_of(event).seats
    tables = table_rows(event.rounds.get())
    phone.goto(site("seats", event.slug))
    box = phone.get_by_label("Your name")
    searches = {search for hard in HARD_NAMES for search in (*hard.found_by, hard.name)}
    searches |= {"7", "#7", "No. 7", "n.º 7", "zzz", "an", "1 2"}
    wrong = {}
    asked: list[Request] = []
    phone.on("request", lambda one: asked.append(one) if "q=" in one.url else None)
    for search in sorted(searches):
        box.fill(search)
        wanted = sorted(row.name for row in find_seats(tables, search))[:20]
        if sorted(shown(phone)) != wanted:
            wrong[search] = (shown(phone), wanted)
    assert wrong == {}
    assert asked == []


def test_the_answer_says_table_and_seat(phone: Page, site: Site) -> None:
    event = make_event()
    make_players(event, 12)
    seat = make_round(event).seats.select_related("player", "table").get(player__number=5)
    phone.goto(site("seats", event.slug))
    phone.get_by_label("Your name").fill("5")
    answer = phone.locator("#answer .answer")
    expect(answer).to_contain_text("Tournament round 1")
    expect(answer.locator("[data-slot=table]")).to_have_text(str(seat.table.number))
    expect(answer.locator("[data-slot=seat]")).to_have_text(str(seat.position))
    phone.get_by_label("Your name").fill("")
    expect(answer).to_have_count(0)


def test_without_a_script_the_server_answers(new_page, site: Site) -> None:
    event = make_event()
    make_players(event, 12)
    make_round(event)
    page = new_page(java_script_enabled=False)
    page.goto(site("seats", event.slug))
    page.get_by_label("Your name").fill("5")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("#answer .answer")).to_have_count(1)
    expect(page.locator("[data-as-of]")).to_contain_text("As of")
