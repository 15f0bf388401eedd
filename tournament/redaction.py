"""Names and addresses taken out of what people wrote, by words: in any case, with or without
accents, whatever stands between the words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tournament.spelling import folded

_WORD = re.compile(r"[^\W_]+")
LEAST = 3  # letters of a word that is looked for alone

type _Words = tuple[str, ...]


class Redaction:
    """`add` says what is looked for and what stands in its place; `of` takes it out of a text.

    Several words are found however they are written. One alone ("Rose") is found only as it is
    spelled, so that other words stay.
    """

    def __init__(self) -> None:
        self._known: dict[_Words, str] = {}
        self._alone: dict[str, str] = {}
        self._longest = 1

    def add(self, what: str, instead: str) -> None:
        found = _WORD.findall(what)
        words = _folded(found)
        if len(words) > 1:
            self._known.setdefault(words, instead)
            self._longest = max(self._longest, len(words))
        elif found and len(found[0]) >= LEAST:
            self._alone.setdefault(found[0], instead)

    def add_all(self, what: Iterable[str], instead: str) -> None:
        for one in what:
            self.add(one, instead)

    def of(self, text: str) -> str:
        words = list(_WORD.finditer(text))
        plain = _folded(one[0] for one in words)
        done, at, found = [], 0, 0
        while found < len(words):
            count, instead = self._match(words, plain, found)
            if count:
                done += [text[at : words[found].start()], instead]
                at = words[found + count - 1].end()
            found += count or 1
        return "".join([*done, text[at:]])

    def _match(self, words: list[re.Match[str]], plain: _Words, start: int) -> tuple[int, str]:
        """How many words from here on are looked for, and what stands in their place."""
        for count in range(min(self._longest, len(plain) - start), 1, -1):
            if (instead := self._known.get(plain[start : start + count])) is not None:
                return count, instead
        alone = self._alone.get(words[start][0])
        return (0, "") if alone is None else (1, alone)

    def of_value(self, value: Any) -> Any:
        """All texts of a value as JSON has it."""
        if isinstance(value, str):
            return self.of(value)
        if isinstance(value, list):
            return [self.of_value(one) for one in value]
        if isinstance(value, dict):
            return {key: self.of_value(one) for key, one in value.items()}
        return value


def _folded(words: Iterable[str]) -> _Words:
    return tuple(folded(word) or word for word in words)
