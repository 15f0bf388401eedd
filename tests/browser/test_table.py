"""One sheet, several hands: no scripts, two phones, a nervous thumb."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.devices import Open, Site
from tests.browser.steps import tap_deal
from tests.factories import enter, make_event, make_table
from tournament.actions.scoresheets import DealEntry
from tournament.models import Deal, LogEntry, Player, Table

ROLES = ("saboteur", "miner", "miner", "miner", "selfish")


def names_of(table: Table) -> list[str]:
    return list(table.seats.order_by("position").values_list("player__name", flat=True))


def test_registration_works_without_scripts(new_page: Open, site: Site) -> None:
    event = make_event(minimum_age=18)
    page = new_page(java_script_enabled=False)
    page.goto(site("register", event.slug))
    page.get_by_label("Your name").fill("Ana Ruiz")
    page.get_by_role("button", name="Register").tap()
    expect(page.get_by_text("Something here needs another look.")).to_be_visible()
    expect(page.get_by_label("Your name")).to_have_value("Ana Ruiz")
    page.get_by_label("Your e-mail").fill("ana@example.org")
    page.get_by_label("I am 18 or older").check()
    page.get_by_role("button", name="Register").tap()
    expect(page.get_by_text("You are registered.")).to_be_visible()
    assert Player.objects.get().name == "Ana Ruiz"


def test_a_dealer_needs_no_scripts(new_page: Open, site: Site) -> None:
    table = make_table(5, deals_per_round=1)
    page = new_page(java_script_enabled=False)
    page.goto(site("table_link:sheet", table.token))
    page.get_by_role("link", name="Enter deal 1").tap()

    # Without a script the server says what is wrong, and keeps what was tapped.
    page.locator('.pick:has(input[value="3"])').tap()
    page.get_by_role("button", name="Save deal").tap()
    expect(page.get_by_role("alert")).to_contain_text("This table deals")
    expect(page.locator('.pick input[value="3"]')).to_be_checked()
    assert not Deal.objects.exists()
    tap_deal(page, connector=3, saboteurs=[1], selfish=2)
    page.get_by_role("button", name="Save deal").tap()
    expect(page.get_by_text("All deals are entered")).to_be_visible()
    expect(page.locator("#deal-1 .points")).to_have_text(["0", "0", "3", "2", "2"])

    page.locator("#deal-1").get_by_role("link", name="Correct this deal").tap()
    page.locator('.pick:has(input[value="none"])').tap()
    page.get_by_role("button", name="Save deal").tap()
    expect(page.locator("#deal-1 .points")).to_have_text(["4", "0", "0", "0", "0"])
    page.get_by_role("button", name="Submit the sheet").tap()
    page.locator(".choice").nth(1).tap()
    page.get_by_role("button", name="I have read it: confirm").tap()
    expect(page.get_by_text("This sheet is confirmed.")).to_be_visible()
    table.sheet.refresh_from_db()
    assert table.sheet.status == "confirmed"


def test_of_two_phones_on_one_sheet_the_second_sees_both_versions(
    new_page: Open, site: Site
) -> None:
    table = make_table(5)
    first, second = new_page(), new_page()
    for page in (first, second):
        page.goto(site("table_link:deal", table.token, 1))
    tap_deal(first, connector=2, saboteurs=[1], selfish=5)
    first.get_by_role("button", name="Save deal").tap()
    expect(first.get_by_role("link", name="Enter deal 2")).to_be_visible()

    tap_deal(second, connector=None, saboteurs=[4], selfish=3)
    second.get_by_role("button", name="Save deal").tap()
    stands = second.locator("section.card")
    expect(second.get_by_role("heading", name="What stands on the sheet now")).to_be_visible()
    theirs, mine = stands.locator("[data-theirs]"), stands.locator("[data-mine]")
    expect(theirs.locator(".points")).to_have_text(["0", "3", "2", "2", "0"])
    expect(mine.locator(".points")).to_have_text(["0", "0", "0", "4", "0"])
    expect(second.locator('.pick input[value="none"]')).to_be_checked()
    expect(second.locator('.seat[data-seat="4"] .saboteur input')).to_be_checked()
    assert Deal.objects.get().connector == 2

    second.get_by_role("button", name="Keep what stands there").tap()
    expect(second.locator("#deal-1 .points")).to_have_text(["0", "3", "2", "2", "0"])


def test_a_double_click_on_save_counts_once(laptop: Page, site: Site) -> None:
    table = make_table(5)
    laptop.goto(site("table_link:deal", table.token, 1))
    laptop.locator('.pick:has(input[value="2"])').click()
    laptop.locator('.seat[data-seat="1"] .saboteur').click()
    laptop.locator('.seat[data-seat="5"] .selfish').click()
    sent: list[str] = []
    laptop.on("request", lambda one: sent.append(one.method) if one.method == "POST" else None)
    laptop.get_by_role("button", name="Save deal").dblclick()
    expect(laptop.get_by_role("link", name="Enter deal 2")).to_be_visible()
    assert sent == ["POST"]
    assert Deal.objects.count() == 1
    assert LogEntry.objects.filter(event=table.round.event, verb__contains="deal").count() == 1


def test_a_second_tap_takes_a_role_back(phone: Page, site: Site) -> None:
    table = make_table(5)
    phone.goto(site("table_link:deal", table.token, 1))
    button = phone.locator('.seat[data-seat="2"] .saboteur')
    button.tap()
    expect(phone.locator('[data-counter="saboteur"]')).to_contain_text("1 of 1")
    button.tap()
    expect(phone.locator('[data-counter="saboteur"]')).to_contain_text("0 of 1")
    expect(phone.locator('.seat[data-seat="2"] .miner input')).to_be_checked()


def test_a_selfish_card_moves_to_the_seat_that_is_tapped_last(phone: Page, site: Site) -> None:
    table = make_table(5)
    phone.goto(site("table_link:deal", table.token, 1))
    phone.locator('.seat[data-seat="2"] .selfish').tap()
    phone.locator('.seat[data-seat="4"] .selfish').tap()
    expect(phone.locator('.seat[data-seat="2"] .miner input')).to_be_checked()
    expect(phone.locator('[data-counter="selfish"]')).to_contain_text("1 of 1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_counts_as_the_rules_do(phone: Page, site: Site, scheme: str) -> None:
    """Each outcome: what the page shows before saving is what stands there afterwards."""
    table = make_table(5)
    outcomes = [(2, "miners"), (5, "selfish dwarf"), (1, "saboteur reached")]
    for number, (connector, words) in enumerate(outcomes, start=1):
        phone.goto(site("table_link:deal", table.token, number))
        tap_deal(phone, connector=connector, saboteurs=[1], selfish=5)
        expect(phone.locator(".outcome")).to_contain_text(words)
        shown = phone.locator("[data-points]").all_inner_texts()
        stars = [one.is_visible() for one in phone.locator("[data-star]").all()]
        phone.get_by_role("button", name="Save deal").tap()
        block = phone.locator(f"#deal-{number}")
        expect(block.locator(".points")).to_have_text(shown)
        found = [one.locator(".stars").count() for one in block.locator(".result li").all()]
        assert [bool(one) for one in found] == stars


def test_the_second_person_is_somebody_else_at_the_table(phone: Page, site: Site) -> None:
    table = make_table(5, deals_per_round=1)
    enter(table, 1, DealEntry(ROLES, 2))
    phone.goto(site("table_link:sheet", table.token))
    phone.get_by_role("button", name="Submit the sheet").tap()
    choices = phone.locator(".choice")
    expect(choices).to_have_count(4)
    expect(choices.first).to_contain_text(names_of(table)[1])


@pytest.mark.parametrize("letters", [100, 130, 200])
def test_names_and_cards_have_room_at_any_size_of_letters(
    new_page: Open, site: Site, letters: int
) -> None:
    table = make_table(6)
    Player.objects.filter(seats__table=table, seats__position=1).update(
        name="Maximiliana Hohenlohe-Langenburg", alias=""
    )
    page = new_page()
    page.goto(site("table_link:deal", table.token, 1))
    page.evaluate(f"document.documentElement.style.fontSize = '{letters}%'")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0
    for name in page.locator(".seats .seat-name").all():
        # No narrower than a short word: never a letter a line.
        box = name.bounding_box()
        assert box is not None
        assert box["width"] >= 80


def test_the_first_answer_brings_the_second_question_into_view(new_page: Open, site: Site) -> None:
    table = make_table(10, ruleset="es-2026")
    page = new_page()
    page.goto(site("table_link:deal", table.token, 1))
    expect(page.locator("[data-deal-form]")).to_have_attribute("data-ready", "no")
    page.locator(".pick").first.tap()
    expect(page.locator(".seats .seat").first).to_be_in_viewport(ratio=1)


def test_too_many_saboteurs_are_named_with_their_seats(new_page: Open, site: Site) -> None:
    table = make_table(6)
    names = names_of(table)
    page = new_page()
    page.goto(site("table_link:deal", table.token, 1))
    page.locator('.pick:has(input[value="none"])').tap()
    for seat in (1, 4, 5):
        page.locator(f'[data-seat="{seat}"] .saboteur').tap()
    page.get_by_role("button", name="Save deal").tap()
    problem = page.locator('[data-problem="saboteur"]')
    expect(problem).to_be_in_viewport()
    expect(problem).to_contain_text(f"1 {names[0]}, 4 {names[3]}, 5 {names[4]}")


def test_the_language_is_changed_at_the_table(new_page: Open, site: Site) -> None:
    table = make_table(6)
    page = new_page()
    page.goto(site("table_link:sheet", table.token))
    page.get_by_label("Language").select_option("es")
    expect(page.get_by_role("link", name="Anotar la mano 1")).to_be_visible()
