"""People's names: how they are cleaned, shown, abbreviated and told apart.

The one place for it. Comparing and searching is `spelling`'s; letters on paper are looked after
in `documents/layout/letters.py`.
"""

from __future__ import annotations

import re
import unicodedata

from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.spelling import folded

MOST_MARKS = 4  # on one letter; Vietnamese has two, pointed Hebrew three
_STORED = re.compile(r"erased:(\d{1,9})")


class NameStyle(TextChoices):
    FULL = "full", _("Full name")
    INITIAL = "initial", _("First name and initial")
    ALIAS = "alias", _("Another name")
    NUMBER = "number", _("Start number only")


class ErasedName(str):
    """What somebody is called whose name was erased: "Erased player 12", in the language of whoever
    reads. Rows hold `stored` in its place, which names nobody."""

    __slots__ = ("number",)
    number: int

    def __new__(cls, number: int) -> ErasedName:
        words = gettext("Erased player %(number)d") if number else gettext("Erased player")
        made = super().__new__(cls, words % {"number": number} if number else words)
        made.number = number
        return made

    def __getnewargs__(self) -> tuple[int]:  # type: ignore[override]
        return (self.number,)

    @property
    def stored(self) -> str:
        return f"erased:{self.number}"

    @classmethod
    def read(cls, stored: str) -> str:
        """A name as a row has it, erased or not, as it is shown."""
        found = _STORED.fullmatch(stored)
        return cls(int(found[1])) if found else stored


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- as typed --------------------------------------------------------------------------------

_ZWNJ, _ZWJ = "\u200c", "\u200d"
# Nothing to be seen, though Unicode counts them as letters, marks or signs.
_BLANKS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)  # fmt: skip
_JOINING_SCRIPTS = _words(
    "ARABIC SYRIAC MONGOLIAN DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA "
    "MALAYALAM SINHALA KHMER MYANMAR TIBETAN"
)
_BROKEN = frozenset("\ufffc\ufffd")  # stand for what a program could not read


def clean(text: str) -> str:
    """Composed letters, white space folded, and nothing that cannot be seen: soft hyphens, zero
    widths and marks of direction come along with what is pasted. Joiners stay where a script needs
    them."""
    text = " ".join(unicodedata.normalize("NFC", text).split())
    seen = "".join(one for place, one in enumerate(text) if _is_seen(text, place))
    # What was taken away may have stood between two spaces, or a letter and its accent.
    words = " ".join(unicodedata.normalize("NFC", seen).split())
    while words and unicodedata.category(words[0])[0] == "M":
        words = words[1:].lstrip()  # a mark without its letter would sit on what stands before
    return words


def _is_seen(text: str, place: int) -> bool:
    letter = text[place]
    if letter.isascii():
        return True
    if letter in (_ZWNJ, _ZWJ):
        return _joins(text[:place], letter, text[place + 1 :])
    if "\ufe00" <= letter <= "\ufe0f":
        return unicodedata.category(text[place - 1 : place] or " ") in ("So", "Sk")
    if "\U000e0100" <= letter <= "\U000e01ef":
        return _script(text[place - 1 : place]) == "CJK"
    return letter not in _BLANKS and unicodedata.category(letter) != "Cf"


def _joins(before: str, joiner: str, after: str) -> bool:
    """Whether a joiner changes how its neighbours look."""
    last, following = before[-1:], after[:1]
    if last and unicodedata.combining(last) == 9:
        return True  # after a virama it chooses the shape, at the end of a word too
    if joiner == _ZWJ and following and unicodedata.category(following) == "So":
        return bool(last) and (unicodedata.category(last) in ("So", "Sk") or last == "\ufe0f")
    return {_script(last), _script(following)} <= _JOINING_SCRIPTS


def _script(letter: str) -> str:
    return unicodedata.name(letter, " ").split(" ")[0] if letter else ""


def problem_of(name: str) -> str:
    """What is wrong with a cleaned name, in words; empty where nothing is."""
    if any(unicodedata.category(one) in ("Cc", "Cs", "Co", "Cn") for one in name):
        return gettext("The name holds characters that can't be printed.")
    if _BROKEN & set(name):
        return gettext("The name holds characters that can't be printed.")
    if _most_marks(name) > MOST_MARKS:
        return gettext("One letter of the name has too many marks on it.")
    if _STORED.fullmatch(name):
        return gettext("This name stands for people whose name was erased.")
    if name and not any(letter.isalnum() for letter in name):
        return gettext("A name needs at least one letter.")
    return ""


def _most_marks(name: str) -> int:
    runs = "".join("m" if unicodedata.combining(one) else " " for one in name).split()
    return max(map(len, runs), default=0)


# --- in public -------------------------------------------------------------------------------

# Stand before a surname and are no part of its alphabetical place.
_PARTICLES = _words(
    "de del de della dei degli delle di da do dos das du des la las los le les lo van von vom "
    "vander ter ten te den der dem het t op in zu zum zur af av bin ibn ben bint el al san y e i "
    "und"
)
# Stand second in a given name of two words ("Ana María", "Juan Carlos") and are rarely surnames.
_SECOND_GIVEN_NAMES = _words(
    "maria jose carmen pilar isabel teresa luisa cristina elena dolores rosario mercedes "
    "angeles belen soledad carlos luis antonio manuel javier angel jesus francisco enrique "
    "fernando alberto eduardo ignacio pablo pedro juan joao paulo anna anne marie"
)
_SUFFIXES = _words("jr sr ii iii iv")
_NO_SURNAMES = _SECOND_GIVEN_NAMES | _SUFFIXES
_ELIDED = re.compile(
    r"(?:d|l|dell|dall|nell|all)['’ʼ](?=\w)|(?:al|el|as|ash|an|ar|ad)-(?=\w)|ال(?=\w\w)"
)
# Thai and Lao write these vowels before the letter after which they are spoken.
_LEADING_VOWELS = frozenset("เแโใไເແໂໃໄ")


def shown_name(name: str, style: str, alias: str, number: int) -> str:
    """How a person appears to everybody but the staff, as that person chose."""
    if style == NameStyle.NUMBER:
        return gettext("Player %(number)d") % {"number": number}
    if style == NameStyle.ALIAS and alias:
        return alias
    return abbreviated(name) if style == NameStyle.INITIAL else name


def tells_whole(shown: str, name: str) -> bool:
    """Whether somebody who is shown like this is named in full; one word alone is no full name."""
    words = frozenset(folded(name).split())
    return len(words) > 1 and words <= frozenset(folded(shown).split())


def abbreviated(name: str) -> str:
    """The first word, and the initial of the first surname: "María Ñuñez Ortiz" is "María Ñ.".

    Which word that is nobody can know for sure. It is the first one behind the first that is no
    particle, no initial with a dot, no nickname in quotes and none of the names that often stand
    second in a given name; the last word if there is no such. A wrong guess shows another letter
    of the same name, and never more than one. "Villanueva, Ana" is read as "Ana Villanueva". Who
    has one word alone has no initial, and is shown by it.
    """
    first, *rest = _as_spoken(name)
    if not rest:
        return first
    surname = next((word for word in rest if not _is_passed_over(word)), rest[-1])
    return f"{first} {_initial(_ELIDED.sub('', surname, count=1))}."


def _as_spoken(name: str) -> list[str]:
    """The words in the order in which they are spoken, without what follows a name ("Jr.")."""
    before, comma, after = name.partition(",")
    if not comma or not before.split() or not after.split():
        return name.replace(",", " ").split() or [name]
    if folded(after) in _SUFFIXES:
        return before.split()
    return [*after.replace(",", " ").split(), *before.split()]


def _is_passed_over(word: str) -> bool:
    plain = folded(word)
    # Unfolded for particles: the Vietnamese name Văn is not the Dutch "van".
    particle = word.casefold().strip("'’ʼ‘") in _PARTICLES
    middle_initial = len(plain) == 1 and word.endswith(".")
    nickname = word[0] in "(\"“”«„'‘" and not particle
    return not plain or particle or middle_initial or nickname or plain in _NO_SURNAMES


def _initial(word: str) -> str:
    """The first letter with all that is written on it or joined to it."""
    start = next((n for n, one in enumerate(word) if one.isalpha()), 0)
    end = start + 1
    while end < len(word) and _belongs(word[end - 1], word[end]):
        end += 1
    return word[start:end]


def _belongs(before: str, letter: str) -> bool:
    """Whether the letter is one sign together with the one before it."""
    if unicodedata.category(letter)[0] == "M" or letter in (_ZWNJ, _ZWJ):
        return True
    return unicodedata.combining(before) == 9 or before == _ZWJ or before in _LEADING_VOWELS


# --- told apart ------------------------------------------------------------------------------


def told_apart(name: str, number: int) -> str:
    """The name of somebody whose name another one has as well. The sign is no word, so it is the
    same on a page and on paper in any language, and can be typed into a search."""
    return f"{name} #{number}"


def without_number(name: str, number: int) -> str:
    """The name as it is while nobody else has it."""
    return name.removesuffix(f" #{number}")
