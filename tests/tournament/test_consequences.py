"""Corrections of what counts already show what they do before they do it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_players, make_round, organiser, organiser_of, play
from tests.pages import flat, read_and_write
from tournament.actions.consequences import carry_out_noted, consequences_of
from tournament.actions.penalties import DealRef, InquiryNote, give_penalty
from tournament.actions.rounds import close_round
from tournament.actions.scoresheets import DealEntry, confirm_sheet, reopen_sheet, submit_sheet
from tournament.forms.point_entry import PointsForm
from tournament.models import Deal, Event, LogEntry, Penalty, Round, Submission, Table
from tournament.queries.log import log_rows
from tournament.queries.standings import standings_for
from tournament.refusals import Conflict
from tournament.simulation import at, tables_of

pytestmark = pytest.mark.django_db
S, M, E = "saboteur", "miner", "selfish"
ROLES = (S, S, E, M, M, M)


def a_closed_round() -> tuple[Event, Table, Client]:
    """Two tables; at the first, seat 4 reached the gold three times."""
    event = make_event(rounds_planned=1)
    make_players(event, 12)
    round_ = make_round(event)
    one, other = tables_of(round_)
    play(one, [DealEntry(ROLES, 4)] * 3)
    play(other, [DealEntry(ROLES, None)] * 3)
    close_round(round_=round_, by=organiser(event))
    client = Client()
    client.force_login(organiser_of(event))
    return Event.objects.get(pk=event.pk), one, client


def ranks(event: Event) -> dict[int, int]:
    return {row.number: row.rank for row in standings_for(Event.objects.get(pk=event.pk)).rows}


def test_a_deal_loss_of_a_played_deal_is_shown_first_and_told_by_the_log() -> None:
    event, table, client = a_closed_round()
    player = table.seats.select_related("player").get(position=4).player
    before = ranks(event)
    address = reverse("penalty", args=[event.slug, player.number])
    sent = {"infraction": "2.2", "step": "3", "deal": "preliminary:1:1", "reason": "late"}
    page = client.post(address, sent | {"key": "k"})
    assert page.status_code == 200
    assert not Penalty.objects.exists()
    assert not Submission.objects.filter(key="k").exists()
    assert ranks(event) == before
    text = flat(page)
    assert "9 → <b>6</b>" in text
    assert "3 → <b>2</b>" in text
    assert "late" in text
    done = read_and_write(client, address, page)
    assert done.status_code == 302
    assert player.penalties.count() == 1
    entry = LogEntry.objects.filter(event=event).first()
    (row,) = log_rows([entry])
    after = ranks(event)
    moved = [number for number in before if before[number] != after[number]]
    assert moved
    for number in moved:
        name = event.players.get(number=number).name
        assert f"{name} {before[number]} → {after[number]}" in row.effect


def test_what_was_read_is_what_is_written() -> None:
    """Things went on while the page was read: it is shown again as it is now."""
    event, table, client = a_closed_round()
    player = table.seats.select_related("player").get(position=4).player
    address = reverse("penalty", args=[event.slug, player.number])
    sent = {"infraction": "2.2", "step": "3", "deal": "preliminary:1:1", "reason": "late"}
    page = client.post(address, sent)
    give_penalty(
        player=player,
        infraction="2.2",
        step=3,
        reason="again",
        deal=DealRef("preliminary", 1, 2),
        by=organiser(event),
    )
    again = read_and_write(client, address, page)
    assert again.status_code == 200
    assert "6 → <b>3</b>" in flat(again)
    assert read_and_write(client, address, again).status_code == 302


def test_a_corrected_deal_of_a_closed_round_is_shown_as_it_will_count() -> None:
    event, table, client = a_closed_round()
    reopen_sheet(sheet=table.sheet, reason="seat 5 it was", by=organiser(event))
    table.sheet.refresh_from_db()
    address = reverse("staff_table:deal", args=[event.slug, table.pk, 1])
    roles = {f"role-{seat}": role for seat, role in enumerate(ROLES, 1)}
    sent = {"version": str(table.sheet.version), "key": "k", "connector": "5"} | roles
    page = client.post(address, sent)
    text = flat(page)
    assert "9 → <b>8</b>" in text, "as if the open sheet were confirmed, before and after"
    assert "7 → <b>6</b>" not in text
    assert Deal.objects.get(sheet=table.sheet, number=1).connector == 4
    assert read_and_write(client, address, page).status_code == 302
    assert Deal.objects.get(sheet=table.sheet, number=1).connector == 5
    table.sheet.refresh_from_db()
    assert table.sheet.status == "open", "the look ahead left nothing behind"
    submit_sheet(sheet=table.sheet, by=at(table, 1))
    table.sheet.refresh_from_db()
    confirm_sheet(sheet=table.sheet, version=table.sheet.version, by=at(table, 2))


def test_reopening_a_sheet_that_counts_shows_who_moves_meanwhile() -> None:
    event, table, client = a_closed_round()
    address = reverse("staff_table:reopen", args=[event.slug, table.pk])
    page = client.post(address, {"reason": "a wrong seat"})
    assert "9 → <b>0</b>" in flat(page)
    table.sheet.refresh_from_db()
    assert table.sheet.status == "confirmed"
    assert read_and_write(client, address, page).status_code == 302
    table.sheet.refresh_from_db()
    assert (table.sheet.status, table.sheet.reopen_reason) == ("open", "a wrong seat")


def test_a_typed_correction_of_a_confirmed_sheet_is_shown_first() -> None:
    event, table, client = a_closed_round()
    address = reverse("staff_table:points", args=[event.slug, table.pk])
    columns = [(0, 0, 0, 2, 3, 2), (0, 0, 0, 3, 2, 2), (0, 0, 0, 3, 2, 2)]
    sent = {
        PointsForm.cell_name(deal, seat): str(points)
        for deal, column in enumerate(columns, 1)
        for seat, points in enumerate(column, 1)
    }
    table.sheet.refresh_from_db()
    sent |= {"version": str(table.sheet.version), "signed": "1", "reason": "the paper", "key": "k"}
    page = client.post(address, sent)
    assert "9 → <b>8</b>" in flat(page)
    assert read_and_write(client, address, page).status_code == 302
    assert LogEntry.objects.filter(event=event).exclude(effect__isnull=True).count() == 1


def test_a_disqualification_names_who_enters_the_cut() -> None:
    event, table, _client = a_closed_round()
    player = table.seats.select_related("player").get(position=4).player
    note = InquiryNote("both", "marked cards", "Julio")
    deal = DealRef("preliminary", 1, 1)

    def change() -> None:
        give_penalty(
            player=player,
            infraction="3.0",
            step=4,
            reason="cheated",
            deal=deal,
            inquiry=note,
            by=organiser(event),
        )

    found = consequences_of(event, change)
    assert not Penalty.objects.exists()
    assert player.number in found.leaves
    assert found.moves[-1].rank_after == 0, "out of the standings, named last"
    assert "public" in found.touched


def test_what_touches_nothing_that_counts_asks_nothing() -> None:
    event = make_event()
    make_players(event, 6)
    round_: Round = make_round(event)
    player = event.players.first()
    client = Client()
    client.force_login(organiser_of(event))
    sent = {"infraction": "2.2", "step": "3", "deal": "preliminary:1:1", "reason": "late"}
    address = reverse("penalty", args=[event.slug, player.number])
    assert client.post(address, sent).status_code == 302
    assert LogEntry.objects.filter(event=round_.event).exclude(effect__isnull=True).count() == 0


def test_a_refused_change_is_refused_before_anything_is_shown() -> None:
    event, table, client = a_closed_round()
    address = reverse("staff_table:reopen", args=[event.slug, table.pk])
    answer = client.post(address, {"reason": ""})
    assert answer.status_code == 409
    assert "Say why the sheet is reopened." in flat(answer)


def test_the_first_form_again_after_the_page_that_was_read_counts_once() -> None:
    event, table, client = a_closed_round()
    player = table.seats.select_related("player").get(position=4).player
    address = reverse("penalty", args=[event.slug, player.number])
    sent = {"infraction": "2.2", "step": "3", "deal": "preliminary:1:1", "reason": "late"}
    page = client.post(address, sent | {"key": "k"})
    read_and_write(client, address, page)
    client.post(address, sent | {"key": "k"})
    assert player.penalties.count() == 1
    again = client.post(address, sent | {"key": "other"})
    assert again.status_code == 409
    assert "has lost this deal already" in flat(again)


def test_a_change_that_came_between_the_look_and_the_press_is_not_overrun() -> None:
    event, table, _client = a_closed_round()
    player = table.seats.select_related("player").get(position=4).player

    def loss(deal: int) -> Penalty:
        return give_penalty(
            player=player,
            infraction="2.2",
            step=3,
            reason="late",
            deal=DealRef("preliminary", 1, deal),
            by=organiser(event),
        )

    found = consequences_of(event, lambda: loss(1))
    loss(2)
    with pytest.raises(Conflict):
        carry_out_noted(event, lambda: loss(1), found, organiser(event))
    assert player.penalties.count() == 1
