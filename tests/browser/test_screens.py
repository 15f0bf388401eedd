"""A television in the hall: large enough, nothing scrolls, and it finds its way back by itself."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.checks import Watch
from tests.browser.devices import Open, Site
from tests.browser.world import finalists, over
from tests.factories import (
    enter,
    make_event,
    make_players,
    make_round,
    make_user,
    organiser,
)
from tournament.actions import clocks, events, finals, rounds, screens
from tournament.models import Event, RoundClock, Screen
from tournament.models.screens import View
from tournament.queries import screen_pages
from tournament.simulation import tables_of

TELEVISION = {"width": 1920, "height": 1080}
SIZES = (TELEVISION, {"width": 1280, "height": 720}, {"width": 3840, "height": 2160})

# What lies outside the glass or is cut off, and the smallest letters of what people look for.
FAULTS = """() => {
  // In one step with the look: the picture is moved again and again.
  document.getElementById("picture").style.translate = "";
  const found = [];
  const {scrollWidth, scrollHeight} = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push("it scrolls");
  for (const one of document.querySelectorAll(".picture *")) {
    if (!one.checkVisibility() || one.closest("svg")) continue;
    const {left, top, right, bottom, width} = one.getBoundingClientRect();
    const what = `${one.tagName}.${one.className}`;
    if (width && (left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1))
      found.push(`${what} is outside`);
    const cuts = getComputedStyle(one).overflow === "hidden" && one.clientHeight;
    if (cuts && one.scrollHeight > one.clientHeight + 2) found.push(`${what} is cut`);
  }
  for (const list of document.querySelectorAll(".names ol, .ranks ol, .drawn ol")) {
    if (!list.checkVisibility()) continue;
    const rows = [...list.children].map((one) => one.getBoundingClientRect());
    const {bottom} = list.parentElement.getBoundingClientRect();
    if (rows.some((row) => row.bottom > bottom + 1)) found.push("rows run out of the page");
    const letters = parseFloat(getComputedStyle(list).fontSize);
    if (rows.some((row) => row.height < letters)) found.push("rows lie on each other");
  }
  return found;
}"""
LETTERS = """() => {
  const sought = ".names li *, .ranks li *, .drawn li *, .deals td, .deals th, .clock b, .tables *,"
    + ".champion, .step, .invite p, .told, .note, .message p";
  const sizes = [...document.querySelectorAll(sought)]
    .filter((one) => one.checkVisibility() && one.textContent.trim() && !one.closest("svg"))
    .map((one) => parseFloat(getComputedStyle(one).fontSize));
  return sizes.length ? Math.min(...sizes) : null;
}"""


def hang_up(event: Event, **steered: Any) -> Screen:
    screen = screens.add_screen(event=event, name="Entrance", by=organiser(event))
    Screen.objects.filter(pk=screen.pk).update(**steered)
    return screen


def beat(page: Page) -> None:
    """The question that is due, now."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def field(players: int, **settings: Any) -> Event:
    event = make_event(**settings)
    make_players(event, players)
    make_round(event)
    return event


def playing_final() -> Event:
    event = finalists(make_user(), "Final")
    final = finals.draw_final(cut=event.cuts.get(), by=organiser(event), seed=1)
    rounds.publish_round(round_=final, by=organiser(event))
    enter(tables_of(final)[0], 1)
    return event


def with_a_message() -> Event:
    event = field(6)
    hang_up(event)
    until = timezone.now() + timedelta(hours=2)
    screens.say_on_screens(
        event=event,
        only=None,
        text="Lunch is in the hall beside the entrance; the next round begins at half past two",
        until=until,
        by=organiser(event),
    )
    return event


def timed() -> Event:
    event = field(60, round_minutes=45)
    clocks.start_clock(round_=event.rounds.get(), by=organiser(event))
    return event


EVENTS = {
    View.REGISTRATION: lambda: make_event(capacity=40, name="Open " * 18),
    View.SEATING: lambda: field(60),
    View.CLOCK: timed,
    View.STANDINGS: lambda: over(make_user()),
    View.LOT: lambda: finalists(make_user(), "Lot"),
    View.FINAL: playing_final,
    View.PODIUM: lambda: over(make_user()),
    View.BLANK: with_a_message,
}


@pytest.mark.parametrize("view", EVENTS)
def test_nothing_scrolls_and_it_is_read_from_ten_metres(
    new_page: Open, site: Site, view: View
) -> None:
    event = EVENTS[view]()
    screen = event.screens.first() or hang_up(event)
    Screen.objects.filter(pk=screen.pk).update(shows=view)
    page = new_page(TELEVISION)
    watch = Watch(page)
    page.goto(site("screen", screen.token))
    expect(page.locator("html.js")).to_be_attached()
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.evaluate(FAULTS) == [], size
        letters = page.evaluate(LETTERS)
        assert letters is None or letters >= 0.048 * size["height"] - 0.5, size
    assert watch.faults == []


def test_every_grid_of_names_fits_the_screen(new_page: Open, site: Site) -> None:
    screen = hang_up(field(12), shows=View.SEATING)
    page = new_page(TELEVISION)
    page.goto(site("screen", screen.token))
    page.route("**/*", lambda _route: None)  # no news comes while its names are others
    for grid in screen_pages.SEATING:
        page.evaluate(
            """({rows, columns, name}) => {
              const names = document.querySelector(".names");
              names.className = `names block ${name}`;
              const row = "<li><span>Maximiliana Villanueva Fernández</span><b>333</b></li>";
              names.innerHTML = `<ol>${row.repeat(rows)}</ol>`.repeat(columns);
            }""",
            {"rows": grid.rows, "columns": grid.columns, "name": grid.name},
        )
        for size in SIZES:
            page.set_viewport_size(size)
            assert page.evaluate(FAULTS) == [], (grid, size)
            letters = page.evaluate(LETTERS)
            assert abs(letters - grid.letters / 100 * size["height"]) < 0.5, (grid, size)


def test_a_lost_network_comes_back_without_a_hand(new_page: Open, site: Site) -> None:
    event = timed()
    screen = hang_up(event)
    page = new_page(TELEVISION)
    page.goto(site("screen", screen.token))
    clock = page.locator(".time .clock b")
    expect(clock).to_contain_text(":")
    page.evaluate("window.kept = true")
    page.context.set_offline(True)
    for _failure in range(3):
        with page.expect_event("requestfailed"):
            beat(page)
        page.wait_for_timeout(0)
    expect(page.locator(".offline-line")).to_contain_text("No connection since")
    assert page.evaluate(FAULTS) == []
    # It goes on counting, and what happens meanwhile waits for it.
    before = clock.text_content()
    expect(clock).not_to_have_text(before or "")
    screens.steer_screen(
        screen=screen, shows=View.BLANK, through=None, version=1, by=organiser(event)
    )
    page.context.set_offline(False)
    expect(page.locator(".view-blank")).to_be_attached()
    expect(page.locator(".offline-line")).to_have_text("")
    assert page.evaluate("window.kept"), "nobody reloaded it"


def test_a_televisions_wrong_clock_is_put_right(new_page: Open, site: Site) -> None:
    event = timed()
    RoundClock.objects.update(starts_at=timezone.now().replace(microsecond=0))
    screen = hang_up(event)
    page = new_page(TELEVISION)
    page.add_init_script("const now = Date.now; Date.now = () => now() + 90_000;")
    page.goto(site("screen", screen.token))
    ends = int((RoundClock.objects.get().starts_at + timedelta(minutes=45)).timestamp() * 1000)
    page.wait_for_function(
        """(ends) => {
          const [minutes, seconds] = document.querySelector(".clock b").textContent.split(":");
          const left = (ends - (Date.now() - 90_000)) / 1000;
          return Math.abs(60 * minutes + 1 * seconds - left) < 30;
        }""",
        arg=ends,
    )


def test_two_televisions_turn_alike(new_page: Open, site: Site) -> None:
    """By the server's time: what is up is what the server says is up."""
    screen = hang_up(field(60))
    page = new_page(TELEVISION)
    page.add_init_script("const now = Date.now; Date.now = () => now() + 90_000;")
    page.goto(site("screen", screen.token))
    page.wait_for_function(
        """async () => {
          const {serverNow} = await import("/static/js/time.js");
          const pages = [...document.querySelectorAll("[data-page]")];
          const {seconds} = document.getElementById("picture").dataset;
          const up = Math.floor(serverNow() / 1000 / seconds) % pages.length;
          return Math.abs(serverNow() + 90_000 - Date.now()) < 30_000
            && pages.every((one, n) => one.hidden === (n !== up));
        }"""
    )


def test_the_desk_pauses_a_television(new_page: Open, site: Site) -> None:
    event = field(60)
    screen = hang_up(event)
    page = new_page(TELEVISION)
    page.goto(site("screen", screen.token))
    expect(page.locator("[data-page]:not([hidden])")).to_have_count(1)
    screens.turn_screen(screen=screen, by_pages=1, version=1, by=organiser(event))
    held = Screen.objects.get().page
    beat(page)
    expect(page.locator("[data-paused]")).to_be_attached()
    expect(page.locator("[data-page]").nth(held)).to_be_visible()
    expect(page.locator("[data-page]:not([hidden])")).to_have_count(1)


def test_a_switched_off_television_says_so_and_asks_no_more(new_page: Open, site: Site) -> None:
    event = field(6)
    screen = hang_up(event)
    page = new_page(TELEVISION)
    page.goto(site("screen", screen.token))
    screens.revoke_screen(screen=screen, by=organiser(event))
    beat(page)
    expect(page.get_by_text("This screen is switched off")).to_be_visible()
    expect(page.locator("script")).to_have_count(0)


def test_a_hidden_event_leaves_the_television_and_comes_back(new_page: Open, site: Site) -> None:
    event = make_event()
    screen = hang_up(event)
    page = new_page(TELEVISION)
    page.clock.install()
    page.goto(site("screen", screen.token))
    expect(page.locator(".view-registration")).to_be_visible()
    events.unpublish_event(event=event, by=organiser(event))
    for _failure in range(3):
        with page.expect_response("**/live/**"):
            beat(page)
        page.wait_for_timeout(0)
    expect(page.locator("html.offline")).to_be_attached()
    page.clock.run_for(20_000)
    expect(page.get_by_text("Nothing is shown at the moment.")).to_be_visible()
    expect(page.locator(".offline-line")).to_be_hidden()
    events.publish_event(event=Event.objects.get(pk=event.pk), by=organiser(event))
    beat(page)
    expect(page.locator(".view-registration")).to_be_visible()


def test_one_touch_starts_it_and_a_tone_ends_the_time(new_page: Open, site: Site) -> None:
    event = timed()
    screen = hang_up(event)
    page = new_page(TELEVISION)
    page.goto(site("screen", screen.token))
    expect(page.locator(".clock[data-state=running]")).to_be_visible()
    page.get_by_role("button", name="Start this screen").click()
    expect(page.locator("[data-start]")).to_be_hidden()
    RoundClock.objects.update(starts_at=timezone.now() - timedelta(hours=1))
    clocks.add_time(round_=event.rounds.get(), seconds=-60, by=organiser(event))
    beat(page)
    expect(page.locator("html[data-toned]")).to_be_attached()
    expect(page.locator(".time .clock")).to_contain_text("Time is over")
    assert page.evaluate(FAULTS) == []


def test_a_stream_sees_through_it(new_page: Open, site: Site) -> None:
    screen = hang_up(field(6))
    page = new_page(TELEVISION)
    page.goto(site("screen", screen.token) + "?bare")
    grounds = "[document.documentElement, document.body, document.getElementById('picture')]"
    clear = f"{grounds}.map((one) => getComputedStyle(one).backgroundColor)"
    assert page.evaluate(clear) == ["rgba(0, 0, 0, 0)"] * 3
    expect(page.locator("[data-start]")).to_have_count(0)
    assert page.evaluate(FAULTS) == []
