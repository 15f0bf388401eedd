"""What happened in every deal of a round: table by table, seat by seat."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.documents.ask import Ask, Part
from tournament.documents.boxes import Box
from tournament.documents.cells import cells
from tournament.documents.flow import Flow
from tournament.documents.grid import star_path
from tournament.documents.labels import Both, Label, line
from tournament.documents.leaves import SIDE, parts_of, said
from tournament.queries.prints import About, PlayedDeal, PlayedTable, about, played_tables

HEAD, COLUMNS, ROW, GOLD, GAP = 8.5, 5.5, 5.8, 5.8, 6.0
SEAT, NUMBER, TOTAL = 9.0, 12.0, 21.0
_DEAL_MOST = 27.0


@dataclass(frozen=True, slots=True)
class Results:
    about: About
    deals: int
    tables: tuple[PlayedTable, ...]


def facts(ask: Ask) -> Results | None:
    if ask.round is None:
        return None
    tables = played_tables(ask.round, ask.tables)
    return Results(about(ask.event, ask.round), ask.round.deals, tables)


def parts(ask: Ask, results: Results) -> list[Part]:
    """Nothing before the first deal is entered."""
    if not any(deal for table in results.tables for deal in table.deals):
        return []
    words = _words(ask)
    title = Both(tuple(f"{one}: {two}" for one, two in zip(*_titles(words), strict=True)))
    flow = Flow(ask, title, under=_legend(words))
    for table in results.tables:
        _table(flow, words, results.deals, table)
    return parts_of(ask, flow.leaves())


def _titles(words: dict[str, Both]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return words["round"].said, words["results"].said


def _words(ask: Ask) -> dict[str, Both]:
    round_ = ask.round
    return said(
        ask,
        round=lambda: round_.label if round_ else "",
        results=lambda: _("results"),
        table=lambda: _("Table"),
        total=lambda: _("Total"),
        gold=lambda: pgettext("who reached it", "Gold"),
        nobody=lambda: _("nobody"),
        seat=lambda: _("seat"),
        void=lambda: pgettext("a deal", "void"),
        open=lambda: _("not confirmed"),
        saboteur=lambda: pgettext("letter for saboteur", "S"),
        miner=lambda: pgettext("letter for miner", "M"),
        selfish=lambda: pgettext("letter for selfish dwarf", "D"),
        legend=lambda: (
            _(
                "%(s)s saboteur, %(m)s miner, %(d)s selfish dwarf; then the points, and a star "
                "where there was one. No letter: only the points were written down."
            )
            % {
                "s": pgettext("letter for saboteur", "S"),
                "m": pgettext("letter for miner", "M"),
                "d": pgettext("letter for selfish dwarf", "D"),
            }
        ),
        **{f"deal {number}": _deal_words(number) for number in range(1, 7)},
    )


def _deal_words(number: int):  # type: ignore[no-untyped-def]
    return lambda: _("Deal %(number)s") % {"number": number}


def _legend(words: dict[str, Both]) -> str:
    return str(words["legend"])


def _table(flow: Flow, words: dict[str, Both], deals: int, table: PlayedTable) -> None:
    seats = len(table.names)
    height = HEAD + COLUMNS + ROW * seats + GOLD
    flow.need(height)
    wide = min(_DEAL_MOST, (flow.width - SEAT - NUMBER - TOTAL - 46) / deals)
    lead = flow.width - TOTAL - wide * deals
    box = Box(SIDE, flow.y, flow.width, height)
    top = box.y + HEAD + COLUMNS
    rows = Box(box.x, top, box.w, ROW * seats)
    labels = [
        line("title", f"{words['table']} {table.number}", Box(box.x, box.y, 70, HEAD), 14, "slab"),
        *_people(table, rows, lead),
        line(
            "strong",
            words["gold"],
            Box(box.x + SEAT + NUMBER, rows.y + rows.h, lead - SEAT - NUMBER - 2, GOLD),
            8.6,
            "bold",
        ),
    ]
    if not table.counts:
        room = Box(box.x + 72, box.y, box.w - 72, HEAD)
        labels.append(line("strong", words["open"], room, 9, "bold", align="right"))
    stars = ""
    for place, deal in enumerate(table.deals):
        column = Box(box.x + lead + place * wide, rows.y, wide, rows.h)
        head = Box(column.x, box.y + HEAD, wide, COLUMNS)
        labels.append(line("strong", words[f"deal {place + 1}"], head, 8.6, "bold", align="center"))
        more, drawn = _deal(words, deal, column)
        labels += more
        stars += drawn
    more, drawn = _totals(words, table, Box(box.x + box.w - TOTAL, rows.y, TOTAL, rows.h))
    flow.page.labels += [*labels, *more]
    edges = [lead + place * wide for place in range(deals + 1)]
    flow.ink(
        {
            "heavy": f"M{box.x} {top:.2f}h{box.w:.2f}M{box.x} {top + rows.h:.2f}h{box.w:.2f}",
            "thin": "".join(f"M{box.x} {top + ROW * n:.2f}h{box.w:.2f}" for n in range(1, seats))
            + "".join(
                f"M{box.x + x:.2f} {box.y + HEAD + 1:.2f}V{top + rows.h + GOLD:.2f}" for x in edges
            ),
            "black": stars + drawn,
        }
    )
    flow.gap(height + GAP)


def _people(table: PlayedTable, rows: Box, lead: float) -> list[Label]:
    seats = [str(number) for number in range(1, len(table.names) + 1)]
    name = Box(rows.x + SEAT + NUMBER, rows.y, lead - SEAT - NUMBER - 2, rows.h)
    numbers = [str(number) for number, _name in table.names]
    return [
        *cells("strong", seats, Box(rows.x, rows.y, SEAT, rows.h), 10, "bold", align="center"),
        *cells("plain", numbers, Box(rows.x + SEAT, rows.y, NUMBER - 2, rows.h), 8.6),
        *cells("plain", [shown for _number, shown in table.names], name, 10),
    ]


def _deal(words: dict[str, Both], deal: PlayedDeal | None, box: Box) -> tuple[list[Label], str]:
    """Role, points and star of each seat, and who reached the gold."""
    below = Box(box.x, box.y + box.h, box.w, GOLD)
    if deal is None:
        return [line("plain", "–", below, 9, align="center")], ""
    if deal.void:
        return [line("plain", words["void"], below, 9, align="center")], ""
    letters = {key: words[role].said[0] for key, role in _ROLES.items()}
    roles = [letters[letter] for letter in deal.roles] or [""] * len(deal.points)
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
    stars = "".join(
        star_path(middle + 6, box.y + height * (place + 0.5), 1.6)
        for place, star in enumerate(deal.stars)
        if star
    )
    return labels, stars


_ROLES = {"s": "saboteur", "m": "miner", "x": "selfish"}


def _gold(words: dict[str, Both], deal: PlayedDeal) -> str:
    if not deal.roles:
        return ""
    if deal.connector is None:
        return words["nobody"].said[0]
    return f"{words['seat'].said[0]} {deal.connector}"


def _totals(words: dict[str, Both], table: PlayedTable, box: Box) -> tuple[list[Label], str]:
    sums = [table.total(seat) for seat in range(len(table.names))]
    height = box.h / len(sums)
    head = Box(box.x, box.y - COLUMNS, box.w, COLUMNS)
    labels = [
        line("strong", words["total"], head.inside(0.5, 0), 8.6, "bold", align="center"),
        *cells(
            "strong",
            [str(points) for points, _stars in sums],
            Box(box.x + 1, box.y, 8, box.h),
            11,
            "bold",
            align="right",
        ),
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
