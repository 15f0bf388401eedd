"""The standings: how they stand, the cut with its lots and their proof, and the final."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.documents.document import Document
from tournament.documents.layout.flow import Flow, TableColumn
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import Bilingual, line
from tournament.documents.layout.letters import on_paper
from tournament.documents.layout.pages import SIDE, in_parts, words_in
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.games import GameWords, words_of
from tournament.links import standings_url
from tournament.models import Event
from tournament.models.events import EventStatus
from tournament.queries.document_facts import EventFacts, event_facts, standings_mark
from tournament.queries.rules import PublicLot, lot_title, public_lots
from tournament.queries.standings import UNRANKED, Row, StandingsTable, standings_for
from tournament.queries.visibility import public_standings

ROW, ROPE = 7.4, 8.0


@dataclass(frozen=True, slots=True)
class StandingsFacts:
    """The board in each language, and the lots that were drawn. `told`: in each language what
    everybody sees of the standings, where that is not all."""

    event: EventFacts
    ruleset: str
    planned: int
    boards: tuple[StandingsTable, ...]
    told: tuple[str, ...]
    lots: tuple[PublicLot, ...]
    link: str


class PaperStandings(Document[StandingsFacts]):
    kind = "standings"
    title = gettext_lazy("Standings")
    about = gettext_lazy("As they are now: with the cut, its lot and the proof, and the final.")
    when = "after"

    def facts(self, request: DocumentRequest) -> StandingsFacts:
        event, boards, told = request.event, [], []
        shown = public_standings(event) if request.public else None
        for language in request.effective_languages:
            with translation.override(language):
                found = public_standings(event) if request.public else None
                boards.append(found.board if found else standings_for(event))
                told.append(found.told if found else "")
        lots = [one for one in public_lots(event) if one.is_of_standings]
        return StandingsFacts(
            event_facts(event),
            event.ruleset,
            event.rounds_planned,
            tuple(boards),
            tuple(told),
            tuple(one for one in lots if shown is None or shown.shows_lot(one.players, one.place)),
            f"{standings_url(event)}?print={standings_mark(boards[0])}",
        )

    def parts(self, request: DocumentRequest, facts: StandingsFacts) -> list[Part]:
        # Points and ranks are the same in each language; only how a place was decided is told in
        # words.
        board, game = facts.boards[0], words_of(request.event)
        if not (board.ranked or board.out):
            return []
        words = _words(request, facts)
        under = " ".join(filter(None, [str(Bilingual(facts.told)), str(words["state"])]))
        flow = Flow(request, words["title"], under=under, link=facts.link)
        if board.final:
            flow.heading(words["final"])
            _final(flow, words, game, facts.boards)
        if board.semi_final:
            flow.heading(words["semi_final"])
            _semi_final(flow, words, game, board)
        if (board.final or board.semi_final) and (board.rows or board.out):
            flow.heading(words["behind_semi" if board.semi_final else "behind"])
        if board.rows or board.out:
            _behind(flow, words, game, board)
        if facts.lots:
            _lots(flow, words, facts.lots)
        return in_parts(request, flow.pages())


def _words(request: DocumentRequest, facts: StandingsFacts) -> dict[str, Bilingual]:
    board, event, game = facts.boards[0], request.event, words_of(request.event)
    return words_in(
        request,
        title=lambda: _title(event, whole=not facts.told[0]),
        state=lambda: _state(board, facts.planned),
        final=lambda: _("Final"),
        preliminaries=lambda: _("Preliminaries"),
        behind=lambda: _("Behind the finalists"),
        rank=lambda: _("Rank"),
        name=lambda: _("Name"),
        points=lambda: str(game.points),
        stars=lambda: str(game.stars),
        deals=lambda: _("Deals"),
        decided=lambda: _("Decided"),
        dropped=lambda: _("dropped out"),
        disqualified=lambda: _("disqualified"),
        unranked=lambda: _("stands in, without a rank"),
        declined=lambda: _("declined the final"),
        declined_semi=lambda: _("declined the semi-final"),
        semi_final=lambda: _("Semi-final"),
        behind_semi=lambda: _("Behind the semi-final"),
        table=lambda: _("Table"),
        lot=lambda: _("in by lot"),
        lost_lot=lambda: _("out by lot"),
        cut=lambda: _("The cut: %(line)s") % {"line": board.line_words},
        lots=lambda: _("The lots, and how to check them"),
        **{f"lot {lot.line}": partial(lot_title, lot.line) for lot in facts.lots},
        order=lambda: _("The order that was drawn, by start number:"),
        secret=lambda: _("Secret:"),
        fingerprint=lambda: _("The lot's fingerprint, public before it was drawn:"),
        how=lambda: _(
            "Each player who is level gets a number: HMAC-SHA-256 with those bytes as the key, "
            "over what the lot decides (as the check beside the lot has it), a line break "
            "and the start number with four digits. The smallest comes first."
        ),
        check=lambda: _(
            "With plain Python, nothing of ours. It prints the fingerprint, then the order:"
        ),
        paper=lambda: _("Drawn on paper:"),
    )


def _title(event: Event, *, whole: bool) -> str:
    over = whole and event.status == EventStatus.FINISHED
    return _("Final standings") if over else _("Standings")


def _state(board: StandingsTable, planned: int) -> str:
    """How much of it is played, and who is level."""
    return " ".join(filter(None, [_played(board, planned), _waiting(board), _level(board)]))


def _played(board: StandingsTable, planned: int) -> str:
    counted = board.rounds_counted
    if not board.cut_made:
        return _("%(counted)s of %(planned)s rounds are closed.") % {
            "counted": counted,
            "planned": planned,
        }
    return ngettext("%(counted)s round was played.", "%(counted)s rounds were played.", counted) % {
        "counted": counted
    }


def _waiting(board: StandingsTable) -> str:
    waiting = board.sheets_waiting
    if not waiting:
        return ""
    return ngettext(
        "%(waiting)s table is not in yet.", "%(waiting)s tables are not in yet.", waiting
    ) % {"waiting": waiting}


def _level(board: StandingsTable) -> str:
    if not board.level or board.cut_made:
        return ""
    return ngettext(
        "%(level)s players are level on the line, for %(free)s seat. If it stays so, a "
        "lot decides.",
        "%(level)s players are level on the line, for %(free)s seats. If it stays so, a "
        "lot decides.",
        board.free,
    ) % {"level": board.level, "free": board.free}


def _semi_final(
    flow: Flow, words: dict[str, Bilingual], game: GameWords, board: StandingsTable
) -> None:
    columns = [
        *_first_columns(words, game),
        TableColumn(words["table"], 19, "right"),
        TableColumn(words["preliminaries"], 28, "right"),
    ]
    rows = [
        (*_row(words, game, row)[:-1], str(row.semi_table), _before(game, row))
        for row in board.semi_final
    ]
    _in_two(flow, words, columns, board.semi_final, rows)


def _sums(game: GameWords, points: int | None, stars: int | None) -> tuple[str, ...]:
    """Both sums in the order in which they rank; only the first where there is no other."""
    if not game.stars:
        return (str(points),)
    found = str(points), str(stars)
    return found[::-1] if game.stars_first else found


def _before(game: GameWords, row: Row) -> str:
    return " / ".join(_sums(game, row.preliminary_points, row.preliminary_stars))


def _final(
    flow: Flow, words: dict[str, Bilingual], game: GameWords, boards: Sequence[StandingsTable]
) -> None:
    semi = any(row.semi_points is not None for row in boards[0].final)
    rows = [
        (
            _rank(row),
            on_paper(row.public_name, row.number),
            *_sums(game, row.points, row.stars),
            *([" / ".join(_sums(game, row.semi_points, row.semi_stars))] if semi else []),
            _before(game, row),
            "",
            str(Bilingual(tuple(board.final[place].decided for board in boards))),
        )
        for place, row in enumerate(boards[0].final)
    ]
    columns = [
        *_first_columns(words, game),
        *([TableColumn(words["semi_final"], 24, "right")] if semi else []),
        TableColumn(words["preliminaries"], 28, "right"),
        TableColumn("", 4),
        TableColumn(words["decided"], 36, size=9),
    ]
    flow.table(columns, rows, row=ROW)


def _first_columns(words: dict[str, Bilingual], game: GameWords) -> list[TableColumn]:
    order = ("stars", "points") if game.stars_first else ("points", "stars")
    first, *others = (key for key in order if key == "points" or game.stars)
    return [
        TableColumn(words["rank"], 17, "center", "bold"),
        TableColumn(words["name"], face="bold", size=11),
        TableColumn(words[first], 19, "right", "bold", 11),
        *(TableColumn(words[key], 19, "right") for key in others),
    ]


def _rank(row: Row) -> str:
    return f"{'=' if row.shared else ''}{row.rank}"


def _behind(
    flow: Flow, words: dict[str, Bilingual], game: GameWords, board: StandingsTable
) -> None:
    columns = [*_first_columns(words, game), TableColumn(words["deals"], 19, "right")]
    rows = [_row(words, game, row) for row in board.rows]
    out = [_out_row(words, game, row) for row in board.out]
    _in_two(flow, words, columns, board.rows, rows, out)


def _out_row(words: dict[str, Bilingual], game: GameWords, row: Row) -> tuple[str, ...]:
    name = on_paper(row.public_name, row.number)
    if row.status == UNRANKED:
        sums = (*_sums(game, row.points, row.stars), str(row.deals))
        return "–", f"{name} · {words['unranked']}", *sums
    nothing = ("",) * len(_sums(game, 0, 0))
    return "–", f"{name} · {words['disqualified']}", *nothing, ""


def _in_two(
    flow: Flow,
    words: dict[str, Bilingual],
    columns: Sequence[TableColumn],
    shown: Sequence[Row],
    rows: Sequence[tuple[str, ...]],
    out: Sequence[tuple[str, ...]] = (),
) -> None:
    """A table with the line where it lies."""
    ends = next((place for place, row in enumerate(shown, 1) if row.ends_cut), 0)
    if ends:
        flow.table(columns, rows[:ends], row=ROW)
        _rope(flow, words["cut"])
    # Below the line the table goes on: its heads stand above it already.
    flow.table(columns, [*rows[ends:], *out], row=ROW, heads=not ends)


def _row(words: dict[str, Bilingual], game: GameWords, row: Row) -> tuple[str, ...]:
    keys = (row.note, "dropped" if row.status else "")
    notes = [str(words[key]) for key in keys if key]
    name = " · ".join([on_paper(row.public_name, row.number), *notes])
    return _rank(row), name, *_sums(game, row.points, row.stars), str(row.deals)


def _rope(flow: Flow, words: Bilingual) -> None:
    """The line under the last who is in, never at the top of a page."""
    box = Box(SIDE, flow.y, flow.width, ROPE)
    flow.page.labels.append(line("strong", words, box.inside(2, 1), 9.5, "bold", align="center"))
    lines = "".join(f"M{box.x} {box.y + y:.2f}h{box.w:.2f}" for y in (1.2, ROPE - 0.8))
    flow.ink({"dashed": lines})
    flow.gap(ROPE)


def _lots(flow: Flow, words: dict[str, Bilingual], lots: Sequence[PublicLot]) -> None:
    flow.gap(3)
    flow.heading(words["lots"], keep=50)
    flow.text(words["how"], 9.5)
    for lot in lots:
        flow.gap(3)
        # Who was drawn and the proof begin on the page of their title.
        flow.need(40)
        flow.text(words[f"lot {lot.line}"], 12, "bold")
        flow.text(words["order"], 9.5)
        for place, (number, name) in enumerate(lot.order, 1):
            flow.text(f"{place}. {number} {on_paper(name, int(number))}", 10.5, "bold", indent=5)
        if lot.secret:
            _proof(flow, words, lot)
        else:
            flow.text(f"{words['paper']} {lot.paper_note}", 10)


def _proof(flow: Flow, words: dict[str, Bilingual], lot: PublicLot) -> None:
    """What anybody needs to draw the lot again."""
    for key, letters, size in (
        ("fingerprint", lot.fingerprint, 9.5),
        ("secret", lot.secret, 9.5),
        ("check", lot.python, 8),
    ):
        flow.gap(1.5)
        flow.text(words[key], 9.5)
        flow.unbroken(letters, size)
