"""Pages that follow an event: what somebody is doing there is not swapped away, the clock is the
server's, and a lost network is told and overcome."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from time import sleep

import pytest
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
    play,
    play_round,
)
from tournament.actions import clocks
from tournament.actions.events import finish_event
from tournament.actions.scoresheets import submit_sheet
from tournament.models import Event, EventVersion
from tournament.models.versions import ALL
from tournament.simulation import at, tables_of

CASES = json.loads((Path(__file__).parent.parent / "vectors" / "clocks.json").read_text())


def touch(event: Event) -> None:
    """Something happens elsewhere, so that the next look brings another page."""
    EventVersion.objects.raise_for(event, ALL)


BEAT = """() => new Promise((done) => {
  document.addEventListener("followed", done, { once: true });
  dispatchEvent(new Event("online"));
})"""


def beat(page: Page) -> list[str]:
    """The page asks what is new, now; which parts and pages it fetched."""
    asked: list[Request] = []

    def listen(one: Request) -> None:
        asked.append(one)

    page.on("request", listen)
    # Twice: the first may have been on its way before what it is to find.
    page.evaluate(BEAT)
    page.evaluate(BEAT)
    expect(page.locator(".htmx-request")).to_have_count(0)
    page.remove_listener("request", listen)
    return [
        one.url for one in asked if one.headers.get("hx-request") == "true" or "/en/?v=" in one.url
    ]


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
    desk = site("event_desk", event.slug)
    assert desk not in beat(laptop)
    # The finger goes elsewhere; what was begun still stands.
    laptop.get_by_role("heading", level=1).click()
    assert desk not in beat(laptop)
    expect(reason).to_have_value("A sheet was")
    # Taken back, the page catches up.
    reason.fill("")
    shaft.get_by_text("Open it again").click()
    laptop.get_by_role("heading", level=1).click()
    assert desk in beat(laptop)
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
    play(other)
    page.evaluate("document.querySelector('#live').dataset.turn = ''")  # no waiting for its turn
    assert not beat(page)
    page.get_by_role("button", name="Confirm the sheet").blur()
    assert beat(page)
    expect_fresh(live)
    page.get_by_role("button", name="Confirm the sheet").tap()
    expect(page.get_by_role("button", name="Confirm the sheet")).to_have_count(0)


def test_what_happens_at_the_own_table_is_on_the_ticket_at_once(phone: Page, site: Site) -> None:
    event = make_event(deals_per_round=1)
    make_players(event, 6)
    (table,) = tables_of(make_round(event))
    enter(table, 1)
    second = table.seats.select_related("player").get(position=2).player
    phone.goto(site("ticket", second.token))
    expect(phone.get_by_role("button", name="Confirm the sheet")).to_have_count(0)
    table.sheet.refresh_from_db()
    submit_sheet(sheet=table.sheet, by=at(table, 1))
    beat(phone)
    expect(phone.get_by_role("button", name="Confirm the sheet")).to_be_visible()


def test_the_standings_change_and_the_words_around_them_stay(laptop: Page, site: Site) -> None:
    event = make_event()
    make_players(event, 5)
    play_round(event)
    laptop.goto(site("standings", event.slug))
    board = laptop.locator("#board")
    assert not beat(laptop), "nothing has changed"
    mark(board)
    late = make_player(event, "Late Arrival")
    assert beat(laptop)
    expect(board.locator(f"#player-{late.number}")).to_contain_text("Late Arrival")
    expect_fresh(board)
    expect(board.locator("input, textarea, select")).to_have_count(0)
    expect(laptop.locator("[data-as-of]")).to_contain_text("As of")


def test_who_has_opened_a_ticket_is_marked_in_the_lists(phone: Page, site: Site) -> None:
    event = make_event()
    people = make_players(event, 6)
    play_round(event)
    phone.goto(site("ticket", people[2].token))
    for name in ("standings", "seats"):
        phone.goto(site(name, event.slug))
        expect(phone.locator(".own")).to_have_count(1)
        expect(phone.locator(".own")).to_contain_text(people[2].name)
    make_player(event)
    beat(phone)
    expect(phone.locator(".own")).to_have_count(1)


def test_a_hidden_page_asks_for_nothing(laptop: Page, site: Site) -> None:
    event = make_event()
    make_players(event, 5)
    laptop.goto(site("standings", event.slug))
    beat(laptop)
    laptop.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    asked: list[Request] = []
    laptop.on("request", lambda one: asked.append(one))
    laptop.evaluate("async () => { dispatchEvent(new Event('online')); await fetch('/health/') }")
    assert [one.url for one in asked if "/live/" in one.url] == []
    laptop.evaluate("delete document.hidden")
    with laptop.expect_request("**/live/**"):
        laptop.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_lost_network_is_told_and_overcome(new_page: Open, site: Site) -> None:
    event = make_event()
    make_players(event, 5)
    play_round(event)
    page = new_page()
    page.clock.install(time=timezone.now())
    page.goto(site("standings", event.slug))
    beat(page)
    page.context.set_offline(True)
    for _ in range(3):
        page.evaluate(BEAT)
    expect(page.locator("[data-as-of]")).to_contain_text("No connection since")
    expect(page.locator("html.offline")).to_have_count(1)
    late = make_player(event, "Late Arrival")
    page.context.set_offline(False)
    # Nobody touches it: it asks again by itself, at most a minute later.
    # What another beat has learnt holds a second, so a quick browser finds it with a later one.
    row = page.locator(f"#player-{late.number}")
    for _ in range(20):
        page.clock.fast_forward("01:30")
        page.evaluate("fetch('/health/')")
        if row.count():
            break
        sleep(0.5)
    expect(row).to_contain_text("Late Arrival")
    expect(page.locator("[data-as-of]")).to_contain_text("As of")
    expect(page.locator("html.offline")).to_have_count(0)


# --- One time ----------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [-90, 90, 3600])
def test_the_clock_is_the_servers_on_a_phone_whose_own_is_wrong(
    wrong: int, new_page: Open, site: Site
) -> None:
    event = make_event(round_minutes=40)
    make_players(event, 6)
    round_ = make_round(event)
    clocks.start_clock(round_=round_, by=organiser(event))
    page = new_page()
    page.clock.install(time=timezone.now() + timedelta(seconds=wrong))
    page.goto(site("seats", event.slug))
    beat(page)
    ends = round_.clock.starts_at + timedelta(minutes=40)
    before = ends - timezone.now()
    shown = page.locator("[data-clock] b").text_content() or ""
    after = ends - timezone.now()
    minutes, seconds = map(int, shown.split(":"))
    left = timedelta(minutes=minutes, seconds=seconds)
    assert after - timedelta(seconds=1) <= left <= before + timedelta(seconds=2)


def test_a_phone_that_slept_takes_the_time_at_once(new_page: Open, site: Site) -> None:
    """After waking, or when somebody sets its clock, the first answer is believed."""
    page = new_page()
    page.goto(site("home"))
    found = page.evaluate(
        """async () => {
          const { learn, serverNow } = await import("/static/js/time.js");
          const real = Date.now;
          let phone = 1_000_000;
          Date.now = () => phone;
          for (let n = 0; n < 8; n += 1) learn(phone - 40, phone, phone - 20 + 5000);
          const before = serverNow() - phone;
          phone += 3_600_000 - 7000;  // slept for an hour, and its clock fell back by 7 seconds
          learn(phone - 60, phone, phone - 30 + 12000);
          const after = serverNow() - phone;
          learn(phone - 9000, phone, phone - 4500 + 11000);  // a slow answer tells little
          const slow = serverNow() - phone;
          Date.now = real;
          return [before, after, slow];
        }"""
    )
    assert found == [5000, 12000, 12000]


def test_every_screen_reads_a_clock_as_the_server_does(phone: Page, site: Site) -> None:
    phone.goto(site("home"))
    found = phone.evaluate(
        """async (cases) => {
          const { reading } = await import("/static/js/time.js");
          const ms = (seconds) => (seconds === null ? null : seconds * 1000);
          return cases.map(({ clock, now, table }) => {
            const own = table && { extra: ms(table.extra), stopped: ms(table.stopped) };
            const { state, ms: left } = reading(
              {
                starts: ms(clock.starts),
                length: ms(clock.length),
                paused: ms(clock.paused),
                pausedFor: ms(clock.pausedFor),
                tables: own ? { 7: own } : {},
                break: null,
              },
              now * 1000,
              "7",
            );
            return [state, left / 1000];
          });
        }""",
        CASES,
    )
    assert found == [[case["state"], case["left"]] for case in CASES]


def test_at_zero_the_table_reads_what_is_so_now(new_page: Open, site: Site) -> None:
    event = make_event(round_minutes=40, at_zero="stop")
    make_players(event, 6)
    round_ = make_round(event)
    (table,) = tables_of(round_)
    clocks.start_clock(round_=round_, by=organiser(event))
    page = new_page()
    page.clock.install(time=timezone.now())
    page.goto(site("table_link:sheet", table.token))
    beat(page)
    clock = page.locator("[data-clock]")
    expect(clock).to_have_attribute("data-state", "running")
    page.context.set_offline(True)  # it needs no network to count
    page.clock.fast_forward("41:00")
    expect(clock).to_have_attribute("data-state", "over")
    expect(clock).to_contain_text("Time is over: stop.")
    expect(clock.locator("b")).to_have_text("0:00")


def test_minutes_are_read_as_people_write_them(phone: Page, site: Site) -> None:
    phone.goto(site("home"))
    shown = phone.evaluate(
        """async () => {
          const { minutes } = await import("/static/js/time.js");
          return [0, 1, 999, 1000, 1001, 59_999, 60_000, 4_500_000].map(minutes);
        }"""
    )
    assert shown == ["0:00", "0:01", "0:01", "0:01", "0:02", "1:00", "1:00", "75:00"]


def test_a_new_seat_is_on_a_ticket_at_once_though_its_turn_comes_later(
    new_page: Open, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a hall the pages of single persons are asked for in turn; the seat is told before."""
    monkeypatch.setattr("tournament.queries.pulse.SECONDS_A_PLAYER", 1000)
    event = make_event()
    people = make_players(event, 6)
    page = new_page()
    page.goto(site("ticket", people[3].token))
    beat(page)
    seat = make_round(event).seats.select_related("table").get(player=people[3])
    beat(page)
    told = page.locator("[data-new-seat]")
    expect(told).to_be_visible()
    expect(told).to_contain_text(f"Tournament round 1: table 1, seat {seat.position}")
    expect(page.locator("#live .answer-place")).to_have_count(0)


def test_the_browser_tells_what_is_new_where_it_is_asked_to(new_page: Open, site: Site) -> None:
    event = make_event()
    people = make_players(event, 6)
    page = new_page(permissions=["notifications"])
    page.add_init_script(
        "window.Notification = class {"
        "  static permission = 'granted';"
        "  constructor(title, { body }) { document.documentElement.dataset.told = body; }"
        "};"
    )
    page.goto(site("ticket", people[3].token))
    beat(page)
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    page.evaluate("document.querySelector('#live').dataset.turn = ''")
    seat = make_round(event).seats.get(player=people[3])
    beat(page)
    expect(page.locator("html")).to_have_attribute(
        "data-told", f"Tournament round 1 · Table 1, seat {seat.position}"
    )


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
