"""Players and standings as CSV and XLSX, which a spreadsheet opens and our import reads back."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from openpyxl import load_workbook

from tests.factories import (
    make_event,
    make_player,
    make_players,
    organiser,
    organiser_of,
    play,
    play_round,
)
from tests.tournament.test_cut import level_round
from tournament.actions import attendance, cuts, finals, rounds
from tournament.actions.penalties import DealRef, InquiryNote, give_penalty
from tournament.actions.players import import_players
from tournament.documents.spreadsheet import csv_of, xlsx_of
from tournament.forms.spreadsheet import read_spreadsheet
from tournament.models import Event
from tournament.queries.exports import Listing, players_listing, standings_listing
from tournament.queries.standings import standings_for
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db

KEPT = ("name", "name_style", "alias", "age_confirmed", "note", "contact__email", "contact__phone")
WRITERS = pytest.mark.parametrize("write", [csv_of, xlsx_of])


def crowd() -> Event:
    """Whatever a spreadsheet program may take for something else."""
    event = make_event()
    for entry in (
        {"name": "Íñigo Núñez", "email": "inigo@example.org", "phone": "+34 600 111 222"},
        {"name": "=1+1 Ana", "note": '=HYPERLINK("http://x.example","y")', "phone": "0034600"},
        {"name": "@SUM(A1) Bea", "note": "-2+3; or 'so', \"they\" say", "age_confirmed": True},
        {"name": "Şebnem Çağlar", "name_style": "initial", "note": "'=apostrophe"},
        {"name": "Łukasz Żółć", "name_style": "alias", "alias": "+Lucas"},
        {"name": "Nguyễn Hương", "name_style": "number", "note": "wheelchair, table 1"},
    ):
        make_player(event, **entry)  # type: ignore[arg-type]
    return event


def listing_of(event: Event) -> Listing:
    return players_listing(event.players.select_related("contact"))


def cells_of(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter=";"))


@WRITERS
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_import_reads_what_was_exported(write, language: str) -> None:
    event, other = crowd(), make_event()
    with translation.override(language):
        reading = read_spreadsheet("list", write(listing_of(event)), other)
        assert reading.problems == []
        import_players(
            event=other, entries=[row.entry for row in reading.rows], by=organiser(other)
        )
    found, expected = (list(one.players.values_list(*KEPT)) for one in (other, event))
    assert found == expected


def test_no_cell_of_a_csv_is_a_formula() -> None:
    data = csv_of(listing_of(crowd()))
    assert data.startswith(b"\xef\xbb\xbf")
    began = {cell[0] for row in cells_of(data) for cell in row if cell}
    assert not began & set("=+-@\t\r")


def test_no_cell_of_an_xlsx_is_a_formula() -> None:
    sheet = load_workbook(io.BytesIO(xlsx_of(listing_of(crowd())))).active
    assert "f" not in {cell.data_type for row in sheet.iter_rows() for cell in row}
    assert sheet["B3"].value == "=1+1 Ana"
    assert sheet["B3"].quotePrefix
    assert sheet["A3"].value == 2


def test_headings_speak_the_language_of_the_reader() -> None:
    event = make_event()
    make_player(event, "Ana Ruiz", email="ana@example.org", phone="600", age_confirmed=True)
    assert listing_of(event) == Listing(
        "players",
        ("No.", "Name", "Shown name", "State", "E-mail", "Phone", "Of age", "Note", "Source"),
        (
            (
                1,
                "Ana Ruiz",
                "Ana Ruiz",
                "Checked in",
                "ana@example.org",
                "600",
                "yes",
                "",
                "walk-in",
            ),
        ),
    )
    with translation.override("es"):
        assert listing_of(event).heading[1] == "Nombre"


def test_the_file_holds_whom_the_page_shows(client: Client) -> None:
    event = make_event()
    for name in ("Ana", "Bea"):
        make_player(event, name)
    make_player(event, "Gala", here=False)
    client.force_login(organiser_of(event))
    page = client.get(reverse("players", args=[event.slug]) + "?status=checked_in&page=1")
    address = reverse("players_file", args=[event.slug, "csv"])
    assert f'href="{address}?status=checked_in"' in page.content.decode()
    names = {
        query: [row[1] for row in cells_of(client.get(address + query).content)[1:]]
        for query in ("", "?status=checked_in", "?q=ga")
    }
    assert names == {
        "": ["Ana", "Bea", "Gala"],
        "?status=checked_in": ["Ana", "Bea"],
        "?q=ga": ["Gala"],
    }


@pytest.mark.parametrize("name", ["players_file", "standings_file"])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_file_is_named_after_the_event(client: Client, name: str, kind: str) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    answer = client.get(reverse(name, args=[event.slug, kind]))
    what = name.removesuffix("_file")
    assert (
        answer.headers["Content-Disposition"]
        == f'attachment; filename="{event.slug}-{what}.{kind}"'
    )
    assert client.get(reverse(name, args=[event.slug, "pdf"])).status_code == 404


def finished_final() -> Event:
    """Twelve level players, six by lot in the final, which is played."""
    event = make_event(rounds_planned=1)
    make_players(event, 12)
    level_round(event)
    by = organiser(event)
    cut = cuts.make_cut(event=Event.objects.get(pk=event.pk), by=by)
    cuts.settle_line(cut=cut, by=by)
    final = rounds.publish_round(round_=finals.draw_final(cut=cut, by=by), by=by)
    play(tables_of(final)[0])
    rounds.close_round(round_=final, by=by)
    return Event.objects.get(pk=event.pk)


def test_standings_are_the_one_order_of_everybody() -> None:
    event = finished_final()
    board = standings_for(event)
    rows = standings_listing(event).rows
    assert [row[1] for row in rows] == [row.number for row in (*board.final, *board.rows)]
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    # Points, stars; those of the preliminaries; deals; in the final.
    first, last = rows[0], rows[-1]
    assert first[4:6] == (board.final[0].points, board.final[0].stars)
    assert first[6:8] == (board.final[0].preliminary_points, board.final[0].preliminary_stars)
    assert (first[8], first[9]) == (3 + 4, "yes")
    assert (last[4:6], last[8], last[9]) == (last[6:8], 3, "no")
    assert last[11] == "out by lot"


def test_standings_say_who_left_and_who_is_disqualified() -> None:
    event = make_event(cut_size=0)
    one, other = make_players(event, 6)[:2]
    play_round(event)
    by = organiser(event)
    attendance.drop(player=one, by=by)
    give_penalty(
        player=other,
        infraction="3.0",
        step=4,
        reason="cheated",
        deal=DealRef("preliminary", 1, 1),
        inquiry=InquiryNote("both", "marked cards", "Julio"),
        by=by,
    )
    listing = standings_listing(Event.objects.get(pk=event.pk))
    remarks = {row[1]: row[-1] for row in listing.rows}
    assert (remarks[one.number], remarks[other.number]) == ("dropped out", "disqualified")
    assert listing.rows[-1][1] == other.number
    assert listing.rows[-1][0] == ""
    for write in (csv_of, xlsx_of):
        assert write(listing)


def test_a_player_without_contact_is_exported(django_assert_num_queries) -> None:
    event = make_event()
    make_players(event, 3)
    event.players.first().contact.delete()
    with django_assert_num_queries(1):
        rows = listing_of(event).rows
    assert [row[4] for row in rows] == ["", "", ""]


def test_an_event_without_anybody_gives_a_heading() -> None:
    event = make_event()
    for listing in (listing_of(event), standings_listing(event)):
        assert cells_of(csv_of(listing)) == [list(listing.heading)]
