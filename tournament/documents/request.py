"""What somebody wants on paper."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import get_language

from tournament.models import Event, Round


@dataclass(frozen=True, slots=True)
class PaperSize:
    """Width and height in millimetres, and how many documents' pages one sheet of it holds,
    one below the other."""

    width: float
    height: float
    fold: int = 1

    @property
    def lying(self) -> PaperSize:
        """The same sheet, turned by a quarter."""
        return PaperSize(self.height, self.width)


PAPER_SIZES = {
    "a4": PaperSize(210, 297),
    "letter": PaperSize(215.9, 279.4),
    # The sheet that goes into the printer, with two of them on it.
    "a5": PaperSize(210, 297, fold=2),
    "half-letter": PaperSize(215.9, 279.4, fold=2),
}
MOST_LANGUAGES = 2


@dataclass(frozen=True, slots=True)
class DocumentRequest:
    """One document of an event. `paper`: a key of `PAPER_SIZES`, the last two with two sheets each;
    `tables`: of these alone; `languages`: one or two, the reader's own when empty; `public`: with
    nothing that is withheld from everybody."""

    event: Event
    kind: str
    round: Round | None = None
    tables: tuple[int, ...] = ()
    paper: str = "a4"
    languages: tuple[str, ...] = ()
    public: bool = False

    @property
    def effective_languages(self) -> tuple[str, ...]:
        """The languages, never none."""
        return self.languages or (get_language() or "en",)

    @property
    def letter(self) -> bool:
        """Whether it is for American paper."""
        return self.paper in ("letter", "half-letter")

    @property
    def required_round(self) -> Round:
        """The round, for a document that is of one (`Document.of_round`); ValueError without."""
        if self.round is None:
            raise ValueError(f"“{self.kind}” is a document of a round")
        return self.round
