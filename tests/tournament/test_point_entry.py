"""A stack of signed paper sheets, typed in by the staff."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import (
    MINERS_WIN,
    enter,
    make_event,
    make_judge,
    make_players,
    make_round,
    make_table,
    organiser,
    organiser_of,
    play,
)
from tests.pages import flat
from tournament.actions import scoresheets as actions
from tournament.actions.penalties import DealRef, give_penalty
from tournament.actions.point_entry import save_points, type_sheet
from tournament.actions.scoresheets import DealEntry
from tournament.models import LogEntry, Round, Table
from tournament.queries.entry_queue import entry_queue
from tournament.queries.point_readings import point_readings
from tournament.refusals import Conflict, Refused
from tournament.simulation import at, tables_of

pytestmark = pytest.mark.django_db

SIX = [[3, 3, 0, 0, 0, 0], [0, 0, 3, 2, 2, 0], [0, 0, 0, 0, 0, 4]]
PHONE = DealEntry(MINERS_WIN[6], connector=3)  # 0 0 3 2 2 0


def fresh(table: Table) -> Table:
    return Table.objects.select_related("round__event", "sheet").get(pk=table.pk)


def cells(columns: list[list[int] | None], **more: str) -> dict[str, str]:
    """What the page sends."""
    typed = {
        f"p-{deal}-{seat}": str(value)
        for deal, column in enumerate(columns, 1)
        for seat, value in enumerate(column or [], 1)
    }
    return typed | more


def stack_round(tables: int = 3) -> Round:
    event = make_event()
    make_players(event, 6 * tables)
    return make_round(event)


def staff(event: object) -> Client:
    client = Client()
    client.force_login(organiser_of(event))
    return client


def address(table: Table) -> str:
    return reverse("staff_table:points", args=[table.round.event.slug, table.pk])


# --- One sheet --------------------------------------------------------------------------------


def test_a_signed_sheet_is_typed_submitted_and_confirmed_in_one_go() -> None:
    table = make_table(6)
    client = staff(table.round.event)
    answer = client.post(address(table), cells(SIX, version="0", key="k", signed="1"))
    assert answer.status_code == 302
    assert fresh(table).sheet.status == "confirmed"
    verbs = LogEntry.objects.filter(object_type="scoresheet").order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == [
        "sheet.typed",
        "sheet.submitted",
        "sheet.confirmed",
    ]
    log = client.get(reverse("log", args=[table.round.event.slug])).content.decode()
    assert "both signatures on paper" in log


def test_without_the_signatures_it_is_saved_and_waits() -> None:
    table = make_table(6)
    staff(table.round.event).post(address(table), cells(SIX, version="0", key="k"))
    sheet = fresh(table).sheet
    assert (sheet.status, sheet.deals.count()) == ("open", 3)


def test_an_event_without_a_second_person_needs_no_second_signature() -> None:
    table = make_table(6, second_person=False)
    by = organiser(table.round.event)
    type_sheet(sheet=table.sheet, columns=SIX, version=0, by=by, signed=True, key="k")
    assert fresh(table).sheet.status == "confirmed"
    type_sheet(sheet=table.sheet, columns=SIX, version=0, by=by, signed=True, key="k")
    assert fresh(table).sheet.version == 2


def test_the_same_sheet_sent_twice_counts_once() -> None:
    table = make_table(6)
    client = staff(table.round.event)
    data = cells(SIX, version="0", key="k", signed="1")
    assert [client.post(address(table), data).status_code for _ in range(2)] == [302, 302]
    assert LogEntry.objects.filter(verb="sheet.typed").count() == 1


def test_a_wrong_deal_saves_nothing_and_loses_nothing() -> None:
    table = make_table(6)
    wrong = [SIX[0], [3, 3, 2, 0, 0, 0], SIX[2]]
    answer = staff(table.round.event).post(address(table), cells(wrong, version="0", signed="1"))
    page = flat(answer)
    third = table.seats.get(position=3).player.public_name
    assert answer.status_code == 422
    assert (
        f"Deal 2: No outcome of a deal gives these points. Look at these seats: 3 ({third})."
        in (page.replace("&#x27;", "'"))
    )
    assert page.count('aria-invalid="true"') == 1
    assert 'name="p-3-6" value="4"' in page
    assert fresh(table).sheet.deals.count() == 0


def test_a_sum_that_is_too_small_says_which_sums_there_are() -> None:
    table = make_table(6)
    with pytest.raises(Refused, match=r"their sum is 3, and it can be 7, 6, 4\."):
        type_sheet(sheet=table.sheet, columns=[[3, 0, 0, 0, 0, 0]], version=0, by=at(table, 1))


def test_nothing_typed_is_not_saved() -> None:
    table = make_table(6)
    answer = staff(table.round.event).post(address(table), {"version": "0", "signed": "1"})
    assert answer.status_code == 422
    assert "Nothing is typed yet." in answer.content.decode()


def test_of_two_who_type_the_same_sheet_the_second_sees_both() -> None:
    table = make_table(6)
    client = staff(table.round.event)
    client.post(address(table), cells(SIX, version="0", key="a"))
    other = [[0, 3, 3, 0, 0, 0], SIX[1], SIX[2]]
    answer = client.post(address(table), cells(other, version="0", key="b"))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Somebody else changed this sheet meanwhile." in page
    assert page.count('class="cell differs"') == 2
    assert 'name="version" value="1"' in page
    again = client.post(address(table), cells(other, version="1", key="c"))
    assert again.status_code == 422  # without a reason nothing is overwritten
    assert fresh(table).sheet.deals.get(number=1).points == "330000"
    client.post(address(table), cells(other, version="1", key="d", reason="rows mixed up"))
    assert fresh(table).sheet.deals.get(number=1).points == "033000"


def test_missing_deals_of_a_signed_sheet_need_a_reason() -> None:
    table = make_table(6)
    by = organiser(table.round.event)
    with pytest.raises(Refused, match="Not entered yet: deal 3"):
        type_sheet(sheet=table.sheet, columns=SIX[:2], version=0, by=by, signed=True)
    assert fresh(table).sheet.deals.count() == 0
    type_sheet(
        sheet=table.sheet, columns=SIX[:2], version=0, by=by, signed=True, reason="time was called"
    )
    assert fresh(table).sheet.status == "confirmed"


# --- A sheet that stands already --------------------------------------------------------------


def test_a_sheet_from_a_phone_is_compared_and_its_roles_stay() -> None:
    table = make_table(6)
    enter(table, 1, PHONE)
    client = staff(table.round.event)
    page = flat(client.get(address(table)))
    assert page.count('class="stands"') == 6
    assert 'name="p-1-3" value=""' in page
    columns = [[0, 0, 3, 2, 2, 0], SIX[1], SIX[2]]
    client.post(address(table), cells(columns, version="1", key="k", signed="1"))
    sheet = fresh(table).sheet
    assert sheet.status == "confirmed"
    assert sheet.deals.get(number=1).roles == "ssmmmx"


def test_what_stands_is_overwritten_with_a_reason_alone_and_stays_in_the_log() -> None:
    table = make_table(6)
    enter(table, 1, PHONE)
    by = organiser(table.round.event)
    with pytest.raises(Refused, match=r"deal 1\. Give the reason for the change"):
        save_points(sheet=table.sheet, columns=SIX[:1], version=1, by=by)
    save_points(sheet=table.sheet, columns=SIX[:1], version=1, by=by, reason="the paper is right")
    entry = LogEntry.objects.get(verb="sheet.typed")
    assert entry.reason == "the paper is right"
    assert entry.before == [{"deal": 1, "connector": 3, "roles": "ssmmmx"}]
    assert entry.after == [{"deal": 1, "connector": None, "points": "330000"}]


def test_an_empty_column_leaves_what_stands() -> None:
    table = make_table(6)
    enter(table, 1, PHONE)
    save_points(sheet=table.sheet, columns=[None, SIX[1]], version=1, by=at(table, 1))
    assert list(fresh(table).sheet.deals.values_list("roles", "points")) == [
        ("ssmmmx", ""),
        ("", "003220"),
    ]


def test_a_confirmed_sheet_that_says_the_same_is_left_alone() -> None:
    table = make_table(6)
    play(table, [PHONE] * 3)
    before = LogEntry.objects.count()
    client = staff(table.round.event)
    version = fresh(table).sheet.version
    columns = [[0, 0, 3, 2, 2, 0]] * 3
    answer = client.post(
        address(table), cells(columns, version=str(version), signed="1", then="table"), follow=True
    )
    assert "the paper says what stands on the sheet" in answer.content.decode()
    assert LogEntry.objects.count() == before


def test_a_confirmed_sheet_is_corrected_with_a_reason_in_one_go() -> None:
    table = make_table(6)
    play(table, [PHONE] * 3)
    by = organiser(table.round.event)
    version = fresh(table).sheet.version
    typed = {"sheet": fresh(table).sheet, "columns": SIX, "version": version}
    with pytest.raises(Refused, match="was handed in, and the paper says something else"):
        type_sheet(**typed, by=by, signed=True)
    with pytest.raises(Refused, match="by a judge or the organiser"):
        type_sheet(**typed, by=at(table, 2), reason="wrong")
    type_sheet(**typed, by=by, signed=True, reason="wrong rows", key="k")
    assert fresh(table).sheet.status == "confirmed"
    assert list(
        LogEntry.objects.filter(object_id=table.sheet.pk, pk__gt=0)
        .order_by("-pk")
        .values_list("verb", flat=True)[:4]
    ) == ["sheet.confirmed", "sheet.submitted", "sheet.typed", "sheet.reopened"]


def test_a_sheet_that_waits_is_confirmed_by_its_paper() -> None:
    table = make_table(6)
    for number in (1, 2, 3):
        enter(table, number, PHONE)
    sheet = actions.submit_sheet(sheet=fresh(table).sheet, by=at(table, 1))
    type_sheet(
        sheet=sheet,
        columns=[[0, 0, 3, 2, 2, 0]] * 3,
        version=sheet.version,
        by=organiser(table.round.event),
        signed=True,
    )
    assert fresh(table).sheet.status == "confirmed"


def test_a_dealers_signatures_are_not_taken_at_their_word() -> None:
    table = make_table(6)
    page = reverse("table_link:points", args=[table.token])
    assert 'name="signed"' not in Client().get(page).content.decode()
    Client().post(page, cells(SIX, version="0", key="k", signed="1"))
    assert fresh(table).sheet.status == "open"


def test_a_void_deal_has_no_boxes_and_cannot_be_typed_over() -> None:
    table = make_table(6)
    enter(table, 1, PHONE)
    judge = organiser(table.round.event)
    actions.void_deal(
        sheet=table.sheet, number=1, replay=False, reason="cards seen", version=1, by=judge
    )
    page = flat(staff(table.round.event).get(address(table)))
    assert "Void: played, with nothing for anybody. cards seen" in page
    assert 'name="p-1-1"' not in page
    with pytest.raises(Refused, match="Deal 1 is void"):
        save_points(sheet=table.sheet, columns=SIX[:1], version=2, by=judge, reason="no")
    save_points(sheet=table.sheet, columns=[None, SIX[1]], version=2, by=judge)


def test_a_deal_loss_is_told_and_may_be_written_either_way() -> None:
    table = make_table(6)
    enter(table, 1, PHONE)
    event = table.round.event
    third = table.seats.get(position=3).player
    give_penalty(
        player=third,
        infraction="2.2",
        step=3,
        reason="late",
        deal=DealRef("preliminary", 1, 1),
        by=organiser(event),
    )
    page = staff(event).get(address(table)).content.decode()
    assert f"A penalty took this deal from seat 3 ({third.public_name})" in page
    for column in ([0, 0, 3, 2, 2, 0], [0, 0, 0, 2, 2, 0]):
        save_points(sheet=table.sheet, columns=[column], version=1, by=organiser(event))
    assert fresh(table).sheet.deals.get().roles == "ssmmmx"


# --- The stack --------------------------------------------------------------------------------


def test_after_a_sheet_the_next_one_that_is_not_in_opens() -> None:
    round_ = stack_round(3)
    one, two, three = tables_of(round_)
    client = staff(round_.event)
    start = reverse("round_type", args=[round_.event.slug, round_.pk])
    assert client.get(start).headers["Location"] == address(one)
    play(two)
    went = [
        client.post(address(table), cells(SIX, version="0", key="k", signed="1")).headers[
            "Location"
        ]
        for table in (one, three)
    ]
    assert went == [address(three), reverse("round", args=[round_.event.slug, round_.pk])]
    assert entry_queue(round_).missing == ()


def test_the_stack_goes_round_from_the_table_in_hand() -> None:
    round_ = stack_round(3)
    one, two, three = tables_of(round_)
    client = staff(round_.event)
    answer = client.post(address(three), cells(SIX, version="0", key="k"))
    assert answer.headers["Location"] == address(one)
    answer = client.post(address(two), cells(SIX, version="0", key="k"))
    assert answer.headers["Location"] == address(one)


def test_a_table_is_chosen_by_its_number() -> None:
    round_ = stack_round(3)
    one, _two, three = tables_of(round_)
    client = staff(round_.event)
    start = reverse("round_type", args=[round_.event.slug, round_.pk])
    assert client.get(start, {"table": "3"}).headers["Location"] == address(three)
    lost = client.get(start, {"table": "77"}, follow=True)
    assert "This round has no table 77." in lost.content.decode()
    assert client.get(start, {"table": "²x"}).headers["Location"] == address(one)
    page = client.get(address(three)).content.decode()
    assert "0 of 3 sheets are in" in page


def test_the_signatures_are_remembered_for_the_next_sheet() -> None:
    round_ = stack_round(2)
    one, two = tables_of(round_)
    client = staff(round_.event)
    assert 'value="1" checked' not in flat(client.get(address(one)))
    client.post(address(one), cells(SIX, version="0", key="k", signed="1"))
    assert 'value="1" checked' in flat(client.get(address(two)))


def test_a_draft_has_no_stack() -> None:
    event = make_event()
    make_players(event, 6)
    round_ = make_round(event, published=False)
    answer = staff(event).get(reverse("round_type", args=[event.slug, round_.pk]))
    assert answer.headers["Location"] == reverse("round", args=[event.slug, round_.pk])


def test_a_judge_types_as_well() -> None:
    table = make_table(6)
    client = Client()
    client.force_login(make_judge(table.round.event))
    client.post(address(table), cells(SIX, version="0", key="k", signed="1"))
    assert fresh(table).sheet.status == "confirmed"


def test_the_page_asks_no_more_of_a_long_stack() -> None:
    counts = []
    for tables in (1, 3):
        round_ = stack_round(tables)
        client = staff(round_.event)
        client.get(address(tables_of(round_)[0]))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(address(tables_of(round_)[0]))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_stars_of_the_outcomes_are_those_that_points_alone_tell() -> None:
    event = make_event()
    assert point_readings(event, 6)["outcomes"] == [
        {"outcome": "miners", "sum": 7, "stars": [3]},
        {"outcome": "saboteurs", "sum": 6, "stars": [3]},
        {"outcome": "saboteur_connects", "sum": 6, "stars": []},
        {"outcome": "selfish", "sum": 4, "stars": [4]},
    ]


def test_two_who_save_at_once_leave_one_sheet() -> None:
    table = make_table(6)
    by = organiser(table.round.event)
    type_sheet(sheet=table.sheet, columns=SIX, version=0, by=by, key="a")
    with pytest.raises(Conflict):
        type_sheet(sheet=table.sheet, columns=SIX, version=0, by=by, key="b")
