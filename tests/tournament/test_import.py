"""CSV and XLSX of entries: a preview with errors by row and column, all or nothing."""

from __future__ import annotations

import io
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from openpyxl import Workbook

from tests.factories import make_event, make_player, organiser_of
from tournament.forms.spreadsheet import read_spreadsheet
from tournament.models import Event

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
