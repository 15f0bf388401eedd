"""Devices and addresses, as the tests of this folder speak of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.test import Client
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page

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
    client = Client()
    client.force_login(user)
    session = client.session
    # allauth asks again before a key is added, unless this says that it just did.
    session["account_authentication_methods"] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session.save()
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
