"""A judge is called: two taps, an answer, the minutes that it took. Time is a value here."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

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
)
from tests.pages import flat
from tests.watch import Watch
from tournament.actions import calls as actions
from tournament.actions import clocks, rounds
from tournament.actions.events import finish_event
from tournament.models import Event, JudgeCall, LogEntry, Round, StaffMember, Table, User
from tournament.models.actors import Actor
from tournament.queries import kept
from tournament.queries.calls import call_rows
from tournament.queries.clocks import clock_of
from tournament.refusals import Conflict, Refused
from tournament.simulation import at, tables_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def played(watch: Watch) -> Round:
    event = make_event(round_minutes=40)
    make_players(event, 12)
    return make_round(event)


def judge_of(event: Event, name: str) -> User:
    user = make_user(name)
    StaffMember.objects.create(event=event, user=user, duty="judge")
    return user


def call(table: Table, reason: str = "", key: str = "") -> JudgeCall:
    return actions.call_judge(table=table, reason=reason, by=at(table, 1), key=key)


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def verbs(event: Event) -> list[str]:
    entries = LogEntry.objects.filter(event=event, verb__startswith="call").order_by("pk")
    return [entry.verb for entry in entries]


# --- The call and its answer -------------------------------------------------------------------


def test_a_call_is_made_answered_and_done(played: Round, watch: Watch) -> None:
    event, table = played.event, tables_of(played)[0]
    eva = Actor.of_user(judge_of(event, "Eva"))
    clocks.start_clock(round_=played, by=organiser(event))
    watch.goes(minutes=10)
    made = call(table, "a card under the table")
    watch.goes(minutes=2, seconds=10)
    (row,) = call_rows(event, watch.now)
    assert (row.call, row.age, row.minutes) == (made, timedelta(seconds=130), 3)
    assert len(row.players) == table.seats.count()
    actions.answer_call(call=made, by=eva)
    watch.goes(minutes=2)
    actions.end_call(call=made, minutes=5, by=eva)
    assert call_rows(event, watch.now) == ()
    made.refresh_from_db()
    assert (made.answered_by, made.ended_by, made.extra_seconds) == (eva.user, eva.user, 300)
    assert clock_of(event).tables[table.number].extra == timedelta(minutes=5)
    assert verbs(event) == ["call.made", "call.answered", "call.ended"]


def test_the_oldest_call_stands_first(played: Round, watch: Watch) -> None:
    one, other = tables_of(played)
    call(other)
    watch.goes(minutes=1)
    call(one)
    assert [row.table for row in call_rows(played.event, watch.now)] == [other, one]


def test_a_table_has_one_call_whoever_presses_again(played: Round) -> None:
    table = tables_of(played)[0]
    first = call(table, key="a")
    assert call(table, key="a") == first, "the same press twice"
    assert call(table, "we wait", key="b") == first, "another phone of the table"
    assert verbs(played.event) == ["call.made"]
    with (
        pytest.raises(IntegrityError, match=r"call_open_once_per_table|table_id"),
        transaction.atomic(),
    ):
        JudgeCall.objects.create(event=played.event, table=table)


def test_the_same_press_after_the_call_is_done_calls_nobody_again(played: Round) -> None:
    table = tables_of(played)[0]
    first = call(table, key="a")
    actions.end_call(call=first, minutes=0, by=organiser(played.event))
    assert call(table, key="a") == first
    assert not JudgeCall.objects.open().exists()
    assert call(table, key="b") != first


def test_the_first_judges_word_stands(played: Round) -> None:
    event, made = played.event, call(tables_of(played)[0])
    eva, ivo = (Actor.of_user(judge_of(event, name)) for name in ("Eva", "Ivo"))
    actions.answer_call(call=made, by=eva)
    actions.answer_call(call=made, by=eva)
    with pytest.raises(Conflict, match="Eva is going there already"):
        actions.answer_call(call=made, by=ivo)
    made.refresh_from_db()
    assert made.answered_by == eva.user
    assert verbs(event) == ["call.made", "call.answered"]


@pytest.mark.django_db(transaction=True)
def test_two_judges_at_once_are_one(watch: Watch) -> None:
    event = make_event()
    make_players(event, 6)
    made = call(tables_of(make_round(event))[0])
    judges = [judge_of(event, name) for name in ("Eva", "Ivo")]
    together, told = threading.Barrier(2), []

    def answer(user: User) -> None:
        together.wait()
        try:
            actions.answer_call(call=made, by=Actor.of_user(user))
            told.append("goes")
        except Conflict:
            told.append("stays")
        connection.close()

    threads = [threading.Thread(target=answer, args=[user]) for user in judges]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == ["goes", "stays"]
    assert LogEntry.objects.filter(verb="call.answered").count() == 1


def test_the_table_takes_its_call_back(played: Round) -> None:
    event, table = played.event, tables_of(played)[0]
    made = call(table)
    for _ in range(2):
        actions.withdraw_call(table=table, by=at(table, 2))
    assert verbs(event) == ["call.made", "call.withdrawn"]
    with pytest.raises(Conflict, match="taken its call back"):
        actions.answer_call(call=made, by=organiser(event))
    with pytest.raises(Conflict, match="taken its call back"):
        actions.end_call(call=made, minutes=0, by=organiser(event))


def test_done_pressed_twice_gives_the_time_once(played: Round, watch: Watch) -> None:
    event, table = played.event, tables_of(played)[0]
    clocks.start_clock(round_=played, by=organiser(event))
    made = call(table)
    for _ in range(2):
        actions.end_call(call=made, minutes=3, by=organiser(event), key="k")
    with pytest.raises(Conflict, match="done already"):
        actions.end_call(call=made, minutes=3, by=organiser(event), key="another page")
    assert clock_of(event).tables[table.number].extra == timedelta(minutes=3)


@pytest.mark.parametrize("state", ["confirmed", "closed", "draft"])
def test_a_table_that_does_not_play_calls_nobody(played: Round, state: str) -> None:
    table, other = tables_of(played)
    if state == "draft":
        rounds.unpublish_round(round_=played, by=organiser(played.event))
    else:
        play(table)
    if state == "closed":
        play(other)
        rounds.close_round(round_=played, by=organiser(played.event))
    with pytest.raises(Refused, match=r"go to a judge|not being played"):
        call(table)
    assert not JudgeCall.objects.exists()


def test_a_call_of_a_table_that_is_done_meanwhile_stays_until_somebody_went(
    played: Round, watch: Watch
) -> None:
    event, table = played.event, tables_of(played)[0]
    clocks.start_clock(round_=played, by=organiser(event))
    made = call(table)
    play(table)
    (row,) = call_rows(event, watch.now)
    assert row.minutes is None, "it needs no time any more"
    actions.end_call(call=made, minutes=4, by=organiser(event))
    made.refresh_from_db()
    assert made.extra_seconds == 0
    assert clock_of(event).tables == {}


@pytest.mark.parametrize("own", [False, True])
def test_a_pause_that_is_over_is_no_time_lost(played: Round, watch: Watch, own: bool) -> None:
    event, (table, other), by = played.event, tables_of(played), organiser(played.event)

    def stands(minutes: int) -> None:
        if own:
            clocks.stop_table(table=table, reason="", by=by)
        else:
            clocks.pause_clock(round_=played, by=by)
        watch.goes(minutes=minutes)
        if own:
            clocks.resume_table(table=table, by=by)
        else:
            clocks.resume_clock(round_=played, by=by)

    clocks.start_clock(round_=played, by=by)
    watch.goes(minutes=1)
    stands(4)
    call(table)
    watch.goes(minutes=2)
    stands(10)
    watch.goes(minutes=1)
    (row,) = call_rows(event, watch.now)
    assert (row.age, row.minutes) == (timedelta(minutes=13), 3)
    assert row.lost_since == watch.now - timedelta(minutes=3)
    clocks.pause_clock(round_=played, by=by)
    watch.goes(minutes=5)
    (row,) = call_rows(event, watch.now)
    assert (row.minutes, row.lost_since) == (3, None)
    call(other)
    clocks.resume_clock(round_=played, by=by)
    watch.goes(minutes=2)
    assert [row.minutes for row in call_rows(event, watch.now)] == [5, 2]


def test_a_clock_that_begins_anew_has_lost_what_passed_since(played: Round, watch: Watch) -> None:
    event, table, by = played.event, tables_of(played)[0], organiser(played.event)
    clocks.start_clock(round_=played, by=by)
    clocks.stop_table(table=table, reason="", by=by)
    watch.goes(minutes=4)
    clocks.resume_table(table=table, by=by)
    call(table)
    watch.goes(minutes=9)
    clocks.start_clock(round_=played, by=by)
    watch.goes(minutes=2)
    assert [row.minutes for row in call_rows(event, watch.now)] == [2]


def test_a_draft_again_has_no_calls(played: Round, watch: Watch) -> None:
    call(tables_of(played)[0])
    rounds.unpublish_round(round_=played, by=organiser(played.event))
    assert call_rows(played.event, watch.now) == ()
    assert not JudgeCall.objects.open().exists()


def test_the_minutes_offered_are_those_that_the_tables_clock_ran(
    played: Round, watch: Watch
) -> None:
    event, (one, other) = played.event, tables_of(played)
    by = organiser(event)

    def offered() -> list[int | None]:
        return [row.minutes for row in call_rows(event, watch.now)]

    call(one)
    assert offered() == [None], "no clock runs"
    watch.goes(minutes=3)
    clocks.start_clock(round_=played, by=by)
    assert offered() == [0]
    watch.goes(minutes=2)
    assert offered() == [2], "exactly two minutes"
    watch.goes(seconds=1)
    assert offered() == [3], "rounded up"
    clocks.stop_table(table=one, reason="", by=by)
    watch.goes(minutes=10)
    assert offered() == [3], "its clock stood still"
    call(other)
    clocks.pause_clock(round_=played, by=by)
    watch.goes(minutes=10)
    assert offered() == [3, 0]


# --- The table's phone -------------------------------------------------------------------------


def test_two_taps_at_the_table_without_a_script(played: Round, watch: Watch) -> None:
    table = tables_of(played)[0]
    sheet = reverse("table_link:sheet", args=[table.token])
    client = Client()
    assert "Call a judge" in flat(client.get(sheet))
    answer = client.post(reverse("table_link:call", args=[table.token]), {"key": "k"})
    assert answer.url == sheet
    watch.goes(minutes=2, seconds=10)
    page = flat(client.get(sheet))
    assert "A judge is called" in page
    assert ">2:10</span>" in page
    made = JudgeCall.objects.get()
    actions.answer_call(call=made, by=Actor.of_user(judge_of(played.event, "Eva")))
    assert "Eva is coming" in flat(client.get(sheet))
    client.post(reverse("table_link:call_withdraw", args=[table.token]))
    assert "Call a judge" in flat(client.get(sheet))


def test_a_judge_without_a_name_shows_no_address(played: Round) -> None:
    table, judge = tables_of(played)[0], judge_of(played.event, "Eva")
    judge.name = ""
    judge.save()
    actions.answer_call(call=call(table), by=Actor.of_user(judge))
    page = flat(Client().get(reverse("table_link:sheet", args=[table.token])))
    assert "A judge is coming" in page
    assert judge.email not in page


@pytest.mark.parametrize("page", ["deal", "points"])
def test_every_page_of_the_table_calls_and_leads_back_to_itself(played: Round, page: str) -> None:
    table = tables_of(played)[0]
    args = [table.token, *([1] if page == "deal" else [])]
    address = reverse(f"table_link:{page}", args=args)
    shown = flat(Client().get(address))
    assert "Call a judge" in shown
    sent = {"from": page, "deal": "1" if page == "deal" else ""}
    answer = Client().post(reverse("table_link:call", args=[table.token]), sent)
    assert answer.url == address


def test_with_a_script_only_the_bar_comes_back(played: Round) -> None:
    table = tables_of(played)[0]
    address = reverse("table_link:call", args=[table.token])
    answer = Client().post(address, {"reason": "gold"}, headers=HTMX)
    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert 'data-called="open"' in answer.text
    assert 'data-called="open"' in Client().get(address, headers=HTMX).text
    assert JudgeCall.objects.get().reason == "gold"
    assert Client().get(address).url == reverse("table_link:sheet", args=[table.token])


def test_a_table_that_is_done_is_told_where_to_go(played: Round) -> None:
    table = tables_of(played)[0]
    play(table)
    address = reverse("table_link:call", args=[table.token])
    assert "Call a judge to this table" not in flat(
        Client().get(reverse("table_link:sheet", args=[table.token]))
    )
    for headers in ({}, HTMX):
        answer = Client().post(address, headers=headers)
        assert answer.status_code == 409
        assert "go to a judge, or to the desk" in flat(answer)


def test_everybodys_pulse_tells_which_table_and_names_nobody(played: Round) -> None:
    event, table = played.event, tables_of(played)[0]
    made = call(table, "a secret reason")

    def pulse() -> dict:
        answer = Client().get(reverse("pulse", args=[event.slug]))
        assert "secret" not in answer.text
        assert "Eva" not in answer.text
        return answer.json()["tables"]["called"]

    assert pulse() == {str(table.number): "open"}
    actions.answer_call(call=made, by=Actor.of_user(judge_of(event, "Eva")))
    assert pulse() == {str(table.number): "answered"}
    actions.end_call(call=made, minutes=0, by=organiser(event))
    assert pulse() == {}


# --- The judges' pages -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["notebook", "penalty", "event_desk", "calls"])
def test_a_call_stands_on_every_page_of_the_judges(played: Round, name: str) -> None:
    event, table = played.event, tables_of(played)[0]
    call(table, "the map is wet")
    client = client_of(organiser_of(event))
    args = [event.slug, *([1] if name == "penalty" else [])]
    page = flat(client.get(reverse(name, args=args)))
    assert "the map is wet" in page
    assert "I’m coming" in page
    assert f"?table={table.number}#table" in page


def test_on_a_tables_page_the_staff_see_calls_and_nothing_without_one(played: Round) -> None:
    event, (one, other) = played.event, tables_of(played)
    client = client_of(make_judge(event))
    address = reverse("staff_table:sheet", args=[event.slug, one.pk])
    assert "No table has called" not in flat(client.get(address))
    call(other, "two cards")
    page = flat(client.get(address))
    assert "two cards" in page
    assert "quiet=1" in page
    answer = client.get(reverse("calls", args=[event.slug]) + "?quiet=1", headers=HTMX)
    assert "two cards" in answer.text


def test_a_judge_answers_and_is_done_without_a_script(played: Round, watch: Watch) -> None:
    event, table = played.event, tables_of(played)[0]
    clocks.start_clock(round_=played, by=organiser(event))
    made, client = call(table), client_of(judge_of(event, "Eva"))
    sent = {"from": "notebook"}
    answer = client.post(reverse("call_answer", args=[event.slug, made.pk]), sent, follow=True)
    assert "The table sees that you are coming." in flat(answer)
    assert "Eva is going" in flat(answer)
    second = client_of(judge_of(event, "Ivo"))
    answer = second.post(reverse("call_answer", args=[event.slug, made.pk]), sent)
    assert answer.status_code == 409
    assert "Eva is going there already" in flat(answer)
    sent |= {"minutes": "4", "key": f"call-{made.pk}"}
    address = reverse("call_end", args=[event.slug, made.pk])
    page = flat(client.post(address, sent, follow=True))
    assert f"The call of table {table.number} is done: 4 minutes more for it." in page
    assert clock_of(event).tables[table.number].extra == timedelta(minutes=4)
    sheet = reverse("table_link:sheet", args=[table.token])
    assert "Your call is done (Eva, 13:00). 4 minutes more for this table." in flat(
        Client().get(sheet)
    )
    undo = reverse("call_reopen", args=[event.slug, made.pk])
    assert undo in page
    for _press in range(2):
        page = flat(client.post(undo, {"from": "notebook"}, follow=True))
        assert f"The call of table {table.number} is open again." in page
        assert "Eva is going" in page
        assert clock_of(event).tables[table.number].extra == timedelta()
    assert verbs(event) == ["call.made", "call.answered", "call.ended", "call.reopened"]
    for _press in range(2):
        client.post(address, sent)
        assert clock_of(event).tables[table.number].extra == timedelta(minutes=4), "done again"
    watch.goes(minutes=11)
    assert "Your call is done" not in flat(Client().get(sheet)), "that is long past"


def test_a_call_that_is_done_is_not_opened_beside_another(played: Round) -> None:
    event, table, by = played.event, tables_of(played)[0], organiser(played.event)
    first = actions.end_call(call=call(table), minutes=0, by=by)
    second = call(table)
    with pytest.raises(Conflict, match="has called again"):
        actions.reopen_call(call=first, by=by)
    actions.withdraw_call(table=table, by=at(table, 1))
    play(table)
    with pytest.raises(Refused, match="This table is done"):
        actions.reopen_call(call=first, by=by)
    with pytest.raises(Conflict, match="taken its call back"):
        actions.reopen_call(call=second, by=by)
    assert second != first
    assert not JudgeCall.objects.open().exists()
    assert event == first.event


def test_judges_read_the_names_that_stand_on_the_sheet(played: Round) -> None:
    event, table = played.event, tables_of(played)[0]
    player = table.seats.get(position=2).player
    player.name_style, player.alias = "alias", "Goldfinger"
    player.save()
    call(table)
    (row,) = call_rows(event, timezone.now())
    assert row.players[1] == ("Goldfinger", player.name)
    assert row.players[0][1] == ""
    page = flat(client_of(make_judge(event)).get(reverse("calls", args=[event.slug])))
    assert f'Goldfinger <span class="muted">({player.name})</span>' in page


def test_with_a_script_the_list_comes_back(played: Round) -> None:
    event, made = played.event, call(tables_of(played)[0])
    client = client_of(judge_of(event, "Eva"))
    address = reverse("call_answer", args=[event.slug, made.pk])
    answer = client.post(address, {"from": "penalty"}, headers=HTMX)
    assert (answer.status_code, "<html" in answer.text) == (200, False)
    assert "Eva is going" in flat(answer)
    other = client_of(judge_of(event, "Ivo")).post(address, headers=HTMX)
    assert other.status_code == 409
    assert flat(other).count("Eva is going there already") == 1


@pytest.mark.parametrize("name", ["call_answer", "call_end"])
def test_a_call_of_another_event_is_not_there(played: Round, name: str) -> None:
    made, other = call(tables_of(played)[0]), make_event()
    client = client_of(organiser_of(other))
    answer = client.post(reverse(name, args=[other.slug, made.pk]))
    assert answer.status_code == 404
    made.refresh_from_db()
    assert made.is_open


@pytest.mark.parametrize("minutes", ["", "-3", "many", "99999", "٣"])
def test_nonsense_for_minutes_is_none_or_the_most(
    played: Round, watch: Watch, minutes: str
) -> None:
    event, made = played.event, call(tables_of(played)[0])
    clocks.start_clock(round_=played, by=organiser(event))
    client = client_of(make_judge(event))
    client.post(reverse("call_end", args=[event.slug, made.pk]), {"minutes": minutes})
    made.refresh_from_db()
    assert made.ended_at is not None
    assert made.extra_seconds == (0 if minutes != "99999" else 240 * 60)


def test_a_call_outlives_what_is_kept_in_memory(played: Round, watch: Watch) -> None:
    """A restart empties every cache; the call is a row."""
    call(tables_of(played)[0])
    watch.goes(minutes=120)
    caches["local"].clear()
    caches["shared"].clear()
    kept.forget()
    client = client_of(make_judge(played.event))
    page = flat(client.get(reverse("notebook", args=[played.event.slug])))
    assert ">120:00</b>" in page


def test_deals_are_entered_while_a_judge_is_called(played: Round) -> None:
    table = tables_of(played)[0]
    call(table)
    enter(table, 1)
    assert JudgeCall.objects.open().exists()


def test_when_the_event_is_over_nobody_waits_for_a_judge_or_for_the_end_of_a_break(
    played: Round, watch: Watch
) -> None:
    event, by = played.event, organiser(played.event)
    call(tables_of(played)[0])
    later = watch.now + timedelta(hours=1)
    clocks.announce_break(event=event, ends_at=later, text="Prizes at", by=by)
    for table in tables_of(played):
        play(table)
    rounds.close_round(round_=played, by=by)
    assert call_rows(event, watch.now) != ()
    finish_event(event=event, by=by, reason="rain")
    event.refresh_from_db()
    assert call_rows(event, watch.now) == ()
    staff = Client()
    staff.force_login(organiser_of(event))
    pulse = staff.get(reverse("pulse", args=[event.slug])).json()
    assert (pulse["clock"], pulse["tables"]["called"]) == (None, {})
    for page in ("event", "standings", "seats"):
        assert "Prizes at" not in staff.get(reverse(page, args=[event.slug])).text, page
