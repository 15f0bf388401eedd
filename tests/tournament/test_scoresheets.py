"""Entering deals, two phones, typed points, submitting, confirming, reopening."""

from __future__ import annotations

import pytest
from django.http import Http404
from django.test import Client
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
    play,
)
from tests.pages import flat
from tournament import rulebook
from tournament.actions import scoresheets as actions
from tournament.actions.penalties import DealRef, give_penalty, withdraw_penalty
from tournament.actions.point_entry import save_points
from tournament.actions.scoresheets import DealEntry
from tournament.models import Deal, LogEntry, Table
from tournament.models.actors import Actor
from tournament.queries.scoresheets import sheet_view
from tournament.queries.standings import standings_for
from tournament.refusals import Conflict, Refused
from tournament.simulation import at, tables_of

pytestmark = pytest.mark.django_db


def fresh(table: Table) -> Table:
    return Table.objects.select_related("round__event", "sheet").get(pk=table.pk)


def points(table: Table, number: int = 1) -> list[tuple[int, bool]]:
    return [(line.points, line.star) for line in sheet_view(fresh(table)).deal(number).lines]


def test_miners_get_two_and_the_connector_three_with_a_star() -> None:
    table = make_table(6)
    enter(table, 1, DealEntry(MINERS_WIN[6], connector=3))
    assert points(table) == [
        (0, False),
        (0, False),
        (3, True),
        (2, False),
        (2, False),
        (0, False),
    ]


def test_an_illegal_deal_names_the_seats_and_is_not_stored() -> None:
    table = make_table(6)
    roles = ("saboteur", "saboteur", "saboteur", "miner", "miner", "selfish")
    with pytest.raises(Refused, match="deals 2 saboteurs; you marked 3") as caught:
        enter(table, 1, DealEntry(roles, connector=None))
    assert caught.value.seats == (1, 2, 3)
    assert fresh(table).sheet.deals.count() == 0


def test_only_the_staff_may_accept_other_roles_and_says_why() -> None:
    table = make_table(6)
    roles = ("saboteur", "saboteur", "saboteur", "miner", "miner", "selfish")
    entry = DealEntry(roles, connector=None, waive_reason="one card was dealt twice")
    with pytest.raises(Refused, match="Only the staff"):
        enter(table, 1, entry)
    actions.save_deal(
        sheet=table.sheet, number=1, entry=entry, version=0, by=organiser(table.round.event)
    )
    assert [one for one, _star in points(table)] == [3, 3, 3, 0, 0, 0]


def test_the_second_phone_sees_what_the_first_wrote(client) -> None:
    table = make_table(6)
    address = reverse("table_link:deal", args=[table.token, 1])
    roles = {f"role-{seat}": role for seat, role in enumerate(MINERS_WIN[6], 1)}
    first = client.post(address, roles | {"connector": "3", "version": "0", "key": "a"})
    second = client.post(address, roles | {"connector": "4", "version": "0", "key": "b"})
    page = second.content.decode()
    assert (first.status_code, second.status_code) == (302, 409)
    assert "What stands on the sheet now" in page
    assert "What you entered" in page
    assert fresh(table).sheet.deals.get().connector == 3
    assert 'name="version" value="1"' in page
    third = client.post(address, roles | {"connector": "4", "version": "1", "key": "c"})
    assert third.status_code == 302
    assert fresh(table).sheet.deals.get().connector == 4


def test_the_same_submission_sent_twice_counts_once(client) -> None:
    table = make_table(6)
    address = reverse("table_link:deal", args=[table.token, 1])
    data = {f"role-{seat}": role for seat, role in enumerate(MINERS_WIN[6], 1)}
    data |= {"connector": "3", "version": "0", "key": "once"}
    assert [client.post(address, data).status_code for _ in range(2)] == [302, 302]
    assert LogEntry.objects.filter(verb="deal.entered").count() == 1
    assert fresh(table).sheet.version == 1


def test_a_correction_keeps_what_stood_there_in_the_log() -> None:
    table = make_table(6)
    enter(table, 1, DealEntry(MINERS_WIN[6], connector=3))
    enter(table, 1, DealEntry(MINERS_WIN[6], connector=None))
    entry = LogEntry.objects.get(verb="deal.corrected")
    assert entry.before == {"deal": 1, "connector": 3, "roles": "ssmmmx"}
    assert entry.after == {"deal": 1, "connector": None, "roles": "ssmmmx"}


def test_deals_are_entered_one_after_the_other() -> None:
    table = make_table(6)
    with pytest.raises(Refused, match="one after the other"):
        enter(table, 2)


def test_a_sheet_is_submitted_whole() -> None:
    table = make_table(6)
    enter(table, 1)
    with pytest.raises(Refused, match="Not entered yet: deal 2, 3"):
        actions.submit_sheet(sheet=table.sheet, by=at(table, 1))
    actions.submit_sheet(
        sheet=table.sheet, by=organiser(table.round.event), short_reason="time was called"
    )
    assert fresh(table).sheet.status == "submitted"


def test_whoever_submitted_cannot_confirm_and_a_second_person_cannot_edit() -> None:
    table = make_table(6)
    for number in (1, 2, 3):
        enter(table, number)
    sheet = actions.submit_sheet(sheet=table.sheet, by=at(table, 1))
    with pytest.raises(Refused, match="A second person has to confirm"):
        actions.confirm_sheet(sheet=sheet, version=sheet.version, by=at(table, 1))
    with pytest.raises(Conflict, match="has to be reopened"):
        enter(table, 1)
    actions.confirm_sheet(sheet=sheet, version=sheet.version, by=at(table, 4))
    assert fresh(table).sheet.status == "confirmed"


def test_a_player_of_another_table_cannot_confirm() -> None:
    event = make_event()
    make_players(event, 12)
    table, other = tables_of(make_round(event))
    for number in (1, 2, 3):
        enter(table, number)
    sheet = actions.submit_sheet(sheet=table.sheet, by=at(table, 1))
    with pytest.raises(Refused):
        actions.confirm_sheet(sheet=sheet, version=sheet.version, by=at(other, 2))


def test_the_event_may_waive_the_second_person() -> None:
    table = make_table(6, second_person=False)
    for number in (1, 2, 3):
        enter(table, number)
    assert actions.submit_sheet(sheet=table.sheet, by=at(table, 1)).status == "confirmed"


def test_who_types_a_paper_sheet_confirms_by_its_signatures() -> None:
    table = make_table(6)
    by = organiser(table.round.event)
    columns = [[3, 3, 0, 0, 0, 0], [0, 0, 3, 2, 2, 0], [0, 0, 0, 0, 0, 4]]
    save_points(sheet=table.sheet, columns=columns, version=0, by=by)
    sheet = actions.submit_sheet(sheet=fresh(table).sheet, by=by)
    with pytest.raises(Refused):
        actions.confirm_sheet(sheet=sheet, version=sheet.version, by=by)
    actions.confirm_sheet(sheet=sheet, version=sheet.version, by=by, signed=True)
    rows = standings_for(table.round.event).rows
    assert sorted(((row.points, row.stars) for row in rows), reverse=True) == [
        (4, 1),
        (3, 1),
        (3, 1),
        (3, 1),
        (2, 0),
        (2, 0),
    ]


def test_a_wrong_paper_sheet_is_refused_at_its_seat() -> None:
    table = make_table(6)
    with pytest.raises(Refused, match="Deal 2:") as caught:
        save_points(
            sheet=table.sheet,
            columns=[[3, 3, 0, 0, 0, 0], [3, 3, 2, 0, 0, 0], None],
            version=0,
            by=at(table, 1),
        )
    assert caught.value.code == "deal-2"
    assert fresh(table).sheet.deals.count() == 0


def test_typed_points_leave_deals_known_by_their_roles_alone() -> None:
    table = make_table(6)
    enter(table, 1, DealEntry(MINERS_WIN[6], connector=3))
    save_points(
        sheet=table.sheet,
        columns=[[0, 0, 3, 2, 2, 0], [4, 0, 0, 0, 0, 0], None],
        version=1,
        by=at(table, 1),
    )
    stored = list(fresh(table).sheet.deals.values_list("number", "roles", "points"))
    assert stored == [(1, "ssmmmx", ""), (2, "", "400000")]


def test_points_page_keeps_what_was_typed_and_marks_the_cell(client) -> None:
    table = make_table(5)
    answer = client.post(
        reverse("table_link:points", args=[table.token]),
        {"p-1-1": "7", "p-1-2": "2", "version": "0"},
    )
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="7"' in page
    assert 'aria-invalid="true"' in page


def test_a_deal_loss_zeroes_one_player_and_nobody_else() -> None:
    table = make_table(6)
    enter(table, 1, DealEntry(MINERS_WIN[6], connector=3))
    event = table.round.event
    third = table.seats.get(position=3).player
    penalty = give_penalty(
        player=third,
        infraction="2.2",
        step=3,
        reason="late",
        deal=DealRef("preliminary", 1, 1),
        by=organiser(event),
    )
    assert [one for one, _ in points(table)] == [0, 0, 0, 2, 2, 0]
    assert not any(star for _, star in points(table))
    withdraw_penalty(penalty=penalty, reason="it was the bus", by=organiser(event))
    assert [one for one, _ in points(table)] == [0, 0, 3, 2, 2, 0]


def test_a_void_deal_counts_as_played_or_is_played_again() -> None:
    table = make_table(6)
    event = table.round.event
    enter(table, 1, DealEntry(MINERS_WIN[6], connector=3))
    judge = Actor.of_user(make_judge(event))
    with pytest.raises(Refused, match="Only a judge"):
        actions.void_deal(
            sheet=table.sheet, number=1, replay=False, reason="x", version=1, by=at(table, 1)
        )
    actions.void_deal(
        sheet=table.sheet, number=1, replay=False, reason="cards seen", version=1, by=judge
    )
    assert [one for one, _ in points(table)] == [0] * 6
    actions.void_deal(
        sheet=table.sheet, number=1, replay=True, reason="play it again", version=2, by=judge
    )
    assert fresh(table).sheet.deals.count() == 0
    assert LogEntry.objects.get(verb="deal.replayed").before["roles"] == "ssmmmx"


def test_only_confirmed_sheets_count() -> None:
    table = make_table(6)
    event = table.round.event
    for number in (1, 2, 3):
        enter(table, number)
    assert {row.points for row in standings_for(event).rows} == {0}
    actions.submit_sheet(sheet=table.sheet, by=at(table, 1))
    assert {row.points for row in standings_for(event).rows} == {0}
    table = fresh(table)
    actions.confirm_sheet(sheet=table.sheet, version=table.sheet.version, by=at(table, 2))
    assert sum(row.points for row in standings_for(event).rows) > 0


def test_a_confirmed_sheet_is_reopened_by_the_staff_with_a_reason() -> None:
    table = make_table(6)
    play(table)
    sheet = fresh(table).sheet
    with pytest.raises(Refused, match="by a judge or the organiser"):
        actions.reopen_sheet(sheet=sheet, reason="wrong", by=at(table, 2))
    with pytest.raises(Refused, match="Say why"):
        actions.reopen_sheet(sheet=sheet, reason="", by=organiser(table.round.event))
    actions.reopen_sheet(sheet=sheet, reason="wrong row", by=organiser(table.round.event))
    assert fresh(table).sheet.status == "open"
    assert {row.points for row in standings_for(table.round.event).rows} == {0}


def test_a_deal_for_a_table_that_was_just_closed_finds_no_sheet() -> None:
    table = make_table(6)
    sheet = fresh(table).sheet
    by = at(table, 1)
    table.seats.all().delete()
    Table.objects.filter(pk=table.pk).delete()
    with pytest.raises(Http404):
        actions.submit_sheet(sheet=sheet, by=by)


def test_the_table_does_not_take_a_judges_void_back() -> None:
    table = make_table(6)
    event = table.round.event
    enter(table, 1)
    table.sheet.refresh_from_db()
    actions.void_deal(
        sheet=table.sheet,
        number=1,
        replay=False,
        reason="the cards fell",
        version=table.sheet.version,
        by=organiser(event),
    )
    table.sheet.refresh_from_db()
    roles = {f"role-{seat}": role for seat, role in enumerate(MINERS_WIN[6], 1)}
    sent = roles | {"version": table.sheet.version, "connector": "3"}
    address = reverse("table_link:deal", args=[table.token, 1])
    answer = Client().post(address, sent)
    assert "A judge has made this deal void" in answer.content.decode()
    assert table.sheet.deals.get(number=1).void
    sheet = Client().get(reverse("table_link:sheet", args=[table.token])).content.decode()
    assert "Correct this deal" not in sheet


def test_an_old_form_does_not_say_saved_once_the_deal_was_corrected() -> None:
    table = make_table(6)
    sheet, by = table.sheet, at(table, 1)
    first = DealEntry(MINERS_WIN[6], None)
    actions.save_deal(sheet=sheet, number=1, entry=first, version=0, by=by, key="one")
    actions.save_deal(
        sheet=sheet, number=1, entry=first, version=0, by=by, key="one"
    )  # once more: fine
    other = DealEntry(MINERS_WIN[6][::-1], None)
    actions.save_deal(sheet=sheet, number=1, entry=other, version=1, by=by, key="two")
    with pytest.raises(Conflict, match="corrected since"):
        actions.save_deal(sheet=sheet, number=1, entry=first, version=0, by=by, key="one")
    assert Deal.objects.get(sheet=sheet).roles == rulebook.letters_of(other.roles)


def test_an_entered_deal_says_by_whom_before_it_is_changed(client) -> None:
    table = make_table(6)
    address = reverse("table_link:deal", args=[table.token, 1])
    assert "is entered already" not in flat(client.get(address))
    enter(table, 1, DealEntry(MINERS_WIN[6], None))
    page = flat(client.get(address))
    assert "Deal 1 is entered already." in page
    assert table.seats.get(position=1).player.public_name in page.partition("entered already")[2]


def test_the_dealer_reads_why_the_sheet_was_opened_again(client) -> None:
    table = make_table(6)
    play(table)
    actions.reopen_sheet(
        sheet=table.sheet, reason="Deal 2: who laid the last card?", by=organiser(table.round.event)
    )
    page = flat(client.get(reverse("table_link:sheet", args=[table.token])))
    assert "This sheet was opened again:</strong> Deal 2: who laid the last card?" in page
    actions.submit_sheet(sheet=table.sheet, by=at(table, 1))
    page = flat(client.get(reverse("table_link:sheet", args=[table.token])))
    assert "This sheet was opened again" not in page


def test_a_deal_loss_stands_on_the_sheet_before_its_deal_is_played(client) -> None:
    table = make_table(6)
    event = table.round.event
    player = table.seats.get(position=4).player
    give_penalty(
        player=player,
        infraction="2.2",
        step=3,
        reason="late",
        deal=DealRef("preliminary", 1, 1),
        by=organiser(event),
    )
    sheet = reverse("table_link:sheet", args=[table.token])
    form = reverse("table_link:deal", args=[table.token, 1])
    assert 'data-result="4" data-zero' in flat(client.get(form))
    data = {"version": 0, "key": "k", "connector": "4"}
    roles = dict(enumerate(MINERS_WIN[6], 1))
    data |= {f"role-{seat}": role for seat, role in roles.items()}
    answer = client.post(form, data, follow=True)
    assert f"{player.public_name} has a deal loss: 0 points." in flat(answer)
    page, takes_along = flat(client.get(sheet)).split("</template>")
    assert (page.count(">loss<"), takes_along.count(">loss<")) == (1, 1)
