"""What happened in every deal of a round: table by table, seat by seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournament.documents.document import Document
from tournament.documents.layout.cells import cells
from tournament.documents.layout.flow import Flow
from tournament.documents.layout.geometry import Box, star_path, trophy_path
from tournament.documents.layout.labels import Bilingual, Label, line
from tournament.documents.layout.letters import on_paper
from tournament.documents.layout.pages import SIDE, in_parts, words_in
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.games import GameWords, RoleWords, words_of
from tournament.queries.document_facts import (
    EventFacts,
    PrintedDeal,
    PrintedTable,
    event_facts,
    played_tables,
)

HEAD, COLUMNS, ROW, GOLD, GAP = 8.5, 5.5, 5.8, 5.8, 6.0  # heights, from above
SEAT, NUMBER, NAME_LEAST, DEAL_MOST, TOTAL = 9.0, 12.0, 46.0, 27.0, 21.0  # widths


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """`byes`: who had no opponent."""

    event: EventFacts
    ruleset: str
    tables: tuple[PrintedTable, ...]
    byes: tuple[str, ...] = ()


class RoundResults(Document[ResultFacts]):
    """Nothing before the first deal is entered."""

    kind = "results"
    title = gettext_lazy("Results of a round")
    about = gettext_lazy("What every seat was and got, deal by deal.")
    when = "round"
    of_round = True

    def facts(self, request: DocumentRequest) -> ResultFacts:
        round_ = request.required_round
        tables = played_tables(round_, request.tables)
        return ResultFacts(
            event_facts(request.event, round_),
            request.event.ruleset,
            tuple(table for table in tables if not table.is_bye),
            tuple(
                on_paper(name, number)
                for table in tables
                if table.is_bye
                for number, name in table.names
            ),
        )

    def parts(self, request: DocumentRequest, facts: ResultFacts) -> list[Part]:
        if not any(deal for table in facts.tables for deal in table.deals):
            return []
        game = words_of(request.event)
        words = _words(request, game)
        flow = Flow(request, words["title"], under=str(words["legend"]))
        for table in facts.tables:
            _table(flow, words, game, table)
        for name in facts.byes:
            flow.text(f"{words['bye']}: {name}", 11)
        return in_parts(request, flow.pages())


def _words(request: DocumentRequest, game: GameWords) -> dict[str, Bilingual]:
    round_ = request.required_round
    return words_in(
        request,
        title=lambda: f"{round_.label}: " + _("results"),
        table=lambda: _("Table"),
        total=lambda: _("Total"),
        gold=lambda: pgettext("who reached it", "Gold"),
        nobody=lambda: _("nobody"),
        seat=lambda: _("seat"),
        void=lambda: pgettext("a deal", "void"),
        open=lambda: _("not confirmed"),
        bye=lambda: _("Without an opponent"),
        legend=lambda: _legend(game),
        **{f"letter {key}": _letter(role) for key, role in game.roles.items()},
        **{f"deal {number}": _deal_number(number) for number in range(1, 7)},
    )


def _letter(role: RoleWords) -> Callable[[], str]:
    return lambda: str(role.letter)


def _legend(game: GameWords) -> str:
    if game.edition:
        return _legend_of_edition(game)
    return _(
        "%(s)s saboteur, %(m)s miner, %(d)s selfish dwarf; then the points, and a star "
        "where there was one. No letter: only the points were written down."
    ) % {
        "s": pgettext("letter for saboteur", "S"),
        "m": pgettext("letter for miner", "M"),
        "d": pgettext("letter for selfish dwarf", "D"),
    }


def _legend_of_edition(game: GameWords) -> str:
    if not game.roles:
        return _("The gold of each in every deal; a cup for whoever won the duel.")
    roles = ", ".join(f"{role.letter} {role.name}" for role in game.roles.values())
    return _("%(roles)s; then the nuggets. No letter: only the nuggets were written down.") % {
        "roles": roles
    }


def _deal_number(number: int) -> Callable[[], str]:
    return lambda: _("Deal %(number)s") % {"number": number}


@dataclass(frozen=True, slots=True)
class _TableGrid:
    """Where a table's results lie on the page. `lead`: what stands before the deals."""

    box: Box
    rows: Box
    lead: float
    deal: float

    @classmethod
    def at(cls, flow: Flow, table: PrintedTable) -> Self:
        """At the place that the flow has reached."""
        rows = ROW * len(table.names)
        box = Box(SIDE, flow.y, flow.width, HEAD + COLUMNS + rows + GOLD)
        free = box.w - SEAT - NUMBER - TOTAL - NAME_LEAST
        deal = min(DEAL_MOST, free / len(table.deals))
        lead = box.w - TOTAL - deal * len(table.deals)
        return cls(box, Box(box.x, box.y + HEAD + COLUMNS, box.w, rows), lead, deal)

    def deal_column(self, place: int) -> Box:
        """The rows of one deal."""
        rows = self.rows
        return Box(rows.x + self.lead + place * self.deal, rows.y, self.deal, rows.h)

    @property
    def totals(self) -> Box:
        rows = self.rows
        return Box(rows.x + rows.w - TOTAL, rows.y, TOTAL, rows.h)

    @property
    def heavy(self) -> str:
        """Above and below the rows."""
        rows = self.rows
        edges = (rows.y, rows.y + rows.h)
        return "".join(f"M{rows.x} {y:.2f}h{rows.w:.2f}" for y in edges)

    def thin(self, seats: int, deals: int, below: float) -> str:
        """Between the rows, and at both sides of each deal; so far below the rows."""
        rows, top, end = self.rows, self.box.y + HEAD + 1, self.rows.y + self.rows.h + below
        between = (rows.y + ROW * seat for seat in range(1, seats))
        sides = (rows.x + self.lead + self.deal * deal for deal in range(deals + 1))
        return "".join(f"M{rows.x} {y:.2f}h{rows.w:.2f}" for y in between) + "".join(
            f"M{x:.2f} {top:.2f}V{end:.2f}" for x in sides
        )


def _table(flow: Flow, words: dict[str, Bilingual], game: GameWords, table: PrintedTable) -> None:
    # A table's results stay together on a page.
    flow.need(HEAD + COLUMNS + ROW * len(table.names) + GOLD)
    grid = _TableGrid.at(flow, table)
    labels = _lead(words, game, table, grid)
    stars = ""
    for place, deal in enumerate(table.deals):
        column = grid.deal_column(place)
        head = Box(column.x, column.y - COLUMNS, column.w, COLUMNS)
        labels.append(line("strong", words[f"deal {place + 1}"], head, 8.6, "bold", align="center"))
        its_labels, its_stars = _deal(words, game, deal, column)
        labels += its_labels
        stars += its_stars
    totals, their_stars = _totals(words, game, table, grid.totals)
    flow.page.labels += [*labels, *totals]
    flow.ink(
        {
            "heavy": grid.heavy,
            "thin": grid.thin(len(table.names), len(table.deals), GOLD if game.roles else 0),
            "black": stars + their_stars,
        }
    )
    flow.gap(grid.box.h + GAP)


def _lead(
    words: dict[str, Bilingual], game: GameWords, table: PrintedTable, grid: _TableGrid
) -> list[Label]:
    """All that stands above the deals and before them."""
    box, rows = grid.box, grid.rows
    gold = Box(box.x + SEAT + NUMBER, rows.y + rows.h, grid.lead - SEAT - NUMBER - 2, GOLD)
    labels = [
        line("title", f"{words['table']} {table.number}", Box(box.x, box.y, 70, HEAD), 14, "slab"),
        *_people(table, rows, grid.lead),
    ]
    # Where no roles are dealt, nobody is asked who reached it.
    if game.roles:
        labels.append(line("strong", words["gold"], gold, 8.6, "bold"))
    if not table.counts:
        room = Box(box.x + 72, box.y, box.w - 72, HEAD)
        labels.append(line("strong", words["open"], room, 9, "bold", align="right"))
    return labels


def _people(table: PrintedTable, rows: Box, lead: float) -> list[Label]:
    seats = [str(number) for number in range(1, len(table.names) + 1)]
    name = Box(rows.x + SEAT + NUMBER, rows.y, lead - SEAT - NUMBER - 2, rows.h)
    numbers = [str(number) for number, _name in table.names]
    return [
        *cells("strong", seats, Box(rows.x, rows.y, SEAT, rows.h), 10, "bold", align="center"),
        *cells("plain", numbers, Box(rows.x + SEAT, rows.y, NUMBER - 2, rows.h), 8.6),
        *cells("plain", [on_paper(shown, number) for number, shown in table.names], name, 10),
    ]


def _deal(
    words: dict[str, Bilingual], game: GameWords, deal: PrintedDeal | None, box: Box
) -> tuple[list[Label], str]:
    """Role, points and star of each seat, and who reached the gold."""
    below = Box(box.x, box.y + box.h, box.w, GOLD)
    if deal is None:
        return [line("plain", "–", below, 9, align="center")], ""
    if deal.void:
        return [line("plain", words["void"], below, 9, align="center")], ""
    # A column has room for one letter: the first language's, which the legend tells in all of them.
    roles = [words[f"letter {role}"].texts[0] for role in deal.roles] or [""] * len(deal.points)
    height, middle = box.h / len(deal.points), box.x + box.w / 2
    labels = [
        *cells("plain", roles, Box(middle - 10, box.y, 7, box.h), 9.5, align="center"),
        *cells(
            "strong",
            [str(one) for one in deal.points],
            Box(middle - 3, box.y, 6, box.h),
            10,
            "bold",
            align="center",
        ),
        line("plain", _gold(words, deal), below.inside(0.5, 0), 8.6, align="center"),
    ]
    # A duel is won over all of its deals: the cup stands beside their sum.
    starred = () if game.stars_first else deal.stars
    stars = "".join(
        star_path(middle + 6, box.y + height * (place + 0.5), 1.6)
        for place, star in enumerate(starred)
        if star
    )
    return labels, stars


def _gold(words: dict[str, Bilingual], deal: PrintedDeal) -> str:
    if not deal.roles:
        return ""
    if deal.connector is None:
        return words["nobody"].texts[0]
    return f"{words['seat'].texts[0]} {deal.connector}"


def _totals(
    words: dict[str, Bilingual], game: GameWords, table: PrintedTable, box: Box
) -> tuple[list[Label], str]:
    sums = [table.total(seat) for seat in range(len(table.names))]
    height = box.h / len(sums)
    head = Box(box.x, box.y - COLUMNS, box.w, COLUMNS)
    labels = [
        line("strong", words["total"], head.inside(0.5, 0), 8.6, "bold", align="center"),
        *cells(
            "strong",
            [str(points) for points, _stars in sums],
            Box(box.x + 1, box.y, 8 if game.stars else box.w - 2, box.h),
            11,
            "bold",
            align="right" if game.stars else "center",
        ),
    ]
    if game.stars_first:
        won = [place for place, (_points, stars) in enumerate(sums) if stars]
        cups = (trophy_path(box.x + 14, box.y + height * (place + 0.5), 1.6) for place in won)
        return labels, "".join(cups)
    if not game.stars:
        return labels, ""
    labels += [
        *cells(
            "plain",
            [str(stars) for _points, stars in sums],
            Box(box.x + 9.5, box.y, 6, box.h),
            10,
            align="right",
        ),
    ]
    drawn = "".join(
        star_path(box.x + 18, box.y + height * (place + 0.5), 1.4) for place in range(len(sums))
    )
    return labels, drawn
