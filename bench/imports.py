"""What the worst lists cost that somebody can import: time, and memory beyond that of the server.

    python -m bench.imports

Each is read in a process of its own. An honest list of 3,000 people stands beside them.
"""

from __future__ import annotations

import io
import json
import os
import resource
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.settings")

SHEET = "xl/worksheets/sheet1.xml"
HEAD = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
TAIL = b"</sheetData></worksheet>"
NAME = b'<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>'


def with_sheet(rows: bytes) -> bytes:
    """An XLSX whose sheet holds these rows, whatever they are."""
    from openpyxl import Workbook

    plain, made = io.BytesIO(), io.BytesIO()
    Workbook().save(plain)
    with zipfile.ZipFile(plain) as before, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as now:
        for name in before.namelist():
            now.writestr(name, HEAD + rows + TAIL if name == SHEET else before.read(name))
    return made.getvalue()


def honest(columns: int = 8) -> bytes:
    """3,000 people, as a spreadsheet program saves them."""
    from openpyxl import Workbook

    book, made = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet.append(["name", "email", *(f"more {one}" for one in range(columns - 2))])
    for number in range(2999):
        more = (f"{number} {one}" for one in range(columns - 2))
        sheet.append([f"Ana Player{number}", f"p{number}@example.org", *more])
    book.save(made)
    return made.getvalue()


FILES: dict[str, Callable[[], bytes]] = {
    "honest, 3,000 people": honest,
    "as many cells as are read": lambda: with_sheet(
        NAME + b"".join(b"<row>" + b"<c><v>1</v></c>" * 24 + b"</row>" for _ in range(2900))
    ),
    "two million empty rows": lambda: with_sheet(b"<row/>" * 2_000_000),
    "a million cells in a row": lambda: with_sheet(b"<row>" + b"<c><v>1</v></c>" * 1_000_000),
    "one within the other": lambda: with_sheet(b"<row><c>" + b"<a>" * 4_000_000),
    "nothing but attributes": lambda: with_sheet(
        b"<row " + b" ".join(b'a%d="1"' % one for one in range(800_000)) + b"/>"
    ),
    "one long text": lambda: with_sheet(
        b'<row><c t="inlineStr"><is><t>' + b"a" * 15_000_000 + b"</t></is></c></row>"
    ),
    "rows far apart": lambda: with_sheet(NAME + b'<row r="1048576"><c r="XFD1048576"/></row>'),
    "newlines": lambda: b"\n" * 1_900_000,
    "semicolons": lambda: b";" * 1_900_000,
    "lines of a semicolon": lambda: b"name\n" + b";\n" * 900_000,
    "quotes": lambda: b'"' * 1_900_000,
    "one long line": lambda: b"name\n" + b"a;" * 900_000,
}


def measure(name: str) -> dict[str, object]:
    """Read one file here."""
    import django

    django.setup()
    import openpyxl.reader.excel  # noqa: F401 - the server has loaded it
    from django.core.exceptions import ValidationError

    from tournament.forms import spreadsheet

    data = FILES[name]()
    # What was needed to make the file is needed to read it again, unless it is more.
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun, said = time.perf_counter(), ""
    try:
        table = (
            spreadsheet._xlsx(data) if data[:2] == b"PK" else spreadsheet._csv(data.decode("utf-8"))
        )
        said = f"{len(table)} rows"
    except ValidationError as error:
        said = error.messages[0]
    seconds = time.perf_counter() - begun
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {"bytes": len(data), "seconds": seconds, "mb": more / 1024, "said": said}


def main() -> None:
    for name in FILES:
        command = [sys.executable, "-m", "bench.imports", name]
        done = subprocess.run(command, capture_output=True, check=True, cwd=Path.cwd())
        found = json.loads(done.stdout)
        print(
            f"{name:28} {found['bytes'] / 1000:7.0f} kB {found['seconds']:6.2f} s "
            f"{found['mb']:5.0f} MB  {found['said']}"
        )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(sys.argv[1])))
    else:
        main()
