"""CSV and XLSX of entries: a preview with errors by row and column, all or nothing."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from openpyxl import Workbook

from tests.factories import make_event, make_player, organiser, organiser_of
from tests.pages import flat
from tournament.actions.attendance import withdraw
from tournament.actions.players import PlayerEntry, edit_player, import_players, mail_tickets
from tournament.forms.spreadsheet import _xlsx, read_pasted, read_spreadsheet
from tournament.links import ticket_url
from tournament.models import Event, LogEntry

pytestmark = pytest.mark.django_db

ROWS = [["Nombre", "Correo", "Teléfono"], ["Íñigo Núñez", "inigo@example.org", "600 111 222"]]


def xlsx(rows: list[list[object]]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def csv(rows: list[list[str]], delimiter: str = ";") -> str:
    return "\r\n".join(delimiter.join(row) for row in rows) + "\r\n"


@pytest.mark.parametrize(
    "data",
    [
        csv(ROWS).encode(),
        csv(ROWS, ",").encode(),
        csv(ROWS, "\t").encode(),
        csv(ROWS).encode("utf-8-sig"),
        csv(ROWS).encode("cp1252"),
        xlsx(ROWS),
    ],
    ids=["semicolon", "comma", "tab", "bom", "cp1252", "xlsx"],
)
def test_every_usual_form_of_a_list_reads_the_same(data: bytes) -> None:
    entry = read_spreadsheet("list", data, make_event()).rows[0].entry
    assert (entry.name, entry.email, entry.phone) == (
        "Íñigo Núñez",
        "inigo@example.org",
        "600 111 222",
    )


def test_errors_are_told_by_row_and_column() -> None:
    text = (
        "name;e-mail;phone\nAna;ana@example.org;\n;x@example.org;\nBea;not-an-address;" + "9" * 40
    )
    reading = read_spreadsheet("list.csv", text.encode(), make_event())
    assert [(one.row, one.column) for one in reading.problems] == [
        (3, "name"),
        (4, "e-mail"),
        (4, "phone"),
    ]


def test_a_row_is_read_as_the_form_of_the_page_reads_it() -> None:
    text = "name;alias\nAna;★★\nBea;Queen Bee\nCarla 1234567;"
    reading = read_spreadsheet("list.csv", text.encode(), make_event())
    found = {(one.row, one.column) for one in reading.problems}
    assert (2, "alias") in found
    assert [(row.entry.name, row.entry.alias) for row in reading.new][:1] == [("Bea", "Queen Bee")]


def test_duplicates_are_flagged_and_left_out() -> None:
    event = make_event()
    make_player(event, "Ana Ruiz", email="ana@example.org")
    text = "name;email\nAna Ruiz;ana@example.org\nBea;bea@example.org\nBEA;bea@example.org"
    reading = read_spreadsheet("list.csv", text.encode(), event)
    assert [row.duplicate for row in reading.rows] == [
        "in the list already",
        "",
        "the same as row 3",
    ]
    assert [row.entry.name for row in reading.new] == ["Bea"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("empty.csv", b"", "The file is empty"),
        ("heading.csv", b"name;email\n", "no rows"),
        ("columns.csv", b"foo;bar\n1;2\n", "must name the columns"),
        ("picture.png", b"\x89PNG\x00\x00", "neither a CSV nor an XLSX"),
        ("broken.xlsx", b"PK\x03\x04broken", "can&#x27;t be read"),
        ("large.csv", b"name\n" + b"x" * 2_200_000, "larger than 2 MB"),
    ],
)
def test_a_file_that_cannot_be_read_says_so(client, name: str, data: bytes, message: str) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    answer = client.post(
        reverse("player_import", args=[event.slug]), {"file": SimpleUploadedFile(name, data)}
    )
    assert answer.status_code == 422
    assert message in answer.content.decode()


def upload(client, event: Event, data: bytes) -> str:
    address = reverse("player_import", args=[event.slug])
    return client.post(address, {"file": SimpleUploadedFile("list.csv", data)}).content.decode()


def test_nothing_is_written_before_the_preview_is_confirmed(client) -> None:
    event = make_event(capacity=2)
    client.force_login(organiser_of(event))
    page = upload(client, event, b"nombre;correo\nAna;a@example.org\nBea;\nCarla;")
    assert event.players.count() == 0
    fields = dict(re.findall(r'name="(confirmed|key)" value="([^"]+)"', page))
    address = reverse("player_import", args=[event.slug])
    assert client.post(address, fields).status_code == 302
    assert client.post(address, fields).status_code == 302, "sent twice"
    assert list(event.players.values_list("name", "status")) == [
        ("Ana", "registered"),
        ("Bea", "registered"),
        ("Carla", "waiting"),
    ]


def test_a_list_with_errors_is_never_half_imported(client) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    page = upload(client, event, b"name;email\nAna;a@example.org\nBea;nonsense")
    assert "Nothing was imported" in page
    assert 'name="confirmed"' not in page
    assert event.players.count() == 0


def test_a_forged_preview_is_refused(client) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    answer = client.post(reverse("player_import", args=[event.slug]), {"confirmed": "forged"})
    assert answer.status_code == 422
    assert event.players.count() == 0


def test_imported_players_get_their_ticket_once_by_one_button(
    client, django_capture_on_commit_callbacks
) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    page = upload(client, event, b"name;email\nAna;ana@example.org\nBea;\nCarla;c@example.org")
    fields = dict(re.findall(r'name="(confirmed|key)" value="([^"]+)"', page))
    answer = client.post(reverse("player_import", args=[event.slug]), fields, follow=True)
    page = answer.content.decode()
    assert "2 of them have an e-mail" in page
    assert "2 players with an e-mail have no ticket yet" in page
    assert mail.outbox == []
    address = reverse("mail_tickets", args=[event.slug])
    fields = {"key": re.findall(r'name="key" value="([^"]+)"', page)[0]}
    for _again in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            assert client.post(address, fields).status_code == 302
    assert [one.to for one in mail.outbox] == [["ana@example.org"], ["c@example.org"]]
    assert all(
        ticket_url(player) in one.body
        for player, one in zip(event.players.exclude(name="Bea"), mail.outbox, strict=True)
    )
    entry = LogEntry.objects.get(event=event, verb="tickets.mailed")
    assert entry.after == [1, 3]
    assert "no ticket yet" not in client.get(reverse("players", args=[event.slug])).content.decode()


def test_one_ticket_is_mailed_again_with_the_same_link(
    client, django_capture_on_commit_callbacks
) -> None:
    event = make_event()
    ana = make_player(event, "Ana", email="ana@example.org")
    bea = make_player(event, "Bea")
    client.force_login(organiser_of(event))
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("player_move", args=[event.slug, ana.number, "mail-ticket"]))
    assert [ticket_url(ana) in one.body for one in mail.outbox] == [True]
    page = client.get(reverse("player", args=[event.slug, bea.number])).content.decode()
    assert "Mail the ticket" not in page
    address = reverse("player_move", args=[event.slug, bea.number, "mail-ticket"])
    assert client.post(address).status_code == 409


def test_a_new_address_has_no_ticket_yet() -> None:
    event = make_event()
    ana = make_player(event, "Ana", email="wrong@example.org")
    assert mail_tickets(event=event, by=organiser(event)) == 0
    edit_player(
        player=ana, entry=PlayerEntry(name="Ana", email="right@example.org"), by=organiser(event)
    )
    assert mail_tickets(event=event, by=organiser(event)) == 1


def test_who_withdrew_is_sent_no_ticket() -> None:
    event = make_event()
    entries = [PlayerEntry(name="Ana", email="ana@example.org"), PlayerEntry(name="Bea")]
    import_players(event=event, entries=entries, by=organiser(event))
    withdraw(player=event.players.get(name="Ana"), by=organiser(event))
    assert mail_tickets(event=event, by=organiser(event)) == 0


PASTED = """
1. Ana Ruiz; ana@example.org; +34 600 000 001
2) Bea Gil\tbea@example.org
- Carla Sanz <carla@example.org>
Dora "Do" Paz, +34 600 000 004, dora@example.org

Eva
"""


def test_names_are_pasted_as_people_have_them() -> None:
    event = make_event()
    found = [row.entry for row in read_pasted(PASTED, event).new]
    assert [(one.name, one.email, one.phone) for one in found] == [
        ("Ana Ruiz", "ana@example.org", "+34 600 000 001"),
        ("Bea Gil", "bea@example.org", ""),
        ("Carla Sanz", "carla@example.org", ""),
        ('Dora "Do" Paz', "dora@example.org", "+34 600 000 004"),
        ("Eva", "", ""),
    ]


def test_a_pasted_table_is_read_by_its_heading() -> None:
    event = make_event()
    (row,) = read_pasted("correo;nombre\nana@example.org;Ana Ruiz", event).new
    assert (row.entry.name, row.entry.email, row.number) == ("Ana Ruiz", "ana@example.org", 2)


def test_a_pasted_mistake_names_its_line_and_keeps_what_was_pasted(client) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    answer = client.post(
        reverse("player_import", args=[event.slug]), {"pasted": "Ana Ruiz\nBea; bea@nowhere"}
    )
    assert answer.status_code == 422
    page = flat(answer)
    assert "Row 2, column “email”" in page
    assert "Ana Ruiz\nBea; bea@nowhere" in answer.content.decode()


def test_nothing_pasted_and_no_file_says_what_to_do(client) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    answer = client.post(reverse("player_import", args=[event.slug]), {"pasted": " "})
    assert answer.status_code == 422
    assert "Paste names, or choose a file." in flat(answer)


def test_a_preview_is_never_stored_and_what_was_pasted_is(client) -> None:
    """Back shows nobody's e-mail after signing out, and the pasted list before."""
    event = make_event()
    client.force_login(organiser_of(event))
    address = reverse("player_import", args=[event.slug])
    assert "Cache-Control" not in client.get(address).headers
    preview = client.post(address, {"pasted": "Ana; ana@example.org"})
    assert "ana@example.org" in preview.content.decode()
    assert preview.headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize(
    ("shown", "style", "alias"),
    [
        ("", "full", ""),
        ("María Ñuñez Ortiz", "full", ""),
        ("María Ñ.", "initial", ""),
        ("Player 12", "number", ""),
        ("Mery", "alias", "Mery"),
    ],
)
def test_whoever_was_not_shown_by_name_is_not_after_an_import(
    shown: str, style: str, alias: str
) -> None:
    text = f"name;shown name\nMaría Ñuñez Ortiz;{shown}"
    reading = read_spreadsheet("list.csv", text.encode(), make_event())
    entry = reading.rows[0].entry
    assert (entry.name_style, entry.alias, reading.unknown_columns) == (style, alias, [])


def test_quotes_and_long_lists_are_pasted_too() -> None:
    event = make_event()
    found = read_pasted('"Pepe" Garcia\nAna\n"Bea Sol', event)
    assert [row.entry.name for row in found.rows] == ['"Pepe" Garcia', "Ana", '"Bea Sol']
    with pytest.raises(ValidationError, match="3,000"):
        read_pasted("a\n" * 100_000, event)


HEAD = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'


def unfolding(rows: bytes) -> bytes:
    """An XLSX whose sheet holds this."""
    plain, made = io.BytesIO(xlsx(ROWS)), io.BytesIO()
    with zipfile.ZipFile(plain) as before, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as now:
        for name in before.namelist():
            sheet = name == "xl/worksheets/sheet1.xml"
            now.writestr(name, HEAD + rows if sheet else before.read(name))
    return made.getvalue()


@pytest.mark.parametrize(
    "rows",
    [
        b"<row/>" * 400_000,
        b"<row>" + b"<c><v>1</v></c>" * 100_000,
        b"<row><c>" + b"<a>" * 400_000,
        b"<row " + b" ".join(b'a%d="1"' % one for one in range(400_000)),
        b"<row><c><is><t>" + b"a" * 9_000_000,
    ],
    ids=["rows", "cells", "depth", "attributes", "text"],
)
def test_a_small_file_that_unfolds_is_refused_before_it_is_read(
    rows: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openpyxl.load_workbook", lambda *_given, **_more: pytest.fail("read"))
    data = unfolding(rows)
    assert len(data) < 2_000_000
    with pytest.raises(ValidationError, match="more than a list of players"):
        read_spreadsheet("list.xlsx", data, make_event())


@pytest.mark.parametrize("read", [read_pasted, lambda text, event: read_text(text, event)])
@pytest.mark.parametrize("text", ["\n" * 1_900_000, "name\n" + ";\n" * 900_000, "name\n\n" * 5000])
def test_lines_are_counted_as_they_come(read, text: str) -> None:
    with pytest.raises(ValidationError, match="more than 3,000 rows"):
        read(text, make_event())


def read_text(text: str, event: Event):
    return read_spreadsheet("list.csv", text.encode(), event)


def test_columns_beyond_those_that_are_read_are_told_of() -> None:
    event = make_event()
    wide = [["name", *[""] * 60], ["Ana", *[""] * 60]]
    assert read_text(csv(wide), event).rows[0].entry.name == "Ana"
    assert read_spreadsheet("list", xlsx(wide), event).rows[0].entry.name == "Ana"
    wide[1][40] = "more"
    for data in (csv(wide).encode(), xlsx(wide)):
        with pytest.raises(ValidationError, match="more than 40 columns"):
            read_spreadsheet("list", data, event)


def test_three_thousand_people_in_twelve_columns_are_read() -> None:
    people = [[f"Ana Player{n}", *[f"more {n}"] * 11] for n in range(2999)]
    data = xlsx([["name", *map(str, range(11))], *people])
    assert len(_xlsx(data)) == 3000
