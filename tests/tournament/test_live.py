"""Pages that many watch: cached per version, polled cheaply; queries that do not grow."""

from __future__ import annotations

import gzip

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import (
    make_event,
    make_judge,
    make_players,
    make_round,
    make_user,
    organiser_of,
    play,
)
from tournament.models import Event
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def test_an_unchanged_poll_has_no_body_and_a_changed_one_only_the_part() -> None:
    event = make_event()
    make_players(event, 6)
    table = tables_of(make_round(event))[0]
    address = reverse("standings", args=[event.slug])
    client = Client()
    page = client.get(address)
    tag = page.headers["HX-PTag"]
    poll = {"HX-Request": "true", "HX-PTag": tag}
    assert client.get(address, headers=poll).status_code == 304
    play(table)
    changed = client.get(address, headers=poll)
    assert changed.status_code == 200
    assert changed.headers["HX-PTag"] != tag
    assert "<html" not in changed.content.decode()
    assert 'id="board"' in changed.content.decode()


def test_the_cached_page_asks_the_database_for_the_version_alone() -> None:
    event = make_event()
    make_players(event, 6)
    address = reverse("standings", args=[event.slug])
    client = Client()
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    assert len(captured) <= 2


def test_cached_pages_hold_nothing_of_the_person_who_asked_first() -> None:
    event = make_event()
    make_players(event, 6)
    address = reverse("standings", args=[event.slug])
    staff = Client()
    staff.force_login(organiser_of(event))
    first = staff.get(address + "?next=//evil.example")
    assert b"csrf" not in first.content
    assert b"evil.example" not in first.content
    page = Client().get(address)
    assert b"evil.example" not in page.content
    desk = reverse("event_desk", args=[event.slug])
    assert desk in first.content.decode()
    assert desk not in page.content.decode()


@pytest.mark.parametrize("name", ["event", "seats", "standings", "rules", "fairness", "pictures"])
def test_the_staff_find_their_way_back_from_every_public_page(name: str) -> None:
    event = make_event()
    address, judge, stranger = reverse(name, args=[event.slug]), make_judge(event), make_user()
    back = {
        organiser_of(event): reverse("event_desk", args=[event.slug]),
        judge: reverse("notebook", args=[event.slug]),
        stranger: None,
    }
    for user, way in back.items():
        client = Client()
        client.force_login(user)
        nav = client.get(address).content.decode().partition("</nav>")[0]
        assert ("/desk/" in nav or "/judge/" in nav) == bool(way)
        assert way is None or f'href="{way}"' in nav


def test_languages_and_compression_are_kept_apart() -> None:
    event = make_event()
    address = reverse("standings", args=[event.slug])
    client = Client()
    english = client.get(address, headers={"Accept-Language": "en"})
    spanish = client.get(address, headers={"Accept-Language": "es"})
    packed = client.get(address, headers={"Accept-Language": "es", "Accept-Encoding": "gzip"})
    assert 'lang="en"' in english.content.decode()
    assert 'lang="es"' in spanish.content.decode()
    assert gzip.decompress(packed.content) == spanish.content
    assert "Accept-Language" in spanish.headers["Vary"]


def event_with(players: int) -> Event:
    event = make_event()
    make_players(event, players)
    for table in tables_of(make_round(event)):
        play(table)
    return event


PAGES = (
    "event",
    "rules",
    "seats",
    "standings",
    "pictures",
    "event_desk",
    "players",
    "door",
    "notebook",
    "log",
    "cut",
    "settings",
    "staff",
)


def test_no_page_asks_more_of_the_database_for_more_players(django_assert_max_num_queries) -> None:
    small, large = event_with(6), event_with(24)

    def queries(event: Event, name: str, *args: object) -> int:
        client = Client()
        client.force_login(organiser_of(event))
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(reverse(name, args=[event.slug, *args]))
        assert answer.status_code == 200
        return len(captured)

    found = {name: (queries(small, name), queries(large, name)) for name in PAGES}
    for event in (small, large):
        event.latest = event.rounds.latest("pk").pk
        event.table = tables_of(event.rounds.latest("pk"))[0].pk
    found["round"] = (queries(small, "round", small.latest), queries(large, "round", large.latest))
    found["standing"] = (queries(small, "standing", 1), queries(large, "standing", 1))
    found["penalty"] = (queries(small, "penalty", 1), queries(large, "penalty", 1))
    found["staff_table:sheet"] = (
        queries(small, "staff_table:sheet", small.table),
        queries(large, "staff_table:sheet", large.table),
    )
    assert {name: pair for name, pair in found.items() if pair[0] != pair[1]} == {}


def test_health_answers_without_a_login() -> None:
    assert Client().get("/health/").json() == {"status": "ok"}


@pytest.mark.parametrize(("sent", "kept"), [("dark", "dark"), ("light", "light"), ("pink", "")])
def test_the_theme_is_kept_in_a_cookie(sent: str, kept: str) -> None:
    client = Client()
    answer = client.post("/theme/", {"theme": sent, "next": "/events/"})
    assert answer.headers["Location"] == "/events/"
    assert client.cookies["theme"].value == kept
    assert client.post("/theme/", {"next": "//evil.example/"}).headers["Location"] == "/"


def test_the_content_security_policy_allows_our_own_files_alone() -> None:
    policy = Client().get("/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
