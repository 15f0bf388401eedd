"""The semi-final: announced, cut into, played at several tables, and what leads out of it."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse

from scoring.eventfile import SemiFinal
from scoring.standings import standings
from tests.factories import make_event, make_players, make_round, organiser, organiser_of, play
from tests.pages import flat
from tests.tournament.test_cut import deal
from tournament import rulebook
from tournament.actions import cuts, finals, penalties, rounds, scoresheets
from tournament.actions.events import finish_event
from tournament.actions.finals import snake
from tournament.forms.events import EventForm, preset_values
from tournament.forms.fields import BandsField
from tournament.models import Cut, Event, Player, Round
from tournament.models.rounds import Stage
from tournament.queries.check_event import first_difference
from tournament.queries.cuts import current_cut, line_of
from tournament.queries.event_file.public import public_file
from tournament.queries.event_file.values import canonical
from tournament.queries.penalties import deals_of
from tournament.queries.rules import departures, semi_final_words
from tournament.queries.standings import standings_for
from tournament.queries.tickets import ticket_for
from tournament.queries.visibility import public_standings
from tournament.refusals import Refused
from tournament.simulation import SimulationPlan, simulate, tables_of

pytestmark = pytest.mark.django_db


def played(players: int = 24, **settings: object) -> Event:
    """One round is played; at each table of six each place had other points."""
    event = make_event(
        rounds_planned=1, deals_per_round=1, **({"semi_seats": 12, "semi_deals": 3} | settings)
    )
    make_players(event, players)
    round_ = make_round(event)
    for number, table in enumerate(tables_of(round_)):
        play(table, seed=number)
    rounds.close_round(round_=round_, by=organiser(event))
    event.refresh_from_db()
    return event


def cut(event: Event) -> Cut:
    """The next one, with its lots."""
    found = cuts.make_cut(event=event, by=organiser(event))
    found.event = event
    while line_of(found).level:
        cuts.settle_line(cut=found, by=organiser(event))
    return found


def drawn(event: Event, made: Cut) -> Round:
    draw = finals.draw_final if made.stage == Stage.FINAL else finals.draw_semi_final
    return draw(cut=made, by=organiser(event), seed=1)


def stage(event: Event, *, level: bool = False) -> Round:
    """Cut, draw, publish, play and close the next stage."""
    round_ = drawn(event, cut(event))
    rounds.publish_round(round_=round_, by=organiser(event))
    for number, table in enumerate(tables_of(round_)):
        if level:
            play(table, [deal(6, [1, 2]), deal(6, [3, 4]), deal(6, [5, 6])])
        else:
            play(table, seed=50 + number)
    return rounds.close_round(round_=round_, by=organiser(event))


def numbers(rows: object) -> list[int]:
    return [row.number for row in rows]  # type: ignore[attr-defined]


def sat_in(round_: Round) -> set[int]:
    return set(round_.seats.values_list("player__number", flat=True))


def test_the_ranks_are_spread_over_the_tables() -> None:
    assert snake(range(1, 13), 2) == [[1, 4, 5, 8, 9, 12], [2, 3, 6, 7, 10, 11]]
    assert [len(one) for one in snake(range(18), 3)] == [6, 6, 6]
    assert sorted(len(one) for one in snake(range(11), 2)) == [5, 6]


@pytest.mark.parametrize("per_table", [0, 2])
def test_each_stage_stands_before_the_one_it_follows(per_table: int) -> None:
    event = played(semi_per_table=per_table)
    semi = stage(event)
    final = stage(event)
    board = standings_for(event)
    assert set(numbers(board.final)) == sat_in(final)
    assert set(numbers(board.semi_final)) == sat_in(semi) - sat_in(final)
    assert len(board.rows) == 12
    ranks = [row.rank for row in board.ranked]
    assert ranks == sorted(ranks)
    if per_table:
        for table in tables_of(semi):
            seats = set(table.seats.values_list("player__number", flat=True))
            assert len(seats & sat_in(final)) >= per_table
    finish_event(event=event, by=organiser(event))
    assert first_difference(Event.objects.get(pk=event.pk)) is None


def test_the_command_has_the_same_order_as_the_page() -> None:
    event = played(semi_per_table=1, semi_carry=True)
    stage(event)
    stage(event)
    asked = subprocess.run(
        [sys.executable, "-m", "scoring", "standings"],
        input=canonical(public_file(event)),
        capture_output=True,
        check=True,
    )
    answer = json.loads(asked.stdout)
    board = standings_for(event)
    told = [(int(row["player"]), row["rank"]) for row in answer["order"]]
    assert told == [(row.number, row.rank) for row in board.ranked]
    sums = {int(row["player"]): row["points"] for row in answer["final"]}
    assert {row.number: row.points for row in board.final} == sums
    assert rulebook.event_file(event).semi_final == SemiFinal(12, 1, carry=True)


def test_a_tie_on_each_line_is_drawn_by_a_lot_of_its_own() -> None:
    event = make_event(rounds_planned=1, deals_per_round=3, semi_seats=12, semi_per_table=1)
    make_players(event, 18)
    round_ = make_round(event)
    for table in tables_of(round_):
        play(table, [deal(6, [1, 2]), deal(6, [3, 4]), deal(6, [5, 6])])
    rounds.close_round(round_=round_, by=organiser(event))
    event.refresh_from_db()
    stage(event, level=True)
    stage(event)
    lines = list(event.lots.values_list("line", flat=True))
    assert lines == ["semi_final", "table:1", "table:2", "cut"]
    page = flat(Client().get(reverse("rules", args=[event.slug])))
    for title in ("Lot on the line into the semi-final", "Lot for the best of table 2"):
        assert title in page
    assert first_difference(event) is None


def test_who_declines_gives_the_very_seat_to_the_next() -> None:
    event = played()
    made = cut(event)
    round_ = drawn(event, made)
    first = made.qualifiers.first()
    seat = round_.seats.get(player=first.player)
    cuts.decline_seat(qualifier=first, reason="A train to catch", by=organiser(event))
    moved = round_.seats.get(table=seat.table, position=seat.position).player
    assert moved.pk != seat.player_id
    assert made.qualifiers.get(player=moved).place == 13
    cuts.take_seat_back(qualifier=first, by=organiser(event))
    assert round_.seats.get(player=first.player).table == seat.table
    assert not made.qualifiers.filter(player=moved).exists()


def test_what_a_cut_rests_on_stays_as_it_is() -> None:
    event = played()
    preliminary = tables_of(event.rounds.get())[0]
    semi = stage(event)
    by = organiser(event)
    with pytest.raises(Refused, match="The cut is made"):
        scoresheets.reopen_sheet(sheet=preliminary.sheet, reason="Wrong", by=by)
    made = cut(event)
    with pytest.raises(Refused, match="The cut is made"):
        scoresheets.reopen_sheet(sheet=tables_of(semi)[0].sheet, reason="Wrong", by=by)
    with pytest.raises(Refused, match="A later cut is made"):
        cuts.undo_cut(cut=event.cuts.get(stage=Stage.SEMI_FINAL), reason="Wrong", by=by)
    with pytest.raises(Refused, match="Semi-final"):
        cuts.decline_seat(
            qualifier=event.cuts.get(stage=Stage.SEMI_FINAL).qualifiers.first(), reason="", by=by
        )
    cuts.undo_cut(cut=made, reason="Wrong", by=by)
    scoresheets.reopen_sheet(sheet=tables_of(semi)[0].sheet, reason="Wrong", by=by)
    with pytest.raises(Refused, match="reopened and is not confirmed"):
        cuts.make_cut(event=event, by=by)


def test_the_final_waits_for_the_semi_final() -> None:
    event = played()
    made = cut(event)
    with pytest.raises(Refused, match="has not been played yet"):
        cuts.make_cut(event=event, by=organiser(event))
    round_ = drawn(event, made)
    with pytest.raises(Refused, match="drawn already"):
        finals.draw_semi_final(cut=made, by=organiser(event))
    with pytest.raises(Refused, match="drawn already"):
        cuts.undo_cut(cut=made, reason="x", by=organiser(event))
    rounds.cancel_round(round_=round_, reason="", by=organiser(event))
    cuts.undo_cut(cut=made, reason="x", by=organiser(event))
    with pytest.raises(Refused, match="The cut is undone"):
        rounds.restore_round(round_=round_, by=organiser(event))


def test_a_penalty_names_a_deal_of_the_semi_final() -> None:
    event = played()
    made = cut(event)
    player = made.qualifiers.first().player
    assert deals_of(player)[0][-1] == ("semi_final:1:1", "Semi-final, deal 1")
    penalties.give_penalty(
        player=player,
        infraction="unclassified",
        step=3,
        deal=penalties.DealRef("semi_final", 1, 1),
        reason="Showed a card",
        by=organiser(event),
    )
    semi = drawn(event, made)
    rounds.publish_round(round_=semi, by=organiser(event))
    for table in tables_of(semi):
        play(table)
    rounds.close_round(round_=semi, by=organiser(event))
    mark = rulebook.event_file(event).penalties[0]
    assert (mark.round, mark.deal) == (2, 1)
    assert first_difference(event) is None


@pytest.mark.parametrize(("there", "seats"), [(12, 0), (15, 12), (24, 18)])
def test_the_plan_follows_who_is_there_at_the_first_draw(there: int, seats: int) -> None:
    event = make_event(semi_bands=[[13, 12], [20, 18]], semi_deals=3)
    words = semi_final_words({**vars(event)})
    assert words[1:4] == [
        "up to 12: no semi-final",
        "13 to 19: 12 play it",
        "20 and more: 18 play it",
    ]
    make_players(event, there)
    round_ = make_round(event, published=False)
    event.refresh_from_db()
    assert (event.semi_seats, event.frozen_rules["semi_seats"]) == (seats, seats)
    rounds.cancel_round(round_=round_, reason="", by=organiser(event))
    event.refresh_from_db()
    assert event.semi_seats == 0


def test_what_leaves_the_official_format_is_said() -> None:
    event = make_event(semi_seats=14, semi_deals=2, semi_carry=True, rounds_planned=3)
    found = " ".join(departures(event))
    for words in ("tables are of six", "3 or 4", "each stage counts from zero"):
        assert words in found
    assert departures(make_event(semi_seats=18, rounds_planned=3)) == []


@pytest.mark.parametrize(
    ("changed", "field", "words"),
    [
        ({"semi_seats": 6}, "semi_seats", "more players than the final"),
        ({"semi_seats": 12, "cut_size": 0}, "semi_seats", "leads to a final"),
        ({"semi_seats": 24, "semi_per_table": 2}, "semi_per_table", "more than the final"),
        ({"semi_seats": 101}, "semi_seats", "100"),
        ({"semi_seats": 12, "semi_bands": "25: 12"}, "semi_bands", "not both"),
        ({"semi_bands": "25: 12, 25: 18"}, "semi_bands", "Write it like"),
        ({"semi_bands": "twenty"}, "semi_bands", "Write it like"),
        ({"semi_bands": "10: 12"}, "semi_bands", "can't play it"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(
    changed: dict[str, object], field: str, words: str
) -> None:
    values = preset_values("national") | {"name": "N", "semi_seats": 0, "semi_deals": 3}
    data = {
        **values,
        "semi_seating": "snake",
        "semi_per_table": 0,
        "final_seats": "lot",
        "seating": "fewest",
        "standings_from": 2,
        "standings_shown": "live",
        "hidden_from_round": 1,
        "at_zero": "finish",
        "break_minutes": 10,
        "minimum_age": 0,
        **changed,
    }
    form = EventForm({key: value for key, value in data.items() if value is not False})
    assert list(form.errors) == [field], form.errors
    assert words in form.errors[field][0]


def test_bands_are_read_as_people_write_them() -> None:
    field = BandsField(required=False)
    assert field.clean("25: 12; 49=18\n") == [[25, 12], [49, 18]]
    assert field.prepare_value([[25, 12], [49, 18]]) == "25: 12, 49: 18"
    assert not field.has_changed([[25, 12]], "25:12")
    assert field.clean("") == []


def test_the_ticket_says_what_is_so_at_each_moment() -> None:
    event = played()
    made = cut(event)
    inside = made.qualifiers.first().player
    outside = event.players.exclude(pk__in=made.qualifiers.values("player")).first()

    def title(player: Player) -> str:
        return ticket_for(fresh(player)).notice.title

    assert title(inside) == "You are in the semi-final."
    assert "not in the semi-final" in title(outside)
    semi = drawn(event, made)
    rounds.publish_round(round_=semi, by=organiser(event))
    assert title(inside) == "Semi-final"
    for number, table in enumerate(tables_of(semi)):
        play(table, seed=50 + number)
    rounds.close_round(round_=semi, by=organiser(event))
    assert title(inside) == "Semi-final is over."
    cut(event)
    final = {one.player_id for one in current_cut(event).qualifiers.all()}
    for player in event.players.all():
        assert (title(player) == "You are in the final.") == (player.pk in final)


def test_the_ticket_tells_no_finalist_while_the_standings_are_hidden() -> None:
    event = played(standings_shown="hidden")
    player = event.players.first()
    made = cut(event)
    assert ticket_for(fresh(player)).notice.title == "The preliminaries are over."
    semi = drawn(event, made)
    rounds.publish_round(round_=semi, by=organiser(event))
    for number, table in enumerate(tables_of(semi)):
        play(table, seed=50 + number)
    rounds.close_round(round_=semi, by=organiser(event))
    cut(event)
    assert ticket_for(fresh(player)).notice.title == "Semi-final is over."


def fresh(player: Player) -> Player:
    return Player.objects.get(pk=player.pk)


def test_after_each_round_the_semi_final_is_shown_once_it_is_over() -> None:
    event = played(standings_shown="round")
    made = cut(event)
    semi = drawn(event, made)
    rounds.publish_round(round_=semi, by=organiser(event))
    play(tables_of(semi)[0], seed=50)
    public = public_standings(event)
    assert not public.all_shown
    assert "The semi-final is shown once it is over." in public.told
    assert not public.board.semi_begun
    play(tables_of(semi)[1], seed=51)
    rounds.close_round(round_=semi, by=organiser(event))
    assert public_standings(event).all_shown
    final = drawn(event, cut(event))
    rounds.publish_round(round_=final, by=organiser(event))
    play(tables_of(final)[0], seed=3)
    public = public_standings(event)
    assert public.told.startswith("As of the end of the semi-final.")
    assert public.board.semi_begun
    assert not public.board.final_begun


def test_through_the_pages_from_the_cut_to_the_end() -> None:
    event = played(semi_per_table=1)
    client = Client()
    client.force_login(organiser_of(event))

    def press(name: str, *args: object, **data: str) -> str:
        answer = client.post(reverse(name, args=[event.slug, *args]), data, follow=True)
        assert answer.status_code == 200
        return flat(answer)

    def desk() -> str:
        return flat(client.get(reverse("event_desk", args=[event.slug])))

    assert "Cut to 12 for the semi-final" in desk()
    press("cut_make")
    while current_cut(event) and line_of(current_cut(event)).level:
        press("cut_lot")
    assert "12 in the semi-final" in desk()
    assert "Semi-final" in press("final_draw")
    semi = event.rounds.get(stage=Stage.SEMI_FINAL)
    press("round_publish", semi.pk)
    for number, table in enumerate(tables_of(semi)):
        play(table, seed=50 + number)
    page = flat(Client().get(reverse("standings", args=[event.slug])))
    assert "the best of each table and the next best, 6 in all, play the final" in page
    press("round_close", semi.pk)
    assert "The semi-final is closed" in desk()
    press("cut_make")
    while line_of(current_cut(event)).level:
        press("cut_lot")
    press("final_draw")
    final = event.rounds.get(stage=Stage.FINAL)
    press("round_publish", final.pk)
    for table in tables_of(final):
        play(table)
    press("round_close", final.pk)
    page = flat(Client().get(reverse("standings", args=[event.slug])))
    for words in ("Final", "Semi-final", "Behind the semi-final"):
        assert f"<h2>{words}</h2>" in page.replace("<h2> ", "<h2>").replace(" </h2>", "</h2>")
    for above, below in pairwise(standings_for(event).ranked):
        why = Client().get(reverse("standing", args=[event.slug, below.number]))
        assert why.status_code == 200, above
    assert standings(rulebook.event_file(event)).order


def test_a_simulated_event_with_a_semi_final_fits_together() -> None:
    event = simulate(SimulationPlan(players=30, rounds=2, semi=18, per_table=1))
    assert [one.label for one in event.rounds.order_by("pk")][-2:] == ["Semi-final", "Final"]
    assert first_difference(event) is None
