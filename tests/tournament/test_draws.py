"""How a round is drawn: by the event's method, for who is here, within what was chosen."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play_round,
    redrawn,
)
from tournament.actions import attendance, draws, jobs, scoresheets, separations
from tournament.actions.rounds import publish_round
from tournament.models import Event, LogEntry, Player, Round, Scoresheet, Separation
from tournament.queries.draws import basis_of_draw
from tournament.queries.standings import standings_for
from tournament.refusals import Refused
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def numbers(round_: Round) -> list[list[int]]:
    """Start numbers in seat order, table by table."""
    return [
        list(table.seats.order_by("position").values_list("player__number", flat=True))
        for table in tables_of(round_)
    ]


def groups(round_: Round) -> set[frozenset[int]]:
    return {frozenset(table) for table in numbers(round_)}


def desk(event: Event) -> Client:
    client = Client()
    client.force_login(organiser_of(event))
    return client


# --- Methods ----------------------------------------------------------------------------


def test_the_rounds_of_a_stage_follow_one_plan() -> None:
    event = make_event(rounds_planned=4)
    make_players(event, 24)
    first = play_round(event, 7)
    assert first.draw_request == {
        "method": "fewest",
        "plan_seed": first.seed,
        "sizes": [6, 6, 6, 6],
        "max_tables": None,
    }
    for seed in (8, 9):
        assert play_round(event, seed).seed == first.seed
    last = make_round(event, 10)
    met: dict[frozenset[int], int] = {}
    for round_ in event.rounds.all():
        for table in numbers(round_):
            for pair in combinations(table, 2):
                met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
    assert last.seed == first.seed
    assert sum(times - 1 for times in met.values()) == 48  # proved: no plan has fewer


def test_drawing_again_gives_another_draw() -> None:
    event = make_event(rounds_planned=3)
    make_players(event, 18)
    first = make_round(event, 1, published=False)
    again = redrawn(first, seed=2)
    assert groups(again) != groups(first)
    assert (again.number, again.draw_request["plan_seed"]) == (1, 2)
    redrawn(again, seed=1)
    assert event.rounds.exclude(status="cancelled").count() == 1


def test_drawing_a_later_round_again_leaves_the_plan() -> None:
    event = make_event(rounds_planned=3)
    make_players(event, 18)
    play_round(event, 1)
    second = make_round(event, 2, published=False)
    again = redrawn(second, seed=3)
    assert groups(again) != groups(second)
    assert (again.seed, again.draw_request["plan_seed"]) == (3, 1)


def test_by_lot_nothing_but_the_seed_decides() -> None:
    def drawn(seed: int) -> list[list[int]]:
        event = make_event(seating="lot")
        make_players(event, 12)
        play_round(event, 1)
        return numbers(make_round(event, seed))

    assert drawn(2) == drawn(2) != drawn(3)


def test_by_standings_neighbours_sit_together_from_the_announced_round_on() -> None:
    event = make_event(seating="standings", standings_from=3, rounds_planned=3)
    make_players(event, 18)
    assert play_round(event, 1).draw_request["method"] == "fewest"
    assert play_round(event, 2).draw_request["method"] == "fewest"
    new = make_player(event, "New Nora")
    # Where exactly she sits depends on who met whom.
    assert basis_of_draw(event).ranks[-1] == (new.pk,), "who has not played comes last"
    place = {row.number: row.rank for row in standings_for(event).rows}
    third = make_round(event, 3)
    assert third.draw_request["method"] == "standings"
    tables = sorted(numbers(third), key=lambda table: sum(place[one] for one in table) / len(table))
    best = {row.number for row in standings_for(event).rows if row.rank == 1}
    assert best & set(tables[0])


def test_who_would_rather_not_deal_does_not() -> None:
    event = make_event()
    people = make_players(event, 12)
    Player.objects.filter(pk__in=[one.pk for one in people[:10]]).update(willing_to_deal=False)
    willing = {one.number for one in people[10:]}
    assert {table[0] for table in numbers(make_round(event))} == willing


# --- Pairs kept apart -------------------------------------------------------------------


def keep(event: Event, one: Player, two: Player) -> Separation:
    return separations.separate_players(
        event=event, first=one, second=two, reason="mother and son", by=organiser(event)
    )


def test_a_pair_kept_apart_never_meets_until_it_is_withdrawn() -> None:
    event = make_event(rounds_planned=2)
    people = make_players(event, 10)
    pairs = [keep(event, people[9], one) for one in people[:5]]
    for seed in (1, 2):
        (others,) = (t for t in numbers(play_round(event, seed)) if people[9].number in t)
        assert not set(others) & {one.number for one in people[:5]}
    for pair in pairs:
        separations.withdraw_separation(separation=pair, by=organiser(event))
    assert event.separations.in_force().count() == 0
    assert event.separations.count() == 5
    with pytest.raises(Refused, match="withdrawn already"):
        separations.withdraw_separation(separation=pairs[0], by=organiser(event))


def test_pairs_that_cannot_be_kept_apart_are_named() -> None:
    event = make_event()
    people = make_players(event, 7)
    keep(event, people[0], people[1])
    with pytest.raises(Refused, match="No seating keeps all these apart: Player"):
        make_round(event)


def test_a_pair_is_one_pair_whichever_way_it_is_named() -> None:
    event = make_event()
    one, two = make_players(event, 2)
    keep(event, two, one)
    with pytest.raises(Refused, match="kept apart already"):
        keep(event, one, two)
    with pytest.raises(Refused, match="two different people"):
        keep(event, one, one)


def test_a_pair_is_named_by_number_or_name() -> None:
    event = make_event()
    make_player(event, "Ana García")
    make_player(event, "Ana Gil")
    client = desk(event)
    address = reverse("separation_add", args=[event.slug])
    unclear = client.post(address, {"first": "ana g", "second": "1", "reason": "family"})
    assert unclear.status_code == 422
    page = unclear.content.decode()
    assert "could be several people" in page
    assert 'value="ana g"' in page
    assert 'value="family"' in page
    draw = reverse("round_draw", args=[event.slug])
    assert f'method="post" action="{draw}"' in page, "the draw is still what its button does"
    nobody = client.post(address, {"first": "Zoe", "second": "1"})
    assert "Nobody here is" in nobody.content.decode()
    assert client.post(address, {"first": "garcia", "second": "2 Ana Gil"}).status_code == 302
    assert LogEntry.objects.get(verb="separation.added").after == [1, 2]


# --- Before the draw --------------------------------------------------------------------


def round_response(event: Event, **asked: Any) -> str:
    return desk(event).get(reverse("round_draw", args=[event.slug]), asked).content.decode()


def test_the_possible_tables_are_shown_with_what_they_cost() -> None:
    event = make_event()
    make_players(event, 15)
    page = round_response(event)
    assert "3 tables: 3 × 5" in page
    assert "2 tables: 1 × 8, 1 × 7" in page
    assert "15 players sit at a smaller or larger table" in page
    fewer = round_response(event, games="2")
    assert "3 tables" not in fewer
    assert "2 tables: 1 × 8, 1 × 7" in fewer


def text_of(event: Event, name: str, *args: object) -> str:
    """What stands on a page, as one line."""
    answer = desk(event).get(reverse(name, args=[event.slug, *args]))
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def test_before_the_draw_on_the_draft_and_afterwards_the_same_is_said() -> None:
    """Thirteen people at seven and six: 15 pairs have to meet again, one has to sit at seven again.
    Two more do, so that 16 meet and not 30."""
    event = make_event(rounds_planned=2)
    make_players(event, 13)
    play_round(event, 1)
    before = text_of(event, "round_draw")
    assert "7 players sit at a smaller or larger table, at least 1 of them again" in before
    assert "at least 15 pairs meet again, whatever the draw" in before
    second = make_round(event, 2, published=False)
    draft = text_of(event, "round", second.pk)
    assert "3 players sit at a smaller or larger table again" in draft
    assert "16 pairs meet again" in draft
    publish_round(round_=second, by=organiser(event))
    fair = text_of(event, "fairness")
    assert "3 players sat at a smaller or larger table again" in fair
    assert "two people met again 16 times" in fair
    assert "At most 1 meeting again too many" in fair


def test_games_at_hand_are_those_of_the_settings_until_something_else_is_said() -> None:
    event = make_event(max_tables=2)
    make_players(event, 15)
    assert "3 tables" not in round_response(event)
    assert "3 tables" in round_response(event, games="")
    assert "a number from 1 to 1000" in round_response(event, games="many")


def press(event: Event, **typed: Any) -> Any:
    return desk(event).post(reverse("round_draw", args=[event.slug]), {"key": "k"} | typed)


def test_the_chosen_tables_are_drawn_and_kept_when_drawn_again() -> None:
    event = make_event()
    make_players(event, 15)
    assert press(event, sizes="8-7").status_code == 302
    round_ = event.rounds.get()
    assert round_.draw_request["sizes"] == round_.report["sizes"] == [8, 7]
    client = desk(event)
    assert client.post(reverse("round_redraw", args=[event.slug, round_.pk])).status_code == 302
    assert event.rounds.exclude(pk=round_.pk).get().draw_request["sizes"] == [8, 7]


def test_tables_that_no_longer_fit_are_refused_and_the_page_shows_new_ones() -> None:
    event = make_event()
    make_players(event, 15)
    make_player(event)
    answer = press(event, sizes="5-5-5")
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "do not fit who is here now" in page
    assert "3 tables: 1 × 6, 2 × 5" in page


def test_too_few_games_are_told_before_anything_is_tried() -> None:
    event = make_event()
    make_players(event, 11)
    answer = press(event, games="1")
    assert answer.status_code == 409
    assert "too few games" in answer.content.decode()
    assert not event.jobs.exists()


def test_while_a_round_is_open_the_page_says_so_and_offers_no_draw() -> None:
    event = make_event()
    make_players(event, 6)
    make_round(event)
    page = round_response(event)
    assert "There is a round already" in page
    assert 'name="sizes"' not in page


def test_who_comes_while_it_is_drawn_makes_the_draw_be_refused() -> None:
    event = make_event()
    people = make_players(event, 12)
    for change in (
        lambda: attendance.drop(player=people[0], by=organiser(event)),
        lambda: keep(event, people[1], people[2]),
        lambda: Player.objects.filter(pk=people[3].pk).update(willing_to_deal=False),
    ):
        write = draws.prepare_draw(event=event, by=organiser(event), options=draws.DEFAULT_OPTIONS)
        change()
        with pytest.raises(Refused, match="Somebody came or went"):
            write()
    assert not event.rounds.exists()


def test_a_draft_that_was_published_meanwhile_is_not_thrown_away() -> None:
    event = make_event()
    make_players(event, 12)
    draft = make_round(event, published=False)
    options = draws.DrawOptions(instead_of=draft)
    write = draws.prepare_draw(event=event, by=organiser(event), options=options)
    publish_round(round_=draft, by=organiser(event))
    with pytest.raises(Refused, match="There is a round already"):
        write()
    draft.refresh_from_db()
    assert draft.status == "published"


def test_a_draft_stays_until_the_new_one_is_written() -> None:
    event = make_event()
    make_players(event, 12)
    draft = make_round(event, published=False)
    with pytest.raises(jobs.Stopped):
        draws.draw_round(
            event=event,
            by=organiser(event),
            options=draws.DrawOptions(instead_of=draft),
            watch=lambda share: True,
        )
    assert list(event.rounds.values_list("pk", "status")) == [(draft.pk, "drawn")]


def test_the_page_asks_no_more_for_more_players(django_assert_max_num_queries) -> None:
    for players in (6, 30):
        event = make_event()
        make_players(event, players)
        play_round(event)
        client = desk(event)
        address = reverse("round_draw", args=[event.slug])
        client.get(address)
        with django_assert_max_num_queries(25):
            client.get(address)


def test_a_player_says_at_registration_who_would_rather_not_deal(client) -> None:
    event = make_event()
    typed = {"name": "Shy Shira", "email": "s@example.org", "name_style": "full"}
    client.post(reverse("register", args=[event.slug]), typed | {"rather_not_deal": "on"})
    player = event.players.get()
    assert player.willing_to_deal is False
    organisers = desk(event)
    address = reverse("player", args=[event.slug, player.number])
    page = organisers.get(address).content.decode()
    assert re.search(r'<input[^>]*name="rather_not_deal"[^>]*checked', page)
    organisers.post(address, typed)
    player.refresh_from_db()
    assert player.willing_to_deal is True
    assert LogEntry.objects.get(verb="player.edited").before["willing_to_deal"] is False


def test_only_a_draft_is_drawn_again(client: Client) -> None:
    event = make_event()
    make_players(event, 6)
    closed = play_round(event)
    client.force_login(organiser_of(event))
    answer = client.get(reverse("round_redraw", args=[event.slug, closed.pk]))
    assert "Only a draft can be drawn again." in answer.content.decode()


def test_standings_with_an_open_sheet_seat_nobody() -> None:
    event = make_event(seating="standings", standings_from=2)
    make_players(event, 12)
    table = tables_of(play_round(event))[1]
    sheet = Scoresheet.objects.get(table=table)
    scoresheets.reopen_sheet(sheet=sheet, reason="a wrong row", by=organiser(event))
    with pytest.raises(Refused, match="Tournament round 1, Table 2"):
        make_round(event, 2)
