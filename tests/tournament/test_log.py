"""The log in words: no codes, no tuples, whatever happened; narrowed down to a kind or a player."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from tests.factories import make_event, make_players, make_user, organiser, organiser_of
from tests.pages import flat
from tournament.actions import attendance
from tournament.actions.events import change_settings
from tournament.actions.penalties import give_penalty
from tournament.actions.players import PlayerEntry, edit_player
from tournament.demonstration import demonstration
from tournament.labels import LOG_VERBS
from tournament.models import Event, LogEntry
from tournament.queries.log import LOG_KINDS, log_of, log_rows
from tournament.queries.log_details import details_of

pytestmark = pytest.mark.django_db
# What Python shows of its own things: a brace, a quoted word, True, None.
CODE = re.compile(r"[{}\[\]]|'[a-z_]+'|\bNone\b|\bTrue\b|\bFalse\b|_")


@pytest.fixture
def demo() -> Event:
    return demonstration(make_user("Olga"))


def lines_of(event: Event) -> dict[str, list[str]]:
    return {
        entry.verb: details
        for entry, row in zip(log_of(event), log_rows(log_of(event)), strict=True)
        if (details := row.details)
    }


def test_a_day_is_told_without_a_word_of_code(demo: Event) -> None:
    told = lines_of(demo)
    assert len(told) >= 5
    for verb, details in told.items():
        for line in details:
            assert not CODE.search(line), (verb, line)
    deal = told["deal.entered"][0]
    assert re.fullmatch(r"deal \d: .*(reached the gold|nobody).*", deal), deal


def test_every_verb_of_the_log_has_its_kind() -> None:
    beginnings = tuple(one for parts in LOG_KINDS.values() for one in parts)
    assert [verb for verb in LOG_VERBS if not verb.startswith(beginnings)] == []


def test_settings_are_told_as_the_form_calls_them() -> None:
    event = make_event()
    change_settings(
        event=event,
        settings={"rounds_planned": 4, "second_person": False, "seating": "lot", "venue": ""},
        by=organiser(event),
    )
    (row,) = log_rows(log_of(event)[:1])
    assert set(row.details) == {
        "Rounds: 3 → 4",
        "A second person confirms each sheet: yes → no",
        "Seating method: fewest meetings again → by lot",
    }
    with override("es"):
        (row,) = log_rows(log_of(event)[:1])
        assert "Rondas: 3 → 4" in row.details


def test_an_edited_entry_tells_which_fields_and_no_value() -> None:
    event = make_event()
    (player,) = make_players(event, 1)
    edit_player(
        player=player, entry=PlayerEntry(name="Somebody Else", note="vegan"), by=organiser(event)
    )
    (row,) = log_rows(log_of(event)[:1])
    assert row.details == ["Name, Note for the organiser"]


def test_who_moved_up_is_named() -> None:
    event = make_event(capacity=1)
    (player,) = make_players(event, 1)
    waiting = make_players(event, 1)[0]
    event.players.filter(pk=waiting.pk).update(status="waiting")
    attendance.withdraw(player=player, by=organiser(event))
    (row,) = log_rows(log_of(event)[:1])
    assert row.details == ["Checked in → Withdrawn", f"Moved up: {waiting.name}."]


def test_an_entry_of_another_shape_breaks_no_page() -> None:
    event = make_event()
    shapes = (None, {}, [], "text", 7, [1], {"x": 1}, {"step": 9, "infraction": "x"}, [{"deal": 1}])
    for verb in LOG_VERBS:
        for shape in shapes:
            entry = LogEntry(event=event, verb=verb, before=shape, after=shape, actor="user:abc")
            assert isinstance(details_of(entry, {}), list)
            assert len(log_rows([entry])) == 1


def test_the_log_is_narrowed_down_to_a_kind_and_to_a_player(demo: Event) -> None:
    client = Client()
    client.force_login(organiser_of(demo))
    log = reverse("log", args=[demo.slug])
    sheets = flat(client.get(log, {"kind": "sheets"}))
    assert "Deal entered" in sheets
    assert "Round published" not in sheets
    player = demo.players.get(number=5)
    give_penalty(player=player, infraction="1.1", step=1, reason="", by=organiser(demo))
    one = flat(client.get(log, {"player": "5"}))
    assert "Penalty given" in one
    assert "Round published" not in one
    for nonsense in ({"kind": "x"}, {"player": "x"}, {"player": "99999"}, {"page": "9999"}):
        assert client.get(log, nonsense).status_code == 200


def test_the_page_of_a_player_says_what_is_so_and_offers_one_next_step(demo: Event) -> None:
    client = Client()
    client.force_login(organiser_of(demo))
    player = demo.players.get(number=5)
    page = flat(client.get(reverse("player", args=[demo.slug, 5])))
    assert "On the ticket" in page
    assert re.search(r"Rank \d+, \d+ points", page)
    assert "What happened" in page
    assert page.partition("</header>")[0].count('class="btn primary"') == 0, "who plays, plays"
    attendance.drop(player=player, by=organiser(demo))
    page = flat(client.get(reverse("player", args=[demo.slug, 5])))
    head = page.partition("What happened")[0]
    assert re.search(r'class="btn primary">\s?Comes back', head)


def test_the_next_page_of_a_players_log_is_still_of_that_player(demo: Event) -> None:
    client = Client()
    client.force_login(organiser_of(demo))
    player = demo.players.get(number=5)
    for _ in range(50):
        LogEntry.objects.record(
            "player.edited", event=demo, by=organiser(demo), about=player, after={}
        )
    page = flat(client.get(reverse("log", args=[demo.slug]), {"player": "5"}))
    assert 'href="?player=5&page=2"' in page.replace("&amp;", "&")
