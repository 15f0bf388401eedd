"""What somebody wants on paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import get_language

from tournament.documents.forms import Paper
from tournament.models import Event, Round

PAPERS = {
    "a4": Paper(210, 297),
    "letter": Paper(215.9, 279.4),
    "a5": Paper(210, 297, fold=2),
    "half-letter": Paper(215.9, 279.4, fold=2),
}
MOST_LANGUAGES = 2


@dataclass(frozen=True, slots=True)
class Ask:
    """One document of an event. `paper`: a key of `PAPERS`, the last two with two sheets each;
    `tables`: of these alone; `languages`: one or two, the reader's own when empty."""

    event: Event
    kind: str
    round: Round | None = None
    tables: tuple[int, ...] = ()
    paper: str = "a4"
    languages: tuple[str, ...] = ()

    @property
    def said_in(self) -> tuple[str, ...]:
        """The languages, never none."""
        return self.languages or (get_language() or "en",)

    @property
    def letter(self) -> bool:
        """Whether it is for American paper."""
        return self.paper in ("letter", "half-letter")


ON_SHEET_PAPER = ("sheets", "spares", "pack")  # they may have two sheets on one


def paper_for(event: Event, kind: str) -> str:
    """What the event's documents of this kind are printed on."""
    return event.sheet_paper if kind in ON_SHEET_PAPER else event.paper


type When = Literal["before", "round", "after"]
type Part = Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Document:
    """A kind of document, of a round if `of_round`.

    `facts`: all that it shows but the moment, as plain values whose `repr` is the same for the
    same content; `parts`: the pieces of its PDF, each made when called. `when`: before the day,
    in a round, or after; `about`: what it is for, in a sentence.
    """

    title: Any
    of_round: bool
    facts: Callable[[Ask], Any]
    parts: Callable[[Ask, Any], Sequence[Part]]
    when: When = "round"
    about: Any = ""
