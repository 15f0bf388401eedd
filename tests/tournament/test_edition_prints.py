"""Every document of an event that plays an edition: in its own words, on its pages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from scoring.editions import EDITIONS
from tests.factories import (
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play,
)
from tests.tournament.printed import Printed
from tests.tournament.test_edition_sheets import FOREIGN
from tests.tournament.test_printed_documents import LONG, faults_of, print_it
from tournament.actions import events, rounds
from tournament.actions.penalties import DealRef, give_penalty
from tournament.actions.prizes import PrizeEntry, add_prize
from tournament.documents.catalogue import documents_for, picture_for
from tournament.documents.layout.rendering import static_folder
from tournament.models import Event, Seat
from tournament.queries.document_facts import diplomas_of, tables_expected
from tournament.queries.reports import BYE_TABLE, attendance_of
from tournament.queries.standings import standings_for
from tournament.simulation import tables_of

pytestmark = [pytest.mark.django_db, pytest.mark.paper]

ENDS = [
    (key, size)
    for key, edition in EDITIONS.items()
    for size in sorted({edition.sizes[0], edition.sizes[-1]})
]


def evening(key: str, people: int, **more: Any) -> Event:
    """Played to its end by so many, with a penalty, prizes and diplomas."""
    event = make_event(name="Club evening", ruleset=key, rounds_planned=1, cut_size=0, **more)
    make_player(event, LONG)
    make_players(event, people - 1)
    by = organiser(event)
    add_prize(event=event, entry=PrizeEntry("A lamp", "rank", 1, 1, 1), by=by)
    round_ = make_round(event)
    give_penalty(
        player=event.players.get(number=1),
        infraction="2.2",
        step=3,
        reason="Late by six minutes",
        by=by,
        deal=DealRef("preliminary", 1, 1),
    )
    for table in tables_of(round_):
        if not table.sheet.is_bye:
            play(table, seed=table.number)
    rounds.close_round(round_=round_, by=by)
    events.finish_event(event=Event.objects.get(pk=event.pk), by=by)
    return Event.objects.get(pk=event.pk)


def printed_of(event: Event, kind: str, *languages: str) -> Printed:
    printed = print_it(event, kind, "a4", languages or ("en",))
    assert printed is not None, kind
    return printed


@pytest.mark.parametrize(("key", "size"), ENDS)
def test_every_document_keeps_to_its_page_and_its_game(key: str, size: int) -> None:
    event = evening(key, size, max_tables=1)
    foreign = re.compile(FOREIGN[key], re.IGNORECASE)
    faults: dict[Any, Any] = {}
    for kind in documents_for(event):
        for paper, languages in (("a4", ("en",)), ("letter", ("es", "en")), ("a5", ("de", "en"))):
            printed = print_it(event, kind, paper, languages)
            assert printed is not None, kind
            if languages == ("en",) and (found := foreign.findall(" ".join(printed.texts))):
                faults[kind] = found
            if found := faults_of(printed, kind, paper):
                faults[kind, paper] = found[:3]
            if kind in ("sheets", "spares", "tents", "rules", "cards", "boxes", "errors"):
                assert printed.count == 1, (kind, paper)
    assert faults == {}


@pytest.mark.parametrize("key", EDITIONS)
def test_an_event_offers_what_its_game_has_a_use_for(key: str, client: Any) -> None:
    event = make_event(ruleset=key)
    client.force_login(organiser_of(event))
    page = client.get(reverse("prints", args=[event.slug])).content.decode()
    hidden = {"cards", "errors", "boxes"} if key == "duel" else set()
    for kind in ("cards", "errors", "boxes", "rules", "tents"):
        address = reverse("document", args=[event.slug, kind])
        assert (address in page) is (kind not in hidden), kind
        assert (client.get(address).status_code == 404) is (kind in hidden), kind


@pytest.mark.parametrize("key", EDITIONS)
def test_a_document_is_chosen_by_a_picture_of_the_game(key: str) -> None:
    event = make_event(ruleset=key)
    shown = {kind: picture_for(event, kind).name for kind in documents_for(event)}
    for name in shown.values():
        assert (static_folder() / "img" / "docs" / f"{name}.webp").exists(), name
    own = "base-classic" if key == "base-new" else key
    assert shown["sheets"] == shown["spares"] == shown["pack"] == f"sheets-{own}"
    assert picture_for(make_event(), "sheets").name == "sheets"


def test_a_tournament_offers_everything() -> None:
    assert len(documents_for(make_event())) == 18


@pytest.mark.parametrize("key", ["base-classic", "saboteur-2"])
def test_results_name_roles_and_nuggets(key: str) -> None:
    event = evening(key, 6)
    text = printed_of(event, "results").texts[0]
    wanted = {
        "base-classic": "M miner, S saboteur; then the nuggets.",
        "saboteur-2": "B blue dwarf, G green dwarf, C boss, P profiteer, E geologist, S saboteur; "
        "then the nuggets.",
    }
    assert wanted[key] in text
    assert "Gold" in text


def test_results_of_a_duel_tell_gold_and_who_had_no_opponent() -> None:
    event = evening("duel", 5)
    text = " ".join(printed_of(event, "results").texts)
    alone = Seat.objects.get(table__sheet__confirmed_by="bye").player.name
    assert "a cup for whoever won the duel" in text
    assert f"Without an opponent: {alone}" in text
    assert "nobody" not in text


def test_standings_of_a_duel_have_wins_before_gold() -> None:
    text = printed_of(evening("duel", 4), "standings").texts[0]
    assert "Rank Name Wins Gold Deals" in text


@pytest.mark.parametrize("key", ["base-classic", "base-new", "saboteur-2"])
def test_standings_have_nuggets_alone(key: str) -> None:
    event = evening(key, 6)
    text = printed_of(event, "standings").texts[0]
    assert "Rank Name Nuggets Deals" in text
    # A PDF is read column by column.
    sums = " ".join(str(row.points) for row in standings_for(event).rows)
    assert f" {sums} 3 3 3 3 3 3 " in text


def test_a_bye_is_on_the_walls_and_on_no_sheet() -> None:
    event = make_event(ruleset="duel", rounds_planned=2)
    make_players(event, 5)
    assert tables_expected(event) == (1, 2)
    round_ = make_round(event)
    alone = round_.seats.get(table__sheet__confirmed_by="bye")
    by_name, by_table = (printed_of(event, kind).texts[0] for kind in ("by-name", "by-table"))
    assert "–: without an opponent in this round" in by_name
    assert by_name.count("–") == 3  # of the line above, the table, the seat
    assert f"without an opponent in this round {alone.player.name}" in by_table
    assert printed_of(event, "sheets").count == 2
    assert alone.player.name not in " ".join(printed_of(event, "sheets").texts)
    assert tables_expected(event) == (1, 2)
    _rounds, people = attendance_of(event)
    assert [one.number for one in people if BYE_TABLE in one.tables] == [alone.player.number]
    assert "+ without an opponent." in printed_of(event, "attendance").texts[0]


def test_cards_show_what_is_shuffled_and_paid() -> None:
    base = printed_of(evening("base-classic", 5), "cards").texts[0]
    for words in ("miners", "saboteurs", "left over, unseen", "hand cards each", "in play: 4"):
        assert words in base
    dwarfs = printed_of(evening("saboteur-2", 5), "cards").texts[0]
    for words in ("blue dwarfs", "geologists", "13", "C gets 1 less"):
        assert words in dwarfs


@pytest.mark.parametrize("key", ["base-classic", "base-new", "saboteur-2"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_card_keeps_to_its_quarter(key: str, paper: str) -> None:
    event = make_event(ruleset=key)
    make_players(event, 6)
    printed = print_it(event, "cards", paper, ("es", "en"))
    assert printed is not None
    width, height = printed.sizes[0]
    # One table's card alone, and the foot of the page.
    foot = height - 12
    low = max(spot[3] for spot in printed.spots(0) if spot[3] < foot)
    right = max(spot[2] for spot in printed.spots(0) if spot[3] < foot)
    assert low <= height / 2 - 3
    assert right <= width / 2


def test_a_box_holds_the_cards_of_its_edition() -> None:
    base, dwarfs = (
        printed_of(make_event(ruleset=key), "boxes").texts[0] for key in ("base-new", "saboteur-2")
    )
    assert "miners among the dwarf cards" in base
    assert "selfish" not in base
    for words in ("gold, as cards or as chips", "blue dwarfs", "boss"):
        assert words in dwarfs


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("base-classic", "An evening of the card game Saboteur"),
        ("saboteur-2", "An evening of the card game Saboteur 2"),
        ("duel", "An evening of the card game Saboteur: The Duel"),
    ],
)
def test_diplomas_name_the_game(key: str, said: str) -> None:
    event = evening(key, 6)
    printed = printed_of(event, "diplomas")
    assert printed.count == len(diplomas_of(event)) >= 3
    assert all(said in text for text in printed.texts)
    assert not any("Tournament of" in text for text in printed.texts)
