"""Words at a place on paper, set as large as the place allows, in one language or in two.

No word is cut by the renderer: every width is computed, and what does not fit is set smaller,
then in more lines, and at last cut with an ellipsis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils import translation

from tournament.documents.layout.fitting import MM_PER_PT, in_lines, size_for, width_of
from tournament.documents.layout.geometry import Box

LINE = 1.22  # line height in parts of the type size
SECOND = 0.86  # the second language's size in parts of the first's


@dataclass(frozen=True, slots=True)
class Bilingual:
    """The same words in the document's languages, the first one first; one or two."""

    texts: tuple[str, ...]

    def __str__(self) -> str:
        return " / ".join(each_language(self))


def each_language(words: Bilingual | str) -> tuple[str, ...]:
    """The texts to be set: a word that is the same in both languages stands once."""
    return (words,) if isinstance(words, str) else tuple(dict.fromkeys(words.texts))


@dataclass(frozen=True, slots=True)
class Label:
    """Lines of text with their place. `kind` is their class in paper.css."""

    kind: str
    text: str
    style: str


def in_languages(
    languages: Sequence[str], words: Callable[[], Mapping[str, str]]
) -> dict[str, Bilingual]:
    """What `words` answers in each language, key by key."""
    spoken = []
    for language in languages:
        with translation.override(language):
            spoken.append(words())
    return {key: Bilingual(tuple(one[key] for one in spoken)) for key in spoken[0]}


def line(
    kind: str,
    words: Bilingual | str,
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
    # A little more room than it was sized for: the last digit of a float must not cut it.
    (text,) = in_lines(text, box.w * 0.99, size, 1, face)
    return Label(kind, text, f"{box.line};font-size:{size:.2f}pt;text-align:{align}")


def column(kind: str, texts: Sequence[str], box: Box, size: float) -> Label:
    """A text in the middle of each of the rows that share the box's height."""
    height = box.h / len(texts)
    style = f"{box.css};line-height:{height:.3f}mm;font-size:{size:.2f}pt;text-align:center"
    return Label(kind, "\n".join(texts), style)


def block(
    kind: str,
    words: Bilingual | str,
    box: Box,
    size: float,
    face: str = "sans",
    *,
    least: float = 5.0,
    align: str = "left",
) -> list[Label]:
    """Lines from the top of the box, broken between words; the second language below the first,
    smaller. All of it gets smaller together until it fits the box."""
    texts = each_language(words)
    # How high the lines are depends on where they break, and that on the size: no formula, so the
    # sizes are tried from above.
    while True:
        sizes = [size if number == 0 else size * SECOND for number in range(len(texts))]
        broken = [_lines(text, box, own, face) for text, own in zip(texts, sizes, strict=True)]
        # At the least size it is set all the same, cut as `in_lines` left it.
        if _fits(texts, broken, box, sizes, face) or size <= least:
            return _stacked(kind, broken, sizes, box, align)
        size = max(least, size - 0.3)


def _lines(text: str, box: Box, size: float, face: str) -> list[str]:
    most = max(1, int(box.h / (size * LINE * MM_PER_PT)))
    return in_lines(text, box.w * 0.98, size, most, face)


def _fits(
    texts: Sequence[str], broken: Sequence[list[str]], box: Box, sizes: Sequence[float], face: str
) -> bool:
    """Whether nothing had to be cut, and no line leaves the box."""
    high = sum(
        len(lines) * size * LINE * MM_PER_PT for lines, size in zip(broken, sizes, strict=True)
    )
    # What was cut ends with an ellipsis, so the lines together are another text.
    whole = all(
        " ".join(lines) == " ".join(text.split()) for text, lines in zip(texts, broken, strict=True)
    )
    wide = max(
        width_of(one, size, face)
        for lines, size in zip(broken, sizes, strict=True)
        for one in lines
    )
    return high <= box.h and whole and wide <= box.w


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
