"""A cancelled round comes back only into the situation it was drawn for."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    enter,
    make_event,
    make_players,
    make_round,
    make_table,
    organiser,
    organiser_of,
    play,
    redrawn,
)
from tournament.actions import events, rounds
from tournament.actions.penalties import DealRef, give_penalty, withdraw_penalty
from tournament.actions.point_entry import type_sheet
from tournament.actions.scoresheets import confirm_sheet, submit_sheet
from tournament.refusals import Refused
from tournament.simulation import at, tables_of

pytestmark = pytest.mark.django_db


def test_points_that_rest_on_a_withdrawn_loss_keep_the_round_away() -> None:
    """Else no page that counts it could be shown."""
    table = make_table(6)
    event, by, sheet = table.round.event, organiser(table.round.event), table.sheet
    dealer = table.seats.get(position=1).player
    loss = give_penalty(
        player=dealer,
        infraction="2.2",
        step=3,
        reason="late",
        by=by,
        deal=DealRef("preliminary", 1, 1),
    )
    type_sheet(sheet=sheet, columns=[(0, 2, 2, 0, 0, 0), None, None], version=sheet.version, by=by)
    for number in (2, 3):
        enter(table, number)
    sheet.refresh_from_db()
    submit_sheet(sheet=sheet, by=at(table, 1))
    sheet.refresh_from_db()
    confirm_sheet(sheet=sheet, version=sheet.version, by=at(table, 2))
    rounds.cancel_round(round_=table.round, reason="the wrong tables", by=by)
    withdraw_penalty(penalty=loss, reason="was on time", by=by)
    with pytest.raises(Refused, match="deal 1, are only possible with a deal loss"):
        rounds.restore_round(round_=table.round, by=by)
    assert Client().get(reverse("standings", args=[event.slug])).status_code == 200


def test_of_two_drafts_of_one_number_only_one_can_come_back() -> None:
    event = make_event()
    make_players(event, 12)
    by = organiser(event)
    first = make_round(event, 1, published=False)
    second = redrawn(first, 2)
    rounds.cancel_round(round_=second, reason="", by=by)
    first.refresh_from_db()
    rounds.publish_round(round_=rounds.restore_round(round_=first, by=by), by=by)
    for table in tables_of(first):
        play(table)
    rounds.close_round(round_=first, by=by)
    with pytest.raises(Refused, match="Something came after"):
        rounds.restore_round(round_=second, by=by)


def test_nothing_comes_back_into_an_event_that_is_hidden_or_has_other_rules() -> None:
    event = make_event()
    make_players(event, 12)
    by = organiser(event)
    round_ = make_round(event)
    rounds.cancel_round(round_=round_, reason="too early", by=by)
    events.unpublish_event(event=event, by=by)
    with pytest.raises(Refused, match="Publish the event first"):
        rounds.restore_round(round_=round_, by=by)
    events.publish_event(event=event, by=by)
    events.change_settings(event=event, settings={"deals_per_round": 2}, by=by)
    with pytest.raises(Refused, match="settings have changed"):
        rounds.restore_round(round_=round_, by=by)


def test_a_round_with_a_sheet_handed_in_is_no_draft_again() -> None:
    event = make_event()
    make_players(event, 12)
    round_ = make_round(event)
    table = tables_of(round_)[0]
    client = Client()
    client.force_login(organiser_of(event))
    client.post(
        reverse("staff_table:submit", args=[event.slug, table.pk]), {"reason": "nobody came"}
    )
    table.sheet.refresh_from_db()
    assert table.sheet.status != "open"
    with pytest.raises(Refused, match="the tables stay as they are"):
        rounds.unpublish_round(round_=round_, by=organiser(event))
