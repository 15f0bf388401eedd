"""A real Chromium for the tests of this folder, as phones and laptops use it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import setup_databases, teardown_databases
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.browser.checks import Watch, check, too_wide
from tests.browser.devices import LAPTOP, PHONE, Look, Open, People, Site, Wide, login
from tests.browser.world import Address, World, make_world

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A name that is not localhost: plain http, as phones have it at a venue.
    "--host-resolver-rules=MAP laptop.test 127.0.0.1",
]
PATIENCE = 60_000  # milliseconds; many times the slowest poll, for machines that are slow or busy


@pytest.fixture
def site(live_server: Any) -> Site:
    """The server of one test; its database is emptied afterwards."""
    return Site(live_server.url)


@pytest.fixture(scope="session")
def made_world(
    django_test_environment: None, django_db_blocker: Any, tmp_path_factory: Any
) -> Iterator[tuple[str, World]]:
    """Events in every state, in a database of their own, which no other test empties: its name,
    and who is there. Made once, since it takes its time."""
    settings = connection.settings_dict
    usual, named = settings["NAME"], settings["TEST"]["NAME"]
    if connection.vendor == "sqlite":
        settings["TEST"]["NAME"] = str(tmp_path_factory.mktemp("world") / "world.sqlite3")
    else:
        settings["TEST"]["NAME"] = f"test_world_{os.getpid()}"
    with django_db_blocker.unblock():
        made = setup_databases(verbosity=0, interactive=False)
        own, world = settings["NAME"], make_world()
        settings["TEST"]["NAME"] = named
        turn_to(usual)
    yield own, world
    with django_db_blocker.unblock():
        turn_to(own)
        teardown_databases(made, verbosity=0)


def turn_to(database: str) -> None:
    """What is asked from now on is asked there, by the server too."""
    connection.close()
    connection.settings_dict["NAME"] = database


@pytest.fixture
def world(made_world: tuple[str, World], django_db_blocker: Any) -> Iterator[World]:
    """That world, for a test that only looks."""
    own, world = made_world
    usual = connection.settings_dict["NAME"]
    with django_db_blocker.unblock():
        turn_to(own)
        yield world
        turn_to(usual)


@pytest.fixture(scope="session")
def world_site() -> Iterator[Site]:
    """The server of that world. pytest-django's own would empty it after each test."""
    server = LiveServer("localhost")
    yield Site(server.url)
    server.stop()


@pytest.fixture(scope="module")
def phones() -> Iterator[dict[str, Page]]:
    """Those of a file of tests, by duty. Each keeps its page: a new one starts from nothing, with
    a process of its own and every script to be read again, which is half of what a test costs."""
    found: dict[str, Page] = {}
    yield found
    for page in found.values():
        page.context.close()


@pytest.fixture
def people(
    chromium: Browser, phones: dict[str, Page], world: World, world_site: Site
) -> Iterator[People]:
    """A phone for each duty in that world; who has a login is logged in."""
    used: set[str] = set()

    def phone_of(duty: str) -> Page:
        used.add(duty)
        if duty not in phones:
            context = new_context(chromium, PHONE, "light")
            if user := getattr(world, duty, None):
                login(context, user, world_site.url)
            phones[duty] = context.new_page()
        return phones[duty]

    yield phone_of
    for page in map(phones.__getitem__, used):
        page.goto(world_site("health"))  # it asks for nothing more
        page.set_extra_http_headers({})
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(PHONE)


@pytest.fixture
def look(people: People, world_site: Site) -> Look:
    """Open a page of that world as somebody, and see that everything is in order."""

    def look_at(
        duty: str, name: str, address: str, act: Callable[[Page], object] | None = None
    ) -> None:
        page = people(duty)
        with Watch(page) as watch:
            page.goto(world_site.url + address)
            if act:
                act(page)
            check(page, name, watch)

    return look_at


@pytest.fixture
def wide_in_spanish(people: People, world: World, world_site: Site) -> Wide:
    """Of these pages of that world, those that are too wide."""

    def of(duty: str, addresses: Iterable[Address]) -> list[str]:
        return too_wide(people(duty), [world_site.url + one(world) for one in addresses])

    return of


def browser_path() -> str | None:
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    found = browser_path()
    if found is None:
        lack = f"no browser found: install one of {', '.join(BROWSERS)}"
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(lack)
        pytest.skip(lack)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture
def scheme() -> str:
    """The light of the pages; a test may parametrise it."""
    return "light"


@pytest.fixture
def new_page(chromium: Browser, scheme: str) -> Iterator[Open]:
    """Another device: a browser of its own, with nobody logged in."""
    contexts: list[BrowserContext] = []

    def open_page(size: dict[str, int] = PHONE, **more: Any) -> Page:
        context = new_context(chromium, size, scheme, **more)
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def phone(new_page: Open) -> Page:
    return new_page(PHONE)


@pytest.fixture
def laptop(new_page: Open) -> Page:
    return new_page(LAPTOP)


def new_context(browser: Browser, size: dict[str, int], scheme: str, **more: Any) -> BrowserContext:
    context = browser.new_context(
        viewport=size,
        color_scheme=scheme,
        has_touch=size == PHONE,
        reduced_motion="reduce",
        locale="en-GB",
        **more,
    )
    context.set_default_timeout(PATIENCE)
    return context
