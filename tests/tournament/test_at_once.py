"""Two people press at the same moment, on whichever database the tests run: one word stands, and
nobody sees an error."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection

from tests.factories import (
    MINERS_WIN,
    enter,
    make_event,
    make_judge,
    make_players,
    make_round,
    organiser,
    play,
)
from tests.watch import Watch
from tournament.actions import calls, clocks, jobs, lateness, reveals, scoresheets
from tournament.clocks import ClockState
from tournament.models import Break, Event, Job, LateArrival, LogEntry, Reveal, Round, Table
from tournament.models.actors import Actor
from tournament.models.scoresheets import SheetStatus
from tournament.queries.calls import open_call
from tournament.queries.clocks import clock_of
from tournament.refusals import Refused
from tournament.simulation import at, tables_of

pytestmark = pytest.mark.django_db(transaction=True)

type Press = Callable[[], object]


@dataclass(frozen=True)
class Room:
    """A round of one table that is played by the clock, and two who may press."""

    round: Round
    table: Table
    eva: Actor
    ivo: Actor

    @property
    def event(self) -> Event:
        return self.round.event

    @property
    def log(self) -> Counter[str]:
        return Counter(LogEntry.objects.values_list("verb", flat=True))

    def clock(self, watch: Watch) -> tuple[str, timedelta]:
        found = clock_of(Event.objects.get(pk=self.event.pk), watch.now)
        reading = found.read(watch.now, self.table.number)
        return reading.state, reading.left


@pytest.fixture
def room(watch: Watch) -> Room:
    event = make_event(round_minutes=40, standings_shown="hidden")
    make_players(event, 6)
    round_ = make_round(event)
    judge = Actor.of_user(make_judge(event))
    return Room(round_, tables_of(round_)[0], organiser(event), judge)


def at_once(*presses: Press) -> list[str]:
    """Carry them out together; what became of each: "done" or "told". Anything else is an error."""
    together, found = threading.Barrier(len(presses)), [""] * len(presses)

    def carry_out(place: int) -> None:
        together.wait()
        try:
            presses[place]()
            found[place] = "done"
        except Refused:
            found[place] = "told"
        except Exception as error:
            found[place] = repr(error)
        connection.close()

    threads = [threading.Thread(target=carry_out, args=[place]) for place in range(len(presses))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {"done", "told"}.issuperset(found), found
    return found


def test_the_clock_is_started_once(room: Room, watch: Watch) -> None:
    told = at_once(
        lambda: clocks.start_clock(round_=room.round, by=room.eva, seen="", key="a"),
        lambda: clocks.start_clock(round_=room.round, by=room.ivo, seen="", key="b"),
    )
    assert sorted(told) == ["done", "told"]
    assert room.log["clock.started"] == 1


def test_pause_and_go_on(room: Room, watch: Watch) -> None:
    clocks.start_clock(round_=room.round, by=room.eva)
    watch.goes(minutes=1)
    clocks.pause_clock(round_=room.round, by=room.eva)
    watch.goes(minutes=1)
    at_once(
        lambda: clocks.resume_clock(round_=room.round, by=room.eva),
        lambda: clocks.resume_clock(round_=room.round, by=room.ivo),
        lambda: clocks.stop_table(table=room.table, reason="", by=room.ivo),
    )
    assert room.clock(watch) == (ClockState.STOPPED, timedelta(minutes=39))
    assert room.log["clock.resumed"] == 1


def test_each_gives_the_table_time(room: Room, watch: Watch) -> None:
    clocks.start_clock(round_=room.round, by=room.eva)

    def five_minutes(by: Actor, key: str) -> Press:
        return lambda: clocks.give_table_time(
            table=room.table, seconds=300, reason="", by=by, key=key
        )

    at_once(five_minutes(room.eva, "a"), five_minutes(room.ivo, "b"), five_minutes(room.ivo, "b"))
    assert room.clock(watch) == (ClockState.RUNNING, timedelta(minutes=50))


def test_handed_in_for_time_while_the_dealer_saves(room: Room, watch: Watch) -> None:
    clocks.start_clock(round_=room.round, by=room.eva)
    watch.goes(minutes=41)
    table = room.table
    entry = scoresheets.DealEntry(roles=MINERS_WIN[6], connector=3)
    _in, saved = at_once(
        lambda: clocks.hand_in_for_time(round_=room.round, reason="time", by=room.eva),
        lambda: scoresheets.save_deal(
            sheet=table.sheet, number=1, entry=entry, version=0, by=at(table, 1)
        ),
    )
    table.sheet.refresh_from_db()
    assert table.sheet.status == SheetStatus.SUBMITTED
    assert table.sheet.deals.count() == (saved == "done")


def test_handed_in_for_time_while_the_table_hands_in(room: Room, watch: Watch) -> None:
    clocks.start_clock(round_=room.round, by=room.eva)
    watch.goes(minutes=41)
    for number in range(1, room.round.deals + 1):
        enter(room.table, number)
    told = at_once(
        lambda: clocks.hand_in_for_time(round_=room.round, reason="time", by=room.eva),
        lambda: scoresheets.submit_sheet(sheet=room.table.sheet, by=at(room.table, 1)),
    )
    assert sorted(told) == ["done", "told"]
    assert room.log["sheet.submitted"] == 1


def test_a_break_is_announced_by_two(room: Room, watch: Watch) -> None:
    def lunch(by: Actor, key: str) -> Press:
        until = watch.now + timedelta(hours=1)
        return lambda: clocks.announce_break(
            event=room.event, ends_at=until, text="Lunch", by=by, key=key
        )

    assert at_once(lunch(room.eva, "a"), lunch(room.eva, "a")) == ["done", "done"]
    assert Break.objects.count() == 1
    told = at_once(
        lambda: clocks.end_break(event=room.event, by=room.eva),
        lambda: clocks.end_break(event=room.event, by=room.ivo),
    )
    assert sorted(told) == ["done", "told"]


def test_a_call_is_ended_once_and_gives_its_time_once(room: Room, watch: Watch) -> None:
    clocks.start_clock(round_=room.round, by=room.eva)
    at_once(
        lambda: calls.call_judge(table=room.table, reason="", by=at(room.table, 1), key="a"),
        lambda: calls.call_judge(table=room.table, reason="", by=at(room.table, 1), key="b"),
    )
    assert room.log["call.made"] == 1
    call = open_call(room.table)
    assert call is not None
    told = at_once(
        lambda: calls.end_call(call=call, minutes=3, by=room.eva, key="c"),
        lambda: calls.end_call(call=call, minutes=4, by=room.ivo, key="d"),
        lambda: calls.answer_call(call=call, by=room.ivo),
    )
    assert sorted(told[:2]) == ["done", "told"]
    given = 3 if told[0] == "done" else 4
    assert room.clock(watch) == (ClockState.RUNNING, timedelta(minutes=40 + given))


def test_a_call_is_taken_back_while_a_judge_answers_and_ends_it(room: Room) -> None:
    calls.call_judge(table=room.table, reason="", by=at(room.table, 1))
    call = open_call(room.table)
    assert call is not None
    at_once(
        lambda: calls.withdraw_call(table=room.table, by=at(room.table, 1)),
        lambda: calls.answer_call(call=call, by=room.eva),
        lambda: calls.end_call(call=call, minutes=0, by=room.ivo),
    )
    call.refresh_from_db()
    assert (call.withdrawn_at is None) != (call.ended_at is None)


def test_a_call_is_ended_while_the_sheet_is_confirmed(room: Room, watch: Watch) -> None:
    clocks.start_clock(round_=room.round, by=room.eva)
    play(room.table, confirm=False)
    calls.call_judge(table=room.table, reason="", by=at(room.table, 1))
    call, sheet = open_call(room.table), room.table.sheet
    assert call is not None
    sheet.refresh_from_db()
    _ended, confirmed = at_once(
        lambda: calls.end_call(call=call, minutes=3, by=room.eva),
        lambda: scoresheets.confirm_sheet(sheet=sheet, version=sheet.version, by=at(room.table, 2)),
    )
    assert confirmed == "done"


def test_somebody_is_reported_missing_by_two_and_arrives(room: Room) -> None:
    def missing(by: Actor) -> Press:
        return lambda: lateness.report_missing(table=room.table, positions=[3], by=by)

    at_once(missing(room.eva), missing(at(room.table, 1)))
    mark = LateArrival.objects.select_related("round", "player").get()
    at_once(
        lambda: lateness.mark_arrived(mark=mark, by=room.eva),
        lambda: lateness.mark_arrived(mark=mark, by=at(room.table, 1)),
    )
    assert room.log["late.arrived"] == 1
    told = at_once(
        lambda: lateness.withdraw_mark(mark=mark, by=room.eva),
        lambda: lateness.withdraw_mark(mark=mark, by=room.ivo),
    )
    assert sorted(told) == ["done", "told"]


def test_ranks_are_revealed_and_hidden_again(room: Room) -> None:
    play(room.table)
    at_once(
        lambda: reveals.reveal_ranks(event=room.event, down_to=1, by=room.eva),
        lambda: reveals.reveal_ranks(event=room.event, down_to=1, by=room.eva),
        lambda: reveals.take_reveal_back(event=room.event, by=room.eva),
    )
    assert Reveal.objects.in_force().count() <= 1
    assert Reveal.objects.count() == room.log["standings.revealed"]
    assert room.log["standings.hidden_again"] == Reveal.objects.count() - (
        Reveal.objects.in_force().count()
    )


@pytest.mark.parametrize("kept", ["visitors", "site"])
def test_no_more_work_is_begun_than_there_is_room_for(kept: str, settings: Any) -> None:
    """At four events, which have nothing in common."""
    events = [make_event() for _ in range(4)]
    settings.MOST_JOBS = {"visitors": 100, "site": 2}[kept]
    asker = {"visitors": lambda _event: Actor.command("visitor"), "site": organiser}[kept]

    def ask(event: Event) -> object:
        wanted = {"kind": "draw", "dedupe_key": "round 1", "payload": {}}
        return jobs.request_job(event=event, by=asker(event), **wanted)

    found = at_once(*(partial(ask, event) for event in events))
    assert Counter(found) == {"done": 2, "told": 2}
    assert Job.objects.count() == 2
