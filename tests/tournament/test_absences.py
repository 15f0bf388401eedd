"""Somebody is missing or comes late: the ways out, picking one, printing what changed."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import (
    MINERS_WIN,
    PHOTO,
    enter,
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play_round,
)
from tests.pages import flat
from tournament.actions import absences, attendance, drafts
from tournament.actions.photos import attach_photo
from tournament.actions.scoresheets import DealEntry, save_deal
from tournament.actions.seats import note_printed
from tournament.models import Event, LogEntry, Player, Round
from tournament.queries.printed_sheets import printed_sheets
from tournament.queries.seating_changes import seats_by_table, sheets_to_print
from tournament.queries.versions import version_of
from tournament.refusals import Conflict, Refused
from tournament.simulation import at as sitting
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db

FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


def a_round(players: int = 18, played: int = 1, *, published: bool = True) -> tuple[Event, Round]:
    event = make_event()
    make_players(event, players)
    for seed in range(played):
        play_round(event, seed + 1)
    round_ = make_round(event, 9, published=published)
    if published:
        note_printed(round_, ())  # the sheets lie on the tables
    return event, round_


def at(round_: Round, table: int, position: int) -> Player:
    return round_.seats.get(table__number=table, position=position).player


def logged_in(event: Event) -> Client:
    client = Client()
    client.force_login(organiser_of(event))
    return client


TITLES = {
    "leave": "Leave the gap",
    "seat": ("A free seat", "Table "),
    "move": "Move ",
    "close": "Close ",
    "open": "A new table",
    "redraw": "Draw ",
}


def ways(client: Client, round_: Round, **ticked: list[int]) -> dict[str, dict[str, Any]]:
    """The forms that the assistant shows, by kind, each with what it would send."""
    address = reverse("round_absences", args=[round_.event.slug, round_.pk])
    page = flat(client.get(address, {"see": "1", **ticked}))
    found: dict[str, dict[str, Any]] = {}
    for form in re.findall(r'<form class="card way".*?</form>', page, re.S):
        fields: dict[str, Any] = {}
        for name, value in FIELD.findall(form):
            fields.setdefault(name, []).append(html.unescape(value))
        title = re.search(r"<h3>(.*?)</h3>", form, re.S).group(1).strip()
        kind = next(kind for kind, begins in TITLES.items() if title.startswith(begins))
        found.setdefault(kind, fields)
    return found


def pick(client: Client, round_: Round, way: dict[str, Any]) -> Any:
    return client.post(reverse("round_absences_pick", args=[round_.event.slug, round_.pk]), way)


def test_two_missing_at_one_table_are_mended_while_the_round_is_published() -> None:
    event, round_ = a_round()
    client = logged_in(event)
    gone = [at(round_, 1, 2), at(round_, 1, 3)]
    version = version_of(event)
    found = ways(client, round_, missing=[player.number for player in gone])
    assert {"move", "close", "redraw"} <= set(found)
    assert pick(client, round_, found["move"]).status_code == 302
    round_.refresh_from_db()
    assert round_.status == "published"
    sizes = sorted(len(table) for table in seats_by_table(round_).values())
    assert sizes == [5, 5, 6]
    seated = {player for table in seats_by_table(round_).values() for player in table}
    assert not seated & {player.pk for player in gone}
    assert len(sheets_to_print(round_)) == 2
    assert version_of(event) > version
    for player in gone:
        player.refresh_from_db()
        assert player.status == "dropped", "they have played before"
    page = client.get(reverse("round", args=[event.slug, round_.pk])).content.decode()
    first, second = sheets_to_print(round_)
    assert f"Print again: tables {first}, {second}." in page


def test_who_never_played_is_noted_as_not_here() -> None:
    event, round_ = a_round(played=0)
    client = logged_in(event)
    gone = at(round_, 2, 1)
    found = ways(client, round_, missing=[gone.number])
    pick(client, round_, found["leave"])
    gone.refresh_from_db()
    assert gone.status == "no_show"
    assert sheets_to_print(round_) == (2,)


def test_undo_brings_the_missing_back_to_their_seats() -> None:
    event, round_ = a_round()
    client, by = logged_in(event), organiser(event)
    before = seats_by_table(round_)
    gone = at(round_, 1, 2)
    pick(client, round_, ways(client, round_, missing=[gone.number])["leave"])
    drafts.undo_change(round_=round_, by=by)
    gone.refresh_from_db()
    assert (gone.status, seats_by_table(round_)) == ("checked_in", before)
    drafts.redo_change(round_=round_, by=by)
    gone.refresh_from_db()
    assert gone.status == "dropped"


def test_a_closed_table_is_gone_and_comes_back_with_undo() -> None:
    event, round_ = a_round()
    client, by = logged_in(event), organiser(event)
    before = seats_by_table(round_)
    gone = [at(round_, 1, n).number for n in (2, 3)]
    pick(client, round_, ways(client, round_, missing=gone)["close"])
    assert sorted(map(len, seats_by_table(round_).values())) == [8, 8]
    assert round_.tables.count() == 2
    drafts.undo_change(round_=round_, by=by)
    assert seats_by_table(round_) == before
    assert all(table.sheet.status == "open" for table in tables_of(round_))


@pytest.mark.paper
def test_new_sheets_are_printed_alone_and_then_lie_on_the_tables() -> None:
    event, round_ = a_round()
    client = logged_in(event)
    gone = [at(round_, 1, n).number for n in (2, 3)]
    pick(client, round_, ways(client, round_, missing=gone)["move"])
    numbers = sheets_to_print(round_)
    wrong = ",".join(map(str, numbers))
    pdf = client.get(reverse("round_pdf", args=[event.slug, round_.pk]) + f"?tables={wrong}")
    assert pdf.headers["Content-Type"] == "application/pdf"
    assert tuple(sheet.table for sheet in printed_sheets(round_, only=numbers)) == numbers
    assert sheets_to_print(round_) == (), "they are printed"


def test_what_was_put_right_by_hand_is_said() -> None:
    event, round_ = a_round()
    client = logged_in(event)
    gone = [at(round_, 1, n).number for n in (2, 3)]
    pick(client, round_, ways(client, round_, missing=gone)["move"])
    wrong = ",".join(map(str, sheets_to_print(round_)))
    address = reverse("round_sheets_replaced", args=[event.slug, round_.pk])
    client.post(address, {"tables": wrong})
    assert sheets_to_print(round_) == ()
    assert LogEntry.objects.filter(verb="round.sheets_replaced").count() == 1


def test_a_table_that_plays_stays_as_it_is() -> None:
    event, round_ = a_round()
    client, by = logged_in(event), organiser(event)
    enter(tables_of(round_)[0], 1)
    kept = seats_by_table(round_)[1]
    gone = [at(round_, 2, n).number for n in (2, 3)]
    address = reverse("round_absences", args=[event.slug, round_.pk])
    assert "this table stays as it is" in client.get(address).content.decode()
    found = ways(client, round_, missing=gone)
    for way in found.values():
        assert "1" not in json.loads(way["seats"][0])
    pick(client, round_, found["redraw"])
    assert seats_by_table(round_)[1] == kept
    seats = {1: [event.players.get(pk=pk).number for pk in reversed(kept)]}
    with pytest.raises(Refused, match="Table 1 has entered deals: it stays as it is"):
        absences.repair_round(round_=round_, seats=seats, missing=(), by=by)


def test_a_deal_that_was_being_typed_for_the_old_table_is_told() -> None:
    event, round_ = a_round()
    client = logged_in(event)
    table = tables_of(round_)[0]
    pick(client, round_, ways(client, round_, missing=[at(round_, 1, 2).number])["leave"])
    deal = DealEntry(MINERS_WIN[5], None)
    old = table.sheet.version
    with pytest.raises(Conflict):
        save_deal(sheet=table.sheet, number=1, entry=deal, version=old, by=sitting(table, 1))


def test_a_late_arrival_is_offered_seats_at_the_door_and_takes_the_best() -> None:
    event, round_ = a_round(17)
    client = logged_in(event)
    late = make_player(event, "Late Laura")
    door = client.get(reverse("door", args=[event.slug])).content.decode()
    assert "1 person who is here has no seat in it" in door
    assert f"late={late.number}#ways" in door
    found = ways(client, round_, late=[late.number])
    way = json.loads(found["seat"]["seats"][0])
    assert list(way) == ["3"], "the table of five"
    pick(client, round_, found["seat"])
    assert seats_by_table(round_)[3][-1] == late.pk
    assert sheets_to_print(round_) == (3,)


def test_a_new_table_is_opened_with_a_sheet_of_its_own() -> None:
    event, round_ = a_round(24, 0)
    for number in range(2):
        make_player(event, f"Late {'AB'[number]}")
    client = logged_in(event)
    late = list(event.players.order_by("-number").values_list("number", flat=True)[:2])
    pick(client, round_, ways(client, round_, late=late)["open"])
    assert sorted(map(len, seats_by_table(round_).values())) == [5, 5, 5, 5, 6]
    new = round_.tables.get(number=5)
    assert new.sheet.status == "open"
    assert 5 in sheets_to_print(round_)


@pytest.mark.parametrize("published", [False, True])
def test_what_was_never_printed_is_not_to_be_printed_again(published: bool) -> None:
    event, round_ = a_round(published=published)
    round_.tables.update(printed_at=None)
    client = logged_in(event)
    pick(client, round_, ways(client, round_, missing=[at(round_, 1, 2).number])["leave"])
    assert sheets_to_print(round_) == ()


def test_who_picks_from_an_old_page_overwrites_nothing() -> None:
    event, round_ = a_round()
    client = logged_in(event)
    found = ways(client, round_, missing=[at(round_, 1, 2).number])
    other = ways(client, round_, missing=[at(round_, 2, 2).number])
    pick(client, round_, other["leave"])
    after = seats_by_table(round_)
    answer = pick(client, round_, found["leave"])
    assert (answer.status_code, seats_by_table(round_)) == (409, after)
    assert "Somebody else changed this round" in answer.content.decode()


def test_nobody_loses_a_seat_by_a_bent_form() -> None:
    event, round_ = a_round()
    client, by = logged_in(event), organiser(event)
    way = ways(client, round_, missing=[at(round_, 1, 2).number])["leave"]
    before = seats_by_table(round_)
    for seats in ("", "[]", "null", '{"1": [1]}', '{"x": [1]}', '{"1": "ab"}', '{"1": [99999]}'):
        assert pick(client, round_, way | {"seats": [seats]}).status_code == 409
    numbers = {1: [event.players.get(pk=pk).number for pk in before[1][1:]]}
    with pytest.raises(Refused, match="would have no seat"):
        absences.repair_round(round_=round_, seats=numbers, missing=(), by=by)
    assert seats_by_table(round_) == before


@pytest.mark.parametrize(
    "seats",
    [
        '{"1": [1e999]}',
        '{"1": ' + "[" * 9000 + "]" * 9000 + "}",
        '{"' + "9" * 5000 + '": []}',
        '{"-1": [1, 2, 3, 4, 5, 6]}',
        '{"70000": [1, 2, 3, 4, 5, 6]}',
        '{"99999999999999999999": [1, 2, 3, 4, 5, 6]}',
    ],
)
def test_nonsense_in_a_bent_form_is_refused(seats: str) -> None:
    event, round_ = a_round(played=0)
    sent = {"seats": seats, "missing": list(event.players.values_list("number", flat=True))[6:]}
    before = seats_by_table(round_)
    assert pick(logged_in(event), round_, sent).status_code == 409
    assert seats_by_table(round_) == before


def test_a_round_is_left_with_one_table_at_least() -> None:
    event, round_ = a_round()
    everybody = list(event.players.values_list("number", flat=True))
    sent = {"seats": '{"1": [], "2": [], "3": []}', "missing": everybody}
    assert pick(logged_in(event), round_, sent).status_code == 409
    assert round_.tables.count() == 3


@pytest.mark.parametrize("tables", ["9" * 30, "9" * 5000, "²", "-1", "1;2", ",,"])
def test_sheets_of_no_known_table_replace_nothing(tables: str) -> None:
    event, round_ = a_round()
    address = reverse("round_sheets_replaced", args=[event.slug, round_.pk])
    round_.tables.update(changed_at=event.starts_at)
    assert logged_in(event).post(address, {"tables": tables}).status_code == 302
    assert sheets_to_print(round_) == (1, 2, 3)


def test_who_has_gone_but_is_seated_still_bars_no_way_out_by_standings() -> None:
    event = make_event(seating="standings", standings_from=2)
    make_players(event, 18)
    play_round(event)
    round_ = make_round(event, 9)
    attendance.drop(player=at(round_, 1, 2), by=organiser(event))
    found = ways(logged_in(event), round_, missing=[at(round_, 2, 2).number])
    assert "redraw" in found


def test_nothing_ticked_is_asked_for() -> None:
    event, round_ = a_round()
    address = reverse("round_absences", args=[event.slug, round_.pk])
    page = logged_in(event).get(address, {"see": "1"}).content.decode()
    assert "Tick who is missing, or who has come." in page


def test_four_left_over_can_play_no_round() -> None:
    event, round_ = a_round(6, 0)
    gone = [at(round_, 1, n).number for n in (1, 2)]
    address = reverse("round_absences", args=[event.slug, round_.pk])
    page = logged_in(event).get(address, {"see": "1", "missing": gone}).content.decode()
    assert "so few people" in page


def test_the_final_and_closed_rounds_have_no_assistant() -> None:
    event = make_event()
    make_players(event, 12)
    round_ = play_round(event)
    address = reverse("round_absences", args=[event.slug, round_.pk])
    assert logged_in(event).get(address).status_code == 302


def test_the_same_pick_sent_twice_counts_once() -> None:
    event, round_ = a_round()
    client = logged_in(event)
    way = ways(client, round_, missing=[at(round_, 1, 2).number])["leave"]
    assert [pick(client, round_, way).status_code for _ in range(2)] == [302, 302]
    assert LogEntry.objects.filter(verb="round.repaired").count() == 1
    version = round_.version
    round_.refresh_from_db()
    assert round_.version == version + 1


def test_the_assistant_asks_as_much_of_three_tables_as_of_nine() -> None:
    counts = []
    for players in (18, 54):
        event, round_ = a_round(players)
        make_player(event, "Late Laura")
        client = logged_in(event)
        gone = [at(round_, 1, n).number for n in (2, 3)]
        with CaptureQueriesContext(connection) as queries:
            found = ways(client, round_, missing=gone)
        assert "move" in found
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] < 25


def test_who_is_known_to_be_gone_is_ticked_beforehand() -> None:
    event, round_ = a_round()
    left = at(round_, 2, 3)
    attendance.drop(player=left, by=organiser(event))
    client = logged_in(event)
    page = flat(client.get(reverse("round_absences", args=[event.slug, round_.pk])))
    assert re.findall(r'name="missing" value="(\d+)" checked', page) == [str(left.number)]
    pick(client, round_, ways(client, round_, missing=[left.number])["leave"])
    assert not round_.seats.filter(player=left).exists()
    left.refresh_from_db()
    assert left.status == "dropped"


def test_undo_makes_nobody_present_who_had_left_before() -> None:
    event, round_ = a_round()
    by, left = organiser(event), at(round_, 1, 3)
    attendance.drop(player=left, by=by)
    people = [at(round_, 1, n).number for n in range(1, 7) if n != 3]
    absences.repair_round(round_=round_, seats={1: people}, missing=[left.number], by=by)
    drafts.undo_change(round_=round_, by=by)
    left.refresh_from_db()
    assert (left.status, left.dropped_after) == ("dropped", 2)
    assert at(round_, 1, 3) == left  # exactly as it was
    drafts.redo_change(round_=round_, by=by)
    assert not round_.seats.filter(player=left).exists()


def test_a_table_with_a_photo_stays() -> None:
    event, round_ = a_round(15)
    by, table = organiser(event), tables_of(round_)[2]
    attach_photo(sheet=table.sheet, photo=PHOTO, by=sitting(table, 1))
    people = {n: [at(round_, n, seat).number for seat in range(1, 6)] for n in (1, 2, 3)}
    seats = {1: [*people[1], people[3][3]], 2: [*people[2], people[3][4]], 3: []}
    with pytest.raises(Refused, match="photo of the sheet of table 3"):
        absences.repair_round(round_=round_, seats=seats, missing=people[3][:3], by=by)
    assert table.sheet.photos.count() == 1


def test_who_leaves_in_the_middle_of_a_round_is_marked_wherever_they_sit() -> None:
    event, round_ = a_round()
    client, left = logged_in(event), at(round_, 2, 3)
    address = reverse("player_move", args=[event.slug, left.number, "drop"])
    answer = client.post(address, {"from": "door"})
    assert answer.headers["Location"] == reverse("round_absences", args=[event.slug, round_.pk])
    page = flat(client.get(answer.headers["Location"]))
    assert f"{left.name} has left, and sits at table 2" in page
    assert re.findall(r'name="missing" value="(\d+)" checked', page) == [str(left.number)]
    table = tables_of(round_)[1]
    for address in (
        reverse("round", args=[event.slug, round_.pk]),
        reverse("staff_table:points", args=[event.slug, table.pk]),
        reverse("table_link:sheet", args=[table.token]),
    ):
        shown = flat(client.get(address)).rpartition("</template>")[2]
        assert shown.count("has left") == 1, address
    desk = flat(client.get(reverse("event_desk", args=[event.slug])))
    assert re.search(rf"{left.name}: <a href=\"[^\"]*/mend/\">table 2", desk)
