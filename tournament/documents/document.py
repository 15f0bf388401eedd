"""What every kind of document says of itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

from django.utils.functional import Promise

from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.models import Event

type When = Literal["before", "round", "after"]


class Document[F](ABC):
    """A kind of document. Whoever adds one writes a subclass and lists it in the catalogue.

    `kind`: its slug in the address; `about`: what it is for, in a sentence; `when`: before the day,
    in a round, or after; `of_round`: whether it shows one round; `wide`: whether its pages lie;
    `on_sheet_paper`: whether it goes on the event's paper for scoresheets, which may hold two.

    `F` are its facts. They are gathered once for each version of the event,
    and again when the file is made, since they tell whether the print that
    is kept still shows what it should; parts are only asked for where it has to be made.
    """

    kind: ClassVar[str]
    title: ClassVar[Promise]
    about: ClassVar[Promise]
    when: ClassVar[When]
    of_round: ClassVar[bool] = False
    wide: ClassVar[bool] = False
    on_sheet_paper: ClassVar[bool] = False

    @abstractmethod
    def facts(self, request: DocumentRequest) -> F:
        """All that it shows but the moment, as plain values whose `repr` is the same for the
        same content."""

    @abstractmethod
    def parts(self, request: DocumentRequest, facts: F) -> list[Part]:
        """The pieces of its PDF, each made when called; none where there is nothing to print."""

    def suits(self, event: Event) -> bool:
        """Whether it has a meaning for the game that the event plays."""
        return True

    def paper_for(self, event: Event) -> str:
        """What the event prints it on, a key of `PAPER_SIZES`."""
        return event.sheet_paper if self.on_sheet_paper else event.paper
