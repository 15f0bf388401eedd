"""Every page that players, dealers and the public see, in both lights and both sizes."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.browser.devices import Look
from tests.browser.world import (
    Address,
    World,
    of_event,
    of_season,
    of_secret,
    of_standings,
    of_table,
    of_ticket,
    plain,
)
from tests.tournament.test_access_matrix import EVERYBODY, READ


def only_table(event: str) -> Address:
    return lambda world: reverse(
        "table_link:sheet", args=[getattr(world.events, event).rounds.get().tables.get().token]
    )


def second_person(world: World) -> str:
    """The ticket of somebody who may confirm the sheet that waits."""
    seat = world.table(2).seats.select_related("player").get(position=2)
    return reverse("ticket", args=[seat.player.token])


def called_table(page: str, number: int, *more: object) -> Address:
    """A page of the table's link where judges are called."""

    def address(world: World) -> str:
        table = world.events.calling.rounds.get().tables.get(number=number)
        return reverse(f"table_link:{page}", args=[table.token, *more])

    return address


def place_of(rank: int) -> Address:
    """The link of a place of the shop, by the rank that brought it."""

    def address(world: World) -> str:
        found = world.events.shop.places.filter(promise__number=None)
        return reverse("place", args=[found.get(rank=rank).token])

    return address


PAGES: dict[str, Address] = {
    "home": plain("home"),
    "archive": plain("archive"),
    "lost_ticket": of_event("lost_ticket", "fresh"),
    "event": of_event("event", "demo"),
    "event, open": of_event("event", "fresh"),
    "event, full": of_event("event", "full"),
    "event, over": of_event("event", "over"),
    "rules": of_event("rules", "demo"),
    "errors": of_event("errors", "demo"),
    "privacy": of_event("privacy", "demo"),
    "questions": of_event("questions", "demo"),
    "questions, found": of_event("questions", "demo", query="?q=gold"),
    "questions, no match": of_event("questions", "demo", query="?q=zzz"),
    "rules, lots drawn": of_event("rules", "tied"),
    "register": of_event("register", "fresh"),
    "register, minors": of_event("register", "minors"),
    "privacy, minors": of_event("privacy", "minors"),
    "ticket, no guardian": of_ticket("minors", 2),
    "ticket_data, minor": of_ticket("minors", 1, page="ticket_data"),
    "register, full": of_event("register", "full"),
    "register, closed": of_event("register", "demo"),
    "seats": of_event("seats", "demo"),
    "series_list": plain("series_list"),
    "series": of_season("series"),
    "series_standings": of_standings("series_standings"),
    "person": lambda world: reverse("person", args=[world.season.person.pk]),
    "ticket_data": of_ticket("demo", 5, page="ticket_data"),
    "ticket_data, nothing played": of_ticket("full", 1, page="ticket_data"),
    "ticket_together": of_ticket("full", 1, page="ticket_together"),
    "ticket_together, no e-mail": of_ticket("here", 1, page="ticket_together"),
    "claim": of_secret("claim", "claim"),
    "me": of_secret("me", "person"),
    "merge_answer": of_secret("merge_answer", "side"),
    "event, in series": of_event("event", "fresh"),
    "screen": lambda world: reverse("screen", args=[world.events.demo.screens.get().token]),
    "seats, found": of_event("seats", "demo", query="?q=1"),
    "seats, several": of_event("seats", "demo", query="?q=a"),
    "seats, nobody": of_event("seats", "demo", query="?q=zzz"),
    "seats, none yet": of_event("seats", "fresh"),
    "standings": of_event("standings", "demo"),
    "standings, empty": of_event("standings", "fresh"),
    "standings, level": of_event("standings", "cut"),
    "standings, over": of_event("standings", "over"),
    "standings, tied": of_event("standings", "tied"),
    "standings, hidden": of_event("standings", "hidden"),
    "standings, revealed in part": of_event("standings", "revealing"),
    "standing": of_event("standing", "demo", 5),
    "standing, over": of_event("standing", "over", 1),
    "standing, nothing yet": of_event("standing", "fresh", 1),
    "pictures": of_event("pictures", "demo", query="?number=5"),
    "pictures, over": of_event("pictures", "over"),
    "pictures, none yet": of_event("pictures", "fresh"),
    "fairness": of_event("fairness", "demo"),
    "fairness, level": of_event("fairness", "cut"),
    "fairness, nobody": of_event("fairness", "demo", query="?q=zzz"),
    "fairness, none yet": of_event("fairness", "fresh"),
    "ticket": of_ticket("demo", 5),
    "ticket, confirming": second_person,
    "ticket, registered": of_ticket("full", 1),
    "ticket, waiting": of_ticket("full", 3),
    "ticket, over": of_ticket("over", 1),
    "ticket, rank hidden": of_ticket("hidden", 1),
    "table_link:sheet": of_table("table_link:sheet", 4),
    "dealer_table, confirmed": of_table("table_link:sheet", 1),
    "dealer_table, submitted": of_table("table_link:sheet", 2),
    "dealer_table, entered": only_table("entered"),
    "table_link:deal": of_table("table_link:deal", 4, 2),
    "dealer_deal, correcting": of_table("table_link:deal", 3, 1),
    "table_link:points": of_table("table_link:points", 4),
    "table_link:call": of_table("table_link:call", 4),
    "dealer_table, judge called": called_table("sheet", 1),
    "dealer_table, judge comes": called_table("sheet", 2),
    "dealer_table, somebody missing": called_table("sheet", 3),
    "dealer_deal, judge called": called_table("deal", 1, 1),
    "carry": plain("carry"),
    "key": plain("key"),
    "event, places": of_event("event", "shop"),
    "event_places": of_event("event_places", "shop"),
    "event_places, at this event": of_event("event_places", "national"),
    "event_places, none": of_event("event_places", "fresh"),
    "place": place_of(3),
    "place, accepted": place_of(1),
    "place, declined": place_of(2),
    "account_login": plain("account_login"),
    "account_signup": plain("account_signup"),
    "account_reset_password": plain("account_reset_password"),
    "account_reset_password_done": plain("account_reset_password_done"),
    "account_email_verification_sent": plain("account_email_verification_sent"),
    "nothing here": lambda world: "/nothing/here/",
}


def test_every_page_for_everybody_is_looked_at() -> None:
    files = {
        "standings_pdf",
        "health",
        "key_file",
        "table_link:photo",
        "ticket_calendar",
        "ticket_data_file",
        "sponsor_logo",
    }
    files |= {"pulse", "staff_pulse", "live_part", "table_link:steps", "table_worker"}
    public = {
        name
        for name, row in READ.items()
        if row == EVERYBODY or name.startswith(("ticket", "table_link:"))
    } - files
    assert {name.split(",")[0] for name in PAGES} >= public


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_use(name: str, look: Look, world: World) -> None:
    look("anybody", name, PAGES[name](world))
