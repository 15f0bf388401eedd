"""Listings as CSV and XLSX. What somebody typed never becomes a formula, and is not lost either:
`forms/spreadsheet.py` reads it back (docs/decisions/exports.md)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping

from tournament.queries.exports import Cell, Listing

# What a spreadsheet program may take for the beginning of a formula.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_MOST_WIDE = 40  # letters


def csv_of(listing: Listing) -> bytes:
    """UTF-8 with its mark and `;`, which Excel and LibreOffice open by a double click where the
    comma is the decimal sign. Words are quoted, since LibreOffice parts cells at commas as well."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=";", quoting=csv.QUOTE_NONNUMERIC)
    for row in (listing.heading, *listing.rows):
        writer.writerow([_guarded(cell) for cell in row])
    return text.getvalue().encode("utf-8-sig")


def _guarded(cell: Cell) -> Cell:
    """With an apostrophe before what would be reckoned."""
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def xlsx_of(listing: Listing) -> bytes:
    """One sheet, its heading kept in view; words stay words, whatever they begin with."""
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = Workbook()
    sheet = book.active
    sheet.freeze_panes = "A2"
    for number, row in enumerate((listing.heading, *listing.rows), 1):
        for place, value in enumerate(row, 1):
            cell = sheet.cell(number, place)
            if isinstance(value, int):
                cell.value = value
                continue
            cell.value = ILLEGAL_CHARACTERS_RE.sub("", value)
            cell.data_type = "s"  # else "=1+1" would be a formula
            cell.number_format = "@"
            cell.quotePrefix = bool(_FORMULA.match(value))
            cell.font = Font(bold=number == 1)
    for place, column in enumerate(zip(listing.heading, *listing.rows, strict=True), 1):
        widest = max(len(str(one)) for one in column)
        sheet.column_dimensions[get_column_letter(place)].width = min(widest, _MOST_WIDE) + 2
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


# How each kind of file is written, and what a browser is told that it is.
SPREADSHEETS: Mapping[str, tuple[Callable[[Listing], bytes], str]] = {
    "csv": (csv_of, "text/csv; charset=utf-8"),
    "xlsx": (xlsx_of, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
