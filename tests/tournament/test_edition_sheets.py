"""The paper scoresheets of the editions, read back from the PDF; built without the database."""

from __future__ import annotations

import re
from typing import Any

import pytest

from scoring.editions import EDITIONS
from tests.tournament.printed import Printed
from tests.tournament.test_documents import LONG, NAMES, make_event
from tournament.documents.kinds.scoresheets import sheets_pdf
from tournament.documents.layout.edition_grid import GridShape, edition_plan
from tournament.documents.request import PAPER_SIZES
from tournament.models import Round
from tournament.queries.edition_rules import set_up_lines
from tournament.queries.printed_sheets import EditionSheet
from tournament.queries.seats import SeatRow

pytestmark = pytest.mark.paper

SIZES = [(key, size) for key, edition in EDITIONS.items() for size in edition.sizes]
ENDS = [
    (key, size)
    for key, edition in EDITIONS.items()
    for size in sorted({edition.sizes[0], edition.sizes[-1]})
]
# Of a tournament, and of the editions that an event does not play.
FOREIGN = {
    "base-classic": "star|selfish|points|boss|crystal|thie|jail|door|duel",
    "base-new": "star|selfish|points|boss|crystal|thie|jail|door|duel",
    "saboteur-2": "star|selfish|points|miner|gold card|duel",
    "duel": "star|selfish|points|nugget|miner|saboteurs|role|boss|crystal|hand card",
}


def sheet_of(key: str, seats: int, deals: int = 3, **fields: Any) -> EditionSheet:
    event = make_event(ruleset=key, name="Club evening", dwarf_note="", edition="", **fields)
    edition = EDITIONS[key]
    names = (*NAMES, LONG, "W" * 40)
    rows = [
        SeatRow(100 + place, names[place % len(names)], "", 4, place + 1, place)
        for place in range(seats)
    ]
    return EditionSheet(
        event=event,
        round=Round(event=event, stage="preliminary", number=2, deals=deals),
        table=4,
        link="https://lodestar.example/t/Zq3vT8rN1xYpLk0aWc5uHd7b/",
        seats=tuple(rows),
        deals=deals,
        edition=edition,
        row=edition.row(seats),
        spare=edition.row(seats + 1) if seats + 1 in edition.sizes else None,
    )


@pytest.fixture(scope="module")
def printed() -> dict[tuple[str, int], tuple[str, Printed, int]]:
    """The text of each edition's sheet at each size."""
    found = {}
    for key, edition in EDITIONS.items():
        made = Printed(sheets_pdf([sheet_of(key, size) for size in edition.sizes]))
        for page, size in enumerate(edition.sizes):
            found[key, size] = (made.texts[page], made, page)
    return found


@pytest.mark.parametrize(("key", "size"), SIZES)
def test_a_table_of_any_size_has_one_page(
    printed: dict[tuple[str, int], tuple[str, Printed, int]], key: str, size: int
) -> None:
    text, made, page = printed[key, size]
    assert made.count == len(EDITIONS[key].sizes)
    assert made.sizes[page] == (297, 210)
    assert made.outside(page, 6) == []
    assert made.overlaps(page) == []
    assert f"{size} players · 3 deals" in text if size > 1 else text
    for place in range(min(size, len(NAMES))):
        assert NAMES[place] in text
    for words in ("Deal 3", "Sum", "Dealer", "Penalties", "Second person at the table", key):
        assert words in text
    assert "Deal 4" not in text


@pytest.mark.parametrize(("key", "size"), SIZES)
def test_a_sheet_has_no_word_of_another_game(
    printed: dict[tuple[str, int], tuple[str, Printed, int]], key: str, size: int
) -> None:
    assert re.findall(FOREIGN[key], printed[key, size][0], re.IGNORECASE) == []


@pytest.mark.parametrize(("key", "size"), [one for one in SIZES if one[0] != "duel"])
def test_the_strip_tells_what_is_shuffled_and_left_over(
    printed: dict[tuple[str, int], tuple[str, Printed, int]], key: str, size: int
) -> None:
    text, row = printed[key, size][0], EDITIONS[key].row(size)
    assert f"{row.spare} left over, unseen" in text
    assert f"{row.hand_cards} hand cards for each player" in text
    assert set_up_lines(key, size)[0] in text
    for words in ("Who reached the gold?", "nobody", "Nuggets", "0 nuggets"):
        assert words in text
    if key == "saboteur-2":
        for words in ("blue dwarfs", "green dwarfs", "boss", "profiteer", "geologists"):
            assert words in text
        assert "Doors on the path, crystals" in text
        assert "In jail, thieves" in text
    else:
        assert f"{row.cards['saboteur']} S saboteur" in text
        assert f"{row.cards['miner']} M miners" in text


def test_what_is_paid_is_the_rules_own(
    printed: dict[tuple[str, int], tuple[str, Printed, int]],
) -> None:
    assert "9 gold cards to the miners" in printed["base-classic", 10][0]
    assert "a gold card for each miner" in printed["base-new", 10][0]
    assert "none in play: nobody gets anything" in printed["base-new", 4][0]
    assert "none in play" not in printed["base-new", 5][0]
    for words in ("4 each", "3 each"):
        assert words in printed["base-classic", 6][0]
    for words in ("3 each", "2 each"):
        assert words in printed["base-classic", 10][0]
    assert "1 5 2 4 3 3 4 2 5+ 1" in printed["saboteur-2", 12][0]
    assert "Who has more gold over all of them has won the duel." in printed["duel", 2][0]
    assert "Has won" in printed["duel", 2][0]


@pytest.mark.parametrize("paper", ["a5", "half-letter"])
def test_two_small_sheets_share_a_page(paper: str) -> None:
    sheets = [sheet_of(key, size) for key, size in ENDS]
    made = Printed(sheets_pdf(sheets, ("es", "en"), PAPER_SIZES[paper]))
    assert made.count == -(-len(ENDS) // 2)
    assert [made.outside(page) for page in range(made.count)] == [[]] * made.count
    assert [len(made.codes(page)) for page in range(made.count)] == [2] * 3 + [1]


@pytest.mark.parametrize(("key", "size"), ENDS)
@pytest.mark.parametrize("deals", [1, 3, 4, 6])
def test_rows_and_boxes_can_be_written_in(key: str, size: int, deals: int) -> None:
    facts = {"saboteur-2": 3, "duel": 0}.get(key, 1)
    shape = GridShape(
        seats=size,
        deals=deals,
        roles=len(EDITIONS[key].row(size).cards),
        facts=facts,
        won=key == "duel",
        top=58.0,
        legend=16.0,
        spare=size + 1 in EDITIONS[key].sizes,
    )
    plan = edition_plan(shape)
    assert plan.row >= 6
    assert plan.place.y + plan.place.h <= plan.legend.y
    assert plan.legend.y + plan.legend.h <= plan.sign.y
    assert plan.sign.y + plan.sign.h <= 198
    assert all(deal.points.w >= 10 for deal in plan.deals)
    for deal in plan.deals:
        boxes = deal.facts.boxes(facts)
        assert all(box.w >= 4 for box in boxes)
        assert all(box.x + box.w <= deal.title.x + deal.title.w for box in boxes)
    # Where bubbles would touch, the letter is written.
    assert bool(plan.deals[0].letters) == (shape.roles > 0 and (shape.roles < 6 or deals < 6))
