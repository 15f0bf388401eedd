"""Whatever happens on the day, there is a way on, and no page breaks."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.core.exceptions import ValidationError
from openpyxl import Workbook

from scoring import eventfile
from scoring.standings import standings
from tests.factories import (
    enter,
    make_event,
    make_players,
    make_round,
    organiser,
    play_round,
    redrawn,
)
from tests.tournament.test_cut import level_event
from tournament import rulebook
from tournament.actions import (
    attendance,
    cuts,
    drafts,
    draws,
    events,
    finals,
    penalties,
    players,
    registration,
    rounds,
)
from tournament.actions.point_entry import save_points
from tournament.actions.scoresheets import confirm_sheet, reopen_sheet, submit_sheet
from tournament.forms.spreadsheet import read_spreadsheet
from tournament.models import Round
from tournament.queries.cuts import current_cut, line_of
from tournament.queries.registration import registration_open
from tournament.queries.standings import standings_for
from tournament.refusals import Conflict, Refused
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def test_standings_survive_a_withdrawn_loss_on_typed_points() -> None:
    event = make_event()
    make_players(event, 6)
    table = tables_of(make_round(event))[0]
    late = table.seats.get(position=1).player
    by = organiser(event)
    given = penalties.give_penalty(
        player=late,
        infraction="2.2",
        step=3,
        reason="late",
        by=by,
        deal=penalties.DealRef("preliminary", 1, 1),
    )
    save_points(
        sheet=table.sheet,
        columns=[[0, 2, 2, 0, 0, 0], [3, 2, 2, 0, 0, 0], [3, 2, 2, 0, 0, 0]],
        version=0,
        by=by,
    )  # the 3 is hidden by the loss
    submit_sheet(sheet=table.sheet, by=by)
    table.sheet.refresh_from_db()
    confirm_sheet(sheet=table.sheet, version=table.sheet.version, by=by, signed=True)
    with pytest.raises(Refused, match="Reopen the sheet and type that deal again"):
        penalties.withdraw_penalty(penalty=given, reason="mistake", by=by)
    assert len(standings_for(event).rows) == 6
    table.sheet.refresh_from_db()
    reopen_sheet(sheet=table.sheet, reason="the loss goes", by=by)
    table.sheet.refresh_from_db()
    save_points(
        sheet=table.sheet,
        columns=[[3, 2, 2, 0, 0, 0]] * 3,
        version=table.sheet.version,
        by=by,
        reason="the loss goes",
    )
    with pytest.raises(Refused):
        penalties.withdraw_penalty(penalty=given, reason="", by=by)
    penalties.withdraw_penalty(penalty=given, reason="mistake", by=by)


def test_a_round_being_played_is_not_thrown_away_by_draw_again() -> None:
    event = make_event()
    make_players(event, 6)
    round_ = make_round(event)
    enter(tables_of(round_)[0], 1)
    with pytest.raises(Refused, match="There is a round already"):
        redrawn(round_, seed=2)
    assert Round.objects.get(pk=round_.pk).status == "published"


def test_the_event_is_not_finished_while_a_sheet_is_open() -> None:
    event = make_event(cut_size=0, rounds_planned=1)
    make_players(event, 6)
    round_ = play_round(event)
    reopen_sheet(sheet=tables_of(round_)[0].sheet, reason="typo", by=organiser(event))
    with pytest.raises(Refused, match="still open: Tournament round 1, Table 1"):
        events.finish_event(event=event, by=organiser(event))


def test_a_final_of_four_is_refused_in_words_and_the_event_can_end() -> None:
    event = make_event(rounds_planned=1)
    people = make_players(event, 5)
    play_round(event)
    attendance.drop(player=people[0], by=organiser(event))
    cut = cuts.make_cut(event=event, by=organiser(event))
    with pytest.raises(Refused, match="no table of 4 players"):
        finals.draw_final(cut=cut, by=organiser(event))
    events.finish_event(event=event, by=organiser(event), reason="only four stayed")


def test_a_table_of_ten_without_a_row_is_refused_in_words() -> None:
    event = make_event(ruleset="en-2023", max_tables=1)
    make_players(event, 10)
    with pytest.raises(Refused, match="9 a table is the most"):
        draws.draw_round(event=event, by=organiser(event), seed=1)


def test_a_lot_settles_the_line_also_after_somebody_came_back() -> None:
    event = level_event(12)
    by = organiser(event)
    gone = event.players.first()
    attendance.drop(player=gone, by=by)
    cut = cuts.make_cut(event=event, by=by)
    cuts.settle_line(cut=cut, by=by)
    attendance.come_back(player=gone, by=by)
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=by)
    assert not line_of(cut).level
    finals.draw_final(cut=cut, by=by)


def test_the_final_never_has_more_seats_than_the_cut() -> None:
    event = make_event(rounds_planned=1)
    make_players(event, 18)
    play_round(event, seed=3)
    by = organiser(event)
    best = [row.number for row in standings_for(event).rows][:2]
    for number in best:
        attendance.drop(player=event.players.get(number=number), by=by)
    cut = cuts.make_cut(event=event, by=by)
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=by)
    for number in best:
        attendance.come_back(player=event.players.get(number=number), by=by)
    cuts.decline_seat(qualifier=cut.qualifiers.last(), reason="leaves", by=by)
    assert cut.qualifiers.filter(status="in").count() <= event.cut_size


def test_a_withdrawn_disqualification_restores_the_state_before() -> None:
    event = make_event()
    people = make_players(event, 7)
    make_round(event)
    by = organiser(event)
    attendance.drop(player=people[0], by=by)
    given = penalties.give_penalty(
        player=people[0],
        infraction="3.0",
        step=4,
        reason="x",
        by=by,
        deal=penalties.DealRef("preliminary", 1, 1),
        inquiry=penalties.InquiryNote("a", "b", "c"),
    )
    penalties.withdraw_penalty(penalty=given, reason="mistake", by=by)
    people[0].refresh_from_db()
    assert people[0].status == "dropped"


def test_draw_pressed_again_on_an_old_page_after_a_cancel() -> None:
    event = make_event()
    make_players(event, 6)
    by = organiser(event)
    first = draws.draw_round(event=event, by=by, seed=1, key="k")
    rounds.cancel_round(round_=first, reason="", by=by)
    with pytest.raises(Conflict, match="This page is old"):
        draws.draw_round(event=event, by=by, seed=1, key="k")


def test_a_first_draw_that_was_cancelled_loses_nothing() -> None:
    event = make_event()
    make_players(event, 5)
    by = organiser(event)
    rounds.cancel_round(round_=make_round(event, published=False), reason="a try", by=by)
    event.refresh_from_db()
    assert event.frozen_rules is None
    assert registration_open(event)


@pytest.mark.parametrize("how", ["cut", "encrypted"])
def test_a_broken_workbook_is_refused_in_words(how: str) -> None:
    book = Workbook()
    book.active.append(["Name"])
    book.active.append(["Ann"])
    file = io.BytesIO()
    book.save(file)
    data = file.getvalue()
    if how == "cut":
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
            for name in old.namelist():
                new.writestr(name, old.read(name)[:300] if "sheet1" in name else old.read(name))
        data = out.getvalue()
    else:
        raw = bytearray(data)
        for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
            i = raw.find(mark)
            while i >= 0:
                raw[i + at] |= 1
                i = raw.find(mark, i + 4)
        data = bytes(raw)
    with pytest.raises(ValidationError):
        read_spreadsheet("a.xlsx", data, make_event())


def test_a_cancelled_round_is_brought_back_with_its_deals() -> None:
    event = make_event()
    make_players(event, 6)
    round_ = make_round(event)
    by = organiser(event)
    enter(tables_of(round_)[0], 1)
    rounds.cancel_round(round_=round_, reason="fire alarm", by=by)
    rounds.restore_round(round_=round_, by=by)
    round_.refresh_from_db()
    assert round_.status == "published"
    assert tables_of(round_)[0].sheet.deals.count() == 1
    rounds.cancel_round(round_=round_, reason="fire alarm again", by=by)
    make_round(event, 2)
    with pytest.raises(Refused, match="came after"):
        rounds.restore_round(round_=round_, by=by)


def test_the_preliminaries_stand_under_a_cut_for_the_judge_too() -> None:
    event = level_event(12)
    by = organiser(event)
    loss = penalties.DealRef("preliminary", 1, 1)
    player = event.players.get(number=1)
    given = penalties.give_penalty(
        player=player, infraction="2.2", step=3, reason="late", deal=loss, by=by
    )
    cuts.make_cut(event=event, by=by)
    with pytest.raises(Refused, match="what it rests on stands"):
        penalties.give_penalty(
            player=player, infraction="2.2", step=3, reason="late", deal=loss, by=by
        )
    with pytest.raises(Refused, match="what it rests on stands"):
        penalties.withdraw_penalty(penalty=given, reason="mistake", by=by)
    penalties.give_penalty(player=player, infraction="1.1", step=1, reason="forgot", by=by)


def test_the_final_is_not_edited_by_hand() -> None:
    event = level_event(12)
    by = organiser(event)
    cut = cuts.make_cut(event=event, by=by)
    cuts.settle_line(cut=cut, by=by)
    final = finals.draw_final(cut=current_cut(event), by=by)
    seat = final.seats.first()
    with pytest.raises(Refused, match="given by the cut"):
        drafts.move_player(round_=final, player=seat.player, table=None, by=by)


def test_more_places_after_the_start_promote_nobody() -> None:
    event = make_event(capacity=6)
    make_players(event, 6)
    entry = players.PlayerEntry(name="Waiting Wanda", email="w@example.org")
    wanda = registration.register(event=event, entry=entry, by=organiser(event))
    make_round(event)
    events.change_settings(event=event, settings={"capacity": 9}, by=organiser(event))
    wanda.refresh_from_db()
    assert wanda.status == "waiting"


def test_the_export_and_the_page_name_the_same_finalists() -> None:
    event = level_event(12)
    by = organiser(event)
    cut = cuts.make_cut(event=event, by=by)
    cuts.settle_line(cut=cut, by=by)
    cuts.decline_seat(qualifier=cut.qualifiers.get(place=2), reason="", by=by)
    exported = standings(eventfile.read(eventfile.write(rulebook.event_file(event))))
    seats = [
        rulebook.player_id(number)
        for number in cut.qualifiers.filter(status="in").values_list("player__number", flat=True)
    ]
    assert sorted(exported.cut.qualified) == sorted(seats)


@pytest.mark.parametrize("address", ["/p/%00/", "/t/%00/", "/t/%00/deals/1/", "/p/x y/"])
def test_a_link_that_is_none_is_not_found(client, address: str) -> None:
    assert client.get(address).status_code == 404
