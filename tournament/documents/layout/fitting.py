"""How wide a text will be, so that it is set as large as its room allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, repeat

from tournament.documents.layout.rendering import static_folder

MM_PER_PT = 25.4 / 72
UNKNOWN = 1.3  # in parts of the type size: the box printed for a sign the font lacks
_FILES = {"sans": "noto-sans-regular", "bold": "noto-sans-bold", "slab": "bitter-bold"}


@lru_cache(maxsize=3)
def _advances(face: str) -> Mapping[int, float]:
    """The width of each character, in parts of the type size."""
    from fontTools.ttLib import TTFont

    font = TTFont(static_folder() / "fonts" / f"{_FILES[face]}.woff2")
    widths, em = font["hmtx"].metrics, font["head"].unitsPerEm
    return {code: widths[name][0] / em for code, name in font.getBestCmap().items()}


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
    """The text, or as much of it as fits with an ellipsis."""
    if width_of(text, size, face) <= room:
        return text
    most = room - width_of("…", size, face)
    ends = accumulate(width * size * MM_PER_PT for width in _widths(text, face))
    # The ends only grow, so counting those that fit finds the last of them in one pass.
    return text[: sum(end <= most for end in ends)].rstrip() + "…"


def in_lines(text: str, room: float, size: float, most: int, face: str = "sans") -> list[str]:
    """The text broken between words into at most so many lines, the last one cut to its room."""
    lines, words = [""], text.split()
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
