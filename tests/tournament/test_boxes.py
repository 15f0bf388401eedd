"""Boxes: what each table's page and sheet say of its own, and what was counted."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_players, make_round, organiser, organiser_of
from tests.pages import flat
from tests.tournament.test_printed_documents import print_it
from tournament.actions.boxes import add_box, change_box, check_box, remove_box
from tournament.models import Box, Event
from tournament.models.boxes import promo_fits
from tournament.queries.boxes import box_rows, misfits, ranges
from tournament.queries.log import log_of, log_rows
from tournament.refusals import Refused
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db
OURS = {"edition": "2025", "promo_cards": "El carrusel", "dwarf_note": "The blue bow"}
OLD = {"name": "A", "edition": "2004–2024", "promo_cards": "", "dwarf_note": "The red jacket"}


def add(event: Event, tables: list[int], **more: str) -> Box:
    return add_box(event=event, facts=OLD | more, tables=tables, by=organiser(event))


def seated() -> Event:
    """Two tables, by the settings of the event."""
    event = make_event(rounds_planned=2, **OURS)
    make_players(event, 12)
    make_round(event)
    return event


def signed_in(event: Event) -> Client:
    client = Client()
    client.force_login(organiser_of(event))
    return client


# --- at the table ------------------------------------------------------------------------------


def test_a_table_with_a_box_reads_its_note_and_the_others_the_settings() -> None:
    event = seated()
    add(event, [2])
    one, two = (
        flat(Client().get(reverse("table_link:sheet", args=[table.token])))
        for table in tables_of(event.rounds.get())
    )
    assert "The blue bow" in one
    assert "The red jacket" not in one
    assert "The red jacket" in two
    assert "Box: A · 2004–2024" in two
    assert "The blue bow" not in two


def test_the_printed_sheet_of_a_table_says_what_holds_for_its_box() -> None:
    event = seated()
    add(event, [2])
    printed = print_it(event, "sheets")
    assert printed is not None
    one, two = printed.texts
    assert "Selfish dwarf: The blue bow · Box: 2025 · Promo cards: El carrusel" in one
    assert "Selfish dwarf: The red jacket · Box: 2004–2024" in two
    assert "Box A" in two
    assert "Box A" not in one
    assert "carrusel" not in two


def test_the_card_of_a_table_says_which_dwarf_it_is_in_its_box() -> None:
    event = seated()
    add(event, [2])
    printed = print_it(event, "cards")
    assert printed is not None
    (page,) = printed.texts
    assert page.count("Selfish dwarf cards: The blue bow") == 1
    assert page.count("Selfish dwarf cards: The red jacket") == 1


# --- which table -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "words"),
    [([], ""), ([3], "3"), ([1, 2, 3, 7], "1–3, 7"), ([4, 1, 2], "1–2, 4")],
)
def test_numbers_are_told_as_ranges(numbers: list[int], words: str) -> None:
    assert ranges(numbers) == words


@pytest.mark.parametrize(
    ("typed", "numbers"), [("1-3, 7", [1, 2, 3, 7]), ("2; 1 – 2", [1, 2]), ("", []), (",5,", [5])]
)
def test_tables_are_typed_as_ranges_or_one_by_one(typed: str, numbers: list[int]) -> None:
    event = make_event()
    sent = {"name": "A", "tables": typed}
    assert signed_in(event).post(reverse("boxes", args=[event.slug]), sent).status_code == 302
    assert [one.number for one in event.boxes.get().tables.all()] == numbers


@pytest.mark.parametrize("typed", ["x", "3-1", "0", "1-9999", "1-", "1 2"])
def test_what_is_no_table_is_told_and_kept(typed: str) -> None:
    event = make_event()
    sent = {"name": "A", "tables": typed}
    page = signed_in(event).post(reverse("boxes", args=[event.slug]), sent)
    assert page.status_code == 422
    assert f"“{typed.strip()}” is no table" in flat(page)
    assert not event.boxes.exists()


def test_a_table_has_one_box() -> None:
    event = make_event()
    add(event, [1, 2])
    with pytest.raises(Refused, match="Table 2 plays with box “A” already"):
        add(event, [2, 3], name="B")
    with pytest.raises(Refused, match="There is a box “A” already"):
        add(event, [])
    assert [row.tables for row in box_rows(event)] == ["1–2"]


def test_a_change_is_logged_with_what_differs() -> None:
    event = make_event()
    box, by = add(event, [1, 2]), organiser(event)
    facts = OLD | {"edition": "2025"}
    for _again in range(2):
        change_box(box=box, facts=facts, tables=[2, 3], by=by)
    (changed, added) = log_rows(log_of(event)[:2])
    assert (changed.what, changed.about) == ("Box changed", "A")
    assert sorted(changed.details) == [
        "Edition of the box: 2004–2024 → 2025",
        "Tables: 1–2 → 2–3",
    ]
    assert "Tables: – → 1–2" in added.details


def test_a_box_that_is_taken_out_frees_its_tables_and_its_name() -> None:
    event = make_event()
    box, by = add(event, [1]), organiser(event)
    remove_box(box=box, by=by)
    assert [row.tables for row in box_rows(event)] == []
    add(event, [1])
    with pytest.raises(Refused, match="not in the event any more"):
        check_box(box=box, moment="before", missing="", by=by)
    page = signed_in(event).get(reverse("box", args=[event.slug, box.pk]))
    assert page.status_code == 404


# --- what fits ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "promo", "fits"),
    [
        ("2025", "El carrusel", True),
        ("Base 2025", "El Carrusel", True),
        ("2004–2024", "El carrusel", False),
        ("2004–2024", "the CAROUSEL of 2026", False),
        ("2004–2024", "The troll", True),
        ("", "El carrusel", True),
    ],
)
def test_the_promo_of_2026_fits_backs_of_2025_alone(edition: str, promo: str, fits: bool) -> None:
    assert promo_fits(edition, promo) is fits


def test_what_does_not_fit_is_a_warning_for_organisers_and_refuses_nothing() -> None:
    event = make_event(edition="2004–2024", promo_cards="El carrusel")
    box = add(event, [1], promo_cards="El carrusel")
    assert len(misfits(event)) == 2
    client = signed_in(event)
    warning = "“El carrusel” has the backs of 2025"
    for name, args in (("boxes", []), ("box", [box.pk]), ("rules", [])):
        assert warning in flat(client.get(reverse(name, args=[event.slug, *args]))), name
    assert warning not in flat(Client().get(reverse("rules", args=[event.slug])))


# --- counted -----------------------------------------------------------------------------------


def test_one_tap_says_complete_and_words_say_what_is_missing() -> None:
    event = make_event()
    box, client = add(event, [1]), signed_in(event)
    address = reverse("box_check", args=[event.slug, box.pk])

    def last() -> list[tuple[str, str | None]]:
        (row,) = box_rows(event)
        return [(str(one.moment), one.last.missing if one.last else None) for one in row.checks]

    assert last() == [("before", None), ("after", None)]
    sent: dict[str, Any] = {"moment": "before", "missing": "two gold cards"}
    client.post(address, sent)
    assert last() == [("before", "two gold cards"), ("after", None)]
    client.post(address, sent | {"complete": "1"})
    client.post(address, {"moment": "after", "complete": "1"})
    assert last() == [("before", ""), ("after", "")]
    assert box.checks.count() == 3
    assert client.post(address, {"moment": "after"}).status_code == 409
    assert client.post(address, {"moment": "never", "complete": "1"}).status_code == 409
    told = [(row.reason, row.details) for row in log_rows(log_of(event)[:3])]
    assert told == [
        ("", ["After: complete"]),
        ("", ["Before: complete"]),
        ("two gold cards", ["Before"]),
    ]


def test_the_check_list_is_printed_for_each_box_or_once_to_be_copied() -> None:
    event = make_event(edition="2025", promo_cards="El carrusel")
    alone = print_it(event, "boxes")
    assert alone is not None
    (text,) = alone.texts
    assert "Box ____ · 2025" in text
    for counted in ("44 27 28 7 4", "path cards", "action cards", "promo cards: El carrusel"):
        assert counted in text
    add(event, [1, 2])
    add(event, [3], name="B")
    printed = print_it(event, "boxes", languages=("es", "en"))
    assert printed is not None
    assert "Tables: 1–2" in printed.texts[0]


def test_boxes_are_listed_in_a_fixed_number_of_queries(django_assert_num_queries: Any) -> None:
    event = make_event()
    for number in range(3):
        box = add(event, [number + 1], name=str(number))
        check_box(box=box, moment="before", missing="", by=organiser(event))
    with django_assert_num_queries(4):
        assert len(box_rows(event)) == 3
