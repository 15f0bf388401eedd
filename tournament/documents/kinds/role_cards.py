"""The role and hand-card table as a card for each table, four to a sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import batched

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.rulesets import RoleRow, Ruleset
from tournament import rulebook
from tournament.documents.document import Document
from tournament.documents.kinds.edition_cards import (
    EditionCardFacts,
    edition_card,
    edition_card_facts,
    edition_card_words,
)
from tournament.documents.layout.cells import cells, fitted
from tournament.documents.layout.fitting import in_lines
from tournament.documents.layout.geometry import Box, star_path
from tournament.documents.layout.labels import Bilingual, Label, block, line
from tournament.documents.layout.pages import (
    PageDrawing,
    Picture,
    in_parts,
    page_footer,
    paper_size,
    words_in,
)
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.games import words_of
from tournament.models import Event
from tournament.queries.boxes import notes_by_table, notes_of_event
from tournament.queries.document_facts import EventFacts, event_facts, tables_expected

COLUMNS, ROWS, MARGIN, PAD = 2, 2, 8.0, 6.0
ROW_MOST, PAID_LEAST = 8.0, 3.9  # heights of a row of cards, and of what somebody is paid
SEATS = 15.0  # the first column's width
PICTURES = ("lantern-broken.svg", "pickaxe.svg", "nugget.svg", "hand.svg")


@dataclass(frozen=True, slots=True)
class RoleCardFacts:
    """`rows`: what is dealt at a table of so many; `pays`: who is paid what, and whether with a
    star; `dwarf_notes`: which dwarf is the selfish one, for each of the tables."""

    event: EventFacts
    tables: tuple[int, ...]
    rows: tuple[tuple[int, RoleRow], ...]
    ruleset: str
    dwarf_notes: tuple[str, ...]
    pays: tuple[tuple[str, int, bool], ...]


class RoleCards(Document[RoleCardFacts | EditionCardFacts]):
    kind = "cards"
    title = gettext_lazy("Cards with roles and hand cards")
    about = gettext_lazy("What is shuffled and dealt, and what a deal pays. One for each table.")
    when = "before"

    def suits(self, event: Event) -> bool:
        return bool(words_of(event).roles)

    def facts(self, request: DocumentRequest) -> RoleCardFacts | EditionCardFacts:
        tables = tables_expected(request.event, request.tables)
        if words_of(request.event).edition:
            return edition_card_facts(request, tables)
        ruleset = rulebook.tournament_rules(request.event)
        boxes, of_event = notes_by_table(request.event), notes_of_event(request.event)
        return RoleCardFacts(
            event_facts(request.event),
            tables,
            tuple(sorted(ruleset.rows.items())),
            request.event.ruleset,
            tuple(boxes.get(table, of_event).dwarf_note for table in tables),
            _pays(ruleset),
        )

    def parts(
        self, request: DocumentRequest, facts: RoleCardFacts | EditionCardFacts
    ) -> list[Part]:
        groups = list(batched(facts.tables, COLUMNS * ROWS))
        draw = _drawing(request, facts)
        footer = page_footer(request, _("Roles and hand cards"), up=8.5)
        pages = [
            _page(request, draw, tables, tuple(footer(number, len(groups))))
            for number, tables in enumerate(groups, 1)
        ]
        return in_parts(request, pages)


type _Draw = Callable[[int, Box], PageDrawing]  # a table's card at its place


def _drawing(request: DocumentRequest, facts: RoleCardFacts | EditionCardFacts) -> _Draw:
    if isinstance(facts, RoleCardFacts):
        return partial(_card, _words(request, facts), facts)
    words = edition_card_words(request, facts)

    def draw(table: int, box: Box) -> PageDrawing:
        card = edition_card(words, facts, Box(box.x, box.y + 14, box.w, box.h - 14))
        return replace(card, labels=(*_title(words, table, box), *card.labels))

    return draw


def _pays(ruleset: Ruleset) -> tuple[tuple[str, int, bool], ...]:
    saboteurs = [
        (f"saboteurs {count}", pay, True) for count, pay in sorted(ruleset.saboteur_points.items())
    ]
    return (
        ("connector", ruleset.connector_points, True),
        ("miner", ruleset.miner_points, False),
        ("selfish", ruleset.selfish_points, True),
        *saboteurs,
    )


def _words(request: DocumentRequest, facts: RoleCardFacts) -> dict[str, Bilingual]:
    dealt = {key: int(key.split()[1]) for key, _pay, _star in facts.pays if " " in key}
    return words_in(
        request,
        title=lambda: _("Roles and hand cards"),
        table=lambda: _("Table"),
        players=lambda: _("Players"),
        # They head columns of numbers, so the plural of any number but one.
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


def _saboteurs(count: int) -> Callable[[], str]:
    return lambda: (
        ngettext(
            "nobody reached it: the saboteur",
            "nobody reached it: each of %(count)d saboteurs",
            count,
        )
        % {"count": count}
    )


def _page(
    request: DocumentRequest,
    draw: _Draw,
    tables: Sequence[int],
    foot: tuple[Label, ...],
) -> PageDrawing:
    paper = paper_size(request)
    width = (paper.width - 2 * MARGIN) / COLUMNS
    height = (paper.height - 2 * MARGIN - 5) / ROWS
    labels: list[Label] = []
    pictures: list[Picture] = []
    thin = black = ""
    for place, table in enumerate(tables):
        row, column = divmod(place, COLUMNS)
        box = Box(MARGIN + column * width, MARGIN + row * height, width, height)
        card = draw(table, box.inside(PAD))
        labels += card.labels
        pictures += card.pictures
        thin += card.thin
        black += card.black
    dashed = (
        f"M{paper.width / 2:.2f} {MARGIN}v{ROWS * height:.2f}"
        f"M{MARGIN} {MARGIN + height:.2f}h{2 * width:.2f}"
    )
    return PageDrawing(
        tuple(labels),
        thin=thin,
        dashed=dashed,
        black=black,
        pictures=tuple(pictures),
        foot=foot,
    )


def _card(words: dict[str, Bilingual], facts: RoleCardFacts, table: int, box: Box) -> PageDrawing:
    note, note_height = _note(words, facts, table, box.w)
    top, end = box.y + 14, box.y + box.h
    paid = 9.5 + PAID_LEAST * len(facts.pays) + note_height
    # Whatever the rules hold, all of it has to fit on a quarter of the page: the rows give way.
    row = min(ROW_MOST, (end - top - 18 - paid) / len(facts.rows))
    rows = Box(box.x, top + 18, box.w, row * len(facts.rows))
    y = rows.y + rows.h + 3.5
    below_note = Box(box.x, y + note_height, box.w, end - y - note_height)
    points, stars = _points(words, facts, below_note)
    labels = (
        *_title(words, table, box),
        *_heads(words, box.x, top, box.w),
        *_numbers(facts, rows),
        *(block("plain", note, Box(box.x, y, box.w, note_height - 1.5), 8.6) if note else []),
        *points,
    )
    lines = (f"M{box.x:.2f} {rows.y + n * row:.2f}h{box.w:.2f}" for n in range(len(facts.rows) + 1))
    return PageDrawing(
        labels, thin="".join(lines), black=stars, pictures=_pictures(box.x, top, box.w)
    )


def _title(words: dict[str, Bilingual], table: int, box: Box) -> list[Label]:
    corner = Box(box.x + box.w - 24, box.y - 1, 24, 4)
    return [
        *block("title", words["title"], Box(box.x, box.y, box.w - 28, 12), 15, "slab", least=7),
        line("plain", words["table"], corner, 8.6, align="right"),
        line("title", str(table), Box(corner.x, box.y + 2.5, 24, 10), 27, "slab", align="right"),
    ]


def _column(number: int, x: float, width: float) -> tuple[float, float]:
    """Left edge and width of one of the four columns beside the number of players."""
    wide = (width - SEATS) / len(PICTURES)
    return x + SEATS + number * wide, wide


def _pictures(left: float, top: float, width: float) -> tuple[Picture, ...]:
    pictures = []
    for number, name in enumerate(PICTURES):
        x, wide = _column(number, left, width)
        pictures.append(Picture(name, Box(x + wide / 2 - 5, top, 10, 10)))
    return tuple(pictures)


def _heads(words: dict[str, Bilingual], left: float, top: float, width: float) -> list[Label]:
    labels = []
    for number, key in enumerate(("saboteur", "miner", "selfish_many", "hand")):
        x, wide = _column(number, left, width)
        labels += block("plain", words[key], Box(x, top + 10.5, wide, 7), 7.6, align="center")
    return [*labels, *block("plain", words["players"], Box(left, top + 10.5, SEATS, 7), 7.6)]


def _numbers(facts: RoleCardFacts, rows: Box) -> list[Label]:
    seats = [str(seats) for seats, _row in facts.rows]
    labels = cells("title", seats, Box(rows.x, rows.y, SEATS, rows.h), 17, "slab")
    for number, key in enumerate(("saboteur", "miner", "selfish", "hand_cards")):
        x, wide = _column(number, rows.x, rows.w)
        counts = [getattr(row, key) for _seats, row in facts.rows]
        labels += cells(
            "strong",
            [str(count) if count else "–" for count in counts],
            Box(x, rows.y, wide, rows.h),
            15,
            "bold",
            align="center",
        )
    return labels


def _note(
    words: dict[str, Bilingual], facts: RoleCardFacts, table: int, width: float
) -> tuple[str, float]:
    """Which printed dwarf is the selfish one, where the organiser said so, and its height."""
    # Where no table deals the card, nobody has to know which it is.
    said = facts.dwarf_notes[facts.tables.index(table)]
    if not said or not any(row.selfish for _seats, row in facts.rows):
        return "", 0
    note = f"{words['note']}: {said}"
    return note, min(3, len(in_lines(note, width * 0.98, 8.6, 3))) * 3.8 + 1.5


def _points(words: dict[str, Bilingual], facts: RoleCardFacts, box: Box) -> tuple[list[Label], str]:
    height = min(5.2, (box.h - 6) / len(facts.pays))
    labels = [line("strong", words["points"], Box(box.x, box.y, box.w, 5), 10, "bold")]
    stars = ""
    for place, (key, pay, star) in enumerate(facts.pays):
        y = box.y + 5.4 + place * height
        name = words["each_miner" if key == "miner" else key]
        labels.append(fitted("plain", str(name), Box(box.x, y, box.w - 17, height), 8.8))
        paid = Box(box.x + box.w - 16, y, 8, height)
        labels.append(fitted("strong", str(pay), paid, 10.5, "bold", align="right"))
        if star:
            stars += star_path(box.x + box.w - 3.5, y + height / 2, 1.6)
    return labels, stars
