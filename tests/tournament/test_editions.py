"""Club evenings: what the editions do in the site, beside what every game does."""

from __future__ import annotations

import random

import pytest
from django.db import transaction
from django.urls import reverse

from tests.factories import (
    enter,
    make_event,
    make_player,
    make_players,
    make_round,
    make_table,
    organiser,
    organiser_of,
    play,
)
from tournament.actions import rounds
from tournament.actions.penalties import DealRef, give_penalty
from tournament.actions.point_entry import type_sheet
from tournament.actions.scoresheets import DealEntry, save_deal, void_deal
from tournament.actions.seating_changes import ChangeRequest, change_seating, lock_round_and_sheets
from tournament.forms.events import PRESETS, EventForm, preset_values
from tournament.models import Deal, Event
from tournament.models.seating_changes import ChangeKind
from tournament.queries.check_event import check_event
from tournament.queries.explanations import explanation_for
from tournament.queries.exports import standings_listing
from tournament.queries.scoresheets import sheet_view
from tournament.queries.standings import standings_for
from tournament.refusals import Refused
from tournament.rulebook import event_file
from tournament.simulation import SimulationPlan, play_tables, simulate, tables_of

pytestmark = pytest.mark.django_db

BASE, NEW, DWARFS, DUEL = "base-classic", "base-new", "saboteur-2", "duel"
SIX = DealEntry(facts="mmssmm:1:12/1///1/11")
"""Six at a table: seat 1 reached the gold and takes two cards, going down to 6, 5, 2, then again 1
and 6."""


def facts(*texts: str) -> list[DealEntry]:
    return [DealEntry(facts=text) for text in texts]


# --- Deals ------------------------------------------------------------


def test_a_base_deal_is_stored_as_one_short_text_and_paid() -> None:
    table = make_table(6, ruleset=BASE)
    enter(table, 1, SIX)
    deal = Deal.objects.get()
    assert (deal.roles, deal.facts, deal.text) == ("", SIX.facts, SIX.facts)
    view = sheet_view(table)
    assert [line.points for line in view.deal(1).lines] == [3, 1, 0, 0, 1, 2]
    assert view.deal(1).winner == "miners"


@pytest.mark.parametrize(
    ("ruleset", "seats", "text", "said"),
    [
        (BASE, 6, "mmssmm:1:12/1///1/1", "gold cards"),
        (BASE, 6, "mmssmm:1:12/1/1//1/11", "gold cards"),  # a saboteur takes gold
        (BASE, 6, "mmssmm:1:14/1///1/11", "no gold card of 4"),
        (BASE, 6, "mmssmm:0:1/////", "nobody reached"),
        (BASE, 6, "mssssm:0", "saboteurs"),
        (BASE, 6, "mmssmm:9", "player at this table"),
        (BASE, 6, "mmssm:0", "Every seat"),
        (DWARFS, 4, "bbbo:1:g:0:9", "jail"),
        (DWARFS, 4, "bgpo:1::::2>2", "robs"),
        (DWARFS, 4, "bgpo:1::::2>5", "at this table"),
        (DWARFS, 4, "bgpo:0:g", "door"),
        (DWARFS, 4, "oopb:0", "boss"),
        (DUEL, 2, "5/-1", "below 0"),
        (DUEL, 2, "5/1/1", "Every seat"),
        (DUEL, 2, "five", "read"),
    ],
)
def test_what_cannot_be_is_refused_in_words(ruleset: str, seats: int, text: str, said: str) -> None:
    table = make_table(seats, ruleset=ruleset)
    with pytest.raises(Refused, match=said):
        enter(table, 1, DealEntry(facts=text))
    assert not Deal.objects.exists()


def test_an_edition_takes_no_roles_and_a_tournament_no_facts() -> None:
    with pytest.raises(Refused, match="another game"):
        enter(make_table(6, ruleset=BASE), 1, DealEntry(roles=("miner",) * 6))
    with pytest.raises(Refused, match="another game"):
        enter(make_table(6), 1, SIX)


def test_a_deal_of_another_tables_size_is_no_deal_here(client) -> None:
    """A phone was at a table of three before; here something else stands already."""
    table = make_table(4, ruleset=DWARFS)
    enter(table, 1, DealEntry(facts="bgso:0"))
    people = table.seats.select_related("player").order_by("position")
    body = {
        "kind": "deal",
        "players": ",".join(str(seat.player.number) for seat in people),
        "number": 1,
        "seen": "",
        "facts": "bgs:1:bg:2:1/2:1>2",
    }
    answer = client.post(
        reverse("table_link:outbox", args=[table.token]),
        body,
        content_type="application/json",
        headers={"Idempotency-Key": "k" * 20},
    )
    assert answer.status_code == 409
    assert answer.json()["sent"] == ""


def test_the_box_is_shared_by_all_deals_of_a_sheet() -> None:
    table = make_table(3, ruleset=BASE)
    enter(table, 1, DealEntry(facts="mms:1:33/3/"))
    with pytest.raises(Refused, match="box"):
        enter(table, 2, DealEntry(facts="mms:1:33/1/"))
    enter(table, 2, DealEntry(facts="mms:1:13/1/"))
    # A correction of the second counts with the first, and the other way round.
    with pytest.raises(Refused, match="box"):
        enter(table, 2, DealEntry(facts="mms:2:3/13/"))
    enter(table, 1, DealEntry(facts="mms:1:13/1/"))
    enter(table, 2, DealEntry(facts="mms:2:3/33/"))
    with pytest.raises(Refused, match="box"):
        enter(table, 1, DealEntry(facts="mms:1:33/1/"))


def test_a_correction_moves_what_a_thief_found_later() -> None:
    table = make_table(3, ruleset=DWARFS)
    enter(table, 1, DealEntry(facts="bgs:1"))  # blue wins alone: 5
    enter(table, 2, DealEntry(facts="bgs:0::::2>1"))
    assert [line.points for line in sheet_view(table).deal(2).lines] == [-1, 1, 5]
    enter(table, 1, DealEntry(facts="bgs:0"))  # now the saboteur: nothing to steal from blue
    assert [line.points for line in sheet_view(table).deal(2).lines] == [0, 0, 5]


def test_a_void_deal_pays_nothing_and_keeps_what_was_dealt() -> None:
    table = make_table(6, ruleset=BASE)
    enter(table, 1, SIX)
    table.sheet.refresh_from_db()
    by = organiser(table.round.event)
    void_deal(sheet=table.sheet, number=1, replay=False, reason="Mixed up", version=1, by=by)
    deal = Deal.objects.get()
    assert (deal.facts, deal.void) == (SIX.facts, True)
    assert sum(line.points for line in sheet_view(table).deal(1).lines) == 0


def test_a_duel_is_won_once_all_its_deals_are_there() -> None:
    table = make_table(2, ruleset=DUEL)
    for number, text in enumerate(("5/0", "0/2"), 1):
        enter(table, number, DealEntry(facts=text))
    assert [seat.stars for seat in sheet_view(table).seats] == [0, 0]
    enter(table, 3, DealEntry(facts="0/4"))
    assert [(seat.points, seat.stars) for seat in sheet_view(table).seats] == [(5, 0), (6, 1)]


# --- From paper ------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "seats", "columns", "stored"),
    [
        (BASE, 3, [[2, 2, 0], [4, 0, 0], [0, 0, 0]], ["2/2/0", "4/0/0", "0/0/0"]),
        (DWARFS, 3, [[5, 0, 0], [-1, 1, 5], [0, 0, 12]], ["5/0/0", "-1/1/5", "0/0/12"]),
        (DUEL, 2, [[10, 0], [0, 0], [3, 4]], ["10/0", "0/0", "3/4"]),
    ],
)
def test_a_paper_sheet_is_typed_and_counts(
    ruleset: str, seats: int, columns: list[list[int]], stored: list[str]
) -> None:
    table = make_table(seats, ruleset=ruleset)
    by = organiser(table.round.event)
    type_sheet(sheet=table.sheet, columns=columns, version=0, by=by, signed=True)
    assert [deal.points for deal in Deal.objects.order_by("number")] == stored
    totals = sorted((sum(seat) for seat in zip(*columns, strict=True)), reverse=True)
    rows = standings_for(table.round.event).rows
    assert sorted((row.points for row in rows), reverse=True) == totals


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ([[3, 3, 3]], "Deal 1"),  # three miners of three: the cards are three, but 9 from 3 threes
        ([[12, 1, 0]], "Deal 1"),
        ([[4, 0, 0]] * 12, "box"),
    ],
)
def test_paper_that_cannot_be_is_refused(columns: list[list[int]], said: str) -> None:
    table = make_table(3, ruleset=BASE, deals_per_round=max(1, min(6, len(columns))))
    by = organiser(table.round.event)
    if columns == [[3, 3, 3]]:  # it can: no saboteur was in play
        type_sheet(sheet=table.sheet, columns=columns, version=0, by=by)
        return
    with pytest.raises(Refused, match=said):
        type_sheet(sheet=table.sheet, columns=columns, version=0, by=by)


def test_the_sum_on_the_paper_is_checked(client) -> None:
    table = make_table(2, ruleset=DUEL, second_person=False)
    address = reverse("table_link:points", args=[table.token])
    typed = {f"p-{deal}-{seat}": str(deal * seat) for deal in (1, 2, 3) for seat in (1, 2)}
    data = typed | {"version": "0", "key": "k" * 20, "t-1": "6", "t-2": "13"}
    answer = client.post(address, data)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "The deals of seat 2 add up to 12, not to 13." in page
    assert 'value="13"' in page
    assert not Deal.objects.exists()
    assert client.post(address, data | {"t-2": "12"}).status_code == 302
    assert Deal.objects.count() == 3


def test_a_penalty_that_was_written_down_as_nothing_is_taken(client) -> None:
    table = make_table(3, ruleset=BASE)
    seat = table.seats.get(position=2)
    give_penalty(
        player=seat.player,
        infraction="2.2",
        step=3,
        reason="Late",
        deal=DealRef("preliminary", 1, 1),
        by=organiser(table.round.event),
    )
    columns = [[4, 0, 0], None, None]
    type_sheet(sheet=table.sheet, columns=columns, version=0, by=organiser(table.round.event))
    assert Deal.objects.get().points == "4/0/0"


# --- Tables and byes ------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "people", "games", "sizes"),
    [
        (BASE, 11, None, [6, 5]),
        (BASE, 3, None, [3]),
        (BASE, 4, None, [4]),
        (BASE, 20, 2, [10, 10]),
        (DWARFS, 12, 1, [12]),
        (DWARFS, 14, 2, [7, 7]),
        (DWARFS, 2, None, [2]),
        (DUEL, 8, None, [2, 2, 2, 2]),
        (DUEL, 9, None, [2, 2, 2, 2, 1]),
    ],
)
def test_tables_are_of_sizes_that_the_game_has(
    ruleset: str, people: int, games: int | None, sizes: list[int]
) -> None:
    event = make_event(ruleset=ruleset, max_tables=games)
    make_players(event, people)
    round_ = make_round(event)
    assert [table.seats.count() for table in tables_of(round_)] == sizes


@pytest.mark.parametrize(
    ("ruleset", "people", "games", "said"),
    [
        (BASE, 2, None, "at least 3 players"),
        (BASE, 11, 1, "10 a table is the most"),
        (DWARFS, 13, 1, "12 a table is the most"),
        (DUEL, 1, None, "at least 2 players"),
    ],
)
def test_too_few_people_or_games_are_told(
    ruleset: str, people: int, games: int | None, said: str
) -> None:
    event = make_event(ruleset=ruleset, max_tables=games)
    make_players(event, people)
    with pytest.raises(Refused, match=said):
        make_round(event)


def duel_evening(people: int, **settings: object) -> Event:
    event = make_event(
        **{
            "ruleset": DUEL,
            "rounds_planned": 9,
            "seating": "standings",
            "cut_size": 2,
            "second_person": False,
        }
        | settings
    )
    make_players(event, people)
    return event


def byes(event: Event) -> list[int]:
    """Start numbers of those who sat alone, round by round."""
    found = []
    for round_ in event.rounds.in_force().order_by("number"):
        alone = [table for table in tables_of(round_) if table.seats.count() == 1]
        found += [table.seats.get().player.number for table in alone]
    return found


@pytest.mark.parametrize("bye_to", ["last", "lot"])
def test_nobody_is_without_an_opponent_twice(bye_to: str) -> None:
    event, rng = duel_evening(5, bye_to=bye_to, rounds_planned=5), random.Random(1)
    for number in range(1, 6):
        round_ = make_round(event, seed=number)
        play_tables(round_, rng)
        rounds.close_round(round_=round_, by=organiser(event))
    assert sorted(byes(event)) == [1, 2, 3, 4, 5]
    with pytest.raises(Refused, match="without an opponent once"):
        make_round(event)


def test_the_bye_goes_to_the_last_who_had_none() -> None:
    event = duel_evening(3)
    first = make_round(event)
    alone = byes(event)[0]
    table = next(table for table in tables_of(first) if table.seats.count() == 2)
    play(table, facts("3/0", "0/0", "0/0"))
    rounds.close_round(round_=first, by=organiser(event))
    loser = table.seats.get(position=2).player.number
    make_round(event)
    assert byes(event) == [alone, loser]


def test_a_bye_is_won_without_gold_and_asks_for_no_sheet(client) -> None:
    event = duel_evening(3)
    make_round(event)
    alone = next(table for table in tables_of(event.rounds.get()) if table.seats.count() == 1)
    assert alone.sheet.status == "confirmed"
    row = next(r for r in standings_for(event).rows if r.number == alone.seats.get().player.number)
    assert (row.rank, row.points, row.stars) == (1, 0, 1)
    with pytest.raises(Refused):
        save_deal(
            sheet=alone.sheet,
            number=1,
            entry=DealEntry(facts="7/0"),
            version=0,
            by=organiser(event),
        )
    page = client.get(reverse("table_link:sheet", args=[alone.token]))
    assert page.status_code == 200
    assert "without an opponent" in page.content.decode()
    assert client.get(reverse("table_link:steps", args=[alone.token])).status_code == 404
    assert client.get(reverse("table_link:points", args=[alone.token])).status_code == 200
    assert client.get(reverse("table_link:deal", args=[alone.token, 1])).status_code == 200


def test_new_faces_first_then_the_standings() -> None:
    event, rng = duel_evening(6, rounds_planned=5), random.Random(3)
    met: set[frozenset[int]] = set()
    for number in range(1, 6):
        round_ = make_round(event, seed=number)
        for table in tables_of(round_):
            pair = frozenset(table.seats.values_list("player_id", flat=True))
            assert pair not in met
            met.add(pair)
        play_tables(round_, rng)
        rounds.close_round(round_=round_, by=organiser(event))
    assert len(met) == 15  # everybody met everybody


@pytest.mark.django_db(transaction=True)
def test_who_comes_late_plays_the_one_without_an_opponent() -> None:
    event = duel_evening(3)
    round_ = make_round(event)
    late = make_player(event, "Lola Late")
    alone = next(table for table in tables_of(round_) if table.seats.count() == 1)
    keys = [alone.seats.get().player_id, late.pk]
    repaired = ChangeRequest(ChangeKind.REPAIRED, {alone.number: keys})
    with transaction.atomic():
        locked = lock_round_and_sheets(round_, "published", version=None)
        change_seating(locked, repaired, by=organiser(event))
    alone.sheet.refresh_from_db()
    assert alone.sheet.status == "open"
    play(alone, facts("1/0", "0/0", "0/0"))


# --- What is shown ------------------------------------------------------------


FOREIGN = {
    BASE: ("star", "selfish", "point", "profiteer", "boss", "duel", "win "),
    DWARFS: ("star", "selfish", "point", "miner", "duel"),
    DUEL: ("star", "selfish", "saboteurs", "miner", "nugget", "profiteer", "point"),
}
PAGES = (
    ("event", "slug"),
    ("rules", "slug"),
    ("standings", "slug"),
    ("fairness", "slug"),
    ("pictures", "slug"),
    ("questions", "slug"),
    ("seats", "slug"),
)


def words_of_page(page: str) -> str:
    """What a person reads: no tags, no scripts, no names of files."""
    import re

    body = page.partition("<main")[2].partition("</main>")[0]
    body = re.sub(r"(?s)<(script|style|svg).*?</\1>", " ", body)
    body = re.sub(r"(?s)<option.*?</option>", " ", body)
    return re.sub(r"(?s)<[^>]+>", " ", body).lower()


@pytest.mark.parametrize("ruleset", [BASE, DWARFS, DUEL])
def test_no_page_has_a_word_of_another_game(client, ruleset: str) -> None:
    event = simulate(
        SimulationPlan(
            players=9, rounds=2, cut=2 if ruleset == DUEL else 5, ruleset=ruleset, name="Evening"
        )
    )
    addresses = [reverse(name, args=[event.slug]) for name, _what in PAGES]
    addresses += [reverse("standing", args=[event.slug, number]) for number in (1, 5)]
    addresses += [reverse("ticket", args=[event.players.first().token])]
    for address in addresses:
        page = client.get(address)
        assert page.status_code == 200, address
        words = words_of_page(page.content.decode()).replace("start", "").replace("lodestar", "")
        for word in FOREIGN[ruleset]:
            assert word not in words, (
                f"{word} on {address}: {words[max(0, words.find(word) - 80) :][:160]}"
            )


@pytest.mark.parametrize(
    ("ruleset", "heads"),
    [(BASE, ["Nuggets"]), (DWARFS, ["Nuggets"]), (DUEL, ["Gold", "Wins"])],
)
def test_the_standings_can_be_taken_away(ruleset: str, heads: list[str]) -> None:
    event = simulate(SimulationPlan(players=6, rounds=1, cut=0, ruleset=ruleset))
    listing = standings_listing(event)
    assert list(listing.heading[4 : 4 + len(heads)]) == heads
    assert {len(row) for row in listing.rows} == {len(listing.heading)}


def test_why_somebody_is_second() -> None:
    table = make_table(3, ruleset=BASE, second_person=False)
    event = table.round.event
    play(table, facts("mms:1:12/1/", "mms:0", "mms:0"))
    told = explanation_for(event, standings_for(event).rows[1].number)
    assert told.above is not None
    assert "Nuggets" in told.above.words


@pytest.mark.parametrize("ruleset", [BASE, NEW, DWARFS, DUEL])
def test_everything_adds_up_and_goes_through_the_file(ruleset: str) -> None:
    event = simulate(
        SimulationPlan(players=9, rounds=2, cut=2 if ruleset == DUEL else 5, ruleset=ruleset)
    )
    assert check_event(event).difference is None
    from scoring import eventfile

    written = eventfile.write(event_file(event))
    assert eventfile.read(written) == event_file(event)


# --- Settings ------------------------------------------------------------


def form_for(preset: str, **more: object) -> EventForm:
    values = preset_values(preset) | {
        "name": "An evening",
        "break_minutes": 10,
        "minimum_age": 0,
        "final_seats": "lot",
        "standings_from": 2,
        "standings_shown": "live",
        "hidden_from_round": 1,
        "at_zero": "finish",
        "semi_deals": 3,
    }
    return EventForm(values | more)


@pytest.mark.parametrize("preset", ["base", "saboteur-2", "duel"])
def test_each_preset_is_an_event(preset: str) -> None:
    form = form_for(preset)
    assert form.is_valid(), form.errors
    assert form.cleaned_data["ruleset"] == PRESETS[preset]["ruleset"]
    shown = {field.name for group in form.groups() for field in group.fields}
    assert not shown & {"sabs4", "row10_saboteur", "dwarf_note"}
    assert ("bye_to" in shown) == (preset == "duel")


@pytest.mark.parametrize(
    ("preset", "change", "field"),
    [
        ("duel", {"cut_size": 6}, "cut_size"),
        ("base", {"cut_size": 12}, "cut_size"),
        ("shop", {"cut_size": 3}, "cut_size"),
        ("base", {"sabs4": 5}, "sabs4"),
        ("duel", {"semi_seats": 5}, "semi_per_table"),
    ],
)
def test_settings_that_the_game_does_not_know(
    preset: str, change: dict[str, int], field: str
) -> None:
    form = form_for(preset, **change)
    assert not form.is_valid()
    assert field in form.errors


def test_another_preset_takes_the_edition_back(client) -> None:
    client.force_login(organiser_of(make_event()))
    page = client.post(
        reverse("new_event") + "?preset=duel", {"name": "Mine", "ruleset": "duel", "preset": "shop"}
    )
    assert page.context["form"]["ruleset"].value() == "es-2026"
    page = client.post(
        reverse("new_event"), {"name": "Mine", "ruleset": "en-2023", "preset": "national"}
    )
    assert page.context["form"]["ruleset"].value() == "en-2023"


@pytest.mark.parametrize(("ruleset", "cut"), [("es-2026", 5), (DUEL, 2)])
def test_finalists_show_what_they_had_before(client, ruleset: str, cut: int) -> None:
    event = simulate(SimulationPlan(players=10, rounds=1, cut=cut, ruleset=ruleset))
    page = client.get(reverse("standings", args=[event.slug])).content.decode()
    for row in standings_for(event).final:
        had = [row.preliminary_points, row.preliminary_stars]
        assert " / ".join(map(str, had if cut == 5 else had[::-1])) in page
