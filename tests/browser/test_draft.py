"""A draft under the organiser's hand: two taps, keys, a drag, and no script at all."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import Watch, check
from tests.browser.devices import LAPTOP, PHONE, Look, Open, Site, login
from tests.browser.world import World, of_round
from tests.factories import (
    make_event,
    make_player,
    make_players,
    make_round,
    organiser_of,
    play_round,
)
from tournament.actions.seats import note_printed
from tournament.models import Event, Round
from tournament.queries.seating_changes import seats_by_table


@pytest.fixture
def draft(transactional_db: None) -> Round:
    event = make_event(name="A draft by hand")
    make_players(event, 18)
    play_round(event)
    return make_round(event, 4, published=False)


@pytest.fixture
def hand(draft: Round, new_page: Open, site: Site) -> Page:
    """A laptop with the draft open."""
    return opened(new_page(LAPTOP), draft, site)


def opened(page: Page, draft: Round, site: Site) -> Page:
    login(page.context, organiser_of(draft.event), site.url)
    page.goto(site("round", draft.event.slug, draft.pk))
    return page


def number(draft: Round, table: int, position: int) -> int:
    return draft.seats.get(table__number=table, position=position).player.number


def at(draft: Round, table: int) -> list[int]:
    """Start numbers in sitting order."""
    keys = dict(draft.event.players.values_list("pk", "number"))
    return [keys[pk] for pk in seats_by_table(draft)[table]]


def test_two_taps_swap_two_people_and_one_takes_it_back(
    draft: Round, new_page: Open, site: Site
) -> None:
    page = opened(new_page(PHONE), draft, site)
    one, two = number(draft, 1, 2), number(draft, 3, 4)
    before = at(draft, 1)
    page.locator(f"#pick-{one}").tap()
    target = page.locator(f"button#pick-{two}")
    expect(target).to_contain_text(" again")
    target.tap()
    expect(page.locator("#draft-live")).to_contain_text("⇄")
    expect(page.locator(f"#pick-{one}")).to_be_focused()
    assert (at(draft, 1)[1], at(draft, 3)[3]) == (two, one)
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("#draft-live")).to_contain_text("Taken back")
    assert at(draft, 1) == before


def test_a_phone_is_wide_enough_while_somebody_is_in_the_hand(look: Look, world: World) -> None:
    def pick(page: Page) -> None:
        page.locator("#draft a.seat-name").last.click()
        expect(page.locator("#hand")).to_be_visible()

    look("organiser", "round, draft, picked", of_round("drawn")(world), pick)


def test_the_ways_out_are_in_order(look: Look, world: World) -> None:
    def tick(page: Page) -> None:
        for place in (0, 1):
            page.locator("[name=missing]").nth(place).check()
        page.get_by_role("button", name="See what follows").click()
        expect(page.locator("#ways .way").first).to_be_visible()

    look("organiser", "round_mend, ways", of_round("drawn")(world) + "mend/", tick)


def test_keys_pick_move_and_put_back(hand: Page, draft: Round) -> None:
    one, below, beside = (number(draft, *seat) for seat in ((1, 2), (1, 3), (2, 3)))
    hand.locator(f"#pick-{one}").focus()
    hand.keyboard.press("Enter")
    expect(hand.locator("#hand")).to_be_visible()
    expect(hand.locator(f"#pick-{one}")).to_be_focused()
    hand.keyboard.press("ArrowDown")
    expect(hand.locator(f"#pick-{below}")).to_be_focused()
    hand.keyboard.press("ArrowRight")
    expect(hand.locator(f"#pick-{beside}")).to_be_focused()
    hand.keyboard.press("Escape")
    expect(hand.locator("#hand")).to_have_count(0)
    hand.locator(f"#pick-{one}").press("Enter")
    hand.locator(f"button#pick-{beside}").press("Enter")
    expect(hand.locator(f"#table-2 #pick-{one}")).to_be_focused()
    assert at(draft, 2)[2] == one


def drag(page: Page, start: str, end: str) -> None:
    """By the grip, in a few moves as a hand makes them."""
    page.locator(end).scroll_into_view_if_needed()
    box = page.locator(start).bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 30, box["y"] + 20, steps=3)
    expect(page.locator("#hand")).to_be_visible()
    goal = page.locator(end).bounding_box()
    assert goal
    page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=6)
    expect(page.locator(".drop-here")).to_have_count(1)
    page.mouse.up()


def test_a_drag_swaps_with_whoever_it_ends_on(hand: Page, draft: Round) -> None:
    one, two = number(draft, 1, 2), number(draft, 2, 1)
    drag(hand, f"#seat-{one} [data-grip]", f"#seat-{two}")
    expect(hand.locator(f"#table-2 #pick-{one}")).to_be_focused()
    expect(hand.locator("#hand")).to_have_count(0)
    assert (at(draft, 1)[1], at(draft, 2)[0]) == (two, one)


def test_a_drag_to_a_tables_head_gives_a_free_place(hand: Page, draft: Round) -> None:
    one = number(draft, 1, 2)
    drag(hand, f"#seat-{one} [data-grip]", "#table-2 header")
    expect(hand.locator(f"#table-2 #pick-{one}")).to_be_visible()
    assert at(draft, 2)[-1] == one


def test_a_refused_step_says_why_and_changes_nothing(hand: Page, draft: Round) -> None:
    event = draft.event
    for place in range(2):
        make_player(event, f"More {place}")
    one = number(draft, 1, 2)
    hand.locator(f"#pick-{one}").click()
    hand.locator("#place-2").click()  # table 1 has five then
    expect(hand.locator(f"#table-2 #pick-{one}")).to_be_visible()
    other = number(draft, 1, 1)
    hand.locator(f"#pick-{other}").click()
    expect(hand.locator("#place-2")).to_have_attribute("aria-disabled", "true")
    before = at(draft, 1)
    hand.locator("#place-2").click(force=True)
    expect(hand.locator("#draft-live")).to_contain_text("would have 4 players")
    assert at(draft, 1) == before


def test_two_organisers_at_once(hand: Page, draft: Round, new_page: Open, site: Site) -> None:
    second = opened(new_page(LAPTOP), draft, site)
    one, two, three = number(draft, 1, 1), number(draft, 2, 2), number(draft, 3, 3)
    for page, start, end in ((hand, one, two), (second, one, three)):
        page.locator(f"#pick-{start}").click()
        expect(page.locator(f"button#pick-{end}")).to_be_visible()
    hand.locator(f"button#pick-{two}").click()
    expect(hand.locator("#hand")).to_have_count(0)
    second.locator(f"button#pick-{three}").click()
    expect(second.locator("#draft-live")).to_contain_text("Somebody else changed this round")
    assert at(draft, 2)[1] == one


def test_pins_and_improving_without_leaving_the_page(hand: Page, draft: Round) -> None:
    one = number(draft, 2, 2)
    hand.locator(f"#pin-p{one}").click()
    expect(hand.locator(f"#pin-p{one}")).to_have_attribute("aria-pressed", "true")
    hand.reload()
    expect(hand.locator(f"#pin-p{one}")).to_have_attribute("aria-pressed", "true")
    hand.get_by_role("button", name="Improve the rest").click()
    expect(hand.locator("#draft-live")).not_to_be_empty()
    assert one in at(draft, 2)


def test_everything_works_without_script(draft: Round, new_page: Open, site: Site) -> None:
    page = opened(new_page(PHONE, java_script_enabled=False), draft, site)
    one, two = number(draft, 1, 2), number(draft, 2, 3)
    page.locator(f"#pick-{one}").click()
    page.locator(f"button#pick-{two}").click()
    expect(page.get_by_text("⇄").first).to_be_visible()
    assert at(draft, 2)[2] == one
    page.locator(f"#pick-{one}").click()
    page.get_by_label("Where to").select_option(f"swap:{two}")
    page.get_by_role("button", name="Move", exact=True).click()
    assert at(draft, 1)[1] == one
    page.get_by_role("button", name="Undo").click()
    assert at(draft, 2)[2] == one
    page.locator(f"#pin-p{one}").click()
    page.get_by_role("button", name="Improve the rest").click()
    assert one in at(draft, 2)


def test_missing_people_at_a_published_round(hand: Page, draft: Round, site: Site) -> None:
    event: Event = draft.event
    hand.get_by_role("button", name="Publish the seating").click()
    hand.get_by_role("link", name="Missing or late").wait_for()
    note_printed(draft, ())
    hand.get_by_role("link", name="Missing or late").click()
    gone = [number(draft, 1, place) for place in (2, 3)]
    for one in gone:
        hand.locator(f"[name=missing][value='{one}']").check()
    hand.get_by_role("button", name="See what follows").click()
    way = hand.locator(".way").filter(has_text="Move one person")
    watch = Watch(hand)
    way.get_by_role("button", name="Do this").click()
    expect(hand.get_by_text("Print again: tables")).to_be_visible()
    assert not set(at(draft, 1)) & set(gone)
    check(hand, "round, print again", watch)
    hand.get_by_role("button", name="They are on the tables").click()
    expect(hand.get_by_text("Print again")).to_have_count(0)
    assert event.rounds.get(pk=draft.pk).status == "published"
