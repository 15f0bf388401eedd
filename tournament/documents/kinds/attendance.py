"""The record of who came. Full names: staff only."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournament.documents.document import Document
from tournament.documents.layout.flow import Flow, TableColumn
from tournament.documents.layout.labels import Bilingual
from tournament.documents.layout.letters import on_paper
from tournament.documents.layout.pages import in_parts, words_in
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.models.rounds import Stage
from tournament.queries.document_facts import EventFacts, event_facts
from tournament.queries.reports import BYE_TABLE, AttendanceRow, attendance_of


@dataclass(frozen=True, slots=True)
class AttendanceFacts:
    """`rounds`: stage and number of each that was played."""

    event: EventFacts
    rounds: tuple[tuple[str, int], ...]
    people: tuple[AttendanceRow, ...]


class AttendanceList(Document[AttendanceFacts]):
    """The table at which each person sat, round by round."""

    kind = "attendance"
    title = gettext_lazy("Attendance list")
    about = gettext_lazy("Who was there in which round. Full names: for the staff.")
    when = "after"

    def facts(self, request: DocumentRequest) -> AttendanceFacts:
        rounds, people = attendance_of(request.event)
        return AttendanceFacts(event_facts(request.event), rounds, people)

    def parts(self, request: DocumentRequest, facts: AttendanceFacts) -> list[Part]:
        if not facts.people or not facts.rounds:
            return []
        words = _words(request)
        byes = any(BYE_TABLE in person.tables for person in facts.people)
        told = [str(words["how"]), *([str(words["bye"])] if byes else [])]
        flow = Flow(request, words["title"], under=" ".join(told))
        columns = [
            TableColumn(words["number"], 14, "right"),
            TableColumn("", 3),
            TableColumn(words["name"], face="bold", size=10.5),
            *(_round_column(words, stage, number) for stage, number in facts.rounds),
            TableColumn(words["rounds"], 17, "center"),
        ]
        flow.table(columns, [_row(person) for person in facts.people], row=6.8)
        return in_parts(request, flow.pages())


def _words(request: DocumentRequest) -> dict[str, Bilingual]:
    return words_in(
        request,
        title=lambda: _("Attendance list"),
        how=lambda: _("The number is the table at which the person sat; a dash: not there."),
        bye=lambda: _("+ without an opponent."),
        number=lambda: pgettext("start number", "No."),
        name=lambda: _("Name"),
        final=lambda: _("Final"),
        semi_final=lambda: pgettext("a narrow column", "Semi"),
        rounds=lambda: _("Rounds"),
    )


_MARKS = {0: "–", BYE_TABLE: "+"}


def _round_column(words: dict[str, Bilingual], stage: str, number: int) -> TableColumn:
    if stage != Stage.PRELIMINARY:
        return TableColumn(words[stage], 12, "center", size=10)
    return TableColumn(str(number), 8.5, "center", size=10)


def _row(person: AttendanceRow) -> tuple[str, ...]:
    tables = (_MARKS.get(table, str(table)) for table in person.tables)
    present = sum(table != 0 for table in person.tables)
    return str(person.number), "", on_paper(person.name, person.number), *tables, str(present)
