"""What the pages' own small scripts do: a lot checked in the browser, dates with their weekday."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.devices import Look, People, Site
from tests.browser.world import Address, World, of_event, of_ticket, plain


def test_a_lot_is_checked_in_the_browser(look: Look, world: World) -> None:
    def check_it(page: Page) -> None:
        lot = page.locator("article").filter(has=page.locator("[data-secret]")).first
        lot.get_by_role("button", name="Check it here").click()
        expect(lot.locator('[data-says="fingerprint yes"]')).to_be_visible()
        expect(lot.locator('[data-says="order yes"]')).to_be_visible()

    look("anybody", "rules, checked", of_event("rules", "tied")(world), check_it)


def test_a_lot_that_was_bent_is_told(look: Look, world: World) -> None:
    def bend(page: Page) -> None:
        lot = page.locator("article").filter(has=page.locator("[data-secret]")).first
        lot.locator("ol").evaluate("list => list.append(list.firstElementChild)")
        lot.locator("[data-fingerprint]").evaluate("one => (one.textContent = 'f'.repeat(64))")
        lot.get_by_role("button", name="Check it here").click()
        expect(lot.locator('[data-says="fingerprint no"]')).to_be_visible()
        expect(lot.locator('[data-says="order no"]')).to_be_visible()

    look("anybody", "rules, bent", of_event("rules", "tied")(world), bend)


def test_a_new_event_keeps_its_name_and_tells_the_weekday(look: Look, world: World) -> None:
    def fill_in(page: Page) -> None:
        page.get_by_label("Name", exact=True).fill("Copa")
        page.get_by_label("Start", exact=True).fill("2027-07-19T10:00")
        expect(page.get_by_text("Monday")).to_contain_text("19 July 2027")
        page.get_by_role("button", name="National championship").click()
        expect(page.get_by_label("Rounds", exact=True)).to_have_value("4")
        expect(page.get_by_label("Name", exact=True)).to_have_value("Copa")
        expect(page.get_by_text("Monday")).to_contain_text("19 July 2027")

    look("organiser", "new event, national", plain("new_event")(world), fill_in)


def test_a_penalty_takes_three_taps_at_a_known_table(look: Look, world: World) -> None:
    def walk_up(page: Page) -> None:
        page.get_by_role("navigation", name="Tables").get_by_role("link", name="2").tap()
        person = page.locator("#table .answers a").nth(1)
        name = person.locator(".who b").inner_text()
        person.tap()
        once = page.get_by_role("button", name="1.1 Play error, minor")
        expect(once).to_be_in_viewport()
        once.tap()
        expect(page.get_by_text("Recorded: Caution")).to_be_visible()
        told = page.locator("#table .answers a").filter(has_text=name)
        expect(told).to_contain_text("Caution 1.1")

    look("judge", "notebook, recorded", of_event("notebook", "demo")(world), walk_up)


def test_the_inquiry_is_asked_for_where_it_is_needed(look: Look, world: World) -> None:
    def choose(page: Page) -> None:
        expect(page.get_by_label("Who was heard")).to_be_hidden()
        page.get_by_label("Step", exact=True).select_option("4")
        expect(page.get_by_label("Who was heard")).to_be_visible()
        page.get_by_label("Step", exact=True).select_option("2")
        expect(page.get_by_label("Who was heard")).to_be_hidden()
        page.get_by_text("3.0 Unsporting conduct").tap()
        expect(page.get_by_label("Who was heard")).to_be_visible()

    look("judge", "penalty, inquiry", of_event("penalty", "demo", 7)(world), choose)


LARGE: dict[str, tuple[str, Address]] = {
    "desk": ("organiser", of_event("event_desk", "demo")),
    "door": ("organiser", of_event("door", "demo")),
    "player": ("organiser", of_event("player", "demo", 5)),
    "new event": ("organiser", plain("new_event")),
    "log": ("organiser", of_event("log", "demo")),
    "notebook": ("judge", of_event("notebook", "demo", query="?table=2")),
    "penalty": ("judge", of_event("penalty", "demo", 7)),
    "ticket": ("anybody", of_ticket("demo", 5)),
    "standings": ("anybody", of_event("standings", "demo")),
    "event, over": ("anybody", of_event("event", "over")),
}


@pytest.mark.parametrize("letters", [130, 200])
@pytest.mark.parametrize("name", LARGE)
def test_large_letters_make_no_page_wider_than_the_phone(
    name: str, letters: int, people: People, world: World, world_site: Site
) -> None:
    duty, address = LARGE[name]
    page = people(duty)
    page.goto(world_site.url + address(world))
    page.evaluate(f"document.documentElement.style.fontSize = '{letters}%'")
    beyond = page.evaluate(BEYOND)
    assert beyond == []


# What sticks out of the page at the right, but for what scrolls by itself.
BEYOND = """() => [...document.querySelectorAll("main *")]
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .filter((one) => one.checkVisibility({ opacityProperty: true }) && !one.closest(".table-wrap"))
  .filter((one) => !one.closest(".visually-hidden"))
  .map((one) => `${one.tagName}.${one.className}`.slice(0, 60)).slice(0, 5)"""


def test_a_link_into_something_folded_unfolds_it(look: Look, world: World) -> None:
    def is_there(page: Page) -> None:
        expect(page.get_by_label("Rounds", exact=True)).to_be_in_viewport()
        expect(page.get_by_label("Places")).to_be_hidden()

    address = of_event("settings", "demo", query="#id_rounds_planned")(world)
    look("organiser", "settings, a field", address, is_there)
