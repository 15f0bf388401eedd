"""Letters that can be printed: those of our fonts, and of the fonts that this machine has.

The renderer takes what our fonts lack from the machine. What neither has would be a box, so a name
with such letters is printed by its start number.
"""

from __future__ import annotations

import shutil
import subprocess
import time
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from hashlib import sha256

from tournament.documents.layout.fitting import letters_of
from tournament.names import NameStyle, shown_name, told_apart, without_number

_REMEMBERED = 600  # seconds; fonts that are installed meanwhile are found without a restart

type _Ranges = tuple[tuple[int, int], ...]


def on_paper(name: str, number: int) -> str:
    """The name; without the words that would be boxes, and with its start number, where it has
    such letters; "Player 7" where nothing is left."""
    if not lacking(name):
        return name
    words = [word for word in without_number(name, number).split() if not lacking(word)]
    if any(any(letter.isalnum() for letter in word) for word in words):
        return told_apart(" ".join(words), number)
    return shown_name("", NameStyle.NUMBER, "", number)


def lacking(text: str) -> str:
    """The letters of the text that neither our fonts nor the machine's have."""
    foreign = set(text) - letters_of("bold") - {" "}
    if not foreign:
        return ""
    ranges = _host_ranges(_now())
    return "".join(sorted(letter for letter in foreign if not _is_printed(letter, ranges)))


def fonts_mark() -> str:
    """What tells prints made with these fonts from those made with others."""
    return sha256(repr(_host_ranges(_now())).encode()).hexdigest()[:8]


def _now() -> int:
    return int(time.monotonic() // _REMEMBERED)


def _is_printed(letter: str, ranges: _Ranges | None) -> bool:
    # Joiners and selectors are part of their neighbours. Where the fonts can't be asked for, all is
    # left to the renderer.
    if ranges is None or unicodedata.category(letter) == "Cf" or "\ufe00" <= letter <= "\ufe0f":
        return True
    place = bisect_right(ranges, (ord(letter), 0x110000)) - 1
    return place >= 0 and ord(letter) <= ranges[place][1]


@lru_cache(maxsize=1)
def _host_ranges(_asked_at: int) -> _Ranges | None:
    """First and last code of each stretch that some font of the machine has."""
    program = shutil.which("fc-list")
    if program is None:
        return None
    try:
        told = subprocess.run(
            [program, "--format", "%{charset}\n"], capture_output=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return _merged(told.stdout.decode("ascii", "replace").split())


def _merged(stretches: list[str]) -> _Ranges:
    """ "20-7e" and "a0", any number of times, as stretches in order that don't touch."""
    found: list[tuple[int, int]] = []
    for stretch in sorted(_codes(one) for one in set(stretches)):
        if found and stretch[0] <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], stretch[1]))
        else:
            found.append(stretch)
    return tuple(found)


def _codes(stretch: str) -> tuple[int, int]:
    first, _dash, last = stretch.partition("-")
    return int(first, 16), int(last or first, 16)
