"""Reading a CSV or XLSX of entries: everything is checked, nothing is written."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournament.actions.players import PlayerEntry
from tournament.forms.players import PlayerForm
from tournament.models import Event
from tournament.models.players import NameStyle
from tournament.queries.players import known_people, number_of
from tournament.queries.seats import folded

MAX_BYTES = 2 * 1024 * 1024
MAX_ROWS = 3000
MAX_COLUMNS = 40

HEADINGS = {
    "name": (
        "name",
        "nombre",
        "nombre y apellidos",
        "player",
        "jugador",
        "jugadora",
        "full name",
        "naam",
        "nom",
        "nome",
        "isim",
        "ad soyad",
        "spieler",
    ),
    "first": ("first name", "nombre de pila", "voornaam", "vorname", "prénom"),
    "last": ("last name", "surname", "apellido", "apellidos", "achternaam", "nachname", "cognoms"),
    "email": (
        "email",
        "e-mail",
        "mail",
        "correo",
        "correo electrónico",
        "e-mail address",
        "eposta",
    ),
    "phone": ("phone", "teléfono", "telefono", "móvil", "movil", "tel", "telefoon", "telefon"),
    "alias": ("alias", "nickname", "apodo", "nick"),
    "age": ("of age", "mayor de edad", "age", "18+", "+18", "edad"),
    "note": ("note", "notes", "nota", "notas", "comentario", "comentarios", "remarks"),
}
YES = {"1", "x", "y", "yes", "s", "si", "sí", "true", "verdadero", "ja", "oui", "evet", "✓"}


@dataclass(frozen=True, slots=True)
class RowProblem:
    """What is wrong, and where: the row as the spreadsheet counts it, the column's heading."""

    row: int
    column: str
    message: str


@dataclass(slots=True)
class ReadRow:
    number: int
    entry: PlayerEntry
    problems: list[RowProblem] = field(default_factory=list)
    duplicate: str = ""


@dataclass(slots=True)
class Reading:
    """The preview: what would be imported, what is wrong, who is in the list already."""

    rows: list[ReadRow]
    unknown_columns: list[str]

    @property
    def problems(self) -> list[RowProblem]:
        return [problem for row in self.rows for problem in row.problems]

    @property
    def new(self) -> list[ReadRow]:
        return [row for row in self.rows if not row.duplicate and not row.problems]

    @property
    def duplicates(self) -> list[ReadRow]:
        return [row for row in self.rows if row.duplicate]


def read_spreadsheet(name: str, data: bytes, event: Event) -> Reading:
    """Rows of a CSV (`;`, `,` or tab; UTF-8 or cp1252) or XLSX. Raises ValidationError where the
    file as a whole can't be read."""
    if len(data) > MAX_BYTES:
        raise ValidationError(_("The file is larger than 2 MB."))
    return _reading(_xlsx(data) if data[:4] == b"PK\x03\x04" else _csv(data, name), event)


def _reading(table: Sequence[Sequence[str]], event: Event, *, first: int = 1) -> Reading:
    """`first`: the number of the heading's row, for whoever looks a problem up."""
    rows = [(number, [cell.strip() for cell in row]) for number, row in enumerate(table, first)]
    rows = [(number, row) for number, row in rows if any(row)]
    if not rows:
        raise ValidationError(_("The file is empty."))
    if len(rows) > MAX_ROWS:
        raise ValidationError(_("The file has more than 3,000 rows."))
    columns, unknown = _columns(rows[0][1])
    found = [_read(number, row, rows[0][1], columns, event) for number, row in rows[1:]]
    if not found:
        raise ValidationError(_("The file has a heading but no rows."))
    _mark_duplicates(found, event)
    return Reading(found, unknown)


def read_pasted(text: str, event: Event) -> Reading:
    """What was pasted: a table with its heading, or a person a line: a name, then perhaps an e-mail
    and a phone after `;`, a tab or a comma. Raises ValidationError as `read_spreadsheet` does."""
    if len(text) > MAX_BYTES:
        raise ValidationError(_("This is more than 2 MB."))
    table = _csv(text.encode(), "")
    try:
        _columns(next((row for row in table if any(row)), []))
    except ValidationError:
        lines = [_as_row(line) for line in text.splitlines()]
        return _reading([["name", "email", "phone"], *lines], event, first=0)
    return _reading(table, event)


def _as_row(line: str) -> list[str]:
    """Name, e-mail, phone of a pasted line, whatever parts them: cells with an @ or without letters
    find their place by themselves."""
    line = re.sub(r"^\s*(?:\d{1,4}[.)]|[-*•])\s+", "", line)  # numbered or with bullets
    cells = [cell.strip().strip("<>") for cell in re.split(r"[;\t,]|(?=<[^<>]+@)", line)]
    email = next((cell for cell in cells if "@" in cell), "")
    phone = next((c for c in cells if c and not any(letter.isalpha() for letter in c)), "")
    name = " ".join(cell for cell in cells if cell and cell not in (email, phone))
    return [name, email, phone]


def _csv(data: bytes, name: str) -> list[list[str]]:
    if b"\x00" in data:
        raise ValidationError(_("This is neither a CSV nor an XLSX file."))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    heading = text.split("\n", 1)[0]
    delimiter = max(";,\t", key=heading.count)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise ValidationError(
            _("The file can't be read as CSV: %(why)s.") % {"why": error}
        ) from error


def _xlsx(data: bytes) -> list[list[str]]:
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(item.file_size for item in archive.infolist()) > 8 * MAX_BYTES:
                raise ValidationError(_("The file is larger than it says."))
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        return [
            ["" if cell is None else _cell(cell) for cell in row]
            for row in sheet.iter_rows(values_only=True, max_row=MAX_ROWS + 2, max_col=MAX_COLUMNS)
        ]
    except ValidationError:
        raise
    except Exception as error:  # a damaged or hostile file fails anywhere inside the library
        raise ValidationError(
            _("This XLSX file can't be read. Save it again, or as CSV.")
        ) from error


def _cell(value: object) -> str:
    """A cell as a person sees it: phone numbers come as floats."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _columns(heading: Sequence[str]) -> tuple[dict[str, int], list[str]]:
    found: dict[str, int] = {}
    unknown = []
    for index, cell in enumerate(heading):
        word = cell.strip().casefold().rstrip(":*")
        key = next((key for key, words in HEADINGS.items() if word in words), None)
        if key is not None and key not in found:
            found[key] = index
        elif word:
            unknown.append(cell)
    if "name" not in found and "first" in found:
        found["name"] = found["first"]
    if "name" not in found:
        raise ValidationError(
            _("The first row must name the columns; “name” (or “nombre”) is missing.")
        )
    return found, unknown


def _read(
    number: int, row: Sequence[str], heading: Sequence[str], columns: dict[str, int], event: Event
) -> ReadRow:
    def cell(key: str) -> str:
        index = columns.get(key)
        return row[index] if index is not None and index < len(row) else ""

    name, alias = cell("name"), cell("alias")
    if "last" in columns:
        name = f"{name} {cell('last')}"
    typed = {"name": name, "alias": alias} | {key: cell(key) for key in ("email", "phone", "note")}
    style = NameStyle.ALIAS if alias else NameStyle.FULL
    form = PlayerForm(typed | {"name_style": style}, event=event)
    if not form.is_valid():
        problems = [
            RowProblem(number, heading[columns[key]] if key in columns else key, message)
            for key, found in form.errors.as_data().items()
            for error in found
            for message in error.messages
        ]
        return ReadRow(number, PlayerEntry(name=name, email=cell("email").lower()), problems)
    of_age = cell("age").casefold() in YES  # kept where the event asks for no age, too
    return ReadRow(number, replace(form.entry(), age_confirmed=of_age))


def _mark_duplicates(rows: Iterable[ReadRow], event: Event) -> None:
    known = known_people(event)
    earlier: dict[tuple[str, str], int] = {}
    for row in rows:
        who = (folded(row.entry.name), row.entry.email)
        if who in earlier:
            row.duplicate = _("the same as row %(row)d") % {"row": earlier[who]}
        elif number_of(known, row.entry.name, row.entry.email):
            row.duplicate = _("in the list already")
        earlier.setdefault(who, row.number)
