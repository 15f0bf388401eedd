"""Everything that can be printed: the page of prints shows them in this order."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from tournament.documents import (
    badges,
    diplomas,
    doorlist,
    pack,
    penalties,
    results,
    rolecards,
    rulesnotice,
    seating,
    sheets,
    standings,
    tents,
)
from tournament.documents.ask import Document

DOCUMENTS: Mapping[str, Document] = {
    "check-in": Document(
        _("Check-in list"),
        False,
        doorlist.door_facts,
        doorlist.door_parts,
        when="before",
        about=_("A box to tick for everybody, by name, with your notes. For the door."),
    ),
    "badges": Document(
        _("Name badges"),
        False,
        badges.facts,
        badges.parts,
        when="before",
        about=_("Number, name and the code of the ticket. Ten to a page, with cut marks."),
    ),
    "tents": Document(
        _("Table tents"),
        False,
        tents.facts,
        tents.parts,
        when="before",
        about=_("The table's number in large, on both sides. Fold in the middle."),
    ),
    "cards": Document(
        _("Cards with roles and hand cards"),
        False,
        rolecards.facts,
        rolecards.parts,
        when="before",
        about=_("What is shuffled and dealt, and what a deal pays. One for each table."),
    ),
    "rules": Document(
        _("Rules in force"),
        False,
        rulesnotice.facts,
        rulesnotice.parts,
        when="before",
        about=_("A notice of one page, for the wall."),
    ),
    "pack": Document(
        _("Print pack"),
        True,
        pack.facts,
        pack.parts,
        about=_("The lists, all scoresheets and the spare ones, in the order you hand them out."),
    ),
    "by-name": Document(
        _("Seats by name"),
        True,
        seating.facts,
        seating.by_name,
        about=_("Everybody's table and seat, large enough for a wall."),
    ),
    "by-table": Document(
        _("Seats by table"),
        True,
        seating.facts,
        seating.by_table,
        about=_("Who sits at which table, and who deals."),
    ),
    "sheets": Document(
        _("Scoresheets"),
        True,
        sheets.facts,
        sheets.parts,
        about=_("One for each table, to be filled in with a pen."),
    ),
    "spares": Document(
        _("Spare sheets"),
        True,
        pack.spares_facts,
        pack.spares_parts,
        about=_("Without names, for each size of table in play."),
    ),
    "results": Document(
        _("Results of a round"),
        True,
        results.facts,
        results.parts,
        about=_("Role, points and star of every seat in every deal."),
    ),
    "standings": Document(
        _("Standings"),
        False,
        standings.facts,
        standings.parts,
        when="after",
        about=_("As they are now: with the cut, its lot and the proof, and the final."),
    ),
    "attendance": Document(
        _("Attendance list"),
        False,
        doorlist.attendance_facts,
        doorlist.attendance_parts,
        when="after",
        about=_("Who was there in which round. Full names: for the staff."),
    ),
    "penalties": Document(
        _("Judges' report"),
        False,
        penalties.facts,
        penalties.parts,
        when="after",
        about=_("Every penalty with its reason. Not public: for the staff alone."),
    ),
    "diplomas": Document(
        _("Diplomas"),
        False,
        diplomas.facts,
        diplomas.parts,
        when="after",
        about=_("One for each finalist, once the final is played."),
    ),
}
