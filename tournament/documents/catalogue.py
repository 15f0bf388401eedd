"""Everything that can be printed: the page of prints shows them in this order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournament.documents.document import Document
from tournament.documents.kinds.attendance import AttendanceList
from tournament.documents.kinds.badges import NameBadges
from tournament.documents.kinds.boxes import BoxCheckList
from tournament.documents.kinds.check_in_list import CheckInList
from tournament.documents.kinds.diplomas import Diplomas
from tournament.documents.kinds.error_cards import ErrorCards
from tournament.documents.kinds.pack import PrintPack
from tournament.documents.kinds.penalties import JudgesReport
from tournament.documents.kinds.prizes import PrizeList
from tournament.documents.kinds.results import RoundResults
from tournament.documents.kinds.role_cards import RoleCards
from tournament.documents.kinds.rules_notice import RulesNotice
from tournament.documents.kinds.scoresheets import PaperScoresheets
from tournament.documents.kinds.seating import SeatsByName, SeatsByTable
from tournament.documents.kinds.spare_sheets import SpareSheets
from tournament.documents.kinds.standings import PaperStandings
from tournament.documents.kinds.tents import TableTents
from tournament.games import words_of
from tournament.models import Event

_IN_ORDER: tuple[Document[Any], ...] = (
    CheckInList(),
    NameBadges(),
    TableTents(),
    RoleCards(),
    RulesNotice(),
    ErrorCards(),
    BoxCheckList(),
    PrintPack(),
    SeatsByName(),
    SeatsByTable(),
    PaperScoresheets(),
    SpareSheets(),
    RoundResults(),
    PaperStandings(),
    PrizeList(),
    AttendanceList(),
    JudgesReport(),
    Diplomas(),
)

DOCUMENTS: Mapping[str, Document[Any]] = {document.kind: document for document in _IN_ORDER}


# What an edition shows in a picture of its own; its spare sheets and its pack are known by a sheet.
_PICTURED = {
    **{kind: kind for kind in ("sheets", "cards", "results", "standings")},
    "spares": "sheets",
    "pack": "sheets",
}


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """By what a document is chosen: a file of `static/img/docs`, and whether it lies."""

    name: str
    wide: bool


def picture_for(event: Event, kind: str) -> ShownPicture:
    edition = words_of(event).edition
    shown = _PICTURED.get(kind, kind) if edition else kind
    own = edition and kind in _PICTURED
    # Both printings of the base game look the same.
    of = f"-{edition.replace('base-new', 'base-classic')}" if own else ""
    return ShownPicture(f"{shown}{of}", DOCUMENTS[shown].wide)


def documents_for(event: Event) -> Mapping[str, Document[Any]]:
    """Those that the event's game has a use for."""
    return {kind: document for kind, document in DOCUMENTS.items() if document.suits(event)}
