"""The same press twice, presses of old pages, and a session that is over."""

from __future__ import annotations

import json
import re
import threading
from html import unescape
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.factories import (
    make_event,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play_round,
)
from tests.pages import flat
from tournament.actions import attendance, cuts, drafts, draws, rounds
from tournament.models import Event, Round, User
from tournament.queries.cuts import line_of
from tournament.queries.seating_changes import seats_by_table
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def a_draft(players: int = 12) -> tuple[Event, Round, Client]:
    event = make_event()
    make_players(event, players)
    client = Client()
    client.force_login(organiser_of(event))
    return event, make_round(event, published=False), client


def a_swap(round_: Round, position: int = 1) -> dict[str, Any]:
    """Those who sit there at the first two tables change places."""
    first, second = (
        table.seats.get(position=position).player.number for table in tables_of(round_)[:2]
    )
    return {"player": first, "target": f"swap:{second}", "version": round_.version}


@pytest.mark.parametrize("step", ["round_undo", "round_redo"])
def test_one_press_of_undo_or_redo_counts_once(step: str) -> None:
    event, round_, client = a_draft()
    for position in (1, 2):
        client.post(reverse("round_swap", args=[event.slug, round_.pk]), a_swap(round_, position))
        round_.refresh_from_db()
    if step == "round_redo":
        for _ in range(2):
            drafts.undo_change(round_=round_, by=organiser(event))
    round_.refresh_from_db()
    press = {"key": "one-press", "version": round_.version}
    address = reverse(step, args=[event.slug, round_.pk])
    answers = [client.post(address, press).status_code for _ in range(2)]
    assert answers == [302, 302]
    done = round_.seating_changes.filter(status="done").count()
    assert done == 1


@pytest.mark.django_db(transaction=True)
def test_two_equal_presses_at_once_are_one() -> None:
    event, round_, _client = a_draft()
    press = a_swap(round_) | {"key": "one-press"}
    address, user = reverse("round_swap", args=[event.slug, round_.pk]), organiser_of(event)
    together, answers = threading.Barrier(2), []

    def send() -> None:
        client = Client()
        client.force_login(user)
        together.wait()
        answers.append(client.post(address, press).status_code)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [302, 302]
    assert round_.seating_changes.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step", [attendance.withdraw, attendance.undo_check_in])
def test_nobody_leaves_while_a_draw_seats_them(step: Any) -> None:
    """What the step depends on is read once the draw is written."""
    event = make_event()
    player = make_players(event, 12)[0]
    by = organiser(event)
    write = draws.prepare_draw(event=event, by=by, options=draws.DEFAULT_OPTIONS, seed=1)
    asked, said = threading.Event(), []

    def leave() -> None:
        asked.set()
        try:
            step(player=player, by=by)
        except Exception as refused:
            said.append(str(refused))
        connection.close()

    thread = threading.Thread(target=leave)
    with transaction.atomic():
        Event.objects.lock(event.pk)
        thread.start()
        asked.wait()
        write()
    thread.join()
    player.refresh_from_db()
    # Whoever comes first: either the draw has seated them, or it was refused.
    assert player.status == "checked_in" or not player.seats.exists()
    assert player.status != "checked_in" or "seated already" in said[0]


@pytest.mark.parametrize("version", ["abc", "0", "-1", "٣", "99999999999", ""])
def test_a_version_that_is_none_is_an_old_page(version: str) -> None:
    event, round_, client = a_draft()
    before = seats_by_table(round_)
    press = a_swap(round_) | {"version": version}
    answer = client.post(reverse("round_swap", args=[event.slug, round_.pk]), press)
    assert answer.status_code == 409
    assert seats_by_table(round_) == before


def test_nonsense_for_a_place_is_told() -> None:
    event, round_, client = a_draft()
    press = a_swap(round_) | {"to": "\x00"}
    answer = client.post(reverse("round_swap", args=[event.slug, round_.pk]), press)
    assert answer.status_code == 409
    assert "Choose where the person goes." in flat(answer)


def test_the_press_that_drew_a_cancelled_final_draws_no_other() -> None:
    event = make_event(rounds_planned=1)
    make_players(event, 12)
    play_round(event)
    event.refresh_from_db()
    by = organiser(event)
    cut = cuts.make_cut(event=event, by=by)
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=by)
    client = Client()
    client.force_login(organiser_of(event))
    address = reverse("final_draw", args=[event.slug])
    assert client.post(address, {"key": "one-press"}).status_code == 302
    rounds.cancel_round(round_=event.rounds.final().get(), reason="the lamp fell", by=by)
    again = client.post(address, {"key": "one-press"})
    assert again.status_code == 409
    assert "This page is old" in flat(again)


@pytest.mark.parametrize("page", ["here", "elsewhere"])
def test_a_press_after_the_session_is_offered_again_or_leads_back_to_its_page(page: str) -> None:
    """Never to an address that takes presses alone."""
    event, round_, _client = a_draft()
    here = reverse("round", args=[event.slug, round_.pk])
    host = "http://testserver" if page == "here" else "https://example.org"
    for name in ("round_swap", "round_publish"):
        stranger = Client(headers={"referer": f"{host}{here}?move=3"})
        press = reverse(name, args=[event.slug, round_.pk])
        answer = stranger.post(press)
        assert answer.url == f"{reverse('account_login')}?next={reverse('resume')}"
        stranger.force_login(organiser_of(event))
        offered = flat(stranger.get(reverse("resume")))
        assert f'action="{press}"' in offered
        wanted = f"{here}?move=3" if page == "here" else reverse("desk")
        assert f'href="{wanted}"' in offered


def test_a_part_and_its_page_are_kept_apart() -> None:
    """Else Back shows the bare part."""
    event, round_, client = a_draft()
    for name, args in (("event_desk", [event.slug]), ("round", [event.slug, round_.pk])):
        answer = client.get(reverse(name, args=args))
        assert "HX-Request" in answer.headers["Vary"]


def test_the_draft_of_a_published_round_is_a_page_to_load_again() -> None:
    event, round_, client = a_draft()
    press = a_swap(round_)
    rounds.publish_round(round_=round_, by=organiser(event))
    htmx = {"HX-Request": "true"}
    answer = client.post(reverse("round_swap", args=[event.slug, round_.pk]), press, headers=htmx)
    assert answer.headers["HX-Refresh"] == "true"
    page = flat(client.get(reverse("round", args=[event.slug, round_.pk])))
    assert "this is not possible now" in page


def test_one_repair_pressed_twice_counts_once() -> None:
    event, round_, client = a_draft(13)
    table = max(tables_of(round_), key=lambda one: one.seats.count())
    people = list(table.seats.order_by("position").values_list("player__number", flat=True))
    press = {
        "seats": json.dumps({table.number: people[:-1]}),
        "missing": [people[-1]],
        "version": round_.version,
        "key": "one-press",
    }
    address = reverse("round_absences_pick", args=[event.slug, round_.pk])
    assert [client.post(address, press).status_code for _ in range(2)] == [302, 302]
    assert round_.seating_changes.count() == 1


def interrupted(address: str, sent: dict[str, str], user: User) -> tuple[Client, HttpResponse]:
    """Somebody sends a form while the session is over, signs in, and sees what was kept."""
    client = Client()
    answer = client.post(address, sent)
    assert answer.url == f"{reverse('account_login')}?next={reverse('resume')}"
    client.force_login(user)
    return client, client.get(reverse("resume"))


def test_what_was_typed_when_the_session_was_over_is_sent_after_signing_in() -> None:
    event = make_event()
    players = make_players(event, 6)
    make_round(event)
    address = reverse("penalty", args=[event.slug, players[0].number])
    sent = {"infraction": "1.2", "step": "2", "reason": "she said “<b>no</b>”", "key": "k"}
    client, page = interrupted(address, sent, organiser_of(event))
    assert not players[0].penalties.exists()
    text = flat(page)
    assert f'action="{address}"' in text
    kept = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', text)
    data = {name: unescape(value) for name, value in kept}
    assert sent.items() <= data.items()
    assert client.get(reverse("resume")).status_code == 200, "a reload loses nothing"
    assert client.post(address, data).status_code == 302
    assert players[0].penalties.get().reason == sent["reason"]


def test_a_typed_sheet_survives_the_end_of_a_session() -> None:
    event = make_event()
    make_players(event, 6)
    table = tables_of(make_round(event))[0]
    address = reverse("staff_table:points", args=[event.slug, table.pk])
    sent = {f"p-1-{seat}": value for seat, value in enumerate("330000", 1)} | {"version": "0"}
    client, page = interrupted(address, sent, organiser_of(event))
    assert f'action="{address}"' in flat(page)
    client.post(address, sent)
    assert table.sheet.deals.get().points == "330000"


def test_nothing_kept_leads_to_the_desk_and_a_huge_one_is_not_kept() -> None:
    event = make_event()
    client = Client()
    client.force_login(organiser_of(event))
    assert client.get(reverse("resume")).url == reverse("desk")
    huge = Client().post(reverse("settings", args=[event.slug]), {"description": "x" * 200_000})
    assert reverse("resume") not in huge.url


def test_nothing_of_a_login_is_kept() -> None:
    client = Client()
    for name in ("account_change_password", "mfa_reauthenticate", "account_email"):
        client.post(reverse(name), {"oldpassword": "secret-old", "password": "secret-old"})
        assert "interrupted" not in client.session


def test_what_was_kept_is_for_the_staff_of_its_event_and_goes_with_being_sent() -> None:
    event = make_event()
    (player,) = make_players(event, 1)
    address = reverse("player", args=[event.slug, player.number])
    sent = {"name": "Ana", "name_style": "full", "note": "a secret"}
    _client, page = interrupted(address, sent, organiser_of(make_event()))
    assert page.url == reverse("desk"), "somebody else's event"
    client, page = interrupted(address, sent, organiser_of(event))
    assert "a secret" in flat(page)
    client.post(address, sent)
    assert client.get(reverse("resume")).url == reverse("desk"), "sent"
    client, page = interrupted(address, sent, organiser_of(event))
    session = client.session
    session["interrupted"] = session["interrupted"] | {"at": 0}
    session.save()
    assert client.get(reverse("resume")).url == reverse("desk"), "too long ago"


@pytest.mark.parametrize("referer", ["http://[", "http://]x/", "http://testserver//evil.com/x"])
def test_where_a_press_came_from_may_be_nonsense(referer: str) -> None:
    event = make_event()
    client = Client(headers={"referer": referer})
    client.post(reverse("publish", args=[event.slug]))
    client.force_login(organiser_of(event))
    page = flat(client.get(reverse("resume")))
    assert f'href="{reverse("desk")}"' in page
    assert "evil.com" not in page
