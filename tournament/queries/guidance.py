"""Answers to what people ask at the tables, and the errors that all of them watch for."""

from __future__ import annotations

from scoring.penalties import INFRACTIONS
from tournament.guidance import QUESTIONS, Question
from tournament.labels import INFRACTION_EXAMPLES
from tournament.spelling import folded

SHORTEST = 3  # letters of a word that is looked for
# Errors of play; what people do apart from it is not for the table to watch.
_CLASSES = ("1.1", "1.2", "1.3", "unclassified")


def answers_to(query: str, *, any_game: bool = False) -> list[Question]:
    """Those that hold most of the words, in the active language and however they are spelled; all
    of them where nothing is asked. `any_game`: only what is true of a club's edition as well."""
    questions = [one for one in QUESTIONS if one.any_game or not any_game]
    # "of" and "de" are in every answer.
    words = [word for word in folded(query).split() if len(word) >= SHORTEST]
    if not words:
        return [] if folded(query) else questions
    held = {one.key: sum(word in _text(one) for word in words) for one in questions}
    most = max(held.values())
    return [one for one in questions if held[one.key] == most] if most else []


def _text(one: Question) -> str:
    return folded(f"{one.question} {one.answer} {one.about}")


def common_errors() -> list[str]:
    """The list of the penalty guide, the lightest first, in the active language."""
    codes = (code for kind in _CLASSES for code in INFRACTIONS[kind].examples)
    return [str(INFRACTION_EXAMPLES[code]) for code in codes if code != "other"]
