"""Drawing, editing the draft, publishing, cancelling, closing."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    enter,
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play,
    play_round,
    redrawn,
)
from tests.pages import flat
from tournament.actions import attendance, cuts, drafts, finals
from tournament.actions import rounds as actions
from tournament.actions.events import change_settings
from tournament.models import Event, LogEntry, Round
from tournament.queries.cuts import line_of
from tournament.refusals import Refused
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def sizes(round_: Round) -> list[int]:
    return sorted((table.seats.count() for table in tables_of(round_)), reverse=True)


@pytest.mark.parametrize(
    ("players", "expected"), [(7, [7]), (10, [5, 5]), (15, [5, 5, 5]), (17, [6, 6, 5]), (9, [9])]
)
def test_tables_are_drawn_as_the_rules_split_them(players: int, expected: list[int]) -> None:
    event = make_event()
    make_players(event, players)
    assert sizes(make_round(event)) == expected


def test_four_players_are_too_few() -> None:
    event = make_event()
    make_players(event, 4)
    with pytest.raises(Refused, match="at least 5"):
        make_round(event)
    assert not event.rounds.exists()


def test_too_few_games_are_told() -> None:
    event = make_event(max_tables=1)
    make_players(event, 11)
    with pytest.raises(Refused, match="too few games"):
        make_round(event)


def test_the_first_draw_freezes_the_rules() -> None:
    event = make_event()
    make_players(event, 6)
    make_round(event)
    event.refresh_from_db()
    assert event.status == "running"
    assert event.frozen_rules["cut_size"] == 6
    with pytest.raises(Refused, match="can't change any more"):
        change_settings(event=event, settings={"cut_size": 8}, by=organiser(event))
    change_settings(event=event, settings={"venue": "Elsewhere"}, by=organiser(event))


def test_25_players_do_not_meet_again_while_it_can_be_avoided() -> None:
    event = make_event()
    make_players(event, 25)
    play_round(event, 1)
    assert make_round(event, 2).report["repeats"] == 0


def test_two_seats_are_swapped_in_a_draft() -> None:
    event = make_event()
    make_players(event, 12)
    round_ = make_round(event, published=False)
    one, two = (table.seats.get(position=3).player for table in tables_of(round_))
    drafts.swap_seats(round_=round_, first=one, second=two, by=organiser(event))
    after = [table.seats.get(position=3).player for table in tables_of(round_)]
    assert after == [two, one]
    assert LogEntry.objects.filter(verb="round.seats_swapped").count() == 1


def test_a_player_is_moved_while_sizes_stay_within_the_rules() -> None:
    event = make_event()
    make_players(event, 12)
    round_ = make_round(event, published=False)
    first, second = tables_of(round_)
    player = first.seats.get(position=1).player
    drafts.move_player(round_=round_, player=player, table=second, by=organiser(event))
    assert sizes(round_) == [7, 5]
    assert first.seats.get(position=1).player != player
    other = first.seats.get(position=1).player
    with pytest.raises(Refused, match="would have 4 players"):
        drafts.move_player(round_=round_, player=other, table=second, by=organiser(event))
    assert sizes(round_) == [7, 5]


def test_a_late_arrival_is_seated_by_hand_in_the_draft(client) -> None:
    event = make_event()
    make_players(event, 11)
    round_ = make_round(event, published=False)
    late = make_player(event, "Late Laura")
    client.force_login(organiser_of(event))
    page = client.get(reverse("round", args=[event.slug, round_.pk])).content.decode()
    assert "Late Laura" in page
    address = reverse("round_swap", args=[event.slug, round_.pk])
    answer = client.post(address, {"player": late.number, "target": "table:2"})
    assert answer.status_code == 302
    assert tables_of(round_)[1].seats.filter(player=late).exists()


def test_a_missing_player_after_publishing_means_redrawing_until_the_first_deal() -> None:
    event = make_event()
    make_players(event, 12)
    round_ = make_round(event)
    missing = tables_of(round_)[0].seats.get(position=2).player
    actions.unpublish_round(round_=round_, by=organiser(event))
    attendance.drop(player=missing, by=organiser(event))
    with pytest.raises(Refused, match="no longer here"):
        actions.publish_round(round_=round_, by=organiser(event))
    again = redrawn(round_, seed=3)
    assert sizes(again) == [6, 5]
    actions.publish_round(round_=again, by=organiser(event))
    enter(tables_of(again)[0], 1)
    with pytest.raises(Refused, match="stay as they are"):
        actions.unpublish_round(round_=again, by=organiser(event))


def test_a_round_closes_when_every_sheet_is_confirmed() -> None:
    event = make_event()
    make_players(event, 12)
    round_ = make_round(event)
    play(tables_of(round_)[0])
    with pytest.raises(Refused, match="Not confirmed yet: table 2"):
        actions.close_round(round_=round_, by=organiser(event))
    play(tables_of(round_)[1])
    actions.close_round(round_=round_, by=organiser(event))
    actions.reopen_round(round_=round_, by=organiser(event), reason="a table plays on")
    round_.refresh_from_db()
    assert round_.status == "published"


def test_a_cancelled_round_does_not_count_and_its_number_is_free_again() -> None:
    event = make_event()
    make_players(event, 6)
    round_ = make_round(event)
    enter(tables_of(round_)[0], 1)
    with pytest.raises(Refused, match="say why"):
        actions.cancel_round(round_=round_, reason="", by=organiser(event))
    actions.cancel_round(round_=round_, reason="fire alarm", by=organiser(event))
    assert make_round(event).number == 1


def test_only_one_of_two_draws_at_once_stands(client) -> None:
    event = make_event()
    make_players(event, 12)
    client.force_login(organiser_of(event))
    address = reverse("round_draw", args=[event.slug])
    assert client.post(address, {"key": "a"}).status_code == 302
    assert client.post(address, {"key": "a"}).status_code == 302, "the same press sent twice"
    second = client.post(address, {"key": "b"})
    assert second.status_code == 409
    assert "There is a round already" in second.content.decode()
    assert event.rounds.count() == 1


def test_the_same_seed_draws_the_same_tables() -> None:
    def drawn() -> list[list[int]]:
        event = make_event()
        make_players(event, 17)
        seats = make_round(event, seed=99).seats
        return [
            list(
                seats.filter(table__number=number)
                .order_by("position")
                .values_list("player__number", flat=True)
            )
            for number in (1, 2, 3)
        ]

    assert drawn() == drawn()


def test_a_semi_final_is_played_between_the_rounds_and_the_final() -> None:
    event = make_event()
    for stage in ("final", "semi_final", "preliminary"):
        Round.objects.create(event=event, stage=stage, number=1, deals=3, seed=1)
    assert list(event.rounds.values_list("stage", flat=True)) == [
        "preliminary",
        "semi_final",
        "final",
    ]


def final_of_six(event: Event, seed: int = 1) -> Round:
    """The cut made, the final drawn and published."""
    by = organiser(event)
    cut = cuts.make_cut(event=event, by=by)
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=by)
    final = finals.draw_final(cut=cut, by=by, seed=seed)
    return actions.publish_round(round_=final, by=by)


def one_round(players: int = 12) -> Event:
    event = make_event(rounds_planned=1)
    make_players(event, players)
    play_round(event)
    event.refresh_from_db()
    return event


def test_a_cancelled_final_comes_back_only_to_its_own_finalists() -> None:
    event = one_round()
    by = organiser(event)
    final = final_of_six(event)
    actions.cancel_round(round_=final, reason="the lamp fell", by=by)
    assert actions.restore_round(round_=final, by=by).status == "published"
    actions.cancel_round(round_=final, reason="the lamp fell", by=by)
    cut = event.cuts.get()
    cuts.decline_seat(qualifier=cut.qualifiers.get(place=1), reason="train", by=by)
    with pytest.raises(Refused, match="Others have the seats now"):
        actions.restore_round(round_=final, by=by)
    cuts.undo_cut(cut=cut, reason="a wrong sheet", by=by)
    with pytest.raises(Refused, match="cut is undone"):
        actions.restore_round(round_=final, by=by)


def test_a_cancelled_final_waits_for_a_finalist_who_has_left() -> None:
    event = one_round()
    by = organiser(event)
    final = final_of_six(event)
    actions.cancel_round(round_=final, reason="the lamp fell", by=by)
    attendance.drop(player=final.seats.get(position=2).player, by=by)
    with pytest.raises(Refused, match="no longer here"):
        actions.restore_round(round_=final, by=by)


def test_a_cancelled_round_does_not_bring_back_who_has_left() -> None:
    event = make_event()
    make_players(event, 12)
    round_ = make_round(event)
    by = organiser(event)
    dealer = tables_of(round_)[0].seats.get(position=1).player
    actions.cancel_round(round_=round_, reason="the wrong tables", by=by)
    attendance.drop(player=dealer, by=by)
    with pytest.raises(Refused, match="no longer here"):
        actions.restore_round(round_=round_, by=by)


def test_a_table_in_play_comes_back_with_whoever_left_it() -> None:
    event = make_event()
    make_players(event, 12)
    round_ = make_round(event)
    by = organiser(event)
    table = tables_of(round_)[0]
    enter(table, 1)
    attendance.drop(player=table.seats.get(position=3).player, by=by)
    actions.cancel_round(round_=round_, reason="pressed by mistake", by=by)
    assert actions.restore_round(round_=round_, by=by).status == "published"


def test_one_gold_button_follows_the_round(client: Client) -> None:
    event = make_event()
    make_players(event, 10)
    round_ = make_round(event, published=False)
    client.force_login(organiser_of(event))
    address = reverse("round", args=[event.slug, round_.pk])

    def gold() -> list[str]:
        page = flat(client.get(address))
        found = re.findall(r'class="btn primary big"[^>]*>(.*?)</(?:a|button)>', page)
        return [re.sub(r"<[^>]*>", "", words).strip() for words in found]

    assert gold() == ["Publish the seating"]
    actions.publish_round(round_=round_, by=organiser(event))
    assert gold() == ["Print pack"]
    first, second = tables_of(round_)
    play(first)
    assert gold() == ["Type in paper sheets"]
    assert "Not in yet: table 2." in flat(client.get(address))
    play(second)
    assert gold() == ["Close the round"]
    actions.close_round(round_=round_, by=organiser(event))
    assert gold() == []
