"""The screens in the hall: what they show, who steers them, and what never stands on one."""

from __future__ import annotations

import re
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.browser.world import LEVEL
from tests.factories import (
    enter,
    make_event,
    make_judge,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play,
    play_round,
)
from tests.pages import flat
from tournament.actions import clocks, cuts, events, finals, reveals, rounds, screens
from tournament.models import Event, LogEntry, Screen
from tournament.models.screens import View
from tournament.queries import screen_pages as pages
from tournament.queries.log import log_of, log_rows
from tournament.queries.screens import HallState, hall_state, page_now, shown_on, view_for, view_of
from tournament.refusals import Conflict, Refused
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def add(event: Event, name: str = "Entrance", **steered: Any) -> Screen:
    screen = screens.add_screen(event=event, name=name, by=organiser(event))
    Screen.objects.filter(pk=screen.pk).update(**steered)
    return again(screen)


def again(screen: Screen) -> Screen:
    """As it is now."""
    return Screen.objects.select_related("event").get(pk=screen.pk)


def steer(screen: Screen, shows: str, through: int | None = None, version: int = 0) -> Screen:
    return screens.steer_screen(
        screen=screen,
        shows=shows,
        through=through,
        version=version or again(screen).version,
        by=organiser(screen.event),
    )


def look(screen: Screen, **more: Any) -> HttpResponse:
    return Client().get(reverse("screen", args=[screen.token]), **more)


def read(screen: Screen) -> str:
    return flat(look(screen))


# --- Which view ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "view"),
    [
        (HallState(), View.REGISTRATION),
        (HallState(playing="preliminary"), View.SEATING),
        (HallState(playing="preliminary", begun=True), View.CLOCK),
        (HallState(played=True), View.STANDINGS),
        (HallState(played=True, lot_last=True), View.LOT),
        (HallState(playing="final"), View.FINAL),
        (HallState(playing="final", begun=True), View.FINAL),
        (HallState(played=True, final_over=True), View.PODIUM),
        (HallState(played=True, final_over=True, lot_last=True), View.LOT),
        (HallState(finished=True), View.PODIUM),
    ],
)
def test_a_screen_follows_the_event(state: HallState, view: View) -> None:
    assert view_for(state) == view


def test_a_day_on_one_screen() -> None:
    event = make_event(rounds_planned=1)
    screen, by, seen = add(event), organiser(event), []

    def note() -> None:
        seen.append(view_of(again(screen)))

    note()
    make_players(event, 12)
    round_ = make_round(event)
    note()
    enter(tables_of(round_)[0], 1, LEVEL[0])
    note()
    for table in tables_of(round_):
        play(table, LEVEL)
    rounds.close_round(round_=round_, by=by)
    note()
    cut = cuts.make_cut(event=event, by=by)
    note()
    cuts.settle_line(cut=cut, by=by)
    note()
    final = finals.draw_final(cut=cut, by=by, seed=1)
    note()
    rounds.publish_round(round_=final, by=by)
    note()
    play(tables_of(final)[0], [*LEVEL, LEVEL[0]])
    rounds.close_round(round_=final, by=by)
    note()
    events.finish_event(event=Event.objects.get(pk=event.pk), by=by, reason="")
    note()
    assert seen == [
        View.REGISTRATION,
        View.SEATING,
        View.CLOCK,
        View.STANDINGS,
        View.STANDINGS,
        View.LOT,
        View.LOT,
        View.FINAL,
        View.PODIUM,
        View.PODIUM,
    ]


def test_the_clock_moves_the_screen_on_at_the_announced_start() -> None:
    event = make_event(round_minutes=45)
    make_players(event, 6)
    round_ = make_round(event)
    at = timezone.now() + timedelta(minutes=10)
    clocks.start_clock(round_=round_, at=at, by=organiser(event))
    assert not hall_state(event).begun
    assert hall_state(event, at + timedelta(seconds=1)).begun


# --- Pages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [0, 1, 22, 176, 177, 264, 265, 576, 960, 1440, 2000, 2184])
def test_everybody_is_seen_within_forty_seconds(names: int) -> None:
    grid = pages.grid_for(names)
    found = pages.in_pages(range(names), grid.places)
    seconds = pages.seconds_for(len(found))
    assert len(found) * seconds <= pages.SEEN_WITHIN
    assert seconds >= pages.LEAST_SECONDS
    assert [one for page in found for one in page] == list(range(names))
    assert max(map(len, found)) <= grid.places


def test_the_letters_shrink_only_as_far_as_the_field_asks() -> None:
    assert [pages.grid_for(n).letters for n in (176, 177, 264, 265, 2000)] == [
        5.2,
        4.8,
        4.8,
        4.0,
        1.6,
    ]
    assert [pages.grid_for(n).metres for n in (264, 2000)] == [10, 3]
    quarters = [pages.share_of(range(2000), n, 4) for n in (1, 2, 3, 4)]
    assert {len(one) for one in quarters} == {500}
    assert pages.grid_for(500).letters == 3.2


def test_columns_are_of_one_height() -> None:
    assert pages.in_columns("abcde", 2) == (("a", "b", "c"), ("d", "e", None))
    assert pages.in_columns("", 2) == ((None,), (None,))


def test_every_screen_shows_the_same_page_at_one_instant() -> None:
    at = datetime(2026, 7, 19, 10, 0, 0, tzinfo=UTC)
    shown = [pages.page_at(at + timedelta(seconds=n), 5, 3) for n in range(0, 20, 5)]
    first = shown[0]
    assert shown == [first, (first + 1) % 3, (first + 2) % 3, first]
    assert pages.page_at(at + timedelta(seconds=4.9), 5, 3) == first
    assert pages.page_at(at, 5, 0) == 0


# --- What stands on it ---------------------------------------------------------------------------


def test_the_seats_are_all_there_and_one_page_is_up() -> None:
    event = make_event()
    make_players(event, 60)
    make_round(event)
    screen = add(event)
    page = look(screen).content.decode()
    assert page.count("data-page") == 3
    assert len(re.findall(r"data-page\s+hidden", page)) == 2
    for player in event.players.all():
        assert player.name in page


def test_without_scripts_the_pages_turn_by_their_addresses() -> None:
    event = make_event()
    make_players(event, 60)
    make_round(event)
    screen = add(event)
    first, second = (flat(look(screen, data={"page": n})) for n in (0, 1))
    assert 'http-equiv="refresh" content="10; url=?page=1"' in first
    assert 'url=?page=2"' in second
    assert "<noscript>" in first
    third = flat(look(screen, data={"page": "2", "bare": ""}))
    assert "url=?page=0&amp;bare" in third
    for odd in ("-1", "x", "9" * 30):
        assert look(screen, data={"page": odd}).status_code == 200


def test_two_screens_share_the_names() -> None:
    event = make_event()
    make_players(event, 12)
    make_round(event)
    one, two = add(event, share=1, shares=2), add(event, "Stage", share=2, shares=2)
    names = [player.name for player in event.players.all()]
    shown = [{name for name in names if f">{name}<" in read(screen)} for screen in (one, two)]
    assert shown[0] | shown[1] == {*names}
    assert not shown[0] & shown[1]


def test_hidden_standings_are_on_no_screen() -> None:
    event = make_event(standings_shown="hidden", hidden_from_round=2, rounds_planned=2)
    make_players(event, 12)
    screen = add(event, shows=View.STANDINGS)
    play_round(event)
    before = shown_on(again(screen)).facts["board"]
    play_round(event, 2)
    for through in (None, 2, 9):
        Screen.objects.filter(pk=screen.pk).update(through=through)
        now = shown_on(again(screen))
        assert [(row.number, row.points) for row in now.facts["board"].rows] == [
            (row.number, row.points) for row in before.rows
        ], through
        assert "As of the end of round 1" in now.told
    reveals.reveal_ranks(event=event, down_to=1, by=organiser(event))
    Screen.objects.filter(pk=screen.pk).update(through=None)
    assert shown_on(again(screen)).told == ""


def test_hidden_from_the_first_round_shows_nothing_and_says_so() -> None:
    event = make_event(standings_shown="hidden", hidden_from_round=1)
    make_players(event, 6)
    play_round(event)
    screen = add(event, shows=View.STANDINGS, through=1)
    assert "The standings are hidden until they are revealed." in read(screen)
    assert "data-page" not in read(screen)


def test_standings_as_of_an_earlier_round() -> None:
    event = make_event(rounds_planned=3)
    make_players(event, 12)
    play_round(event)
    screen = add(event, shows=View.STANDINGS)
    first = shown_on(screen).facts["board"].rows
    play_round(event, 2)
    screen = steer(screen, View.STANDINGS, through=1)
    picture = shown_on(again(screen))
    assert [row.points for row in picture.facts["board"].rows] == [row.points for row in first]
    assert picture.told == "As of the end of round 1."


def final_event(**settings: Any) -> Event:
    """A final in which one deal is entered."""
    event = make_event(rounds_planned=1, **settings)
    make_players(event, 12)
    round_ = make_round(event)
    by = organiser(event)
    for table in tables_of(round_):
        play(table, LEVEL)
    rounds.close_round(round_=round_, by=by)
    cut = cuts.make_cut(event=event, by=by)
    cuts.settle_line(cut=cut, by=by)
    final = finals.draw_final(cut=cut, by=by, seed=1)
    rounds.publish_round(round_=final, by=by)
    enter(tables_of(final)[0], 1, LEVEL[0])
    return event


def test_the_final_deal_by_deal() -> None:
    screen = add(final_event())
    rows = shown_on(screen).facts["rows"]
    assert [row.deals[0] for row in rows] == [(3, True), (3, True), *[(0, False)] * 4]
    assert {row.deals[1:] for row in rows} == {(None, None, None)}
    assert [row.leads for row in rows] == [True, True, False, False, False, False]
    assert "As entered at the table" in read(screen)


@pytest.mark.parametrize("shown", ["round", "hidden"])
def test_a_final_that_is_withheld_shows_who_plays_and_no_points(shown: str) -> None:
    screen = add(final_event(standings_shown=shown))
    picture = shown_on(screen)
    assert [row.deals for row in picture.facts["rows"]] == [()] * 6
    assert picture.facts["numbers"] == []
    assert picture.told


def test_no_champion_before_everything_is_played() -> None:
    event = make_event()
    make_players(event, 6)
    play_round(event)
    screen = add(event, shows=View.PODIUM)
    assert "once everything is played" in read(screen)
    assert shown_on(screen).facts == {}


@pytest.mark.parametrize("view", [one for one in View.values if one != View.FOLLOW])
def test_every_view_stands_in_every_state(view: str) -> None:
    """Before anything has happened, and where nothing of its kind will."""
    event = make_event(cut_size=0)
    screen = add(event, shows=view)
    assert look(screen).status_code == 200
    make_players(event, 6)
    play_round(event)
    assert look(screen).status_code == 200
    events.finish_event(event=Event.objects.get(pk=event.pk), by=organiser(event), reason="rain")
    assert look(screen).status_code == 200


@pytest.mark.parametrize("view", [View.SEATING, View.STANDINGS, View.CLOCK, View.FOLLOW])
def test_a_larger_field_asks_the_database_no_more(view: str) -> None:
    counts = []
    for people in (6, 18):
        event = make_event()
        make_players(event, people)
        make_round(event)
        screen = add(event, shows=view)
        look(screen)
        with CaptureQueriesContext(connection) as asked:
            look(screen)
        counts.append(len(asked))
    assert counts[0] == counts[1]


# --- A message -----------------------------------------------------------------------------------


def test_a_message_stands_over_everything_and_goes_at_its_time() -> None:
    event = make_event()
    one, two = add(event), add(event, "Stage")
    by = organiser(event)
    until = timezone.now() + timedelta(minutes=30)
    screens.say_on_screens(event=event, only=None, text="Lunch", until=until, by=by)
    for screen in (one, two):
        assert f'data-message-until="{int(until.timestamp())}"' in read(screen)
    assert again(one).message_at(until - timedelta(seconds=1)) == "Lunch"
    assert again(one).message_at(until) == ""
    screens.say_on_screens(event=event, only=two, text="Stage only", until=None, by=by)
    assert "Stage only" not in read(one)
    assert "Stage only" in read(two)
    screens.unsay_on_screens(event=event, only=None, by=by)
    assert 'class="message"' not in read(one) + read(two)
    with pytest.raises(Refused, match="later than now"):
        screens.say_on_screens(event=event, only=None, text="x", until=timezone.now(), by=by)


def test_what_is_written_on_a_screen_is_no_markup_and_not_in_the_log() -> None:
    event = make_event()
    screen = add(event)
    text = "<script>alert(1)</script>"
    screens.say_on_screens(event=event, only=None, text=text, until=None, by=organiser(event))
    assert text not in read(screen)
    assert "alert" not in str(LogEntry.objects.get(verb="screen.message").after)


# --- Steering ------------------------------------------------------------------------------------


def test_two_desks_notice_each_other() -> None:
    event = make_event()
    screen = add(event)
    seen = screen.version
    steer(screen, View.CLOCK, version=seen)
    with pytest.raises(Conflict, match=r"“Entrance” meanwhile\. It shows now: Clock and tables"):
        steer(screen, View.LOT, version=seen)
    assert again(screen).shows == View.CLOCK
    steer(screen, View.CLOCK, version=seen)  # both want the same
    assert again(screen).version == seen + 1


@pytest.mark.django_db(transaction=True)
def test_two_desks_at_the_same_instant() -> None:
    event = make_event()
    screen = add(event)
    answers: list[str] = []

    def press(view: str) -> None:
        try:
            steer(screen, view, version=screen.version)
            answers.append("done")
        except Conflict:
            answers.append("conflict")
        finally:
            connection.close()

    desks = [threading.Thread(target=press, args=[one]) for one in (View.CLOCK, View.LOT)]
    for desk in desks:
        desk.start()
    for desk in desks:
        desk.join()
    assert sorted(answers) == ["conflict", "done"]
    assert again(screen).version == screen.version + 1


def test_pause_next_and_back_hold_the_page_and_the_view() -> None:
    event = make_event()
    make_players(event, 60)
    round_ = make_round(event)
    screen, by = add(event), organiser(event)

    def version() -> int:
        return again(screen).version

    screens.pause_screen(screen=screen, version=version(), by=by)
    held = again(screen)
    assert (held.held, held.paused) == (View.SEATING, True)
    page = page_now(held)
    screens.turn_screen(screen=screen, by_pages=1, version=version(), by=by)
    assert page_now(again(screen)) == (page + 1) % 3
    for _press in range(2):
        screens.turn_screen(screen=screen, by_pages=-1, version=version(), by=by)
    assert page_now(again(screen)) == (page - 1) % 3
    clocks.start_clock(round_=round_, by=by)
    assert view_of(again(screen)) == View.SEATING, "it stands still"
    screens.resume_screen(screen=screen, version=version(), by=by)
    assert view_of(again(screen)) == View.CLOCK, "and follows again"


def test_a_switched_off_screen_says_so_and_stops() -> None:
    event = make_event()
    screen, by = add(event), organiser(event)
    screens.revoke_screen(screen=screen, by=by)
    answer = look(screen)
    assert answer.status_code == 410
    page = flat(answer)
    assert "This screen is switched off" in page
    assert "<script" not in page
    assert 'name="pulse"' not in page
    part = look(screen, headers={"HX-Request": "true"})
    assert (part.headers["HX-Refresh"], part.content) == ("true", b"")
    for press in (
        lambda: steer(screen, View.CLOCK),
        lambda: screens.pause_screen(screen=screen, version=1, by=by),
        lambda: screens.revoke_screen(screen=screen, by=by),
    ):
        with pytest.raises(Refused, match="switched off"):
            press()


def test_a_guessed_address_is_not_found() -> None:
    screen = add(make_event())
    for guess in ("x" * 22, screen.token[:-1] + ("a" if screen.token[-1] != "a" else "b")):
        assert Client().get(reverse("screen", args=[guess])).status_code == 404


def test_a_hidden_event_shows_nothing_until_it_is_public_again() -> None:
    event = make_event(name="Secret plan")
    screen = add(event)
    events.unpublish_event(event=event, by=organiser(event))
    page = read(screen)
    assert "Nothing is shown at the moment." in page
    assert 'data-follows="seats:-1"' in page, "the first beat brings it back"
    events.publish_event(event=Event.objects.get(pk=event.pk), by=organiser(event))
    assert "Register here" in read(screen)


def test_a_screen_speaks_the_events_language() -> None:
    event = make_event(language="es")
    screen = add(event)
    page = flat(look(screen, headers={"Accept-Language": "en"}))
    assert '<html lang="es"' in page
    assert "Inscríbete aquí" in page


# --- The desk ------------------------------------------------------------------------------------


def desk(event: Event, client: Client) -> Any:
    """Press something on the desk's page."""
    client.force_login(organiser_of(event))

    def press(name: str, /, *args: Any, **data: Any) -> HttpResponse:
        return client.post(reverse(name, args=[event.slug, *args]), data)

    return press


def test_the_desk_steers(client: Client) -> None:
    event = make_event()
    make_players(event, 60)
    make_round(event)
    press = desk(event, client)
    for _twice in range(2):
        assert press("screens", name="Entrance", key="one").status_code == 302
    screen = event.screens.get()
    assert screen.name == "Entrance"
    assert press("screen_steer", screen.pk, shows="seating", version=1).status_code == 302
    stale = press("screen_steer", screen.pk, shows="lot", version=1)
    assert stale.status_code == 409
    assert "It shows now: Seats by name" in flat(stale)
    assert press("screen_turn", screen.pk, press="next", version=2).status_code == 302
    assert press("screen_turn", screen.pk, press="go-on", version=3).status_code == 302
    assert press("screen_turn", screen.pk, press="pause", version="x").status_code == 409
    assert press("screens_say", text="Lunch", until="", screen="").status_code == 302
    assert again(screen).message == "Lunch"
    assert press("screens_say", text="").status_code == 422
    assert press("screens_unsay", screen=screen.pk).status_code == 302
    assert press("screen_change", screen.pk, name="Stage", part="2/3").status_code == 302
    changed = again(screen)
    assert (changed.name, changed.share, changed.shares) == ("Stage", 2, 3)
    assert press("screen_change", screen.pk, name="Stage", part="4/3").status_code == 422
    assert press("screen_steer", screen.pk, shows="cinema", version=5).status_code == 422
    page = flat(client.get(reverse("screens", args=[event.slug])))
    assert f"/screen/{screen.token}/" in page
    assert "Seats by name" in page
    assert press("screen_revoke", screen.pk).status_code == 302
    assert press("screen_revoke", screen.pk).status_code == 404
    assert "No screen yet" in flat(client.get(reverse("screens", args=[event.slug])))


def test_another_events_screen_is_not_steered(client: Client) -> None:
    event, other = make_event(), make_event()
    screen = add(other)
    press = desk(event, client)
    assert press("screen_steer", screen.pk, shows="lot", version=1).status_code == 404
    assert press("screens_say", text="Hello", screen=screen.pk).status_code == 422


def test_judges_look_and_steer_nothing(client: Client) -> None:
    event = make_event()
    add(event)
    client.force_login(make_judge(event))
    page = flat(client.get(reverse("screens", args=[event.slug])))
    assert "Entrance" in page
    assert "<form" not in page.partition("<main")[2]


def test_the_log_tells_it() -> None:
    event = make_event()
    screen = add(event)
    steer(screen, View.CLOCK)
    row = log_rows(log_of(event, "event"))[0]
    assert (row.what, row.about) == ("Screen shows something else", "Entrance")
    assert row.details == ["Follow the event → Clock and tables"]


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_asks_the_same_however_many_screens(
    client: Client, count: int, django_assert_max_num_queries
) -> None:
    event = make_event()
    make_players(event, 6)
    make_round(event)
    for number in range(count):
        add(event, f"Screen {number}")
    client.force_login(organiser_of(event))
    address = reverse("screens", args=[event.slug])
    client.get(address)
    with django_assert_max_num_queries(22):
        client.get(address)


def test_there_is_a_most_of_screens() -> None:
    event = make_event()
    for number in range(screens.MOST_SCREENS):
        add(event, f"Screen {number}")
    with pytest.raises(Refused, match="at most 12 screens"):
        add(event, "one more")


def test_a_screens_address_stands_open_until_a_television_is_there(client: Client) -> None:
    event = make_event()
    screen = add(event)
    address = reverse("screens", args=[event.slug])
    desk(event, client)
    assert "Nobody has opened it yet." in flat(client.get(address))
    client.get(reverse("screen", args=[screen.token]))
    assert again(screen).opened_at is None, "the staff looks at it"
    for _look in range(2):
        look(screen)
    assert again(screen).opened_at is not None
    page = flat(client.get(address))
    assert "Nobody has opened it yet." not in page
    assert page.index("<details") < page.index(screen.token, page.index("Hold this page"))
    assert LogEntry.objects.filter(event=event, verb="screen.opened").count() == 1


def test_what_cannot_be_taken_away_is_not_offered(client: Client) -> None:
    event = make_event()
    add(event)
    press = desk(event, client)
    address = reverse("screens", args=[event.slug])
    assert "Take all messages away" not in flat(client.get(address))
    press("screens_say", text="Lunch")
    assert "Take all messages away" in flat(client.get(address))
    press("screens_unsay")
    assert "Take all messages away" not in flat(client.get(address))
    assert "at most 120 characters" in flat(press("screens_say", text="Lunch " * 30))


def test_in_a_break_the_screen_shows_the_break() -> None:
    event = make_event(round_minutes=40)
    make_players(event, 12)
    round_ = make_round(event)
    screen, by = add(event, shows=View.CLOCK), organiser(event)
    clocks.start_clock(round_=round_, by=by)
    assert "still playing" in read(screen)
    ends_at = timezone.now() + timedelta(minutes=30)
    clocks.announce_break(event=event, ends_at=ends_at, text="Lunch", by=by)
    page = read(screen)
    assert "still playing" not in page
    assert f"Break until {event.local(ends_at):%H:%M}" in page
    assert "<h1>Break</h1>" in page
    assert "<bdi>Lunch</bdi>" in page
    clocks.end_break(event=event, by=by)
    assert "still playing" in read(screen)
