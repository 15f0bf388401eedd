"""The time of the day: what fits before it, and when it ends at this pace."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    make_event,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play,
    play_round,
)
from tests.pages import flat
from tests.watch import NOON, Watch
from tournament.actions import clocks, rounds
from tournament.models import Event
from tournament.models.rounds import Stage
from tournament.queries.day_plan import DayPlan, Part, day_plan, forecast, pace_of, shorten
from tournament.simulation import tables_of

TEN = timedelta(minutes=10)


def at(minutes: float) -> Any:
    return NOON + timedelta(minutes=minutes)


def part(number: int, *, length: int = 40, **times: float) -> Part:
    """A round; `began` and `ended` in minutes after noon."""
    known = {name: at(value) for name, value in times.items()}
    return Part(Stage.PRELIMINARY, number, timedelta(minutes=length), **known)


def final(length: int = 60) -> Part:
    return Part(Stage.FINAL, 1, timedelta(minutes=length))


def minutes(moment: Any) -> float:
    return (moment - NOON).total_seconds() / 60


# --- Arithmetic --------------------------------------------------------------------------------


def test_before_the_day_the_parts_follow_each_other_with_breaks() -> None:
    times = forecast([part(1), part(2), final()], start=NOON, pause=TEN, now=NOON)
    assert [(minutes(one.begins), minutes(one.ends)) for one in times] == [
        (0, 40),
        (50, 90),
        (100, 160),
    ]
    assert {one.late for one in times} == {timedelta()}


def test_the_pace_is_the_middle_of_what_rounds_took() -> None:
    played = [
        part(1, began=0, ended=44),
        part(2, began=50, ended=98),
        part(3, began=110, ended=310),  # somebody forgot it
    ]
    assert pace_of(played) == pytest.approx(1.2)
    assert pace_of([part(1), part(2, began=0)]) is None
    assert pace_of([part(1, began=0, ended=1)]) is None, "typed in afterwards"


def test_at_this_pace_what_comes_takes_as_much_longer() -> None:
    parts = [part(1, began=0, ended=50), part(2), final()]
    times = forecast(parts, start=NOON, pause=TEN, now=at(55))
    assert [(minutes(one.begins), minutes(one.ends)) for one in times] == [
        (0, 50),
        (60, 110),
        (120, 195),
    ]
    assert [one.minutes_late for one in times] == [10, 20, 35]


def test_what_is_late_neither_begins_nor_ends_in_the_past() -> None:
    parts = [part(1, began=0), part(2)]
    times = forecast(parts, start=NOON, pause=TEN, now=at(70))
    assert [(minutes(one.begins), minutes(one.ends)) for one in times] == [(0, 70), (80, 120)]
    times = forecast([part(1, began=0, ended=40), part(2)], start=NOON, pause=TEN, now=at(70))
    assert minutes(times[1].begins) == 70


def test_a_break_that_is_announced_is_waited_for() -> None:
    parts = [part(1, began=0, ended=40), part(2), part(3)]
    times = forecast(parts, start=NOON, pause=TEN, now=at(45), not_before=at(100))
    assert [minutes(one.begins) for one in times] == [0, 100, 150]


def ways(parts: list[Part], limit: float, pace: float = 1.0) -> list[tuple[str, int, float, bool]]:
    ends = forecast(parts, start=NOON, pause=TEN, now=NOON)[-1].ends
    found = shorten(parts, ends=ends, pause=TEN, pace=pace, limit=at(limit), now=NOON)
    return [(one.kind, one.value, minutes(one.ends), one.fits) for one in found]


def test_what_would_help() -> None:
    parts = [part(1), part(2), part(3), final()]  # 40 10 40 10 40 10 60 = 210
    assert ways(parts, limit=180) == [
        ("rounds", 2, 160, True),
        ("minutes", 30, 180, True),
        ("final", 0, 140, True),
    ]
    assert ways(parts, limit=130) == [
        ("rounds", 1, 110, True),
        ("final", 0, 140, False),
    ]
    assert ways(parts, limit=60) == [("rounds", 1, 110, False), ("final", 0, 140, False)]


def test_what_has_begun_is_not_cut() -> None:
    parts = [part(1, began=0, ended=40), part(2, began=50), part(3), final()]
    assert ways(parts, limit=200) == [
        ("rounds", 2, 160, True),
        ("minutes", 30, 200, True),
        ("final", 0, 140, True),
    ]
    assert ways([part(1, began=0, ended=40), part(2, began=50)], limit=60) == []


# --- From the facts ----------------------------------------------------------------------------


def an_event(**settings: Any) -> Event:
    plan = {"starts_at": NOON, "registration_closes_at": NOON, "rounds_planned": 2}
    return make_event(**plan | {"round_minutes": 40, "final_minutes": 60} | settings)


def plan_of(event: Event, watch: Watch) -> DayPlan:
    return day_plan(Event.objects.get(pk=event.pk), watch.now)


pytestmark = pytest.mark.django_db


def test_a_day_that_fits_and_one_that_does_not(watch: Watch) -> None:
    plan = plan_of(an_event(ends_at=at(180)), watch)
    assert (minutes(plan.ends), plan.minutes_spare, plan.minutes_over) == (160, 20, 0)
    assert (plan.begun, plan.assumed, plan.shortenings) == (False, False, ())
    plan = plan_of(an_event(ends_at=at(150)), watch)
    assert plan.minutes_over == 10
    assert [way.kind for way in plan.shortenings] == ["rounds", "minutes", "final"]
    assert plan_of(an_event(), watch).spare is None
    assert plan_of(an_event(ends_at=at(3 * 24 * 60)), watch).spare is None, "nights lie between"
    event = an_event(ends_at=at(180))
    watch.goes(minutes=2 * 24 * 60)
    assert plan_of(event, watch).spare is None, "it is played on another day"


def test_without_a_clock_minutes_a_deal_are_assumed(watch: Watch) -> None:
    plan = plan_of(an_event(round_minutes=None, final_minutes=None), watch)
    assert plan.assumed
    assert minutes(plan.ends) == 36 + 10 + 36 + 10 + 48


def test_before_the_start_the_plan_is_what_was_announced_then_it_is_late(watch: Watch) -> None:
    event = an_event()
    watch.goes(minutes=-60)
    assert minutes(plan_of(event, watch).ends) == 160
    watch.goes(minutes=90)
    assert minutes(plan_of(event, watch).ends) == 190


def test_during_the_day_the_clock_and_the_last_sheet_tell(watch: Watch) -> None:
    event = an_event(ends_at=at(200))
    make_players(event, 12)
    round_, by = make_round(event), organiser(event)
    watch.goes(minutes=10)
    clocks.start_clock(round_=round_, by=by)
    plan = plan_of(event, watch)
    assert (plan.begun, plan.pace, minutes(plan.ends)) == (True, None, 170)
    watch.goes(minutes=50)
    for table in tables_of(round_):
        play(table)
    watch.goes(minutes=5)
    rounds.close_round(round_=round_, by=by)
    plan = plan_of(event, watch)
    assert (plan.percent, [minutes(one.ends) for one in plan.parts]) == (25, [60, 120, 205])
    assert plan.minutes_over == 5
    clocks.announce_break(event=event, ends_at=at(100), text="Lunch", by=by)
    assert minutes(plan_of(event, watch).parts[1].begins) == 100


def test_a_lengthened_round_is_planned_longer(watch: Watch) -> None:
    event = an_event()
    make_players(event, 6)
    round_, by = make_round(event), organiser(event)
    clocks.start_clock(round_=round_, by=by)
    clocks.add_time(round_=round_, seconds=600, by=by)
    assert minutes(plan_of(event, watch).parts[0].ends) == 50


def test_a_day_that_is_over(watch: Watch) -> None:
    event = an_event(cut_size=0, rounds_planned=1)
    make_players(event, 6)
    play_round(event)
    assert plan_of(event, watch).over


def test_the_page_and_the_desk_say_it(watch: Watch) -> None:
    event = an_event(ends_at=at(150))
    client = Client()
    client.force_login(organiser_of(event))
    page = flat(client.get(reverse("day", args=[event.slug])))
    assert "It does not fit: it would end at 15:40, 10 minutes after the end of the day" in page
    assert "1 round in all: it ends at 14:50." in page
    assert "35 minutes for each round to come: it ends at 15:30." in page
    assert "It does not fit" in flat(client.get(reverse("event_desk", args=[event.slug])))
    make_players(event, 6)
    make_round(event)
    page = flat(client.get(reverse("day", args=[event.slug])))
    assert "No round has ended yet" in page
