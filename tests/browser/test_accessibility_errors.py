"""Pages that say no: forms with errors, conflicts, refusals, in both lights and both sizes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import OperationalError
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser.devices import Look
from tests.browser.world import Address, World, of_event, of_round, of_table, plain
from tests.factories import enter
from tournament.limits import TooOften

type Act = Callable[[Page], object]


def send(form: str = "main form[method=post]", **typed: str) -> Act:
    """Fill fields by their names and send the form past the page's own checks."""

    def act(page: Page) -> None:
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
        for name, value in typed.items():
            page.locator(f"{form} [name={name}]").fill(value)
        with page.expect_navigation():
            page.locator(form).first.evaluate("form => form.submit()")

    return act


def a_minor(page: Page) -> None:
    """Nothing is said of a parent or guardian."""
    page.locator("[name=minor]").check()
    expect(page.locator("[name=name_style][value=initial]")).to_be_checked()
    send(name="Ana Ruiz", email="ana@example.org")(page)
    expect(page.locator("[name=guardian]")).to_have_attribute("aria-invalid", "true")


def without_token(page: Page) -> None:
    page.locator("[name=csrfmiddlewaretoken]").evaluate_all("all => all.forEach(e => e.remove())")
    send()(page)


def wrong_roles(page: Page) -> None:
    page.locator('.pick:has(input[value="3"])').tap()
    page.locator('.seat[data-seat="1"] .saboteur').tap()
    send()(page)


def wrong_packet(page: Page) -> None:
    page.locator("[type=file]").set_input_files(
        {"name": "packet.zip", "mimeType": "application/zip", "buffer": b"PK"}
    )
    send()(page)


def wrong_list(page: Page) -> None:
    rows = "name,e-mail\nAna Ruiz,ana@example.org\n,no-name@example.org\nBea,not an address\n"
    page.locator("[type=file]").set_input_files(
        {"name": "list.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    )
    send()(page)


def right_list(page: Page) -> None:
    rows = "name,e-mail,shoe size\nAna Ruiz,ana@example.org,41\nŁukasz Żółć,l@example.org,40\n"
    page.locator("[type=file]").set_input_files(
        {"name": "list.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    )
    send()(page)


def guessed_list(page: Page) -> None:
    """Of two people of one name, in letters that the file does not name."""
    rows = "name\nÍñigo Núñez\nÍñigo Núñez\n"
    page.locator("[type=file]").set_input_files(
        {"name": "list.csv", "mimeType": "text/csv", "buffer": rows.encode("cp1252")}
    )
    send()(page)


ERRORS: dict[str, tuple[str, Address, Act]] = {
    "register": ("anybody", of_event("register", "fresh"), send(email="no address")),
    "register, minor": ("anybody", of_event("register", "minors"), a_minor),
    "key": ("anybody", plain("key"), wrong_packet),
    "no token": ("anybody", of_event("register", "fresh"), without_token),
    "log in": ("anybody", plain("account_login"), send(login="a@example.org", password="x")),
    "sign up": ("anybody", plain("account_signup"), send(email="a", password1="x")),
    "password": ("anybody", plain("account_reset_password"), send(email="a")),
    "deal, nothing": ("anybody", of_table("table_link:deal", 4, 2), send()),
    "deal, roles": ("anybody", of_table("table_link:deal", 4, 2), wrong_roles),
    "points": ("anybody", of_table("table_link:points", 4), send(**{"p-2-1": "9", "p-2-2": "x"})),
    "new event": ("organiser", plain("new_event"), send(ends_at="2020-01-01T10:00")),
    "settings": ("organiser", of_event("settings", "draft"), send(name="", rounds_planned="99")),
    "add": ("organiser", of_event("player_add", "fresh"), send(email="no address")),
    "add, namesake": ("organiser", of_event("player_add", "full"), send(name="Ana Ruiz")),
    "walk in, namesake": (
        "organiser",
        of_event("door", "full"),
        send("form.form", name="ana ruíz"),
    ),
    "walk in": ("organiser", of_event("door", "fresh"), send()),
    "invite": ("organiser", of_event("staff", "fresh"), send("form.form", email="no address")),
    "list, wrong": ("organiser", of_event("player_import", "fresh"), wrong_list),
    "list, right": ("organiser", of_event("player_import", "fresh"), right_list),
    "list, namesakes": ("organiser", of_event("player_import", "fresh"), guessed_list),
    "cancelling": ("organiser", of_round("demo"), send("form[action$='/cancel/']")),
    "paper lot": ("organiser", of_event("cut", "lot"), send("form:has([name=paper])", order="1")),
    "void": ("organiser", of_table("staff_table:sheet", 4), send("form[action$='/void/']")),
    "places": (
        "organiser",
        of_event("places", "fresh"),
        send("#new form", bands="5-6: 1", due_days="0"),
    ),
    "penalty": ("judge", of_event("penalty", "demo", 1), send()),
}


def test_a_seat_is_declined_in_a_popover(look: Look, world: World) -> None:
    def open_it(page: Page) -> None:
        asked = page.locator("[popover]").first
        expect(asked).to_be_hidden()
        page.get_by_role("button", name="Declines").first.click()
        expect(asked).to_be_in_viewport(ratio=1)
        # axe cannot tell that it lies over the page, and takes the words behind for its ground.
        page.locator("main section").evaluate_all(
            "all => all.forEach((one) => { one.style.visibility = 'hidden' })"
        )
        asked.evaluate("one => { one.style.visibility = 'visible' }")

    look("organiser", "cut, declines", of_event("cut", "finalists")(world), open_it)


@pytest.mark.parametrize("name", ERRORS)
def test_a_refusal_can_be_read_and_mended(name: str, look: Look, world: World) -> None:
    duty, address, act = ERRORS[name]
    look(duty, f"error {name}", address(world), act)


def test_what_the_host_keeps_to_some_says_so(look: Look, world: World, settings) -> None:
    settings.EVENTS_BY, settings.SIGN_UP = "host", "invitation"
    look("organiser", "by the host", plain("new_event")(world))
    look("anybody", "no sign-up", plain("account_signup")(world))


@pytest.mark.parametrize(
    ("name", "heading", "error"),
    [
        ("too often", "Too often just now", TooOften("Wait a minute.", 60)),
        ("no room", "The server cannot save just now", OperationalError("disk is full")),
    ],
)
def test_what_cannot_be_done_now_is_sent_again(
    name: str,
    heading: str,
    error: Exception,
    look: Look,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(**_given: object) -> None:
        raise error

    def act(page: Page) -> None:
        send(email="ana@example.org")(page)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        expect(page.get_by_role("button", name="Send it now")).to_be_visible()

    monkeypatch.setattr("tournament.actions.registration.resend_tickets", refuse)
    look("anybody", f"error {name}", of_event("lost_ticket", "fresh")(world), act)


def test_a_conflict_can_be_read_and_settled(look: Look, world: World) -> None:
    """Somebody else has saved the deal meanwhile: 409, both versions on the page."""
    # A deal that no other page shows, since the world is that of other files too.
    table = world.events.calling.rounds.get().tables.get(number=2)
    address = reverse("table_link:deal", args=[table.token, 1])

    def act(page: Page) -> None:
        enter(table, 1)
        page.locator(".pick.nobody").tap()
        for seat in (1, 2):
            page.locator(f'.seat[data-seat="{seat}"] .saboteur').tap()
        page.locator('.seat[data-seat="3"] .selfish').tap()
        page.get_by_role("button", name="Save deal").tap()
        expect(page.get_by_role("heading", name="What stands on the sheet now")).to_be_visible()

    look("second phone", "error conflict", address, act)
