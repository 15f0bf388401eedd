"""The second journey: the day in a browser, as its people tap."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from playwright.sync_api import Page, expect

from tests.browser.devices import LAPTOP, Open, Site
from tests.browser.steps import result_of, tap_deal
from tests.factories import make_player, make_user, play
from tournament.models import Event, Table
from tournament.simulation import tables_of


def log_in_by_typing(page: Page, site: Site) -> None:
    user = make_user("Olga")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    page.goto(site("home"))
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Email").fill(user.email)
    page.get_by_label("Password").fill("pass-word-1")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="My events")).to_be_visible()


def create_and_publish(page: Page) -> Event:
    page.get_by_role("main").get_by_role("link", name="New event").first.click()
    page.get_by_role("button", name="Shop qualifier").click()
    page.get_by_label("Name", exact=True).fill("Copa de la Mina")
    page.get_by_role("button", name="Make the event").click()
    page.get_by_role("button", name="Publish the event").click()
    expect(page.get_by_text("Published. Pass the link on.")).to_be_visible()
    return Event.objects.get()


def register_on_a_phone(page: Page, site: Site, event: Event) -> None:
    page.goto(site("event", event.slug))
    page.get_by_role("link", name="Register", exact=True).tap()
    page.get_by_label("Your name").fill("Ana Ruiz")
    page.get_by_label("Your e-mail").fill("ana@example.org")
    expect(page.get_by_label("The other name")).to_be_hidden()
    page.get_by_label("Another name that I choose").check()
    page.get_by_label("The other name").fill("Pico de Oro")
    page.get_by_role("button", name="Register").tap()
    expect(page.get_by_text("You are registered.")).to_be_visible()
    expect(page.get_by_text("shown as “Pico de Oro”")).to_be_visible()


def check_in_at_the_door(page: Page, site: Site, event: Event) -> None:
    page.goto(site("door", event.slug))
    page.get_by_label("Search").press_sequentially("ana")
    page.get_by_role("button", name=re.compile("Ana Ruiz")).first.click()
    expect(page.get_by_text("Here (undo)")).to_be_visible()
    page.get_by_text("Walk-in", exact=True).click()
    for name in ("Bea Walkin", "Carl Walkin"):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Add and check in").click()
        expect(page.get_by_role("button", name=re.compile(name)).first).to_be_visible()
    for _ in range(7):
        make_player(event)


def draw_swap_and_publish(page: Page, site: Site, event: Event) -> list[Table]:
    page.goto(site("event_desk", event.slug))
    page.get_by_role("link", name="Draw round 1").click()
    page.get_by_role("button", name="Draw round 1").click()
    expect(page.locator(".table-card")).to_have_count(2)
    first, second = page.locator(".table-card").all()
    moved = first.locator(".seat-name").nth(2).inner_text()
    other = second.locator(".seat-name").nth(3).inner_text()
    first.locator(".seat-name").nth(2).click()
    second.get_by_role("button", name=other).click()
    expect(first.locator(".seat-name").nth(2)).to_have_text(other)
    expect(second.locator(".seat-name").nth(3)).to_have_text(moved)
    page.get_by_role("button", name="Publish the seating").click()
    expect(page.get_by_role("link", name="Print the sheets")).to_be_visible()
    tables = tables_of(event.rounds.get())
    swapped = tables[0].seats.get(position=3).player
    assert swapped.name == other
    return tables


def find_seat_while_typing(page: Page, site: Site, event: Event, table: Table) -> None:
    """No button is pressed: the answer comes with the letters."""
    seat = table.seats.select_related("player").get(position=4)
    page.goto(site("seats", event.slug))
    page.get_by_label("Your name").press_sequentially(str(seat.player.number))
    answer = page.locator(".answer")
    expect(answer.locator("dd")).to_have_text([str(table.number), "4"])
    assert "?q=" not in page.url


def play_by_taps(page: Page, site: Site, table: Table) -> None:
    """Three deals at a table of five: one saboteur, one selfish dwarf, three miners."""
    page.goto(site("table_link:sheet", table.token))
    expect(page.get_by_text("Shuffle these role cards")).to_be_visible()
    page.get_by_role("link", name="Enter deal 1").tap()

    # Nothing tapped, then no saboteur: the page stops it and says what is missing.
    page.get_by_role("button", name="Save deal").tap()
    expect(page.get_by_text("First tap who reached the gold, or nobody.")).to_be_visible()
    page.locator('.pick:has(input[value="3"])').tap()
    page.get_by_role("button", name="Save deal").tap()
    expect(page.get_by_text("This table has 1 saboteur.")).to_be_in_viewport()
    expect(page.get_by_text("This table has 1 saboteur.")).to_contain_text("Marked: nobody")
    expect(page.locator("[data-deal-result]")).to_be_hidden()

    tap_deal(page, connector=3, saboteurs=[1], selfish=2)
    expect(page.locator('[data-outcome="miners"]')).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="The miners win.")).to_have_count(1)
    expect(result_of(page, 3).locator("[data-points]")).to_have_text("3")
    expect(result_of(page, 3).locator("[data-star]")).to_be_visible()
    expect(result_of(page, 4).locator("[data-points]")).to_have_text("2")
    expect(result_of(page, 4).locator("[data-star]")).to_be_hidden()
    expect(result_of(page, 1).locator("[data-points]")).to_have_text("0")
    page.get_by_role("button", name="Save deal").tap()
    expect(page.get_by_role("link", name="Enter deal 2")).to_be_visible()

    page.get_by_role("link", name="Enter deal 2").tap()
    tap_deal(page, connector=None, saboteurs=[5], selfish=4)
    expect(page.locator('[data-outcome="saboteurs"]')).to_be_visible()
    page.get_by_role("button", name="Save deal").tap()
    page.get_by_role("link", name="Enter deal 3").tap()
    tap_deal(page, connector=2, saboteurs=[1], selfish=2)
    expect(page.locator('[data-outcome="selfish"]')).to_be_visible()
    page.get_by_role("button", name="Save deal").tap()

    # Deal 2 was another saboteur: corrected before it is submitted.
    expect(page.get_by_text("All deals are entered")).to_be_visible()
    page.locator("#deal-2 summary").tap()
    page.locator("#deal-2").get_by_role("link", name="Correct this deal").tap()
    expect(page.locator('.seat[data-seat="5"] .saboteur input')).to_be_checked()
    page.locator('.seat[data-seat="3"] .saboteur').tap()
    expect(page.locator('.seat[data-seat="5"] .saboteur input')).not_to_be_checked()
    page.get_by_role("button", name="Save deal").tap()
    expect(page.locator("#deal-2 .result li").nth(2)).to_contain_text("4")


def submit_and_confirm(page: Page) -> None:
    page.get_by_role("button", name="Submit the sheet").tap()
    expect(page.get_by_text("Waiting for a second person")).to_be_visible()
    page.locator(".choice").first.tap()
    page.get_by_role("button", name="I have read it: confirm").tap()
    expect(page.get_by_text("This sheet is confirmed.")).to_be_visible()


@pytest.mark.parametrize("scheme", ["dark"])
def test_a_round_is_played_as_people_tap(new_page: Open, laptop: Page, site: Site) -> None:
    log_in_by_typing(laptop, site)
    event = create_and_publish(laptop)
    ana, dealer, wall = new_page(), new_page(), new_page(LAPTOP)
    register_on_a_phone(ana, site, event)
    check_in_at_the_door(laptop, site, event)
    tables = draw_swap_and_publish(laptop, site, event)
    find_seat_while_typing(ana, site, event, tables[0])

    # The standings stand open on the wall. They change by themselves; the page is the same page.
    wall.goto(site("standings", event.slug))
    wall.evaluate("document.body.dataset.mark = 'not loaded again'")
    expect(wall.get_by_text("2 tables are not in yet.")).to_be_visible()
    play_by_taps(dealer, site, tables[0])
    submit_and_confirm(dealer)
    expect(wall.get_by_text("1 table is not in yet.")).to_be_visible()
    third = tables[0].seats.select_related("player").get(position=3).player
    expect(wall.locator(f"#player-{third.number} .num strong")).to_have_text("7")
    expect(wall.locator("body")).to_have_attribute("data-mark", "not loaded again")

    play(tables[1])
    laptop.goto(site("event_desk", event.slug))
    laptop.get_by_role("button", name="Close the round").click()
    expect(laptop.get_by_role("link", name="Draw round 2")).to_be_visible()
    assert event.rounds.get().status == "closed"
