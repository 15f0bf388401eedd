"""The form under the scoresheets of an edition: the tournament's sheet in that game's own pictures.

Above the grid what is shuffled and dealt, below it the facts of each deal and what they pay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scoring.editions.base import BOX, BaseGame
from scoring.editions.saboteur_2 import PAID, Saboteur2
from tournament.documents.kinds.edition_words import edition_words, in_play
from tournament.documents.kinds.scoresheet_parts import (
    STRIP_TOP,
    SheetForm,
    dealers_tag,
    head_of,
    middle,
    rounded_frames,
    signatures,
)
from tournament.documents.layout.edition_grid import (
    EditionDealPlaces,
    EditionGrid,
    GridShape,
    edition_plan,
)
from tournament.documents.layout.fitting import MM_PER_PT, in_lines
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.grid import HEAD, NOTE_LINE, NUMBER, SEAT, WIDTH
from tournament.documents.layout.labels import (
    Bilingual,
    Label,
    block,
    column,
    each_language,
    in_languages,
    line,
)
from tournament.documents.layout.pages import Picture
from tournament.games import RoleWords, words_of
from tournament.queries.printed_sheets import EditionSheet

NOTE_SIZE, NOTE_LINES = 8.2, 2
STRIP = Box(10, STRIP_TOP, WIDTH, 15)
TITLE, HAND, SPARE = 40.0, 44.0, 32.0  # widths within the strip
_BROKEN = "lantern-broken.svg"

type Words = dict[str, Bilingual]


@dataclass(slots=True)
class _Ink:
    """What is drawn beside the grid. `path`: thin lines on the whole page."""

    labels: list[Label] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    path: str = ""

    def add(self, other: _Ink) -> None:
        self.labels += other.labels
        self.pictures += other.pictures
        self.path += other.path


def edition_form(sheet: EditionSheet, languages: Sequence[str]) -> SheetForm:
    """The form for this sheet and all others of the same event, round and size."""
    words = in_languages(languages, lambda: edition_words(sheet, len(sheet.seats)))
    notes = [
        text
        for note in each_language(words["notes"])
        for text in in_lines(note, WIDTH * 0.98, NOTE_SIZE, NOTE_LINES - len(languages) + 1)
        if text
    ]
    plan = edition_plan(_shape(sheet, len(notes)))
    tag = dealers_tag(words["dealer"], plan)
    ink = _Ink()
    for part in (
        _strip(sheet, words),
        _grid(sheet, words, plan),
        _paid(sheet, words, plan.legend),
    ):
        ink.add(part)
    labels = [
        *head_of(sheet, words),
        Label("notes", "\n".join(notes), f"top:{STRIP.y + STRIP.h + 1:.2f}mm"),
        *ink.labels,
        line("tag", words["dealer"], tag, 8, "bold", align="center"),
        *signatures(words, plan.sign),
        line("foot", words["rules"], Box(240, 199, 47, 4), 7.6, align="right"),
    ]
    frames = rounded_frames(plan, STRIP) + ink.path
    return SheetForm(plan, tuple(labels), tuple(ink.pictures), frames, "", tag)


def _shape(sheet: EditionSheet, notes: int) -> GridShape:
    facts, legend = {BaseGame: (1, 13.0), Saboteur2: (3, 16.0)}.get(type(sheet.edition), (0, 11.5))
    return GridShape(
        seats=len(sheet.seats),
        deals=sheet.deals,
        roles=len(sheet.row.cards),
        facts=facts,
        won=bool(words_of(sheet.event).stars),
        top=STRIP.y + STRIP.h + 1.6 + NOTE_LINE * notes,
        legend=legend,
        spare=sheet.spare is not None,
    )


# --- What is shuffled ------------------------------------------------------------------------


def _strip(sheet: EditionSheet, words: Words) -> _Ink:
    game, row = words_of(sheet.event), sheet.row
    top = STRIP.y + 0.8
    ink = _Ink(block("strong", words["before"], Box(13, top + 0.6, TITLE - 4, 6), 10.5, "bold"))
    if not row.cards:
        ink.pictures.append(Picture("gold.svg", Box(54, top + 1, 11, 11)))
        ink.labels += middle("plain", words["set up"], Box(69, top, 210, 13), 12)
        return ink
    ink.labels += block("plain", words["shuffle"], Box(13, top + 6.6, TITLE - 4, 6), 8.6)
    left, end = STRIP.x + TITLE, STRIP.x + STRIP.w
    each = (STRIP.w - TITLE - SPARE - HAND) / len(game.roles)
    for place, (key, role) in enumerate(game.roles.items()):
        box = Box(left + each * place, top, each, STRIP.h - 1.6)
        ink.add(_card(words, key, role, row.cards[key], box))
    ink.add(_counted(row.spare, words["left over"], Box(end - HAND - SPARE, top, SPARE, 13), ""))
    ink.add(_counted(row.hand_cards, words["hand"], Box(end - HAND, top, HAND, 13), "hand.svg"))
    return ink


def _card(words: Words, key: str, role: RoleWords, count: int, box: Box) -> _Ink:
    """How many of a role card: wide with its name beside it, narrow with its name below."""
    letter = words[f"letter {key}"].texts[0]
    picture, wide = f"{role.icon}.svg", box.w > 40
    size = 11.0 if wide else 8.4
    number = line("big", str(count), Box(box.x + size + 1.5, box.y, 8, size), 22, "slab")
    if wide:
        sign = Box(box.x + size + 10.5, box.y + 4, 6.4, 5)
        name = Box(sign.x + 9, box.y, box.x + box.w - sign.x - 10, box.h)
        labels = middle("plain", words[key], name, 11.5)
    else:
        name = Box(box.x, box.y + size + 0.4, box.w - 1.5, box.h - size - 0.4)
        sign = Box(box.x + size + 9, box.y + 1.8, 6.4, 5)
        labels = middle("plain", words[key], name, 8.6)
    mark = line("letter-mark", letter, sign, 9, "bold", align="center")
    return _Ink([number, *labels, mark], [Picture(picture, Box(box.x, box.y + 0.8, size, size))])


def _counted(count: int, what: Bilingual, box: Box, picture: str) -> _Ink:
    """A number with what it counts, behind a line."""
    ink = _Ink(path=f"M{box.x:.2f} {STRIP.y}v{STRIP.h}")
    x = box.x + 2.5
    if picture:
        ink.pictures.append(Picture(picture, Box(x, box.y + 1.2, 10, 10)))
        x += 11
    wide = 10 if count > 9 else 6.5
    ink.labels.append(line("big", str(count), Box(x, box.y, wide, 12.5), 22, "slab"))
    rest = Box(x + wide + 1, box.y, box.x + box.w - x - wide - 2, 13)
    ink.labels += middle("plain", what, rest, 9)
    return ink


# --- The grid --------------------------------------------------------------------------------


def _grid(sheet: EditionSheet, words: Words, plan: EditionGrid) -> _Ink:
    at, rows = plan.at, len(sheet.seats) + (plan.spare is not None)
    how = "how letter" if sheet.row.cards and not plan.deals[0].letters else "how"
    labels = [
        line("plain", words["seat"], at(Box(0, 0, SEAT, HEAD)).inside(0.5, 0), 8, align="center"),
        line(
            "plain",
            words["number"],
            at(Box(SEAT, 0, NUMBER, HEAD)).inside(0.5, 0),
            8,
            align="center",
        ),
        *block("plain", words[how], at(plan.name).inside(1.5, 0.5), 8.2),
        line("strong", words["sum"], at(plan.sum), 11, "bold", align="center"),
        *middle("centre", words["points"], at(plan.sum_points).inside(0.4, 0), 8.2),
        column("seat-no", [str(seat + 1) for seat in range(rows)], at(plan.seat), 17),
    ]
    ink = _Ink(labels)
    if plan.won.w:
        won = at(plan.won)
        trophy = Box(won.x + won.w / 2 - 2.4, won.y + 0.5, 4.8, 4.8)
        ink.pictures.append(Picture("trophy.svg", trophy))
        ink.labels += middle(
            "centre", words["won"], Box(won.x + 0.4, won.y + 5.4, won.w - 0.8, 5), 8.2
        )
    for key, box in zip(("gold", "doors", "jail"), plan.asked, strict=False):
        place = at(box)
        upper = Box(place.x, place.y + 0.3, place.w, 3.6)
        lower = Box(place.x, place.y + 3.8, place.w, 3.1)
        ink.labels.append(line("strong", words[key], upper, 8.6, "bold"))
        ink.labels.append(line("plain", words[f"{key} how"], lower, 7.4))
    if plan.spare is not None:
        high = min(plan.row - 0.6, 3.5 * len(each_language(words["spare"])))
        foot = Box(plan.spare.x, plan.spare.y + plan.row - 0.4 - high, plan.spare.w, high)
        ink.labels += block("faint", words["spare"], at(foot), 7.4)
    for number, deal in enumerate(plan.deals, 1):
        ink.add(_deal(sheet, words, number, deal, plan))
    return ink


def _deal(
    sheet: EditionSheet, words: Words, number: int, deal: EditionDealPlaces, plan: EditionGrid
) -> _Ink:
    at, rows = plan.at, len(sheet.seats) + (plan.spare is not None)
    labels = [
        line("strong", words[f"deal {number}"], at(deal.title), 11, "bold", align="center"),
        *middle("centre", words["points"], at(deal.points).inside(0.4, 0), 8.2),
    ]
    if deal.role.w:
        labels += middle("centre", words["role"], at(deal.role).inside(0.4, 0), 8.2)
    # A bubble has room for one letter: the first language's. The strip tells them in both.
    for key, box in zip(words_of(sheet.event).roles, deal.letters, strict=False):
        letter = words[f"letter {key}"].texts[0]
        labels.append(column("faint", [letter] * rows, at(box), 9))
    ink = _Ink(labels)
    facts, lines = deal.facts, len(plan.asked)
    if lines:
        ink.labels.append(_hint(words["seat hint"], at(facts.gold)))
        ink.labels.append(line("plain", words["nobody"], at(facts.nobody), 8.2))
    if lines > 1:
        for key, box in zip(("blue", "green"), facts.letters, strict=True):
            letter = words[f"letter {key}"].texts[0]
            ink.labels.append(line("strong", letter, at(box), 9, "bold", align="center"))
        ink.pictures.append(Picture("crystal.svg", at(facts.crystal)))
        ink.labels.append(_hint(words["jail hint"], at(facts.jail)))
        ink.labels.append(_hint(words["thieves hint"], at(facts.thieves)))
    return ink


def _hint(words: Bilingual, box: Box) -> Label:
    """What a box is for, small in its corner."""
    return line("faint", words, Box(box.x + 0.7, box.y, box.w - 1, 2.9), 6.6)


# --- What is paid ----------------------------------------------------------------------------


def _paid(sheet: EditionSheet, words: Words, place: Box) -> _Ink:
    title = Box(place.x + 3, place.y + 1, 34, place.h - 2)
    ink = _Ink(
        [
            *block("strong", words["check"], Box(title.x, title.y, title.w, 6), 9.4, "bold"),
            *block("plain", words["check how"], Box(title.x, title.y + 6, title.w, 5), 8.2),
        ]
    )
    rest = Box(place.x + 39, place.y + 0.8, place.w - 41, place.h - 1.6)
    match sheet.edition:
        case BaseGame():
            ink.add(_base(words, len(sheet.seats), rest))
        case Saboteur2():
            ink.add(_dwarfs(sheet, words, rest))
        case _:
            ink.labels += block("plain", words["ahead"], rest, 12)
    return ink


def _base(words: Words, seats: int, box: Box) -> _Ink:
    half, y = box.w / 2 - 2, box.y + 5.2
    right = box.x + half + 4
    ink = _Ink(
        [
            line("strong", words["reached"], Box(box.x, box.y, half, 4.6), 9.4, "bold"),
            line("strong", words["missed"], Box(right, box.y, half, 4.6), 9.4, "bold"),
        ]
    )
    high = min(box.h - 5.4, 9)
    ink.labels += middle("plain", words["drawn"], Box(box.x, y, half - 57, high), 9)
    ink.add(_gold_cards(words, Box(box.x + half - 55, y, 55, high)))
    x = right
    for number in in_play(seats):
        told = words[f"saboteurs {number}"]
        for _one in range(number):
            ink.pictures.append(Picture(_BROKEN, Box(x, y + high / 2 - 3, 6, 6)))
            x += 6.2
        wide = 20 if number else half - 40
        ink.labels += middle("strong", told, Box(x + 1, y, wide, high), 10)
        x += wide + 4
    return ink


def _gold_cards(words: Words, box: Box) -> _Ink:
    """How many gold cards of each sort the box has, as small cards."""
    ink, x, high = _Ink(), box.x, min(box.h - 0.4, 7)
    top = box.y + (box.h - high) / 2
    for nuggets, count in BOX.items():
        card = Box(x + 7, top, high * 0.72, high)
        ink.path += card.path
        ink.labels.append(line("plain", f"{count} ×", Box(x, box.y, 6.6, box.h), 9, align="right"))
        ink.labels.append(line("strong", str(nuggets), card, 10, "bold", align="center"))
        x += 13.4
    ink.labels += middle("plain", words["box"], Box(x + 0.5, box.y, box.x + box.w - x, box.h), 8.2)
    return ink


def _dwarfs(sheet: EditionSheet, words: Words, box: Box) -> _Ink:
    first, second = 58.0, 72.0
    size = min(10.0, 8.0 + (box.h - 14.4) * 0.2)  # larger where few seats leave room
    ink = _winners(sheet, words, Box(box.x, box.y, first, box.h), size)
    x, high = box.x + first + 3, box.h
    middle_box, last = Box(x, box.y, second, high), Box(x + second + 3, box.y, 0, high)
    last = Box(last.x, last.y, box.x + box.w - last.x, high)
    ink.labels += _stacked([words["less"], words["thieves"]], middle_box, size)
    ink.labels += _stacked(
        [words[k] for k in ("reached own", "reached other", "missed")], last, size
    )
    return ink


def _stacked(texts: Sequence[Bilingual], box: Box, size: float) -> list[Label]:
    """Sentences in each language, one language below the other, as one block."""
    spoken = range(len(texts[0].texts))
    joined = Bilingual(tuple(" ".join(text.texts[n] for text in texts) for n in spoken))
    return middle("plain", joined, box, size)


def _winners(sheet: EditionSheet, words: Words, box: Box, size: float) -> _Ink:
    """How many win, above what each of them gets."""
    edition = sheet.edition
    many = edition.paid_to_many if isinstance(edition, Saboteur2) else 1
    paid = [(str(number), nuggets) for number, nuggets in PAID.items()] + [("5+", many)]
    title = size * 1.22 * MM_PER_PT * len(each_language(words["winners"]))
    ink = _Ink(block("strong", words["winners"], Box(box.x, box.y, box.w, title), size, "bold"))
    each, top = box.w / len(paid), box.y + title + 0.4
    high = (box.h - title - 0.8) / 2
    for place, (number, nuggets) in enumerate(paid):
        cell = Box(box.x + each * place, top, each, high)
        below = cell.at(0, high)
        ink.path += cell.path + below.path
        ink.labels.append(line("plain", number, cell, 8.2, align="center"))
        ink.labels.append(line("strong", str(nuggets), below, 10, "bold", align="center"))
    return ink
