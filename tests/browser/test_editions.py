"""The deals of the editions on a phone: few taps, the same sums as the server's, and no net."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scoring.editions import EDITIONS
from scoring.refusal import Refusal
from tests.browser.checks import Watch, check
from tests.browser.devices import Open, Site
from tests.browser.test_outbox import entered, offline, online, save
from tests.factories import make_table
from tournament.models import Deal
from tournament.queries.edition_deals import edition_numbers

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "vectors" / "editions.jsonl").read_text().splitlines()
]
PAY = """async ([rules, text, before]) => {
  const module = await import("/static/js/editions.js");
  return module.payout(rules, text, before);
}"""


class Thumb:
    """Counts its taps."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, selector: str) -> None:
        self.page.locator(selector).first.tap()
        self.taps += 1

    def save(self) -> None:
        save(self.page)
        self.taps += 1


def test_the_script_pays_what_the_rules_pay(phone: Page, site: Site) -> None:
    phone.goto(site("table_link:deal", make_table(2, ruleset="duel").token, 1))
    asked = []
    for case in CASES:
        given = dict(case["request"])
        edition = EDITIONS.get(given.pop("ruleset"))
        before = given.pop("before", None)
        if edition is None:
            continue
        try:
            deal = edition.read_deal(given)
            size = deal.seats or 0
            wanted = list(edition.result(deal, size, before or ()).points)
        except Refusal:
            continue
        if deal.facts is None:
            continue
        numbers = edition_numbers(edition, size)
        text = "void" if deal.void else edition.write_text(deal.facts)
        asked.append((numbers, text, before or [0] * size, wanted))
    assert len(asked) > 50
    for numbers, text, before, wanted in asked:
        found = phone.evaluate(PAY, [json.loads(json.dumps(numbers)), text, before])
        assert found["points"] == wanted, text


def a_base_deal(thumb: Thumb) -> str:
    thumb.tap('.pick:has(input[value="1"])')
    for seat in (3, 4):
        thumb.tap(f'[data-seat="{seat}"] .saboteur')
    # Six cards, four of them ones: a card shows the next number with each tap.
    thumb.tap('[data-gold="1"] .gold-card')
    thumb.tap('[data-gold="5"] .gold-card')
    thumb.tap('[data-gold="5"] .gold-card')
    return "mmssmm:1:12/1///3/11"


def a_dwarf_deal(thumb: Thumb) -> str:
    thumb.tap('.pick:has(input[value="2"])')
    dwarfs = ("blue", "green", "boss", "geologist", "saboteur", "profiteer")
    for seat, dwarf in enumerate(dwarfs, 1):
        thumb.tap(f'[data-seat="{seat}"] .{dwarf}')
    thumb.tap(".toggle.green")
    thumb.tap('[data-step-by="1"]')
    return "bgoesp:2:g:1"


def a_duel(thumb: Thumb) -> str:
    thumb.tap('[data-amounts="gold-1"] [value="6"]')
    thumb.tap('[data-amounts="gold-2"] [value="3"]')
    return "6/3"


DEALS: dict[str, tuple[int, int, Callable[[Thumb], str], list[int]]] = {
    "base-classic": (6, 8, a_base_deal, [3, 1, 0, 0, 3, 2]),
    "saboteur-2": (6, 12, a_dwarf_deal, [0, 3, 2, 1, 0, 1]),
    "duel": (2, 4, a_duel, [6, 3]),
}


@pytest.mark.parametrize("ruleset", [*DEALS])
def test_a_deal_takes_few_taps(phone: Page, site: Site, ruleset: str) -> None:
    seats, most, enter, points = DEALS[ruleset]
    table = make_table(seats, ruleset=ruleset)
    with Watch(phone) as watch:
        phone.goto(site("table_link:sheet", table.token))
        check(phone, f"{ruleset} sheet", watch)
        phone.goto(site("table_link:deal", table.token, 1))
        check(phone, f"{ruleset} deal, empty", watch)
        thumb = Thumb(phone)
        text = enter(thumb)
        shown = phone.locator("[data-result] [data-points]")
        expect(shown).to_have_text([str(one) for one in points])
        check(phone, f"{ruleset} deal", watch)
        thumb.save()
        expect(phone.get_by_text("Deal 1 is saved.")).to_be_visible()
    assert thumb.taps <= most
    assert entered(table) == [text]
    # Opened again it stands as it was saved.
    phone.goto(site("table_link:deal", table.token, 1))
    expect(shown).to_have_text([str(one) for one in points])
    save(phone)
    expect(phone.get_by_text("Deal 1 is saved.")).to_be_visible()
    assert entered(table) == [text]


@pytest.mark.parametrize("ruleset", [*DEALS])
def test_a_whole_sheet_is_played_without_a_net(new_page: Open, site: Site, ruleset: str) -> None:
    phone = new_page(service_workers="block")
    seats, _most, enter, points = DEALS[ruleset]
    table = make_table(seats, ruleset=ruleset, deals_per_round=2, second_person=False)
    phone.goto(site("table_link:sheet", table.token))
    offline(phone)
    phone.get_by_role("link", name="Enter deal 1").tap()
    text = enter(Thumb(phone))
    save(phone)
    expect(phone.get_by_role("heading", name="Deal 2 of 2")).to_be_visible()
    enter(Thumb(phone))
    save(phone)
    expect(phone.get_by_role("heading", name="All deals are entered")).to_be_visible()
    sums = phone.locator("main .table.sheet tbody strong")
    expect(sums).to_have_text([str(2 * one) for one in points])
    phone.get_by_role("button", name="Submit the sheet").tap()
    expect(phone.get_by_role("heading", name="Handed in on this phone")).to_be_visible()
    assert not Deal.objects.exists()
    online(phone)
    expect(phone.get_by_text("This sheet is confirmed.")).to_be_visible()
    assert entered(table) == [text, text]


def test_a_thief_finds_without_a_net_what_was_won_before(new_page: Open, site: Site) -> None:
    phone = new_page(service_workers="block")
    table = make_table(2, ruleset="saboteur-2", deals_per_round=2)
    phone.goto(site("table_link:sheet", table.token))
    offline(phone)
    phone.get_by_role("link", name="Enter deal 1").tap()
    thumb = Thumb(phone)
    thumb.tap('.pick:has(input[value="1"])')
    thumb.tap('[data-seat="1"] .blue')
    thumb.tap('[data-seat="2"] .saboteur')
    expect(phone.locator("[data-result] [data-points]")).to_have_text(["5", "0"])
    save(phone)
    expect(phone.get_by_role("heading", name="Deal 2 of 2")).to_be_visible()
    thumb.tap(".pick.nobody")
    thumb.tap('[data-seat="1"] .blue')
    thumb.tap('[data-seat="2"] .green')
    phone.get_by_text("Somebody steals").tap()
    phone.locator("[name=thief-1]").select_option("2")
    phone.locator("[name=victim-1]").select_option("1")
    expect(phone.locator("[data-result] [data-points]")).to_have_text(["-1", "1"])


def test_what_is_missing_is_told_before_anything_is_sent(phone: Page, site: Site) -> None:
    table = make_table(3, ruleset="saboteur-2")
    phone.goto(site("table_link:deal", table.token, 1))
    save(phone)
    expect(phone.get_by_text("First tap who reached the gold, or nobody.")).to_be_visible()
    phone.locator(".pick.nobody").tap()
    save(phone)
    expect(phone.get_by_text("Some seats have no role.")).to_be_visible()
    for seat in (1, 2, 3):
        phone.locator(f'[data-seat="{seat}"] .boss').tap()
    save(phone)
    expect(phone.get_by_text("There are more of one role than the game has.")).to_be_visible()
    assert not Deal.objects.exists()


@pytest.mark.parametrize("ruleset", ["base-classic", "duel"])
def test_a_form_without_scripts_is_enough(new_page: Open, site: Site, ruleset: str) -> None:
    page = new_page(java_script_enabled=False)
    seats = 3 if ruleset == "base-classic" else 2
    table = make_table(seats, ruleset=ruleset)
    page.goto(site("table_link:deal", table.token, 1))
    if ruleset == "duel":
        page.locator("[name=gold-1]").fill("12")
        page.locator("[name=gold-2]").fill("0")
    else:
        page.locator('.pick:has(input[value="1"])').tap()
        page.locator('[data-seat="3"] .saboteur').tap()
        page.locator("[name=gold-1]").fill("1 3")
        page.locator("[name=gold-2]").fill("2")
    save(page)
    expect(page.get_by_text("Deal 1 is saved.")).to_be_visible()
    assert entered(table) == ["12/0" if ruleset == "duel" else "mms:1:13/2/"]


def test_the_sums_of_a_paper_sheet_are_compared_as_they_are_typed(laptop: Page, site: Site) -> None:
    table = make_table(2, ruleset="duel", deals_per_round=2, second_person=False)
    with Watch(laptop) as watch:
        laptop.goto(site("table_link:points", table.token))
        check(laptop, "typing an edition", watch)
        for digits in ("10", "0", "3", "4"):
            laptop.keyboard.type(digits)
            laptop.keyboard.press("Enter")
        laptop.keyboard.type("13")
        laptop.keyboard.press("Enter")
        laptop.keyboard.type("5")
        second = laptop.locator('[data-paper-sum="2"]')
        expect(second).to_have_attribute("aria-invalid", "true")
        second.fill("4")
        expect(second).to_have_attribute("aria-invalid", "false")
        laptop.get_by_role("button", name="Save the sheet").click()
        expect(laptop.get_by_text("is saved and confirmed")).to_be_visible()
    assert entered(table) == ["10/0", "3/4"]
