"""Names: cleaned, found, abbreviated and told apart, everywhere in the same way."""

from __future__ import annotations

import pytest

from tests.names import HARD_NAMES, NO_NAMES, HardName
from tournament.forms.fields import NameField
from tournament.forms.players import PlayerForm
from tournament.models import Event
from tournament.names import abbreviated, clean, problem_of
from tournament.spelling import NameSearch, folded

each_name = pytest.mark.parametrize("hard", HARD_NAMES, ids=lambda one: ascii(one.typed)[:40])


def test_there_are_forty_of_them_and_no_two_alike() -> None:
    assert len({folded(one.name) for one in HARD_NAMES}) == len(HARD_NAMES) >= 40


@each_name
def test_a_name_is_cleaned_once_and_for_all(hard: HardName) -> None:
    assert clean(hard.typed) == hard.name
    assert clean(hard.name) == hard.name
    assert problem_of(hard.name) == ""
    assert NameField().clean(hard.typed) == hard.name


@each_name
def test_a_name_is_abbreviated_without_breaking_a_letter(hard: HardName) -> None:
    assert abbreviated(hard.name) == hard.short


@each_name
def test_a_name_is_found_however_it_is_spelled(hard: HardName) -> None:
    for typed in (*hard.found_by, hard.name, hard.name.upper(), hard.name.lower()):
        assert NameSearch.of(typed).finds(7, hard.name), typed
    assert not NameSearch.of("zzz").finds(7, hard.name)


@pytest.mark.parametrize(
    "typed", ["3", "#3", "No. 3", "no 3", "nº 3", "N.º 3", "№ 3", "Nr. 3", "n° 3", " 3. "]
)
def test_a_start_number_is_found_as_people_write_it(typed: str) -> None:
    search = NameSearch.of(typed)
    assert [number for number in (1, 3, 13, 30, 33) if search.finds(number, "Ana")] == [3]


def test_a_bare_number_may_be_somebodys_name() -> None:
    assert NameSearch.of("47").finds(2, "Hitman", "Agent 47")
    assert not NameSearch.of("#47").finds(2, "Agent 47")
    assert not NameSearch.of("4").finds(2, "Agent 47")


def test_a_number_beside_words_is_never_a_part_of_one() -> None:
    found = [n for n in (1, 7, 17, 70) if NameSearch.of("player 7").finds(n, f"Player {n}")]
    assert found == [7]
    assert NameSearch.of("4 · Ana").finds(4, "Ana")
    assert not NameSearch.of("ana 4").finds(14, "Ana")


@pytest.mark.parametrize("typed", ["...", "'", "·", " ", "\u200b"])
def test_a_search_without_a_letter_finds_nobody(typed: str) -> None:
    assert not NameSearch.of(typed).finds(1, "Ana")


@pytest.mark.parametrize("typed", NO_NAMES, ids=ascii)
def test_what_is_no_name_is_told(typed: str) -> None:
    form = PlayerForm({"name": typed, "name_style": "full"}, event=Event())
    assert "name" in form.errors
    form = PlayerForm({"name": "Ana", "name_style": "alias", "alias": typed}, event=Event())
    assert "alias" in form.errors


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Ana", "Ana"),
        ("Ana Ruiz", "Ana R."),
        ("Ana María", "Ana M."),
        ("Juan Carlos Pérez Gil", "Juan P."),
        ("María del Carmen López", "María L."),
        ("J. R. R. Tolkien", "J. T."),
        ("Ana “Pepa” Ruiz", "Ana R."),
        ("Fatima al-Zahra", "Fatima Z."),
        ("Ruiz García, Ana María", "Ana R."),
        ("क्षमा क्षत्रिय", "क्षमा क्ष."),
        ("Ludwig van", "Ludwig v."),
    ],
)
def test_the_initial_is_the_first_surnames(name: str, short: str) -> None:
    assert abbreviated(name) == short
