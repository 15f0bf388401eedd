"""How wide a text will be, so that it is set as large as its room allows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, repeat

from tournament.documents.layout.rendering import static_folder

MM_PER_PT = 25.4 / 72
UNKNOWN = 1.3  # in parts of the type size: the box printed for a sign the font lacks
_APART = re.compile(r" #\d+$")  # as `names.told_apart` writes it
_FILES = {"sans": "noto-sans-regular", "bold": "noto-sans-bold", "slab": "bitter-bold"}


@lru_cache(maxsize=3)
def _advances(face: str) -> Mapping[int, float]:
    """The width of each character, in parts of the type size."""
    from fontTools.ttLib import TTFont

    font = TTFont(static_folder() / "fonts" / f"{_FILES[face]}.woff2")
    widths, em = font["hmtx"].metrics, font["head"].unitsPerEm
    return {code: widths[name][0] / em for code, name in font.getBestCmap().items()}


@lru_cache(maxsize=3)
def letters_of(face: str) -> frozenset[str]:
    """All that the font has."""
    return frozenset(map(chr, _advances(face)))


def width_of(text: str, size: float, face: str = "sans") -> float:
    """Millimetres that a line of this text takes at `size` points."""
    return sum(_widths(text, face)) * size * MM_PER_PT


def _widths(text: str, face: str) -> Iterator[float]:
    return map(_advances(face).get, map(ord, text), repeat(UNKNOWN))


def size_for(text: str, room: float, size: float, least: float, face: str = "sans") -> float:
    """The type size, from `size` down to `least` points, at which the text fits the room."""
    width = width_of(text, size, face)
    if width <= room:
        return size
    # Rounded down, never up: a tenth of a point more would not fit.
    return max(least, int(size * room / width * 10) / 10)


def cut(text: str, room: float, size: float, face: str = "sans") -> str:
    """The text, or as much of it as fits with an ellipsis; the number that tells people of one name
    apart stays."""
    if width_of(text, size, face) <= room:
        return text
    number = _APART.search(text)
    tail = f"…{number[0]}" if number else "…"
    most = room - width_of(tail, size, face)
    return text[: _fitting(text, most, size, face)].rstrip() + tail


def _fitting(text: str, room: float, size: float, face: str) -> int:
    """How many of its characters fit; a letter keeps the marks on it."""
    ends = accumulate(width * size * MM_PER_PT for width in _widths(text, face))
    # The ends only grow, so counting those that fit finds the last of them in one pass.
    count = sum(end <= room for end in ends)
    while 0 < count < len(text) and unicodedata.category(text[count])[0] == "M":
        count -= 1
    return count


def _pieces(word: str, room: float, size: float, face: str) -> Iterator[str]:
    """A word that is wider than the room, broken wherever the room ends."""
    while width_of(word, size, face) > room:
        count = max(1, _fitting(word, room, size, face))
        yield word[:count]
        word = word[count:]
    if word:
        yield word


def in_lines(text: str, room: float, size: float, most: int, face: str = "sans") -> list[str]:
    """The text broken between words into at most so many lines, the last one cut to its room. Where
    there are several, a word that is wider than the room goes on in the next one."""
    lines, words = [""], text.split()
    if most > 1:
        words = [piece for word in words for piece in _pieces(word, room, size, face)]
    for place, word in enumerate(words):
        longer = f"{lines[-1]} {word}".strip()
        # A word that is wider than the room stands alone on its line and is cut below.
        if not lines[-1] or width_of(longer, size, face) <= room:
            lines[-1] = longer
        elif len(lines) < most:
            lines.append(word)
        else:
            # All that is left goes into the last line, to be cut there with an ellipsis.
            lines[-1] = " ".join([lines[-1], *words[place:]])
            break
    return [cut(line, room, size, face) for line in lines]
