"""Paper sheets typed by the keys alone: wrong sums, no script, two people, the page's own sums."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.refusal import Refusal
from scoring.rulesets import RULESETS
from scoring.sheets import expected_points, read_points
from tests.browser.checks import Watch, check
from tests.browser.devices import LAPTOP, PHONE, Look, Open, Site, login
from tests.browser.world import World, of_table
from tests.factories import (
    MINERS_WIN,
    enter,
    make_event,
    make_players,
    make_round,
    organiser_of,
)
from tournament.actions.scoresheets import DealEntry
from tournament.models import Round, Table
from tournament.queries.point_readings import point_readings
from tournament.simulation import tables_of


@pytest.fixture
def round_(transactional_db: None) -> Round:
    event = make_event(name="Paper at midnight")
    make_players(event, 18)
    return make_round(event)


@pytest.fixture
def desk(round_: Round, new_page: Open, site: Site) -> Page:
    """A laptop with the stack beside it."""
    page = new_page(LAPTOP)
    login(page.context, organiser_of(round_.event), site.url)
    page.goto(site("round_type", round_.event.slug, round_.pk))
    ready(page)
    return page


def keys(page: Page, typed: str) -> None:
    for key in typed.split() if " " in typed else typed:
        page.keyboard.press(key)


def box(page: Page, deal: int, seat: int) -> Locator:
    return page.locator(f"[name=p-{deal}-{seat}]")


def ready(page: Page) -> None:
    """The script listens, and the first box has the focus: else the first keys go nowhere."""
    expect(page.locator("[data-typing=ready]")).to_be_visible()
    expect(box(page, 1, 1)).to_be_focused()


def points_of(round_: Round, number: int) -> list[str]:
    table = Table.objects.get(round=round_, number=number)
    return list(table.sheet.deals.values_list("points", flat=True))


def test_two_sheets_in_a_row_by_the_keys_alone(desk: Page, round_: Round) -> None:
    ready(desk)
    expect(desk.get_by_text("0 of 3 sheets are in")).to_be_visible()
    desk.get_by_label("The paper carries both signatures").check()
    box(desk, 1, 1).focus()
    keys(desk, "330000")
    expect(box(desk, 2, 1)).to_be_focused()
    keys(desk, "Enter Enter 3 2 2 Enter")  # an empty box is 0
    expect(box(desk, 3, 1)).to_be_focused()
    keys(desk, "000004")
    expect(desk.get_by_role("button", name="Save, next sheet")).to_be_focused()
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Table 1 is saved and confirmed")).to_be_visible()
    expect(desk.get_by_text("1 of 3 sheets are in")).to_be_visible()
    ready(desk)
    desk.keyboard.press("Backspace")  # the next paper is another table's
    expect(desk.get_by_label("Table no.")).to_be_focused()
    keys(desk, "3 Enter")
    expect(desk.locator(".table-bar-no b")).to_have_text("3")
    ready(desk)
    keys(desk, "222000" + "322000" + "400000")
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Table 3 is saved and confirmed")).to_be_visible()
    expect(desk.locator(".table-bar-no b")).to_have_text("2")
    assert points_of(round_, 1) == ["330000", "003220", "000004"]
    assert points_of(round_, 3) == ["222000", "322000", "400000"]
    assert round_.tables.filter(sheet__status="confirmed").count() == 2


def test_the_tick_for_the_signatures_is_not_passed_over(desk: Page, round_: Round) -> None:
    keys(desk, "330000" + "003220" + "000004")
    expect(desk.get_by_label("The paper carries both signatures")).to_be_focused()
    keys(desk, "Space Enter")
    expect(desk.get_by_role("button", name="Save, next sheet")).to_be_focused()
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Table 1 is saved and confirmed")).to_be_visible()


def test_a_wrong_sum_is_stopped_at_its_seat(desk: Page, round_: Round) -> None:
    watch = Watch(desk)
    keys(desk, "330")
    expect(desk.locator("#note-1")).to_contain_text("6 so far: saboteurs 6")
    desk.keyboard.press("2")
    expect(box(desk, 1, 4)).to_be_focused()
    alarm = desk.locator("#note-1 [role=alert]")
    fourth = desk.locator(".names .seat-name").nth(3).inner_text()
    expect(alarm).to_have_text(
        f"No outcome of a deal gives these points. Look at these seats: 4 ({fourth})."
    )
    expect(box(desk, 1, 4)).to_have_attribute("aria-invalid", "true")
    check(desk, "staff_points, stopped", watch)
    keys(desk, "0")
    expect(alarm).to_be_hidden()
    expect(box(desk, 1, 5)).to_be_focused()
    keys(desk, "00")
    expect(desk.locator(".typing-deal [data-sum]").first).to_have_text("6")
    expect(box(desk, 2, 1)).to_be_focused()
    keys(desk, "300000")  # too little: stopped at the end of the deal
    expect(box(desk, 2, 6)).to_be_focused()
    expect(desk.locator("#note-2 [role=alert]")).to_contain_text(
        "their sum is 3, and it can be 7, 6, 4."
    )
    desk.keyboard.press("Enter")  # goes on all the same
    expect(box(desk, 3, 1)).to_be_focused()
    keys(desk, "7")
    expect(box(desk, 3, 1)).to_be_focused()
    expect(desk.locator("#note-3 [role=alert]")).to_contain_text("Points are 0, 2, 3, 4.")
    desk.keyboard.press("Backspace")
    desk.get_by_role("button", name="Save, next sheet").click()
    expect(desk.get_by_role("alert").first).to_contain_text("Deal 2: No outcome of a deal")
    expect(box(desk, 2, 1)).to_be_focused()
    expect(box(desk, 1, 1)).to_have_value("3")
    assert points_of(round_, 1) == []


def test_a_full_column_is_typed_over_without_losing_a_digit(desk: Page) -> None:
    keys(desk, "322000")
    box(desk, 1, 1).click()
    foot = desk.locator('.typing-deal[data-deal="1"] [data-sum]')
    keys(desk, "0")
    expect(box(desk, 1, 2)).to_be_focused()
    expect(foot).not_to_have_class("js-only ok")
    keys(desk, "32200")
    values = [box(desk, 1, seat).input_value() for seat in range(1, 7)]
    assert values == ["0", "3", "2", "2", "0", "0"]
    expect(box(desk, 2, 1)).to_be_focused()
    expect(foot).to_have_class("js-only ok")


def test_a_column_left_half_typed_over_says_what_is_wrong(desk: Page) -> None:
    keys(desk, "322000")
    box(desk, 1, 1).click()
    keys(desk, "0")
    box(desk, 2, 1).click()
    expect(desk.locator('[data-note="1"] [data-wrong]')).to_be_visible()
    expect(desk.locator('.typing-deal[data-deal="1"] [data-sum]')).not_to_have_class("js-only ok")


def test_stars_and_totals_stand_beside_the_points(desk: Page) -> None:
    keys(desk, "330000" + "003220")
    stars = desk.locator(".typing-deal [data-star]:visible")
    expect(stars).to_have_count(3)
    expect(desk.locator("[data-total]")).to_have_text(["3", "3", "3", "2", "2", ""])


def test_arrows_and_backspace_move(desk: Page) -> None:
    keys(desk, "ArrowDown ArrowDown ArrowRight")
    expect(box(desk, 2, 3)).to_be_focused()
    keys(desk, "ArrowUp Backspace")
    expect(box(desk, 2, 1)).to_be_focused()
    desk.keyboard.press("ArrowUp")
    expect(box(desk, 1, 6)).to_be_focused()
    keys(desk, "ArrowDown ArrowLeft")  # by deal 2, seat 1
    ready(desk)
    keys(desk, "ArrowLeft ArrowDown")
    ready(desk)


def test_what_stands_from_a_phone_is_compared(desk: Page, round_: Round) -> None:
    table = tables_of(round_)[0]
    enter(table, 1, DealEntry(MINERS_WIN[6], connector=3))  # 0 0 3 2 2 0
    desk.reload()
    ready(desk)
    keys(desk, "00")
    expect(desk.locator(".cell.differs")).to_have_count(0)
    keys(desk, "23")
    expect(desk.locator(".cell.differs")).to_have_count(2)
    expect(desk.locator("#note-1")).to_contain_text("Saving needs a reason.")
    keys(desk, "20")
    desk.get_by_role("button", name="Save, show the table").click()
    expect(desk.get_by_role("alert").first).to_contain_text("Give the reason for the change.")
    expect(desk.get_by_label("Reason")).to_be_focused()
    desk.keyboard.type("The paper is right")
    desk.get_by_role("button", name="Save, show the table").click()
    expect(desk.get_by_text("Table 1 is saved.")).to_be_visible()
    assert points_of(round_, 1) == ["002320"]


def test_of_two_people_the_second_is_told(
    desk: Page, round_: Round, new_page: Open, site: Site
) -> None:
    second = new_page(LAPTOP)
    login(second.context, organiser_of(round_.event), site.url)
    second.goto(desk.url)
    for page, typed in ((desk, "330000"), (second, "033000")):
        ready(page)
        keys(page, typed)
        page.get_by_role("button", name="Save, show the table").click()
    expect(second.get_by_role("alert").first).to_contain_text("Somebody else changed this sheet")
    expect(second.locator(".cell.differs")).to_have_count(2)
    expect(box(second, 1, 2)).to_have_value("3")
    assert points_of(round_, 1) == ["330000"]


def test_everything_works_without_script(round_: Round, new_page: Open, site: Site) -> None:
    page = new_page(PHONE, java_script_enabled=False)
    login(page.context, organiser_of(round_.event), site.url)
    page.goto(site("round_type", round_.event.slug, round_.pk))
    for key in "330000":
        page.keyboard.press(key)
        page.keyboard.press("Tab")  # straight down, too
    expect(box(page, 2, 1)).to_be_focused()
    for key in "400000" + "330200":
        page.keyboard.press(key)
        page.keyboard.press("Tab")
    page.get_by_role("button", name="Save, next sheet").click()
    expect(page.get_by_role("alert").first).to_contain_text("Deal 3: No outcome of a deal")
    expect(page.locator(".cell.wrong")).to_have_count(1)
    box(page, 3, 4).fill("0")
    page.get_by_role("button", name="Save, next sheet").click()
    expect(page.get_by_text("Table 1 is saved.")).to_be_visible()
    page.get_by_label("Table no.").fill("3")
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".table-bar-no b")).to_have_text("3")
    assert points_of(round_, 1) == ["330000", "400000", "330000"]


def test_the_page_counts_as_the_rules_do(look: Look, world: World) -> None:
    """Thousands of columns, right ones and slips of the pen, with and without a deal loss."""

    def compare(page: Page) -> None:
        for seats in (5, 6, 7, 8, 9, 10):
            columns = some_columns(seats, 300)
            found = page.evaluate(
                """async ([seats, readings, columns]) => {
                  document.querySelector("[data-typing]").dataset.readings = readings;
                  const script = document.querySelector("[src*='js/typing']").src;
                  const { reading } = await import(`${script}?seats=${seats}`);
                  return columns.map(([points, lost]) => {
                    const { possible, stars, wrong } = reading(points, lost);
                    return possible.length ? stars : wrong;
                  });
                }""",
                [
                    seats,
                    json.dumps(point_readings(world.events.demo, seats)),
                    [(points, [seat - 1 for seat in lost]) for points, lost in columns],
                ],
            )
            for (points, lost), read in zip(columns, found, strict=True):
                assert read == by_the_rules(points, lost), (points, lost)

    look("organiser", "staff_points, counted", of_table("staff_table:points", 4)(world), compare)


def some_columns(seats: int, count: int) -> list[tuple[list[int], list[int]]]:
    chance, ruleset = random.Random(seats), RULESETS["es-2026"]
    pays = list(expected_points(ruleset, seats).values())
    found = []
    for _ in range(count):
        points = list(chance.choice(pays))
        column = points + [0] * (seats - len(points))
        chance.shuffle(column)
        for _slip in range(chance.choice((0, 0, 1, 2))):
            column[chance.randrange(seats)] = chance.choice((0, 2, 3, 4))
        lost = chance.choice(([], [], [chance.randint(1, seats)]))
        found.append((column, lost))
    return found


def by_the_rules(points: list[int], lost: list[int]) -> list[Any]:
    try:
        reading = read_points(RULESETS["es-2026"], tuple(points), frozenset(lost))
    except Refusal as refusal:
        return list(refusal.values["seats"])  # type: ignore[call-overload]
    return [bool(star) for star in reading.stars]


def test_a_round_of_six_deals_fits_the_phone(new_page: Open, site: Site) -> None:
    event = make_event(deals_per_round=6)
    make_players(event, 5)
    table = tables_of(make_round(event))[0]
    page = new_page(PHONE)
    login(page.context, organiser_of(event), site.url)
    watch = Watch(page)
    page.goto(site("staff_table:points", event.slug, table.pk))
    box(page, 6, 5).focus()
    expect(box(page, 6, 5)).to_be_in_viewport()
    check(page, "staff_points, six deals", watch)
