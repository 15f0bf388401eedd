"""Words at a place on paper, set as large as the place allows, in one language or in two.

No word is cut by the renderer: every width is computed, and what does not fit is set smaller,
then in more lines, and at last cut with an ellipsis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils import translation

from tournament.documents.boxes import Box
from tournament.documents.fitting import MM_PER_PT, in_lines, size_for, width_of

LINE = 1.22  # line height in parts of the type size
SECOND = 0.86  # the second language's size in parts of the first's

type Words = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Both:
    """The same words in the document's languages, the first one first; one or two."""

    said: tuple[str, ...]

    def __str__(self) -> str:
        return " / ".join(dict.fromkeys(self.said))


@dataclass(frozen=True, slots=True)
class Label:
    """Lines of text with their place. `kind` is their class in paper.css."""

    kind: str
    text: str
    style: str


def in_languages(languages: Sequence[str], say: Callable[[], Words]) -> dict[str, Both]:
    """What `say` answers in each language, key by key."""
    found = []
    for language in languages:
        with translation.override(language):
            found.append(say())
    return {key: Both(tuple(words[key] for words in found)) for key in found[0]}


def line(
    kind: str,
    words: Both | str,
    box: Box,
    size: float,
    face: str = "sans",
    *,
    least: float = 5.0,
    align: str = "left",
) -> Label:
    """One line in the middle of the box's height; two languages are parted by a stroke."""
    text = str(words)
    size = size_for(text, box.w * 0.98, size, least, face)
    (text,) = in_lines(text, box.w * 0.99, size, 1, face)
    return Label(kind, text, f"{box.line};font-size:{size:.2f}pt;text-align:{align}")


def column(kind: str, texts: Sequence[str], box: Box, size: float) -> Label:
    """A text in the middle of each of the rows that share the box's height."""
    height = box.h / len(texts)
    style = f"{box.css};line-height:{height:.3f}mm;font-size:{size:.2f}pt;text-align:center"
    return Label(kind, "\n".join(texts), style)


def block(
    kind: str,
    words: Both | str,
    box: Box,
    size: float,
    face: str = "sans",
    *,
    least: float = 5.0,
    align: str = "left",
) -> list[Label]:
    """Lines from the top of the box, broken between words; the second language below the first,
    smaller. All of it gets smaller together until it fits the box."""
    said = (words,) if isinstance(words, str) else tuple(dict.fromkeys(words.said))
    while True:
        sizes = [size if number == 0 else size * SECOND for number in range(len(said))]
        broken = [_lines(text, box, part, face) for text, part in zip(said, sizes, strict=True)]
        high = sum(
            len(lines) * part * LINE * MM_PER_PT for lines, part in zip(broken, sizes, strict=True)
        )
        if (high <= box.h and _all_said(said, broken, box, sizes, face)) or size <= least:
            return _stacked(kind, broken, sizes, box, align)
        size = max(least, size - 0.3)


def _lines(text: str, box: Box, size: float, face: str) -> list[str]:
    most = max(1, int(box.h / (size * LINE * MM_PER_PT)))
    return in_lines(text, box.w * 0.98, size, most, face)


def _all_said(
    said: Sequence[str], broken: Sequence[list[str]], box: Box, sizes: Sequence[float], face: str
) -> bool:
    """Whether nothing had to be cut, and no line is wider than the box."""
    whole = all(
        " ".join(lines) == " ".join(text.split()) for text, lines in zip(said, broken, strict=True)
    )
    wide = max(
        width_of(one, size, face)
        for lines, size in zip(broken, sizes, strict=True)
        for one in lines
    )
    return whole and wide <= box.w


def _stacked(
    kind: str, broken: Sequence[list[str]], sizes: Sequence[float], box: Box, align: str
) -> list[Label]:
    top, labels = box.y, []
    for number, (lines, size) in enumerate(zip(broken, sizes, strict=True)):
        height = size * LINE * MM_PER_PT
        place = Box(box.x, top, box.w, height * len(lines))
        style = f"{place.css};line-height:{height:.3f}mm;font-size:{size:.2f}pt;text-align:{align}"
        labels.append(Label(f"{kind} second" if number else kind, "\n".join(lines), style))
        top += height * len(lines)
    return labels
