"""The check list of the boxes: what has to be in each, counted before and after."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournament.documents.document import Document
from tournament.documents.layout.flow import Flow, TableColumn
from tournament.documents.layout.geometry import Box as Place
from tournament.documents.layout.labels import Bilingual
from tournament.documents.layout.pages import in_parts, words_in
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.models import Event
from tournament.queries.boxes import BoxNotes, box_rows, components, notes_of_event
from tournament.queries.document_facts import EventFacts, event_facts

SQUARE, ROW = 4.2, 7.6


@dataclass(frozen=True, slots=True)
class BoxListFacts:
    """Each box with its tables; without any there is one list, to be copied."""

    event: EventFacts
    ruleset: str
    boxes: tuple[tuple[BoxNotes, str], ...]


class BoxCheckList(Document[BoxListFacts]):
    kind = "boxes"
    title = gettext_lazy("Check list of the boxes")
    about = gettext_lazy("What has to be in each box, to tick before and after.")
    when = "before"

    def suits(self, event: Event) -> bool:
        return bool(components(notes_of_event(event), event.ruleset))

    def facts(self, request: DocumentRequest) -> BoxListFacts:
        event = request.event
        boxes = tuple(
            (
                BoxNotes(row.box.name, row.box.edition, row.box.promo_cards, row.box.dwarf_note),
                row.tables,
            )
            for row in box_rows(event)
        )
        return BoxListFacts(
            event_facts(event), event.ruleset, boxes or ((notes_of_event(event), ""),)
        )

    def parts(self, request: DocumentRequest, facts: BoxListFacts) -> list[Part]:
        words = words_in(
            request,
            title=lambda: _("Check list of the boxes"),
            what=lambda: _("Cards"),
            count=lambda: pgettext("how many cards", "Count"),
            before=lambda: pgettext("check of a box", "before").capitalize(),
            after=lambda: pgettext("check of a box", "after").capitalize(),
            missing=lambda: _("What is missing?"),
        )
        flow = Flow(request, words["title"])
        for notes, tables in facts.boxes:
            _box(request, flow, words, facts.ruleset, notes, tables)
        return in_parts(request, flow.pages())


def _box(
    request: DocumentRequest,
    flow: Flow,
    words: dict[str, Bilingual],
    ruleset: str,
    notes: BoxNotes,
    tables: str,
) -> None:
    counts = [count for count, _what in components(notes, ruleset)]
    lines = words_in(
        request,
        head=partial(_head, notes, tables),
        **{str(n): partial(_component, notes, ruleset, n) for n in range(len(counts))},
    )
    rows = [(count, str(lines[str(n)]), "", "", "") for n, count in enumerate(counts)]
    flow.heading(lines["head"], keep=16 + ROW * len(rows))
    columns = [
        TableColumn(words["count"], 16, "right", face="bold"),
        TableColumn(words["what"], 84, size=9.5),
        TableColumn(words["before"], 17),
        TableColumn(words["after"], 17),
        TableColumn(words["missing"]),
    ]

    def squares(_place: int, box: Place) -> dict[str, str]:
        y = box.y + (box.h - SQUARE) / 2
        paths = (Place(box.x + x, y, SQUARE, SQUARE).path for x in (103.0, 120.0))
        return {"heavy": "".join(paths)}

    flow.table(columns, rows, row=ROW, draw=squares)
    flow.gap(4)


def _head(notes: BoxNotes, tables: str) -> str:
    name = _("Box %(name)s") % {"name": notes.name or "____"}
    at = _("Tables: %(numbers)s") % {"numbers": tables} if tables else ""
    return " · ".join(filter(None, (name, notes.edition, at)))


def _component(notes: BoxNotes, ruleset: str, number: int) -> str:
    return components(notes, ruleset)[number][1]
