"""The scoresheets of a round, one a table, to be filled in with a pen.

Equal tables have one drawing in common (`scoresheet_form.py`), made once; a sheet of its own adds
the table's number, its code, and who sits there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import batched

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from tournament.documents.document import Document
from tournament.documents.kinds.edition_form import edition_form
from tournament.documents.kinds.scoresheet_form import form_of
from tournament.documents.kinds.scoresheet_parts import SheetForm
from tournament.documents.layout.codes import qr_svg
from tournament.documents.layout.fitting import MM_PER_PT, in_lines, size_for, width_of
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import Label, column, line
from tournament.documents.layout.letters import on_paper
from tournament.documents.layout.rendering import Part, pdf
from tournament.documents.request import PAPER_SIZES, DocumentRequest, PaperSize
from tournament.queries.printed_sheets import (
    EditionSheet,
    PrintedSheet,
    TournamentSheet,
    printed_sheets,
)

SHEETS_AT_ONCE = 34  # more of them take more memory and hardly less time
_SIZES, _SIZES_TALL = (13.0, 10.5, 8.6), (15.0, 11.5, 10.5)  # of names: one line, in two lines


class PaperScoresheets(Document[list[PrintedSheet]]):
    """All of a round, or of some of its tables; so many sheets at a time."""

    kind = "sheets"
    title = gettext_lazy("Scoresheets")
    about = gettext_lazy("One for each table, to be filled in with a pen.")
    when = "round"
    of_round = True
    wide = True
    on_sheet_paper = True

    def facts(self, request: DocumentRequest) -> list[PrintedSheet]:
        return printed_sheets(request.required_round, only=request.tables)

    def parts(self, request: DocumentRequest, facts: list[PrintedSheet]) -> list[Part]:
        paper = _paper(request)
        return [
            partial(sheets_pdf, some, request.effective_languages, paper)
            for some in batched(facts, SHEETS_AT_ONCE)
        ]


def _paper(request: DocumentRequest) -> PaperSize | None:
    """Sheets are drawn on lying A4, and put on any other paper as they are."""
    if request.paper == "a4":
        return None
    paper = PAPER_SIZES[request.paper]
    # Two lying sheets below each other fill a standing page.
    return paper if paper.fold > 1 else paper.lying


@dataclass(frozen=True, slots=True)
class _SheetPage:
    """One sheet: its words and its code. The rest is on the form under it."""

    labels: tuple[Label, ...]
    qr: SafeString


def sheets_pdf(
    sheets: Sequence[PrintedSheet], languages: Sequence[str] = (), paper: PaperSize | None = None
) -> bytes:
    """A page a table, in the given order; `languages`: the active one, or up to two."""
    languages = tuple(languages) or (get_language() or "en",)
    numbers: dict[object, int] = {}
    forms: list[SheetForm] = []
    pages, under = [], []
    for sheet in sheets:
        # All on which a form depends, within one event.
        size = len(sheet.seats), sheet.spare is not None
        key = (sheet.round.label, sheet.deals, *size, bool(sheet.link), _cards(sheet))
        if key not in numbers:
            numbers[key] = len(forms)
            forms.append(_form(sheet, languages))
        under.append(numbers[key])
        pages.append(_page(sheet, forms[numbers[key]]))
    context = {"event": sheets[0].event, "forms": forms, "pages": pages}
    return pdf("print/scoresheets.html", context, under=under, paper=paper)


def _form(sheet: PrintedSheet, languages: Sequence[str]) -> SheetForm:
    match sheet:
        case TournamentSheet():
            return form_of(sheet, languages)
        case EditionSheet():
            return edition_form(sheet, languages)
    raise TypeError(f"{sheet!r} is no game's.")


def _cards(sheet: PrintedSheet) -> object:
    """What is said of the cards: the same for all boxes of one kind, whatever they are called."""
    return replace(sheet.notes, name="") if sheet.notes else None


def _page(sheet: PrintedSheet, form: SheetForm) -> _SheetPage:
    plan, corner = form.plan, form.plan.place
    number = str(sheet.table or "")
    numbers = [str(seat.number or "") for seat in sheet.seats]
    # Without the row kept free: numbers keep the height of their own rows.
    taken = replace(plan.number.at(corner.x, corner.y), h=plan.row * len(numbers))
    return _SheetPage(
        labels=(
            line("table-no", number, Box(10, 12.6, 34, 18), 44, "slab", align="center"),
            column("plain", numbers, taken, 10.5),
            *_names(sheet, form),
            *_foot(sheet),
        ),
        qr=qr_svg(sheet.link) if sheet.link else SafeString(),
    )


def _names(sheet: PrintedSheet, form: SheetForm) -> list[Label]:
    corner = form.plan.place
    labels = []
    for seat, (row, place) in enumerate(zip(sheet.seats, form.plan.names, strict=True)):
        box = place.at(corner.x, corner.y)
        # The first row carries the dealer's tag at its end.
        room = Box(box.x, box.y, box.w - (form.tag.w + 1.5 if seat == 0 else 0), box.h)
        if row.name:
            labels.append(_name(on_paper(row.name, row.number), room))
    return labels


def _name(text: str, box: Box) -> Label:
    """A little smaller if it must be, then in two lines, then cut."""
    largest, least, small = _SIZES_TALL if box.h >= 12 else _SIZES
    size = size_for(text, box.w * 0.98, largest, least, "bold")
    if width_of(text, size, "bold") <= box.w:
        lines, height = [text], box.h
    else:
        # Two lines must not leave a low row.
        size = min(small, box.h / (2 * 1.25 * MM_PER_PT))
        height = size * 1.25 * MM_PER_PT
        lines = in_lines(text, box.w * 0.98, size, 2, "bold")
    top = box.y + (box.h - height * len(lines)) / 2
    place = Box(box.x, top, box.w, height * len(lines))
    style = f"{place.css};line-height:{height:.2f}mm;font-size:{size:g}pt"
    return Label("name", "\n".join(lines), style)


def _foot(sheet: PrintedSheet) -> list[Label]:
    which = _("table %(table)s") % {"table": sheet.table} if sheet.table else _("spare sheet")
    moment = date_format(sheet.event.local(timezone.now()), _("j F Y, H:i"))
    printed = _("printed %(printed)s") % {"printed": moment}
    box = _("Box %(name)s") % {"name": sheet.notes.name} if sheet.notes and sheet.notes.name else ""
    left = f"{which} · 1/1"
    middle = " · ".join(filter(None, (box, sheet.event.name, sheet.round.label)))
    right = " · ".join(filter(None, (printed, sheet.mark)))
    return [
        line("foot", left, Box(10, 199, 32, 4), 7.6),
        line("foot", middle, Box(44, 199, 110, 4), 7.6, least=6),
        line("foot", right, Box(156, 199, 82, 4), 7.6, align="right"),
    ]
