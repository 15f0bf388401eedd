"""Reading a CSV or XLSX of entries: everything is checked, nothing is written."""

from __future__ import annotations

import codecs
import csv
import io
import re
import zipfile
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournament.actions.players import PlayerEntry
from tournament.forms.players import PlayerForm
from tournament.models import Event
from tournament.models.events import OF_AGE
from tournament.names import NameStyle, shown_name
from tournament.queries.players import Known, known_people, namesake_of
from tournament.spelling import folded

MAX_BYTES = 2 * 1024 * 1024
MAX_ROWS = 3000
MAX_COLUMNS = 40
MAX_LINES = 10 * MAX_ROWS  # with empty ones
MAX_UNFOLDED = 4 * MAX_BYTES  # of an XLSX
# `<` and `=` of a sheet, and of all beside the sheets: 3,000 people in 12 columns make 300,000.
MAX_MARKS = 300_000
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split(", "))


# As `folded` writes them: "Apellido 1º:" is "apellido 1o". "Name" alone, in German the surname, and
# "nombre" are read by what stands beside them (`_name_columns`).
HEADINGS = {
    "full": _words(
        "full name, nombre y apellidos, nombre completo, apellidos y nombre, nom i cognoms, "
        "nom complet, nome e cognome, nome completo, cognome e nome, ad soyad, adi soyadi, "
        "volledige naam, vollstandiger name, vor und nachname"
    ),
    "name": _words(
        "name, nombre, nom, nome, naam, ad, adi, isim, player, players, jugador, jugadora, "
        "jugador a, jugadores, participante, speler, spieler, spielerin, giocatore, oyuncu"
    ),
    "first": _words(
        "first name, firstname, given name, forename, nombre de pila, primer nombre, voornaam, "
        "vorname, prenom, nom de pila"
    ),
    "middle": _words("middle name, segundo nombre, tussenvoegsel, tussenvoegsels, secondo nome"),
    "last": _words(
        "last name, lastname, surname, family name, apellido, apellidos, primer apellido, "
        "1er apellido, 1o apellido, apellido 1, apellido1, apellido paterno, achternaam, "
        "familienaam, nachname, familienname, cognom, cognoms, primer cognom, 1r cognom, cognome, "
        "cognomi, nom de famille, soyad, soyadi, soyisim"
    ),
    "second_last": _words(
        "segundo apellido, 2o apellido, apellido 2, apellido2, apellido materno, segon cognom, "
        "2n cognom, second last name, second surname, secondo cognome"
    ),
    "email": _words(
        "email, e mail, mail, correo, correo electronico, correu, correu electronic, "
        "e mail address, email address, eposta, e posta, e mailadres"
    ),
    "phone": _words(
        "phone, telefono, telefon, movil, mobil, tel, telefoon, telephone, mobile, handy, cellulare"
    ),
    "alias": _words("alias, nickname, apodo, nick, mote, spitzname, bijnaam, takma ad"),
    "shown": _words("shown name, name in public, nombre visible, nombre en publico"),
    "age": _words("of age, mayor de edad, tiene la edad, age, 18, edad, major d edat"),
    "minor": _words(
        "under 18, minor, underage, under age, menor, menor de edad, menor de 18, "
        "menor de 18 anos, menor d edat, minderjarig, minderjahrig, unter 18, "
        "minorenne, 18 yas alti, resit degil"
    ),
    "guardian": _words(
        "parent or guardian, guardian, parent, parents, padre madre o tutor, madre padre o tutor, "
        "padre o madre, madre o padre, tutor, tutora, tutor legal, tutor a, representante legal, "
        "ouder, ouder of voogd, voogd, eltern, erziehungsberechtigte, pare mare o tutor, genitore, "
        "genitore o tutore, tutore, veli"
    ),
    "guardian_contact": _words(
        "contact of the parent or guardian, guardian contact, parent contact, guardian phone, "
        "parent phone, guardian email, parent email, contacto del padre madre o tutor, "
        "contacto del tutor, contacto de la madre padre o tutor, contacto de la madre, "
        "contacto del padre, telefono del tutor, "
        "correo del tutor, contacto del padre o la madre, contacte del tutor"
    ),
    "guardian_agrees": _words(
        "parent or guardian has agreed, guardian agrees, guardian agreed, consent, "
        "parental consent, consentimiento, autorizacion, autorizacion paterna, "
        "madre padre o tutor de acuerdo, toestemming, einwilligung, consens, consenso"
    ),
    "note": _words("note, notes, nota, notas, comentario, comentarios, remarks, observaciones"),
}
NAMES = ("full", "name", "first", "middle", "last", "second_last")
NO = {"", "0", "-", "n", "no", "nope", "false", "falso", "nee", "nein", "non", "hayır", "hayir"}
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
    """The preview: what would be imported, what is wrong, who is in the list already. `guessed`:
    the file does not say how its letters are written."""

    rows: list[ReadRow]
    unknown_columns: list[str]
    guessed: bool = False

    @property
    def problems(self) -> list[RowProblem]:
        return [problem for row in self.rows for problem in row.problems]

    @property
    def new(self) -> list[ReadRow]:
        return [row for row in self.rows if not row.duplicate and not row.problems]

    @property
    def duplicates(self) -> list[ReadRow]:
        return [row for row in self.rows if row.duplicate]

    @property
    def in_full(self) -> int:
        """How many of the new ones everybody sees by the full name."""
        return sum(row.entry.name_style == NameStyle.FULL for row in self.new)

    @property
    def askable(self) -> list[ReadRow]:
        """Left out, and perhaps other people of the same name."""
        return [row for row in self.duplicates if not row.problems]


def read_spreadsheet(name: str, data: bytes, event: Event, *, minors: bool = False) -> Reading:
    """Rows of a CSV (`;`, `,` or tab; UTF-8, UTF-16 or cp1252) or XLSX. `minors`: all of them are
    under 18, whatever the columns say. Raises ValidationError where the file as a whole can't be
    read."""
    if len(data) > MAX_BYTES:
        raise ValidationError(_("The file is larger than 2 MB."))
    if data[:4] == b"PK\x03\x04":
        return _reading(_xlsx(data), event, minors=minors)
    text, guessed = _decoded(data)
    return _reading(_csv(text), event, guessed=guessed, minors=minors)


def _reading(
    table: Sequence[Sequence[str]],
    event: Event,
    *,
    minors: bool,
    first: int = 1,
    guessed: bool = False,
) -> Reading:
    """`first`: the number of the heading's row, for whoever looks a problem up."""
    rows = [(number, [cell.strip() for cell in row]) for number, row in enumerate(table, first)]
    rows = [(number, row) for number, row in rows if any(row)]
    if not rows:
        raise ValidationError(_("The file is empty."))
    if len(rows) > MAX_ROWS:
        raise too_many_rows()
    if any(any(row[MAX_COLUMNS:]) for _number, row in rows):
        raise ValidationError(
            _("The file has more than %(count)d columns: leave those that are needed.")
            % {"count": MAX_COLUMNS}
        )
    columns, unknown = _columns(rows[0][1])
    found = [
        _read(number, row, rows[0][1], columns, event, minors=minors) for number, row in rows[1:]
    ]
    if not found:
        raise ValidationError(_("The file has a heading but no rows."))
    _mark_duplicates(found, event)
    return Reading(found, unknown, guessed)


def read_pasted(text: str, event: Event, *, minors: bool = False) -> Reading:
    """What was pasted: a table with its heading, or a person a line: a name, then perhaps an e-mail
    and a phone after `;`, a tab or a comma. Raises ValidationError as `read_spreadsheet` does."""
    if len(text) > MAX_BYTES:
        raise ValidationError(_("This is more than 2 MB."))
    lines = text.splitlines()
    if sum(map(bool, lines)) > MAX_ROWS or len(lines) > MAX_LINES:
        raise too_many_rows()
    try:
        table = _csv(text)
        _columns(next((row for row in table if any(row)), []))
    except ValidationError:  # names with quotes, or no heading
        rows = [_as_row(line) for line in lines]
        rows = [["name", "email", "phone"], *rows]
        return _reading(rows, event, first=0, minors=minors)
    return _reading(table, event, minors=minors)


def too_many_rows() -> ValidationError:
    return ValidationError(_("The file has more than 3,000 rows."), code="rows")


def _as_row(line: str) -> list[str]:
    """Name, e-mail, phone of a pasted line, whatever parts them: cells with an @ or without letters
    find their place by themselves."""
    line = re.sub(r"^\s*(?:\d{1,4}[.)]|[-*•])\s+", "", line)  # numbered or with bullets
    cells = [cell.strip().strip("<>") for cell in re.split(r"[;\t,]|(?=<[^<>]+@)", line)]
    email = next((cell for cell in cells if "@" in cell), "")
    phone = next((c for c in cells if c and not any(letter.isalpha() for letter in c)), "")
    name = " ".join(cell for cell in cells if cell and cell not in (email, phone))
    return [name, email, phone]


def _decoded(data: bytes) -> tuple[str, bool]:
    """The text of a CSV, and whether its encoding is a guess."""
    try:
        if data.startswith(UTF_16):
            return data.decode("utf-16"), False
        if b"\x00" in data:
            raise ValueError("not a text")
    except ValueError as error:
        raise ValidationError(
            _(
                "This is neither a CSV nor an XLSX file. In your spreadsheet choose “Save as”, and "
                "there XLSX, or CSV in UTF-8."
            )
        ) from error
    try:
        return data.decode("utf-8-sig"), False
    except UnicodeDecodeError:
        # What it lacks becomes a sign that no name may hold, so its row is told.
        return data.decode("cp1252", errors="replace"), True


def _csv(text: str) -> list[list[str]]:
    """A first line `sep=;`, which Excel hides as well, names what parts the columns."""
    told = re.match(r'"?sep=(.)"?[ ;,\t]*\r?(?:\n|$)', text, re.IGNORECASE)
    if told:
        text = text[told.end() :]
    heading = text.split("\n", 1)[0]
    delimiter = told[1] if told else max(";,\t", key=heading.count)
    try:
        table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        return _table(table)
    except (csv.Error, ValueError, TypeError) as error:
        raise ValidationError(
            _("The file can't be read as CSV: %(why)s.") % {"why": error}
        ) from error


def _table(found: Iterable[list[str]]) -> list[list[str]]:
    """All rows, counted as they come."""
    rows: list[list[str]] = []
    full = 0
    for row in found:
        full += any(row)
        if full > MAX_ROWS or len(rows) == MAX_LINES:
            raise too_many_rows()
        # One column more than there may be, if it holds anything, is told of later.
        more = next(filter(None, row[MAX_COLUMNS:]), None)
        kept = row[:MAX_COLUMNS] if more is None else [*row[:MAX_COLUMNS], more]
        rows.append([_unguarded(cell) for cell in kept])
    return rows


def _unguarded(cell: str) -> str:
    """Without the apostrophe by which our own export keeps words from being reckoned."""
    return cell[1:] if re.match(r"'+[=+\-@\t\r]", cell) else cell


def _xlsx(data: bytes) -> list[list[str]]:
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _weigh(archive)
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        return [
            ["" if cell is None else _cell(cell) for cell in row]
            for row in sheet.iter_rows(
                values_only=True, max_row=MAX_ROWS + 2, max_col=MAX_COLUMNS + 1
            )
        ]
    except ValidationError:
        raise
    except Exception as error:  # a damaged or hostile file fails anywhere inside the library
        raise ValidationError(
            _("This XLSX file can't be read. Save it again, or as CSV.")
        ) from error


def _weigh(archive: zipfile.ZipFile) -> None:
    """Refuse what would take long to read: a few kilobytes can unfold into millions of cells. All
    is counted as it is unfolded, before anything is made of it."""
    size = beside = 0
    for item in archive.infolist():
        # Of the sheets one alone is read.
        sheet = item.filename.startswith("xl/worksheets/")
        marks = 0 if sheet else beside
        with archive.open(item) as part:
            while piece := part.read(64 * 1024):
                size += len(piece)
                marks += piece.count(b"<") + piece.count(b"=")
                if size > MAX_UNFOLDED or marks > MAX_MARKS:
                    raise ValidationError(
                        _(
                            "The file holds more than a list of players: leave one sheet, with the "
                            "columns that are needed, or save it as CSV."
                        )
                    )
        if not sheet:
            beside = marks


def _cell(value: object) -> str:
    """A cell as a person sees it: phone numbers come as floats."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _columns(heading: Sequence[str]) -> tuple[dict[str, int], list[str]]:
    """What each column is, and the headings that nobody knows."""
    found: dict[str, int] = {}
    unknown = []
    for index, cell in enumerate(heading):
        word = folded(cell)
        key = next((key for key, words in HEADINGS.items() if word in words), None)
        if key is not None and key not in found:
            found[key] = index
        elif word:
            unknown.append(cell)
    if not {"full", "name", "first"} & found.keys():
        raise ValidationError(
            _("The first row must name the columns; “name” (or “nombre”) is missing.")
        )
    used = _name_columns(found)
    unknown += [heading[found[key]] for key in NAMES if key in found and key not in used]
    return found, unknown


def _name_columns(found: Collection[str]) -> list[str]:
    """The columns that make up a name, in the order in which they are spoken."""
    if "full" in found:
        return ["full"]
    surnames = [key for key in ("last", "second_last") if key in found]
    if "first" in found and "name" in found:
        # Beside a first name, "name" is the surname, as in German; beside both it is all of it.
        order = ["name"] if surnames else ["first", "middle", "name"]
    else:
        order = ["first", "name", "middle", *surnames]
    return [key for key in order if key in found]


def _read(
    number: int,
    row: Sequence[str],
    heading: Sequence[str],
    columns: dict[str, int],
    event: Event,
    *,
    minors: bool,
) -> ReadRow:
    def cell(key: str) -> str:
        index = columns.get(key)
        return row[index] if index is not None and index < len(row) else ""

    parts = _name_columns(columns)
    name = " ".join(filter(None, map(cell, parts)))
    style, alias = _shown_as(name, cell("alias"), cell("shown"))
    typed: dict[str, Any] = {"name": name, "alias": alias, "name_style": style}
    typed |= {key: cell(key) for key in ("email", "phone", "note", "guardian", "guardian_contact")}
    typed["minor"] = minors or _is_minor(cell("minor"), cell("age"), cell("guardian"), event)
    typed["guardian_agrees"] = _is_yes(cell("guardian_agrees"))
    form = PlayerForm(typed, event=event, minors=True)
    places = {**columns, "name": columns[parts[0]]}
    problems = [
        RowProblem(number, heading[places[key]] if key in places else key, message)
        for key, found in form.errors.as_data().items()
        for error in found
        for message in error.messages
    ]
    problems += [
        RowProblem(number, heading[columns[key]], _("Write yes or no, or the age."))
        for key in ("age", "minor", "guardian_agrees")
        if not (
            cell(key).casefold() in YES | NO or (key != "guardian_agrees" and _years(cell(key)))
        )
    ]
    if problems:
        return ReadRow(number, PlayerEntry(name=name, email=cell("email").lower()), problems)
    # Kept where the event asks for no age, too.
    of_age = _is_yes(cell("age")) or _years(cell("age")) >= (event.minimum_age or OF_AGE)
    return ReadRow(number, replace(form.entry(), age_confirmed=of_age))


def _is_yes(text: str) -> bool:
    return text.casefold() in YES


def _years(text: str) -> int:
    """The age that is written there, 0 where none is; 1 is a yes."""
    years = int(text) if re.fullmatch(r"[0-9]{1,3}", text) else 0
    return years if 1 < years <= 120 else 0


def _is_minor(told: str, age: str, guardian: str, event: Event) -> bool:
    """What the list says of it, by a yes or by an age; else whoever has a guardian is under 18."""
    if told:
        return _is_yes(told) or 0 < _years(told) < OF_AGE
    return bool(guardian) or (event.admits_minors and 0 < _years(age) < OF_AGE)


def _shown_as(name: str, alias: str, shown: str) -> tuple[NameStyle, str]:
    """The style and other name of somebody who has an alias, or is shown like that in our own
    export: who did not want the full name in public does not have it there after the import."""
    if alias:
        return NameStyle.ALIAS, alias
    if not name or shown in ("", name):
        return NameStyle.FULL, ""
    if shown == shown_name(name, NameStyle.INITIAL, "", 0):
        return NameStyle.INITIAL, ""
    if re.sub(r"\d+", "0", shown) == shown_name(name, NameStyle.NUMBER, "", 0):
        return NameStyle.NUMBER, ""
    return NameStyle.ALIAS, shown


def _mark_duplicates(rows: Iterable[ReadRow], event: Event) -> None:
    known = known_people(event)
    earlier: Known = {}
    for row in rows:
        name, email = row.entry.name, row.entry.email
        if first := namesake_of(earlier, name, email):
            row.duplicate = _("the same as row %(row)d") % {"row": first}
        elif namesake_of(known, name, email):
            row.duplicate = _("in the list already")
        earlier.setdefault(folded(name), {}).setdefault(email, row.number)
