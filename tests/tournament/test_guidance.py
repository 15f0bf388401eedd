"""Help at the table: the common errors, and what people ask, found however it is typed."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from tests.factories import make_event, make_table, organiser_of
from tests.pages import flat
from tests.tournament.test_printed_documents import print_it
from tournament.guidance import QUESTIONS, SOURCES, Source
from tournament.links import questions_url
from tournament.queries.guidance import answers_to, common_errors

pytestmark = pytest.mark.django_db


def keys(query: str, language: str = "en") -> set[str]:
    with override(language):
        return {one.key for one in answers_to(query)}


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("double repair", "double repair"),
        ("ROCKFALL", "rockfall"),
        ("stone fit", "stone"),
        ("turning cards", "turning"),
        ("hands at the end", "hands at the end"),
        ("passing", "pass"),
        ("broken tool and playing", "broken tool"),
        ("map", "map"),
        ("nobody has cards", "no cards"),
        ("who starts the next deal", "start"),
    ],
)
def test_what_people_ask_is_found(query: str, key: str) -> None:
    assert key in keys(query)


@pytest.mark.parametrize("query", ["derrumbe", "Dérrúmbe", "  DERRUMBE "])
def test_accents_and_case_do_not_matter(query: str) -> None:
    assert keys(query, "es") == {"rockfall"}


def test_nothing_asked_shows_all_and_nonsense_none() -> None:
    assert len(answers_to("")) == len(QUESTIONS) == len({one.key for one in QUESTIONS})
    assert keys("zzz") == set()


def test_each_answer_says_where_it_comes_from_and_only_silence_has_none() -> None:
    for one in QUESTIONS:
        assert one.source in SOURCES
        assert one.answer or one.source is Source.SILENT, one.key


def test_the_page_is_searched_without_a_script() -> None:
    event = make_event()
    page = flat(Client().get(reverse("questions", args=[event.slug]), {"q": "rockfall goal"}))
    assert "May a rockfall take the start card or a goal card?" in page
    assert "The championship texts do not say." in page
    assert "Somebody comes late" not in page
    none = flat(Client().get(reverse("questions", args=[event.slug]), {"q": "<b>zzz"}))
    assert "Nothing here has these words." in none


def test_the_errors_are_those_of_play_and_the_one_without_a_class() -> None:
    errors = common_errors()
    assert errors[0] == "forgot to draw a card"
    assert errors[-1] == "draws from the discard pile"
    assert len(errors) == 16
    assert not {"theft", "late by up to 5 minutes", "another small error"} & set(errors)
    page = flat(Client().get(reverse("errors", args=[make_event().slug])))
    assert "every player's duty" in page
    assert "Plays out of turn" in page


def test_tables_tickets_and_judges_find_both() -> None:
    table = make_table()
    event = table.round.event
    judge = Client()
    judge.force_login(organiser_of(event))
    ticket = reverse("ticket", args=[event.players.first().token])
    for page in (
        flat(Client().get(reverse("table_link:sheet", args=[table.token]))),
        flat(Client().get(ticket)),
    ):
        assert reverse("errors", args=[event.slug]) in page
        assert reverse("questions", args=[event.slug]) in page
    notebook = flat(judge.get(reverse("notebook", args=[event.slug])))
    assert reverse("questions", args=[event.slug]) in notebook


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("languages", [("en",), ("es", "en")])
def test_four_cards_lie_on_a_page_with_everything_on_each(
    paper: str, languages: tuple[str, ...]
) -> None:
    event = make_event(name="Copa Topo")
    printed = print_it(event, "errors", paper, languages)
    assert printed is not None
    assert printed.count == 1
    assert printed.codes(0) == [questions_url(event)] * 4
    assert printed.texts[0].count("Plays out of turn") == 4 // len(languages)
    assert "…" not in printed.texts[0]
    assert printed.outside(0) == []
    assert printed.overlaps(0) == []
