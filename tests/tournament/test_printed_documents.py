"""Every document in every language and on every paper, read back from its PDF."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.utils import translation

from tests.factories import (
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    play,
    play_round,
)
from tests.tournament.printed import Printed
from tournament import rulebook
from tournament.actions import attendance, cuts, events, finals, rounds
from tournament.actions.penalties import DealRef, InquiryNote, give_penalty, withdraw_penalty
from tournament.actions.prizes import PrizeEntry, add_prize
from tournament.documents.catalogue import DOCUMENTS
from tournament.documents.layout.cells import cells, fitted
from tournament.documents.layout.flow import Flow, TableColumn
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import line
from tournament.documents.layout.pages import PageDrawing, in_parts
from tournament.documents.request import DocumentRequest
from tournament.documents.store import joined
from tournament.links import rules_url, seats_url, standings_url, ticket_url
from tournament.models import Event, Player
from tournament.queries.cuts import current_cut, line_of
from tournament.queries.document_facts import (
    diplomas_of,
    rules_mark,
    seating_mark,
    standings_mark,
    tables_expected,
)
from tournament.queries.rules import displayed_rules
from tournament.queries.seats import table_rows
from tournament.queries.standings import standings_for
from tournament.simulation import tables_of

pytestmark = [pytest.mark.django_db, pytest.mark.paper]

SPOKEN = [code for code, _name in settings.LANGUAGES]
LANGUAGES = [(code,) for code in SPOKEN] + list(combinations(SPOKEN, 2))
LONG = "Maximiliana Hohenstein-Wittgenburg von und zu Schwarzenberge"
NAMES = (
    LONG,
    "W" * 60,
    "Q",
    "Łukasz Żółć",
    "Şebnem Çağlar İğdır",
    "Παπαδόπουλος Ιωάννης",
    "Анастасия Ёлкина-Ґжицька",
    "Nguyễn Thị Hương",
    "Příšerný Kůň",
    "😀🎲 Müller",
    "王小明",
    "محمد بن عبد الله",
    "שלום עולם",
    "Ana <b>&amp;</b> Ruiz",
)


def crowded(**more: Any) -> Event:
    """Names of all kinds, long texts everywhere, and a round that is drawn."""
    event = make_event(
        name="Campeonato nacional e internacional de Saboteur de la muy noble Villa de Madrid",
        venue="Salón de actos de la Biblioteca municipal Mariano José de Larra, tercera planta",
        dwarf_note="The digger with the blue bow; from seven players also the one with the horns.",
        rounds_planned=1,
        minimum_age=18,
        **more,
    )
    for name in NAMES:
        make_player(event, name, note="Comes by train, may be late, and needs a chair. " * 4)
    return event


def played() -> Event:
    """The same event at its end: penalties, a cut, perhaps a lot, the final, a disqualification."""
    event = crowded()
    by = organiser(event)
    add_prize(event=event, entry=PrizeEntry("A cup for the first", "rank", 1, 1, 1), by=by)
    round_ = make_round(event)
    first, second, third = event.players.order_by("number")[:3]
    give_penalty(player=first, infraction="1.1", step=1, reason="Forgot to draw. " * 20, by=by)
    told = give_penalty(
        player=second,
        infraction="2.2",
        step=3,
        reason="Late by six minutes",
        by=by,
        deal=DealRef("preliminary", 1, 1),
    )
    for table in tables_of(round_):
        play(table, seed=table.number)
    withdraw_penalty(penalty=told, reason="The clock was wrong", by=by)
    give_penalty(
        player=third,
        infraction="3.0",
        step=4,
        reason="Cheating",
        by=by,
        deal=DealRef("preliminary", 1, 3),
        inquiry=InquiryNote("Both neighbours", "Two role cards. " * 40, "Olga and Julio"),
    )
    rounds.close_round(round_=round_, by=by)
    cut = cuts.make_cut(event=event, by=by)
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=by)
    cut = current_cut(event) or cut
    final = rounds.publish_round(round_=finals.draw_final(cut=cut, by=by), by=by)
    play(tables_of(final)[0], seed=5)
    rounds.close_round(round_=final, by=by)
    return events.finish_event(event=event, by=by)


def print_it(
    event: Event, kind: str, paper: str = "a4", languages: tuple[str, ...] = ("en",)
) -> Printed | None:
    """The document, or None where there is nothing to print."""
    document = DOCUMENTS[kind]
    round_ = event.rounds.filter(stage="preliminary").first() if document.of_round else None
    if round_ is not None:
        round_.event = event
    request = DocumentRequest(event, kind, round_, paper=paper, languages=languages)
    with translation.override(languages[0]):
        parts = document.parts(request, document.facts(request))
        return Printed(joined(parts)) if parts else None


def page_size(kind: str, paper: str) -> tuple[int, int]:
    portrait = (210, 297) if paper in ("a4", "a5") else (216, 279)
    document = DOCUMENTS[kind]
    two_on_a_sheet = document.on_sheet_paper and paper in ("a5", "half-letter")
    lying = document.wide and not two_on_a_sheet
    return (portrait[1], portrait[0]) if lying else portrait


def faults_of(printed: Printed, kind: str, paper: str) -> list[Any]:
    """Pages of another size, empty ones, letters outside the page, and letters on letters."""
    faults: list[Any] = []
    sizes = {page_size(kind, paper)} | ({page_size("sheets", paper)} if kind == "pack" else set())
    faults += [("size", size) for size in printed.sizes if size not in sizes]
    for number in range(printed.count):
        faults += [("empty", number)] if len(printed.texts[number]) < 5 else []
        faults += [("outside", number, spot) for spot in printed.outside(number)]
        if kind not in ("sheets", "spares", "pack"):
            faults += [("overlap", number, pair) for pair in printed.overlaps(number)]
    return faults


@pytest.mark.parametrize(
    ("paper", "languages"),
    [*(("a4", one) for one in LANGUAGES), ("letter", LANGUAGES[-1])],
    ids=lambda value: value if isinstance(value, str) else "-".join(value),
)
def test_every_document_keeps_to_its_page(paper: str, languages: tuple[str, ...]) -> None:
    event = played()
    faults = {}
    for kind in DOCUMENTS:
        printed = print_it(event, kind, paper, languages)
        assert printed is not None, kind
        if found := faults_of(printed, kind, paper):
            faults[kind] = found[:4]
    assert faults == {}


@pytest.mark.parametrize("paper", ["a5", "half-letter"])
def test_sheets_lie_two_on_a_page_and_lists_on_whole_ones(paper: str) -> None:
    event = crowded()
    make_round(event)
    faults = {}
    for kind in ("pack", "sheets", "spares", "by-name"):
        printed = print_it(event, kind, paper, ("es", "en"))
        assert printed is not None
        faults |= {kind: found} if (found := faults_of(printed, kind, paper)) else {}
    assert faults == {}


def test_the_check_itself_finds_letters_on_letters_and_outside() -> None:
    request = DocumentRequest(make_event(), "rules")
    words = [line("plain", f"Word {n}", Box(204, 40 + n, 30, 5), 12) for n in range(2)]
    printed = Printed(joined(in_parts(request, [PageDrawing(tuple(words))])))
    assert printed.overlaps(0)
    assert printed.outside(0)


def test_one_page_documents_stay_on_one_page() -> None:
    event = played()
    for languages in LANGUAGES:
        for paper in ("a4", "letter"):
            printed = print_it(event, "rules", paper, languages)
            assert printed is not None
            assert printed.count == 1
    tents = print_it(event, "tents")
    assert tents is not None
    assert tents.count == 2
    diplomas = print_it(event, "diplomas")
    assert diplomas is not None
    assert diplomas.count == len(diplomas_of(event))


def test_every_foot_says_the_page_the_moment_and_the_version() -> None:
    event = played()
    for kind in DOCUMENTS:
        if kind in ("sheets", "spares", "pack", "diplomas", "errors"):
            continue
        printed = print_it(event, kind)
        assert printed is not None
        for number, text in enumerate(printed.texts, 1):
            assert "printed " in text, kind
            assert f"version {event.current_version.version} · {number}/{printed.count}" in text, (
                kind
            )


def test_nothing_is_printed_where_there_is_nothing() -> None:
    """An event nobody has registered for: a message, never an empty page."""
    event = make_event()
    round_ = event.rounds.create(number=1, deals=3)
    for kind, document in DOCUMENTS.items():
        if kind in ("rules", "boxes", "errors"):  # there are always some
            continue
        request = DocumentRequest(event, kind, round_ if document.of_round else None)
        assert not document.parts(request, document.facts(request)), kind


def test_names_are_in_order_whatever_their_accents() -> None:
    event = make_event()
    for name in ("Zoe", "Ágata", "ana", "Łukasz", "Lucas", "Özge", "Olga"):
        make_player(event, name)
    round_ = make_round(event)
    printed = print_it(event, "by-name")
    assert printed is not None
    text = printed.texts[0]
    names = ["Ágata", "ana", "Lucas", "Łukasz", "Olga", "Özge", "Zoe"]
    places = [text.index(name) for name in names]
    assert places == sorted(places)
    table = table_rows(round_)[0]
    assert printed.codes(0) == [f"{seats_url(event)}?print={seating_mark(round_, [table])}"]


def test_a_wall_list_is_large() -> None:
    """At least five millimetres a capital for up to a hundred people: read from two metres."""
    event = make_event()
    make_players(event, 60)
    make_round(event)
    printed = print_it(event, "by-name")
    assert printed is not None
    heights = [
        spot[3] - spot[1] for number in range(printed.count) for spot in printed.spots(number)
    ]
    assert sum(height >= 4 for height in heights) >= 60


def test_badges_carry_the_ticket_and_are_ten_to_a_page() -> None:
    event = make_event()
    people = make_players(event, 12)
    printed = print_it(event, "badges")
    assert printed is not None
    assert printed.count == 2
    assert [len(printed.codes(number)) for number in (0, 1)] == [10, 2]
    assert set(printed.codes(0)) == {ticket_url(one) for one in people[:10]}
    assert people[0].name in printed.texts[0]


def test_tents_show_the_number_on_both_sides() -> None:
    event = make_event()
    make_players(event, 12)
    printed = print_it(event, "tents")
    assert printed is not None
    assert printed.count == 2
    assert printed.codes(0) == [seats_url(event)] * 2
    large = [spot for spot in printed.spots(0) if spot[3] - spot[1] > 50]
    assert len(large) == 2  # millimetres: read from five metres


@pytest.mark.parametrize(
    ("people", "settings", "tables"),
    [(0, {}, 0), (5, {}, 1), (13, {}, 3), (5, {"capacity": 24}, 4), (24, {"max_tables": 3}, 3)],
)
def test_tables_are_foreseen_before_a_draw(
    people: int, settings: dict[str, int], tables: int
) -> None:
    event = make_event(**settings)
    make_players(event, people)
    assert tables_expected(event) == tuple(range(1, tables + 1))
    assert tables_expected(event, (7, 9)) == (7, 9)


def test_the_check_in_list_ticks_who_is_here_and_ends_with_who_waits() -> None:
    event = make_event()
    make_player(event, "Cai Waiting", here=False)
    make_player(event, "Ana Here")
    make_player(event, "Bo Expected", here=False, note="vegetarian")
    Player.objects.filter(name="Cai Waiting").update(status="waiting")
    printed = print_it(event, "check-in")
    assert printed is not None
    text = printed.texts[0]
    assert text.index("Ana Here") < text.index("Bo Expected") < text.index("Waiting list")
    assert text.index("Waiting list") < text.index("Cai Waiting")
    assert "vegetarian" in text


def test_long_lists_go_on_with_their_heads() -> None:
    event = make_event()
    flow = Flow(DocumentRequest(event, "check-in"), "A long list")
    columns = [TableColumn("Number", 30), TableColumn("Name")]
    flow.table(columns, [(str(n), f"Name {n}") for n in range(200)])
    pages = flow.pages()
    assert len(pages) == 6
    for page in pages:
        words = " ".join(label.text for label in page.labels)
        assert "Number" in words
        assert "Name" in words
    assert sum(label.text.count("Name ") for page in pages for label in page.labels) == 200


def test_results_show_roles_points_and_who_reached_the_gold() -> None:
    event = crowded()
    round_ = make_round(event)
    assert print_it(event, "results") is None
    for table in tables_of(round_):
        play(table, seed=table.number)
    printed = print_it(event, "results")
    assert printed is not None
    text = " ".join(printed.texts)
    for words in ("Tournament round 1: results", "Table 1", "Deal 3", "Total", "Gold"):
        assert words in text
    assert "not confirmed" not in text


def test_standings_prove_the_lot() -> None:
    event = played()
    drawn = event.lots.exclude(secret="").count()
    secret = rulebook.lot_secret(event, drawn + 1)
    event.lots.create(
        line="place:4", players=["0004", "0005"], order=["0005", "0004"], secret=secret
    )
    printed = print_it(event, "standings")
    assert printed is not None
    text = " ".join(printed.texts)
    flat = text.replace(" ", "")
    assert text.startswith("Final standings")
    assert secret in flat
    assert displayed_rules(event)["commitment"] in flat
    assert "import hashlib,hmac" in text
    assert "Lot for place 4" in text
    assert "Behind the finalists" in text
    assert "disqualified" in text
    mark = standings_mark(standings_for(event))
    assert f"{standings_url(event)}?print={mark}" in printed.codes(0)


def test_the_judges_report_tells_all() -> None:
    printed = print_it(played(), "penalties")
    assert printed is not None
    text = " ".join(printed.texts)
    for words in (
        "3 entries. For the staff alone: penalties are not public.",
        "Deal loss · Round 1, deal 1 · 2.2 Conduct, major",
        "Withdrawn: The clock was wrong",
        "Heard: Both neighbours",
        "Decided by: Olga and Julio",
    ):
        assert words in text


def test_penalties_are_on_no_other_document() -> None:
    event = played()
    for kind in DOCUMENTS:
        printed = None if kind == "penalties" else print_it(event, kind)
        if printed is not None:
            assert "Forgot to draw." not in " ".join(printed.texts), kind


def test_full_names_are_for_the_staff() -> None:
    event = make_event(rounds_planned=1, cut_size=0)
    make_player(event, "Beatriz Secreta", name_style="alias", alias="Topo Gigio")
    make_players(event, 5)
    play_round(event)
    events.finish_event(event=event, by=organiser(event))
    shown = {
        kind: "Secreta" in " ".join(printed.texts)
        for kind in DOCUMENTS
        if (printed := print_it(event, kind)) is not None
    }
    assert {kind for kind, full in shown.items() if full} == {"check-in", "attendance"}


def test_spare_sheets_have_neither_names_nor_codes() -> None:
    event = crowded()
    make_round(event)
    printed = print_it(event, "spares")
    assert printed is not None
    assert printed.count == 1
    assert "spare sheet" in printed.texts[0]
    assert "Łukasz" not in printed.texts[0]
    assert "Keep score on a phone" not in printed.texts[0]
    assert printed.codes(0) == []


def test_the_pack_is_in_the_order_it_is_handed_out() -> None:
    event = crowded()
    make_round(event)
    printed = print_it(event, "pack")
    assert printed is not None
    marks = ("Seats by name", "Seats by table", "table 1 · 1/1", "table 2 · 1/1", "spare sheet")
    assert printed.count == len(marks)
    for mark, text in zip(marks, printed.texts, strict=True):
        assert mark in text


def test_the_notice_of_rules_opens_the_page_of_rules() -> None:
    event = played()
    printed = print_it(event, "rules")
    assert printed is not None
    assert printed.codes(0) == [f"{rules_url(event)}?print={rules_mark(displayed_rules(event))}"]


def test_attendance_names_the_table_of_every_round() -> None:
    event = make_event(rounds_planned=2)
    make_players(event, 6)
    play_round(event)
    make_player(event, "Late Comer")
    play_round(event, 2)
    printed = print_it(event, "attendance")
    assert printed is not None
    facts = DOCUMENTS["attendance"].facts(DocumentRequest(event, "attendance"))
    assert facts.rounds == (("preliminary", 1), ("preliminary", 2))
    assert facts.people[0].tables == (0, 1)
    assert "Late Comer" in printed.texts[0]


@pytest.mark.parametrize("text", [*NAMES, "ő" * 60, "Ana"])
def test_a_text_keeps_to_its_cell(text: str) -> None:
    label = fitted("plain", text, Box(0, 0, 40, 8), 16, "bold")
    lines = label.text.split("\n")
    assert len(lines) <= 2
    assert text.startswith(lines[0].rstrip("…")[:5])


def test_texts_that_fit_are_one_label() -> None:
    labels = cells("plain", ["Ana", "Bo", LONG], Box(0, 0, 30, 18), 12)
    assert labels[0].text == "Ana\nBo\n"
    assert len(labels) == 2


def test_a_long_list_has_its_heads_on_every_page() -> None:
    """Behind the line of the cut, too."""
    event = make_event(rounds_planned=2)
    make_players(event, 90)
    play_round(event)
    printed = print_it(event, "standings")
    assert printed is not None
    assert printed.count > 1
    for text in printed.texts:
        assert "Rank Name Points Stars Deals" in text


def test_diplomas_wait_for_the_end_of_the_final() -> None:
    event = make_event(rounds_planned=1)
    make_players(event, 12)
    play_round(event)
    event.refresh_from_db()
    by = organiser(event)
    cut = cuts.make_cut(event=event, by=by)
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=by)
    final = rounds.publish_round(round_=finals.draw_final(cut=cut, by=by), by=by)
    assert diplomas_of(event) == ()
    play(tables_of(final)[0])
    assert diplomas_of(event) == ()
    rounds.close_round(round_=final, by=by)
    assert len(diplomas_of(event)) == 6


def club_night(rounds_played: int = 2) -> Event:
    """Without a final; finished, its first three in order."""
    event = make_event(rounds_planned=2, cut_size=0, name="Club night")
    make_players(event, 12)
    for seed in range(1, rounds_played + 1):
        play_round(event, seed)
    return Event.objects.get(pk=event.pk)


def test_without_a_final_the_first_three_have_a_diploma_at_the_end() -> None:
    event = club_night()
    assert diplomas_of(event) == ()
    events.finish_event(event=event, by=organiser(event))
    found = diplomas_of(Event.objects.get(pk=event.pk))
    board = standings_for(event)
    assert [(one.rank, one.number) for one in found] == [
        (row.rank, row.number) for row in board.rows if row.rank <= 3
    ]
    assert len(found) >= 3
    printed = print_it(Event.objects.get(pk=event.pk), "diplomas")
    assert printed is not None
    assert printed.count == len(found)
    assert not any("played up to" in text for text in printed.texts)


def test_the_diploma_of_somebody_who_left_early_says_so() -> None:
    event = club_night(rounds_played=1)
    first = event.players.get(number=standings_for(event).rows[0].number)
    attendance.drop(player=first, by=organiser(event))
    play_round(event, 2)
    # Whatever the second round brought: the first round decides alone.
    for table in tables_of(event.rounds.get(number=2)):
        table.sheet.deals.update(void=True, reason="fire alarm")
    events.finish_event(event=Event.objects.get(pk=event.pk), by=organiser(event))
    event = Event.objects.get(pk=event.pk)
    caches["local"].clear()
    left = {one.number: one.left_after for one in diplomas_of(event)}
    assert left[first.number] == 1
    assert {after for number, after in left.items() if number != first.number} == {0}
    printed = print_it(event, "diplomas")
    assert printed is not None
    assert sum("played up to round 1" in text for text in printed.texts) == 1


def test_a_final_that_was_not_played_leaves_the_first_three() -> None:
    event = make_event(rounds_planned=1)
    make_players(event, 12)
    play_round(event)
    events.finish_event(event=Event.objects.get(pk=event.pk), by=organiser(event), reason="late")
    found = diplomas_of(Event.objects.get(pk=event.pk))
    assert {one.rank for one in found} <= {1, 2, 3}
    assert len(found) >= 3


def test_an_event_that_did_not_take_place_has_no_diplomas() -> None:
    event = make_event(cut_size=0)
    make_players(event, 6)
    events.finish_event(event=event, by=organiser(event), reason="it rains")
    assert diplomas_of(Event.objects.get(pk=event.pk)) == ()


def test_the_mark_of_the_rules_does_not_hang_on_the_order_of_their_keys() -> None:
    rules = displayed_rules(make_event())
    turned = dict(reversed(rules.items()))
    turned["points"] = dict(reversed(rules["points"].items()))
    assert rules_mark(turned) == rules_mark(rules)
