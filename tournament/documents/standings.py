"""The standings: how they stand, the cut with its lots and their proof, and the final."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.lots import commitment
from tournament.documents.ask import Ask, Part
from tournament.documents.boxes import Box
from tournament.documents.flow import Column, Flow
from tournament.documents.labels import Both, line
from tournament.documents.leaves import SIDE, parts_of, said
from tournament.links import standings_url
from tournament.models import Event
from tournament.models.events import EventStatus
from tournament.queries.prints import About, about, standings_mark
from tournament.queries.rules import LotShown, lots_shown
from tournament.queries.standings import Board, Row, board_for

ROW, ROPE = 7.4, 8.0


@dataclass(frozen=True, slots=True)
class Standings:
    """The board in each language, and the lots that were drawn."""

    about: About
    planned: int
    boards: tuple[Board, ...]
    lots: tuple[LotShown, ...]
    link: str


def facts(ask: Ask) -> Standings:
    boards = []
    for language in ask.said_in:
        with translation.override(language):
            boards.append(replace(board_for(ask.event), version=0))
    return Standings(
        about(ask.event),
        ask.event.rounds_planned,
        tuple(boards),
        tuple(lots_shown(ask.event)),
        f"{standings_url(ask.event)}?print={standings_mark(ask.event)}",
    )


def parts(ask: Ask, found: Standings) -> list[Part]:
    board = found.boards[0]
    if not board.rows and not board.out:
        return []
    words = _words(ask, found)
    flow = Flow(ask, words["title"], under=str(words["state"]), link=found.link)
    if board.final:
        flow.heading(words["final"])
        _final(flow, words, found.boards)
        flow.heading(words["preliminaries"])
    _preliminaries(flow, words, board)
    if found.lots:
        _lots(flow, words, found.lots)
    return parts_of(ask, flow.leaves())


def _words(ask: Ask, found: Standings) -> dict[str, Both]:
    board, event = found.boards[0], ask.event
    return said(
        ask,
        title=lambda: _title(event),
        state=lambda: _state(board, found.planned),
        final=lambda: _("Final"),
        preliminaries=lambda: _("Preliminaries"),
        rank=lambda: _("Rank"),
        name=lambda: _("Name"),
        points=lambda: _("Points"),
        stars=lambda: _("Stars"),
        deals=lambda: _("Deals"),
        decided=lambda: _("Decided"),
        dropped=lambda: _("dropped out"),
        disqualified=lambda: _("disqualified"),
        declined=lambda: _("declined the final"),
        by_lot=lambda: _("by lot"),
        cut=lambda: _("The cut: the best %(size)s play the final") % {"size": board.cut_size},
        lots=lambda: _("The lots, and how to check them"),
        lot_cut=lambda: _("Lot on the line"),
        lot_final=lambda: _("Lot in the final"),
        order=lambda: _("The order that was drawn, by start number:"),
        secret=lambda: _("Secret:"),
        fingerprint=lambda: _("The lot's fingerprint, public since before the first round:"),
        how=lambda: _(
            "Each player who is level gets a number: HMAC-SHA-256 with those bytes as the key, "
            "over the purpose (cut or final), a line break and the start number with four digits. "
            "The smallest comes first."
        ),
        check=lambda: _(
            "With plain Python, nothing of ours. It prints the fingerprint, then the order:"
        ),
        paper=lambda: _("Drawn on paper:"),
    )


def _title(event: Event) -> str:
    return _("Final standings") if event.status == EventStatus.FINISHED else _("Standings")


def _state(board: Board, planned: int) -> str:
    """How much of it is played, and who is level."""
    if board.cut_made:
        counted = board.rounds_counted
        told = [
            ngettext("%(counted)s round was played.", "%(counted)s rounds were played.", counted)
            % {"counted": counted}
        ]
    else:
        told = [
            _("%(counted)s of %(planned)s rounds are closed.")
            % {"counted": board.rounds_counted, "planned": planned}
        ]
    if waiting := board.sheets_waiting:
        told.append(
            ngettext(
                "%(waiting)s table is not in yet.", "%(waiting)s tables are not in yet.", waiting
            )
            % {"waiting": waiting}
        )
    if board.level and not board.cut_made:
        told.append(
            ngettext(
                "%(level)s players are level on the line, for %(free)s seat. If it stays so, a "
                "lot decides.",
                "%(level)s players are level on the line, for %(free)s seats. If it stays so, a "
                "lot decides.",
                board.free,
            )
            % {"level": board.level, "free": board.free}
        )
    return " ".join(told)


def _final(flow: Flow, words: dict[str, Both], boards: Sequence[Board]) -> None:
    rows = [
        (
            _rank(row),
            row.public_name,
            str(row.points),
            str(row.stars),
            f"{row.preliminary_points} / {row.preliminary_stars}",
            "",
            str(Both(tuple(board.final[place].decided for board in boards))),
        )
        for place, row in enumerate(boards[0].final)
    ]
    columns = [
        *_first_columns(words),
        Column(words["preliminaries"], 28, "right"),
        Column("", 4),
        Column(words["decided"], 36, size=9),
    ]
    flow.table(columns, rows, row=ROW)


def _first_columns(words: dict[str, Both]) -> list[Column]:
    return [
        Column(words["rank"], 17, "center", "bold"),
        Column(words["name"], face="bold", size=11),
        Column(words["points"], 19, "right", "bold", 11),
        Column(words["stars"], 19, "right"),
    ]


def _rank(row: Row) -> str:
    return f"{'=' if row.shared else ''}{row.rank}"


def _preliminaries(flow: Flow, words: dict[str, Both], board: Board) -> None:
    columns = [*_first_columns(words), Column(words["deals"], 19, "right")]
    rows = [_row(words, row) for row in board.rows]
    out = [("–", f"{row.public_name} · {words['disqualified']}", "", "", "") for row in board.out]
    ends = next((place for place, row in enumerate(board.rows, 1) if row.ends_cut), 0)
    if ends:
        flow.table(columns, rows[:ends], row=ROW)
        _rope(flow, words["cut"])
    flow.table(columns, [*rows[ends:], *out], row=ROW, heads=not ends)


def _row(words: dict[str, Both], row: Row) -> tuple[str, ...]:
    told = {"declined": "declined", "lot": "by_lot"}.get(row.note, "")
    more = [str(words[key]) for key in (told, "dropped" if row.status else "") if key]
    name = " · ".join([row.public_name, *more])
    return _rank(row), name, str(row.points), str(row.stars), str(row.deals)


def _rope(flow: Flow, words: Both) -> None:
    """The line under the last who is in, never at the top of a page."""
    box = Box(SIDE, flow.y, flow.width, ROPE)
    flow.page.labels.append(line("strong", words, box.inside(2, 1), 9.5, "bold", align="center"))
    lines = "".join(f"M{box.x} {box.y + y:.2f}h{box.w:.2f}" for y in (1.2, ROPE - 0.8))
    flow.ink({"dashed": lines})
    flow.gap(ROPE)


def _lots(flow: Flow, words: dict[str, Both], lots: Sequence[LotShown]) -> None:
    flow.gap(3)
    flow.heading(words["lots"], keep=50)
    flow.text(words["how"], 9.5)
    for lot in lots:
        flow.gap(3)
        flow.need(40)
        flow.text(words["lot_cut" if lot.purpose == "cut" else "lot_final"], 12, "bold")
        flow.text(words["order"], 9.5)
        for place, (number, name) in enumerate(lot.order, 1):
            flow.text(f"{place}. {number} {name}", 10.5, "bold", indent=5)
        if not lot.secret:
            flow.text(f"{words['paper']} {lot.paper_note}", 10)
            continue
        flow.gap(1.5)
        flow.text(words["fingerprint"], 9.5)
        flow.unbroken(commitment(lot.secret), 9.5)
        flow.gap(1.5)
        flow.text(words["secret"], 9.5)
        flow.unbroken(lot.secret, 9.5)
        flow.gap(1.5)
        flow.text(words["check"], 9.5)
        flow.unbroken(lot.python, 8)
