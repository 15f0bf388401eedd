"""Names as people type them to find somebody: without case, accents, apostrophes or alphabets.

Nothing here is shown to anybody. What is folded serves to compare, to sort and to search.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

# Typed or not, and in a dozen shapes: O'Brien, O’Brien and OBrien are one, Gal·la and Galla too.
_DROPPED = dict.fromkeys(map(ord, "'’‘‛ʼʻʽʹ´`′＇·‧"))

# Letters of their own to Unicode: there is no accent that could be taken off.
_LATIN = {
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h",
    "ŋ": "n", "ı": "i", "ĸ": "k", "ŧ": "t", "ƀ": "b", "ɓ": "b", "ɖ": "d", "ɗ": "d", "ƒ": "f",
    "ɠ": "g", "ɨ": "i", "ƙ": "k", "ɲ": "n", "ɔ": "o", "ɛ": "e", "ə": "e", "ʉ": "u", "ƴ": "y",
    "ƶ": "z", "ȷ": "j",
}  # fmt: skip
_GREEK = {
    "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i",
    "κ": "k", "λ": "l", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s",
    "τ": "t", "υ": "y", "φ": "f", "χ": "ch", "ψ": "ps", "ω": "o",
}  # fmt: skip
# й, ё, ї and ў have lost their accents before they are looked up here.
_CYRILLIC = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i",
    "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t",
    "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "",
    "ы": "y", "ь": "", "э": "e", "ю": "yu", "я": "ya", "і": "i", "є": "ye", "ґ": "g", "ђ": "d",
    "ј": "j", "љ": "lj", "њ": "nj", "ћ": "c", "џ": "dz", "ѕ": "dz", "ә": "a", "ғ": "g", "қ": "k",
    "ң": "n", "ө": "o", "ұ": "u", "ү": "u", "һ": "h",
}  # fmt: skip
_LETTERS = str.maketrans(_LATIN | _GREEK | _CYRILLIC)
_GREEK_PAIRS = (("ου", "ou"), ("αυ", "av"), ("ευ", "ev"))

# For a browser that folds what is typed into it (static/js/seats.js). It has no `casefold`, which
# writes ß as ss and ends a Greek word like any other letter.
BROWSER_LETTERS = dict(_GREEK_PAIRS) | {"ß": "ss", "ς": "s"} | _LATIN | _GREEK | _CYRILLIC

# How the same letters are spelled where the keyboard lacks them.
_SPELLED_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "đ": "dj", "ђ": "dj"}
)
_NUMBER = re.compile(r"(#|no|nº|n|nr|num|numero)?(\d{1,9})")  # more digits no column holds


@lru_cache(maxsize=8192)
def folded(text: str) -> str:
    """Lower-case words in Latin letters without accents: "Đorđe O’Brien" is "dorde obrien"."""
    plain = unicodedata.normalize("NFKD", text.translate(_DROPPED)).casefold()
    plain = unicodedata.normalize("NFKD", plain)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    for pair, latin in _GREEK_PAIRS:
        plain = plain.replace(pair, latin)
    return " ".join("".join(map(_sign, plain.translate(_LETTERS))).split())


def _sign(letter: str) -> str:
    """Letters, digits and vowel signs as they are, nothing for the invisible, else a space."""
    if letter.isascii():
        return letter if letter.isalnum() else " "
    category = unicodedata.category(letter)
    if category[0] in "LMN":
        return letter
    return "" if category == "Cf" else " "


@lru_cache(maxsize=8192)
def spellings(text: str) -> tuple[str, ...]:
    """The folded ways to write it: with ü as u or as ue, and Jean-Luc in two words or in one."""
    spelled_out = unicodedata.normalize("NFC", text).casefold().translate(_SPELLED_OUT)
    found = [
        spelling
        for one in (text, spelled_out)
        for spelling in (folded(one), " ".join(folded(w).replace(" ", "") for w in one.split()))
    ]
    return tuple(dict.fromkeys(_loose(one) for one in found))


def _loose(text: str) -> str:
    """Дмитрий is Dmitri, Dmitry or Dmitriy."""
    return re.sub("[iy]+", "i", text)


@dataclass(frozen=True, slots=True)
class NameSearch:
    """What somebody typed to find a person: a start number, or words in any order.

    `signed`: the number was written as one ("No. 3", "#3"), and is no part of a name."""

    number: int | None
    signed: bool
    words: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, typed: str) -> Self:
        sign, number = _number(typed)
        words = tuple(words for one in spellings(typed) if (words := tuple(one.split())))
        return cls(number, bool(sign), words)

    def finds(self, number: int, *names: str) -> bool:
        """Whether it is this start number; else whether the names hold all the words. No part of a
        number: whoever types 1 looks for player 1, not for 10 to 19."""
        if self.number is None:
            text = "\n".join(spelling for name in names for spelling in spellings(name))
            return any(all(_holds(text, word, number) for word in words) for words in self.words)
        if number == self.number:
            return True
        (words, *_) = self.words
        return not self.signed and any(words[0] in folded(name).split() for name in names)


def _holds(text: str, word: str, number: int) -> bool:
    """Whether the word is somewhere in the text; a number is one of its words, or the start
    number."""
    if word.isdecimal():
        return word == str(number) or word in text.split()
    return word in text


def _number(typed: str) -> tuple[str, int | None]:
    """Its sign and the number in "3", "#3", "No. 3", "n.º 3", "№ 3"; else none."""
    plain = unicodedata.normalize("NFKD", typed).casefold()
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    found = _NUMBER.fullmatch(re.sub(r"[\s.:°]", "", plain))
    return (found[1] or "", int(found[2])) if found else ("", None)
