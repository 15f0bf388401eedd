"""Clocks: what they say, who sets them, what is so at zero. Time is a value here, never awaited."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

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
from tests.watch import NOON, Watch
from tournament.actions import clocks as actions
from tournament.actions import rounds
from tournament.actions.events import change_settings
from tournament.clocks import Clock, ClockState, TableClock, ends_at, read_clock
from tournament.forms.clocks import moment_of
from tournament.models import Event, LogEntry, Round, RoundClock
from tournament.models.scoresheets import SheetStatus
from tournament.queries.clocks import clock_of
from tournament.refusals import Conflict, Refused
from tournament.simulation import tables_of

CASES = json.loads((Path(__file__).parent.parent / "vectors" / "clocks.json").read_text())


def at(seconds: float | None) -> datetime | None:
    return None if seconds is None else NOON + timedelta(seconds=seconds)


def lasting(seconds: float | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_a_clock_says(case: dict[str, Any]) -> None:
    given, own = case["clock"], case["table"] or {"extra": 0, "stopped": None}
    clock = Clock(
        at(given["starts"]),
        lasting(given["length"]),
        at(given["paused"]),
        timedelta(seconds=given["pausedFor"]),
    )
    table = TableClock(timedelta(seconds=own["extra"]), at(own["stopped"]))
    now = at(case["now"])
    assert now is not None
    reading = read_clock(clock, now, table)
    assert (reading.state, reading.left.total_seconds()) == (case["state"], case["left"])
    end = ends_at(clock, table)
    if reading.state == ClockState.RUNNING:
        assert end == now + reading.left
    if reading.state in (ClockState.PAUSED, ClockState.STOPPED, ClockState.OPEN):
        assert end is None


@pytest.fixture
def played(db, watch: Watch) -> Round:
    event = make_event(round_minutes=40, time_zone="Europe/Madrid")
    make_players(event, 12)
    return make_round(event)


def says(round_: Round, watch: Watch, table: int | None = None) -> tuple[str, float]:
    """State and seconds, read anew from what is stored: a restart changes nothing."""
    event = Event.objects.get(pk=round_.event_id)
    reading = clock_of(event, watch.now).read(watch.now, table)
    return reading.state, reading.left.total_seconds()


def test_a_round_is_started_paused_and_lengthened(played: Round, watch: Watch) -> None:
    by = organiser(played.event)
    assert says(played, watch)[0] == "none"
    actions.start_clock(round_=played, by=by)
    assert says(played, watch) == ("running", 2400)
    watch.goes(minutes=10)
    actions.pause_clock(round_=played, by=by)
    watch.goes(minutes=5)
    assert says(played, watch) == ("paused", 1800)
    actions.pause_clock(round_=played, by=by)  # a second press changes nothing
    actions.resume_clock(round_=played, by=by)
    actions.resume_clock(round_=played, by=by)
    assert says(played, watch) == ("running", 1800)
    actions.add_time(round_=played, seconds=300, by=by)
    assert says(played, watch) == ("running", 2100)
    watch.goes(minutes=35)
    assert says(played, watch) == ("over", 0)
    verbs = LogEntry.objects.filter(verb__startswith="clock").order_by("pk")
    assert [one.verb for one in verbs] == [
        "clock.started",
        "clock.paused",
        "clock.resumed",
        "clock.lengthened",
    ]


def test_an_announced_start_begins_by_itself(played: Round, watch: Watch) -> None:
    start = NOON + timedelta(minutes=5, seconds=0.4)
    actions.start_clock(round_=played, at=start, by=organiser(played.event))
    assert says(played, watch) == ("announced", 300)
    with pytest.raises(Refused, match="not started"):
        actions.pause_clock(round_=played, by=organiser(played.event))
    watch.goes(minutes=5)
    assert says(played, watch) == ("running", 2400)


def test_a_start_lies_near(played: Round) -> None:
    with pytest.raises(Refused, match="today or tomorrow"):
        actions.start_clock(round_=played, at=NOON + timedelta(days=3), by=organiser(played.event))


def test_one_table_has_a_time_of_its_own(played: Round, watch: Watch) -> None:
    by, (one, other) = organiser(played.event), tables_of(played)
    actions.start_clock(round_=played, by=by)
    watch.goes(minutes=39, seconds=59)
    assert says(played, watch, 1) == ("running", 1)
    actions.give_table_time(table=one, seconds=240, reason="judge's call", by=by)
    assert says(played, watch, 1) == ("running", 241)
    assert says(played, watch, 2) == ("running", 1)
    actions.stop_table(table=other, reason="a fight", by=by)
    watch.goes(minutes=3)
    assert says(played, watch, 2) == ("stopped", 1)
    actions.resume_table(table=other, by=by)
    assert says(played, watch, 2) == ("running", 1)
    assert says(played, watch, 1) == ("running", 61)


def test_a_table_that_stood_still_while_all_did_gets_it_once(played: Round, watch: Watch) -> None:
    by, (one, _other) = organiser(played.event), tables_of(played)
    actions.start_clock(round_=played, by=by)
    actions.stop_table(table=one, reason="", by=by)
    watch.goes(minutes=2)
    actions.pause_clock(round_=played, by=by)
    watch.goes(minutes=10)
    actions.resume_table(table=one, by=by)
    assert says(played, watch, 1) == ("paused", 2400)
    actions.resume_clock(round_=played, by=by)
    assert says(played, watch, 1) == ("running", 2400)
    assert says(played, watch, 2) == ("running", 2280)


def test_a_table_that_is_done_needs_no_time(played: Round) -> None:
    table = tables_of(played)[0]
    play(table)
    with pytest.raises(Refused, match="done"):
        actions.give_table_time(table=table, seconds=60, reason="", by=organiser(played.event))


def test_whose_time_is_over_is_handed_in_in_one_step(played: Round, watch: Watch) -> None:
    by, (one, other) = organiser(played.event), tables_of(played)
    actions.start_clock(round_=played, by=by)
    enter(one, 1)
    actions.give_table_time(table=other, seconds=600, reason="", by=by)
    with pytest.raises(Refused, match="No table's time is over"):
        actions.hand_in_for_time(round_=played, reason="time", by=by)
    watch.goes(minutes=41)
    assert actions.hand_in_for_time(round_=played, reason="time", by=by, key="k") == [1]
    assert actions.hand_in_for_time(round_=played, reason="time", by=by, key="k") == []
    one.sheet.refresh_from_db()
    other.sheet.refresh_from_db()
    assert (one.sheet.status, other.sheet.status) == (SheetStatus.SUBMITTED, SheetStatus.OPEN)
    assert one.sheet.deals.count() == 1
    entry = LogEntry.objects.get(verb="sheet.submitted")
    assert entry.reason == "time"


def test_the_same_press_twice_counts_once(played: Round, watch: Watch) -> None:
    by, table = organiser(played.event), tables_of(played)[0]
    actions.start_clock(round_=played, by=by, key="a")
    watch.goes(minutes=1)
    actions.start_clock(round_=played, by=by, key="a")
    assert says(played, watch) == ("running", 2340)
    for _ in range(2):
        actions.add_time(round_=played, seconds=60, by=by, key="b")
        actions.give_table_time(table=table, seconds=60, reason="", by=by, key="c")
    assert says(played, watch) == ("running", 2400)
    assert says(played, watch, 1) == ("running", 2460)


def test_a_draft_again_has_no_clock(played: Round, watch: Watch) -> None:
    by = organiser(played.event)
    actions.start_clock(round_=played, by=by)
    rounds.unpublish_round(round_=played, by=by)
    assert not RoundClock.objects.exists()
    rounds.publish_round(round_=played, by=by)
    assert says(played, watch)[0] == "none"


def test_a_break_is_announced_and_ends(played: Round, watch: Watch) -> None:
    event, by = played.event, organiser(played.event)
    until = NOON + timedelta(minutes=50)
    actions.announce_break(event=event, ends_at=until, text="Lunch", by=by)
    pause = clock_of(event, watch.now).pause
    assert pause is not None
    assert pause.text == "Lunch"
    watch.goes(minutes=50)
    assert clock_of(event, watch.now).pause is None
    with pytest.raises(Refused, match="next hours"):
        actions.announce_break(event=event, ends_at=NOON, text="", by=by)
    later = watch.now + timedelta(minutes=10)
    actions.announce_break(event=event, ends_at=later, text="", by=by)
    actions.end_break(event=event, by=by)
    assert clock_of(event, watch.now).pause is None
    with pytest.raises(Conflict):
        actions.end_break(event=event, by=by)


MADRID = {
    # typed, now in UTC, the next one -> in UTC; None: a time that clocks skip
    "in five minutes": ("13:05", "2026-11-29T12:00", False, "2026-11-29T12:05"),
    "five minutes ago": ("12:55", "2026-11-29T12:00", False, "2026-11-29T11:55"),
    "after midnight": ("00:10", "2026-11-29T22:50", False, "2026-11-29T23:10"),
    "a break until a time that is past": ("12:55", "2026-11-29T12:00", True, None),
    "a break over midnight": ("00:30", "2026-11-29T22:50", True, "2026-11-29T23:30"),
    "skipped by summer time": ("02:30", "2026-03-29T00:20", True, None),
    "after the skipped hour": ("03:10", "2026-03-29T00:50", True, "2026-03-29T01:10"),
    "the hour that comes twice": ("02:30", "2026-10-24T23:50", True, "2026-10-25T00:30"),
    "in it for the first time": ("02:40", "2026-10-25T00:30", False, "2026-10-25T00:40"),
    "past it for the first time": ("02:20", "2026-10-25T00:30", True, "2026-10-25T01:20"),
    "in it for the second time": ("02:40", "2026-10-25T01:30", False, "2026-10-25T01:40"),
    "the break's end in it": ("02:40", "2026-10-25T01:30", True, "2026-10-25T01:40"),
}


@pytest.mark.parametrize("case", MADRID.values(), ids=MADRID)
def test_a_time_of_day_is_the_near_one_on_the_events_own_clock(case) -> None:
    typed, now, ahead, wanted = case
    event = Event(time_zone="Europe/Madrid")
    time = datetime.strptime(typed, "%H:%M").time()
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    if wanted is None:
        with pytest.raises(ValidationError):
            moment_of(event, time, moment, ahead=ahead)
    else:
        found = moment_of(event, time, moment, ahead=ahead)
        assert found.astimezone(UTC).isoformat().startswith(wanted)


def test_a_clock_that_runs_through_the_change_of_summer_time_lasts_as_long(
    played: Round, watch: Watch
) -> None:
    watch.now = datetime(2026, 3, 29, 0, 50, tzinfo=UTC)  # ten minutes before clocks skip an hour
    actions.start_clock(round_=played, by=organiser(played.event))
    watch.goes(minutes=20)
    assert says(played, watch) == ("running", 1200)


# --- The pages -------------------------------------------------------------------------------


def desk(event: Event) -> Client:
    client = Client()
    client.force_login(organiser_of(event))
    return client


def press(event: Event, name: str, **data: str):
    return desk(event).post(reverse(name, args=[event.slug]), data, follow=True)


def test_the_clock_is_worked_from_its_page(played: Round, watch: Watch) -> None:
    event = played.event
    page = desk(event).get(reverse("clock", args=[event.slug]))
    assert "Start the clock now" in flat(page)
    assert "The clock runs." in flat(press(event, "clock_start"))
    assert "Pause for everybody" in flat(desk(event).get(reverse("clock", args=[event.slug])))
    watch.goes(minutes=1)
    assert "stands still for everybody" in flat(press(event, "clock_pause"))
    assert "The clock goes on." in flat(press(event, "clock_resume"))
    assert "+5 minutes for everybody" in flat(press(event, "clock_add", minutes="5"))
    assert "Table 1: +3 minutes" in flat(
        press(event, "clock_table", table="1", minutes="3", reason="a call")
    )
    assert "Tables with a time of their own" in flat(
        press(event, "clock_table", table="2", stop="1")
    )
    assert "The clock of table 2 goes on" in flat(press(event, "clock_table_resume", table="2"))
    watch.goes(minutes=60)
    page = flat(desk(event).get(reverse("clock", args=[event.slug])))
    assert "The time of tables 1, 2 is over" in page
    assert "Tables 1, 2 are handed in" in flat(press(event, "clock_hand_in", key="x"))


def test_an_announced_start_is_a_time_of_the_venue(played: Round, watch: Watch) -> None:
    press(played.event, "clock_start", at="13:30")
    assert says(played, watch) == ("announced", 1800)
    page = flat(Client().get(reverse("seats", args=[played.event.slug])))
    assert "13:30" in page
    assert "the round starts then" in page


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("clock_start", {"at": "25:99"}),
        ("clock_add", {"minutes": "many"}),
        ("clock_add", {"minutes": "9999"}),
        ("clock_add", {"minutes": "0"}),
        ("clock_table", {"table": "99", "minutes": "5"}),
        ("clock_table", {"table": "1", "minutes": ""}),
        ("clock_table", {"table": "x", "minutes": "5"}),
        ("break", {"until": ""}),
        ("break", {"until": "noon"}),
    ],
)
def test_bad_input_is_told_at_its_field(played: Round, name: str, data: dict[str, str]) -> None:
    answer = press(played.event, name, **data)
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text
    assert not LogEntry.objects.filter(verb__startswith="clock").exists()


def test_without_a_round_only_breaks_are_set(db) -> None:
    event = make_event()
    page = flat(desk(event).get(reverse("clock", args=[event.slug])))
    assert "No round is being played" in page
    assert "Start the clock" not in page
    assert press(event, "clock_start").status_code == 409
    soon = event.local(timezone.now() + timedelta(hours=1)).strftime("%H:%M")
    assert "The break is announced." in flat(press(event, "break", until=soon, text="Lunch"))


def test_everybody_sees_the_same_clock(played: Round, watch: Watch) -> None:
    event, table = played.event, tables_of(played)[0]
    actions.start_clock(round_=played, by=organiser(event))
    player = table.seats.select_related("player").first().player
    pages = {
        "event": Client().get(reverse("event", args=[event.slug])),
        "seats": Client().get(reverse("seats", args=[event.slug])),
        "standings": Client().get(reverse("standings", args=[event.slug])),
        "ticket": Client().get(reverse("ticket", args=[player.token])),
        "table": Client().get(reverse("table_link:sheet", args=[table.token])),
        "desk": desk(event).get(reverse("event_desk", args=[event.slug])),
        "round": desk(event).get(reverse("round", args=[event.slug, played.pk])),
    }
    for name, page in pages.items():
        assert page.status_code == 200
        assert "data-clock=" in page.text, name
        assert "13:40" in page.text, f"{name} says when the time ends without a script"
    beat = Client().get(reverse("pulse", args=[event.slug])).json()["clock"]
    assert (beat["starts"], beat["length"]) == (NOON.timestamp() * 1000, 2400_000)


def test_a_table_knows_its_own_time(played: Round) -> None:
    event, (one, _other) = played.event, tables_of(played)
    actions.start_clock(round_=played, by=organiser(event))
    actions.give_table_time(table=one, seconds=300, reason="", by=organiser(event))
    page = Client().get(reverse("table_link:sheet", args=[one.token])).text
    assert 'data-clock="1"' in page
    assert "13:45" in page
    own = Client().get(reverse("pulse", args=[event.slug])).json()["clock"]["tables"]
    assert own == {"1": {"extra": 300_000, "stopped": None}}


def test_judges_may_work_the_clock(played: Round, watch: Watch) -> None:
    client = Client()
    client.force_login(make_judge(played.event))
    assert client.get(reverse("clock", args=[played.event.slug])).status_code == 200
    client.post(reverse("clock_start", args=[played.event.slug]))
    assert says(played, watch)[0] == "running"


def test_the_time_is_announced_with_the_rules_and_changed_with_a_reason(db) -> None:
    event = make_event(round_minutes=45, final_minutes=60, at_zero="stop")
    page = flat(Client().get(reverse("rules", args=[event.slug])))
    assert "45 minutes a round" in page
    assert "60 minutes in the final" in page
    assert "play stops at once" in page
    make_players(event, 6)
    make_round(event)
    event.refresh_from_db()
    with pytest.raises(Refused, match="say why"):
        change_settings(event=event, settings={"round_minutes": 50}, by=organiser(event))
    change_settings(
        event=event, settings={"at_zero": "remind"}, by=organiser(event), reason="running late"
    )
    page = flat(Client().get(reverse("rules", args=[event.slug])))
    assert "all deals are played all the same" in page
    assert "running late" in page


def test_the_log_tells_what_the_clock_did_by_the_clock_of_the_venue(played: Round) -> None:
    event, by, (one, *_) = played.event, organiser(played.event), tables_of(played)
    actions.start_clock(round_=played, at=NOON + timedelta(minutes=30), by=by)
    actions.add_time(round_=played, seconds=300, by=by)
    actions.give_table_time(table=one, seconds=-60, reason="a call", by=by)
    later = NOON + timedelta(hours=1)
    actions.announce_break(event=event, ends_at=later, text="Lunch", by=by)
    page = flat(desk(event).get(reverse("log", args=[event.slug])))
    for words in ("Sunday, 13:30:00", "40:00 → 45:00", "0:00 → -1:00", "Lunch", "a call"):
        assert words in page, words


def test_a_table_that_stood_before_all_did_gets_the_pause_once(played: Round, watch: Watch) -> None:
    by, (one, other) = organiser(played.event), tables_of(played)
    actions.start_clock(round_=played, by=by)
    watch.goes(minutes=3)
    actions.stop_table(table=one, reason="", by=by)
    watch.goes(minutes=2)
    actions.pause_clock(round_=played, by=by)
    watch.goes(minutes=4)
    actions.stop_table(table=other, reason="", by=by)
    watch.goes(minutes=6)
    actions.resume_clock(round_=played, by=by)
    assert says(played, watch, 1) == ("stopped", 2400 - 180)
    assert says(played, watch, 2) == ("stopped", 2400 - 300)
    watch.goes(minutes=1)
    for table in (one, other):
        actions.resume_table(table=table, by=by)
    assert says(played, watch, 1) == ("running", 2400 - 180)
    assert says(played, watch, 2) == ("running", 2400 - 300)


def test_a_table_that_is_stopped_before_the_start_begins_with_all_its_time(
    played: Round, watch: Watch
) -> None:
    by, (one, other) = organiser(played.event), tables_of(played)
    for table in (one, other):
        actions.stop_table(table=table, reason="", by=by)
    watch.goes(minutes=3)
    actions.resume_table(table=one, by=by)
    actions.start_clock(round_=played, by=by)
    assert says(played, watch, 1) == ("running", 2400)
    watch.goes(minutes=1)
    assert says(played, watch, 2) == ("stopped", 2400)
    actions.pause_clock(round_=played, by=by)
    watch.goes(minutes=1)
    actions.resume_clock(round_=played, by=by)
    actions.resume_table(table=other, by=by)
    assert says(played, watch, 2) == ("running", 2400)


def test_a_draft_again_has_no_clock_at_any_table(played: Round, watch: Watch) -> None:
    by, (one, other) = organiser(played.event), tables_of(played)
    actions.start_clock(round_=played, by=by)
    actions.stop_table(table=one, reason="", by=by)
    actions.give_table_time(table=other, seconds=600, reason="", by=by)
    rounds.unpublish_round(round_=played, by=by)
    rounds.publish_round(round_=played, by=by)
    actions.start_clock(round_=played, by=by)
    watch.goes(minutes=1)
    assert says(played, watch, 1) == says(played, watch, 2) == ("running", 2340)


def test_who_has_not_seen_that_the_clock_runs_does_not_begin_it_anew(
    played: Round, watch: Watch
) -> None:
    before = desk(played.event).get(reverse("clock", args=[played.event.slug]))
    press(played.event, "clock_start", key="one", seen=before.context["seen"])
    watch.goes(minutes=5)
    late = press(played.event, "clock_start", key="other", seen=before.context["seen"])
    assert late.status_code == 409
    assert "set the clock meanwhile" in flat(late)
    assert says(played, watch) == ("running", 2100)
    now = desk(played.event).get(reverse("clock", args=[played.event.slug])).context["seen"]
    assert "is announced" in flat(press(played.event, "clock_start", at="13:30", seen=now))


def test_time_is_added_to_a_time_not_to_nothing(watch: Watch, db) -> None:
    event = make_event()
    make_players(event, 6)
    round_, by = make_round(event), organiser(event)
    actions.start_clock(round_=round_, by=by)
    watch.goes(minutes=20)
    with pytest.raises(Refused, match="has no time"):
        actions.add_time(round_=round_, seconds=300, by=by)
    assert says(round_, watch) == ("open", 1200)
    change_settings(event=event, settings={"round_minutes": 40}, by=by, reason="it is late")
    actions.add_time(round_=round_, seconds=300, by=by)
    assert says(round_, watch) == ("running", 1500)


def test_the_clock_of_a_ticket_moves_to_the_new_table(watch: Watch, db) -> None:
    event = make_event(round_minutes=40)
    make_players(event, 12)
    play_round(event)
    round_ = make_round(event, seed=2)
    for seat in round_.seats.select_related("player", "table"):
        part = Client().get(
            reverse("ticket", args=[seat.player.token]), headers={"HX-Request": "true"}
        )
        assert f'data-clock="{seat.table.number}"' in part.text, "what is swapped in has its clock"


def test_a_table_that_is_done_is_not_offered_to_go_on(played: Round, watch: Watch) -> None:
    event, by, (one, other) = played.event, organiser(played.event), tables_of(played)
    actions.start_clock(round_=played, by=by)
    for table in (one, other):
        actions.stop_table(table=table, reason="", by=by)
    play(one)
    page = desk(event).get(reverse("clock", args=[event.slug]))
    assert [own.table for own in page.context["others"]] == [other]


def test_stopping_a_clock_asks_for_no_minutes(played: Round, watch: Watch) -> None:
    actions.start_clock(round_=played, by=organiser(played.event))
    said = press(played.event, "clock_table", table="1", minutes="many", stop="1")
    assert "The clock of table 1 stands still" in flat(said)


def test_a_clock_that_runs_begins_anew_only_if_that_is_said(played: Round, watch: Watch) -> None:
    event = played.event
    press(event, "clock_start")
    watch.goes(minutes=10)
    empty = press(event, "clock_start", announce="True")
    assert empty.status_code == 422
    assert "When does it start?" in flat(empty)
    assert press(event, "clock_start", announce="True", at="13:30").status_code == 422
    assert says(played, watch) == ("running", 1800)
    seen = actions.start_seen(RoundClock.objects.get().starts_at)
    press(event, "clock_start", announce="True", at="13:30", anew="on", seen=seen)
    assert says(played, watch)[0] == "announced"


def test_a_start_that_is_long_past_is_refused(played: Round, watch: Watch) -> None:
    past = press(played.event, "clock_start", announce="True", at="11:00")
    assert past.status_code == 422
    assert "This time is past." in flat(past)
    assert says(played, watch)[0] == "none"


def test_a_break_stops_the_clock_of_the_round_if_that_is_ticked(
    played: Round, watch: Watch
) -> None:
    event = played.event
    press(event, "clock_start")
    page = flat(desk(event).get(reverse("clock", args=[event.slug])))
    assert "The clock of the round stands still" in page
    watch.goes(minutes=10)
    press(event, "break", until="13:50", text="Lunch")
    assert says(played, watch) == ("running", 1800), "it was not ticked"
    press(event, "break_end")
    press(event, "break", until="13:50", text="Lunch", stop="on")
    watch.goes(minutes=40)
    assert says(played, watch) == ("paused", 1800)
    assert "Go on" in flat(desk(event).get(reverse("clock", args=[event.slug])))


def test_the_page_says_what_handing_in_leaves_out(played: Round, watch: Watch) -> None:
    event, (one, _other) = played.event, tables_of(played)
    press(event, "clock_start")
    enter(one, 1)
    watch.goes(minutes=60)
    page = flat(desk(event).get(reverse("clock", args=[event.slug])))
    assert "Table 1: 1 of 3 deals entered" in page
    assert "Table 2: 0 of 3 deals entered" in page


def test_no_two_fields_of_the_page_have_one_id(played: Round, watch: Watch) -> None:
    press(played.event, "clock_start")
    page = desk(played.event).get(reverse("clock", args=[played.event.slug])).text
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_minutes_given_to_a_table_are_taken_back_once(played: Round) -> None:
    event, one, by = played.event, tables_of(played)[0], organiser(played.event)
    actions.start_clock(round_=played, by=by)
    actions.give_table_time(table=one, seconds=120, reason="", by=by)
    said = press(event, "clock_table", table="1", minutes="5", reason="a call")
    address = reverse("clock_table_back", args=[event.slug, 1]) + "?seen=420"
    assert flat(said).count(address) == 2, "Undo beside what is said, and with the table"
    assert "Take back +5 min" in flat(said)
    client = Client()
    client.force_login(organiser_of(event))
    for _press in range(2):
        answer = client.post(address, follow=True)
        assert "Taken back" in flat(answer)
        assert clock_of(event).tables[1].extra == timedelta(minutes=2)
    assert "Take back" not in flat(answer)
    entries = LogEntry.objects.filter(event=event, verb="clock.table_time_back")
    assert [entry.after for entry in entries] == [{"extra_seconds": 120, "given_seconds": 0}]


def test_another_time_than_was_seen_is_not_taken_back(played: Round) -> None:
    event, one, by = played.event, tables_of(played)[0], organiser(played.event)
    actions.start_clock(round_=played, by=by)
    actions.give_table_time(table=one, seconds=120, reason="", by=by)
    actions.give_table_time(table=one, seconds=60, reason="", by=by)
    client = Client()
    client.force_login(organiser_of(event))
    address = reverse("clock_table_back", args=[event.slug, 1])
    answer = client.post(f"{address}?seen=120")
    assert answer.status_code == 409
    assert "look at it first" in flat(answer)
    assert clock_of(event).tables[1].extra == timedelta(minutes=3)
    assert client.post(reverse("clock_table_back", args=[event.slug, 77])).status_code == 404


def test_a_break_that_is_too_long_is_told_and_kept(played: Round, watch: Watch) -> None:
    event, text = played.event, "Lunch for everybody, " * 4
    page = desk(event).get(reverse("clock", args=[event.slug]))
    assert 'name="text" autocomplete="off" maxlength="60"' in flat(page)
    answer = press(event, "break", until="13:50", text=text)
    assert answer.status_code == 422
    assert "at most 60 characters" in flat(answer)
    assert f'value="{text}"' in flat(answer), "nothing typed is lost"
    assert not event.breaks.exists()


def test_a_break_stands_once_on_the_clocks_page(played: Round, watch: Watch) -> None:
    event, by = played.event, organiser(played.event)
    actions.start_clock(round_=played, by=by)
    for table in tables_of(played):
        actions.give_table_time(table=table, seconds=60, reason="", by=by)
    page = desk(event).get(reverse("clock", args=[event.slug]))
    assert flat(page).count("data-clock=") == 3
    press(event, "break", until="13:50", text="Lunch")
    page = flat(desk(event).get(reverse("clock", args=[event.slug])))
    assert page.count("data-clock=") == 1
    assert page.count("<bdi>Lunch</bdi>") == 1
    assert page.count("Take back +1 min") == 2
