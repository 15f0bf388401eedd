"""The organiser's hand on a draft: each change, its cost, undo, two organisers at once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from seating.cost_deltas import Cost
from seating.costs import cost_of
from tests.factories import (
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play_round,
)
from tournament.actions import attendance, drafts, rounds
from tournament.actions.separations import separate_players
from tournament.models import Event, LogEntry, Player, Round, SeatingChange
from tournament.queries.cost_labels import change_cost, cost_label, cost_tone
from tournament.queries.drafts import draft_page
from tournament.queries.seating_changes import seats_by_table
from tournament.queries.seating_history import history_of
from tournament.refusals import Conflict, Refused
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def a_draft(players: int = 23, played: int = 1, **settings: Any) -> tuple[Event, Round]:
    event = make_event(**settings)
    make_players(event, players)
    for seed in range(played):
        play_round(event, seed + 1)
    return event, make_round(event, 9, published=False)


def at(round_: Round, table: int, position: int) -> Player:
    return round_.seats.get(table__number=table, position=position).player


def sheet(round_: Round) -> dict[int, tuple[int, ...]]:
    return seats_by_table(round_)


def version_of(round_: Round) -> int:
    return Round.objects.get(pk=round_.pk).version


def test_a_swap_is_one_entry_with_the_tables_before_and_after() -> None:
    event, round_ = a_draft(12, 0)
    one, two = at(round_, 1, 3), at(round_, 2, 4)
    before = sheet(round_)
    drafts.swap_seats(round_=round_, first=one, second=two, by=organiser(event))
    entry = LogEntry.objects.filter(event=event).latest("pk")
    numbers = dict(event.players.values_list("pk", "number"))
    named = {str(n): [numbers[p] for p in table] for n, table in before.items()}
    assert (entry.verb, entry.before["tables"]) == ("round.seats_swapped", named)
    assert entry.after["tables"]["1"][2] == two.number
    assert SeatingChange.objects.get(round=round_).players == [one.number, two.number]


def test_changes_are_undone_one_after_the_other_and_done_again() -> None:
    event, round_ = a_draft(23, 1)
    by = organiser(event)
    states = [sheet(round_)]
    drafts.swap_seats(round_=round_, first=at(round_, 1, 1), second=at(round_, 2, 2), by=by)
    states.append(sheet(round_))
    table = tables_of(round_)[3]
    drafts.move_player(round_=round_, player=at(round_, 1, 1), table=table, by=by)
    states.append(sheet(round_))
    drafts.move_player(round_=round_, player=at(round_, 2, 2), table=None, by=by)
    for expected in reversed(states):
        drafts.undo_change(round_=round_, by=by)
        assert sheet(round_) == expected
    with pytest.raises(Refused, match="nothing to undo"):
        drafts.undo_change(round_=round_, by=by)
    for expected in states[1:]:
        drafts.redo_change(round_=round_, by=by)
        assert sheet(round_) == expected
    drafts.swap_seats(round_=round_, first=at(round_, 1, 1), second=at(round_, 2, 2), by=by)
    with pytest.raises(Refused, match="nothing to redo"):
        drafts.redo_change(round_=round_, by=by)


def test_the_report_follows_every_change() -> None:
    event, round_ = a_draft(23, 2)
    history = history_of(event, before=round_)
    drafts.swap_seats(
        round_=round_, first=at(round_, 1, 1), second=at(round_, 3, 2), by=organiser(event)
    )
    round_.refresh_from_db()
    report = cost_of(tuple(sheet(round_).values()), history)
    assert (round_.report["repeats"], round_.report["edited"]) == (report.repeats, True)


def test_who_has_not_seen_the_latest_change_overwrites_nothing(client: Client) -> None:
    event, round_ = a_draft(12, 0)
    seen = version_of(round_)
    one, two, three = (at(round_, 1, n) for n in (1, 2, 3))
    other = at(round_, 2, 1)
    drafts.swap_seats(round_=round_, first=one, second=other, by=organiser(event), version=seen)
    after = sheet(round_)
    with pytest.raises(Conflict, match="Somebody else changed this round"):
        drafts.swap_seats(round_=round_, first=two, second=other, by=organiser(event), version=seen)
    client.force_login(organiser_of(event))
    address = reverse("round_swap", args=[event.slug, round_.pk])
    sent = {"player": three.number, "target": f"swap:{other.number}", "version": seen, "key": "k"}
    answer = client.post(address, sent)
    assert answer.status_code == 409
    assert "Somebody else changed this round" in answer.content.decode()
    assert sheet(round_) == after


def test_the_same_press_sent_twice_counts_once(client: Client) -> None:
    event, round_ = a_draft(12, 0)
    client.force_login(organiser_of(event))
    address = reverse("round_swap", args=[event.slug, round_.pk])
    sent = {
        "player": at(round_, 1, 1).number,
        "target": f"swap:{at(round_, 2, 1).number}",
        "version": version_of(round_),
        "key": "once",
    }
    assert [client.post(address, sent).status_code for _ in range(2)] == [302, 302]
    assert SeatingChange.objects.done().count() == 1


def test_a_pair_kept_apart_is_refused_by_name() -> None:
    event, round_ = a_draft(12, 0)
    by = organiser(event)
    one, other, third = at(round_, 1, 2), at(round_, 2, 3), at(round_, 2, 4)
    separate_players(event=event, first=one, second=other, reason="", by=by)
    for change in (
        lambda: drafts.swap_seats(round_=round_, first=one, second=third, by=by),
        lambda: drafts.move_player(round_=round_, player=one, table=tables_of(round_)[1], by=by),
    ):
        with pytest.raises(Refused, match="are kept apart: they can't sit at one table"):
            change()
    page = draft_page(event, round_, moving=one.number)
    refused = {seat.number: seat.step.words for seat in page.tables[1].seats if seat.step}
    assert "are kept apart" in refused[third.number]
    assert page.tables[1].step is not None
    assert page.tables[1].step.tone == "refused"


def test_a_pair_that_sits_together_already_bars_no_other_change() -> None:
    event, round_ = a_draft(12, 0)
    by = organiser(event)
    separate_players(event=event, first=at(round_, 1, 1), second=at(round_, 1, 2), reason="", by=by)
    drafts.swap_seats(round_=round_, first=at(round_, 1, 3), second=at(round_, 2, 3), by=by)
    drafts.swap_seats(round_=round_, first=at(round_, 1, 1), second=at(round_, 2, 3), by=by)


def test_a_table_keeps_five_to_ten(client: Client) -> None:
    event, round_ = a_draft(10, 0)
    player = at(round_, 1, 1)
    with pytest.raises(Refused, match="Table 1 would have 4 players: the rules need 5 to 10"):
        drafts.move_player(round_=round_, player=player, table=None, by=organiser(event))
    page = draft_page(event, round_, moving=player.number)
    assert page.out is not None
    assert page.tables[1].step is not None
    assert (page.out.tone, page.out.words) == ("refused", "table 1 would have 4 players")
    assert page.tables[1].step.words == "table 1 would have 4 players"


def test_targets_tell_their_cost_before_they_are_tapped(client: Client) -> None:
    """What the page says of a swap is what the report says after it."""
    event, round_ = a_draft(23, 2)
    player = at(round_, 1, 2)
    page = draft_page(event, round_, moving=player.number)
    assert (page.picked.number, page.picked_table) == (player.number, 1)
    target = next(
        seat for seat in page.tables[2].seats if re.match(r"\d+ more pair", seat.step.words)
    )
    before = page.report.repeats
    drafts.swap_seats(
        round_=round_,
        first=player,
        second=event.players.get(number=target.number),
        by=organiser(event),
    )
    round_.refresh_from_db()
    more = int(re.match(r"(\d+) more pair", target.step.words).group(1))
    assert round_.report["repeats"] - before == more
    assert (
        SeatingChange.objects.done().latest("pk").after["cost"]["repeats"]
        == round_.report["repeats"]
    )


def test_the_page_asks_as_much_of_three_tables_as_of_nine(client: Client) -> None:
    counts = []
    for players in (18, 54):
        event, round_ = a_draft(players, 1)
        drafts.swap_seats(
            round_=round_, first=at(round_, 1, 2), second=at(round_, 2, 2), by=organiser(event)
        )
        client.force_login(organiser_of(event))
        address = reverse("round", args=[event.slug, round_.pk])
        number = at(round_, 1, 2).number
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page = client.get(address + f"?move={number}").content.decode()
        assert page.count('name="target"') == players + len(tables_of(round_)) - 1
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] < 25


def test_a_fragment_is_the_part_that_changes(client: Client) -> None:
    event, round_ = a_draft(12, 0)
    client.force_login(organiser_of(event))
    address = reverse("round", args=[event.slug, round_.pk])
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert 'id="draft"' in part


def test_a_late_arrival_takes_a_free_place_and_gives_it_back() -> None:
    event, round_ = a_draft(11, 0)
    by = organiser(event)
    late = make_player(event, "Late Laura")
    drafts.move_player(round_=round_, player=late, table=tables_of(round_)[1], by=by)
    assert late.pk in sheet(round_)[2]
    drafts.undo_change(round_=round_, by=by)
    assert late.pk not in sheet(round_)[2]
    attendance.drop(player=late, by=by)
    with pytest.raises(Refused, match="Late Laura is not checked in"):
        drafts.redo_change(round_=round_, by=by)


def test_somebody_without_a_seat_takes_anothers() -> None:
    event, round_ = a_draft(10, 0)
    late = make_player(event, "Late Laura")
    seated = at(round_, 1, 1)
    drafts.swap_seats(round_=round_, first=late, second=seated, by=organiser(event))
    assert at(round_, 1, 1) == late
    assert seated.pk not in {p for table in sheet(round_).values() for p in table}


def test_pins_stay_with_the_login_and_the_rest_is_improved_around_them(client: Client) -> None:
    event, round_ = a_draft(24, 2)
    by = organiser(event)
    for one, two in (((1, 1), (2, 2)), ((2, 3), (3, 4)), ((3, 1), (4, 5))):
        drafts.swap_seats(round_=round_, first=at(round_, *one), second=at(round_, *two), by=by)
    kept = at(round_, 2, 2)
    table = set(sheet(round_)[1])
    client.force_login(organiser_of(event))
    pin = reverse("round_pin", args=[event.slug, round_.pk])
    for one in (f"p{kept.number}", "t1", "nonsense"):
        assert client.post(pin, {"pin": one}).status_code == 302
    page = client.get(reverse("round", args=[event.slug, round_.pk])).content.decode()
    assert page.count('aria-pressed="true"') == 2
    improve = reverse("round_improve", args=[event.slug, round_.pk])
    answer = client.post(improve, {"version": version_of(round_), "key": "i"}, follow=True)
    assert answer.status_code == 200
    last = SeatingChange.objects.done().latest("pk")
    assert last.kind != "rest_improved" or change_cost(last) < Cost()
    assert set(sheet(round_)[1]) == table
    assert kept.pk in sheet(round_)[2]


def test_what_cannot_be_improved_stays() -> None:
    event, round_ = a_draft(12, 0)
    everybody = set(event.players.values_list("number", flat=True))
    changed = drafts.improve_rest(
        round_=round_, pinned_players=everybody, pinned_tables=set(), by=organiser(event), seed=1
    )
    assert (changed, SeatingChange.objects.count()) == (False, 0)


def test_a_round_that_a_lot_seats_is_not_improved(client: Client) -> None:
    event, round_ = a_draft(12, 1, seating="lot")
    with pytest.raises(Refused, match="the method that was announced"):
        drafts.improve_rest(
            round_=round_, pinned_players=set(), pinned_tables=set(), by=organiser(event)
        )
    client.force_login(organiser_of(event))
    page = client.get(reverse("round", args=[event.slug, round_.pk])).content.decode()
    assert "Improve" not in page


def test_a_published_round_is_no_draft_any_more(client: Client) -> None:
    event, round_ = a_draft(12, 0)
    one, two = at(round_, 1, 1), at(round_, 2, 1)
    rounds.publish_round(round_=round_, by=organiser(event))
    with pytest.raises(Refused, match="this is not possible now"):
        drafts.swap_seats(round_=round_, first=one, second=two, by=organiser(event))
    client.force_login(organiser_of(event))
    address = reverse("round_swap", args=[event.slug, round_.pk])
    answer = client.post(address, {"player": one.number, "target": f"swap:{two.number}"})
    assert answer.status_code == 409


@pytest.mark.parametrize("sent", [{}, {"target": "swap:x"}, {"target": "table:99"}, {"pin": "p1"}])
def test_a_bent_form_breaks_nothing(client: Client, sent: dict[str, str]) -> None:
    event, round_ = a_draft(12, 0)
    client.force_login(organiser_of(event))
    address = reverse("round_swap", args=[event.slug, round_.pk])
    answer = client.post(address, {"player": at(round_, 1, 1).number} | sent)
    assert answer.status_code in (404, 409)


@pytest.mark.parametrize(
    ("cost", "tone", "label"),
    [
        (Cost(), "same", "as good as before"),
        (
            Cost(weight=-36, repeats=-7, off_size=1),
            "better",
            "7 pairs fewer meet again · 1 more at a smaller or larger table again",
        ),
        (
            Cost(weight=4, repeats=3, off_size=-1),
            "worse",
            "3 more pairs meet again · 1 fewer at a smaller or larger table again",
        ),
        (
            Cost(repeats=5, off_size=-2),
            "mixed",
            "5 more pairs meet again · 2 fewer at smaller or larger tables again",
        ),
        (Cost(weight=40), "worse", "a little worse"),
        (Cost(weight=-40), "better", "a little better"),
    ],
)
def test_a_step_is_better_or_worse_as_a_whole(cost: Cost, tone: str, label: str) -> None:
    """By the one sum that the draw goes by, whatever its parts do."""
    assert (cost_tone(cost), cost_label(cost)) == (tone, label)
