"""At the door, faster than the net: no tap is lost, and what is shown is true."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.devices import PHONE, Open, Site, login
from tests.factories import make_event, make_player, organiser_of
from tournament.models import Event, LogEntry
from tournament.models.players import PlayerStatus
from tournament.states import PLAYER_STEPS

NAMES = ("Ana Ruiz", "Bea Soler", "Carl Vidal", "Dina Mora")


@pytest.fixture
def event(transactional_db: None) -> Event:
    event = make_event(name="A quick door")
    for name in NAMES:
        make_player(event, name, here=False)
    return event


@pytest.fixture
def door(event: Event, new_page: Open, site: Site) -> Page:
    page = new_page(PHONE)
    login(page.context, organiser_of(event), site.url)
    page.goto(site("door", event.slug))
    return page


class Slow:
    """Holds back what is asked for until it is let go."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.held: list[Route] | None = []
        page.route(re.compile(pattern), self._take)

    def _take(self, route: Route) -> None:
        if self.held is None:
            route.continue_()
        else:
            self.held.append(route)

    def let_go(self) -> None:
        held, self.held = self.held or [], None
        for route in held:
            route.continue_()


def row(page: Page, name: str) -> Locator:
    return page.locator(".check-row").filter(has_text=name)


def check_in(page: Page, name: str) -> Locator:
    return row(page, name).get_by_role("button", name=re.compile("Check in"))


def test_taps_on_several_people_all_count(door: Page, event: Event) -> None:
    slow = Slow(door, "/check-in/")
    for name in NAMES[:3]:
        check_in(door, name).tap()
    check_in(door, NAMES[2]).tap()  # twice on one
    slow.let_go()
    for name in NAMES[:3]:
        expect(row(door, name)).to_contain_text("Here (undo)")
    expect(row(door, NAMES[3])).to_contain_text("Check in")
    assert LogEntry.objects.filter(event=event, verb=PLAYER_STEPS["check-in"].verb).count() == 3


def test_a_tap_during_a_search_counts_and_shows(door: Page, event: Event) -> None:
    slow = Slow(door, r"\?q=ana")
    with door.expect_request(lambda one: "?q=ana" in one.url):
        door.get_by_label("Search").press_sequentially("ana")
    check_in(door, NAMES[0]).tap()
    slow.let_go()
    expect(row(door, NAMES[0])).to_contain_text("Here (undo)")
    expect(row(door, NAMES[1])).to_be_visible()  # the search is over


def test_what_is_typed_meanwhile_stays(door: Page, event: Event) -> None:
    slow = Slow(door, "/check-in/")
    check_in(door, NAMES[0]).tap()
    door.get_by_label("Search").press_sequentially("dina")
    slow.let_go()
    expect(row(door, NAMES[0])).to_have_count(0)
    expect(row(door, NAMES[3])).to_be_visible()
    expect(door.get_by_label("Search")).to_have_value("dina")
    assert event.players.get(name=NAMES[0]).status == PlayerStatus.CHECKED_IN


def test_no_row_moves_under_the_finger(door: Page) -> None:
    before = [row(door, name).bounding_box() for name in NAMES]
    check_in(door, NAMES[0]).tap()
    said = door.get_by_text(f"{NAMES[0]} is here")
    expect(said).to_be_in_viewport()
    assert [row(door, name).bounding_box() for name in NAMES[1:]] == before[1:]
