"""Lists of names in every encoding, with every heading; checked row by row as the form checks."""

from __future__ import annotations

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_player, organiser_of
from tests.names import HARD_NAMES, NO_NAMES
from tests.pages import flat
from tournament.forms.spreadsheet import read_spreadsheet

pytestmark = pytest.mark.django_db


def as_csv(rows: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_an_import_reads_every_name(encoding: str) -> None:
    rows = [["name", "alias"], *([one.typed, one.typed] for one in HARD_NAMES)]
    text = as_csv(rows)
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    reading = read_spreadsheet("list.csv", mark + text.encode(encoding), make_event())
    assert not reading.problems
    assert not reading.guessed
    read = [(row.entry.name, row.entry.alias) for row in reading.rows]
    assert read == [(one.name, one.name) for one in HARD_NAMES]


def test_an_import_refuses_what_the_form_refuses_row_by_row() -> None:
    odd = [one for one in NO_NAMES if one.strip() and "\x07" not in one]
    rows = [["name", "alias"], *(["Ana", one] for one in odd), *([one, ""] for one in odd)]
    reading = read_spreadsheet("list.csv", as_csv(rows).encode(), make_event())
    places = [(one.row, one.column) for one in reading.problems]
    count = len(odd)
    assert places == [
        *((row, "alias") for row in range(2, 2 + count)),
        *((row, "name") for row in range(2 + count, 2 + 2 * count)),
    ]


@pytest.mark.parametrize(
    ("heading", "row", "name"),
    [
        ("Nombre;Primer apellido;Segundo apellido", "Ana;Ñuñez;Ortiz", "Ana Ñuñez Ortiz"),
        ("Nombre;1º apellido;2º apellido:", "Ana;Ñuñez;", "Ana Ñuñez"),
        ("Apellidos;Nombre", "Ñuñez Ortiz;Ana", "Ana Ñuñez Ortiz"),
        ("Nombre y apellidos;Apellidos", "Ana Ruiz;Ruiz", "Ana Ruiz"),
        ("First name;Last name", "Ana;Ruiz", "Ana Ruiz"),
        ("Surname;Given name;Middle name", "Ruiz;Ana;Lou", "Ana Lou Ruiz"),
        ("Voornaam;Tussenvoegsel;Achternaam", "Jan;van der;Berg", "Jan van der Berg"),
        ("Nom;Cognoms", "Núria;Puig i Soler", "Núria Puig i Soler"),
        ("Nom;Primer cognom;Segon cognom", "Núria;Puig;Soler", "Núria Puig Soler"),
        ("Cognome;Nome", "Rossi;Gianna", "Gianna Rossi"),
        ("Vorname;Nachname", "Jörg;Groß", "Jörg Groß"),
        ("Name;Vorname", "Groß;Jörg", "Jörg Groß"),
        ("Nom;Prénom", "Dupont;Zoé", "Zoé Dupont"),
        ("Ad;Soyad", "İrem;Işık", "İrem Işık"),
        ("Ad Soyad;Soyad", "İrem Işık;Işık", "İrem Işık"),
        ("NAME*;E-Mail", "Ana;ana@example.org", "Ana"),
    ],
)
def test_the_columns_of_a_name_are_joined(heading: str, row: str, name: str) -> None:
    text = f"{heading}\n{row}\n"
    reading = read_spreadsheet("list.csv", text.encode(), make_event())
    assert [one.entry.name for one in reading.rows] == [name]
    assert not reading.problems


@pytest.mark.parametrize(
    "first", ["sep=;\r\n", "SEP=;\n", '"sep=;"\n', "\ufeffsep=;\n", "sep=|\n", "sep=\t\n"]
)
def test_a_first_line_may_name_what_parts_the_columns(first: str) -> None:
    sign = first.strip('"\r\n\ufeff')[-1:] or "\t"
    text = f"{first}name{sign}note\nAna, Bea{sign}late\n"
    reading = read_spreadsheet("list.csv", text.encode(), make_event())
    assert [(one.number, one.entry.name, one.entry.note) for one in reading.rows] == [
        (2, "Ana, Bea", "late")
    ]


def test_an_encoding_that_is_a_guess_is_told(client: Client) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    address = reverse("player_import", args=[event.slug])
    data = "name\nÍñigo\n".encode("cp1252")
    page = flat(client.post(address, {"file": SimpleUploadedFile("list.csv", data)}))
    assert "Íñigo" in page
    assert "does not say how its letters are written" in page
    data = b"name\n\x81\x8dAna\n"
    page = flat(client.post(address, {"file": SimpleUploadedFile("list.csv", data)}))
    assert "Row 2, column “name”: The name holds characters" in page


def test_two_rows_of_one_name_can_be_two_people(client: Client) -> None:
    event = make_event()
    make_player(event, "Carla")
    client.force_login(organiser_of(event))
    address = reverse("player_import", args=[event.slug])
    data = b"name\nAna Ruiz\nAna Ruiz\nANA RUIZ\nCarla\nBea\n"
    page = client.post(address, {"file": SimpleUploadedFile("list.csv", data)})
    assert 'name="also" value="3"' in flat(page)
    sent = {"confirmed": page.context["packed"], "key": page.context["key"], "also": ["3", "5"]}
    assert client.post(address, sent).status_code == 302
    assert list(event.players.values_list("name", flat=True)) == [
        "Carla",
        "Ana Ruiz",
        "Ana Ruiz",
        "Carla",
        "Bea",
    ]


def test_an_import_in_which_nobody_is_chosen_says_so(client: Client) -> None:
    event = make_event()
    make_player(event, "Ana")
    client.force_login(organiser_of(event))
    address = reverse("player_import", args=[event.slug])
    page = client.post(address, {"file": SimpleUploadedFile("list.csv", b"name\nAna\n")})
    sent = {"confirmed": page.context["packed"], "key": page.context["key"]}
    answer = client.post(address, sent)
    assert answer.status_code == 422
    assert "nothing to import" in flat(answer)
