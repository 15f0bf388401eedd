"""What an event says of people's data."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_player
from tests.pages import flat

pytestmark = pytest.mark.django_db


def test_the_page_is_filled_from_the_settings(settings: Any) -> None:
    settings.HOST = "Club Lodestar, 1 Mine Street"
    event = make_event(
        organisers="Board Game Guild", contact="guild@example.org", contact_days=14, name_days=365
    )
    page = flat(Client().get(reverse("privacy", args=[event.slug])))
    for said in (
        "Board Game Guild",
        "guild@example.org",
        "run for them by Club Lodestar, 1 Mine Street",
        "14 days after the event",
        "365 days after the event",
    ):
        assert said in page


@pytest.mark.parametrize("language", [code for code, _name in site.LANGUAGES])
def test_it_is_there_in_each_language(language: str) -> None:
    event = make_event()
    client = Client(headers={"accept-language": language})
    response = client.get(reverse("privacy", args=[event.slug]))
    assert (response.status_code, response.headers["Content-Language"]) == (200, language)


def test_form_and_ticket_lead_to_it() -> None:
    event = make_event()
    player = make_player(event, here=False)
    address = reverse("privacy", args=[event.slug])
    for page in (reverse("register", args=[event.slug]), reverse("ticket", args=[player.token])):
        assert f'href="{address}"' in Client().get(page).content.decode(), page
