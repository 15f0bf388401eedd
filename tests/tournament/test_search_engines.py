"""Search engines list nobody's name."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, organiser_of
from tests.tournament.seasons import number, played

pytestmark = pytest.mark.django_db


def robots(address: str, client: Client | None = None) -> str:
    response = (client or Client()).get(address)
    assert response.status_code == 200, address
    return response.headers.get("X-Robots-Tag", "")


@pytest.mark.parametrize(
    "name", ["standings", "seats", "fairness", "rules", "event_places", "pictures", "register"]
)
def test_pages_with_names_are_kept_out(name: str) -> None:
    assert robots(reverse(name, args=[played().slug])) == "noindex"


def test_so_is_whatever_is_somebodys_own() -> None:
    event = played()
    assert robots(reverse("standing", args=[event.slug, 1])) == "noindex"
    assert robots(reverse("ticket", args=[number(event, 1).token])) == "noindex"


def test_so_are_files() -> None:
    event = played()
    client = Client()
    client.force_login(organiser_of(event))
    for name, more in (("players_file", ["csv"]), ("standings_file", ["csv"]), ("export", [])):
        assert robots(reverse(name, args=[event.slug, *more]), client) == "noindex"


def test_an_events_front_page_is_listed_if_its_organiser_wants_it() -> None:
    closed, listed = make_event(), make_event(indexed=True)
    pages = [Client().get(reverse("event", args=[one.slug])) for one in (closed, listed)]
    assert [b'name="robots" content="noindex"' in one.content for one in pages] == [True, False]
    assert not any("X-Robots-Tag" in one.headers for one in pages)
    assert robots(reverse("home")) == ""
