"""Somebody is not at the table: for how long since the announced start, and what that is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from tests.factories import (
    enter,
    make_event,
    make_judge,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play,
)
from tests.pages import flat
from tests.watch import Watch
from tournament.actions import clocks, lateness, rounds
from tournament.actions.penalties import give_penalty
from tournament.models import Event, LateArrival, LogEntry, Round, Table
from tournament.queries.lateness import LateRow
from tournament.queries.watch import watch_of
from tournament.refusals import Conflict, Refused
from tournament.simulation import at, tables_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def played(watch: Watch) -> Round:
    event = make_event(time_zone="Europe/Madrid")
    make_players(event, 12)
    return make_round(event)


def report(table: Table, *positions: int) -> list[LateArrival]:
    return lateness.report_missing(table=table, positions=positions, by=at(table, 1))


def rows(played: Round, watch: Watch) -> tuple[LateRow, ...]:
    return watch_of(Event.objects.get(pk=played.event_id), watch.now).late


def fresh(mark: LateArrival) -> LateArrival:
    return LateArrival.objects.select_related("round", "player").get(pk=mark.pk)


def staff(event: Event) -> Client:
    client = Client()
    client.force_login(organiser_of(event))
    return client


@pytest.mark.parametrize(
    ("seconds", "code"),
    [(-1, ""), (0, ""), (1, "2.1"), (299, "2.1"), (300, "2.1"), (300.9, "2.1"), (301, "2.2")],
)
def test_the_standard_changes_after_five_minutes(
    played: Round, watch: Watch, seconds: float, code: str
) -> None:
    start = watch.now + timedelta(minutes=10)
    clocks.start_clock(round_=played, at=start, by=organiser(played.event))
    report(tables_of(played)[0], 2)
    watch.now = start + timedelta(seconds=seconds)
    assert [row.code for row in rows(played, watch)] == [code]


def test_it_counts_from_the_announced_start_whenever_it_was_reported(
    played: Round, watch: Watch
) -> None:
    clocks.start_clock(round_=played, by=organiser(played.event))
    watch.goes(minutes=4)
    (mark,) = report(tables_of(played)[0], 3)
    watch.goes(minutes=2)
    (row,) = rows(played, watch)
    assert (row.late, row.code, row.seat) == (timedelta(minutes=6), "2.2", 3)
    lateness.mark_arrived(mark=mark, by=organiser(played.event))
    watch.goes(minutes=30)
    (row,) = rows(played, watch)
    assert (row.late, row.arrived) == (timedelta(minutes=6), True), "it stands"


def test_who_left_a_table_that_had_begun_is_late_since_that_was_reported(
    played: Round, watch: Watch
) -> None:
    event, table = played.event, tables_of(played)[0]
    by = organiser(event)
    clocks.start_clock(round_=played, by=by)
    report(table, 2)
    enter(table, 1)
    watch.goes(minutes=20)
    lateness.report_missing(table=table, positions=[3], by=by)
    watch.goes(minutes=2)
    late = {row.seat: (row.late, row.code, row.left) for row in rows(played, watch)}
    assert late == {
        2: (timedelta(minutes=22), "2.2", False),
        3: (timedelta(minutes=2), "2.1", True),
    }
    page = flat(staff(event).get(reverse("calls", args=[event.slug])))
    assert page.count("the table had begun: counted since 13:20") == 1
    page = flat(staff(event).get(reverse("staff_table:sheet", args=[event.slug, table.pk])))
    assert "is not here any more. <b" in page
    assert ">2:00</b>" in page


def test_who_came_late_and_leaves_again_counts_from_then(played: Round, watch: Watch) -> None:
    table, by = tables_of(played)[0], organiser(played.event)
    clocks.start_clock(round_=played, by=by)
    (mark,) = report(table, 2)
    watch.goes(minutes=3)
    lateness.mark_arrived(mark=mark, by=by)
    enter(table, 1)
    watch.goes(minutes=20)
    lateness.report_missing(table=table, positions=[2], by=by)
    watch.goes(minutes=1)
    (row,) = rows(played, watch)
    assert (row.left, row.arrived, row.late) == (True, False, timedelta(minutes=1))


def test_without_an_announced_start_nothing_is_counted(played: Round, watch: Watch) -> None:
    report(tables_of(played)[0], 2)
    watch.goes(minutes=20)
    (row,) = rows(played, watch)
    assert (row.late, row.code) == (None, "")
    page = flat(staff(played.event).get(reverse("calls", args=[played.event.slug])))
    assert "no start was announced" in page


def test_the_same_people_are_reported_once(played: Round) -> None:
    table = tables_of(played)[0]
    first = report(table, 2, 3)
    assert report(table, 2) == first[:1]
    assert LateArrival.objects.count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        LateArrival.objects.create(round=played, player=first[0].player, reported_by="x")
    for _press in range(2):
        lateness.report_missing(table=table, positions=[4], by=at(table, 1), key="k")
    assert LogEntry.objects.filter(verb="late.reported").count() == 3


def test_an_arrival_that_was_none_is_taken_back(played: Round, watch: Watch) -> None:
    by = organiser(played.event)
    (mark,) = report(tables_of(played)[0], 2)
    for _ in range(2):
        lateness.mark_arrived(mark=mark, by=by)
    lateness.mark_still_missing(mark=mark, by=by)
    assert fresh(mark).arrived_at is None
    lateness.mark_arrived(mark=mark, by=by)
    report(tables_of(played)[0], 2)
    assert fresh(mark).arrived_at is None, "reported again"
    verbs = LogEntry.objects.filter(verb__startswith="late").order_by("pk")
    assert [entry.verb for entry in verbs] == [
        "late.reported",
        "late.arrived",
        "late.arrival_undone",
        "late.arrived",
        "late.reported",
    ]


def test_who_was_not_late_is_off_the_list_for_good(played: Round, watch: Watch) -> None:
    by = organiser(played.event)
    (mark,) = report(tables_of(played)[0], 2)
    lateness.withdraw_mark(mark=mark, by=by)
    assert rows(played, watch) == ()
    for action in (lateness.mark_arrived, lateness.mark_still_missing, lateness.withdraw_mark):
        with pytest.raises(Conflict, match="not late already"):
            action(mark=mark, by=by)
    report(tables_of(played)[0], 2)
    assert len(rows(played, watch)) == 1


def test_a_penalty_for_it_takes_whoever_came_late_off_the_list(played: Round, watch: Watch) -> None:
    by = organiser(played.event)
    clocks.start_clock(round_=played, by=by)
    watch.goes(minutes=3)
    (mark,) = report(tables_of(played)[0], 2)
    player = mark.player
    give_penalty(player=player, infraction="1.1", step=1, reason="", by=by)
    lateness.mark_arrived(mark=mark, by=by)
    assert len(rows(played, watch)) == 1
    give_penalty(player=player, infraction="2.1", step=2, reason="", by=by)
    assert rows(played, watch) == ()


def test_who_may_say_it(played: Round) -> None:
    event, (one, other) = played.event, tables_of(played)
    with pytest.raises(Refused, match="Only this table"):
        lateness.report_missing(table=one, positions=[2], by=at(other, 1))
    with pytest.raises(Refused, match="Tick who"):
        report(one)
    (mark,) = report(one, 2)
    with pytest.raises(Refused, match="Only this table"):
        lateness.mark_arrived(mark=mark, by=at(other, 1))
    lateness.mark_arrived(mark=mark, by=at(one, 1))
    enter(one, 1)
    with pytest.raises(Refused, match="has begun"):
        report(one, 3)
    lateness.report_missing(table=one, positions=[3], by=organiser(event))
    play(other)
    with pytest.raises(Refused, match="does not play any more"):
        lateness.report_missing(table=other, positions=[2], by=organiser(event))


def test_a_draft_again_has_nobody_late(played: Round, watch: Watch) -> None:
    report(tables_of(played)[0], 2)
    rounds.unpublish_round(round_=played, by=organiser(played.event))
    rounds.publish_round(round_=played, by=organiser(played.event))
    assert rows(played, watch) == ()


# --- The pages -------------------------------------------------------------------------------


def test_the_table_ticks_who_is_missing_and_says_when_they_come(
    played: Round, watch: Watch
) -> None:
    table = tables_of(played)[0]
    clocks.start_clock(round_=played, by=organiser(played.event))
    watch.goes(minutes=1)
    client, sheet = Client(), reverse("table_link:sheet", args=[table.token])
    assert "Somebody is missing" in flat(client.get(sheet))
    address = reverse("table_link:missing", args=[table.token])
    page = flat(client.post(address, {"seat": ["2", "3"]}, follow=True))
    assert page.count("is not here.") == 2
    assert "The judges see it." in page
    assert ">1:00</b>" in page
    mark = LateArrival.objects.first()
    arrived = reverse("table_link:arrived", args=[table.token, mark.pk])
    page = flat(client.post(arrived, follow=True))
    assert page.count("is not here.") == 1
    enter(table, 1)
    assert "Somebody is missing" not in flat(client.get(sheet))


@pytest.mark.parametrize("sent", [{}, {"seat": "99"}, {"seat": "x"}])
def test_nobody_ticked_is_told(played: Round, sent: dict[str, str]) -> None:
    table = tables_of(played)[0]
    answer = Client().post(reverse("table_link:missing", args=[table.token]), sent)
    assert answer.status_code == 409
    assert "Tick who is missing." in flat(answer)


def test_a_mark_of_another_table_is_not_there(played: Round) -> None:
    one, other = tables_of(played)
    (mark,) = report(one, 2)
    answer = Client().post(reverse("table_link:arrived", args=[other.token, mark.pk]))
    assert answer.status_code == 404


def test_judges_see_who_is_missing_and_the_penalty_is_theirs_to_give(
    played: Round, watch: Watch
) -> None:
    event = played.event
    clocks.start_clock(round_=played, by=organiser(event))
    (mark,) = report(tables_of(played)[0], 2)
    watch.goes(minutes=5, seconds=1)
    judge = Client()
    judge.force_login(make_judge(event))
    for name in ("notebook", "calls"):
        page = flat(judge.get(reverse(name, args=[event.slug])))
        assert ">5:01</b>" in page
        assert "?infraction=2.2" in page
        assert "Play without them" not in page, "that is the organiser's"
    page = flat(staff(event).get(reverse("round", args=[event.slug, played.pk])))
    assert f"?see=1&amp;missing={mark.player.number}" in page
    mend = reverse("round_absences", args=[event.slug, played.pk])
    shown = staff(event).get(f"{mend}?see=1&missing={mark.player.number}")
    assert mark.player.number in shown.context["ticked"]
    address = reverse("late_arrived", args=[event.slug, mark.pk])
    answer = judge.post(address, {"from": "notebook"}, headers=HTMX)
    page = flat(answer)
    assert "1 player came late" in page
    assert 'id="late-arrived" data-open data-pressed open' in page
    assert 'class="btn small primary" href="' in page, "the penalty is next"
    assert "Whether it costs a penalty is yours to say." in page
    assert reverse("late_missing", args=[event.slug, mark.pk]) in page
    page = flat(judge.get(reverse("calls", args=[event.slug]), headers=HTMX))
    assert "data-pressed" not in page
    assert "watch-said" not in page
    assert not event.penalties.exists(), "never by itself"
    form = judge.get(reverse("penalty", args=[event.slug, mark.player.number]) + "?infraction=2.2")
    assert form.context["form"]["infraction"].value() == "2.2"
    assert form.context["choices"][0].code == "2.2", "in sight on a phone"


def test_the_staff_say_it_on_the_tables_page_as_well(played: Round, watch: Watch) -> None:
    event, table = played.event, tables_of(played)[0]
    enter(table, 1)
    address = reverse("staff_table:missing", args=[event.slug, table.pk])
    answer = staff(event).post(address, {"seat": "4"}, follow=True)
    assert "is not here any more." in flat(answer)
    assert [row.seat for row in rows(played, watch)] == [4]


def test_presses_without_a_script_say_what_happened_and_offer_undo(played: Round) -> None:
    event = played.event
    (mark,) = report(tables_of(played)[0], 2)

    def press(name: str):
        address = reverse(name, args=[event.slug, mark.pk])
        return flat(staff(event).post(address, {"from": "notebook"}, follow=True))

    page = press("late_arrived")
    assert 'id="late-arrived" data-open data-pressed open' in page
    assert "They are at the table." in page
    assert reverse("late_missing", args=[event.slug, mark.pk]) in page
    assert "Still missing" in press("late_missing")
    assert "not late" in press("late_withdraw")


def test_a_mark_of_another_event_is_not_there(played: Round) -> None:
    (mark,) = report(tables_of(played)[0], 2)
    other = make_event()
    for name in ("late_arrived", "late_missing", "late_withdraw"):
        answer = staff(other).post(reverse(name, args=[other.slug, mark.pk]))
        assert answer.status_code == 404
