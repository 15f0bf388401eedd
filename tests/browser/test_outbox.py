"""A table without a net: what is entered arrives later, once, in order."""

from __future__ import annotations

import base64
import json
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import ARGS, PATIENCE, browser_path, new_context
from tests.browser.devices import PHONE, Open, Site, login
from tests.browser.steps import tap_deal
from tests.factories import enter, make_table, organiser_of, play
from tests.tournament.test_outbox import Phone
from tournament.actions.scoresheets import DealEntry
from tournament.models import Deal, Event, LogEntry, Scoresheet, Submission, Table
from tournament.models.events import EventStatus

DEALS = "**/deals/"


@pytest.fixture
def new_page(new_page: Open) -> Open:
    """As on a laptop's plain http, which has no service worker."""
    return partial(new_page, service_workers="block")


def offline(page: Page) -> None:
    expect(page.locator('#table[data-steps="kept"]')).to_have_count(1)
    page.context.set_offline(True)


def online(page: Page) -> None:
    page.context.set_offline(False)


def save(page: Page) -> None:
    page.get_by_role("button", name="Save deal").tap()


def open_deal(page: Page, site: Site, table: Table, number: int = 1) -> None:
    page.goto(site("table_link:deal", table.token, number))


def entered(table: Table) -> list[str]:
    return [deal.text for deal in Deal.objects.filter(sheet__table=table).order_by("number")]


def test_a_whole_sheet_is_played_without_a_net(phone: Page, site: Site) -> None:
    table = make_table(5, deals_per_round=2)
    phone.goto(site("table_link:sheet", table.token))
    offline(phone)
    phone.get_by_role("link", name="Enter deal 1").tap()
    tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
    save(phone)
    expect(phone.get_by_text("Kept on this phone, not sent yet (1)")).to_be_visible()
    expect(phone.get_by_role("heading", name="Deal 2 of 2")).to_be_visible()
    tap_deal(phone, connector=None, saboteurs=[4], selfish=5)
    save(phone)
    expect(phone.get_by_role("heading", name="All deals are entered")).to_be_visible()
    expect(phone.locator("main .table.sheet tbody strong")).to_have_text(["0", "0", "3", "6", "2"])
    phone.get_by_role("button", name="Submit the sheet").tap()
    phone.locator(".choice").nth(1).tap()
    phone.get_by_role("button", name="I have read it: confirm").tap()
    expect(phone.get_by_role("heading", name="Confirmed on this phone")).to_be_visible()
    expect(phone.get_by_text("not sent yet (4)")).to_be_visible()
    assert not Deal.objects.exists()

    online(phone)
    expect(phone.get_by_text("This sheet is confirmed.")).to_be_visible()
    assert entered(table) == ["sxmmm:3", "mmmsx:0"]
    verbs = LogEntry.objects.filter(object_type="scoresheet").order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == [
        "deal.entered",
        "deal.entered",
        "sheet.submitted",
        "sheet.confirmed",
    ]


def test_what_is_wrong_in_a_sheet_that_was_not_sent_is_put_right(phone: Page, site: Site) -> None:
    table = make_table(5, deals_per_round=2)
    phone.goto(site("table_link:sheet", table.token))
    offline(phone)
    phone.get_by_role("link", name="Enter deal 1").tap()
    tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
    save(phone)
    phone.get_by_role("button", name="Back to the table").tap()
    expect(phone.get_by_role("heading", name="Table 1")).to_be_visible()
    expect(phone.get_by_role("button", name="Correct deal 2")).to_be_hidden()
    phone.get_by_role("button", name="Enter deal 2").tap()
    tap_deal(phone, connector=None, saboteurs=[4], selfish=5)
    save(phone)
    phone.get_by_role("button", name="Submit the sheet").tap()
    phone.get_by_text("Something is wrong").tap()
    phone.get_by_role("button", name="Open the sheet again").tap()
    expect(phone.get_by_text("not sent yet (2)")).to_be_visible()
    phone.get_by_role("button", name="Correct deal 2").tap()
    phone.locator('.seat[data-seat="4"] .saboteur').tap()
    phone.locator('.seat[data-seat="3"] .saboteur').tap()
    save(phone)
    phone.get_by_role("button", name="Submit the sheet").tap()
    expect(phone.get_by_text("not sent yet (4)")).to_be_visible()
    online(phone)
    expect(phone.get_by_text("The sheet is handed in.")).to_be_visible()
    assert entered(table) == ["sxmmm:3", "mmsmx:0"]


def test_with_a_net_the_server_s_own_page_follows(phone: Page, site: Site) -> None:
    table = make_table(5)
    open_deal(phone, site, table)
    tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
    save(phone)
    expect(phone.get_by_text("Deal 1 is saved. The miners win.")).to_be_visible()
    expect(phone.get_by_role("link", name="Enter deal 2")).to_be_visible()
    assert entered(table) == ["sxmmm:3"]


def test_an_answer_lost_after_the_commit_counts_once(phone: Page, site: Site) -> None:
    table = make_table(5)
    open_deal(phone, site, table)
    lost: list[int] = []

    def lose(route: Route) -> None:
        answer = route.fetch()
        lost.append(answer.status)
        if len(lost) < 3:
            route.abort()
        else:
            route.fulfill(response=answer)

    phone.route(DEALS, lose)
    tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
    save(phone)
    # It took too long to wait for: the table has gone on.
    expect(phone.get_by_role("heading", name="Deal 2 of 3")).to_be_visible()
    expect(phone.get_by_text("Sent: the server has all")).to_be_visible()
    assert lost == [200, 200, 200]
    assert LogEntry.objects.filter(verb="deal.entered").count() == 1


def test_a_closed_tab_sends_from_whatever_page_opens_next(phone: Page, site: Site) -> None:
    table = make_table(5)
    open_deal(phone, site, table)
    phone.route(DEALS, lambda route: route.abort())
    tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
    save(phone)
    expect(phone.get_by_text("not sent yet (1)")).to_be_visible()
    context = phone.context
    phone.close()
    other = context.new_page()
    other.goto(site("standings", table.round.event.slug))
    expect(other.get_by_text("Sent: the server has all")).to_be_visible()
    assert entered(table) == ["sxmmm:3"]


def test_two_phones_without_a_net_and_a_person_decides(new_page: Open, site: Site) -> None:
    table = make_table(5)
    first, second = new_page(), new_page()
    for page in (first, second):
        open_deal(page, site, table)
        offline(page)
    tap_deal(first, connector=2, saboteurs=[1], selfish=5)
    save(first)
    expect(first.get_by_text("not sent yet (1)")).to_be_visible()
    tap_deal(second, connector=None, saboteurs=[4], selfish=3)
    save(second)
    expect(second.get_by_role("heading", name="Deal 2")).to_be_visible()
    tap_deal(second, connector=None, saboteurs=[1], selfish=2)
    save(second)
    expect(second.get_by_text("not sent yet (2)")).to_be_visible()
    online(first)
    # Deal 2 is open there, and stays until it is entered.
    expect(first.get_by_text("Sent: the server has all")).to_be_visible()
    online(second)
    panel = second.get_by_role("alert").filter(has_text="Something else stands there now")
    expect(panel.locator("[data-theirs] .points")).to_have_text(["0", "3", "2", "2", "0"])
    expect(panel.locator("[data-mine] .points")).to_have_text(["0", "0", "0", "4", "0"])
    expect(second.get_by_text("Not sent: it needs you.")).to_be_visible()
    expect(panel.locator("[data-theirs] .differs .seat-no")).to_have_text(["1", "2", "3", "4", "5"])
    expect(panel.locator("[data-theirs]")).to_contain_text("table's link")
    assert entered(table) == ["smmmx:2"]
    panel.get_by_role("button", name="Keep what stands there").tap()
    expect(second.get_by_role("link", name="Enter deal 3")).to_be_visible()
    assert entered(table) == ["smmmx:2", "sxmmm:0"]
    aside = LogEntry.objects.get(verb="deal.declined")
    assert aside.after == {"deal": 1, "connector": None, "roles": "mmxsm"}


def test_mine_may_take_its_place(new_page: Open, site: Site) -> None:
    table = make_table(5)
    first, second = new_page(), new_page()
    for page in (first, second):
        open_deal(page, site, table)
    offline(second)
    tap_deal(second, connector=None, saboteurs=[4], selfish=3)
    save(second)
    expect(second.get_by_text("not sent yet (1)")).to_be_visible()
    tap_deal(first, connector=2, saboteurs=[1], selfish=5)
    save(first)
    expect(first.get_by_role("link", name="Enter deal 2")).to_be_visible()
    online(second)
    second.get_by_role("button", name="Put mine in its place").tap()
    expect(second.get_by_role("link", name="Enter deal 2")).to_be_visible()
    assert entered(table) == ["mmxsm:0"]
    changed = LogEntry.objects.get(verb="deal.corrected")
    assert changed.before["roles"] == "smmmx"


def test_a_half_typed_deal_is_there_again(phone: Page, site: Site) -> None:
    table = make_table(5)
    open_deal(phone, site, table)
    tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
    phone.reload()
    expect(phone.get_by_text("Not saved yet: as it was left here at")).to_be_visible()
    expect(phone.locator('.pick input[value="3"]')).to_be_checked()
    expect(phone.locator('.seat[data-seat="2"] .selfish input')).to_be_checked()
    phone.get_by_role("button", name="Begin anew").tap()
    expect(phone.locator(".pick :checked")).to_have_count(0)
    phone.reload()
    expect(phone.locator(".pick :checked")).to_have_count(0)


def test_without_a_place_to_keep_it_the_plain_form_goes(new_page: Open, site: Site) -> None:
    page = new_page()
    page.add_init_script("Object.defineProperty(window, 'indexedDB', {value: undefined})")
    table = make_table(5)
    open_deal(page, site, table)
    expect(page.get_by_text("This browser keeps nothing")).to_be_visible()
    tap_deal(page, connector=3, saboteurs=[1], selfish=2)
    save(page)
    expect(page.get_by_text("Deal 1 is saved.")).to_be_visible()
    assert entered(table) == ["sxmmm:3"]


def test_a_full_storage_is_told_and_the_plain_form_goes(phone: Page, site: Site) -> None:
    table = make_table(5)
    phone.add_init_script(
        """const put = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = function (...all) {
          if (this.name === "entries") throw new DOMException("full", "QuotaExceededError");
          return put.apply(this, all);
        };"""
    )
    open_deal(phone, site, table)
    tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
    save(phone)
    expect(phone.get_by_text("Deal 1 is saved.")).to_be_visible()
    assert entered(table) == ["sxmmm:3"]


def test_another_phone_carries_what_has_no_net(new_page: Open, site: Site) -> None:
    table = make_table(5)
    dealer, judge = new_page(), new_page()
    open_deal(dealer, site, table)
    offline(dealer)
    tap_deal(dealer, connector=3, saboteurs=[1], selfish=2)
    save(dealer)
    dealer.get_by_text("No net at all here?").tap()
    code = dealer.locator("main [data-qr]")
    expect(code.locator("svg path")).to_be_visible()
    address = code.get_attribute("data-address")
    assert address is not None
    assert len(address) < 220
    judge.goto(address)
    expect(judge.locator("[data-carried] li")).to_have_count(1)
    expect(judge.locator("[data-carried] li")).to_contain_text("Deal 1")
    expect(judge.locator('[data-carried] [data-is="sent"]')).to_be_visible()
    assert entered(table) == ["sxmmm:3"]
    assert LogEntry.objects.get(verb="deal.entered").actor.endswith("@courier")
    judge.goto(address)
    online(dealer)
    expect(dealer.get_by_text("Sent: the server has all")).to_be_visible()
    assert LogEntry.objects.filter(verb="deal.entered").count() == 1


def test_a_table_that_was_seated_anew_says_so(phone: Page, site: Site) -> None:
    table = make_table(5)
    open_deal(phone, site, table)
    offline(phone)
    tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
    save(phone)
    expect(phone.get_by_text("not sent yet (1)")).to_be_visible()
    one, two = table.seats.order_by("position")[:2]
    one.delete()
    two.delete()
    table.seats.create(round=table.round, position=1, player_id=two.player_id)
    table.seats.create(round=table.round, position=2, player_id=one.player_id)
    online(phone)
    panel = phone.get_by_role("alert").filter(has_text="seated anew")
    expect(panel).to_be_visible()
    expect(panel.locator("[data-mine] li")).to_have_count(5)
    phone.goto(site("seats", table.round.event.slug))
    expect(phone.get_by_role("alert").filter(has_text="seated anew")).to_be_visible()
    assert not Deal.objects.exists()
    assert Scoresheet.objects.get(table=table).version == 0


def test_plain_http_by_a_name_has_no_service_worker_and_needs_none(
    phone: Page, site: Site, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    table = make_table(5, deals_per_round=1)
    site.url = site.url.replace("localhost", "laptop.test")
    open_deal(phone, site, table)
    assert phone.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]
    offline(phone)
    tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
    save(phone)
    phone.get_by_role("button", name="Submit the sheet").tap()
    expect(phone.get_by_text("not sent yet (2)")).to_be_visible()
    online(phone)
    expect(phone.get_by_role("heading", name="Waiting for a second person")).to_be_visible()
    expect(phone.get_by_text("The sheet is handed in.")).to_be_visible()
    assert entered(table) == ["sxmmm:3"]


def test_with_a_service_worker_the_page_comes_back_without_a_net(
    chromium: Browser, site: Site
) -> None:
    """localhost counts as safe, as https does."""
    context = new_context(chromium, PHONE, "light")
    page = context.new_page()
    table = make_table(5)
    page.goto(site("table_link:sheet", table.token))
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # now through the worker, which keeps it
    offline(page)
    page.get_by_role("link", name="Enter deal 1").tap()
    tap_deal(page, connector=3, saboteurs=[1], selfish=2)
    save(page)
    expect(page.get_by_text("not sent yet (1)")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Deal 2 of 3")).to_be_visible()
    expect(page.get_by_text("not sent yet (1)")).to_be_visible()
    online(page)
    expect(page.get_by_text("Sent: the server has all")).to_be_visible()
    assert entered(table) == ["sxmmm:3"]
    context.close()


def test_a_phone_that_was_switched_off_sends_when_it_is_on_again(
    chromium: Browser, site: Site, tmp_path: Path
) -> None:
    def switch_on() -> BrowserContext:
        context = chromium.browser_type.launch_persistent_context(
            str(tmp_path),
            executable_path=browser_path(),
            args=ARGS,
            viewport=PHONE,
            has_touch=True,
            service_workers="block",
        )
        context.set_default_timeout(PATIENCE)
        return context

    table = make_table(5)
    on = switch_on()
    page = on.pages[0]
    open_deal(page, site, table)
    offline(page)
    tap_deal(page, connector=3, saboteurs=[1], selfish=2)
    save(page)
    expect(page.get_by_role("heading", name="Deal 2 of 3")).to_be_visible()
    tap_deal(page, connector=4, saboteurs=[5], selfish=2)
    on.close()
    again = switch_on()
    page = again.pages[0]
    page.goto(site("table_link:sheet", table.token))
    expect(page.get_by_role("link", name="Enter deal 2")).to_be_visible()
    assert entered(table) == ["sxmmm:3"]
    page.get_by_role("link", name="Enter deal 2").tap()
    expect(page.locator('.pick input[value="4"]')).to_be_checked()
    again.close()


def test_the_net_drops_at_each_step(phone: Page, site: Site) -> None:
    table = make_table(5, deals_per_round=1)
    phone.goto(site("table_link:sheet", table.token))
    steps = iter((False, True) * 4)

    expect(phone.locator('#table[data-steps="kept"]')).to_have_count(1)

    def flicker() -> None:
        phone.context.set_offline(not next(steps))

    flicker()
    phone.get_by_role("link", name="Enter deal 1").tap()
    phone.locator('.pick:has(input[value="3"])').tap()
    flicker()
    phone.locator('.seat[data-seat="1"] .saboteur').tap()
    flicker()
    phone.locator('.seat[data-seat="2"] .selfish').tap()
    save(phone)
    expect(phone.get_by_text("not sent yet (1)")).to_be_visible()
    flicker()
    # All is there, so the server's page follows.
    expect(phone.get_by_text("Deal 1: The miners win.")).to_be_visible()
    flicker()
    phone.get_by_role("button", name="Submit the sheet").tap()
    expect(phone.get_by_text("not sent yet (1)")).to_be_visible()
    phone.locator(".choice").nth(1).tap()
    flicker()
    phone.get_by_role("button", name="I have read it: confirm").tap()
    expect(phone.get_by_text("This sheet is confirmed.")).to_be_visible()
    assert entered(table) == ["sxmmm:3"]


def test_a_half_typed_paper_sheet_is_there_again(laptop: Page, site: Site) -> None:
    table = make_table(5)
    event = table.round.event
    login(laptop.context, organiser_of(event), site.url)
    address = site("staff_table:points", event.slug, table.pk)
    laptop.goto(address)
    boxes = laptop.locator("[data-typing] input[data-seat]")
    for place, digit in enumerate("00322"):
        boxes.nth(place).fill(digit)
    laptop.reload()
    expect(laptop.get_by_text("Not saved yet: as it was left here at")).to_be_visible()
    expect(boxes.nth(2)).to_have_value("3")
    for place, digit in enumerate("4000000004", 5):
        boxes.nth(place).fill(digit)
    laptop.get_by_role("button", name="Save, show the table").click()
    expect(laptop.get_by_text("Table 1 is saved")).to_be_visible()
    laptop.goto(address)
    expect(boxes.nth(2)).to_have_value("")
    expect(laptop.get_by_text("Not saved yet")).to_be_hidden()


# Another tab writes: whoever asks for what is kept waits until it lets go.
HOLD = """() => new Promise((done) => {
  indexedDB.open("lodestar", 1).onsuccess = ({ target: { result: base } }) => {
    const store = base.transaction("unsaved", "readwrite").objectStore("unsaved");
    const spin = () => {
      if (!window.letGo) store.get("nothing").onsuccess = spin;
      done();
    };
    spin();
  };
})"""
KEPT = """() => new Promise((done) => {
  indexedDB.open("lodestar", 1).onsuccess = ({ target: { result: base } }) => {
    base.transaction("unsaved").objectStore("unsaved").getAll().onsuccess = ({ target }) =>
      done(target.result[0].fields.some(([name, value]) => name === "p-1-1" && value === "4"));
  };
})"""


def test_a_hand_quicker_than_the_draft_loses_nothing(laptop: Page, site: Site) -> None:
    table = make_table(5)
    event = table.round.event
    login(laptop.context, organiser_of(event), site.url)
    laptop.goto(site("staff_table:points", event.slug, table.pk))
    boxes = laptop.locator("[data-typing] input[data-seat]")
    for place, digit in enumerate("3030"):
        boxes.nth(place).fill(digit)
    other = laptop.context.new_page()
    other.goto(site("event", event.slug))
    other.evaluate(HOLD)
    laptop.reload()
    expect(laptop.locator("[data-typing=ready]")).to_be_visible()
    laptop.keyboard.press("4")
    expect(boxes.nth(1)).to_be_focused()
    other.evaluate("window.letGo = true")
    expect(laptop.get_by_text("Not saved yet: as it was left here at")).to_be_visible()
    assert [boxes.nth(place).input_value() for place in range(4)] == ["4", "0", "3", "0"]
    laptop.wait_for_function(KEPT)  # both hands' work
    laptop.reload()
    expect(boxes.nth(0)).to_have_value("4")
    expect(boxes.nth(2)).to_have_value("3")


def test_a_paper_sheet_whose_answer_was_lost_counts_once(laptop: Page, site: Site) -> None:
    table = make_table(5, deals_per_round=1)
    event = table.round.event
    login(laptop.context, organiser_of(event), site.url)
    address = site("staff_table:points", event.slug, table.pk)
    laptop.goto(address)
    boxes = laptop.locator("[data-typing] input[data-seat]")
    for place, digit in enumerate("00322"):
        boxes.nth(place).fill(digit)

    def lose(route: Route) -> None:
        route.fetch(max_redirects=0)
        route.abort()

    laptop.route(address, lose, times=1)
    laptop.get_by_role("button", name="Save, show the table").click(no_wait_after=True)
    expect(laptop.get_by_text("Save, show the table")).to_have_count(0)
    assert entered(table) == ["00322"]
    laptop.context.clear_cookies(name="saved")  # it was in the answer
    laptop.goto(address)
    expect(boxes.nth(2)).to_have_value("3")
    laptop.get_by_role("button", name="Save, show the table").click()
    expect(laptop.get_by_text("Table 1")).not_to_have_count(0)
    assert LogEntry.objects.filter(verb="sheet.typed").count() == 1


def test_a_server_that_fell_back_to_its_copy_is_given_again_what_it_lost(
    phone: Page, site: Site
) -> None:
    table = make_table(5)
    for number in (1, 2):
        open_deal(phone, site, table, number)
        tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
        save(phone)
        expect(phone.get_by_role("link", name=f"Enter deal {number + 1}")).to_be_visible()
    # As the copy of a second earlier has it.
    Deal.objects.filter(number=2).delete()
    Scoresheet.objects.update(version=1)
    last = LogEntry.objects.filter(verb="deal.entered").latest("pk")
    LogEntry.objects.filter(pk=last.pk).delete()
    Submission.objects.latest("pk").delete()
    phone.goto(site("table_link:sheet", table.token))
    expect(phone.get_by_role("link", name="Enter deal 3")).to_be_visible()
    assert entered(table) == ["sxmmm:3", "sxmmm:3"]
    assert LogEntry.objects.filter(verb="deal.entered").count() == 2


# --- What one table, one address, one moment may not spoil for the rest ---------------------------


def keep_one(page: Page, site: Site, table: Table) -> None:
    """One deal of the table on this phone, not sent."""
    open_deal(page, site, table)
    tap_deal(page, connector=3, saboteurs=[1], selfish=2)
    save(page)
    expect(page.get_by_text("not sent yet")).to_be_visible()


def test_one_table_that_fails_holds_up_no_other(phone: Page, site: Site) -> None:
    one, two = make_table(5), make_table(5)
    phone.route(DEALS, lambda route: route.abort())
    keep_one(phone, site, one)
    keep_one(phone, site, two)
    phone.route(f"**/{one.token}/deals/", lambda route: route.fulfill(status=500))
    with phone.expect_response(f"**/{two.token}/deals/"):
        phone.unroute(DEALS)
        phone.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.get_by_text("not sent yet (1)")).to_be_visible()
    assert (entered(one), entered(two)) == ([], ["sxmmm:3"])


def test_a_link_that_led_nowhere_for_a_while_is_tried_again(phone: Page, site: Site) -> None:
    """The second laptop was started before its data were restored."""
    table = make_table(5)
    phone.route(DEALS, lambda route: route.abort())
    keep_one(phone, site, table)
    phone.unroute(DEALS)
    Table.objects.filter(pk=table.pk).update(token="x" * 22)
    phone.goto(site("seats", table.round.event.slug))
    expect(phone.get_by_role("alert").filter(has_text="leads nowhere")).to_be_visible()
    Table.objects.filter(pk=table.pk).update(token=table.token)
    phone.reload()
    expect(phone.get_by_text("Sent: the server has all")).to_be_visible()
    expect(phone.locator("[data-stopped]")).to_be_hidden()
    assert entered(table) == ["sxmmm:3"]


def test_a_refusal_that_is_not_about_the_entry_is_no_answer(phone: Page, site: Site) -> None:
    """The laptop that took over listens to another name."""
    table = make_table(5)
    headers = {"Lodestar-Time": "1796077803480"}
    phone.route(DEALS, lambda route: route.fulfill(status=400, body="<h1>", headers=headers))
    keep_one(phone, site, table)
    phone.unroute(DEALS)
    phone.reload()
    expect(phone.get_by_text("Deal 1 is saved.")).to_be_visible()
    assert entered(table) == ["sxmmm:3"]


def test_what_was_given_up_and_is_refused_can_be_taken_off(phone: Page, site: Site) -> None:
    table = make_table(5)
    phone.route(DEALS, lambda route: route.abort())
    keep_one(phone, site, table)
    enter(table, 1, DealEntry(("miner", "saboteur", "selfish", "miner", "miner"), None))
    phone.unroute(DEALS)
    phone.reload()
    expect(phone.get_by_role("button", name="Keep what stands there")).to_be_visible()
    Event.objects.update(status=EventStatus.FINISHED)
    phone.get_by_role("button", name="Keep what stands there").tap()
    expect(phone.get_by_role("alert").filter(has_text="event is finished")).to_be_visible()
    phone.get_by_role("button", name="take it off this phone").tap()
    expect(phone.locator("[data-stopped]")).to_be_hidden()
    expect(phone.locator("[data-outbox]")).to_be_hidden()


def crafted(*said: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(said).encode()).decode().rstrip("=")


KEY = "a-key-of-a-phone-1"
PLAYERS = "1,2,3,4,5"


@pytest.mark.parametrize(
    ("token", "key", "kind"),
    [
        ("../../accounts/logout/?", KEY, "deal"),
        ("..", KEY, "deal"),
        ("%2e%2e%2fcarry", KEY, "deal"),
        ("", "short", "deal"),
        ("", "a key with\na line in it", "deal"),
        ("", "ñññññññññññññññññññ", "deal"),
        ("", KEY, "carried"),
        ("", KEY, "erase"),
    ],
)
def test_a_crafted_address_leaves_nothing_on_the_phone(
    phone: Page, site: Site, token: str, key: str, kind: str
) -> None:
    table = make_table(5)
    asked: list[str] = []
    phone.on("request", lambda request: request.method == "POST" and asked.append(request.url))
    good = ["a-good-key-of-a-phone", "deal", 1, "sxmmm", 3]
    packed = [good, [key, kind, 1, "sxmmm", 3]]
    label = "<img src=x onerror=alert(1)>"
    phone.goto(site("carry") + "#" + crafted(token or table.token, label, PLAYERS, packed))
    expect(phone.get_by_text("This could not be read or kept.")).to_be_visible()
    assert phone.locator("[data-carried] li").count() == 0
    assert asked == []


def test_names_from_an_address_are_text(phone: Page, site: Site) -> None:
    table = make_table(5)
    packed = [[KEY, "deal", 1, "ssxmm", 3]]  # refused, so that it is shown at length as well
    label = "<img src=x onerror=alert(1)>"
    phone.goto(site("carry") + "#" + crafted(table.token, label, Phone(table).players, packed))
    expect(phone.locator("[data-carried] b")).to_have_text(f"Table {label} · Deal 1")
    expect(phone.locator("[data-stopped] [data-label]")).to_have_text(f"Table {label} · Deal 1")


def test_the_table_that_is_open_is_the_one_that_is_carried(phone: Page, site: Site) -> None:
    one, two = make_table(5), make_table(5)
    phone.route(DEALS, lambda route: route.abort())
    keep_one(phone, site, one)
    keep_one(phone, site, two)
    phone.get_by_text("No net at all here?").tap()
    code = phone.locator("main [data-qr]")
    expect(code.locator("svg path")).to_be_visible()
    said = (code.get_attribute("data-address") or "").partition("#")[2]
    assert json.loads(base64.urlsafe_b64decode(said + "=="))[0] == two.token


def test_behind_a_portal_the_next_deal_is_entered_here(phone: Page, site: Site) -> None:
    table = make_table(5)
    phone.goto(site("table_link:sheet", table.token))
    phone.route("**/*", lambda route: route.fulfill(status=200, body="<h1>Hotel: sign in</h1>"))
    phone.get_by_role("link", name="Enter deal 1").tap()
    expect(phone.get_by_role("heading", name="Deal 1 of 3")).to_be_visible()
    tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
    save(phone)
    expect(phone.get_by_text("not sent yet (1)")).to_be_visible()
    phone.unroute("**/*")
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.get_by_text("Sent: the server has all")).to_be_visible()
    assert entered(table) == ["sxmmm:3"]


def test_on_a_slow_line_a_page_that_is_not_kept_comes_all_the_same(
    chromium: Browser, site: Site
) -> None:
    context = new_context(chromium, PHONE, "light")
    page = context.new_page()
    one, two = make_table(5), make_table(5)
    page.goto(site("table_link:sheet", one.token))
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()

    def slow(route: Route) -> None:
        sleep(5)  # longer than the worker waits where it has something
        route.continue_()

    context.route(f"**/t/{two.token}/", slow)
    page.goto(site("table_link:sheet", two.token))
    expect(page.get_by_role("link", name="Enter deal 1")).to_be_visible()
    context.close()


def test_what_can_not_be_kept_without_a_net_goes_to_its_own_deal(phone: Page, site: Site) -> None:
    """The storage is full, and the net is back by the time the deal is saved."""
    table = make_table(5)
    phone.goto(site("table_link:sheet", table.token))
    offline(phone)
    phone.get_by_role("link", name="Enter deal 1").tap()
    tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
    phone.evaluate("delete IDBObjectStore.prototype.put")
    online(phone)
    save(phone)
    expect(phone.get_by_text("Deal 1 is saved.")).to_be_visible()
    assert entered(table) == ["sxmmm:3"]


def test_without_a_net_no_button_leads_away_from_the_page(phone: Page, site: Site) -> None:
    table = make_table(5)
    phone.goto(site("table_link:sheet", table.token))
    offline(phone)
    phone.get_by_role("combobox", name="Language").select_option("es")
    expect(phone.get_by_role("alert").filter(has_text="No net: this could not")).to_be_visible()
    expect(phone.get_by_role("link", name="Enter deal 1")).to_be_visible()
    online(phone)
    phone.get_by_role("combobox", name="Language").select_option("en")
    expect(phone.get_by_role("link", name="Enter deal 1")).to_be_visible()


def test_back_stays_at_the_table(phone: Page, site: Site) -> None:
    table = make_table(5)
    open_deal(phone, site, table)
    offline(phone)
    tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
    save(phone)
    expect(phone.get_by_role("heading", name="Deal 2 of 3")).to_be_visible()
    phone.evaluate("history.back()")
    expect(phone.get_by_role("heading", name="Deal 2 of 3")).to_be_visible()
    expect(phone.get_by_text("not sent yet (1)")).to_be_visible()


def test_the_second_person_reads_points_and_stars_of_all_deals(phone: Page, site: Site) -> None:
    table = make_table(5, deals_per_round=2)
    open_deal(phone, site, table)
    offline(phone)
    for number in (1, 2):
        tap_deal(phone, connector=3, saboteurs=[1], selfish=2)
        save(phone)
        expect(phone.get_by_text(f"not sent yet ({number})")).to_be_visible()
    phone.get_by_role("button", name="Submit the sheet").tap()
    expect(phone.get_by_role("heading", name="Waiting for a second person")).to_be_visible()
    total = phone.locator("main .table.sheet tbody tr").nth(2).locator("td").last
    expect(total.locator("strong")).to_have_text("6")
    expect(total.locator(".icon")).to_have_count(2)


def test_nothing_takes_the_place_of_a_confirmed_sheet(new_page: Open, site: Site) -> None:
    table = make_table(5, deals_per_round=1)
    late = new_page()
    open_deal(late, site, table)
    offline(late)
    tap_deal(late, connector=None, saboteurs=[4], selfish=3)
    save(late)
    expect(late.get_by_text("not sent yet (1)")).to_be_visible()
    play(table)
    online(late)
    panel = late.get_by_role("alert").filter(has_text="This sheet is confirmed")
    expect(panel).to_be_in_viewport()
    expect(panel.get_by_role("button", name="Put mine in its place")).to_be_hidden()
    panel.get_by_role("button", name="Keep what stands there").tap()
    expect(late.get_by_text("This sheet is confirmed.")).to_be_visible()
