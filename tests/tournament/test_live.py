"""Pages that many watch: cached per version, polled cheaply; queries that do not grow."""

from __future__ import annotations

import gzip
import re
import time
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import (
    enter,
    make_event,
    make_judge,
    make_players,
    make_round,
    make_user,
    organiser,
    organiser_of,
    play,
    play_round,
)
from tournament.actions.clocks import start_clock
from tournament.actions.penalties import give_penalty, withdraw_penalty
from tournament.models import Event, EventVersion
from tournament.models.actors import Actor
from tournament.models.versions import ALL
from tournament.queries import kept
from tournament.queries.versions import versions_of
from tournament.simulation import hand_in, tables_of
from tournament.web.live import parts

pytestmark = pytest.mark.django_db


def read(part: str, event: Event, language: str = "en") -> tuple[str, str]:
    """A part as a page fetches it, and its version."""
    answer = Client().get(reverse("live_part", args=[event.slug, part, language]))
    return gzip.decompress(answer.content).decode(), answer.headers["Lodestar-Version"]


def beat(event: Event, name: str = "pulse") -> dict[str, Any]:
    return Client().get(reverse(name, args=[event.slug])).json()


def test_the_pulse_names_what_has_changed_and_a_part_holds_the_part_alone() -> None:
    event = make_event()
    make_players(event, 6)
    table = tables_of(make_round(event))[0]
    words, version = read("standings", event)
    assert "Nothing counts yet" in words
    assert beat(event)["parts"]["standings"] == {"en": int(version)}
    enter(table, 1)
    assert beat(event)["parts"]["standings"] == {"en": int(version)}, "a deal counts nothing yet"
    table.sheet.refresh_from_db()
    enter(table, 2)
    enter(table, 3)
    hand_in(table)
    newer = beat(event)["parts"]["standings"]["en"]
    assert newer != int(version)
    words, version = read("standings", event)
    assert version == str(newer)
    assert "<html" not in words
    assert 'id="board"' in words


def test_a_judges_note_makes_nobody_fetch_the_standings() -> None:
    event = make_event()
    (player, *_) = make_players(event, 6)
    play(tables_of(make_round(event))[0])
    read("standings", event)
    before = beat(event)
    by = Actor.of_user(make_judge(event))
    given = give_penalty(player=player, infraction="1.1", step=1, reason="", by=by)
    after = beat(event)
    assert after["parts"] == before["parts"]
    assert after["versions"]["notices"] > before["versions"]["notices"]
    withdraw_penalty(penalty=given, reason="another one", by=by)
    assert beat(event)["parts"] == before["parts"]


def test_the_pulse_tells_how_far_each_table_is_and_names_nobody() -> None:
    event = make_event()
    people = make_players(event, 12)
    one, _other = tables_of(make_round(event))
    assert beat(event)["tables"]["open"] == [1, 2]
    play(one)
    tables = beat(event)["tables"]
    assert (tables["open"], tables["submitted"], tables["all"]) == ([2], [], 2)
    body = Client().get(reverse("staff_pulse", args=[event.slug])).content.decode()
    assert not any(player.name in body for player in people)
    assert one.token not in body
    assert "board" in beat(event, "staff_pulse")["versions"]
    assert "board" not in beat(event)["versions"]


@pytest.mark.parametrize("address", ["pulse", "staff_pulse", "live_part"])
def test_live_addresses_read_and_set_no_cookie_and_any_cache_may_hold_them(address: str) -> None:
    event = make_event()
    args = [event.slug, "standings", "en"] if address == "live_part" else [event.slug]
    client = Client()
    client.force_login(organiser_of(event))
    answer = client.get(reverse(address, args=args))
    assert not answer.cookies
    assert "Cookie" not in answer.headers.get("Vary", "")
    assert answer.headers["Cache-Control"] == (
        "public, max-age=1, stale-while-revalidate=5, stale-if-error=60"
    )
    assert answer.content == Client().get(reverse(address, args=args)).content


@pytest.mark.parametrize(
    "address",
    [
        "/live/nowhere/",
        "/live/{slug}/standings/xx/",
        "/live/{slug}/standings-0/en/",
        "/live/{slug}/secrets/en/",
        "/live/{slug}/ranks/en/",
        "/live/{slug}/standings-1/en/",
        "/live/{slug}/standings-2/en/",
        "/live/{slug}/standings-9999/en/",
        "/live/{slug}/standings-1٢/en/",
        "/live/{slug}/seats-2/en/",
        "/live/{slug}/places-2/en/",
        "/live/{slug}/standings/EN/",
    ],
)
def test_what_no_page_follows_is_not_there(address: str) -> None:
    event = make_event()
    assert Client().get(address.format(slug=event.slug)).status_code == 404


def test_a_draft_has_no_pulse() -> None:
    event = make_event(published=False)
    assert Client().get(reverse("pulse", args=[event.slug])).status_code == 404


def test_every_answer_says_what_time_it_is() -> None:
    before = time.time() * 1000
    told = int(Client().get("/").headers["Lodestar-Time"])
    assert before - 1 <= told <= time.time() * 1000 + 1


def test_long_standings_come_in_pages_that_are_parts_of_their_own(monkeypatch) -> None:
    monkeypatch.setattr(parts, "ROWS", 4)
    event = make_event()
    make_players(event, 6)
    play_round(event)
    first, second = read("standings", event)[0], read("standings-2", event)[0]
    assert first.count('id="player-') == 4
    assert second.count('id="player-') == 2
    page = Client().get(reverse("standings", args=[event.slug]), {"page": 2}).content.decode()
    assert second in page
    assert set(beat(event)["parts"]) == {"standings", "standings-2"}


def test_a_part_that_is_gone_costs_nobody_else_the_pulse() -> None:
    event = make_event()
    assert Client().get(reverse("standings", args=[event.slug])).status_code == 200
    asked = {"standings": ["en"], "standings-7": ["en"], "gone": ["en"]}
    caches["shared"].set(f"asked:{event.pk}", asked, 60)
    assert set(beat(event)["parts"]) == {"standings"}


def test_a_part_that_cannot_be_made_costs_nobody_the_clock(monkeypatch, caplog) -> None:
    event = make_event()
    make_players(event, 6)
    for page in ("standings", "seats"):
        Client().get(reverse(page, args=[event.slug]))
    round_ = make_round(event)
    start_clock(round_=round_, by=organiser(event))

    def fails(_event: Event) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(parts, "public_standings", fails)
    kept.forget()
    caches["shared"].delete(f"part:{event.pk}:standings:en")
    found = beat(event)
    assert found["clock"]["round"] == round_.pk
    assert found["parts"]["seats"] == {"en": versions_of(event).seats}
    assert "No part standings" in caplog.text


def test_a_page_beyond_the_last_is_the_last(monkeypatch) -> None:
    monkeypatch.setattr(parts, "ROWS", 4)
    event = make_event()
    make_players(event, 6)
    play_round(event)
    address = reverse("standings", args=[event.slug])
    assert 'data-part="standings-2"' in Client().get(address, {"page": 99}).text
    monkeypatch.setattr(parts, "ROWS", 200)
    assert 'data-part="standings"' in Client().get(address, {"page": "999999999"}).text


@pytest.mark.parametrize("name", ["standings", "seats"])
def test_cached_pages_hold_nothing_of_the_person_who_asked_first(name: str) -> None:
    event = make_event()
    make_players(event, 6)
    stranger = Client()
    stranger.force_login(make_user("Somebody"))
    said = stranger.post(reverse("lost_ticket", args=[event.slug]), {"email": "me@example.org"})
    assert said.status_code == 302
    address = reverse(name, args=[event.slug])
    for page in (stranger.get(address), Client().get(address)):
        assert "csrf" not in page.text
        assert "on its way" not in page.text
        assert reverse("account_logout") not in page.text
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
    "desk_standings",
    "players",
    "door",
    "notebook",
    "calls",
    "board",
    "day",
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


def test_a_page_follows_only_what_the_pulse_tells_by_the_same_numbers() -> None:
    """Else it would ask for itself with every beat."""
    event = make_event()
    players = make_players(event, 6)
    play_round(event)
    read("standings", event)
    EventVersion.objects.raise_for(event, ALL)  # touched, and equal: the part keeps its version
    staff = Client()
    staff.force_login(organiser_of(event))
    pages_of = {
        name: staff.get(reverse(name, args=[event.slug])).content.decode()
        for name in ("event_desk", "desk_standings", "clock", "board", "day", "notebook", "screens")
    }
    pages_of["ticket"] = Client().get(reverse("ticket", args=[players[0].token])).content.decode()
    told = beat(event, "staff_pulse")
    for name, page in pages_of.items():
        for seen in re.findall(r'data-follows="([^"]*)"', page):
            for part, version in (one.split(":") for one in seen.split()):
                now = told["parts"].get(part, told["versions"].get(part))
                now = now["en"] if isinstance(now, dict) else now
                assert str(now) == version, (name, part)
