"""A table's card of an edition: its role cards, hands and what is left over, and what is paid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from django.utils import translation
from django.utils.translation import gettext as _

from scoring.editions import EDITIONS
from scoring.editions.saboteur_2 import Saboteur2
from tournament.documents.kinds.edition_words import dwarf_rules
from tournament.documents.layout.cells import cells, fitted
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import Bilingual, Label, block, line
from tournament.documents.layout.notice import NoticeLine, set_lines, size_of_lines
from tournament.documents.layout.pages import PageDrawing, Picture, words_in
from tournament.documents.request import DocumentRequest
from tournament.games import RoleWords, words_for
from tournament.queries.document_facts import EventFacts, event_facts
from tournament.queries.edition_rules import RuleSection, SetUpRow, rule_sections, set_up_rows

SEATS, ROW_MOST, TEXT_MOST = 15.0, 6.2, 8.6
SCALES = (1.0, 0.93, 0.86, 0.79, 0.72)  # of the rows, which give way where the text is long

type Words = dict[str, Bilingual]


@dataclass(frozen=True, slots=True)
class EditionCardFacts:
    """`rows`: what is dealt at a table of so many; `texts`: what is paid, in each language."""

    event: EventFacts
    tables: tuple[int, ...]
    ruleset: str
    rows: tuple[SetUpRow, ...]
    texts: tuple[tuple[NoticeLine, ...], ...]

    @property
    def roles(self) -> Sequence[tuple[str, RoleWords]]:
        return tuple(words_for(self.ruleset).roles.items())


def edition_card_facts(request: DocumentRequest, tables: tuple[int, ...]) -> EditionCardFacts:
    ruleset, texts = request.event.ruleset, []
    for language in request.effective_languages:
        with translation.override(language):
            texts.append(_paid(ruleset))
    return EditionCardFacts(
        event_facts(request.event), tables, ruleset, set_up_rows(ruleset), tuple(texts)
    )


def _paid(ruleset: str) -> tuple[NoticeLine, ...]:
    lines: list[NoticeLine] = []
    for section in _sections(ruleset):
        lines.append(("title", section.title))
        lines += (("item", text) for text in section.lines)
    return tuple(lines)


def _sections(ruleset: str) -> Sequence[RuleSection]:
    """The rules of a deal; of Saboteur 2 with the letters that stand above them, to be short."""
    sections, edition = rule_sections(ruleset), EDITIONS[ruleset]
    if not isinstance(edition, Saboteur2):
        return sections
    told = dwarf_rules(words_for(ruleset))
    winning, paid = sections
    return (
        RuleSection(winning.title, (told["reached own"], told["reached other"], told["missed"])),
        RuleSection(paid.title, (paid.lines[0], told["less"], told["thieves"])),
    )


def edition_card_words(request: DocumentRequest, facts: EditionCardFacts) -> Words:
    return words_in(
        request,
        title=lambda: _("Roles and hand cards"),
        table=lambda: _("Table"),
        players=lambda: _("Players"),
        spare=lambda: _("left over, unseen"),
        hand=lambda: _("hand cards each"),
        **{key: _names(facts, place) for place, (key, _role) in enumerate(facts.roles)},
        **{f"letter {key}": _letter(role) for key, role in facts.roles},
    )


def _names(facts: EditionCardFacts, place: int) -> Callable[[], str]:
    """For one card where no table has more of it."""
    _key, role = facts.roles[place]
    several = any(row.cards[place] > 1 for row in facts.rows)
    return lambda: str(role.names if several else role.name)


def _letter(role: RoleWords) -> Callable[[], str]:
    return lambda: str(role.letter)


def edition_card(words: Words, facts: EditionCardFacts, box: Box) -> PageDrawing:
    """All but the title. Where every size shuffles the same cards they are shown once."""
    draw = _dwarfs if len({row.cards for row in facts.rows}) == 1 else _by_size
    lines = [one for language in facts.texts for one in language]
    for scale in SCALES:
        drawing, used = draw(words, facts, box, scale)
        text = Box(box.x, box.y + used + 3, box.w, box.h - used - 3)
        size = size_of_lines(lines, text.w, text.h, TEXT_MOST)
        labels, high = set_lines(lines, text, size)
        if high <= text.h:
            break
    return replace(drawing, labels=(*drawing.labels, *labels))


def _by_size(
    words: Words, facts: EditionCardFacts, box: Box, scale: float
) -> tuple[PageDrawing, float]:
    """A row for each size of a table; and the height of them all."""
    row_height = ROW_MOST * scale
    rows, keys = facts.rows, [key for key, _role in facts.roles]
    wide = (box.w - SEATS) / (len(keys) + 2)
    grid = Box(box.x, box.y + 18, box.w, row_height * len(rows))
    counted = [
        *((key, [row.cards[place] for row in rows]) for place, key in enumerate(keys)),
        ("spare", [row.spare for row in rows]),
        ("hand", [row.hand_cards for row in rows]),
    ]
    icons = [f"{role.icon}.svg" for _key, role in facts.roles]
    labels = [
        *block("plain", words["players"], Box(box.x, box.y + 10.5, SEATS, 7), 7.6),
        *cells("title", [str(row.seats) for row in rows], _first(grid), 15, "slab"),
    ]
    pictures = []
    for place, (key, counts) in enumerate(counted):
        x = box.x + SEATS + place * wide
        labels += block(
            "plain", words[key], Box(x, box.y + 10.5, wide - 0.5, 7), 7.6, align="center"
        )
        column = Box(x, grid.y, wide, grid.h)
        shown = [str(count) for count in counts]
        labels += cells("strong", shown, column, 13, "bold", align="center")
        icon = {"hand": "hand.svg", "spare": ""}.get(key, icons[min(place, len(icons) - 1)])
        if icon:
            pictures.append(Picture(icon, Box(x + wide / 2 - 5, box.y, 10, 10)))
    edges = (grid.y + n * row_height for n in range(len(rows) + 1))
    thin = "".join(f"M{box.x:.2f} {y:.2f}h{box.w:.2f}" for y in edges)
    return PageDrawing(tuple(labels), thin=thin, pictures=tuple(pictures)), grid.h + 18


def _first(grid: Box) -> Box:
    return Box(grid.x, grid.y, SEATS, grid.h)


def _dwarfs(
    words: Words, facts: EditionCardFacts, box: Box, scale: float
) -> tuple[PageDrawing, float]:
    """The cards in two columns, the hand below them, and what is left over by players."""
    labels: list[Label] = []
    pictures = []
    half, high = box.w / 2, 9.4 * scale
    for place, (key, role) in enumerate(facts.roles):
        down, across = divmod(place, 2)
        x, y = box.x + across * half, box.y + down * high
        pictures.append(Picture(f"{role.icon}.svg", Box(x, y, 8, 8)))
        count = str(facts.rows[0].cards[place])
        letter = words[f"letter {key}"].texts[0]
        sign = Box(x + 15.6, y + 1.8, 6, 4.8)
        labels += [
            line("title", count, Box(x + 9.5, y, 6, 8.4), 16, "slab"),
            line("letter-mark", letter, sign, 8.6, "bold", align="center"),
            *block("plain", words[key], Box(x + 23, y + 2.4, half - 24, 7), 8.6),
        ]
    y = box.y + high * -(-len(facts.roles) // 2)
    pictures.append(Picture("hand.svg", Box(box.x, y, 8, 8)))
    hand = str(facts.rows[0].hand_cards)
    labels += [
        line("title", hand, Box(box.x + 9.5, y, 6, 8.4), 16, "slab"),
        fitted("plain", str(words["hand"]), Box(box.x + 16, y, box.w - 16, 8.4), 8.6),
    ]
    strip = Box(box.x, y + high + 0.6, box.w, 10.4)
    return _left_over(words, facts, strip, labels, tuple(pictures)), strip.y + strip.h - box.y


def _left_over(
    words: Words,
    facts: EditionCardFacts,
    box: Box,
    labels: list[Label],
    pictures: tuple[Picture, ...],
) -> PageDrawing:
    lead, row = 22.0, box.h / 2
    wide = (box.w - lead) / len(facts.rows)
    thin = "".join(f"M{box.x:.2f} {box.y + n * row:.2f}h{box.w:.2f}" for n in range(3))
    labels = [
        *labels,
        line("plain", words["players"], Box(box.x, box.y, lead - 1, row), 8),
        line("plain", words["spare"], Box(box.x, box.y + row, lead - 1, row), 8),
    ]
    for place, one in enumerate(facts.rows):
        cell = Box(box.x + lead + place * wide, box.y, wide, row)
        labels += [
            line("strong", str(one.seats), cell, 9.5, "bold", align="center"),
            line("plain", str(one.spare), cell.at(0, row), 9.5, align="center"),
        ]
    return PageDrawing(tuple(labels), thin=thin, pictures=pictures)
