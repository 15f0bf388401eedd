"""The scoresheets of a round: one A4 page a table, to be filled in with a pen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from scoring.sheets import read_points
from tournament import rulebook
from tournament.documents.codes import qr_svg
from tournament.documents.fitting import in_lines, size_for, width_of
from tournament.documents.grid import WIDTH, Box, Plan, plan_for
from tournament.documents.render import pdf
from tournament.documents.words import Run, grid_words
from tournament.models import Event
from tournament.queries.paper import PaperSheet

MAX_SHEETS = 100
_SIZES, _SIZES_TALL = (13.0, 10.5, 8.6), (15.0, 11.5, 10.5)  # of names: one line, in two lines
_LINE = 0.44  # millimetres of line height for each point
_NOTE_SIZE, _TITLE = 8.2, 144.0


@dataclass(frozen=True, slots=True)
class _Name:
    """A seat's name, set to its room: a little smaller, then in two lines, then cut."""

    text: str
    number: int
    dealer: bool
    style: str


@dataclass(frozen=True, slots=True)
class _Check:
    """What one outcome pays: each value with whether it comes with a star."""

    outcome: str
    points: tuple[tuple[int, bool], ...]
    sum: int


@dataclass(frozen=True, slots=True)
class _Page:
    """A sheet with everything the template shows."""

    sheet: PaperSheet
    plan: Plan
    names: tuple[_Name, ...]
    checks: tuple[_Check, ...]
    qr: str
    title: str
    title_size: float
    title_line: str
    notes: str
    tag: Box
    seat_size: float
    words: list[Run]

    @property
    def seats(self) -> str:
        return "\n".join(str(place) for place in range(1, len(self.names) + 1))

    @property
    def numbers(self) -> str:
        return "\n".join(str(name.number) for name in self.names)


def sheets_pdf(sheets: Sequence[PaperSheet]) -> bytes:
    """A page a table, in the given order. Raises ValueError above `MAX_SHEETS`."""
    if not 0 < len(sheets) <= MAX_SHEETS:
        raise ValueError(f"From 1 to {MAX_SHEETS} sheets, not {len(sheets)}")
    event = sheets[0].event
    context = {
        "event": event,
        "pages": [_page(sheet) for sheet in sheets],
        "printed": date_format(event.local(timezone.now()), _("j F Y, H:i")),
    }
    return pdf("print/sheets.html", context)


def _page(sheet: PaperSheet) -> _Page:
    notes = in_lines(_notes(sheet), WIDTH * 0.98, _NOTE_SIZE, 2)
    roles = 3 if sheet.row.selfish else 2
    plan = plan_for(len(sheet.seats), sheet.deals, roles, len(notes) if notes[0] else 0)
    tag = width_of(gettext("Dealer"), 8, "bold") + 4
    first = plan.names[0]
    title, title_size = _title(sheet.event.name)
    return _Page(
        sheet=sheet,
        plan=plan,
        names=_names(sheet, plan, tag),
        checks=_checks(sheet),
        qr=qr_svg(sheet.link),
        title="\n".join(title),
        title_size=title_size,
        title_line=f"{10 / len(title)}mm",
        notes="\n".join(notes),
        tag=Box(first.x + first.w - tag, first.y + first.h / 2 - 2.4, tag, 4.8),
        seat_size=size_for(gettext("Seat"), plan.seat.w - 0.6, 8.2, 5),
        words=grid_words(sheet, plan),
    )


def _title(text: str) -> tuple[list[str], float]:
    """The event's name and its size: smaller in one line, else in two."""
    size = size_for(text, _TITLE, 22, 15, "slab")
    if width_of(text, size, "slab") <= _TITLE:
        return [text], size
    return in_lines(text, _TITLE, 12.5, 2, "slab"), 12.5


def _notes(sheet: PaperSheet) -> str:
    event = sheet.event
    found = [
        gettext("Selfish dwarf: %(note)s") % {"note": event.dwarf_note}
        if event.dwarf_note and sheet.row.selfish
        else "",
        gettext("Box: %(edition)s") % {"edition": event.edition} if event.edition else "",
        gettext("Promo cards: %(cards)s") % {"cards": event.promo_cards}
        if event.promo_cards
        else "",
    ]
    return " · ".join(note for note in found if note)


def _names(sheet: PaperSheet, plan: Plan, tag: float) -> tuple[_Name, ...]:
    return tuple(
        _name(seat.name, seat.number, place, index == 0, tag)
        for index, (seat, place) in enumerate(zip(sheet.seats, plan.names, strict=True))
    )


def _name(text: str, number: int, place: Box, dealer: bool, tag: float) -> _Name:
    room = place.w - (tag + 1.5 if dealer else 0)
    largest, least, small = _SIZES_TALL if place.h >= 12 else _SIZES
    size = size_for(text, room * 0.98, largest, least, "bold")
    if width_of(text, size, "bold") <= room:
        lines, height = [text], place.h
    else:
        size, height = small, small * _LINE
        lines = in_lines(text, room * 0.98, size, 2, "bold")
    top = place.y + (place.h - height * len(lines)) / 2
    style = f"{Box(place.x, top, room, height * len(lines)).css};line-height:{height:.2f}mm"
    return _Name("\n".join(lines), number, dealer, f"{style};font-size:{size}pt")


def _checks(sheet: PaperSheet) -> tuple[_Check, ...]:
    return tuple(
        _Check(outcome, _starred(sheet.event, points, len(sheet.seats)), total)
        for outcome, points, total in sheet.checks
    )


def _starred(event: Event, points: tuple[int, ...], seats: int) -> tuple[tuple[int, bool], ...]:
    """Points with their stars, where points alone tell them under the event's ruleset."""
    try:
        full = points + (0,) * (seats - len(points))
        stars = read_points(rulebook.ruleset_of(event), full).stars
    except Refusal:
        stars = (0,) * seats
    return tuple((paid, bool(star)) for paid, star in zip(points, stars, strict=False))
