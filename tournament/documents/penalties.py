"""The judges' report: every entry, what became of it, and the inquiries. Never public."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournament.documents.ask import Ask, Part
from tournament.documents.flow import Flow
from tournament.documents.labels import Both
from tournament.documents.leaves import SIDE, parts_of, said
from tournament.models.penalties import PenaltyStep
from tournament.models.rounds import Stage
from tournament.queries.prints import About, about
from tournament.queries.reports import PenaltyEntry, penalty_report
from tournament.wording import infraction_name


@dataclass(frozen=True, slots=True)
class Report:
    about: About
    entries: tuple[PenaltyEntry, ...]


def facts(ask: Ask) -> Report:
    return Report(about(ask.event), penalty_report(ask.event))


def parts(ask: Ask, report: Report) -> list[Part]:
    if not report.entries:
        return []
    words = _words(ask, report)
    flow = Flow(ask, words["title"], under=f"{words['count']} {words['private']}")
    for place, entry in enumerate(report.entries):
        _entry(ask, flow, words, place, entry)
    return parts_of(ask, flow.leaves())


def _words(ask: Ask, report: Report) -> dict[str, Both]:
    count = len(report.entries)
    words = said(
        ask,
        title=lambda: _("Judges' report"),
        private=lambda: _("For the staff alone: penalties are not public."),
        count=lambda: ngettext("%(count)d entry.", "%(count)d entries.", count) % {"count": count},
        reason=lambda: _("What happened"),
        withdrawn=lambda: pgettext("a penalty", "Withdrawn"),
        heard=lambda: _("Heard"),
        finding=lambda: _("Finding"),
        decided=lambda: _("Decided by"),
    )
    for place, entry in enumerate(report.entries):
        words[f"what {place}"] = Both(tuple(_in(one, _what, entry) for one in ask.said_in))
    return words


def _in(language: str, say, *args):  # type: ignore[no-untyped-def]
    with translation.override(language):
        return say(*args)


def _what(entry: PenaltyEntry) -> str:
    """The step, the deal it zeroes, and the infraction."""
    said_here = [str(PenaltyStep(entry.step).label)]
    if entry.place is not None:
        stage, round_, deal = entry.place
        if stage == Stage.FINAL:
            said_here.append(_("Final, deal %(deal)d") % {"deal": deal})
        else:
            said_here.append(_("Round %(round)d, deal %(deal)d") % {"round": round_, "deal": deal})
    return " · ".join([*said_here, infraction_name(entry.infraction)])


def _moment(iso: str) -> str:
    return date_format(datetime.fromisoformat(iso), _("j F Y, H:i"))


def _entry(ask: Ask, flow: Flow, words: dict[str, Both], place: int, entry: PenaltyEntry) -> None:
    flow.need(26)
    flow.ink({"thin": f"M{SIDE:.2f} {flow.y:.2f}h{flow.width:.2f}"})
    flow.gap(1.5)
    flow.text(f"{entry.number} {entry.name}", 12, "bold")
    flow.text(words[f"what {place}"], 10.5, "bold")
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
