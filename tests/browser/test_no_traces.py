"""After signing out, Back shows nobody's name or e-mail; before, it brings back what was typed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ARGS, BROWSERS, new_context
from tests.browser.devices import LAPTOP, Site, login
from tests.factories import make_event, make_player, make_players, make_round, organiser_of


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """In a browser that keeps whole pages for Back, as people's browsers do: Playwright turns that
    off."""
    browser = chromium.browser_type.launch(
        executable_path=next(filter(None, map(shutil.which, BROWSERS))),
        args=ARGS,
        ignore_default_args=["--disable-back-forward-cache"],
    )
    yield new_context(browser, LAPTOP, "light").new_page()
    browser.close()


def go_back(page: Page) -> None:
    """Playwright's own way waits for a page to load, which one that was kept never does."""
    page.evaluate("setTimeout(() => history.back())")


PAGES = ("players", "door", "event_desk", "player", "account", "round", "player_add")


@pytest.mark.parametrize("name", PAGES)
def test_back_after_signing_out_asks_to_sign_in(name: str, page: Page, site: Site) -> None:
    event = make_event(name="Copa Topo")
    player = make_player(event, "Ana Ruiz", email="ana@example.org")
    make_players(event, 5)
    round_ = make_round(event, published=False)
    user = organiser_of(event)
    login(page.context, user, site.url)
    args = {"player": [event.slug, player.number], "account": [], "round": [event.slug, round_.pk]}
    page.goto(site(name, *args.get(name, [event.slug])))
    page.locator(".site-head form[action*='logout'] button").click()
    expect(page).to_have_url(site.url + "/")
    go_back(page)
    expect(page.get_by_label("Password")).to_be_visible()
    for trace in ("ana@example.org", "Ana Ruiz", user.email):
        assert trace not in page.content()


def test_back_finds_what_was_typed_in_a_message(page: Page, site: Site) -> None:
    event = make_event()
    login(page.context, organiser_of(event), site.url)
    page.goto(site("announcements", event.slug))
    page.locator("textarea").fill("Lunch is at two.")
    page.get_by_role("link", name=event.name).click()
    expect(page).to_have_url(site("event_desk", event.slug))
    go_back(page)
    expect(page.locator("textarea")).to_be_visible()
    expect(page.locator("textarea")).to_have_value("Lunch is at two.")
