"""A judge is called by two taps, hears it, comes, and is done."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.devices import PHONE, Open, Site, login
from tests.browser.steps import tap_deal
from tests.factories import (
    make_event,
    make_judge,
    make_players,
    make_round,
    organiser,
)
from tournament.actions import calls, clocks, lateness
from tournament.models import Event, JudgeCall, Table
from tournament.simulation import at, tables_of

# What a judge would hear, counted.
COUNT_TONES = """
  window.AudioContext = class {
    state = "suspended"; currentTime = 0; destination = {};
    async resume() { this.state = "running"; }
    createGain() {
      const ramp = () => {};
      return {
        gain: {setValueAtTime: ramp, linearRampToValueAtTime: ramp,
          exponentialRampToValueAtTime: ramp},
        connect: (to) => to,
      };
    }
    createOscillator() {
      return {frequency: {}, connect: (to) => to, stop: () => {},
        start: () => {
          const { dataset } = document.documentElement;
          dataset.tones = Number(dataset.tones ?? 0) + 1;
        }};
    }
  };
"""


@pytest.fixture
def table(db: None) -> Table:
    event = make_event(round_minutes=40)
    make_players(event, 12)
    round_ = make_round(event)
    clocks.start_clock(round_=round_, by=organiser(event))
    return tables_of(round_)[0]


def news(page: Page) -> None:
    """The poll that would come in some seconds, now."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def judge(new_page: Open, site: Site, event: Event, name: str = "notebook") -> Page:
    page = new_page(PHONE)
    page.add_init_script(COUNT_TONES)
    login(page.context, make_judge(event), site.url)
    page.goto(site(name, event.slug))
    return page


def test_two_taps_while_a_deal_is_being_entered(new_page: Open, site: Site, table: Table) -> None:
    """What is tapped on the page stays through all of it."""
    event = table.round.event
    notebook = judge(new_page, site, event)
    expect(notebook.get_by_text("No table has called a judge.")).to_be_visible()
    page = new_page(PHONE)
    page.goto(site("table_link:deal", table.token, 1))
    tap_deal(page, connector=3, saboteurs=[1], selfish=2)
    page.mouse.wheel(0, 2000)

    page.get_by_text("Call a judge", exact=True).tap()
    page.get_by_role("button", name="Call a judge to this table").tap()
    expect(page.get_by_text("A judge is called")).to_be_visible()
    expect(page.locator('.picks input[value="3"]')).to_be_checked()

    news(notebook)
    expect(notebook.get_by_text("1 table has called a judge")).to_be_visible()
    expect(notebook).to_have_title("(1) Judge's notebook · " + f"{event.name} · Lodestar")
    notebook.get_by_role("button", name="I’m coming").tap()
    expect(notebook.locator(".call-row .badge")).to_have_text("Julio is going")
    news(page)
    expect(page.get_by_text("Julio is coming")).to_be_visible()
    expect(page.locator('.picks input[value="3"]')).to_be_checked()

    notebook.get_by_role("button", name="Done").tap()
    expect(notebook.get_by_text("No table has called a judge.")).to_be_visible()
    news(notebook)
    expect(notebook).to_have_title(f"Judge's notebook · {event.name} · Lodestar")
    news(page)
    expect(page.get_by_text("Call a judge", exact=True)).to_be_visible()
    expect(page.locator('.seat[data-seat="2"] input[value="selfish"]')).to_be_checked()
    assert JudgeCall.objects.get().extra_seconds > 0


def test_a_reason_that_is_being_written_is_not_taken_away(
    phone: Page, site: Site, table: Table
) -> None:
    """Another phone of the table calls meanwhile."""
    phone.goto(site("table_link:sheet", table.token))
    phone.get_by_text("Call a judge", exact=True).tap()
    phone.get_by_label("What it is about").fill("a card is")
    calls.call_judge(table=table, reason="", by=at(table, 2))
    with phone.expect_response("**/live/**"):
        news(phone)
    expect(phone.get_by_label("What it is about")).to_have_value("a card is")
    phone.get_by_role("button", name="Call a judge to this table").tap()
    expect(phone.get_by_text("A judge is called")).to_be_visible()
    assert JudgeCall.objects.count() == 1


def test_a_call_needs_no_scripts(new_page: Open, site: Site, table: Table) -> None:
    page = new_page(PHONE, java_script_enabled=False)
    page.goto(site("table_link:sheet", table.token))
    page.get_by_text("Call a judge", exact=True).tap()
    page.get_by_role("button", name="Call a judge to this table").tap()
    expect(page.get_by_text("A judge is called")).to_be_visible()
    page.get_by_role("button", name="Take back").tap()
    expect(page.get_by_text("Call a judge", exact=True)).to_be_visible()


def test_a_new_call_sounds_once_on_whatever_page(new_page: Open, site: Site, table: Table) -> None:
    event = table.round.event
    page = judge(new_page, site, event)
    sound = page.get_by_role("button", name="Sound on")
    sound.tap()
    expect(page.get_by_role("button", name="Sound is on")).to_have_attribute("aria-pressed", "true")
    tones = page.locator("html")
    expect(tones).to_have_attribute("data-tones", "3")
    calls.call_judge(table=table, reason="", by=at(table, 1))
    news(page)
    expect(tones).to_have_attribute("data-tones", "6")
    # The next page has not been touched yet: no sound is allowed, and none is due.
    page.goto(site("prints", event.slug))
    expect(page).to_have_title("(1) " + f"Prints · {event.name} · Lodestar")
    page.locator("h1").tap()
    with page.expect_response("**/live/**"):
        news(page)
    expect(tones).not_to_have_attribute("data-tones", re.compile("."))
    calls.call_judge(
        table=tables_of(table.round)[1], reason="", by=at(tables_of(table.round)[1], 1)
    )
    news(page)
    expect(tones).to_have_attribute("data-tones", "3")


def test_the_standard_of_coming_late_changes_by_itself(
    new_page: Open, site: Site, table: Table
) -> None:
    lateness.report_missing(table=table, positions=[2], by=at(table, 1))
    page = judge(new_page, site, table.round.event, "calls")
    row = page.locator("[data-late]")
    minor, major = row.get_by_text("2.1 Conduct, minor"), row.get_by_text("2.2 Conduct, major")
    expect(minor).to_be_visible()
    expect(major).to_be_hidden()
    # An hour ago: whatever the browser's clock says, that is more than five minutes.
    row.evaluate("row => { row.dataset.starts = Number(row.dataset.starts) - 3600000 }")
    expect(major).to_be_visible()
    expect(minor).to_be_hidden()
    page.get_by_role("button", name="Arrived").tap()
    expect(page.get_by_role("link", name="2.1 Conduct, minor")).to_be_visible()


def test_the_table_ticks_who_is_missing(phone: Page, site: Site, table: Table) -> None:
    phone.goto(site("table_link:sheet", table.token))
    phone.get_by_text("Somebody is missing").tap()
    phone.locator(".choice").nth(1).tap()
    phone.get_by_role("button", name="Tell the judges").tap()
    expect(phone.get_by_text("is not here.")).to_be_visible()
    phone.get_by_role("button", name="Here now").tap()
    expect(phone.get_by_text("is not here.")).to_have_count(0)
