"""For the door before the day, and the record of who came after it. Full names: staff only."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournament.documents.ask import Ask, Part
from tournament.documents.boxes import Box
from tournament.documents.flow import Column, Flow
from tournament.documents.labels import Both
from tournament.documents.leaves import parts_of, said
from tournament.models.rounds import Stage
from tournament.queries.prints import About, Entry, about, expected, on_waiting_list
from tournament.queries.reports import Attended, attendance_of

SQUARE = 4.2  # millimetres of the box to tick


@dataclass(frozen=True, slots=True)
class DoorList:
    about: About
    people: tuple[Entry, ...]
    waiting: tuple[Entry, ...]


def door_facts(ask: Ask) -> DoorList:
    return DoorList(about(ask.event), expected(ask.event), on_waiting_list(ask.event))


def door_parts(ask: Ask, found: DoorList) -> list[Part]:
    """A box to tick for each; who is here already has it ticked."""
    if not found.people and not found.waiting:
        return []
    count = len(found.people)
    words = said(
        ask,
        title=lambda: _("Check-in list"),
        number=lambda: pgettext("start number", "No."),
        name=lambda: _("Name"),
        note=lambda: _("Note"),
        waiting=lambda: _("Waiting list"),
        count=lambda: ngettext("%(count)d player", "%(count)d players", count) % {"count": count},
    )
    flow = Flow(ask, words["title"], under=str(words["count"]))
    columns = [
        Column("", 10),
        Column(words["number"], 15, "right"),
        Column("", 3),
        Column(words["name"], 92, face="bold", size=11.5),
        Column(words["note"], size=9.5),
    ]
    _people(flow, columns, found.people)
    if found.waiting:
        flow.heading(words["waiting"], keep=32)
        _people(flow, columns, found.waiting)
    return parts_of(ask, flow.leaves())


def _people(flow: Flow, columns: list[Column], people: tuple[Entry, ...]) -> None:
    def tick(place: int, box: Box) -> dict[str, str]:
        x, y = box.x + 2, box.y + (box.h - SQUARE) / 2
        square = Box(x, y, SQUARE, SQUARE).path
        mark = f"M{x + 0.7:.2f} {y + 2.2:.2f}l1.2 1.3l2.6 -3.6" if people[place].here else ""
        return {"heavy": square + mark}

    rows = [("", str(one.number), "", one.name, one.note) for one in people]
    flow.table(columns, rows, row=8.2, draw=tick)


@dataclass(frozen=True, slots=True)
class Attendance:
    about: About
    rounds: tuple[tuple[str, int], ...]
    people: tuple[Attended, ...]


def attendance_facts(ask: Ask) -> Attendance:
    rounds, people = attendance_of(ask.event)
    return Attendance(about(ask.event), rounds, people)


def attendance_parts(ask: Ask, found: Attendance) -> list[Part]:
    """The table at which each person sat, round by round."""
    if not found.people or not found.rounds:
        return []
    words = said(
        ask,
        title=lambda: _("Attendance list"),
        how=lambda: _("The number is the table at which the person sat; a dash: not there."),
        number=lambda: pgettext("start number", "No."),
        name=lambda: _("Name"),
        final=lambda: _("Final"),
        rounds=lambda: _("Rounds"),
    )
    flow = Flow(ask, words["title"], under=str(words["how"]))
    columns = [
        Column(words["number"], 14, "right"),
        Column("", 3),
        Column(words["name"], face="bold", size=10.5),
        *(_round_column(words, stage, number) for stage, number in found.rounds),
        Column(words["rounds"], 17, "center"),
    ]
    rows = [
        (
            str(one.number),
            "",
            one.name,
            *(str(table) if table else "–" for table in one.tables),
            str(sum(table > 0 for table in one.tables)),
        )
        for one in found.people
    ]
    flow.table(columns, rows, row=6.8)
    return parts_of(ask, flow.leaves())


def _round_column(words: dict[str, Both], stage: str, number: int) -> Column:
    head: Both | str = words["final"] if stage == Stage.FINAL else str(number)
    return Column(head, 12 if stage == Stage.FINAL else 8.5, "center", size=10)
