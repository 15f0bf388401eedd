"""The list at the door: who is expected, and who waits for a place. Full names: staff only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from tournament.documents.document import Document
from tournament.documents.layout.flow import Flow, TableColumn
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import Bilingual
from tournament.documents.layout.letters import on_paper
from tournament.documents.layout.pages import in_parts, words_in
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.queries.document_facts import (
    EventFacts,
    ListedPlayer,
    event_facts,
    expected,
    on_waiting_list,
)

SQUARE = 4.2  # millimetres of the box to tick


@dataclass(frozen=True, slots=True)
class CheckInFacts:
    event: EventFacts
    people: tuple[ListedPlayer, ...]
    waiting: tuple[ListedPlayer, ...]


class CheckInList(Document[CheckInFacts]):
    """A box to tick for each; who is here already has it ticked."""

    kind = "check-in"
    title = gettext_lazy("Check-in list")
    about = gettext_lazy("A box to tick for everybody, by name, with your notes. For the door.")
    when = "before"

    def facts(self, request: DocumentRequest) -> CheckInFacts:
        event = request.event
        return CheckInFacts(event_facts(event), expected(event), on_waiting_list(event))

    def parts(self, request: DocumentRequest, facts: CheckInFacts) -> list[Part]:
        if not facts.people and not facts.waiting:
            return []
        words = _words(request, len(facts.people))
        flow = Flow(request, words["title"], under=str(words["count"]))
        _tick_table(flow, words, facts.people)
        if facts.waiting:
            flow.heading(words["waiting"], keep=32)
            _tick_table(flow, words, facts.waiting)
        return in_parts(request, flow.pages())


def _words(request: DocumentRequest, count: int) -> dict[str, Bilingual]:
    return words_in(
        request,
        title=lambda: _("Check-in list"),
        number=lambda: pgettext("start number", "No."),
        name=lambda: _("Name"),
        note=lambda: _("Note"),
        waiting=lambda: _("Waiting list"),
        count=lambda: ngettext("%(count)d player", "%(count)d players", count) % {"count": count},
    )


def _tick_table(flow: Flow, words: dict[str, Bilingual], people: Sequence[ListedPlayer]) -> None:
    def tick(place: int, box: Box) -> dict[str, str]:
        x, y = box.x + 2, box.y + (box.h - SQUARE) / 2
        square = Box(x, y, SQUARE, SQUARE).path
        mark = f"M{x + 0.7:.2f} {y + 2.2:.2f}l1.2 1.3l2.6 -3.6" if people[place].here else ""
        return {"heavy": square + mark}

    columns = [
        TableColumn("", 10),
        TableColumn(words["number"], 15, "right"),
        TableColumn("", 3),
        TableColumn(words["name"], 92, face="bold", size=11.5),
        TableColumn(words["note"], size=9.5),
    ]
    rows = [
        ("", str(person.number), "", on_paper(person.name, person.number), person.note)
        for person in people
    ]
    flow.table(columns, rows, row=8.2, draw=tick)
