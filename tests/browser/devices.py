"""Devices and addresses, as the tests of this folder speak of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page

from tests.factories import sign_in

PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 800}

type Open = Callable[..., Page]
type People = Callable[[str], Page]
type Look = Callable[..., None]
type Wide = Callable[..., list[str]]


class Site:
    """Where the pages live."""

    def __init__(self, url: str) -> None:
        self.url = url

    def __call__(self, name: str, *args: Any) -> str:
        return self.url + reverse(name, args=args)


def login(context: BrowserContext, user: Any, site: str) -> None:
    """Somebody who has just logged in, without the typing."""
    cookie = sign_in(Client(), user).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
