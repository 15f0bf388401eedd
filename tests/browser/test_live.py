"""Pages that refresh by themselves: what somebody is doing there is not swapped away."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.devices import Open, Site, login
from tests.factories import (
    enter,
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play_round,
)
from tournament.actions import clocks, staff
from tournament.actions.events import finish_event
from tournament.actions.scoresheets import submit_sheet
from tournament.models import Event
from tournament.simulation import at, tables_of


def touch(event: Event) -> None:
    """Something happens elsewhere, so that the next poll brings another page."""
    staff.invite(event=event, email="new@example.org", duty="judge", by=organiser(event))


def let_it_poll(page: Page, part: str) -> bool:
    """The poll that is due, now. True if it went out to the server.

    The question after it is answered later than the poll was sent, so nothing is left to chance.
    """
    asked: list[bool] = []
    expect(page.locator(f"{part}.htmx-request")).to_have_count(0)  # one at a time

    def listen(one: Request) -> None:
        asked.append(one.headers.get("hx-request") == "true")

    page.on("request", listen)
    page.evaluate(
        "async part => { htmx.trigger(part, 'every', {}, false); await fetch('/health/') }", part
    )
    page.remove_listener("request", listen)
    return any(asked)


def mark(part: Locator) -> None:
    part.evaluate("part => { part.dataset.mark = 'old' }")


def expect_fresh(part: Locator) -> None:
    expect(part).not_to_have_attribute("data-mark", "old")


def test_the_reason_that_is_typed_on_the_desk_stays(laptop: Page, site: Site) -> None:
    """The finished event's desk asks for a reason inside the part that refreshes."""
    event = make_event(cut_size=0, rounds_planned=1)
    make_players(event, 5)
    play_round(event)
    finish_event(event=event, by=organiser(event))
    login(laptop.context, organiser_of(event), site.url)
    laptop.goto(site("event_desk", event.slug))
    shaft = laptop.locator("#shaft")
    mark(shaft)
    shaft.get_by_text("Open it again").click()
    reason = shaft.get_by_label("Reason")
    reason.fill("A sheet was")
    touch(event)
    assert not let_it_poll(laptop, "#shaft")
    # The finger goes elsewhere; what was begun still stands.
    laptop.get_by_role("heading", level=1).click()
    assert not let_it_poll(laptop, "#shaft")
    expect(reason).to_have_value("A sheet was")
    # Taken back, the page catches up.
    reason.fill("")
    shaft.get_by_text("Open it again").click()
    laptop.get_by_role("heading", level=1).click()
    assert let_it_poll(laptop, "#shaft")
    expect_fresh(shaft)


def test_the_button_under_a_thumb_on_a_ticket_stays(new_page: Open, site: Site) -> None:
    event = make_event(deals_per_round=1)
    make_players(event, 10)
    table, other = tables_of(make_round(event))
    enter(table, 1)
    table.sheet.refresh_from_db()
    submit_sheet(sheet=table.sheet, by=at(table, 1))
    second = table.seats.select_related("player").get(position=2).player
    page = new_page()
    page.goto(site("ticket", second.token))
    live = page.locator("#live")
    mark(live)
    page.get_by_role("button", name="Confirm the sheet").focus()
    enter(other, 1)
    assert not let_it_poll(page, "#live")
    page.get_by_role("button", name="Confirm the sheet").blur()
    assert let_it_poll(page, "#live")
    expect_fresh(live)
    page.get_by_role("button", name="Confirm the sheet").tap()
    expect(page.get_by_role("button", name="Confirm the sheet")).to_have_count(0)


def test_the_standings_change_and_the_words_around_them_stay(laptop: Page, site: Site) -> None:
    event = make_event()
    make_players(event, 5)
    play_round(event)
    laptop.goto(site("standings", event.slug))
    board = laptop.locator("#board")
    mark(board)
    assert let_it_poll(laptop, "#board")
    late = make_player(event, "Late Arrival")
    assert let_it_poll(laptop, "#board")
    expect(board.locator(f"#player-{late.number}")).to_contain_text("Late Arrival")
    expect_fresh(board)
    expect(board.locator("input, textarea, select")).to_have_count(0)


def test_a_hidden_page_asks_for_nothing(laptop: Page, site: Site) -> None:
    event = make_event()
    make_players(event, 5)
    laptop.goto(site("standings", event.slug))
    laptop.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    assert not let_it_poll(laptop, "#board")
    laptop.evaluate("delete document.hidden")
    with laptop.expect_request("**/standings/"):
        laptop.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_break_makes_the_clock_page_ask_once(laptop: Page, site: Site) -> None:
    """What the server says of a break is what the script says of it: nothing has changed."""
    event = make_event(round_minutes=45)
    make_players(event, 6)
    clocks.start_clock(round_=make_round(event), by=organiser(event))
    until = timezone.now() + timedelta(hours=1)
    clocks.announce_break(event=event, ends_at=until, text="Lunch", by=organiser(event))
    login(laptop.context, organiser_of(event), site.url)
    asked: list[str] = []

    def listen(one: Request) -> None:
        if one.headers.get("hx-request"):
            asked.append(one.url)

    laptop.on("request", listen)
    with laptop.expect_response("**/live/**"):
        laptop.goto(site("clock", event.slug))
    expect(laptop.locator(".clock[data-state=break]")).to_contain_text("Lunch")
    for _later in range(3):
        laptop.evaluate("fetch('/health/')")
    assert asked == []
