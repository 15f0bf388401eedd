"""Names on paper: every letter is printed, or the start number stands instead."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_player, make_round, organiser_of
from tests.names import HARD_NAMES, LONG
from tests.pages import flat
from tests.tournament.printed import Printed
from tournament.documents.catalogue import DOCUMENTS
from tournament.documents.layout import letters
from tournament.documents.layout.fitting import cut, in_lines, width_of
from tournament.documents.request import DocumentRequest
from tournament.documents.store import joined
from tournament.queries.names import find_namesakes


@pytest.fixture
def no_other_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "_host_ranges", lambda _now: ())


OURS = ("Aoife O’Brien", "Nguyễn Thị Ánh", "Νίκος Παπαδόπουλος", "Дмитрий Щербаков", "İrem Işık")


@pytest.mark.usefixtures("no_other_fonts")
def test_letters_that_no_font_has_give_way_to_the_start_number() -> None:
    assert [letters.on_paper(name, 7) for name in OURS] == list(OURS)
    assert letters.on_paper("李小龍", 7) == "Player 7"
    assert letters.on_paper("李小龍 #7", 7) == "Player 7"
    assert letters.on_paper("Zoë 🦊 Fox", 7) == "Zoë Fox #7"
    assert letters.on_paper("Ana #7", 7) == "Ana #7"


def test_letters_of_the_machines_fonts_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    ranges = letters._merged(["20-7e", "4e00-9fff", "61-7a", "a0"])
    assert ranges == ((0x20, 0x7E), (0xA0, 0xA0), (0x4E00, 0x9FFF))
    monkeypatch.setattr(letters, "_host_ranges", lambda _now: ranges)
    assert letters.on_paper("李小龍", 7) == "李小龍"
    assert set(letters.lacking("علي李")) == set("علي")


def test_without_the_program_all_is_left_to_the_renderer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters.shutil, "which", lambda _name: None)
    letters._host_ranges.cache_clear()
    assert letters.on_paper("李小龍", 7) == "李小龍"
    letters._host_ranges.cache_clear()


@pytest.mark.django_db
@pytest.mark.usefixtures("no_other_fonts")
def test_the_page_of_prints_tells_whose_name_lacks_letters(client: Client) -> None:
    event = make_event()
    make_player(event, "李小龍")
    make_player(event, "Ana Ruiz")
    client.force_login(organiser_of(event))
    page = flat(client.get(reverse("prints", args=[event.slug])))
    assert "for which there is no font here:</strong> <p>1 李小龍</p>" in page
    assert "fonts-noto-cjk" in page


def test_a_long_word_goes_on_in_the_next_line_and_keeps_its_number() -> None:
    lines = in_lines(f"{LONG} Ruiz", 40, 12, 4, "bold")
    assert "".join(lines).replace(" ", "") == f"{LONG}Ruiz"
    assert all(width_of(one, 12, "bold") <= 40 for one in lines)
    assert cut(f"{LONG} #12", 40, 12, "bold").endswith("… #12")
    assert width_of(cut(f"{LONG} #12", 40, 12, "bold"), 12, "bold") <= 40


@pytest.mark.paper
@pytest.mark.django_db
@pytest.mark.usefixtures("no_other_fonts")
@pytest.mark.parametrize(
    "kind", ["by-name", "by-table", "sheets", "badges", "check-in", "standings"]
)
def test_every_hard_name_is_printed_in_its_place(kind: str) -> None:
    event = make_event()
    for hard in HARD_NAMES:
        make_player(event, hard.name)
    make_player(event, HARD_NAMES[0].name, namesake=True)
    round_ = make_round(event)
    round_.event = event
    document = DOCUMENTS[kind]
    request = DocumentRequest(event, kind, round_ if document.of_round else None)
    printed = Printed(joined(document.parts(request, document.facts(request))))
    for page in range(printed.count):
        assert not printed.outside(page), page
        assert not printed.overlaps(page), page
    text = " ".join(printed.texts).replace("\u00ad", "")
    told = find_namesakes(event.pk)
    for player in event.players.all():
        name = (
            player.name
            if kind in ("badges", "check-in")
            else told.staff_name(player.name, player.number)
        )
        if len(name) < 25:
            assert letters.on_paper(name, player.number) in text
        else:
            assert name[:6] in text
    assert not any(letters.lacking(one) for one in text.split())
