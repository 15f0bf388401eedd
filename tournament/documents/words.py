"""The words of a scoresheet's grid.

What stands once a deal is one line whose word spaces are as wide as a deal: every box costs
the renderer the same time, however little is in it. (Tabs would say it better, but
WeasyPrint 70 draws them 2.4 % too wide.)
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from tournament.documents.fitting import size_for, width_of
from tournament.documents.grid import Box, Plan
from tournament.queries.paper import PaperSheet

_SIZE, _LEAST = 8.2, 5.0
_NO_BREAK = "\u202f\u202f"  # narrow ones: word spacing leaves them alone


@dataclass(frozen=True, slots=True)
class Run:
    """Words with their place. `kind` is their class in paper.css."""

    kind: str
    text: str
    style: str


def grid_words(sheet: PaperSheet, plan: Plan) -> list[Run]:
    """Headings, role letters, and what stands beside the boxes under each deal."""
    first, deals = plan.first, range(1, sheet.deals + 1)
    titles = [gettext("Deal %(number)s") % {"number": number} for number in deals]
    return [
        _across("deal", titles, first.title, plan, 11, "bold"),
        _across("sub", _repeat(gettext("Role"), plan), first.role, plan),
        _across("sub", _repeat(gettext("Points"), plan), first.points, plan),
        *_letters(sheet, plan),
        _across("hint", _repeat(gettext("seat"), plan), first.hint, plan, 6.4, middle=False),
        _across("sub", _repeat(gettext("nobody"), plan), first.nobody, plan, middle=False),
        *_sums(sheet, plan),
    ]


def _repeat(word: str, plan: Plan) -> list[str]:
    return [word] * plan.count


def _letters(sheet: PaperSheet, plan: Plan) -> list[Run]:
    letters = [pgettext("letter for saboteur", "S"), pgettext("letter for miner", "M")]
    if sheet.row.selfish:
        letters.append(pgettext("letter for selfish dwarf", "D"))
    return [
        _across("letter", _repeat(letter, plan), place, plan, 9, lines=len(sheet.seats))
        for letter, place in zip(letters, plan.first.letters, strict=True)
    ]


def _sums(sheet: PaperSheet, plan: Plan) -> list[Run]:
    """The sums that can come out, each once, in one line or two."""
    sums = list(dict.fromkeys(str(total) for _, _, total in sheet.checks))
    place, half = plan.first.sums, (len(sums) + 1) // 2
    wide = width_of(" · ".join(sums), _SIZE) > place.w - 0.8
    lines = [sums[:half], sums[half:]] if wide else [sums]
    height = place.h / len(lines)
    return [
        _across(
            "sub",
            _repeat(" · ".join(line), plan),
            Box(place.x, place.y + height * row, place.w, height),
            plan,
        )
        for row, line in enumerate(lines)
    ]


def _across(
    kind: str,
    words: list[str],
    place: Box,
    plan: Plan,
    size: float = _SIZE,
    face: str = "sans",
    *,
    middle: bool = True,
    lines: int = 1,
) -> Run:
    """A line, or several alike, of equally wide words: one a deal, the first at `place`."""
    words = [word.replace(" ", _NO_BREAK) for word in words]
    size = size_for(words[0], place.w - 0.6, size, _LEAST, face)
    width = width_of(words[0], size, face)
    left = place.x + ((place.w - width) / 2 if middle else 0)
    gap = plan.deal - width - width_of(" ", size, face)
    style = (
        f"{Box(left, place.y, plan.width - left, place.h).css}"
        f";line-height:{place.h / lines:.3f}mm;font-size:{size}pt;word-spacing:{gap:.3f}mm"
    )
    return Run(kind, "\n".join([" ".join(words)] * lines), style)
