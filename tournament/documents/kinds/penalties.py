"""The judges' report: every entry, what became of it, and the inquiries. Never public."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from tournament.documents.document import Document
from tournament.documents.layout.flow import Flow
from tournament.documents.layout.labels import Bilingual
from tournament.documents.layout.letters import on_paper
from tournament.documents.layout.pages import SIDE, in_parts, words_in
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.labels import infraction_name
from tournament.models.penalties import PenaltyStep
from tournament.models.rounds import deal_label
from tournament.queries.document_facts import EventFacts, event_facts
from tournament.queries.reports import PenaltyEntry, penalty_report


@dataclass(frozen=True, slots=True)
class PenaltyReportFacts:
    event: EventFacts
    entries: tuple[PenaltyEntry, ...]


class JudgesReport(Document[PenaltyReportFacts]):
    kind = "penalties"
    title = gettext_lazy("Judges' report")
    about = gettext_lazy("Every penalty with its reason. Not public: for the staff alone.")
    when = "after"

    def facts(self, request: DocumentRequest) -> PenaltyReportFacts:
        return PenaltyReportFacts(event_facts(request.event), penalty_report(request.event))

    def parts(self, request: DocumentRequest, facts: PenaltyReportFacts) -> list[Part]:
        if not facts.entries:
            return []
        words = _words(request, facts)
        flow = Flow(request, words["title"], under=f"{words['count']} {words['private']}")
        for place, entry in enumerate(facts.entries):
            _entry(flow, words, words[f"offence {place}"], entry)
        return in_parts(request, flow.pages())


def _words(request: DocumentRequest, facts: PenaltyReportFacts) -> dict[str, Bilingual]:
    count = len(facts.entries)
    offences: dict[str, Callable[[], str]] = {
        f"offence {place}": partial(_offence, entry) for place, entry in enumerate(facts.entries)
    }
    return words_in(
        request,
        title=lambda: _("Judges' report"),
        private=lambda: _("For the staff alone: penalties are not public."),
        count=lambda: ngettext("%(count)d entry.", "%(count)d entries.", count) % {"count": count},
        reason=lambda: _("What happened"),
        withdrawn=lambda: pgettext("a penalty", "Withdrawn"),
        heard=lambda: _("Heard"),
        finding=lambda: _("Finding"),
        decided=lambda: _("Decided by"),
        **offences,
    )


def _offence(entry: PenaltyEntry) -> str:
    """The step, the deal it zeroes, and the infraction."""
    texts = [str(PenaltyStep(entry.step).label)]
    if entry.place is not None:
        stage, round_, deal = entry.place
        texts.append(deal_label(stage, round_, deal))
    return " · ".join([*texts, infraction_name(entry.infraction)])


def _moment(iso: str) -> str:
    return date_format(datetime.fromisoformat(iso), _("j F Y, H:i"))


def _entry(
    flow: Flow, words: dict[str, Bilingual], offence: Bilingual, entry: PenaltyEntry
) -> None:
    flow.need(26)
    flow.ink({"thin": f"M{SIDE:.2f} {flow.y:.2f}h{flow.width:.2f}"})
    flow.gap(1.5)
    flow.text(f"{entry.number} {on_paper(entry.name, entry.number)}", 12, "bold")
    flow.text(offence, 10.5, "bold")
    if entry.reason:
        flow.text(f"{words['reason']}: {entry.reason}", 10)
    flow.text(" · ".join(filter(None, [_moment(entry.at), entry.judge])), 9)
    if entry.inquiry:
        for key, told in zip(("heard", "finding", "decided"), entry.inquiry, strict=True):
            flow.text(f"{words[key]}: {' '.join(told.split())}", 9.5, indent=6)
    if entry.withdrawn:
        at, by, why = entry.withdrawn
        who = " · ".join(filter(None, [_moment(at), by]))
        flow.text(f"{words['withdrawn']}: {why} ({who})", 10, "bold", indent=6)
    flow.gap(3)
