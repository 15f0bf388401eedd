"""Who got which prize, with room to sign, and what is left. Full names: staff only."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournament.documents.document import Document
from tournament.documents.layout.flow import Flow, TableColumn
from tournament.documents.layout.labels import Bilingual
from tournament.documents.layout.letters import on_paper
from tournament.documents.layout.pages import in_parts, words_in
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.queries.document_facts import EventFacts, event_facts
from tournament.queries.prizes import prizes_of


@dataclass(frozen=True, slots=True)
class GivenPrize:
    number: int
    name: str
    prize: str
    handed: bool


@dataclass(frozen=True, slots=True)
class PrizeFacts:
    """`left`: what nobody has, and how many of it."""

    event: EventFacts
    given: tuple[GivenPrize, ...]
    left: tuple[tuple[str, int], ...]


class PrizeList(Document[PrizeFacts]):
    kind = "prizes"
    title = gettext_lazy("Prizes, to sign")
    about = gettext_lazy("Who got what, with room to sign; at its end what is left over.")
    when = "after"

    def facts(self, request: DocumentRequest) -> PrizeFacts:
        listed = prizes_of(request.event)
        given = [
            GivenPrize(gift.player.number, gift.player.name, row.prize.name, bool(gift.handed_at))
            for row in listed
            for gift in row.gifts
        ]
        left = tuple((row.prize.name, row.left) for row in listed if row.left > 0)
        return PrizeFacts(event_facts(request.event), tuple(given), left)

    def parts(self, request: DocumentRequest, facts: PrizeFacts) -> list[Part]:
        if not facts.given and not facts.left:
            return []
        words = _words(request)
        flow = Flow(request, words["title"], under=str(words["how"]))
        if facts.given:
            _given(flow, words, facts.given)
        if facts.left:
            flow.heading(words["left"])
            columns = [TableColumn(words["prize"], face="bold"), TableColumn(words["stock"], 24)]
            flow.table(columns, [(name, str(stock)) for name, stock in facts.left])
        return in_parts(request, flow.pages())


def _words(request: DocumentRequest) -> dict[str, Bilingual]:
    return words_in(
        request,
        title=lambda: _("Prizes, to sign"),
        how=lambda: _("Whoever takes a prize signs beside it. Marked: handed out already."),
        number=lambda: pgettext("start number", "No."),
        name=lambda: _("Name"),
        prize=lambda: _("Prize"),
        sign=lambda: _("Signature"),
        left=lambda: _("Left over"),
        stock=lambda: _("How many"),
    )


def _given(flow: Flow, words: dict[str, Bilingual], given: tuple[GivenPrize, ...]) -> None:
    columns = [
        TableColumn(words["number"], 14, "right"),
        TableColumn("", 3),
        TableColumn(words["name"], face="bold"),
        TableColumn(words["prize"], 52),
        TableColumn("", 7, "center"),
        TableColumn(words["sign"], 48),
    ]
    rows = [
        (
            str(one.number),
            "",
            on_paper(one.name, one.number),
            one.prize,
            "×" if one.handed else "",
            "",
        )
        for one in given
    ]
    flow.table(columns, rows, row=11)
