"""What the scoresheets of every game have in common: head, dealer's tag, signatures."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.documents.layout.fitting import width_of
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.grid import Grid
from tournament.documents.layout.labels import Bilingual, Label, block, each_language, line
from tournament.documents.layout.pages import Picture
from tournament.queries.printed_sheets import PrintedSheet

TAG = 2.2  # millimetres around the word on the dealer's tag
STRIP_TOP = 33.5  # where the head ends, and what is shuffled begins


@dataclass(frozen=True, slots=True)
class SheetForm:
    """The drawing under equal tables' sheets. `stars`: the black stars among the words."""

    plan: Grid
    labels: tuple[Label, ...]
    pictures: tuple[Picture, ...]
    frames: str
    stars: str
    tag: Box


def dealers_tag(word: Bilingual, plan: Grid) -> Box:
    """Where the first row says that its player deals."""
    first = plan.at(plan.names[0])
    # In a language with a long word it must leave half of the row to the name.
    wide = min(width_of(str(word), 8, "bold") + 2 * TAG, first.w / 2)
    return Box(first.x + first.w - wide, first.y + first.h / 2 - 2.4, wide, 4.8)


def head_of(sheet: PrintedSheet, words: dict[str, Bilingual]) -> list[Label]:
    name = Box(48, 8, 146, 10.5)
    scan = [
        *block("strong", words["scan"], Box(198, 8.6, 61, 10), 10.5, "bold", align="right"),
        *block("plain", words["scan how"], _scan_how(words), 8.6, align="right"),
    ]
    return [
        *(scan if sheet.link else []),
        line("strong", words["table"], Box(10, 8, 34, 5.4), 10, "bold", align="center"),
        *block("title", sheet.event.name, name, 22, "slab", least=11),
        line("strong", words["round"], Box(48, 18.5, 146, 7.5), 15, "bold"),
        line("plain", words["size"], Box(48, 26, 146, 5), 10),
    ]


def _scan_how(words: dict[str, Bilingual]) -> Box:
    if len(each_language(words["scan"])) == 1:
        return Box(198, 14.4, 61, 17)
    return Box(198, 18.2, 61, 13.4)


def middle(kind: str, words: Bilingual, box: Box, size: float) -> list[Label]:
    """A block in the middle of the box's height."""
    labels = block(kind, words, box, size)
    high = sum(float(label.style.split("height:")[1].split("mm")[0]) for label in labels)
    # Set once to learn how high it is; a hundredth more, so that rounding does not make it smaller.
    return block(kind, words, Box(box.x, box.y + (box.h - high) / 2, box.w, high + 0.01), size)


SIGNS = (("penalties", 0.0, 125.0), ("dealer", 127.0, 74.0), ("second", 203.0, 74.0))


def signatures(words: dict[str, Bilingual], place: Box) -> list[Label]:
    labels = []
    for key, x, w in SIGNS:
        how = words["penalties how" if key == "penalties" else "signature"]
        labels.append(
            line("strong", words[key], Box(place.x + x + 2, place.y + 0.8, w - 4, 4), 8.4, "bold")
        )
        labels.append(line("plain", how, Box(place.x + x + 2, place.y + 4.6, w - 4, 3.6), 7.6))
    return labels


def rounded_frames(plan: Grid, strip: Box) -> str:
    """The rounded frames, as one path on the whole page."""
    sign = plan.sign
    boxes = [strip, plan.legend, *(Box(sign.x + x, sign.y, w, sign.h) for _, x, w in SIGNS)]
    return "".join(_rounded(box, 2) for box in boxes)


def _rounded(box: Box, r: float) -> str:
    arc = f"a{r} {r} 0 0 1"
    return (
        f"M{box.x + r:.2f} {box.y:.2f}h{box.w - 2 * r:.2f}{arc} {r} {r}v{box.h - 2 * r:.2f}"
        f"{arc} {-r} {r}h{2 * r - box.w:.2f}{arc} {-r} {-r}v{2 * r - box.h:.2f}{arc} {r} {-r}z"
    )
