"""The role and hand-card table as a card for each table, four to a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.rulesets import RoleRow, Ruleset
from tournament import rulebook
from tournament.documents.ask import Ask, Part
from tournament.documents.boxes import Box
from tournament.documents.cells import cells, fitted
from tournament.documents.fitting import in_lines
from tournament.documents.grid import star_path
from tournament.documents.labels import Both, Label, block, line
from tournament.documents.leaves import Leaf, foot_of, paper_of, parts_of, said
from tournament.documents.sheetform import Picture
from tournament.queries.prints import About, about, tables_expected

COLUMNS, ROWS, MARGIN, PAD = 2, 2, 8.0, 6.0
ROW_MOST, PAID_LEAST, PICTURES = (
    8.0,
    3.9,
    ("lantern-broken.svg", "pickaxe.svg", "nugget.svg", "hand.svg"),
)


@dataclass(frozen=True, slots=True)
class RoleCards:
    about: About
    tables: tuple[int, ...]
    rows: tuple[tuple[int, RoleRow], ...]
    ruleset: str
    dwarf_note: str
    pays: tuple[tuple[str, int, bool], ...]


def facts(ask: Ask) -> RoleCards:
    ruleset = rulebook.ruleset_of(ask.event)
    rows = tuple(sorted(ruleset.rows.items()))
    return RoleCards(
        about(ask.event),
        tables_expected(ask.event, ask.tables),
        rows,
        ask.event.ruleset,
        ask.event.dwarf_note,
        _pays(ruleset),
    )


def _pays(ruleset: Ruleset) -> tuple[tuple[str, int, bool], ...]:
    """Who is paid what, and whether with a star."""
    saboteurs = [
        (f"saboteurs {count}", pay, True) for count, pay in sorted(ruleset.saboteur_points.items())
    ]
    return (
        ("connector", ruleset.connector_points, True),
        ("miner", ruleset.miner_points, False),
        ("selfish", ruleset.selfish_points, True),
        *saboteurs,
    )


def parts(ask: Ask, cards: RoleCards) -> list[Part]:
    each = COLUMNS * ROWS
    pages = [cards.tables[first : first + each] for first in range(0, len(cards.tables), each)]
    words, foot = _words(ask, cards), foot_of(ask, _("Roles and hand cards"), up=8.5)
    leaves = [
        _page(ask, words, cards, here, tuple(foot(number, len(pages))))
        for number, here in enumerate(pages, 1)
    ]
    return parts_of(ask, leaves)


def _words(ask: Ask, cards: RoleCards) -> dict[str, Both]:
    dealt = {key: int(key.split()[1]) for key, _pay, _star in cards.pays if " " in key}
    return said(
        ask,
        title=lambda: _("Roles and hand cards"),
        table=lambda: _("Table"),
        players=lambda: _("Players"),
        saboteur=lambda: ngettext("saboteur", "saboteurs", 2),
        miner=lambda: ngettext("miner", "miners", 2),
        selfish_many=lambda: ngettext("selfish dwarf", "selfish dwarfs", 2),
        hand=lambda: _("hand cards each"),
        points=lambda: _("Points in a deal"),
        connector=lambda: _("miner who reached the gold"),
        each_miner=lambda: _("every other miner"),
        selfish=lambda: _("selfish dwarf who reached it, alone"),
        note=lambda: _("Selfish dwarf cards"),
        **{key: _saboteurs(count) for key, count in dealt.items()},
    )


def _saboteurs(count: int):  # type: ignore[no-untyped-def]
    return lambda: (
        ngettext(
            "nobody reached it: the saboteur",
            "nobody reached it: each of %(count)d saboteurs",
            count,
        )
        % {"count": count}
    )


def _page(
    ask: Ask,
    words: dict[str, Both],
    cards: RoleCards,
    tables: Sequence[int],
    foot: tuple[Label, ...],
) -> Leaf:
    paper = paper_of(ask)
    width = (paper.width - 2 * MARGIN) / COLUMNS
    height = (paper.height - 2 * MARGIN - 5) / ROWS
    labels: list[Label] = []
    pictures: list[Picture] = []
    thin = black = ""
    for place, table in enumerate(tables):
        row, column = divmod(place, COLUMNS)
        box = Box(MARGIN + column * width, MARGIN + row * height, width, height)
        card = _card(words, cards, table, box.inside(PAD))
        labels += card.labels
        pictures += card.pictures
        thin += card.thin
        black += card.black
    dashed = (
        f"M{paper.width / 2:.2f} {MARGIN}v{ROWS * height:.2f}"
        f"M{MARGIN} {MARGIN + height:.2f}h{2 * width:.2f}"
    )
    return Leaf(
        tuple(labels),
        thin=thin,
        dashed=dashed,
        black=black,
        pictures=tuple(pictures),
        foot=foot,
    )


def _card(words: dict[str, Both], cards: RoleCards, table: int, box: Box) -> Leaf:
    corner = Box(box.x + box.w - 24, box.y - 1, 24, 4)
    labels = [
        *block("title", words["title"], Box(box.x, box.y, box.w - 28, 12), 15, "slab", least=7),
        line("plain", words["table"], corner, 8.6, align="right"),
        line("title", str(table), Box(corner.x, box.y + 2.5, 24, 10), 27, "slab", align="right"),
    ]
    top = box.y + 14
    first, wide = 15.0, (box.w - 15.0) / 4
    pictures, thin = [], ""
    for place, key in enumerate(("saboteur", "miner", "selfish_many", "hand")):
        x = box.x + first + place * wide
        pictures.append(Picture(PICTURES[place], Box(x + wide / 2 - 5, top, 10, 10)))
        labels += block("plain", words[key], Box(x, top + 10.5, wide, 7), 7.6, align="center")
    labels += block("plain", words["players"], Box(box.x, top + 10.5, first, 7), 7.6)
    note, high = _note(words, cards, box.w)
    paid = 9.5 + PAID_LEAST * len(cards.pays) + high
    row = min(ROW_MOST, (box.y + box.h - top - 18 - paid) / len(cards.rows))
    rows = Box(box.x, top + 18, box.w, row * len(cards.rows))
    labels += _numbers(cards, rows, first, wide)
    for place in range(len(cards.rows) + 1):
        thin += f"M{box.x:.2f} {rows.y + place * row:.2f}h{box.w:.2f}"
    y = rows.y + rows.h + 3.5
    if note:
        labels += block("plain", note, Box(box.x, y, box.w, high - 1.5), 8.6)
    more, stars = _points(words, cards, Box(box.x, y + high, box.w, box.y + box.h - y - high))
    return Leaf((*labels, *more), thin=thin, black=stars, pictures=tuple(pictures))


def _numbers(cards: RoleCards, rows: Box, first: float, wide: float) -> list[Label]:
    labels = cells(
        "title",
        [str(seats) for seats, _row in cards.rows],
        Box(rows.x, rows.y, first, rows.h),
        17,
        "slab",
    )
    for place, key in enumerate(("saboteur", "miner", "selfish", "hand_cards")):
        counts = [getattr(row, key) for _seats, row in cards.rows]
        labels += cells(
            "strong",
            [str(count) if count else "–" for count in counts],
            Box(rows.x + first + place * wide, rows.y, wide, rows.h),
            15,
            "bold",
            align="center",
        )
    return labels


def _note(words: dict[str, Both], cards: RoleCards, width: float) -> tuple[str, float]:
    """Which printed dwarf is the selfish one, where the organiser said so, and its height."""
    if not cards.dwarf_note or not any(row.selfish for _seats, row in cards.rows):
        return "", 0
    note = f"{words['note']}: {cards.dwarf_note}"
    return note, min(3, len(in_lines(note, width * 0.98, 8.6, 3))) * 3.8 + 1.5


def _points(words: dict[str, Both], cards: RoleCards, box: Box) -> tuple[list[Label], str]:
    height = min(5.2, (box.h - 6) / len(cards.pays))
    labels = [line("strong", words["points"], Box(box.x, box.y, box.w, 5), 10, "bold")]
    stars = ""
    for place, (key, pay, star) in enumerate(cards.pays):
        y = box.y + 5.4 + place * height
        name = words["each_miner" if key == "miner" else key]
        labels.append(fitted("plain", str(name), Box(box.x, y, box.w - 17, height), 8.8))
        labels.append(
            fitted(
                "strong",
                str(pay),
                Box(box.x + box.w - 16, y, 8, height),
                10.5,
                "bold",
                align="right",
            )
        )
        if star:
            stars += star_path(box.x + box.w - 3.5, y + height / 2, 1.6)
    return labels, stars
