"""What the scoresheets of equal tables have in common: everything but who sits there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scoring.refusal import Refusal
from scoring.sheets import read_points
from tournament import rulebook
from tournament.documents.kinds.scoresheet_parts import (
    STRIP_TOP,
    SheetForm,
    dealers_tag,
    head_of,
    middle,
    rounded_frames,
    signatures,
)
from tournament.documents.kinds.scoresheet_words import sheet_words
from tournament.documents.layout.fitting import in_lines, width_of
from tournament.documents.layout.geometry import Box, star_path
from tournament.documents.layout.grid import (
    HEAD,
    NUMBER,
    SEAT,
    WIDTH,
    DealPlaces,
    SheetGrid,
    plan_for,
)
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
from tournament.models import Event
from tournament.queries.printed_sheets import TournamentSheet

NOTE_SIZE, NOTE_LINES = 8.2, 3
STRIP = Box(10, STRIP_TOP, 277, 14)
_CARDS = ("saboteur", "miner", "selfish")
_PICTURES = {"saboteur": "lantern-broken.svg", "miner": "pickaxe.svg", "selfish": "nugget.svg"}
_CARDS_FROM, _CARDS_EACH, _HAND_FROM = 53.0, 58.0, 229.0


def form_of(sheet: TournamentSheet, languages: Sequence[str]) -> SheetForm:
    """The form for this sheet and all others of the same event, round and size."""
    words = in_languages(languages, lambda: sheet_words(sheet, len(sheet.seats)))
    notes = [
        text
        for note in each_language(words["notes"])
        # One language has three lines, two have two each, so that the grid is not pushed down too
        # far.
        for text in in_lines(note, WIDTH * 0.98, NOTE_SIZE, NOTE_LINES - len(languages) + 1)
    ]
    # Somebody who sits down late may bring a selfish dwarf into the deal.
    roles = 3 if sheet.row.selfish or (sheet.spare and sheet.spare.selfish) else 2
    plan = plan_for(len(sheet.seats), sheet.deals, roles, len(notes), spare=sheet.spare is not None)
    tag = dealers_tag(words["dealer"], plan)
    checks, stars = _checks(sheet, words, plan.legend)
    frames = rounded_frames(plan, STRIP) + f"M{_HAND_FROM} {STRIP.y}v{STRIP.h}"
    labels = [
        *head_of(sheet, words),
        *_strip(sheet, words),
        Label("notes", "\n".join(notes), ""),
        *_grid(sheet, words, plan),
        line("tag", words["dealer"], tag, 8, "bold", align="center"),
        *checks,
        *signatures(words, plan.sign),
        line("foot", words["rules"], Box(240, 199, 47, 4), 7.6, align="right"),
    ]
    return SheetForm(plan, tuple(labels), tuple(_pictures(sheet)), frames, stars, tag)


def _strip(sheet: TournamentSheet, words: dict[str, Bilingual]) -> list[Label]:
    row = sheet.row
    counts = {"saboteur": row.saboteur, "miner": row.miner, "selfish": row.selfish}
    top = STRIP.y + 1
    labels = [
        *block("strong", words["before"], Box(13, top + 0.6, 37, 6.2), 10.5, "bold"),
        *block("plain", words["shuffle"], Box(13, top + 6.6, 37, 6), 8.6),
    ]
    for place, card in enumerate(card for card in _CARDS if counts[card]):
        x = _CARDS_FROM + _CARDS_EACH * place
        labels += [
            line("big", str(counts[card]), Box(x + 13, top, 8, 12), 26, "slab"),
            *middle("plain", words[card], Box(x + 22, top, 25, 12), 11.5),
            line(
                "letter-mark",
                words[f"letter {card}"],
                Box(x + 48, top + 3.5, 6.4, 5),
                9,
                "bold",
                align="center",
            ),
        ]
    return [
        *labels,
        line("big", str(row.hand_cards), Box(_HAND_FROM + 17, top, 8, 12), 26, "slab"),
        *middle("plain", words["hand"], Box(_HAND_FROM + 26, top, 30, 12), 10.5),
    ]


def _pictures(sheet: TournamentSheet) -> list[Picture]:
    row, top = sheet.row, STRIP.y + 1.5
    cards = [card for card in _CARDS if getattr(row, card)]
    pictures = [
        Picture(_PICTURES[card], Box(_CARDS_FROM + _CARDS_EACH * place, top, 11, 11))
        for place, card in enumerate(cards)
    ]
    return [*pictures, Picture("hand.svg", Box(_HAND_FROM + 3, top, 12, 11))]


def _grid(sheet: TournamentSheet, words: dict[str, Bilingual], plan: SheetGrid) -> list[Label]:
    at = plan.at
    rows = len(sheet.seats) + (plan.spare is not None)
    labels = [
        line("plain", words["seat"], at(Box(0, 0, SEAT, HEAD)).inside(0.5, 0), 8, align="center"),
        line(
            "plain",
            words["number"],
            at(Box(SEAT, 0, NUMBER, HEAD)).inside(0.5, 0),
            8,
            align="center",
        ),
        *block("plain", words["how"], at(plan.name).inside(1.5, 0.5), 8.2),
        line("strong", words["total"], at(plan.total), 11, "bold", align="center"),
        *middle("centre", words["points"], at(plan.total_points).inside(0.4, 0), 8.2),
        column("seat-no", [str(seat + 1) for seat in range(rows)], at(plan.seat), 17),
    ]
    for key, box in (("gold", at(plan.gold)), ("sum", at(plan.sum))):
        labels.append(line("strong", words[key], Box(box.x, box.y + 0.7, box.w, 4), 9.4, "bold"))
        labels.append(line("plain", words[f"{key} how"], Box(box.x, box.y + 4.5, box.w, 3.8), 7.8))
    if plan.spare is not None:
        high = min(plan.row - 0.6, 3.5 * len(words["spare"].texts))
        foot = Box(plan.spare.x, plan.spare.y + plan.row - 0.4 - high, plan.spare.w, high)
        labels += block("faint", words["spare"], at(foot), 7.4)
    for number, deal in enumerate(plan.deals, 1):
        labels += _deal(sheet, words, number, deal, rows, at)
    return labels


def _deal(
    sheet: TournamentSheet,
    words: dict[str, Bilingual],
    number: int,
    deal: DealPlaces,
    rows: int,
    at: Callable[[Box], Box],
) -> list[Label]:
    labels = [
        line("strong", words[f"deal {number}"], at(deal.title), 11, "bold", align="center"),
        *middle("centre", words["role"], at(deal.role).inside(0.4, 0), 8.2),
        *middle("centre", words["points"], at(deal.points).inside(0.4, 0), 8.2),
        line("faint", words["seat hint"], at(deal.hint), 6.8),
        line("plain", words["nobody"], at(deal.nobody), 8.2),
        *_sums(sheet, at(deal.sums)),
    ]
    for card, box in zip(_CARDS, deal.letters, strict=False):
        # A bubble has room for one letter: the first language's.
        labels.append(column("faint", [words[f"letter {card}"].texts[0]] * rows, at(box), 9))
    return labels


def _sums(sheet: TournamentSheet, box: Box) -> list[Label]:
    """The sums that can come out, each once."""
    sums = list(dict.fromkeys(str(total) for _, _, total in sheet.checks))
    return middle("centre", Bilingual((" · ".join(sums),)), box.inside(0.6, 0), 8.6)


def _checks(
    sheet: TournamentSheet, words: dict[str, Bilingual], place: Box
) -> tuple[list[Label], str]:
    """What each end of a deal pays, and the black stars behind the points that bring one."""
    each = (place.w - 46) / max(1, len(sheet.checks))
    labels = [
        *block("strong", words["check"], Box(place.x + 3, place.y + 1, 41, 4.8), 9.4, "bold"),
        *block("plain", words["check how"], Box(place.x + 3, place.y + 5.8, 41, 5), 8.4),
    ]
    stars = ""
    for number, (outcome, points, total) in enumerate(sheet.checks):
        x = place.x + 46 + each * number
        labels += block(
            "plain", words[f"outcome {outcome}"], Box(x, place.y + 0.8, each - 2, 5), 8.6
        )
        starred = _starred(sheet.event, points, len(sheet.seats))
        y, at = place.y + 6.2, x
        for position, (paid, star) in enumerate(starred):
            text = f"{' + ' if position else ''}{paid}"
            wide = width_of(text, 9)
            labels.append(Label("plain", text, f"{Box(at, y, wide + 1, 4.6).line};font-size:9pt"))
            at += wide + 0.3
            if star:
                stars += star_path(at + 1.4, y + 2.2, 1.5)
                at += 3.1
        labels.append(
            Label("strong", f"= {total}", f"{Box(at + 1, y, 14, 4.6).line};font-size:11pt")
        )
    return labels, stars


def _starred(event: Event, points: tuple[int, ...], seats: int) -> tuple[tuple[int, bool], ...]:
    """Points with their stars, where points alone tell them under the event's ruleset."""
    try:
        # The payout names only those who get something; the others at the table get 0.
        full = points + (0,) * (seats - len(points))
        stars = read_points(rulebook.ruleset_of(event), full).stars
    except Refusal:
        # With changed numbers the points may leave it open: then no star is promised.
        stars = (0,) * seats
    return tuple((paid, bool(star)) for paid, star in zip(points, stars, strict=False))
