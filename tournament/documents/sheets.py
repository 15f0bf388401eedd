"""The scoresheets of a round, one a table, to be filled in with a pen.

Equal tables have one drawing in common (`sheetform.py`), made once; a sheet of its own adds the
table's number, its code, and who sits there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.documents.ask import PAPERS, Ask, Part
from tournament.documents.boxes import Box
from tournament.documents.codes import qr_svg
from tournament.documents.fitting import MM_PER_PT, in_lines, size_for, width_of
from tournament.documents.forms import Paper
from tournament.documents.labels import Label, column, line
from tournament.documents.render import pdf
from tournament.documents.sheetform import SheetForm, form_of
from tournament.queries.paper import PaperSheet, paper_sheets

CHUNK = 34  # sheets made at once: more of them take more memory and hardly less time
_SIZES, _SIZES_TALL = (13.0, 10.5, 8.6), (15.0, 11.5, 10.5)  # of names: one line, in two lines


@dataclass(frozen=True, slots=True)
class _Page:
    """One sheet: its words, its code, and the number of the form under it."""

    labels: tuple[Label, ...]
    qr: SafeString


def facts(ask: Ask) -> list[PaperSheet]:
    """The sheets of a round, or of some of its tables."""
    return paper_sheets(ask.round, only=ask.tables) if ask.round else []


def parts(ask: Ask, sheets: Sequence[PaperSheet]) -> list[Part]:
    """So many sheets at a time."""
    paper = None if ask.paper == "a4" else PAPERS[ask.paper]
    if ask.paper == "letter":
        paper = Paper(PAPERS["letter"].height, PAPERS["letter"].width)
    chunks = [sheets[first : first + CHUNK] for first in range(0, len(sheets), CHUNK)]
    return [partial(sheets_pdf, chunk, ask.said_in, paper) for chunk in chunks]


def sheets_pdf(
    sheets: Sequence[PaperSheet], languages: Sequence[str] = (), paper: Paper | None = None
) -> bytes:
    """A page a table, in the given order; `languages`: the active one, or up to two."""
    said = tuple(languages) or (get_language() or "en",)
    forms: dict[object, int] = {}
    drawn: list[SheetForm] = []
    pages, under = [], []
    for sheet in sheets:
        key = (sheet.round.label, sheet.deals, len(sheet.seats), sheet.spare, bool(sheet.link))
        if key not in forms:
            forms[key] = len(drawn)
            drawn.append(form_of(sheet, said))
        under.append(forms[key])
        pages.append(_page(sheet, drawn[forms[key]]))
    context = {"event": sheets[0].event, "forms": drawn, "pages": pages}
    return pdf("print/sheets.html", context, under=under, paper=paper)


def _page(sheet: PaperSheet, form: SheetForm) -> _Page:
    plan, corner = form.plan, form.plan.place
    numbers = [str(seat.number or "") for seat in sheet.seats]
    taken = replace(plan.number.at(corner.x, corner.y), h=plan.row * len(numbers))
    return _Page(
        labels=(
            line(
                "table-no",
                str(sheet.table or ""),
                Box(10, 12.6, 34, 18),
                44,
                "slab",
                align="center",
            ),
            column("plain", numbers, taken, 10.5),
            *_names(sheet, form),
            *_foot(sheet),
        ),
        qr=qr_svg(sheet.link) if sheet.link else SafeString(),
    )


def _names(sheet: PaperSheet, form: SheetForm) -> list[Label]:
    corner = form.plan.place
    labels = []
    for seat, (row, place) in enumerate(zip(sheet.seats, form.plan.names, strict=True)):
        box = place.at(corner.x, corner.y)
        room = Box(box.x, box.y, box.w - (form.tag.w + 1.5 if seat == 0 else 0), box.h)
        if row.name:
            labels.append(_name(row.name, room))
    return labels


def _name(text: str, box: Box) -> Label:
    """A little smaller if it must be, then in two lines, then cut."""
    largest, least, small = _SIZES_TALL if box.h >= 12 else _SIZES
    size = size_for(text, box.w * 0.98, largest, least, "bold")
    if width_of(text, size, "bold") <= box.w:
        lines, height = [text], box.h
    else:
        size, height = small, small * 1.25 * MM_PER_PT
        lines = in_lines(text, box.w * 0.98, size, 2, "bold")
    top = box.y + (box.h - height * len(lines)) / 2
    place = Box(box.x, top, box.w, height * len(lines))
    style = f"{place.css};line-height:{height:.2f}mm;font-size:{size}pt"
    return Label("name", "\n".join(lines), style)


def _foot(sheet: PaperSheet) -> list[Label]:
    here = _("table %(table)s") % {"table": sheet.table} if sheet.table else _("spare sheet")
    moment = date_format(sheet.event.local(timezone.now()), _("j F Y, H:i"))
    made = _("printed %(printed)s") % {"printed": moment}
    middle = f"{sheet.event.name} · {sheet.round.label}"
    return [
        line("foot", f"{here} · 1/1", Box(10, 199, 32, 4), 7.6),
        line("foot", middle, Box(44, 199, 110, 4), 7.6, least=6),
        line(
            "foot",
            " · ".join(filter(None, (made, sheet.mark))),
            Box(156, 199, 82, 4),
            7.6,
            align="right",
        ),
    ]
