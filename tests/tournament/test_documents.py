"""What is printed, read back from the PDF. Sheets are built without the database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from tests.tournament.printed import Printed
from tournament import rulebook
from tournament.documents.kinds.scoresheet_form import _starred
from tournament.documents.kinds.scoresheets import sheets_pdf
from tournament.documents.layout.fitting import cut, in_lines, size_for, width_of
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.grid import plan_for
from tournament.documents.layout.rendering import static_folder, static_path
from tournament.documents.request import PaperSize
from tournament.models import Event, Round
from tournament.queries.printed_sheets import TournamentSheet
from tournament.queries.scoresheets import check_sums
from tournament.queries.seats import SeatRow

pytestmark = pytest.mark.paper

NAMES = (
    "Łukasz Żółć",
    "Şebnem Çağlar İğdır",
    "Παπαδόπουλος",
    "Анастасия Ёлкина",
    "Nguyễn Thị Hương",
    "Ana Ruiz",
    "Příšerný Kůň",
    "Ґжицький Юрій",
    "Ólafur Þórsson",
    "Bo",
)
LONG = "Maximiliana Hohenstein-Wittgenburg von und zu Schwarzenberg X"
SIZES = range(5, 11)


def make_event(**fields: Any) -> Event:
    defaults = {
        "slug": "nacional",
        "name": "Nacional de Saboteur",
        "time_zone": "Europe/Madrid",
        "ruleset": "es-2026",
        "dwarf_note": "the digger with the blue bow",
        "edition": "2025",
    }
    return Event(**(defaults | fields))


def make_sheet(
    seats: int = 6,
    deals: int = 3,
    *,
    table: int = 4,
    names: tuple[str, ...] = NAMES,
    event: Event | None = None,
    stage: str = "preliminary",
) -> TournamentSheet:
    event = event or make_event()
    rows = [
        SeatRow(100 + place, names[place % len(names)], "", table, place + 1, place)
        for place in range(seats)
    ]
    return TournamentSheet(
        event=event,
        round=Round(event=event, stage=stage, number=2, deals=deals),
        table=table,
        link="https://lodestar.example/t/Zq3vT8rN1xYpLk0aWc5uHd7b/",
        seats=tuple(rows),
        row=rulebook.tournament_rules(event).row(seats),
        deals=deals,
        checks=check_sums(event, seats),
    )


@pytest.fixture(scope="module")
def every_size() -> Printed:
    """Tables of 5 to 10 players, three deals and four."""
    kinds = [(seats, deals) for seats in SIZES for deals in (3, 4)]
    sheets = [make_sheet(seats, deals, table=seats * 10 + deals) for seats, deals in kinds]
    return Printed(sheets_pdf(sheets))


def test_each_table_is_one_landscape_page(every_size: Printed) -> None:
    assert every_size.sizes == [(297, 210)] * 12


def test_all_text_is_inside_the_page(every_size: Printed) -> None:
    for number in range(every_size.count):
        assert len(every_size.spots(number)) > 60
        assert every_size.outside(number, 6) == []


@pytest.mark.parametrize("seats", SIZES)
def test_a_sheet_names_its_players_and_cards(every_size: Printed, seats: int) -> None:
    row = rulebook.tournament_rules(make_event()).row(seats)
    for page, deals in zip((0, 1), (3, 4), strict=True):
        text = every_size.texts[(seats - 5) * 2 + page]
        for name in NAMES[:seats]:
            assert name in text
        assert all(str(100 + place) in text for place in range(seats))
        assert f"{seats} players · {deals} deals" in text
        assert f"{row.saboteur} saboteur" in text
        assert f"{row.miner} miner" in text
        assert f"{row.selfish} selfish dwarf" in text
        assert f"{row.hand_cards} hand cards for each player" in text
        assert f"table {seats * 10 + deals} · 1/1" in text
        assert [f"Deal {deal}" in text for deal in (deals, deals + 1)] == [True, False]


def test_a_sheet_names_event_round_notes_and_rules(every_size: Printed) -> None:
    text = every_size.texts[0]
    for words in (
        "Nacional de Saboteur",
        "Tournament round 2",
        "Selfish dwarf: the digger with the blue bow · Box: 2025",
        "Dealer",
        "Who reached the gold?",
        "nobody",
        "Penalties",
        "Second person at the table",
        "rules es-2026",
    ):
        assert words in text


def test_the_check_of_six_players() -> None:
    text = Printed(sheets_pdf([make_sheet(6)])).texts[0].replace(" ", "")
    assert "7·6·4" in text
    assert "3+2+2=7" in text
    assert "3+3=6" in text
    assert "2+2+2=6" in text


def test_the_final_says_so_and_has_four_deals() -> None:
    text = Printed(sheets_pdf([make_sheet(6, 4, stage="final")])).texts[0]
    assert "Final" in text
    assert "Deal 4" in text


def test_a_table_without_selfish_dwarfs_has_no_letter_for_them() -> None:
    event = make_event(ruleset="en-2023")
    text = Printed(sheets_pdf([make_sheet(8, event=event)])).texts[0]
    assert "selfish" not in text.lower()


def test_the_stars_of_the_check_come_from_the_ruleset() -> None:
    assert {
        outcome: _starred(make_event(), points, 6) for outcome, points, _ in make_sheet(6).checks
    } == {
        "miners": ((3, True), (2, False), (2, False)),
        "saboteurs": ((3, True), (3, True)),
        "saboteur_connects": ((2, False), (2, False), (2, False)),
        "selfish": ((4, True),),
    }


def test_changed_rules_are_named() -> None:
    event = make_event(ruleset_changes={"selfish_points": 5})
    assert "rules es-2026 with changes" in Printed(sheets_pdf([make_sheet(event=event)])).texts[0]


@pytest.mark.parametrize("deals", [1, 2, 5, 6])
def test_unusual_numbers_of_deals_fit_one_page(deals: int) -> None:
    printed = Printed(sheets_pdf([make_sheet(10, deals, names=(LONG,))]))
    assert printed.count == 1
    assert f"Deal {deals}" in printed.texts[0]


def test_signs_no_font_has_do_not_end_the_document() -> None:
    names = ("😀🎲 Müller", "王小明", "محمد", "\u200f\u202e", "a\u0301" * 60, "<b>&amp;</b>")
    printed = Printed(sheets_pdf([make_sheet(names=names)]))
    assert printed.count == 1
    assert "<b>&amp;</b>" in printed.texts[0].replace("\0", "")


def test_a_comma_language_keeps_its_measures() -> None:
    with translation.override("es"):
        printed = Printed(sheets_pdf([make_sheet()]))
    assert printed.count == 1
    assert printed.outside(0, 6) == []


def test_the_link_is_read_from_the_picture_of_a_sheet(every_size: Printed) -> None:
    for number in range(every_size.count):
        assert every_size.codes(number) == ["https://lodestar.example/t/Zq3vT8rN1xYpLk0aWc5uHd7b/"]


@pytest.mark.parametrize(
    "paper", [PaperSize(210, 297, 2), PaperSize(279.4, 215.9), PaperSize(215.9, 279.4, 2)]
)
def test_sheets_go_on_other_paper(paper: PaperSize) -> None:
    printed = Printed(sheets_pdf([make_sheet(6, table=n) for n in (7, 8, 9)], paper=paper))
    size = (round(paper.width), round(paper.height))
    assert printed.sizes == [size] * (2 if paper.fold == 2 else 3)
    assert [printed.outside(number) for number in range(printed.count)] == [[]] * printed.count
    assert ("table 8" in printed.texts[0]) == (paper.fold == 2)
    assert len(printed.codes(0)) == paper.fold


def test_two_languages_stand_on_one_sheet() -> None:
    sheet = with_spare(make_sheet(9, 4))
    printed = Printed(sheets_pdf([sheet], languages=("es", "en")))
    assert printed.count == 1
    assert printed.outside(0, 6) == []
    for words in ("Mano 4 / Deal 4", "saboteadores", "saboteurs", "selfish dwarfs"):
        assert words in printed.texts[0]


def with_spare(sheet: TournamentSheet) -> TournamentSheet:
    return replace(sheet, spare=rulebook.tournament_rules(sheet.event).row(len(sheet.seats) + 1))


@pytest.mark.parametrize("seats", range(5, 10))
def test_a_row_is_kept_for_whoever_comes_late(seats: int) -> None:
    text = Printed(sheets_pdf([with_spare(make_sheet(seats))])).texts[0]
    row = rulebook.tournament_rules(make_event()).row(seats + 1)
    cards = f"{row.saboteur} S + {row.miner} M + {row.selfish} D, {row.hand_cards} hand cards"
    assert f"late player: {cards}" in text


@pytest.mark.parametrize("seats", SIZES)
@pytest.mark.parametrize("deals", range(1, 7))
@pytest.mark.parametrize("notes", [0, 1, 2, 3])
def test_boxes_can_be_written_in(seats: int, deals: int, notes: int) -> None:
    plan = plan_for(seats, deals, 3, notes, spare=seats < 10)
    assert plan.row >= 7.6
    assert plan.place.y + plan.place.h <= plan.legend.y
    assert plan.legend.y + plan.legend.h <= plan.sign.y
    assert plan.sign.y + plan.sign.h <= 198
    assert all(deal.points.w >= 9 for deal in plan.deals)
    last = plan.deals[-1].title
    assert last.x + last.w < plan.place.w
    assert all(name.w >= 40 for name in plan.names)


@pytest.mark.parametrize("name", [*NAMES, LONG, "W" * 60, "Şebnem " * 8, "ő" * 60, "王" * 60])
def test_a_name_never_leaves_its_room(name: str) -> None:
    lines = in_lines(name, 42, 8.6, 2, "bold")
    assert 1 <= len(lines) <= 2
    assert all(width_of(line, 8.6, "bold") <= 42 for line in lines)


def test_a_short_name_is_left_alone() -> None:
    assert in_lines("Ana Ruiz", 42, 8.6, 2) == ["Ana Ruiz"]
    assert cut("Ana Ruiz", 42, 8.6) == "Ana Ruiz"
    assert size_for("Ana Ruiz", 42, 13, 10) == 13


def test_a_box_is_written_without_decimal_comma() -> None:
    with translation.override("es"):
        assert Box(1, 2.5, 3, 4).css == "left:1.00mm;top:2.50mm;width:3.00mm;height:4.00mm"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/x.css",
        "data:text/css,p{}",
        "file://elsewhere/static/css/paper.css",
        "file:///etc/passwd",
        "../../manage.py",
    ],
)
def test_nothing_outside_static_is_read(url: str) -> None:
    with pytest.raises(ValueError, match="Not a file of static"):
        static_path(url)


def test_no_way_out_of_static_by_dots() -> None:
    with pytest.raises(ValueError, match="Not a file of static"):
        static_path(static_folder().as_uri() + "/css/../../manage.py")
