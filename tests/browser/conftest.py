"""A real Chromium for the tests of this folder, as phones and laptops use it."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 800}
PATIENCE = 15_000  # milliseconds; twice the slowest poll on a busy machine

type Open = Callable[..., Page]


class Site:
    """Where the pages live."""

    def __init__(self, url: str) -> None:
        self.url = url

    def __call__(self, name: str, *args: Any) -> str:
        return self.url + reverse(name, args=args)


@pytest.fixture
def site(live_server: Any) -> Site:
    """The server of one test; its database is emptied afterwards."""
    return Site(live_server.url)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
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
        has_touch=size is PHONE,
        reduced_motion="reduce",
        locale="en-GB",
        **more,
    )
    context.set_default_timeout(PATIENCE)
    return context


def login(context: BrowserContext, user: Any, site: str) -> None:
    """Somebody who has just logged in, without the typing."""
    client = Client()
    client.force_login(user)
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session.save()
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
