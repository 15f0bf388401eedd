"""The cut, the lot, declined seats, the final, and the formats that are really played."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from html import unescape

import pytest
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from scoring.lots import commitment, lot_order
from tests.factories import make_event, make_players, make_round, organiser, organiser_of, play
from tests.pages import flat
from tournament.actions import attendance, finals, rounds
from tournament.actions import cuts as actions
from tournament.actions.events import finish_event
from tournament.actions.penalties import DealRef, InquiryNote, give_penalty
from tournament.actions.scoresheets import DealEntry, reopen_sheet
from tournament.models import Event, Qualifier, Round, Table
from tournament.queries.cuts import current_cut, line_of
from tournament.queries.rules import displayed_rules, public_lots
from tournament.queries.standings import shared_places, standings_for
from tournament.refusals import Refused
from tournament.simulation import SimulationPlan, simulate, tables_of

pytestmark = pytest.mark.django_db

SABOTEURS_WIN = {5: 1, 6: 2, 7: 2, 8: 3, 9: 3, 10: 3}


def deal(seats: int, saboteurs: list[int]) -> DealEntry:
    """Nobody reaches the gold: the seats named take the points and the stars."""
    selfish = {5: 1, 6: 1, 7: 2, 8: 2, 9: 2, 10: 2}[seats]
    rest = [seat for seat in range(1, seats + 1) if seat not in saboteurs]
    roles = dict.fromkeys(saboteurs, "saboteur") | dict.fromkeys(rest[:selfish], "selfish")
    roles |= dict.fromkeys(rest[selfish:], "miner")
    return DealEntry(tuple(roles[seat] for seat in range(1, seats + 1)), None)


def numbers(qualifiers: QuerySet[Qualifier]) -> list[int]:
    """Start numbers, in the order of the seats."""
    return list(qualifiers.values_list("player__number", flat=True))


def level_round(event: Event, seed: int = 1) -> None:
    """Everybody at a table of six ends with 3 points and a star."""
    round_ = make_round(event, seed)
    for table in tables_of(round_):
        play(table, [deal(6, [1, 2]), deal(6, [3, 4]), deal(6, [5, 6])])
    rounds.close_round(round_=round_, by=organiser(event))


def level_event(players: int = 12) -> Event:
    event = make_event(rounds_planned=1)
    make_players(event, players)
    level_round(event)
    event.refresh_from_db()
    return event


def test_a_tie_on_the_line_waits_for_a_lot_among_all_who_are_level() -> None:
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    line = line_of(cut)
    assert (line.qualified, len(line.level), line.free) == ((), 12, 6)
    assert cut.qualifiers.count() == 0
    with pytest.raises(Refused, match="settled by a lot first"):
        finals.draw_final(cut=cut, by=organiser(event))


def test_the_lot_can_be_checked_by_anybody() -> None:
    event = level_event()
    promised = displayed_rules(event)["commitment"]
    cut = actions.make_cut(event=event, by=organiser(event))
    lot = actions.settle_line(cut=cut, by=organiser(event))
    assert lot is not None
    assert commitment(lot.secret) == promised
    assert tuple(lot.order) == lot_order(lot.secret, "cut", lot.players)
    qualified = [f"{number:04d}" for number in numbers(cut.qualifiers.order_by("place"))]
    assert qualified == list(lot.order[:6])


def test_the_page_of_the_rules_checks_the_lot_with_plain_python(client) -> None:
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    lot = actions.settle_line(cut=cut, by=organiser(event))
    assert lot is not None
    page = unescape(client.get(reverse("rules", args=[event.slug])).content.decode())
    line = re.findall(r"<code[^>]*>(python3 -c .*?)</code>", page)[0]
    _program, _c, code = shlex.split(line)
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    fingerprint, order = done.stdout.splitlines()
    assert fingerprint == displayed_rules(event)["commitment"]
    assert order == str(list(lot.order))


def test_the_drawn_order_shows_public_names(client) -> None:
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    actions.settle_line(cut=cut, by=organiser(event))
    event.players.update(name_style="alias", alias="Gimli")
    page = client.get(reverse("rules", args=[event.slug])).content.decode()
    assert len(re.findall(r"data-player>\d{4}</strong> Gimli</li>", page)) == 12
    assert "js/lot" in page


def test_each_lot_has_a_secret_that_the_last_one_does_not_tell() -> None:
    """Its fingerprint is the secret of the lot before; the first one stood there from the start."""
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    actions.settle_line(cut=cut, by=organiser(event))
    for place in (1, 2):
        actions.decline_seat(
            qualifier=cut.qualifiers.get(place=place), reason="", by=organiser(event)
        )
    final = finals.draw_final(cut=current_cut(event), by=organiser(event), seed=1)
    rounds.publish_round(round_=final, by=organiser(event))
    play(tables_of(final)[0], [deal(6, pair) for pair in ([1, 2], [3, 4], [5, 6], [1, 2])])
    rounds.close_round(round_=final, by=organiser(event))
    actions.settle_place(event=event, rank=3, by=organiser(event))
    actions.settle_place(event=event, rank=1, by=organiser(event))
    drawn = public_lots(event)
    assert [lot.line for lot in drawn] == ["cut", "place:3", "place:1"]
    assert [commitment(lot.secret) for lot in drawn] == [lot.fingerprint for lot in drawn]
    assert drawn[0].fingerprint == displayed_rules(event)["commitment"]
    assert drawn[1].fingerprint == drawn[0].secret


def test_undoing_the_cut_takes_no_lot_back() -> None:
    """Who does not like a lot cannot have another: the same tie is settled by the same lot."""
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    lot = actions.settle_line(cut=cut, by=organiser(event))
    assert lot is not None
    actions.undo_cut(cut=cut, reason="a wrong sheet", by=organiser(event))
    again = actions.make_cut(event=event, by=organiser(event))
    assert line_of(again).level == ()
    assert [f"{number:04d}" for number in numbers(again.qualifiers.all())] == list(lot.order[:6])


def test_the_line_parts_winners_and_losers_of_the_lot() -> None:
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    lot = actions.settle_line(cut=cut, by=organiser(event))
    assert lot is not None
    rows = standings_for(event).rows
    assert [f"{row.number:04d}" for row in rows[:6]] == list(lot.order[:6])
    assert [row.ends_cut for row in rows] == [False] * 5 + [True] + [False] * 6
    assert {row.note for row in rows[6:]} == {"lost_lot"}


def test_everybody_has_one_place_in_the_end() -> None:
    """The finalists first, then 7, 8, …; who is disqualified after the cut has one line."""
    event = level_event()
    by = organiser(event)
    cut = actions.make_cut(event=event, by=by)
    lot = actions.settle_line(cut=cut, by=by)
    assert lot is not None
    final = rounds.publish_round(round_=finals.draw_final(cut=cut, by=by, seed=1), by=by)
    board = standings_for(event)
    assert sorted(f"{row.number:04d}" for row in board.final) == sorted(lot.order[:6])
    assert [row.rank for row in board.final] == [1] * 6
    assert [row.rank for row in board.rows] == [7] * 6
    assert (board.final_begun, board.final[0].points) == (False, 3)  # the preliminaries' points
    give_penalty(
        player=event.players.get(number=int(lot.order[7])),
        infraction="3.0",
        step=4,
        reason="cheated",
        deal=DealRef("final", 1, 1),
        inquiry=InquiryNote("both", "marked cards", "Julio"),
        by=by,
    )
    play(tables_of(final)[0], [deal(6, pair) for pair in ([1, 2], [3, 4], [5, 6], [1, 2])])
    after = standings_for(event)
    assert [row.rank for row in after.final] == [1, 1, 3, 3, 3, 3]
    assert [row.rank for row in after.rows] == [7] * 5
    assert [f"{row.number:04d}" for row in after.out] == [lot.order[7]]


def test_a_place_is_drawn_only_when_it_is_certain() -> None:
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    with pytest.raises(Refused, match="may change"):
        actions.settle_place(event=event, rank=1, by=organiser(event))
    actions.settle_line(cut=cut, by=organiser(event))
    final = finals.draw_final(cut=cut, by=organiser(event), seed=1)
    rounds.publish_round(round_=final, by=organiser(event))
    with pytest.raises(Refused, match="may change"):
        actions.settle_place(event=event, rank=1, by=organiser(event))


def test_a_shared_first_place_without_a_final_can_be_drawn(client: Client) -> None:
    event = make_event(cut_size=0, rounds_planned=1)
    make_players(event, 12)
    level_round(event)
    client.force_login(organiser_of(event))
    address = reverse("place_lot", args=[event.slug, 1])
    assert "Draw the lot" in client.get(reverse("cut", args=[event.slug])).content.decode()
    wrong = client.post(address, {"paper": "1", "order": "1 2 3", "note": "Bea, cards"})
    assert wrong.status_code == 422
    page = flat(wrong)
    assert "4 is missing: everybody who is level draws." in page
    assert 'value="1 2 3"' in page
    assert 'value="Bea, cards"' in page
    client.post(address)
    lot = event.lots.get()
    assert [f"{row.number:04d}" for row in standings_for(event).rows] == lot.order
    assert [row.rank for row in standings_for(event).rows] == list(range(1, 13))


def test_a_paper_lot_must_hold_everybody_who_is_level_once() -> None:
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    level = list(line_of(cut).level)
    with pytest.raises(Refused, match="everybody who is level"):
        actions.settle_line(
            cut=cut, by=organiser(event), paper_order=level[:-1], paper_note="cards"
        )
    with pytest.raises(Refused, match="who drew"):
        actions.settle_line(cut=cut, by=organiser(event), paper_order=level, paper_note="")
    order = level[::-1]
    actions.settle_line(cut=cut, by=organiser(event), paper_order=order, paper_note="Bea, cards")
    assert [f"{number:04d}" for number in numbers(cut.qualifiers.all())] == order[:6]


def test_declined_seats_pass_down_in_the_order_of_the_lot() -> None:
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    lot = actions.settle_line(cut=cut, by=organiser(event))
    assert lot is not None
    first, second = cut.qualifiers.order_by("place")[:2]
    actions.decline_seat(qualifier=first, reason="train", by=organiser(event))
    actions.decline_seat(qualifier=second, reason="", by=organiser(event))
    seats = [f"{number:04d}" for number in numbers(cut.qualifiers.filter(status="in"))]
    assert seats == list(lot.order[2:8])


def test_a_seat_declined_after_seating_is_taken_in_place_until_the_first_deal() -> None:
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    actions.settle_line(cut=cut, by=organiser(event))
    final = finals.draw_final(cut=current_cut(event), by=organiser(event), seed=1)
    rounds.publish_round(round_=final, by=organiser(event))
    table = tables_of(final)[0]
    gone = cut.qualifiers.get(place=3)
    position = table.seats.get(player=gone.player).position
    actions.decline_seat(qualifier=gone, reason="", by=organiser(event))
    new = cut.qualifiers.get(place=7).player
    assert table.seats.get(position=position).player == new
    play(table)
    with pytest.raises(Refused, match="It has begun: Final"):
        actions.decline_seat(qualifier=cut.qualifiers.get(place=1), reason="", by=organiser(event))


def test_the_record_of_the_cut_does_not_move_when_somebody_drops_later() -> None:
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    actions.settle_line(cut=cut, by=organiser(event))
    before = [(row.rank, row.number) for row in standings_for(event).rows]
    outsider = next(
        player for player in event.players.all() if not cut.qualifiers.filter(player=player)
    )
    attendance.drop(player=outsider, by=organiser(event))
    finalist = cut.qualifiers.get(place=1)
    attendance.drop(player=finalist.player, by=organiser(event))
    assert [(row.rank, row.number) for row in standings_for(event).rows] == before
    with pytest.raises(Refused, match="Decline the seat first"):
        finals.draw_final(cut=current_cut(event), by=organiser(event))
    actions.decline_seat(qualifier=finalist, reason="left", by=organiser(event))
    seated = finals.draw_final(cut=current_cut(event), by=organiser(event)).seats
    assert seated.count() == 6
    assert not seated.filter(player__in=(outsider, finalist.player)).exists()


def test_no_sheet_of_the_preliminaries_changes_under_a_cut() -> None:
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    table = Table.objects.filter(round__event=event).select_related("sheet").first()
    with pytest.raises(Refused, match="Undo it before"):
        reopen_sheet(sheet=table.sheet, reason="wrong", by=organiser(event))
    actions.undo_cut(cut=cut, reason="a wrong sheet", by=organiser(event))
    reopen_sheet(sheet=table.sheet, reason="wrong", by=organiser(event))
    with pytest.raises(Refused, match="not confirmed yet"):
        actions.make_cut(event=event, by=organiser(event))


def test_a_tie_for_first_in_the_final_stays_shared_or_is_drawn() -> None:
    event = level_event()
    cut = actions.make_cut(event=event, by=organiser(event))
    actions.settle_line(cut=cut, by=organiser(event))
    final = finals.draw_final(cut=current_cut(event), by=organiser(event), seed=1)
    rounds.publish_round(round_=final, by=organiser(event))
    pairs = [[1, 2], [3, 4], [5, 6], [1, 2]]
    play(tables_of(final)[0], [deal(6, pair) for pair in pairs])
    rounds.close_round(round_=final, by=organiser(event))
    board = standings_for(event)
    assert [(row.rank, row.points, row.shared) for row in board.final] == [
        (1, 6, True),
        (1, 6, True),
        (3, 3, True),
        (3, 3, True),
        (3, 3, True),
        (3, 3, True),
    ]
    lot = actions.settle_place(event=event, rank=1, by=organiser(event))
    board = standings_for(event)
    assert [f"{row.number:04d}" for row in board.final[:2]] == list(lot.order)
    assert [(row.rank, row.decided) for row in board.final[:2]] == [(1, "by lot"), (2, "by lot")]
    with pytest.raises(Refused, match="Nobody shares"):
        actions.settle_place(event=event, rank=1, by=organiser(event))
    finish_event(event=event, by=organiser(event))


def test_ten_players_two_decline_and_the_next_move_up() -> None:
    """5+5, two rounds, a final of six."""
    event = make_event(rounds_planned=2)
    make_players(event, 10)
    for seed in (1, 2):
        round_ = make_round(event, seed)
        for table in tables_of(round_):
            play(table, seed=seed * 10 + table.number)
        rounds.close_round(round_=round_, by=organiser(event))
    event.refresh_from_db()
    cut = actions.make_cut(event=event, by=organiser(event))
    if line_of(cut).level:
        actions.settle_line(cut=cut, by=organiser(event))
    for place in (1, 4):
        actions.decline_seat(
            qualifier=cut.qualifiers.get(place=place), reason="", by=organiser(event)
        )
        if line_of(current_cut(event)).level:
            actions.settle_line(cut=cut, by=organiser(event))
    final = finals.draw_final(cut=current_cut(event), by=organiser(event))
    assert final.seats.count() == 6


@pytest.mark.parametrize(
    ("players", "rounds_", "cut", "final"),
    [(17, 2, 9, 9), (15, 2, 6, 6), (18, 4, 6, 6), (32, 4, 6, 6), (7, 3, 0, 0), (24, 3, 6, 6)],
)
def test_formats_that_are_really_played(players: int, rounds_: int, cut: int, final: int) -> None:
    event = simulate(SimulationPlan(players=players, rounds=rounds_, cut=cut))
    board = standings_for(event)
    assert event.status == "finished"
    assert len(board.final) == final
    assert len(board.rows) == players - final
    ranks = [row.rank for row in (*board.final, *board.rows)]
    assert ranks == sorted(ranks)
    assert all(row.deals == rounds_ * 3 for row in board.rows)


def test_fifteen_on_three_fives_with_a_final_of_one_round_of_three_deals() -> None:
    event = make_event(final_deals=3, rounds_planned=1)
    make_players(event, 15)
    round_ = make_round(event)
    for table in tables_of(round_):
        play(table, seed=table.number)
    rounds.close_round(round_=round_, by=organiser(event))
    event.refresh_from_db()
    cut = actions.make_cut(event=event, by=organiser(event))
    if line_of(cut).level:
        actions.settle_line(cut=cut, by=organiser(event))
    final = finals.draw_final(cut=current_cut(event), by=organiser(event))
    assert (final.deals, final.seats.count()) == (3, 6)


def test_a_lot_for_a_place_of_a_cancelled_final_decides_no_other() -> None:
    event = level_event()
    by = organiser(event)
    cut = actions.make_cut(event=event, by=by)
    actions.settle_line(cut=cut, by=by)
    pairs = [deal(6, pair) for pair in ([1, 2], [3, 4], [5, 6], [1, 2])]

    def played_final() -> Round:
        final = finals.draw_final(cut=current_cut(event), by=by, seed=1)
        rounds.publish_round(round_=final, by=by)
        play(tables_of(final)[0], pairs)
        return rounds.close_round(round_=final, by=by)

    first = played_final()
    actions.settle_place(event=event, rank=1, by=by)
    assert [row.rank for row in standings_for(event).final[:2]] == [1, 2]
    rounds.reopen_round(round_=first, reason="a wrong table", by=by)
    rounds.cancel_round(round_=first, reason="a wrong table", by=by)
    played_final()
    assert [row.rank for row in standings_for(event).final[:2]] == [1, 1]
    assert 1 in shared_places(event)


def test_a_declined_seat_is_taken_after_all_until_the_final_begins() -> None:
    event = level_event()
    by = organiser(event)
    cut = actions.make_cut(event=event, by=by)
    lot = actions.settle_line(cut=cut, by=by)
    assert lot is not None
    one = actions.decline_seat(qualifier=cut.qualifiers.get(place=2), reason="train", by=by)
    in_final = cut.qualifiers.seated()
    assert lot.order[6] in [f"{number:04d}" for number in numbers(in_final)]
    actions.take_seat_back(qualifier=one, by=by)
    assert sorted(f"{n:04d}" for n in numbers(in_final)) == sorted(lot.order[:6])
    final = finals.draw_final(cut=cut, by=by, seed=1)
    one.refresh_from_db()
    actions.decline_seat(qualifier=one, reason="train", by=by)
    rounds.publish_round(round_=final, by=by)
    actions.take_seat_back(qualifier=one, by=by)
    seated = set(final.seats.values_list("player_id", flat=True))
    assert seated == set(in_final.values_list("player_id", flat=True))
    assert one.player_id in seated
    actions.decline_seat(qualifier=one, reason="train", by=by)
    play(tables_of(final)[0], [deal(6, pair) for pair in ([1, 2], [3, 4], [5, 6], [1, 2])])
    with pytest.raises(Refused, match="It has begun: Final"):
        actions.take_seat_back(qualifier=one, by=by)


def test_seats_taken_back_in_any_order_leave_room_for_the_next() -> None:
    event = level_event()
    by = organiser(event)
    cut = actions.make_cut(event=event, by=by)
    actions.settle_line(cut=cut, by=by)

    def at(place: int) -> Qualifier:
        return cut.qualifiers.get(place=place)

    for place in (1, 2, 8):
        actions.decline_seat(qualifier=at(place), reason="train", by=by)
    for place in (1, 2):
        actions.take_seat_back(qualifier=at(place), by=by)
    actions.decline_seat(qualifier=at(3), reason="train", by=by)
    assert cut.qualifiers.seated().count() == 6
